package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// Decode is the strict inverse of [Encode] along the same axis: dst, of shape
// [Outer, Inner], gets the class of each row of src, of shape
// [Outer, Depth, Inner]. A row with exactly one On and the rest Off gives its
// class; every other row gives -1 and counts as invalid. Values are compared by
// their bits, so that a NaN is found and -0.0 is not 0.0; strings by content.
//
// len(dst) sets the number of rows; src needs (Outer-1)*Stride + Depth*Inner
// elements and its gaps are not read. s.Negative makes no difference but must be
// known. With Depth 0 every row is invalid.
//
// Errors are those of Encode, with src in the place of dst for [ErrShort]; a
// Depth whose last class is beyond the type of dst is [ErrDepth]; equal On and
// Off are [ErrValue].
//
// It reads src once and allocates nothing.
func Decode[I Code, V Value](dst []I, src []V, s Spec[V]) (invalid int, err error) {
	var l layout
	if err := checkDecode(&l, dst, src, &s); err != nil {
		return 0, err
	}
	if l.depth == 1 && s.Miss != nil && sameBits(*s.Miss, s.On) { // no row says anything
		for i := range dst {
			dst[i] = ^I(0)
		}
		return len(dst), nil
	}
	return decode(dst, src, s.On, s.Off, &l), nil
}

// sameBits reports whether two values are the same: strings by content.
func sameBits[V Value](a, b V) bool {
	if isString[V]() {
		return a == b
	}
	return elementOf(a) == elementOf(b)
}

// decode compares values as the bytes they are, but for strings.
func decode[I Code, V Value](dst []I, src []V, on, off V, l *layout) (invalid int) {
	if isString[V]() {
		return decodeGeneric(dst, src, on, off, l)
	}
	switch unsafe.Sizeof(on) {
	case 1:
		return decodeAs[[1]byte](dst, src, on, off, l)
	case 2:
		return decodeAs[[2]byte](dst, src, on, off, l)
	case 4:
		return decodeAs[[4]byte](dst, src, on, off, l)
	case 8:
		return decodeAs[[8]byte](dst, src, on, off, l)
	}
	return decodeAs[[16]byte](dst, src, on, off, l)
}

func decodeAs[E comparable, I Code, V Value](dst []I, src []V, on, off V, l *layout) (invalid int) {
	cells := unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(src))), len(src))
	lit, dark := valueOf[E](elementOf(on)), valueOf[E](elementOf(off))
	j := job{layout: *l, width: int(unsafe.Sizeof(on))}
	switch plan.Decode(plan.Here(), j.shapeOf(false)).Strategy {
	case plan.Marks:
		return decodeMarks(dst, cells, lit, dark, l)
	case plan.Planes:
		return decodePlanes(dst, cells, lit, dark, l)
	}
	return decodeGeneric(dst, cells, lit, dark, l)
}
