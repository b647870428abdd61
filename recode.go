package onehot

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// A Bitmap says which indices count: indices[i] does if bit Offset+i is set,
// least significant first. The validity buffer of an Apache Arrow array is a
// Bitmap, with the array's offset, and need not be copied.
type Bitmap struct {
	Bits   []byte
	Offset int // in bits, 0 or more
}

// Recode writes the class of each index to dst[:len(indices)] and returns the
// number of misses, the indices without a class. Its output can be the indices
// of every other call. It serves nulls, codes that count from 1, dictionaries
// that differ from one part of a column to the next, subsets of classes, and
// columns of several types, which it converts to one.
//
// The class of an index x is table[x] if 0 <= x < len(table). If table is nil,
// it is x itself, provided that a C can hold it. Any other index has no class,
// and neither has indices[i] if its bit in valid is 0; with a nil valid every
// index counts. An empty table that is not nil gives no index a class: the
// table of a dictionary that may be empty must not be nil.
//
// For an index without a class Recode writes all bits set, which is -1 in a
// signed type and 255 in a uint8. An entry of table with all bits set also
// means that there is no class. Calls that read the output as indices need
// [Ignore], because under [Normalize] -1 is the last class. If C is unsigned
// they also need a depth of at most the largest C, 255 for a uint8, or all bits
// set would be a class.
//
// Indices are read as by [Encode] under Ignore: floats are truncated toward
// zero, and NaN has no class. Bits are those of the Arrow columnar format.
//
// dst may be indices itself, if the elements of both have the same size; it
// must not overlap indices in any other way. Errors are [ErrShort] for a dst
// shorter than indices, or Bits shorter than Offset+len(indices) bits,
// [ErrShape] for a negative Offset, and [ErrOverlap]. On an error misses is 0
// and dst is untouched.
//
// Recode costs a few instructions per index and allocates nothing.
func Recode[C Code, I Index](dst []C, indices []I, table []C, valid *Bitmap) (misses int, err error) {
	if err := checkRecode(dst, indices, table, valid); err != nil {
		return 0, err
	}
	dst = dst[:len(indices)]
	var rebased Bitmap // its Offset is below 8, so that no sum with an index overflows
	if valid != nil {
		rebased = valid.from(0)
	}
	width, classes := int(unsafe.Sizeof(C(0))), classCount[C, I](table, valid != nil)
	if plan.Recodes(tier.Active(), len(indices), classes, min(len(table), plan.Classes), width, valid != nil) {
		if table == nil && width > 1 {
			return recodeNear(dst, indices, rebased), nil
		}
		if misses, done := recodeBlocks(dst, inputOf(indices), table, rebased); done {
			return misses, nil
		}
	}
	switch holes := mayHaveHoles(table, len(indices)); {
	case valid != nil:
		return recodeValid(dst, indices, table, rebased, holes), nil
	case holes && plan.CountsNone(tier.Active(), len(indices)):
		return recodeHoles(dst, indices, table), nil
	default:
		return recodeAll(dst, indices, table, holes), nil
	}
}

// mayHaveHoles reports whether an entry of table may say that there is no
// class. It does not look at a table that is long for n indices.
func mayHaveHoles[C Code](table []C, n int) bool {
	return len(table) > n/plan.TableShare || slices.Contains(table, ^C(0))
}

