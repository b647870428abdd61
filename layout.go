package onehot

import "github.com/go-onehot/onehot/internal/plan"

// A layout says where the cells of an output lie, in elements: cell (o, d, i)
// is at o*stride + d*plane + i, and index (o, i) is at o*indexStride + i. A
// whole layout has indexStride == inner, and plane == inner unless a Plane
// leaves gaps. A part that is cut along the inner axis keeps the plane and the
// indexStride of the whole.
type layout struct {
	outer, depth, inner int
	plane               int // from a cell to the same one of the next plane
	indexStride         int // from an index to the same one of the next block
	stride              int // from a block of cells to the next
	need                int // elements from the first cell through the last
}

// setPlain makes l a layout without gaps. Rows are blocks of one column.
func (l *layout) setPlain(blocks, depth, inner int) {
	l.outer, l.depth, l.inner, l.plane, l.indexStride, l.stride, l.need = blocks, depth, inner, inner, inner, depth*inner, blocks*depth*inner
}

// gaps reports whether elements lie between blocks, or between planes of one.
func (l *layout) gaps() bool {
	return l.outer > 1 && l.stride > l.depth*l.inner || l.depth > 1 && l.plane > l.inner
}

// part returns the layout of outer blocks of inner columns each.
func (l *layout) part(outer, inner int) layout {
	p := *l
	p.outer, p.inner = outer, inner
	p.need = (outer-1)*l.stride + (l.depth-1)*l.plane + inner
	return p
}

// cell returns the position of the first cell of an index.
func (l *layout) cell(index int) int {
	switch {
	case l.indexStride == 1:
		return index * l.stride
	case index < l.indexStride: // the first block, often the only one, needs no division
		return index
	}
	return index/l.indexStride*l.stride + index%l.indexStride
}

// step returns how far the cells of an index are from those of the next, unless
// that is in another block of planes.
func (l *layout) step() int {
	if l.indexStride == 1 {
		return l.stride
	}
	return 1
}

// run returns for how many indices, from index on, step holds.
func (l *layout) run(index int) int {
	switch {
	case l.indexStride == 1:
		return l.outer - index
	case index < l.indexStride:
		return l.indexStride - index
	}
	return l.indexStride - index%l.indexStride
}

// tileFor returns the tile for filling and scattering in turn, with the given
// number of stores to each column.
func (l *layout) tileFor(width, stores int) plan.Tile {
	return plan.TileOf(plan.Here(), &plan.Shape{Outer: l.outer, Depth: l.depth, Inner: l.inner, Plane: l.plane, Stride: l.stride, Width: width}, stores)
}

// batch returns the largest tile of at most n indices that are contiguous.
func (l *layout) batch(n int) plan.Tile {
	if l.inner < l.indexStride || l.inner > n {
		return plan.Tile{Outer: 1, Inner: min(l.inner, n)}
	}
	return plan.Tile{Outer: n / l.inner, Inner: l.inner}
}

// tiles walks a layout tile by tile.
type tiles struct {
	whole layout
	step  plan.Tile
	o, i  int // where the next tile starts

	part  layout // this tile
	cell  int    // its first cell, relative to that of the whole
	index int    // its first index
}

func tilesOf(l layout, step plan.Tile) tiles {
	return tiles{whole: l, step: step}
}

// next moves to the next tile and reports whether there is one.
func (t *tiles) next() bool {
	l := &t.whole
	if t.o >= l.outer {
		return false
	}
	t.part = l.part(min(t.step.Outer, l.outer-t.o), min(t.step.Inner, l.inner-t.i))
	t.cell = t.o*l.stride + t.i
	t.index = t.o*l.indexStride + t.i
	if t.i += t.step.Inner; t.i >= l.inner {
		t.i = 0
		t.o += t.step.Outer
	}
	return true
}
