// Package onnx implements ONNX's OneHot operator on tensors, as opset 9 and
// opset 11, the latest to change it, specify it.
//
// The output has one dimension more than indices, of length depth, at axis. It
// holds on where the position along the new axis is the element of indices, and
// off elsewhere. The values are copied bit for bit.
//
// Types, those of the specifications and a few more:
//
//   - indices: (u)int8 to (u)int64, int, uint, float32, float64,
//     [tensor.Float16], [tensor.BFloat16] and other packages' half and float8
//     types; any shape, rank 0 included. Floats are cast to int64, which
//     truncates toward zero; NaN, the infinities and values outside int64
//     select nothing.
//   - depth: one element of the same types, of rank 0 or shape [1], also cast
//     to int64: 2.7 is 2. It is 1 or more.
//   - values: [off, on], two elements of any element type that a
//     [tensor.Tensor] may have.
//
// The number of indices that select nothing is not returned: [onehot.Encode]
// and [onehot.EncodeRaw] count them.
//
// Errors say what was passed and wrap one of these, for [errors.Is]:
// [tensor.ErrType], [tensor.ErrShape], [tensor.ErrAxis], [onehot.ErrDepth],
// [onehot.ErrTooLarge] and, from the Into forms, [onehot.ErrOverlap].
package onnx

import (
	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator"
	"github.com/go-onehot/onehot/tensor"
)

// DefaultAxis is the axis of a node without an axis attribute: the new
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
// [Shape] returns, and the element type of values. axis is in [-r-1, r]; a
// negative one counts from the back of the result, as [DefaultAxis] does. The
// result shares no memory with the inputs.
//
// Errors: [tensor.ErrType] if indices or depth are not numbers, or Data is not
// a slice of a legal type; [tensor.ErrShape] if a Shape does not fit its Data,
// depth has more than one element, or the shape of values is not [2];
// [tensor.ErrAxis]; [onehot.ErrDepth] if depth is below 1 or beyond int64;
// [onehot.ErrTooLarge], before anything is allocated, if the result has more
// elements or bytes than an int counts or the address space has. A result that
// fits the address space but not the memory ends the program, as it does for
// make.
//
// The cost is that of allocating the result and of writing it once, on the
// calling goroutine. Indices of other packages' half and float8 types are first
// converted into new float32s. If the values are strings, so are those of
// [tensor.Float16] and [tensor.BFloat16].
func OneHot9(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	return run(&oneHot9, indices, depth, values, axis)
}

// OneHot11 is OneHot of opset 11. An index in [-depth, -1] counts from the end,
// as if depth were added to it. An index outside [-depth, depth-1] selects
// nothing: its elements are all off.
//
// Shapes, errors and cost are those of [OneHot9].
func OneHot11(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	return run(&oneHot11, indices, depth, values, axis)
}

// OneHot9Into is [OneHot9] writing to dst, which has the shape of the result
// and the element type of values. It allocates nothing, except to convert the
// indices that OneHot9 converts.
//
// Errors: those of [OneHot9] for the inputs; [tensor.ErrType] and
// [tensor.ErrShape] for dst; [onehot.ErrOverlap] if dst shares memory with
// indices or depth. dst may share memory with values, which are read first. On
// an error nothing has been written.
//
//go:noinline
func OneHot9Into(dst, indices, depth, values tensor.Tensor, axis int) error {
	if on, off, ok := operator.Pair32(&values); ok && oneHot9.Short32(&dst, &indices, &depth, on, off, axis) {
		return nil
	}
	return runInto(&oneHot9, &dst, &indices, &depth, &values, axis)
}

// OneHot11Into is [OneHot11] writing to dst, which has the shape of the result
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

// Shape returns the shape of the result, the same for opset 9 and 11: that of
// indices with depth inserted at axis. depth is the element of the depth
// tensor, truncated toward zero. The result is a new slice, and no data is
// read.
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
