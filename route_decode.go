package onehot

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file is Decode by kernels. They find cells that are on; what else a
// block may hold, a cell that is neither on nor off or a column that is on
// twice, they only tell, and Go decodes that block again.

// markChunk is the number of marks, from any of them on, that a load of 8 bytes
// is sure to hold.
const markChunk = 56

// marks are the cells of a block, a bit for each that is on. A load of 8 bytes
// may start at the last.
type marks [(plan.MarkCells+plan.Least)/8 + 8]byte

// hit sets the marks of n cells and reports whether all of them are on or off.
func (m *marks) hit(width int, cells unsafe.Pointer, n int, on, off element) bool {
	race.Range(cells, n*width, false)
	v := values{on: on, off: off}
	return hitsOf(width, unsafe.Pointer(m), cells, n, unsafe.Pointer(&v)) == 0
}

// word returns at least markChunk marks, the first of them lowest.
func (m *marks) word(at int) uint64 {
	return binary.LittleEndian.Uint64(m[at/8:]) >> (at % 8)
}

// decodeMarks decodes rows.
func decodeMarks[I Code, E comparable](dst []I, src []E, on, off E, l *layout) (invalid int) {
	if l.depth > plan.MarkRow || l.gaps() {
		return decodeLongRows(dst, src, on, off, l)
	}
	var m marks
	width, onBits, offBits := int(unsafe.Sizeof(on)), elementOf(on), elementOf(off)
	for o := 0; o < l.outer; {
		n := plan.Take(l.outer-o, plan.MarkCells/l.depth, (plan.Least-1)/l.depth+1)
		classes, cells := dst[o:][:n], src[o*l.depth:][:n*l.depth]
		switch {
		case !m.hit(width, unsafe.Pointer(&cells[0]), len(cells), onBits, offBits):
			part := l.part(n, 1)
			invalid += decodeCells(classes, cells, on, off, &part)
		case l.depth <= markChunk:
			invalid += readShortRows(classes, &m, l.depth)
		default:
			invalid += readRows(classes, &m, l.depth)
		}
		o += n
	}
	return invalid
}

// readShortRows reads rows of a word each off the marks.
func readShortRows[I Code](dst []I, m *marks, depth int) (invalid int) {
	row := uint64(1)<<depth - 1
	for r := range dst {
		w := m.word(r*depth) & row
		dst[r] = I(bits.TrailingZeros64(w))
		if w == 0 || w&(w-1) != 0 {
			dst[r] = ^I(0)
			invalid++
		}
	}
	return invalid
}

// readRows reads rows of several words off the marks. Which of the words is not
// zero is anybody's guess, so that no branch depends on it.
func readRows[I Code](dst []I, m *marks, depth int) (invalid int) {
	whole := (depth - 1) / markChunk * markChunk
	rest := uint64(1)<<(depth-whole) - 1
	for r := range dst {
		var seen, twice, class uint64
		at := r * depth
		add := func(w uint64, d int) {
			found := -((w | -w) >> 63) // all bits, if any of w
			twice |= w&(w-1) | seen&found
			seen |= found
			class |= uint64(d+bits.TrailingZeros64(w)) & found
		}
		for d := 0; d < whole; d += markChunk {
			add(m.word(at+d)&(1<<markChunk-1), d)
		}
		add(m.word(at+whole)&rest, whole)
		dst[r] = I(class)
		if seen == 0 || twice != 0 {
			dst[r] = ^I(0)
			invalid++
		}
	}
	return invalid
}

