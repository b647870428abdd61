package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// This file writes planes by columns. One kernel compares classes with that of
// each plane. The other looks cells up in a table of the values, if package
// plan says so and the values have a table.

// A lookupTable has a table of 16 bytes for each plane of a group. The kernel
// looks up each byte of a cell in the table of its plane. The table is divided
// into entries, one for each pair of bytes that on and miss have at the same
// place in a cell. An entry has the byte of miss and then a byte for each plane
// of the group: that of on for the plane itself, and zero for the others, since
// off is zero. If both are zero at some place, each entry starts with a zero,
// and the place uses that of the first entry. Package asm/kernels has the
// offsets of the fields.
type lookupTable struct {
	classMask, missMask [2]element // for each byte of a vector
	group               int        // number of planes
	bias                byte       // 128 - group
	_                   [7]byte
	planes              [15]element
}

// of makes t, which must be zero, the table of v and returns it. It returns nil
// if off is not zero, or if the bytes need more than four entries. That is
// rare: most values have few bytes that are not zero, or repeat them.
func (t *lookupTable) of(width int, v *values) *lookupTable {
	var p pairs
	if v.off != (element{}) || !p.find(width, v) {
		return nil
	}
	size := [...]int{16, 16, 8, 4, 4}[p.count] // of an entry
	t.group = size - 1 - p.zeros
	t.bias = byte(128 - t.group)
	for i, pair := range p.at[:width] {
		if pair > 0 {
			t.classMask[0].setByte(i, byte(128+pair*size-1))
			t.missMask[0].setByte(i, byte((pair-1)*size+p.zeros))
		}
	}
	t.classMask[0], t.missMask[0] = t.classMask[0].repeated(width), t.missMask[0].repeated(width)
	t.classMask[1], t.missMask[1] = t.classMask[0], t.missMask[0]
	var on, miss element
	for i := range p.count {
		miss.setByte(i*size+p.zeros, p.miss[i])
		on.setByte(i*size+p.zeros+1, p.on[i])
	}
	for k := range t.group { // on moves by a byte from plane to plane
		t.planes[k] = element{on.lo | miss.lo, on.hi | miss.hi}
		on.lo, on.hi = on.lo<<8, on.hi<<8|on.lo>>56
	}
	return t
}

// pairs holds the distinct pairs of bytes that on and miss have at the same
// place in a cell.
type pairs struct {
	on, miss [4]byte
	count    int           // of pairs, except two zeros
	zeros    int           // 1 if some place has two zeros
	at       [maxWidth]int // for each place, its pair, counted from 1, or 0 for two zeros
}

// find collects the pairs, and reports whether there is room for all.
func (p *pairs) find(width int, v *values) bool {
	for i := range width {
		on, miss, pair := v.on.byteAt(i), v.miss.byteAt(i), 0
		if on|miss == 0 {
			p.zeros = 1
			continue
		}
		for pair < p.count && (p.on[pair] != on || p.miss[pair] != miss) {
			pair++
		}
		if pair == len(p.on) {
			return false
		}
		p.on[pair], p.miss[pair], p.at[i] = on, miss, pair+1
		p.count = max(p.count, pair+1)
	}
	return true
}

// byteAt returns byte i of e, counted from the lowest.
func (e element) byteAt(i int) byte {
	if i < 8 {
		return byte(e.lo >> (i * 8 & 63))
	}
	return byte(e.hi >> (i * 8 & 63))
}

// setByte sets byte i of e, which must be zero.
func (e *element) setByte(i int, b byte) {
	if bits := uint64(b) << (i * 8 & 63); i < 8 {
		e.lo |= bits
	} else {
		e.hi |= bits
	}
}

// writeColumns writes count planes from that of class first on, by columns. It
// looks them up if t is not nil.
func writeColumns(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v *values, misses int, t *lookupTable) {
	if t != nil {
		planesByLookupOf(width, dst, stride, plane, classes, blocks, n, first, count, unsafe.Pointer(t))
	} else {
		planesByColumnsOf(width, dst, stride, plane, classes, blocks, n, first, count, unsafe.Pointer(v), misses)
	}
}

// smallLookup is writeColumns for all planes of a small call, with a table if
// there is one. It is a function of its own because Go zeroes the table.
//
//go:noinline
func smallLookup(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, depth int, v *values, misses int) {
	var t lookupTable
	writeColumns(width, dst, stride, plane, classes, blocks, n, 0, depth, v, misses, t.of(width, v))
}

// smallPlanes is smallBlocks for planes.
func (in *input) smallPlanes(dst unsafe.Pointer, plane, depth, width, wrap int, hasMiss bool, v *values) (misses int) {
	if plan.SmallLooksUp(depth, width, in.len*depth*width, hasMiss) {
		return in.lookupBlocks(dst, plane, depth, width, wrap, hasMiss, v)
	}
	return in.planeBlocks(dst, plane, depth, width, wrap, hasMiss, v, nil)
}

// lookupBlocks is smallPlanes with a table, if there is one. It is a function
// of its own because Go zeroes the table.
//
//go:noinline
func (in *input) lookupBlocks(dst unsafe.Pointer, plane, depth, width, wrap int, hasMiss bool, v *values) (misses int) {
	var t lookupTable
	return in.planeBlocks(dst, plane, depth, width, wrap, hasMiss, v, t.of(width, v))
}

// planeBlocks is smallPlanes with a table or, if t is nil, without one. It has
// writeColumns written out to save a call.
func (in *input) planeBlocks(dst unsafe.Pointer, plane, depth, width, wrap int, hasMiss bool, v *values, t *lookupTable) (misses int) {
	var room lineRoom[largeBuffer]
	classes := lineIn(unsafe.Pointer(&room))
	for i := 0; i < in.len; {
		block := in.from(i)
		block.len = plan.Take(block.len, plan.LargeBlock, plan.Least)
		missed := block.classes(bytesAt(classes, block.len), 0, depth, wrap)
		if to := unsafe.Add(dst, i*width); t != nil {
			planesByLookupOf(width, to, 0, plane, classes, 1, block.len, 0, depth, unsafe.Pointer(t))
		} else {
			planesByColumnsOf(width, to, 0, plane, classes, 1, block.len, 0, depth, unsafe.Pointer(v), ownMisses(hasMiss, missed))
		}
		misses += missed
		i += block.len
	}
	return misses
}
