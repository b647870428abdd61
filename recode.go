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

// A Bitmap says which indices are valid: indices[i] is valid if bit Offset+i is
// set, least significant first. The validity buffer of an Apache Arrow array is
// a Bitmap, with the array's offset, and need not be copied.
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
// it is x itself, provided that x is not negative and a C can hold it; the
// largest class of a uint8 is 254, since all bits set has a meaning of its own.
// Any other index has no class, and neither has indices[i] if its bit in valid
// is 0; with a nil valid every index is valid. An empty table that is not nil
// gives no index a class: the table of a dictionary that may be empty must not
// be nil. Negative indices never count from the end here, since Recode knows of
// no depth.
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
	n := len(indices)
	if n < plan.Least && valid == nil && n <= len(dst) && !overlaps(spanOf(dst), n, spanOf(indices)) && !overlaps(spanOf(dst), n, spanOf(table)) {
		return recodeAll(dst[:n], indices, table, true), nil // a few indices would notice the rest
	}
	if err := checkRecode(dst, indices, table, valid); err != nil {
		return 0, err
	}
	dst = dst[:n]
	var rebased Bitmap // its Offset is below 8, so that no sum with an index overflows
	if valid != nil {
		rebased = valid.from(0)
	}
	done, width, classes := 0, int(unsafe.Sizeof(C(0))), classCount[C, I](table, valid != nil)
	// Recodes would refuse fewer, too, but a few indices notice the call.
	if n >= plan.Least && plan.Recodes(tier.Active(), n, classes, min(len(table), plan.Classes), width, valid != nil) {
		if misses, done = recodeBytes(dst, inputOf(indices), table, classes, rebased); done == n {
			return misses, nil
		}
	}
	dst, indices = dst[done:], indices[done:]
	if holes := mayHaveHoles(table, len(indices)); valid != nil {
		misses += recodeValid(dst, indices, table, rebased.from(done), holes)
	} else {
		misses += recodeRun(dst, indices, table, holes)
	}
	return misses, nil
}

// mayHaveHoles reports whether an entry of table may say that there is no
// class. It does not look at a table that is long for n indices.
func mayHaveHoles[C Code](table []C, n int) bool {
	return len(table) > n/plan.TableShare || slices.Contains(table, ^C(0))
}

// recodeAll is recodeGeneric where every index is valid. It takes four indices
// at a time while all of them are in [0, len(table)). After one that is not, it
// takes plan.BehindMiss indices one at a time, since such indices come
// together. Unless holes is set, misses leaves out those whose entry says that
// there is no class.
func recodeAll[C Code, I Index](dst []C, indices []I, table []C, holes bool) (misses int) {
	if table == nil {
		return recodeSelf(dst, indices)
	}
	codes, limit, i := unsafe.Pointer(unsafe.SliceData(table)), limitOf[I](len(table)), 0
	dst = dst[:len(indices)] // the bounds check for all
	from, to, n := unsafe.Pointer(unsafe.SliceData(indices)), unsafe.Pointer(unsafe.SliceData(dst)), len(indices)
	for i < n {
		for ; i <= n-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(nth[I](from, i)))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			first, second := *nth[C](codes, intOf(w, a)), *nth[C](codes, intOf(x, b))
			third, fourth := *nth[C](codes, intOf(y, c)), *nth[C](codes, intOf(z, d))
			if holes {
				misses += isNone(first) + isNone(second) + isNone(third) + isNone(fourth)
			}
			out := (*[4]C)(unsafe.Pointer(nth[C](to, i)))
			out[0], out[1], out[2], out[3] = first, second, third, fourth
		}
		for last := min(i+plan.BehindMiss, n); i < last; i++ {
			code, x := ^C(0), *nth[I](from, i)
			if a := bitsOf(x); a < limit {
				code = *nth[C](codes, intOf(x, a))
			} else if class := integerOf(x); uint64(class) < uint64(len(table)) {
				code = table[class]
			}
			*nth[C](to, i) = code
			misses += isNone(code)
		}
	}
	return misses
}