// recodeAll is recodeGeneric where every index counts. It takes four indices at
// a time while all of them are in [0, len(table)). After one that is not, it
// takes plan.BehindMiss indices one at a time, since such indices come
// together. Unless holes is set, misses leaves out those whose entry says that
// there is no class.
func recodeAll[C Code, I Index](dst []C, indices []I, table []C, holes bool) (misses int) {
	if table == nil {
		return recodeSelf(dst, indices)
	}
	codes, limit, size, i := unsafe.Pointer(unsafe.SliceData(table)), limitOf[I](len(table)), int(unsafe.Sizeof(C(0))), 0
	dst = dst[:len(indices)] // the bounds check for all
	from, to, wide, n := unsafe.Pointer(unsafe.SliceData(indices)), unsafe.Pointer(unsafe.SliceData(dst)), int(unsafe.Sizeof(I(0))), len(indices)
	for i < n {
		for ; i <= n-4; i += 4 {
			four := (*[4]I)(unsafe.Add(from, i*wide))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			first, second := *(*C)(unsafe.Add(codes, intOf(w, a)*size)), *(*C)(unsafe.Add(codes, intOf(x, b)*size))
			third, fourth := *(*C)(unsafe.Add(codes, intOf(y, c)*size)), *(*C)(unsafe.Add(codes, intOf(z, d)*size))
			if holes {
				misses += isNone(first) + isNone(second) + isNone(third) + isNone(fourth)
			}
			out := (*[4]C)(unsafe.Add(to, i*size))
			out[0], out[1], out[2], out[3] = first, second, third, fourth
		}
		for last := min(i+plan.BehindMiss, n); i < last; i++ {
			code, x := ^C(0), *(*I)(unsafe.Add(from, i*wide))
			if a := bitsOf(x); a < limit {
				code = *(*C)(unsafe.Add(codes, intOf(x, a)*size))
			} else if class := integerOf(x); uint64(class) < uint64(len(table)) {
				code = table[class]
			}
			*(*C)(unsafe.Add(to, i*size)) = code
			misses += isNone(code)
		}
	}
	return misses
}

// recodeHoles is recodeAll with holes. A kernel counts the codes of a block
// that say that there is no class, while the first-level cache still has them.
func recodeHoles[C Code, I Index](dst []C, indices []I, table []C) (misses int) {
	var found [(plan.UpdateBlock + plan.Least) / wordBits]uint64
	size, v := int(unsafe.Sizeof(C(0))), values{on: element{math.MaxUint64, math.MaxUint64}}
	for len(dst) > 0 {
		n := plan.Take(len(dst), plan.UpdateBlock, plan.Least)
		recodeAll(dst[:n], indices[:n], table, false)
		hitsOf(size, unsafe.Pointer(&found), unsafe.Pointer(&dst[0]), n, unsafe.Pointer(&v)) // the race detector has seen dst
		misses += ones(found[:BitWords(n)])
		dst, indices = dst[n:], indices[n:]
	}
	return misses
}

// isNone returns 1 if a code says that there is no class, and 0 otherwise. No
// branch depends on the code, because a table may have many such entries.
func isNone[C Code](code C) (none int) {
	if code == ^C(0) {
		none = 1
	}
	return none
}

// recodeSelf is recodeAll without a table: indices are their own classes.
func recodeSelf[C Code, I Index](dst []C, indices []I) (misses int) {
	largest, i := min(largestClass[C](), math.MaxInt64), 0 // a negative class is larger; what an int does not hold goes one by one
	limit := limitOf[I](int(min(largest, math.MaxInt-1)) + 1)
	dst = dst[:len(indices)] // the bounds check for all
	from, to, wide, size := unsafe.Pointer(unsafe.SliceData(indices)), unsafe.Pointer(unsafe.SliceData(dst)), int(unsafe.Sizeof(I(0))), int(unsafe.Sizeof(C(0)))
	for i < len(indices) {
		for ; i <= len(indices)-4; i += 4 {
			four := (*[4]I)(unsafe.Add(from, i*wide))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			out := (*[4]C)(unsafe.Add(to, i*size))
			out[0], out[1], out[2], out[3] = C(intOf(w, a)), C(intOf(x, b)), C(intOf(y, c)), C(intOf(z, d))
		}
		for last := min(i+plan.BehindMiss, len(indices)); i < last; i++ {
			x := indices[i]
			if a := bitsOf(x); a < limit {
				dst[i] = C(intOf(x, a))
			} else if class := integerOf(x); uint64(class) <= largest {
				dst[i] = C(class)
			} else {
				dst[i] = ^C(0)
				misses++
			}
		}
	}
	return misses
}

