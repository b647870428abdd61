package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// wordBits is the number of cells in a word of a bit plane.
const wordBits = plan.WordBits

// BitWords returns the number of words, of 64 cells each, in a bit plane of n
// cells, or 0 if n is negative.
func BitWords(n int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/wordBits + 1
}

// EncodeBits writes one bit per cell, class-major, as column stores and bitmap
// indexes keep them: bit i of plane d is set if the class of indices[i] is d.
// For n indices, plane d is dst[d*BitWords(n) : (d+1)*BitWords(n)], least
// significant bit first; the bits after the last index are 0. It returns the
// number of misses. Indices are read as by [Encode]: ONNX OneHot-9 with
// [Ignore], OneHot-11 with [Normalize].
//
// A plane is, word for word, what libraries of roaring bitmaps call a dense
// bitmap and, on little-endian machines, byte for byte, an Arrow Boolean
// buffer: both accept it unchanged.
//
// A null whose slot holds a class sets its bit. To clear it, AND each plane
// with the words of the validity bitmap, or call [Recode] first.
//
// dst needs depth*BitWords(n) words. With depth 0 nothing is written and every
// index is a miss. Without indices nothing is written. Errors are [ErrDepth],
// [ErrValue], [ErrTooLarge], [ErrShort] and [ErrOverlap].
//
// EncodeBits reads the indices once, or a few times if there are many classes.
// It may write a word more than once. It allocates nothing.
func EncodeBits[I Index](dst []uint64, indices []I, depth int, neg Negative) (misses int, err error) {
	n := len(indices)
	words := BitWords(n)
	if depth > 0 && plain(words, depth, words, 0, neg, min(len(dst), plan.CallBytes*8/wordBits)) && !overlaps(spanOf(dst), words*depth, spanOf(indices)) {
		switch to, way := unsafe.Pointer(unsafe.SliceData(dst)), plan.SmallBits(n, depth); {
		case way == plan.ByLoop:
			fillSmall(dst[:words*depth], 0, n)
			return setBits(dst, indices, depth, words, neg.wrap(depth)), nil
		case way == plan.AtOnce && n <= len(smallBuffer{}):
			return bitsAtOnce[smallBuffer](to, indices, depth, neg.wrap(depth)), nil
		case way == plan.AtOnce && n <= len(mediumBuffer{}):
			return bitsAtOnce[mediumBuffer](to, indices, depth, neg.wrap(depth)), nil
		case way == plan.AtOnce:
			return bitsAtOnce[largeBuffer](to, indices, depth, neg.wrap(depth)), nil
		}
	}
	return encodeBits(dst, indices, depth, neg)
}

// bitsAtOnce is EncodeBits for which plan.SmallBits says AtOnce. It calls one
// kernel for each stage. Room holds the classes; those that are missing in the
// last word become none.
//
//go:noinline
func bitsAtOnce[Room any, I Index](dst unsafe.Pointer, indices []I, depth, wrap int) (misses int) {
	var room lineRoom[Room]
	classes, from, n := lineIn(unsafe.Pointer(&room)), unsafe.Pointer(unsafe.SliceData(indices)), len(indices)
	whole := BitWords(n) * wordBits
	fillGeneric(bytesAt(classes, whole)[whole-wordBits:], none)
	race.Range(dst, depth*whole/8, true)
	race.Range(from, n*int(unsafe.Sizeof(I(0))), false)
	misses = classesOf(indexTypeOf[I](), classes, from, n, 0, depth, int(wrapOf[I](wrap)))
	bitPlanesOf(dst, whole/8, classes, whole, depth)
	return misses
}

// encodeBits is the general route of EncodeBits.
func encodeBits[I Index](dst []uint64, indices []I, depth int, neg Negative) (misses int, err error) {
	var l layout
	if err := checkBitPlanes(&l, dst, indices, depth, neg); err != nil {
		return 0, err
	}
	if l.need == 0 { // no indices, or no classes
		return len(indices), nil
	}
	j := job{dst: spanOf(dst).ptr, in: inputOf(indices), layout: l, width: 1, wrap: neg.wrap(depth)}
	if p := plan.Bits(plan.Here(), len(indices), depth); p.Strategy == plan.BitPlanes {
		return j.blocks(&p), nil
	}
	return scatterBits(dst, indices, &l, j.wrap), nil
}