// recodeRun is recodeAll, but where holes is set and plan.CountsNone says so,
// nones counts the codes of a block that say that there is no class, while the
// first-level cache still has them.
func recodeRun[C Code, I Index](dst []C, indices []I, table []C, holes bool) (misses int) {
	for holes && plan.CountsNone(tier.Active(), len(dst)) {
		n := min(len(dst), plan.UpdateBlock) &^ (plan.Least - 1)
		recodeAll(dst[:n], indices[:n], table, false)
		misses += nones(dst[:n]) // the race detector has seen dst
		dst, indices = dst[n:], indices[n:]
	}
	return misses + recodeAll(dst, indices, table, holes)
}

// nones returns how many of the codes say that there is no class. Their number
// is a multiple of plan.Least and not 0.
func nones[C Code](codes []C) int {
	size, from := int(unsafe.Sizeof(C(0))), unsafe.Pointer(unsafe.SliceData(codes))
	if size == 1 {
		return bytes.Count(bytesAt(from, len(codes)), []byte{none})
	}
	return nonesOf(size, from, len(codes))
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
	from, to := unsafe.Pointer(unsafe.SliceData(indices)), unsafe.Pointer(unsafe.SliceData(dst))
	for i < len(indices) {
		for ; i <= len(indices)-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(nth[I](from, i)))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			out := (*[4]C)(unsafe.Pointer(nth[C](to, i)))
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
		valid.words(words)
		misses += recodeRun(dst[:n], indices[:n], table, holes)
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
	one, width := I(1), int(unsafe.Sizeof(C(0)))
	switch {
	case table != nil && unsafe.Sizeof(one) == 1:
		return min(len(table), plan.Classes)
	case table != nil && !hasNull && one/2 == 0 && len(table) > plan.LookUpMost(tier.Active(), width):
		return math.MaxInt
	case table != nil:
		return len(table)
	case width == 1:
		return int(largestClass[C]()) + 1
	case hasNull:
		return plan.Classes
	}
	return math.MaxInt
}

// A coder makes codes by way of bytes, a block of indices at a time: of classes
// and, with a table, of their codes.
type coder struct {
	in     input
	dst    unsafe.Pointer
	width  int        // bytes of a code
	limit  int        // the number of classes, unless direct is set
	table  *textTable // of codes; nil if the classes are the codes
	direct bool       // the table has codes for indices, which are bytes, not for classes
	valid  Bitmap     // no Bits if every index is valid
}

// recodeBytes is Recode by way of bytes that tell classes apart, as many as
// classCount says. It returns the misses and how many indices it has recoded.
// It leaves all of them to other ways if a byte cannot hold a code of the
// table. Where indices are their own codes, of several bytes, it leaves the
// rest from the first block on in which an index that is not null has no class
// that a byte holds: others will follow.
func recodeBytes[C Code](dst []C, in input, table []C, classes int, valid Bitmap) (misses, done int) {
	if table != nil {
		return recodeTable(dst, in, table, classes, valid)
	}
	c := coder{in: in, dst: unsafe.Pointer(unsafe.SliceData(dst)), width: int(unsafe.Sizeof(C(0))), limit: classes, valid: valid}
	return c.write()
}

// recodeTable is recodeBytes with a table.
func recodeTable[C Code](dst []C, in input, table []C, classes int, valid Bitmap) (misses, done int) {
	var codes textTable // here, since calls without a table need not zero it
	c := coder{in: in, dst: unsafe.Pointer(unsafe.SliceData(dst)), width: int(unsafe.Sizeof(C(0))), limit: classes, table: &codes, valid: valid}
	switch in.typ {
	case Int8:
		c.direct, table = true, table[:min(len(table), 1<<7)]
	case Uint8:
		c.direct, table = true, table[:min(len(table), 1<<8)]
	}
	if !setCodes(&codes, table) {
		return 0, 0
	}
	return c.write()
}

// setCodes makes t, which must be zero, the table of the codes of up to 256
// classes. It reports false if a byte cannot hold them: 255 stands for none.
func setCodes[C Code](t *textTable, table []C) bool {
	t.setNone()
	if unsafe.Sizeof(C(0)) == 1 {
		copy(t.classes[:], bytesAt(unsafe.Pointer(unsafe.SliceData(table)), len(table)))
		t.setRows(len(table))
		return true
	}
	codes, all := t.classes[:len(table)], uint64(0)
	for class, code := range table {
		codes[class] = byte(code)
		all |= uint64(code + 1) // all bits set become 0
	}
	if all > none {
		return false
	}
	t.setRows(len(table))
	return true
}

