package onehot

import "github.com/go-onehot/onehot/internal/plan"

// A layout says where the cells of an output lie, in elements: cell (o, d, i)
// is at o*stride + d*plane + i, and index (o, i) at o*pitch + i. A fresh layout
// has pitch == inner, and plane == inner unless a Plane leaves gaps; a part of
// one that was cut along the inner axis keeps plane and pitch of the whole.
type layout struct {
	outer, depth, inner int
	plane               int // from a cell to the same one of the next plane
	pitch               int // from an index to the same one of the next block
	stride              int // from a block of cells to the next
	need                int // elements from the first cell to the one behind the last
}

// gaps reports whether elements lie between the blocks, or between the planes of
// one.
func (l *layout) gaps() bool {
	return l.outer > 1 && l.stride > l.depth*l.inner || l.depth > 1 && l.plane > l.inner
}

// part returns the layout of some blocks and columns.
func (l *layout) part(outer, inner int) layout {
	p := *l
	p.outer, p.inner = outer, inner
	p.need = (outer-1)*l.stride + (l.depth-1)*l.plane + inner
	return p
}

// tileFor returns the tile for filling and scattering in turn.
func (l *layout) tileFor(width int) plan.Tile {
	return plan.TileOf(plan.Here(), &plan.Shape{Outer: l.outer, Depth: l.depth, Inner: l.inner, Width: width})
}

// batch returns the largest tile of at most n indices that lie side by side.
func (l *layout) batch(n int) plan.Tile {
	if l.inner < l.pitch || l.inner > n {
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
	cell  int    // its first cell, counted from that of the whole
	index int    // its first index
}

func tilesOf(l layout, step plan.Tile) tiles {
	return tiles{whole: l, step: step}
}

// next moves to the next tile and says whether there is one.
func (t *tiles) next() bool {
	l := &t.whole
	if t.o >= l.outer {
		return false
	}
	t.part = l.part(min(t.step.Outer, l.outer-t.o), min(t.step.Inner, l.inner-t.i))
	t.cell = t.o*l.stride + t.i
	t.index = t.o*l.pitch + t.i
	if t.i += t.step.Inner; t.i >= l.inner {
		t.i = 0
		t.o += t.step.Outer
	}
	return true
}