// recodeValid is recodeGeneric with validity bits. It makes the codes of a
// block at a time by the loop for indices that all count, and then removes
// those of nulls, word by word, because most words have few.
func recodeValid[C Code, I Index](dst []C, indices []I, table []C, valid Bitmap, holes bool) (misses int) {
	var room [plan.MediumBlock / wordBits]uint64
	for len(indices) > 0 {
		n := min(len(indices), plan.MediumBlock)
		words := room[:BitWords(n)]
		valid.words(words, 0)
		misses += recodeAll(dst[:n], indices[:n], table, holes)
		for w, word := range words {
			codes := dst[w*wordBits : min((w+1)*wordBits, n)]
			if nulls := ^word & (1<<(len(codes)-1)<<1 - 1); nulls != 0 {
				misses += dropCodes(codes, nulls)
			}
		}
		dst, indices, valid = dst[n:], indices[n:], valid.from(n)
	}
	return misses
}

// dropCodes removes the codes of nulls, and returns how many of them had a
// class.
func dropCodes[C Code](codes []C, nulls uint64) (had int) {
	for ; nulls != 0; nulls &= nulls - 1 {
		code := &codes[bits.TrailingZeros64(nulls)]
		if *code != ^C(0) {
			had++
		}
		*code = ^C(0)
	}
	return had
}

// classCount returns how many classes a byte has to tell apart if codes are
// made by way of bytes: those of the table or, without one, those that a code
// of a byte can hold. It returns more than a byte tells apart where bytes are
// of no use. Indices of a byte become codes without a class in between. Wider
// codes without a table gain only where there may be nulls; whether bytes hold
// their classes shows block by block.
func classCount[C Code, I Index](table []C, hasNull bool) int {
	narrow := unsafe.Sizeof(C(0)) == 1
	switch {
	case table != nil && unsafe.Sizeof(I(0)) == 1:
		return min(len(table), plan.Classes)
	case table != nil:
		return len(table)
	case narrow:
		return int(largestClass[C]()) + 1
	case hasNull:
		return plan.Classes
	}
	return math.MaxInt
}

// A coder makes classes of a block of indices at a time. Codes are made from
// the classes, because they may be written over the indices.
type coder struct {
	in      input
	text    *textTable // for indices of a byte, which are looked up directly
	limit   int        // the number of classes
	valid   Bitmap
	classes [plan.LargeBlock + plan.Least]byte
}

// recodeBlocks writes codes by way of bytes: of classes and, with a table, of
// their codes. It reports false, and does nothing, if a byte cannot hold a code
// of the table.
func recodeBlocks[C Code](dst []C, in input, table []C, valid Bitmap) (misses int, done bool) {
	c := coder{in: in, limit: len(table), valid: valid}
	var lookup *textTable // of codes by class; nil if the bytes that c makes are codes
	if table == nil {
		c.limit = int(largestClass[C]()) + 1
	} else {
		var room textTable
		switch in.typ {
		case Int8:
			table = table[:min(len(table), 1<<7)]
			c.text = &room
		case Uint8:
			table = table[:min(len(table), 1<<8)]
			c.text = &room
		default:
			lookup = &room
		}
		if !setCodes(&room, table) {
			return 0, false
		}
	}
	if unsafe.Sizeof(C(0)) == 1 {
		return c.writeBytes(bytesAt(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)), lookup), true
	}
	return writeWide(&c, dst, lookup), true
}

// setCodes makes t, which must be zero, the table of the codes of up to 256
// classes. It reports false if a byte cannot hold them: 255 stands for none.
func setCodes[C Code](t *textTable, table []C) bool {
	if unsafe.Sizeof(C(0)) == 1 {
		t.set(bytesAt(unsafe.Pointer(unsafe.SliceData(table)), len(table)))
		return true
	}
	var codes [1 << 8]byte
	for class, code := range table {
		if codes[class] = byte(code); uint64(code+1) > none { // all bits set become 0
			return false
		}
	}
	t.set(codes[:len(table)])
	return true
}

// blocks makes classes of n indices, a block at a time. It calls write for each
// block with the block's misses, and adds up the misses that write returns. The
// classes are no argument of write, because they would escape.
func (c *coder) blocks(n int, write func(i, n, misses int) int) (misses int) {
	for i := 0; i < n; {
		size := plan.Take(n-i, plan.LargeBlock, plan.Least)
		misses += write(i, size, c.classify(i, size))
		i += size
	}
	return misses
}