// decodeLongRows takes each row by itself, a part of it at a time.
func decodeLongRows[I Code, E comparable](dst []I, src []E, on, off E, l *layout) (invalid int) {
	var m marks
	width, onBits, offBits := int(unsafe.Sizeof(on)), elementOf(on), elementOf(off)
	for o := range dst {
		row, class, valid := src[o*l.stride:][:l.depth], -1, true
		for first := 0; first < l.depth && valid; {
			n := plan.Take(l.depth-first, plan.MarkCells, plan.Least)
			valid = m.hit(width, unsafe.Pointer(&row[first]), n, onBits, offBits)
			for d := 0; d < n; d += 64 {
				w := binary.LittleEndian.Uint64(m[d/8:])
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
		dst[o] = I(class)
	}
	return invalid
}

// The rooms for lanes, each as wide as a cell, of a block of columns.
type (
	smallLanes [plan.SmallLanes/8 + plan.Least]uint64
	largeLanes [plan.LargeLanes/8 + plan.Least]uint64
)

// reachOf is how many classes, from the first on, a lane can tell apart: its
// last value says that the class is none of them.
func reachOf(width, depth int) int {
	switch width {
	case 1:
		return 1<<8 - 1
	case 2:
		return 1<<16 - 1
	}
	return depth
}

// decodePlanes decodes columns, in a buffer that suits the number of them.
func decodePlanes[I Code, E comparable](dst []I, src []E, on, off E, l *layout) (invalid int) {
	if l.inner*int(unsafe.Sizeof(on)) <= plan.SmallLanes {
		return decodePlanesIn[smallLanes](dst, src, on, off, l)
	}
	return decodePlanesIn[largeLanes](dst, src, on, off, l)
}

// decodePlanesIn decodes as many columns at a time as there is room for lanes.
func decodePlanesIn[Lanes any, I Code, E comparable](dst []I, src []E, on, off E, l *layout) (invalid int) {
	var lanes Lanes
	width := int(unsafe.Sizeof(on))
	for t := (tiles{whole: *l}); t.o < l.outer; {
		t.step = plan.Tile{Outer: 1, Inner: plan.Take(l.inner-t.i, plan.LargeLanes/width, plan.Least)}
		t.next()
		classes, cells := dst[t.index:][:t.part.inner], src[t.cell:][:t.part.need]
		decoded := 0
		hits := collectBlock(classes, unsafe.Pointer(&lanes), unsafe.Pointer(&cells[0]), width, elementOf(on), elementOf(off), l, &decoded)
		if hits == decoded {
			invalid += len(classes) - decoded
		} else {
			invalid += decodeCells(classes, cells, on, off, &t.part)
		}
	}
	return invalid
}

// collectBlock sets the classes of some columns of a block and counts them in
// decoded. It returns the number of cells that are on, or -1 if one is neither
// on nor off.
func collectBlock[I Code](dst []I, lanes, cells unsafe.Pointer, width int, on, off element, l *layout, decoded *int) (hits int) {
	for i := range dst {
		dst[i] = ^I(0)
	}
	v, reach := values{on: on, off: off}, reachOf(width, l.depth)
	run, apart := len(dst)*width, l.plane*width
	count := max(plan.CallBytes/run, 1)
	for first := 0; first < l.depth; first += reach {
		fillRun(unsafe.Slice((*uint8)(lanes), run), 0xff, plan.FillVector)
		last := min(l.depth, first+reach)
		for d := first; d < last; d += count {
			planes := min(count, last-d)
			for k := range planes {
				race.Range(unsafe.Add(cells, (d+k)*apart), run, false)
			}
			found := collectOf(width, lanes, unsafe.Add(cells, d*apart), apart, len(dst), d-first, planes, unsafe.Pointer(&v))
			if found < 0 {
				return -1
			}
			hits += found
		}
		switch width {
		case 1:
			*decoded += takeLanes[I, uint8](dst, lanes, first)
		case 2:
			*decoded += takeLanes[I, uint16](dst, lanes, first)
		case 4:
			*decoded += takeLanes[I, uint32](dst, lanes, first)
		default:
			*decoded += takeLanes[I, uint64](dst, lanes, first)
		}
	}
	return hits
}

// takeLanes takes over the lanes that got a class, and returns how many columns
// had none before.
func takeLanes[I Code, L uint8 | uint16 | uint32 | uint64](dst []I, lanes unsafe.Pointer, first int) (decoded int) {
	for i, lane := range unsafe.Slice((*L)(lanes), len(dst)) {
		if lane != ^L(0) {
			if dst[i] == ^I(0) {
				decoded++
			}
			dst[i] = I(first + int(lane))
		}
	}
	return decoded
}
