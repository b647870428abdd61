package onehot

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// Decode is the strict inverse of [Encode] along the same axis: dst, of shape
// [Outer, Inner], gets the class of each row of src, of shape [Outer, Depth,
// Inner], where a row is the Depth cells of an index. A row with exactly one On
// and the rest Off gives its class. Every other row, a row of Miss included,
// gives all bits set, which is -1 in a signed type, and counts as invalid.
// Decode returns the number of invalid rows. Values are compared by their bits,
// so that a NaN is found and -0.0 is not 0.0; strings by content.
//
// len(dst) sets the number of rows. src needs (Outer-1)*Stride +
// (Depth-1)*Plane + Inner elements, and its gaps are not read. s.Negative is
// ignored, but must be [Ignore] or [Normalize]. With Depth 0 every row is
// invalid. With Depth 1 and a Miss equal to On every row is invalid, too,
// because a class looks like a miss.
//
// Errors are those of Encode, with src in the place of dst for [ErrShort]. For
// a type of dst that has b bits, [ErrDepth] also reports a Depth beyond 2^(b-1)
// if it is signed, or beyond 2^b-1 if it is unsigned, where all bits set is
// reserved for no class. [ErrValue] also reports equal On and Off.
//
// Decode reads src once, and the parts around invalid rows at most twice. It
// allocates nothing.
func Decode[I Code, V Value](dst []I, src []V, s Spec[V]) (invalid int, err error) {
	s.tighten(len(dst))
	if invalid, done := decodeSmall(dst, src, &s); done {
		return invalid, nil
	}
	var j job
	if err := checkDecode(&j.layout, dst, src, &s); err != nil {
		return 0, err
	}
	switch {
	case j.depth == 0 || j.depth == 1 && s.Miss != nil && sameBits(*s.Miss, s.On): // no cells, or a class looks like a miss
		fillGeneric(dst, ^I(0))
		return len(dst), nil
	case isString[V]():
		return decodeCells(dst, src, s.On, s.Off, &j.layout), nil
	}
	setValues(&j, &s)
	j.dst = spanOf(src).ptr
	switch plan.Decode(plan.Here(), j.shape()).Strategy {
	case plan.Hits:
		return decodeHits(dst, &j), nil
	case plan.Planes:
		return decodePlanes(dst, &j), nil
	}
	return decodeByWidth(dst, &j), nil
}

// sameBits reports whether a and b are the same: strings by content.
func sameBits[V Value](a, b V) bool {
	if isString[V]() {
		return a == b
	}
	return elementOf(a) == elementOf(b)
}

// decodeByWidth is decodeCells for cells whose type is erased, read as numbers.
func decodeByWidth[C Code](dst []C, j *job) (invalid int) {
	switch j.width {
	case 1:
		return decodeAs[uint8](dst, j)
	case 2:
		return decodeAs[uint16](dst, j)
	case 4:
		return decodeAs[uint32](dst, j)
	case 8:
		return decodeAs[uint64](dst, j)
	}
	return decodeAs[element](dst, j)
}

func decodeAs[E comparable, C Code](dst []C, j *job) (invalid int) {
	return decodeCells(dst, unsafe.Slice((*E)(j.dst), j.need), valueOf[E](j.on), valueOf[E](j.off), &j.layout)
}

// decodeCells is decodeGeneric, plane by plane if the cells of a row lie apart.
func decodeCells[C Code, E comparable](dst []C, src []E, on, off E, l *layout) (invalid int) {
	if l.plane == 1 {
		return decodeRows(dst, src, on, off, l.depth, l.stride)
	}
	for o := range l.outer {
		invalid += decodeColumns(dst[o*l.indexStride:][:l.inner], src[o*l.stride:], on, off, l.depth, l.plane)
	}
	return invalid
}

// decodeRows decodes rows that start stride elements apart. It leaves a row at
// the first cell that makes it invalid.
func decodeRows[C Code, E comparable](dst []C, src []E, on, off E, depth, stride int) (invalid int) {
	for r := range dst {
		row, class := src[r*stride:][:depth], 0
		for class < len(row) && row[class] == off {
			class++
		}
		next := 0
		if class < len(row) && row[class] == on {
			for next = class + 1; next < len(row) && row[next] == off; {
				next++
			}
		}
		if dst[r] = C(class); next != len(row) {
			dst[r] = ^C(0)
			invalid++
		}
	}
	return invalid
}