// ExpandBits turns bits, such as those of [EncodeBits], into cells: it writes
// planes of n cells each, with on where a bit is set and off where it is not.
// Cell i of plane p is dst[p*n+i]. It gets bit i, least significant first, of
// the BitWords(n) words bits[p*BitWords(n) : (p+1)*BitWords(n)], whose other
// bits are ignored. Twelve bitboards become the [12, 64] planes of a chess
// position. A dense bitmap of a bitmap index, or an Arrow validity buffer read
// as words, becomes a plane of flags.
//
// dst needs n elements for each plane; elements beyond them are left alone.
// With n 0 nothing is written. on and off are copied by their bits and may be
// equal. Errors are [ErrShape] for a negative n or a len(bits) that is not a
// multiple of BitWords(n), [ErrTooLarge], [ErrShort] and [ErrOverlap]. On an
// error dst is untouched.
//
// It reads bits once, may write a cell more than once, and allocates nothing.
func ExpandBits[V Value](dst []V, bits []uint64, n int, on, off V) error {
	// Up to 64 cells take one word. Planes of so few, unless they are so many that
	// a product could overflow, are checked without a call.
	planes := len(bits)
	if uint(n-1) >= wordBits || planes >= plan.SmallSide || planes*n > len(dst) || overlaps(spanOf(dst), planes*n, spanOf(bits)) {
		var err error
		if planes, err = checkExpandBits(dst, bits, n); err != nil {
			return err
		}
	}
	if !isString[V]() && plan.Expands(tier.Active(), planes*n) {
		e := expander{dst: spanOf(dst).ptr, bits: spanOf(bits).ptr, n: n, width: int(unsafe.Sizeof(on))}
		e.on, e.off = elementOf(on), elementOf(off)
		e.planes(planes)
		return nil
	}
	expandCells(dst[:planes*n], bits[:planes*BitWords(n)], n, on, off)
	return nil
}

// expandCells fills planes of n cells and scatters on to them: few bits of a
// board are set. Its stores are not checked: there are n cells for each
// BitWords(n) words.
func expandCells[V Value](cells []V, words []uint64, n int, on, off V) {
	size, first := int(unsafe.Sizeof(off)), 0
	if len(cells) <= plan.CallBytes/size {
		fillSmall(cells, off, 0) // how many bits are set is not known
	} else {
		fillGeneric(cells, off)
	}
	to := unsafe.Pointer(unsafe.SliceData(cells))
	for ; len(words) > 0; first += n {
		for i := 0; i < n; i += wordBits {
			word := words[0]
			if words = words[1:]; n-i < wordBits {
				word &= 1<<(n-i) - 1
			}
			for ; word != 0; word &= word - 1 {
				*nth[V](to, first+i+bits.TrailingZeros64(word)) = on
			}
		}
	}
}

// An expander writes planes of n cells with the kernel that expands bits to
// rows: each plane is a row.
type expander struct {
	dst, bits unsafe.Pointer
	n, width  int
	values
}

// planes writes the given number of planes.
func (e *expander) planes(planes int) {
	words, rest, row := BitWords(e.n), e.n%wordBits, e.n*e.width
	e.ahead = plan.PrefetchesCells(planes * row)
	if rest == 0 { // the planes are one run of whole words
		e.words(0, 0, planes*words)
		return
	}
	for p := 0; p < planes && row <= plan.CallBytes; {
		count := min(plan.CallBytes/row, planes-p)
		e.rows(p*e.n, p*words, count, e.n, (planes-p-count)*row)
		p += count
	}
	for p := 0; p < planes && row > plan.CallBytes; p++ {
		e.words(p*e.n, p*words, words-1)
		e.rows((p+1)*e.n-rest, (p+1)*words-1, 1, rest, (planes-p-1)*row)
	}
}

// words writes the cells of count whole words, from that cell and word on.
func (e *expander) words(cell, word, count int) {
	most := plan.CallBytes / wordBits >> bits.TrailingZeros(uint(e.width)) // without a division, which boards would notice
	for first := 0; first < count; first += most {
		cells := min(most, count-first) * wordBits
		dst, from := e.announce(cell+first*wordBits, word+first, 1, cells)
		cellsOf(e.width, dst, 0, from, 0, wordBits/8, 1, cells, unsafe.Pointer(&e.values))
	}
}

// rows writes the given number of rows of cells, from that cell and word on.
// room is that of cellsWithin.
func (e *expander) rows(cell, word, rows, cells, room int) {
	dst, from := e.announce(cell, word, rows, cells)
	cellsWithin(room, e.width, dst, from, BitWords(cells)*wordBits/8, wordBits/8, rows, cells, &e.values)
}

// announce tells the race detector of so many rows of cells and of their bits,
// and returns where both start.
func (e *expander) announce(cell, word, rows, cells int) (dst, from unsafe.Pointer) {
	dst, from = unsafe.Add(e.dst, cell*e.width), unsafe.Add(e.bits, word*wordBits/8)
	race.Range(from, rows*BitWords(cells)*wordBits/8, false)
	race.Range(dst, rows*cells*e.width, true)
	return dst, from
}
