package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// Decode is the strict inverse of [Encode] along the same axis: dst, of shape
// [Outer, Inner], gets the class of each row of src, of shape [Outer, Depth,
// Inner]. A row with exactly one On and the rest Off gives its class; every
// other row, one of Miss among them, gives all bits set, which is -1 in a
// signed type, and counts as invalid. Values are compared by their bits, so
// that a NaN is found and -0.0 is not 0.0; strings by content.
//
// len(dst) sets the number of rows; src needs (Outer-1)*Stride +
// (Depth-1)*Plane + Inner elements and its gaps are not read. s.Negative makes
// no difference but must be known. With Depth 0 every row is invalid, and so it
// is with Depth 1 and a Miss of the bits of On, which says nothing.
//
// Errors are those of Encode, with src in the place of dst for [ErrShort]; a
// Depth whose last class is beyond the type of dst is [ErrDepth]: an unsigned
// one of b bits takes 2^b-1 at most, since all bits set is no class. Equal On
// and Off are [ErrValue].
//
// It reads src once and allocates nothing.
func Decode[I Code, V Value](dst []I, src []V, s Spec[V]) (invalid int, err error) {
	if invalid, done := decodeSmall(dst, src, &s); done {
		return invalid, nil
	}
	var j job
	if err := checkDecode(&j.layout, dst, src, &s); err != nil {
		return 0, err
	}
	switch {
	case j.depth == 1 && s.Miss != nil && sameBits(*s.Miss, s.On): // no row says anything
		for i := range dst {
			dst[i] = ^I(0)
		}
		return len(dst), nil
	case isString[V]():
		return decodeCells(dst, src, s.On, s.Off, &j.layout), nil
	}
	j.dst, j.width = spanOf(src).ptr, int(unsafe.Sizeof(s.On))
	set(&j.values, &s)
	switch plan.Decode(plan.Here(), j.shape()).Strategy {
	case plan.Marks:
		return decodeMarks(dst, &j), nil
	case plan.Planes:
		return decodePlanes(dst, &j), nil
	}
	return decodeBits(dst, &j), nil
}

// sameBits reports whether two values are the same: strings by content.
func sameBits[V Value](a, b V) bool {
	if isString[V]() {
		return a == b
	}
	return elementOf(a) == elementOf(b)
}

// decodeBits decodes cells, whose type is erased, as the bytes that they are.
func decodeBits[C Code](dst []C, j *job) (invalid int) {
	switch j.width {
	case 1:
		return decodeAs[[1]byte](dst, j)
	case 2:
		return decodeAs[[2]byte](dst, j)
	case 4:
		return decodeAs[[4]byte](dst, j)
	case 8:
		return decodeAs[[8]byte](dst, j)
	}
	return decodeAs[[16]byte](dst, j)
}

func decodeAs[E comparable, C Code](dst []C, j *job) (invalid int) {
	return decodeCells(dst, unsafe.Slice((*E)(j.dst), j.need), valueOf[E](j.on), valueOf[E](j.off), &j.layout)
}

// decodeCells is decodeGeneric, plane by plane where the cells of a row lie
// apart.
func decodeCells[C Code, E comparable](dst []C, src []E, on, off E, l *layout) (invalid int) {
	if l.plane == 1 {
		return decodeGeneric(dst, src, on, off, l)
	}
	for o := range l.outer {
		invalid += decodeColumns(dst[o*l.indexStride:][:l.inner], src[o*l.stride:], on, off, l.depth, l.plane)
	}
	return invalid
}

// decodeColumns writes the classes of columns, plane by plane, of a few columns
// at a time.
func decodeColumns[I Code, E comparable](classes []I, block []E, on, off E, depth, plane int) (invalid int) {
	const none, bad = -1, -2 // no On so far; more than one, or a foreign value
	var found [256]int
	for first := 0; first < len(classes); first += len(found) {
		part := classes[first:min(first+len(found), len(classes))]
		for i := range part {
			found[i] = none
		}
		for d := range depth {
			for i, v := range block[d*plane+first:][:len(part)] {
				switch {
				case v == off:
				case v == on && found[i] == none:
					found[i] = d
				default:
					found[i] = bad
				}
			}
		}
		for i, d := range found[:len(part)] {
			part[i] = I(d)
			if d < 0 {
				part[i] = ^I(0)
				invalid++
			}
		}
	}
	return invalid
}
