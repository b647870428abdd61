package onehot

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// A job is a checked call with its types erased: a width and bit patterns for
// the value type, an IndexType for the index type. Strings hold pointers, so
// that only typed Go code may write them: a job has theirs as strings. Update
// keeps its types on the way through the kernels as well: they only find what
// changed, and to ask for a type at each such index would double its cost.
type job struct {
	layout
	width int
	bytes int // of the whole output, also in a part of the job
	wrap  int
	values
	hasMiss  bool // a miss has cells of its own, and not those of off
	isString bool

	dst   unsafe.Pointer // cell (0, 0, 0); Decode reads its source there
	in    input
	texts *[3]string // on, off and miss of strings
}

// prepare checks an encoding and sets what a job has of numbers. The pointers
// are for the caller to set: stored from here, behind a pointer, they would
// escape.
func prepare[V Value](j *job, s *Spec[V], dst, in span) error {
	if err := s.layout(&j.layout, in.len); err != nil {
		return err
	}
	if err := checkBuffers(dst, j.need, "input", in); err != nil {
		return err
	}
	setValues(j, s)
	j.bytes = j.need * j.width
	return nil
}

// setValues sets what a job has of a Spec besides the layout. The bits of
// strings stay unset.
func setValues[V Value](j *job, s *Spec[V]) {
	j.width, j.wrap, j.hasMiss = int(unsafe.Sizeof(s.On)), s.Negative.wrap(s.Depth), s.Miss != nil
	if j.isString = isString[V](); j.isString {
		return
	}
	j.on, j.off = elementOf(s.On), elementOf(s.Off)
	if s.Miss != nil {
		j.miss = elementOf(*s.Miss)
	}
}

// values returns On, Off and Miss, which may lie in dst and is read now. They
// are copied as what they are: of numbers the compiler then knows that nothing
// they point to reaches the heap, and leaves a Miss on its caller's stack.
func (s *Spec[V]) values() [3]V {
	v := [3]V{s.On, s.Off, s.Off}
	if s.Miss != nil {
		v[2] = *s.Miss
	}
	return v
}

// textsOf returns values as strings if they are.
func textsOf[V Value](v *[3]V) *[3]string {
	if isString[V]() {
		return (*[3]string)(unsafe.Pointer(v))
	}
	return nil
}

// blocksOf returns the job of some of the blocks.
func (j *job) blocksOf(from, to int) job {
	return j.cut(from*j.stride, from*j.indexStride, j.part(to-from, j.inner))
}

// columns returns the job of some columns of every block.
func (j *job) columns(from, to int) job {
	return j.cut(from, from, j.part(j.outer, to-from))
}

// cut returns the job of a part which starts at that cell and index.
func (j *job) cut(cell, index int, part layout) job {
	c := *j
	c.dst = unsafe.Add(j.dst, cell*j.width)
	c.in = j.in.from(index)
	c.layout = part
	return c
}

// run writes the output and returns the misses.
func (j *job) run() (misses int) {
	if j.depth == 0 { // no cell, so that no index has a class
		return j.outer * j.inner
	}
	if j.depth == 1 && j.plane == 1 && j.stride == 1 && j.outer > 1 {
		j.outer, j.inner, j.plane, j.indexStride = 1, j.outer, j.outer, j.outer // rows of one cell are the columns of one plane
	}
	p := plan.Encode(plan.Here(), j.shape())
	if p.Strategy == plan.Scatter {
		return j.direct(&p)
	}
	return j.blocks(&p)
}

// shape is what the plan knows of a job.
func (j *job) shape() *plan.Shape {
	return &plan.Shape{
		Outer: j.outer, Depth: j.depth, Inner: j.inner, Plane: j.plane, Stride: j.stride, Width: j.width,
		Whole: j.bytes, Zero: j.off == element{}, Miss: j.hasMiss, String: j.isString, Text: j.in.typ == textIndex,
		Start: int(uintptr(j.dst) % lineBytes),
	}
}

// A layout says where the cells of an output lie, in elements: cell (o, d, i)
// is at o*stride + d*plane + i, and index (o, i) at o*indexStride + i. A fresh
// layout has indexStride == inner, and plane == inner unless a Plane leaves
// gaps; a part of one that was cut along the inner axis keeps plane and
// indexStride of the whole.
type layout struct {
	outer, depth, inner int
	plane               int // from a cell to the same one of the next plane
	indexStride         int // from an index to the same one of the next block
	stride              int // from a block of cells to the next
	need                int // elements from the first cell to the one behind the last
}

// gaps reports whether elements lie between the blocks, or between the planes
// of one.
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

// tileFor returns the tile for filling and scattering in turn, with so many
// stores to the cells of a column.
func (l *layout) tileFor(width, stores int) plan.Tile {
	return plan.TileOf(plan.Here(), &plan.Shape{Outer: l.outer, Depth: l.depth, Inner: l.inner, Plane: l.plane, Stride: l.stride, Width: width}, stores)
}

// batch returns the largest tile of at most n indices that lie side by side.
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
	cell  int    // its first cell, counted from that of the whole
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

// An element is the bits of one value of up to 16 bytes: a number of the
// value's width in the first word, or the two halves of 16 bytes as they follow
// each other in memory.
type element struct{ lo, hi uint64 }

// elementOf returns the bits of v. Loading them as one number of v's width, and
// not as part of a wider one, lets the processor forward v from where it was
// just stored.
func elementOf[V any](v V) element {
	p := unsafe.Pointer(&v)
	switch unsafe.Sizeof(v) {
	case 1:
		return element{lo: uint64(*(*uint8)(p))}
	case 2:
		return element{lo: uint64(*(*uint16)(p))}
	case 4:
		return element{lo: uint64(*(*uint32)(p))}
	case 8:
		return element{lo: *(*uint64)(p)}
	}
	return *(*element)(p)
}

// elementFrom returns the bits of a value whose bytes are b.
func elementFrom(b []byte) element {
	order := binary.NativeEndian
	switch len(b) {
	case 1:
		return element{lo: uint64(b[0])}
	case 2:
		return element{lo: uint64(order.Uint16(b))}
	case 4:
		return element{lo: uint64(order.Uint32(b))}
	case 8:
		return element{lo: order.Uint64(b)}
	}
	return element{order.Uint64(b), order.Uint64(b[8:])}
}

// valueOf returns the value with those bits.
func valueOf[E any](e element) E {
	p := unsafe.Pointer(&e)
	switch unsafe.Sizeof(*new(E)) {
	case 1:
		b := uint8(e.lo)
		p = unsafe.Pointer(&b)
	case 2:
		b := uint16(e.lo)
		p = unsafe.Pointer(&b)
	case 4:
		b := uint32(e.lo)
		p = unsafe.Pointer(&b)
	}
	return *(*E)(p)
}

// wrap is what a negative class is moved by.
func (n Negative) wrap(depth int) int {
	if n == Normalize {
		return depth
	}
	return 0
}

// isString reports whether V is a string type. The sizes settle it at compile
// time for all but the one width that strings share with numbers, if it is
// inlined, for which kindOf is a function of its own.
func isString[V any]() bool {
	return unsafe.Sizeof(*new(V)) == unsafe.Sizeof("") && kindOf[V]() == reflect.String
}

func kindOf[V any]() reflect.Kind { return reflect.TypeFor[V]().Kind() }
