// Package onehot writes one-hot tensors into memory that the caller owns. It
// implements the OneHot operator of ONNX (opsets 9 and 11) and of OpenVINO
// (OneHot-1 and OneHot-16), and the encodings that programs build from it.
//
// One definition underlies every call:
//
//	out[o, d, i] = On  if class(indices[o, i]) == d   else Off      o < Outer, d < Depth, i < Inner
//
// An element of the output is a cell, and the cells of one o are a block. The
// new axis, of length Depth, stands between Outer, the product of the
// dimensions before it, and Inner, the product of the dimensions after it. With
// Inner = 1 it is the last axis and every index becomes a row; with
// Inner = len(indices) it is the first axis and every class becomes a plane.
//
// The class of an integer index is the index itself; the class of a float is
// the float truncated toward zero. A class in [0, Depth) sets its cell to On. A
// negative class has no cell under [Ignore], as in ONNX OneHot-9; under
// [Normalize] it counts from the end, as in ONNX OneHot-11. An index that sets
// no cell, because it has no class, like NaN, or a class that has no cell, is a
// miss. The Depth cells of a miss are all Off, or all Miss if the
// Spec has one, and the call counts the miss.
//
// Indices are plain numbers. The slot of a null in an Arrow array, or of a
// masked element, still holds a number, often 0, and 0 is a class. [Recode]
// turns nulls into misses, and turns codes that count from 1, or that differ
// from file to file, into classes.
//
// Slices are read in memory order: a tensor that another library has transposed
// without moving its data must be made contiguous first.
//
// Values are bits. On and Off reach the output exactly, NaN payloads and
// negative zeros included, because they are copied as bits and never used as
// numbers.
//
// No call panics on its arguments. An invalid call returns an error that wraps
// one of the sentinel errors below and names the numbers, and it has written
// nothing. Among valid calls, only [AppendEncode], [NewAlphabet] and the
// parallel forms allocate.
//
// [Encode] is the operator itself; [AppendEncode], [EncodeParallel] and
// [EncodeRaw] are its other forms. [Update] writes only the cells that change,
// [EncodeColumns] encodes a table of columns, [MultiHot] encodes sets,
// [EncodeText] encodes bytes through an alphabet, and [EncodeBits] writes one
// bit per cell. [Decode] is the inverse of Encode, [ExpandBits] turns bits into
// cells, and [Recode] prepares indices. The packages onnx and openvino take
// tensors. Calls may run concurrently as long as no two of them share memory
// that one of them writes.
package onehot

