// Package onnx is ONNX's OneHot operator on tensors, as opset 9 specifies it,
// and opset 11, the latest that changes it.
//
// The output has one dimension more than indices, of length depth, at axis; it
// holds on where the index along the new axis is the element of indices, and
// off elsewhere. The values are copied bit for bit.
//
// Types, as in the texts:
//
//   - indices: (u)int8 to (u)int64, int, uint, float32, float64,
//     [tensor.Float16], [tensor.BFloat16] and other packages' half types; any
//     shape, rank 0 included. Floats are cast to int64, which truncates toward
//     zero; NaN, the infinities and what int64 does not hold select nothing.
//   - depth: one element of the same types, of rank 0 or shape [1], cast to
//     int64 likewise: 2.7 is 2. It is 1 or more.
//   - values: [off, on], two elements of any element type that a
//     [tensor.Tensor] may have.
//
// How many indices select nothing is not returned: [onehot.Encode] and
// [onehot.EncodeRaw] count them.
//
// Errors name what was passed and wrap one of these, to be told apart by
// [errors.Is]: [tensor.ErrType], [tensor.ErrShape], [tensor.ErrAxis],
// [onehot.ErrDepth], [onehot.ErrTooLarge] and, from the Into forms,
// [onehot.ErrOverlap].
package onnx

import (
	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator"
	"github.com/go-onehot/onehot/tensor"
)

// DefaultAxis is the axis of a node that has no axis attribute: the new
// dimension is the last one.
const DefaultAxis = -1

var (
	oneHot9  = operator.Operator{Name: "onnx: OneHot-9", Negative: onehot.Ignore}
	oneHot11 = operator.Operator{Name: "onnx: OneHot-11", Negative: onehot.Normalize}
)

// OneHot9 is OneHot of opset 9. An index outside [0, depth-1] selects nothing:
// its elements are all off.
//
// With indices of shape [d0, …, dr-1] the result has the r+1 dimensions that
// [Shape] says, and values' element type. axis is in [-r-1, r]; a negative one
// counts from the back of the result, see [DefaultAxis]. The result shares no
// memory with the inputs.
//
// Errors: [tensor.ErrType] for indices or depth that are no numbers or Data
// that is no slice of a legal type; [tensor.ErrShape] for a Shape that does not
// fit its Data, depth of more than one element, values not of shape [2];
// [tensor.ErrAxis]; [onehot.ErrDepth] for a depth below 1 or beyond int64;
// [onehot.ErrTooLarge] for a result of more elements or bytes than an int
// counts or the address space has, before anything is allocated. One that fits
// the address space but not the memory ends the program, as it does for make.
//
// The cost is that of allocating the result and of writing it once, on the
// calling goroutine. Indices of other packages' half types are converted into
// new float32s first, and those of every half type if the values are strings.
func OneHot9(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	return run(&oneHot9, indices, depth, values, axis)
}

// OneHot11 is OneHot of opset 11. An index in [-depth, -1] counts from the end,
// as if depth were added to it; one outside [-depth, depth-1] selects nothing:
// its elements are all off.
//
// Shapes, errors and cost are those of [OneHot9].
func OneHot11(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	return run(&oneHot11, indices, depth, values, axis)
}

// OneHot9Into is [OneHot9] that writes to dst, which has the result's shape and
// the element type of values. It allocates nothing, except for the half types
// that OneHot9 converts.
//
// Errors: those of [OneHot9] for the inputs; [tensor.ErrType] and
// [tensor.ErrShape] for dst; [onehot.ErrOverlap] if dst shares memory with
// indices or depth. It may share memory with values: they are read first. With
// an error, nothing has been written.
//
//go:noinline
func OneHot9Into(dst, indices, depth, values tensor.Tensor, axis int) error {
	if on, off, ok := operator.Pair32(&values); ok && oneHot9.Short32(&dst, &indices, &depth, on, off, axis) {
		return nil
	}
	return runInto(&oneHot9, &dst, &indices, &depth, &values, axis)
}

// OneHot11Into is [OneHot11] that writes to dst, which has the result's shape
// and the element type of values. Its errors and allocations are those of
// [OneHot9Into].
//
//go:noinline
func OneHot11Into(dst, indices, depth, values tensor.Tensor, axis int) error {
	if on, off, ok := operator.Pair32(&values); ok && oneHot11.Short32(&dst, &indices, &depth, on, off, axis) {
		return nil
	}
	return runInto(&oneHot11, &dst, &indices, &depth, &values, axis)
}

// Shape infers the shape of the result, the same for opset 9 and 11: that of
// indices, with depth put in at axis. It returns a new slice and touches no
// data.
//
// Errors: [tensor.ErrShape] for a negative dimension, [onehot.ErrDepth] for a
// depth below 1, [tensor.ErrAxis] for an axis outside [-r-1, r],
// [onehot.ErrTooLarge] for a number of elements that overflows int. A dimension
// of zero makes that number 0, even if the others alone overflow.
func Shape(indices []int, depth, axis int) ([]int, error) {
	return operator.Shape("onnx: Shape", indices, depth, axis)
}

func run(o *operator.Operator, indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	v, err := o.Pair(values)
	if err != nil {
		return tensor.Tensor{}, err
	}
	return o.OneHot(indices, depth, v, axis)
}

func runInto(o *operator.Operator, dst, indices, depth, values *tensor.Tensor, axis int) error {
	if o.ShortPair(dst, indices, depth, values, axis) {
		return nil
	}
	v, err := o.Pair(*values)
	if err != nil {
		return err
	}
	return o.OneHotInto(*dst, *indices, *depth, v, axis)
}