// write makes the codes in a buffer of the size that they need. They need none
// where the first bytes made are the codes, there is no bitmap, and dst is not
// the indices.
func (c *coder) write() (misses, done int) {
	switch n := c.in.len; {
	case c.width == 1 && c.valid.Bits == nil && c.in.ptr != c.dst && (c.table == nil || c.direct):
		return codesIn[noBuffer](c)
	case n < plan.SmallBlock+plan.Least:
		return codesIn[smallBuffer](c)
	case n < plan.MediumBlock+plan.Least:
		return codesIn[mediumBuffer](c)
	}
	return codesIn[largeBuffer](c)
}

func codesIn[Buffer any](c *coder) (misses, done int) {
	var room lineRoom[Buffer]
	for done < c.in.len {
		n := plan.Take(c.in.len-done, plan.LargeBlock, plan.Least)
		missed, ok := c.block(room.bytes(), done, n)
		if !ok {
			break
		}
		misses += missed
		done += n
	}
	return misses, done
}

// block makes the codes of n indices from the given one on, in a buffer that
// has room for whole words of bits or is empty. If it reports false it has
// written none, because a byte does not hold a class.
func (c *coder) block(buffer []byte, index, n int) (misses int, ok bool) {
	in, to := c.in.from(index), unsafe.Add(c.dst, index*c.width)
	race.Range(to, n*c.width, true)
	if len(buffer) == 0 {
		return c.classify(bytesAt(to, n), &in), true
	}
	classes := buffer[:n]
	misses = c.classify(classes, &in)
	if c.valid.Bits != nil {
		var nulls int // without a table a byte must hold the classes of all other indices
		if nulls, misses = dropNulls(buffer, n, c.valid.from(index)); c.table == nil && c.width > 1 && misses > nulls {
			return 0, false
		}
	}
	from := unsafe.Pointer(unsafe.SliceData(buffer))
	switch looksUp := c.table != nil && !c.direct; {
	case looksUp && c.width == 1:
		return textOf(to, from, n, unsafe.Pointer(c.table), none), true
	case looksUp:
		copy(bytesAt(to, n), classes) // dst holds the classes meanwhile, since Go would zero a second buffer
		misses = textOf(from, to, n, unsafe.Pointer(c.table), none)
	}
	if c.width == 1 {
		copy(bytesAt(to, n), classes)
	} else {
		codesOf(c.width, to, from, n)
	}
	return misses, true
}

// classify sets dst to the classes of the first len(dst) indices or, if the
// table has codes for indices, to these codes, and returns how many have none.
func (c *coder) classify(dst []byte, in *input) (misses int) {
	if !c.direct {
		return in.classes(dst, 0, c.limit, 0)
	}
	race.Range(in.ptr, len(dst), false)
	return textOf(unsafe.Pointer(unsafe.SliceData(dst)), in.ptr, len(dst), unsafe.Pointer(c.table), none)
}

// dropNulls removes the classes of the nulls among n indices, whose bits are
// the first of valid. It returns how many are null, and how many have no class
// now. It writes whole words of classes.
func dropNulls(classes []byte, n int, valid Bitmap) (nulls, misses int) {
	var room [(plan.LargeBlock + plan.Least) / wordBits]uint64
	words := room[:BitWords(n)]
	behind := len(words)*wordBits - n
	valid.words(words)
	words[len(words)-1] &= math.MaxUint64 >> behind
	nulls = nullOf(unsafe.Pointer(unsafe.SliceData(classes)), unsafe.Pointer(&room), n+behind) - behind
	return nulls, bytes.Count(classes[:n], []byte{none})
}

// from returns the bitmap from index i on.
func (b *Bitmap) from(i int) Bitmap {
	return Bitmap{b.Bits[(b.Offset+i)/8:], (b.Offset + i) % 8}
}

// words sets words to the bits of a bitmap whose Offset is below 8, and to 0
// after the last bit.
func (b *Bitmap) words(words []uint64) {
	from, shift := b.Bits, b.Offset
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