// decodeColumns decodes the columns of a block, plane by plane, eight words of
// columns at a time. With one word at a time the runs that it reads are so
// short that planes of 16-byte cells take up to 2.1 times as long from memory.
func decodeColumns[C Code, E comparable](classes []C, block []E, on, off E, depth, plane int) (invalid int) {
	const words = 8
	for first := 0; first < len(classes); first += words * wordBits {
		part := classes[first:min(first+words*wordBits, len(classes))]
		var seen, bad [words]uint64 // columns with an On; with a second On, or a cell that is neither On nor Off
		for d := range depth {
			for i, v := range block[d*plane+first:][:len(part)] {
				if v == off {
					continue
				}
				if w, bit := i/wordBits%words, uint64(1)<<(i%wordBits); v == on && seen[w]&bit == 0 {
					seen[w] |= bit
					part[i] = C(d)
				} else {
					bad[w] |= bit
				}
			}
		}
		for w := 0; w*wordBits < len(part); w++ {
			columns := part[w*wordBits:]
			none := bad[w%words] | ^seen[w%words]
			if len(columns) < wordBits {
				none &= 1<<len(columns) - 1
			}
			for ; none != 0; none &= none - 1 {
				columns[bits.TrailingZeros64(none)] = ^C(0)
				invalid++
			}
		}
	}
	return invalid
}

// decodeSmall is Decode for a few plain rows, or for one block of few cells.
func decodeSmall[C Code, V Value](dst []C, src []V, s *Spec[V]) (invalid int, done bool) {
	n, depth, on, off := len(dst), s.Depth, elementOf(s.On), elementOf(s.Off)
	if isString[V]() || uint(depth-1) >= plan.HitRow || uint64(depth-1) > largestClass[C]() || s.Miss != nil && depth == 1 || !s.plain(n, len(src)) || on == off ||
		overlaps(spanOf(dst), n, span{unsafe.Pointer(unsafe.SliceData(src)), n * depth, int(unsafe.Sizeof(s.On))}) {
		return 0, false
	}
	cells := unsafe.Pointer(unsafe.SliceData(src))
	if size := int(unsafe.Sizeof(s.On)); n*depth >= plan.Least {
		if s.Inner > 1 || n*depth > plan.SmallHits {
			return 0, false
		}
		if plan.SmallDecode(size) {
			v := values{on: on, off: off}
			if invalid, done = hitsSmall(dst, cells, depth, size, &v); done {
				return invalid, true
			}
		}
	}
	switch unsafe.Sizeof(s.On) {
	case 1:
		return decodeFew(dst, cells, uint8(on.lo), uint8(off.lo), depth, s.Inner), true
	case 2:
		return decodeFew(dst, cells, uint16(on.lo), uint16(off.lo), depth, s.Inner), true
	case 4:
		return decodeFew(dst, cells, uint32(on.lo), uint32(off.lo), depth, s.Inner), true
	case 8:
		return decodeFew(dst, cells, on.lo, off.lo, depth, s.Inner), true
	}
	return 0, false
}

// hitsSmall decodes rows with a kernel. If a cell is neither on nor off it
// writes nothing and reports false.
func hitsSmall[C Code](dst []C, src unsafe.Pointer, depth, width int, v *values) (invalid int, done bool) {
	var room smallHits
	race.Range(src, len(dst)*depth*width, false)
	if hitsOf(width, unsafe.Pointer(&room), src, len(dst)*depth, unsafe.Pointer(v)) != 0 {
		return 0, false
	}
	if depth <= hitChunk {
		return readShortRows(dst, room[:], depth), true
	}
	return readRows(dst, room[:], depth), true
}

// decodeFew decodes rows, or one block if inner is above 1, of cells of type E.
func decodeFew[C Code, E comparable](dst []C, cells unsafe.Pointer, on, off E, depth, inner int) (invalid int) {
	src := unsafe.Slice((*E)(cells), len(dst)*depth)
	if inner > 1 {
		return decodeColumns(dst, src, on, off, depth, inner)
	}
	return decodeRows(dst, src, on, off, depth, depth)
}

// The rest of this file decodes with kernels, which find the cells that are on.
// If a block has a cell that is neither on nor off, or a column that is on
// twice, they only report this, and Go decodes that block again.

// hitChunk is the number of bits that a load of 8 bytes is sure to hold from
// any bit of its first byte on.
const hitChunk = 56

// hits has a bit for each cell of a block, set if the cell is on. A load of 8
// bytes may start at the last of them.
type hits []byte

// The buffers for hits. Go zeroes a buffer before its first use.
type (
	smallHits [plan.SmallHits/8 + 8]byte
	largeHits [(plan.HitCells+plan.Least)/8 + 8]byte
)

// find sets the bits of n cells and reports whether all of them are on or off.
func (h hits) find(j *job, cell, n int) bool {
	cells := unsafe.Add(j.dst, cell*j.width)
	race.Range(cells, n*j.width, false)
	return hitsOf(j.width, unsafe.Pointer(unsafe.SliceData(h)), cells, n, unsafe.Pointer(&j.values)) == 0
}