import (
	"errors"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// The kinds of invalid call. Every error of this package wraps one of them and
// names the numbers; test for them with [errors.Is]. A call that returns an
// error has written nothing.
var (
	// ErrDepth reports a depth that is negative or too large for the type of
	// Decode's dst.
	ErrDepth = errors.New("onehot: bad depth")
	// ErrShape reports a negative Inner, Plane, Stride, Offset or n; a Stride
	// shorter than a block, if there are several blocks; a Plane shorter than
	// Inner; an Inner or Plane that the call does not support; a k below 1; a
	// length that is not the multiple that the call requires; or lengths that
	// should match but do not.
	ErrShape = errors.New("onehot: bad shape")
	// ErrShort reports an output, an input of Decode or a Bitmap that is too short.
	ErrShort = errors.New("onehot: slice too short")
	// ErrOverlap reports an output that shares memory with an input. The output is
	// the span that the call needs, gaps included. The values of a Spec may lie in
	// it: these are read before anything is written.
	ErrOverlap = errors.New("onehot: output overlaps input")
	// ErrTooLarge reports more elements or bytes than an int can count or an
	// address space can hold.
	ErrTooLarge = errors.New("onehot: too large")
	// ErrValue reports an unknown Negative, IndexType or Width; an On, Off or Miss
	// of the wrong length; On equal to Off where they must differ; or a Miss in a
	// call whose misses have no cells of their own.
	ErrValue = errors.New("onehot: bad value")
	// ErrAlphabet reports a nil or empty alphabet, duplicate symbols, too many
	// symbols, or an impossible alias.
	ErrAlphabet = errors.New("onehot: bad alphabet")
)

// Value is the set of types that output elements can have: numbers, bools and
// strings. All of them but strings are handled as bits, so that types of the
// same width cost the same.
type Value interface {
	Number | ~bool | ~string
}

// Number is the set of element types that have a 1: all but bools and strings.
type Number interface {
	Index | ~complex64 | ~complex128
}

// Index is the set of types that can name a class: integers and floats. A float
// is truncated toward zero. NaN, the infinities and floats that an int64 cannot
// hold have no class, and neither does a uint64 of 2^63 or more. A type for
// half-precision floats whose kind is uint16 is read as uint16 here:
// [EncodeRaw] and the packages onnx and openvino read half-precision floats.
type Index interface {
	Code | ~float32 | ~float64
}

// Code is the set of integer types in which [Decode] and [Recode] write
// classes. A code with all bits set, which is -1 in a signed type and 255 in a
// uint8, means that there is no class. A call that reads codes as indices must
// do so under [Ignore]: under [Normalize] -1 is the last class.
type Code interface {
	Signed | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Signed is the set of signed integer types, in which -1 means that there is no
// class. Like [Code] it is a constraint, for use in callers' own functions.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Negative says what a negative class means.
type Negative uint8

const (
	// Ignore makes every negative class a miss, as ONNX OneHot-9 and OpenVINO's
	// ignore-negative mode do.
	Ignore Negative = iota
	// Normalize counts classes in [-Depth, -1] from the end and makes lower ones a
	// miss, as ONNX OneHot-11 and OpenVINO's normalize mode do.
	Normalize
)

// Spec describes an encoding. Depth and On should be set, as [Rows] and
// [Planes] do; the zero values of the other fields are the common case. If On
// is left unset, and Off and Miss are, too, a numeric output is all zeros.
type Spec[V Value] struct {
	// Depth is the number of classes, the length of the new axis. With Depth 0
	// nothing is written, dst keeps its contents, and every index is a miss. But
	// EncodeText takes 0 to mean the alphabet's length, and EncodeColumns the sum
	// of depths.
	Depth int
	// On is written to the cell of the class, Off to every other cell.
	On, Off V
	// Inner is the number of elements after the new axis, the product of the
	// dimensions after it; 0 means 1.
	Inner int
	// Stride is the number of elements from the start of one outer block to the
	// start of the next; 0 means Depth*Plane, which is Depth*Inner unless Plane is
	// set. Elements between two blocks are neither read nor written. With a single
	// block Stride has no effect.
	Stride int
	// Negative says what a negative class means.
	Negative Negative
	// Miss is the value of all Depth cells of a miss, such as 0.25 for an unknown
	// base of DNA; nil means Off. In EncodeColumns these are the cells of the
	// index's own column. The value is read before anything is written, and is
	// copied by its bits. A Miss of strings escapes to the heap.
	Miss *V
	// Plane is the number of elements from the start of one plane of Inner elements
	// to the start of the next in the same outer block; 0 means Inner. Elements
	// between two planes are neither read nor written. With Depth 1 Plane matters
	// only to the default of Stride, and may be shorter than Inner.
	Plane int
}

// Rows returns the usual Spec of rows, with depth classes, On 1 and Off 0: each
// index becomes a row of depth elements. The caller may change the fields; the
// function that receives the Spec checks them.
func Rows[V Number](depth int) Spec[V] {
	return Spec[V]{Depth: depth, On: 1}
}

// Planes returns the usual Spec of planes, with depth classes, On 1 and Off 0:
// each block of inner indices becomes depth planes of inner elements. Labels of
// shape [N, H, W] become [N, depth, H, W] with inner = H*W. The caller may
// change the fields; the function that receives the Spec checks them.
func Planes[V Number](depth, inner int) Spec[V] {
	return Spec[V]{Depth: depth, On: 1, Inner: inner}
}

// Encode writes the one-hot encoding of indices, a row-major [Outer, Inner]
// array, to dst as [Outer, Depth, Inner], and returns the number of misses,
// which are the indices that set no cell. It follows the OneHot operators of
// ONNX (OneHot-9 with [Ignore], OneHot-11 with [Normalize]) and OpenVINO
// (OneHot-1, OneHot-16).
//
// dst needs (Outer-1)*Stride + (Depth-1)*Plane + Inner elements, which is
// len(indices)*Depth without gaps; elements beyond them are left alone. With
// Depth 0 it needs none, nothing is written, and every index is a miss. Errors
// are [ErrDepth], [ErrShape], [ErrShort], [ErrTooLarge], [ErrOverlap] and
// [ErrValue]; on an error misses is 0 and dst is untouched. Without indices dst
// needs no elements either, but a block of more elements or bytes than an int
// can count is still [ErrTooLarge].
//
// Encode costs about what reading the indices and zeroing dst cost. It reads
// the indices once, or a few times if the output is very large. Until it
// returns, cells may hold bytes that are none of the values. It allocates
// nothing.
//
// A null whose slot holds a class is encoded as that class: see [Recode].
func Encode[V Value, I Index](dst []V, indices []I, s Spec[V]) (misses int, err error) {
	n, depth, size := len(indices), s.Depth, int(unsafe.Sizeof(s.On))
	if !s.plain(n, len(dst)) && !s.fewColumns(n, len(dst)) || overlaps(spanOf(dst), n*depth, spanOf(indices)) {
		if misses, done := blocksSmall(dst, indices, &s); done {
			return misses, nil
		}
		in := inputOf(indices)
		return encode(dst, &in, &s)
	}
	// The rest uses these pointers and not the slices. Whatever outlives a call of
	// a kernel is stored to the stack at the start of every Encode, however small.
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(indices))
	if n >= plan.Least {
		way, once := plan.ByLoop, false
		switch {
		case s.Inner == n && s.Miss != nil:
			return missPlanes[V, I](to, from, n, &s), nil
		case isString[V]():
		case s.Inner <= 1:
			way = plan.SmallRows(n, depth, size, s.Miss != nil)
			once = way == plan.AtOnce
		case s.Inner == n:
			way = plan.SmallPlanes(n, n, depth, size, false)
			once = way == plan.AtOnce && fitsAtOnce(n)
		}
		if once { // the most common case
			v, wrap := values{on: elementOf(s.On), off: elementOf(s.Off)}, int(wrapOf[I](s.Negative.wrap(depth)))
			if s.Inner > 1 {
				return planesAtOnce(indexTypeOf[I](), to, from, n, depth, size, wrap, false, &v), nil
			}
			if last := plan.LastRows(tier.Active(), n, depth*size); last > 0 {
				return lastSmall[V, I](to, from, n-last, n, &s), nil
			}
			if s.Miss != nil {
				v.miss = elementOf(*s.Miss)
			}
			return rowsAtOnce(indexTypeOf[I](), to, from, n, depth, size, wrap, s.Miss != nil, &v), nil
		}
		if way != plan.ByLoop {
			return blendSmall[V, I](to, from, n, &s), nil
		}
	}
	miss := copyOf(s.Miss)
	// The rest is the loop that users would write. The one over rows is inline,
	// because a function call would show. No cell needs another bounds check.
	bytes, off := n*depth*size, elementOf(s.Off)
	switch {
	case isString[V]() || off.lo|off.hi != 0 || bytes >= plan.SmallClear:
		fillSmall(unsafe.Slice((*V)(to), n*depth), s.Off, n)
	case plan.ZeroesByStores(bytes):
		zeroSmall(to, bytes)
	case bytes > plan.SmallZero:
		race.Range(to, bytes, true) // neither the kernel nor clear is instrumented
		fillZeroOf(to, bytes)
	default:
		race.Range(to, bytes, true)
		clear(unsafe.Slice((*V)(to), n*depth))
	}
	depth = s.Depth // read again, because keeping it across the fill would take a store
	switch {
	case s.Inner > 1 && s.Inner != n:
		return scatterFew(to, unsafe.Slice((*I)(from), n), s.On, miss, depth, s.Inner, s.Inner, depth*s.Inner, s.Negative.wrap(depth)), nil
	case s.Inner > 1:
		return scatterPlanes(to, unsafe.Slice((*I)(from), n), s.On, miss, depth, n, s.Negative.wrap(depth)), nil
	}
	on, row, limit, i := s.On, 0, limitOf[I](depth), 0
	for {
		for ; i <= n-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(nth[I](from, i)))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			*nth[V](to, row+intOf(w, a)) = on
			row += depth
			*nth[V](to, row+intOf(x, b)) = on
			row += depth
			*nth[V](to, row+intOf(y, c)) = on
			row += depth
			*nth[V](to, row+intOf(z, d)) = on
			row += depth
		}
		for { // one at a time, up to and including the first that is not in [0, depth)
			if i == n {
				return misses, nil
			}
			x := *nth[I](from, i)
			i++
			if a := bitsOf(x); a < limit {
				*nth[V](to, row+intOf(x, a)) = on
				row += depth
				continue
			}
			if class, ok := classOf(x, depth, s.Negative.wrap(depth)); ok {
				*nth[V](to, row+int(class)) = on
			} else if miss != nil {
				return missRest[V, I](to, from, n, i-1, row, &s, miss), nil
			} else {
				misses++
			}
			row += depth
			break
		}
	}
}

