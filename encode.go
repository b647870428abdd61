package onehot

import (
	"encoding/binary"
	"reflect"
	"unsafe"
)

// An input is a run of indices whose type has become a number, so that the
// stages behind it are compiled once and not once for each pair of types.
type input struct {
	ptr      unsafe.Pointer
	len      int
	typ      IndexType
	alphabet *Alphabet // only if typ is textIndex
}

// textIndex is the IndexType of bytes that reach their classes through a table.
const textIndex = Float64 + 1

// inputOf erases the type of indices.
func inputOf[I Index](indices []I) input {
	return input{unsafe.Pointer(unsafe.SliceData(indices)), len(indices), indexTypeOf[I](), nil}
}

// indexTypeOf names I. The compiler evaluates it: every type has instances of
// its own.
func indexTypeOf[I Index]() IndexType {
	one, zero := I(1), I(0)
	size := unsafe.Sizeof(zero)
	var first IndexType
	switch {
	case one/2 != 0:
		if size == 4 {
			return Float32
		}
		return Float64
	case zero-1 > zero:
		first = Uint8
	default:
		first = Int8
	}
	switch size {
	case 1:
		return first
	case 2:
		return first + 1
	case 4:
		return first + 2
	}
	return first + 3
}

// size is the number of bytes of an index.
func (in *input) size() int {
	if in.typ == textIndex {
		return 1
	}
	return indexSizes[in.typ]
}

// from returns the input without its first n indices.
func (in input) from(n int) input {
	in.ptr = unsafe.Add(in.ptr, n*in.size())
	in.len -= n
	return in
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

// isString tells whether V is a string type. The sizes settle it at compile
// time for all but the one width that strings share with numbers.
func isString[V Value]() bool {
	return unsafe.Sizeof(*new(V)) == unsafe.Sizeof("") && kindOf[V]() == reflect.String
}

func kindOf[V Value]() reflect.Kind {
	return reflect.TypeFor[V]().Kind()
}

// A job is a checked encoding with its types erased: a width and two bit
// patterns for the value type, an IndexType for the index type. Strings hold
// pointers, so that only typed Go code may write them: a job has theirs as
// strings.
type job struct {
	layout
	width   int
	bytes   int // of the whole output, also in a part of the job
	wrap    int
	on, off element

	dst             unsafe.Pointer // cell (0, 0, 0)
	in              input
	onText, offText *string // of strings only
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
	if !isString[V]() {
		j.on, j.off = elementOf(s.On), elementOf(s.Off)
	}
	return nil
}

// texts returns On and Off if they are strings.
func (s *Spec[V]) texts() (on, off *string) {
	if isString[V]() {
		return (*string)(unsafe.Pointer(&s.On)), (*string)(unsafe.Pointer(&s.Off))
	}
	return nil, nil
}

// blocksOf returns the job of some of the blocks.
func (j *job) blocksOf(from, to int) job {
	return j.cut(from*j.stride, from*j.plane, j.part(to-from, j.inner))
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
		j.outer, j.inner, j.plane = 1, j.outer, j.outer // rows of one cell are the columns of one plane
	}
	var p plan
	p.choose(j)
	if p.strategy == direct {
		return j.direct(&p)
	}
	return j.blocks(&p)
}