// word returns at least hitChunk bits, from bit at on, the first of them
// lowest. Because the division is unsigned, it is a shift.
func (h hits) word(at int) uint64 {
	return binary.LittleEndian.Uint64(h[uint(at)/8:]) >> (uint(at) % 8)
}

func decodeHits[C Code](dst []C, j *job) (invalid int) {
	if j.outer*j.stride <= plan.SmallHits {
		return decodeHitsIn[smallHits](dst, j)
	}
	return decodeHitsIn[largeHits](dst, j)
}

func decodeHitsIn[Room any, C Code](dst []C, j *job) (invalid int) {
	var room Room
	h := hits(bytesOf(&room))
	switch {
	case j.inner > 1:
		return decodeBlocks(dst, j, h)
	case j.depth > plan.HitRow || j.gaps():
		return decodeLongRows(dst, j, h)
	}
	for o := 0; o < j.outer; {
		n := plan.Take(j.outer-o, plan.HitCells/j.depth, (plan.Least-1)/j.depth+1)
		classes := dst[o:][:n]
		switch {
		case !h.find(j, o*j.depth, n*j.depth):
			part := j.blocksOf(o, o+n)
			invalid += decodeByWidth(classes, &part)
		case j.depth <= hitChunk:
			invalid += readShortRows(classes, h, j.depth)
		default:
			invalid += readRows(classes, h, j.depth)
		}
		o += n
	}
	return invalid
}

// readShortRows decodes rows whose bits one word holds.
func readShortRows[C Code](dst []C, h hits, depth int) (invalid int) {
	row, at := uint64(1)<<depth-1, 0
	for r := range dst {
		w := h.word(at) & row
		at += depth
		dst[r] = C(bits.TrailingZeros64(w))
		if w == 0 || w&(w-1) != 0 {
			dst[r] = ^C(0)
			invalid++
		}
	}
	return invalid
}

// readRows decodes rows whose bits several words hold. No branch depends on
// which of the words has a bit, because that cannot be predicted.
func readRows[C Code](dst []C, h hits, depth int) (invalid int) {
	whole := (depth - 1) / hitChunk * hitChunk
	rest := uint64(1)<<(depth-whole) - 1
	for r := range dst {
		var seen, twice, class uint64
		at := r * depth
		add := func(w uint64, d int) {
			found := -((w | -w) >> 63) // all bits set if w has one
			twice |= w&(w-1) | seen&found
			seen |= found
			class |= uint64(d+bits.TrailingZeros64(w)) & found
		}
		for d := 0; d < whole; d += hitChunk {
			add(h.word(at+d)&(1<<hitChunk-1), d)
		}
		add(h.word(at+whole)&rest, whole)
		dst[r] = C(class)
		if seen == 0 || twice != 0 {
			dst[r] = ^C(0)
			invalid++
		}
	}
	return invalid
}

// decodeLongRows decodes each row by itself, a part of it at a time.
func decodeLongRows[C Code](dst []C, j *job, h hits) (invalid int) {
	for o := range dst {
		class, valid := -1, true
		for first := 0; first < j.depth && valid; {
			n := plan.Take(j.depth-first, plan.HitCells, plan.Least)
			valid = h.find(j, o*j.stride+first, n)
			for d := 0; d < n; d += wordBits {
				w := binary.LittleEndian.Uint64(h[d/8:])
				if w == 0 {
					continue
				}
				valid = valid && class < 0 && w&(w-1) == 0
				class = first + d + bits.TrailingZeros64(w)
			}
			first += n
		}
		if !valid || class < 0 {
			class = -1
			invalid++
		}
		dst[o] = C(class)
	}
	return invalid
}

// decodeBlocks decodes touching planes of few columns: some blocks at once, or
// one after the other if they lie apart.
func decodeBlocks[C Code](dst []C, j *job, h hits) (invalid int) {
	block, inverse := j.depth*j.inner, 1<<32/uint64(j.inner)+1 // exact for cells below HitCells
	for o := 0; o < j.outer; {
		n := 1
		if j.stride == block {
			n = plan.Take(j.outer-o, plan.HitCells/block, (plan.Least-1)/block+1)
		}
		if !h.find(j, o*j.stride, n*block) {
			part := j.blocksOf(o, o+n)
			invalid += decodeByWidth(dst[o*j.inner:][:n*j.inner], &part)
			o += n
			continue
		}
		for end, at := o+n, 0; o < end; o, at = o+1, at+block {
			classes := dst[o*j.inner:][:j.inner]
			if set, decoded := readColumns(classes, h, at, block, inverse); set == decoded {
				invalid += j.inner - decoded
			} else {
				part := j.blocksOf(o, o+1)
				invalid += decodeByWidth(classes, &part)
			}
		}
	}
	return invalid
}