// encode serves what the small routes of Encode and EncodeText left: it tries
// two more of these, then takes the general route.
func encode[V Value](dst []V, in *input, s *Spec[V]) (misses int, err error) {
	if s.Plane > 0 {
		if misses, done := paddedSmall(dst, in, s); done {
			return misses, nil
		}
	}
	if misses, done := gapsSmall(dst, in, s); done {
		return misses, nil
	}
	var j job
	if err := prepare(&j, s, spanOf(dst), in.name(), in.span()); err != nil {
		return 0, err
	}
	j.dst, j.in = spanOf(dst).ptr, *in
	// The values keep their type: the compiler then knows that numbers point to
	// nothing that could reach the heap, and leaves a Miss on its caller's stack.
	three := [3]V{s.On, s.Off, s.Off}
	if s.Miss != nil {
		three[2] = *s.Miss // read now, since it may lie in dst
	}
	if isString[V]() {
		j.strings = (*[3]string)(unsafe.Pointer(&three))
	}
	return j.run(), nil
}

// AppendEncode appends the encoding of indices to dst, as [Encode] would write
// it: the whole span of (Outer-1)*Stride + (Depth-1)*Plane + Inner elements,
// with zero values in the gaps that a Stride or a Plane leaves. With Depth 0 it
// appends nothing. It returns the extended slice and the number of misses.
//
// Errors are those of Encode except [ErrShort]; a span beyond the address space
// is [ErrTooLarge]. On an error dst is returned as it was. A span that fits the
// address space but not the memory ends the program, as it does for append.
//
// It costs what Encode costs, and allocates when the capacity of dst is too
// small, as append does.
func AppendEncode[V Value, I Index](dst []V, indices []I, s Spec[V]) (out []V, misses int, err error) {
	n := len(indices)
	s.tighten(n)
	if uint(n) < plan.SmallSide && uint(s.Depth) < plan.SmallSide && n*s.Depth <= cap(dst)-len(dst) && s.Stride|s.Plane == 0 {
		out = dst[:len(dst)+n*s.Depth]
		if misses, err = Encode(out[len(dst):], indices, s); err != nil { // Encode checks Inner, Negative and the overlap
			return dst, 0, err
		}
		return out, misses, nil
	}
	var l layout
	if err := s.layout(&l, n); err != nil {
		return dst, 0, err
	}
	out, err = grow(dst, l.need)
	if err != nil {
		return dst, 0, err
	}
	added := out[len(dst):]
	if err := checkOverlap(spanOf(added), l.need, "indices", spanOf(indices)); err != nil {
		return dst, 0, err
	}
	if l.gaps() {
		s.Miss = copyOf(s.Miss) // it may lie in a gap
		fillGeneric(added, *new(V))
	}
	misses, err = Encode(added, indices, s)
	return out, misses, err
}

// Path returns the name of the path that this process uses, which is its set of
// routines: "avx512", "avx2", "neon" or "generic". All paths write the same
// bytes. The choice is made once, when the process starts:
// GODEBUG=cpu.avx512f=off, cpu.avx2=off and cpu.asimd=off step down, and the
// build tag purego leaves only "generic".
func Path() string {
	return tier.Active().String()
}