// classify makes classes of n indices, from index i on, and returns the misses.
func (c *coder) classify(i, n int) (misses int) {
	in, classes := c.in.from(i), unsafe.Pointer(&c.classes)
	if c.text != nil {
		race.Range(in.ptr, n, false)
		misses = textOf(classes, in.ptr, n, unsafe.Pointer(c.text), none)
	} else {
		misses = in.classes(c.classes[:n], 0, c.limit, 0)
	}
	if c.valid.Bits != nil {
		_, misses = c.dropNulls(i, n)
	}
	return misses
}

// dropNulls removes the classes of the nulls among n indices from index i on.
// It returns how many are null, and how many have no class now.
func (c *coder) dropNulls(i, n int) (nulls, misses int) {
	var room [(plan.LargeBlock + plan.Least) / wordBits]uint64
	words := room[:BitWords(n)]
	behind := len(words)*wordBits - n
	c.valid.words(words, i)
	words[len(words)-1] &= math.MaxUint64 >> behind
	nulls = nullOf(unsafe.Pointer(&c.classes), unsafe.Pointer(&room), n+behind) - behind
	return nulls, bytes.Count(c.classes[:n], []byte{none})
}

// recodeNear is recodeValid without a table, by way of classes of a byte. It
// leaves the rest to recodeValid from the first block on in which an index that
// is not null has no class that a byte holds: others will follow.
func recodeNear[C Code, I Index](dst []C, indices []I, valid Bitmap) (misses int) {
	c := coder{in: inputOf(indices), valid: valid}
	for i := 0; i < len(dst); {
		n := plan.Take(len(dst)-i, plan.LargeBlock, plan.Least)
		part := c.in.from(i)
		part.classes(c.classes[:n], 0, plan.Classes, 0)
		nulls, missed := c.dropNulls(i, n)
		if missed > nulls {
			return misses + recodeValid(dst[i:], indices[i:], nil, valid.from(i), false)
		}
		widenCodes(dst[i:][:n], unsafe.Pointer(&c.classes))
		misses += missed
		i += n
	}
	return misses
}

// writeBytes writes codes of a byte: the classes, or what lookup has for them.
func (c *coder) writeBytes(dst []byte, lookup *textTable) (misses int) {
	return c.blocks(len(dst), func(i, n, misses int) int {
		if lookup == nil {
			copy(dst[i:], c.classes[:n])
			return misses
		}
		race.Range(unsafe.Pointer(&dst[i]), n, true)
		return textOf(unsafe.Pointer(&dst[i]), unsafe.Pointer(&c.classes), n, unsafe.Pointer(lookup), none)
	})
}

// writeWide is writeBytes for codes of several bytes.
func writeWide[C Code](c *coder, dst []C, lookup *textTable) (misses int) {
	var room [len(c.classes)]byte
	return c.blocks(len(dst), func(i, n, misses int) int {
		codes := unsafe.Pointer(&c.classes)
		if lookup != nil {
			codes = unsafe.Pointer(&room)
			misses = textOf(codes, unsafe.Pointer(&c.classes), n, unsafe.Pointer(lookup), none)
		}
		widenCodes(dst[i:][:n], codes)
		return misses
	})
}

// widenCodes writes codes from bytes, of which 255 stands for none.
func widenCodes[C Code](dst []C, codes unsafe.Pointer) {
	to, size := unsafe.Pointer(unsafe.SliceData(dst)), int(unsafe.Sizeof(C(0)))
	race.Range(to, len(dst)*size, true)
	codesOf(size, to, codes, len(dst))
}

// from returns the bitmap from index i on.
func (b *Bitmap) from(i int) Bitmap {
	return Bitmap{b.Bits[(b.Offset+i)/8:], (b.Offset + i) % 8}
}

// words sets words to the bits from index i on, and to 0 after the last bit.
func (b *Bitmap) words(words []uint64, i int) {
	rest := b.from(i)
	from, shift := rest.Bits, rest.Offset
	for k := range words {
		if len(from) > 8 {
			words[k] = binary.LittleEndian.Uint64(from)>>shift | uint64(from[8])<<1<<(63-shift)
			from = from[8:]
			continue
		}
		word := uint64(0)
		for at, b := range from {
			word |= uint64(b) << (8 * at)
		}
		words[k], from = word>>shift, nil
	}
}
