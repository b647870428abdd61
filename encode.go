package onehot

import (
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// wrap is what a negative class is moved by.
func (n Negative) wrap(depth int) int {
	if n == Normalize {
		return depth
	}
	return 0
}

// isString reports whether V is a string type. The sizes settle it at compile
// time for all but the one width that strings share with numbers.
func isString[V Value]() bool {
	return unsafe.Sizeof(*new(V)) == unsafe.Sizeof("") && kindOf[V]() == reflect.String
}

func kindOf[V Value]() reflect.Kind {
	return reflect.TypeFor[V]().Kind()
}

// A job is a checked encoding with its types erased: a width and bit patterns
// for the value type, an IndexType for the index type. Strings hold pointers, so
// that only typed Go code may write them: a job has theirs as strings.
type job struct {
	layout
	width int
	bytes int // of the whole output, also in a part of the job
	wrap  int
	values
	hasMiss bool // a miss has cells of its own, and not those of off

	dst                       unsafe.Pointer // cell (0, 0, 0)
	in                        input
	onText, offText, missText *string // of strings only
}

// prepare checks an encoding and sets what a job has of numbers. The pointers
// are for the caller to set: stored from here, behind a pointer, they would
// escape.
func prepare[V Value](j *job, s *Spec[V], dst, in span) error {
	if err := s.layout(&j.layout, in.len); err != nil {
		return err
	}
	if err := checkBuffers(dst, j.need, in); err != nil {
		return err
	}
	j.width = int(unsafe.Sizeof(s.On))
	j.bytes = j.need * j.width
	j.wrap = s.Negative.wrap(s.Depth)
	j.hasMiss = s.Miss != nil
	set(&j.values, s)
	return nil
}

// set sets the bits of values that are no strings.
func set[V Value](v *values, s *Spec[V]) {
	if isString[V]() {
		return
	}
	v.on, v.off = elementOf(s.On), elementOf(s.Off)
	if s.Miss != nil {
		v.miss = elementOf(*s.Miss)
	}
}

// values returns On, Off and Miss, which may lie in dst and is read now. They are
// copied as what they are: of numbers the compiler then knows that nothing they
// point to reaches the heap, and leaves a Miss on its caller's stack.
func (s *Spec[V]) values() [3]V {
	v := [3]V{s.On, s.Off, s.Off}
	if s.Miss != nil {
		v[2] = *s.Miss
	}
	return v
}

// textsOf returns values as strings if they are.
func textsOf[V Value](v *[3]V) (on, off, miss *string) {
	if isString[V]() {
		return (*string)(unsafe.Pointer(&v[0])), (*string)(unsafe.Pointer(&v[1])), (*string)(unsafe.Pointer(&v[2]))
	}
	return nil, nil, nil
}

// blocksOf returns the job of some of the blocks.
func (j *job) blocksOf(from, to int) job {
	return j.cut(from*j.stride, from*j.pitch, j.part(to-from, j.inner))
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
		j.outer, j.inner, j.plane, j.pitch = 1, j.outer, j.outer, j.outer // rows of one cell are the columns of one plane
	}
	p := plan.Encode(plan.Here(), j.shape())
	if p.Strategy == plan.Scatter {
		return j.direct(&p)
	}
	return j.blocks(&p)
}

// shape is what the plan knows of a job.
func (j *job) shape() *plan.Shape { return j.shapeOf(j.onText != nil) }

func (j *job) shapeOf(isString bool) *plan.Shape {
	return &plan.Shape{
		Outer: j.outer, Depth: j.depth, Inner: j.inner, Plane: j.plane, Pitch: j.pitch, Stride: j.stride, Width: j.width,
		Whole: j.bytes, Zero: j.off == element{}, Miss: j.hasMiss, String: isString, Text: j.in.typ == textIndex,
	}
}
