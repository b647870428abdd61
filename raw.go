package onehot

import (
	"encoding/binary"
	"unsafe"
)

// IndexType names an index type at run time. The zero IndexType is invalid.
type IndexType uint8

// The index types of the operators. Float16 is IEEE 754 binary16, BFloat16 is
// the upper half of a float32.
const (
	Int8 IndexType = iota + 1
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	BFloat16
	Float32
	Float64
)

// indexSizes has the number of bytes of an index, by IndexType.
var indexSizes = [...]int{
	Int8: 1, Int16: 2, Int32: 4, Int64: 8,
	Uint8: 1, Uint16: 2, Uint32: 4, Uint64: 8,
	Float16: 2, BFloat16: 2, Float32: 4, Float64: 8,
}

// RawSpec describes an encoding whose types are known only at run time.
type RawSpec struct {
	// Index is the type of the indices.
	Index IndexType
	// Width is the number of bytes of an element: 1, 2, 4, 8 or 16.
	Width int
	// On and Off are the two values, Width bytes each, in the byte order of the
	// machine. They may lie inside dst: they are read before dst is written.
	On, Off []byte
	// Depth, Inner and Stride are those of a Spec, in elements. An Inner of 0 means
	// 1, a Stride of 0 blocks without gaps.
	Depth, Inner, Stride int
	// Negative says what a negative class means.
	Negative Negative
	// Miss is the value of the cells of a miss, Width bytes like On; nil means Off.
	Miss []byte
	// Plane is that of a Spec, in elements; 0 means Inner.
	Plane int
}

// EncodeRaw is [Encode] on bytes, for callers whose types are known only at run
// time: Arrow buffers, the raw_data of an ONNX tensor, mapped files. dst and
// indices are in the byte order of the machine and may start at any address.
// The shapes are those of Encode: dst counts in elements of s.Width bytes,
// indices in indices of type s.Index. Bytes of dst that make no whole element
// are left alone. EncodeRaw follows ONNX OneHot-9 and OneHot-11 and OpenVINO
// OneHot-1 and OneHot-16 for all types but strings.
//
// The null slots of an Arrow buffer hold any bits, which may be a valid class.
// Call [Recode] first to make them misses.
//
// Errors are those of Encode. [ErrShape] also reports a length of indices that
// is not a multiple of the index size; [ErrValue] also reports an unknown Index
// or Width, and an On, Off or Miss whose length is not Width.
//
// EncodeRaw costs about what Encode costs. It allocates nothing.
func EncodeRaw(dst, indices []byte, s RawSpec) (misses int, err error) {
	if s.Stride|s.Plane != 0 || s.Miss != nil || len(s.On) != s.Width || len(s.Off) != s.Width ||
		!aligned(dst, s.Width) {
		return s.encode(dst, indices)
	}
	order := binary.NativeEndian
	// The most common pair of types, float32 from int64, skips encodeAs, because
	// with few rows its call would show.
	if s.Width == 4 && s.Index == Int64 && aligned(indices, 8) && order.Uint32(s.Off) == 0 {
		return Encode(elementsOf[uint32](dst), elementsOf[int64](indices), Spec[uint32]{Depth: s.Depth, Inner: s.Inner, On: order.Uint32(s.On), Negative: s.Negative})
	}
	switch s.Width {
	case 4:
		return encodeAs(dst, indices, &s, order.Uint32(s.On), order.Uint32(s.Off))
	case 8:
		return encodeAs(dst, indices, &s, order.Uint64(s.On), order.Uint64(s.Off))
	case 1:
		return encodeAs(dst, indices, &s, s.On[0], s.Off[0])
	}
	return s.encode(dst, indices)
}

// encodeAs is EncodeRaw without gaps and without a Miss: it hands the most
// common types to Encode. Its Specs are literals of four fields, which the
// compiler need not copy: with few rows a copy would show. Hence Off is left
// out where it is zero, and planes whose Off is not take the general route.
func encodeAs[V uint8 | uint32 | uint64](dst, indices []byte, s *RawSpec, on, off V) (misses int, err error) {
	cells, depth, inner, negative, zero := elementsOf[V](dst), s.Depth, s.Inner, s.Negative, off == 0
	switch {
	case !zero && uint(inner) > 1: // planes, or an invalid Inner
	case s.Index == Int64 && aligned(indices, 8):
		if zero {
			return Encode(cells, elementsOf[int64](indices), Spec[V]{Depth: depth, Inner: inner, On: on, Negative: negative})
		}
		return Encode(cells, elementsOf[int64](indices), Spec[V]{Depth: depth, On: on, Off: off, Negative: negative})
	case s.Index == Int32 && aligned(indices, 4):
		if zero {
			return Encode(cells, elementsOf[int32](indices), Spec[V]{Depth: depth, Inner: inner, On: on, Negative: negative})
		}
		return Encode(cells, elementsOf[int32](indices), Spec[V]{Depth: depth, On: on, Off: off, Negative: negative})
	case s.Index == Uint8:
		if zero {
			return Encode(cells, indices, Spec[V]{Depth: depth, Inner: inner, On: on, Negative: negative})
		}
		return Encode(cells, indices, Spec[V]{Depth: depth, On: on, Off: off, Negative: negative})
	}
	return s.encode(dst, indices)
}

// encode checks a call of EncodeRaw and tries the small route before the
// general.
func (s *RawSpec) encode(dst, indices []byte) (misses int, err error) {
	if err := s.check(len(indices)); err != nil {
		return 0, err
	}
	s.tighten(len(indices) / indexSizes[s.Index])
	if misses, done := s.small(dst, indices); done {
		return misses, nil
	}
	j, err := s.job(dst, indices)
	if err != nil {
		return 0, err
	}
	return j.run(), nil
}

// aligned reports whether b can be elements of size bytes, a power of two.
func aligned(b []byte, size int) bool {
	return (uintptr(unsafe.Pointer(unsafe.SliceData(b)))|uintptr(len(b)))&uintptr(size-1) == 0
}

// elementsOf returns aligned bytes as elements of type E.
func elementsOf[E any](b []byte) []E {
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(E))))
}

// EncodeRawParallel is [EncodeRaw] on up to workers goroutines. As in
// [EncodeParallel], workers <= 0 means GOMAXPROCS, and the output, the misses
// and the errors are those of EncodeRaw.
func EncodeRawParallel(dst, indices []byte, s RawSpec, workers int) (misses int, err error) {
	if err := s.check(len(indices)); err != nil {
		return 0, err
	}
	j, err := s.job(dst, indices)
	if err != nil {
		return 0, err
	}
	return j.runParallel(workers), nil
}

// job returns the job of a raw encoding that check has accepted. It checks the
// layout and the buffers.
func (s *RawSpec) job(dst, indices []byte) (j job, err error) {
	out := span{unsafe.Pointer(unsafe.SliceData(dst)), len(dst) / s.Width, s.Width}
	j = job{
		width: s.Width, values: values{on: elementFrom(s.On), off: elementFrom(s.Off)}, wrap: s.Negative.wrap(s.Depth), dst: out.ptr,
		in: input{unsafe.Pointer(unsafe.SliceData(indices)), len(indices) / indexSizes[s.Index], s.Index, nil},
	}
	if s.Miss != nil {
		j.miss, j.hasMiss = elementFrom(s.Miss), true
	}
	if err := j.layout.setPlanes(j.in.len, s.Depth, s.Inner, s.Plane, s.Stride, s.Width, s.Negative); err != nil {
		return job{}, err
	}
	j.bytes = j.need * j.width
	return j, checkBuffers(out, j.need, "indices", spanOf(indices))
}
