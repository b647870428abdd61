package onehot

import (
	"encoding/binary"
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// A job is a checked call with its types erased: it has a width and bit
// patterns for the value type, and an IndexType for the index type. Strings
// hold pointers, so that only typed Go code may write them: a job has its
// values as strings. Update keeps its types even with kernels, which only find
// what changed: testing the type at each such index would double its cost.
type job struct {
	layout
	width int
	bytes int // of the whole output, also in a part of the job
	wrap  int
	values
	hasMiss  bool // the cells of a miss are miss, not off
	isString bool

	dst     unsafe.Pointer // cell (0, 0, 0); Decode reads its source there
	in      input
	strings *[3]string // on, off and miss, if they are strings
}

// prepare checks an encoding, whose input is called name, and sets all of j but
// its pointers. These are for the caller to set: stored here, behind a pointer,
// they would escape.
func prepare[V Value](j *job, s *Spec[V], dst span, name string, in span) error {
	if err := s.layout(&j.layout, in.len); err != nil {
		return err
	}
	if err := checkBuffers(dst, j.need, name, in); err != nil {
		return err
	}
	setValues(j, s)
	return nil
}

// setValues sets what a job has of a Spec besides the layout, which must be
// set. It leaves the bits of strings unset.
func setValues[V Value](j *job, s *Spec[V]) {
	j.width, j.wrap, j.hasMiss = int(unsafe.Sizeof(s.On)), s.Negative.wrap(s.Depth), s.Miss != nil
	j.bytes = j.need * j.width
	if j.isString = isString[V](); j.isString {
		return
	}
	j.on, j.off, j.miss = elementOf(s.On), elementOf(s.Off), s.missBits()
}

// setPlainRows sets all of a job of rows that touch but its pointers.
func setPlainRows[V Value](j *job, s *Spec[V], rows, depth int) {
	j.setPlain(rows, depth, 1)
	setValues(j, s)
}

// missBits returns the bits of Miss, or none if there is no Miss.
func (s *Spec[V]) missBits() (e element) {
	if s.Miss != nil {
		e = elementOf(*s.Miss)
	}
	return e
}

// blocksOf returns the job of the blocks in [from, to).
func (j *job) blocksOf(from, to int) job {
	return j.cut(from*j.stride, from*j.indexStride, j.part(to-from, j.inner))
}

// columns returns the job of the columns in [from, to) of every block.
func (j *job) columns(from, to int) job {
	return j.cut(from, from, j.part(j.outer, to-from))
}

// cut returns the job of a part that starts at the given cell and index.
func (j *job) cut(cell, index int, part layout) job {
	c := *j
	c.dst = unsafe.Add(j.dst, cell*j.width)
	c.in = j.in.from(index)
	c.layout = part
	return c
}

// run writes the output and returns the misses.
func (j *job) run() (misses int) {
	if j.depth == 0 { // there are no cells, so that no index has a class
		return j.outer * j.inner
	}
	if j.depth == 1 && j.plane == 1 && j.stride == 1 && j.outer > 1 {
		j.outer, j.inner, j.plane, j.indexStride = 1, j.outer, j.outer, j.outer // rows of one cell are the columns of one plane
	}
	p := plan.Encode(plan.Here(), j.shape())
	if p.Strategy == plan.Scatter {
		return j.direct(&p)
	}
	j.prefetches(&p)
	return j.blocks(&p)
}

// prefetches sets whether kernels prefetch the output, whose lines a streamed
// plan does not write to by ordinary stores.
func (j *job) prefetches(p *plan.Plan) { j.ahead = !p.Stream && plan.PrefetchesCells(j.bytes) }

// shape returns what the plan knows of a job.
func (j *job) shape() *plan.Shape {
	return &plan.Shape{
		Outer: j.outer, Depth: j.depth, Inner: j.inner, Plane: j.plane, Stride: j.stride, Width: j.width,
		Whole: j.bytes, Zero: j.off == element{}, Miss: j.hasMiss, String: j.isString, Text: j.in.typ == textIndex,
		Start: int(uintptr(j.dst) % lineBytes),
	}
}

// An element is the bits of one value of up to 16 bytes: lo is a number of the
// value's width, or lo and hi are the halves of 16 bytes in memory order.
type element struct{ lo, hi uint64 }

// elementOf returns the bits of v. Loading them as one number of v's width, and
// not as part of a wider one, lets the processor forward a v just stored.
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

// valueOf returns the value whose bits are e, which has no others. Where e
// repeats, its first bytes are the value in either byte order.
func valueOf[E any](e element) E {
	e = e.repeated(int(unsafe.Sizeof(*new(E))))
	return *(*E)(unsafe.Pointer(&e))
}

// nth returns the address of element i of those that start at first. It checks
// no bounds.
func nth[E any](first unsafe.Pointer, i int) *E {
	return (*E)(unsafe.Add(first, i*int(unsafe.Sizeof(*new(E)))))
}

// wrap returns the number that is added to a negative class.
func (n Negative) wrap(depth int) int {
	if n == Normalize {
		return depth
	}
	return 0
}

// isString reports whether V is a string type. Inlined, it is settled by the
// sizes at compile time, except for the one width that strings share with
// numbers. It can be inlined because kindOf is a function of its own.
func isString[V any]() bool {
	return unsafe.Sizeof(*new(V)) == unsafe.Sizeof("") && kindOf[V]() == reflect.String
}

func kindOf[V any]() reflect.Kind { return reflect.TypeFor[V]().Kind() }