// readColumns decodes the columns of a block from its bits, which start at bit
// at of h. inverse divides a cell by the number of columns. It returns how many
// bits are set, and in how many columns.
func readColumns[C Code](dst []C, h hits, at, block int, inverse uint64) (set, decoded int) {
	for i := range dst {
		dst[i] = ^C(0)
	}
	columns := uint64(len(dst))
	for first := 0; first < block; first += hitChunk {
		w := h.word(at+first) & (1<<min(block-first, hitChunk) - 1)
		set += bits.OnesCount64(w)
		for ; w != 0; w &= w - 1 {
			cell := uint64(first + bits.TrailingZeros64(w))
			class := cell * inverse >> 32
			if to := &dst[cell-class*columns]; *to == ^C(0) {
				*to = C(class)
				decoded++
			}
		}
	}
	return set, decoded
}

// The buffers for the lanes of a block: one for each column, as wide as a cell.
// There is room to start them at a cache line.
type (
	smallLanes [(plan.SmallLanes + lineBytes) / 8]uint64
	largeLanes [(plan.LargeLanes+lineBytes)/8 + plan.Least]uint64
)

// decodePlanes decodes columns, in a buffer that suits their number.
func decodePlanes[C Code](dst []C, j *job) (invalid int) {
	if j.inner*j.width <= plan.SmallLanes {
		return decodePlanesIn[smallLanes](dst, j)
	}
	return decodePlanesIn[largeLanes](dst, j)
}

// decodePlanesIn decodes as many columns at a time as the buffer has lanes.
func decodePlanesIn[Lanes any, C Code](dst []C, j *job) (invalid int) {
	var room Lanes
	lanes := lineIn(unsafe.Pointer(&room))
	for o := range j.outer {
		for i := 0; i < j.inner; {
			n := plan.Take(j.inner-i, plan.LargeLanes/j.width, plan.Least)
			cell, index := o*j.stride+i, o*j.indexStride+i
			classes := dst[index:][:n]
			if hits, decoded := collectBlock(classes, j, lanes, cell); hits == decoded {
				invalid += n - decoded
			} else {
				part := j.cut(cell, index, j.part(1, n))
				invalid += decodeByWidth(classes, &part)
			}
			i += n
		}
	}
	return invalid
}

// collectBlock decodes some columns of a block, the first of which starts at
// the given cell. It returns the number of cells that are on, or -1 if a cell
// is neither on nor off, and the number of columns that have one on.
func collectBlock[C Code](dst []C, j *job, lanes unsafe.Pointer, cell int) (hits, decoded int) {
	fillGeneric(dst, ^C(0))
	cells, run, apart := unsafe.Add(j.dst, cell*j.width), len(dst)*j.width, j.plane*j.width
	reach := j.depth // the number of classes that a lane can tell apart, besides none
	if j.width < 4 {
		reach = 1<<(8*j.width) - 1
	}
	count := max(plan.CallBytes/run, 1)
	for first := 0; first < j.depth; first += reach {
		fillRun(unsafe.Slice((*uint8)(lanes), run), 0xff, plan.FillVector)
		last := min(j.depth, first+reach)
		for d := first; d < last; d += count {
			planes := min(count, last-d)
			from := unsafe.Add(cells, d*apart)
			race.Runs(from, apart, planes, run, false)
			found := collectOf(j.width, lanes, from, apart, len(dst), d-first, planes, unsafe.Pointer(&j.values))
			if found < 0 {
				return -1, decoded
			}
			hits += found
		}
		decoded += takeLanes(dst, lanes, j.width, first)
	}
	return hits, decoded
}

// takeLanes takes the classes, counted from first, out of lanes of the given
// width, and returns how many columns had none before.
func takeLanes[C Code](dst []C, lanes unsafe.Pointer, width, first int) (decoded int) {
	switch width {
	case 1:
		return takeAs[uint8](dst, lanes, first)
	case 2:
		return takeAs[uint16](dst, lanes, first)
	case 4:
		return takeAs[uint32](dst, lanes, first)
	}
	return takeAs[uint64](dst, lanes, first)
}

func takeAs[L uint8 | uint16 | uint32 | uint64, C Code](dst []C, lanes unsafe.Pointer, first int) (decoded int) {
	for i, lane := range unsafe.Slice((*L)(lanes), len(dst)) {
		if lane != ^L(0) {
			if dst[i] == ^C(0) {
				decoded++
			}
			dst[i] = C(first + int(lane))
		}
	}
	return decoded
}
