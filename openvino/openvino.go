// Package openvino implements OpenVINO's OneHot operator on tensors, as
// OneHot-1 and OneHot-16 specify it.
//
// The output has one dimension more than indices, of length depth, at axis. It
// holds on where the position along the new axis is the element of indices, and
// off elsewhere. The values are copied bit for bit.
//
//   - indices: any integer type; any shape, rank 0 included.
//   - depth: any integer type, rank 0, positive.
//   - on and off: rank 0, of one element type, any that a [tensor.Tensor] may
//     have.
//   - axis: the position of the new dimension; a negative one counts from the
//     back of the output.
//   - mode: the attribute negative_indices_mode, a [NegativeIndicesMode].
//
// The specifications name int32 and int64 for indices and depth, and one type
// for both; here each may have its own type. Float indices and depths are
// errors.
//
// The number of indices that select nothing is not returned: [onehot.Encode]
// and [onehot.EncodeRaw] count them.
//
// Errors say what was passed and wrap one of these, for [errors.Is]:
// [tensor.ErrType], [tensor.ErrShape], [tensor.ErrAxis], [ErrMode],
// [onehot.ErrDepth], [onehot.ErrTooLarge] and, from the Into forms,
// [onehot.ErrOverlap].
package openvino

import (
	"errors"
	"fmt"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator"
	"github.com/go-onehot/onehot/tensor"
)

// NegativeIndicesMode is the attribute negative_indices_mode: what a negative
// index means. The empty string is the default, [IgnoreNegative].
type NegativeIndicesMode string

const (
	// IgnoreNegative makes a negative index select nothing: its elements are all
	// off. "ignore_negative", as OpenVINO's Python and C++ interfaces spell it,
	// means the same.
	IgnoreNegative NegativeIndicesMode = "ignore-negative"
	// Normalize makes an index in [-depth, -1] count from the end, as if depth
	// were added to it.
	Normalize NegativeIndicesMode = "normalize"
)

// ErrMode reports an unknown [NegativeIndicesMode].
var ErrMode = errors.New("openvino: bad mode")

// OneHot1 is OneHot-1. It takes a mode because the specification of the 2025.4
// release gives OneHot-1 the attribute. Later specifications move the attribute
// to OneHot-16 and leave the meaning of a negative index undefined in OneHot-1.
// For those pass "", with which a negative index selects nothing.
//
// With indices of shape [d0, …, dr-1] the result has the r+1 dimensions that
// [Shape] returns, and the element type of on. axis is in [-r-1, r]. An index
// of depth or more selects nothing: its elements are all off. The result shares
// no memory with the inputs.
//
// Errors: [tensor.ErrType] if indices or depth are not integers, on and off
// have different types, or Data is not a slice of a legal type;
// [tensor.ErrShape] if a Shape does not fit its Data, or depth, on or off is
// not of rank 0; [tensor.ErrAxis]; [ErrMode]; [onehot.ErrDepth] if depth is
// below 1 or beyond int64; [onehot.ErrTooLarge], before anything is allocated,
// if the result has more elements or bytes than an int counts or the address
// space has. A result that fits the address space but not the memory ends the
// program, as it does for make.
//
// The cost is that of allocating the result and of writing it once, on the
// calling goroutine.
func OneHot1(indices, depth, on, off tensor.Tensor, axis int, mode NegativeIndicesMode) (tensor.Tensor, error) {
	return run("openvino: OneHot-1", indices, depth, on, off, axis, mode)
}

// OneHot16 is OneHot-16, in which mode says what a negative index means.
// Shapes, result, errors and cost are those of [OneHot1].
func OneHot16(indices, depth, on, off tensor.Tensor, axis int, mode NegativeIndicesMode) (tensor.Tensor, error) {
	return run("openvino: OneHot-16", indices, depth, on, off, axis, mode)
}

// OneHot1Into is [OneHot1] writing to dst, which has the shape of the result
// and the element type of on. It allocates nothing.
//
// Errors: those of [OneHot1] for the inputs; [tensor.ErrType] and
// [tensor.ErrShape] for dst; [onehot.ErrOverlap] if dst shares memory with
// indices or depth. dst may share memory with on and off, which are read first.
// On an error nothing has been written.
//
//go:noinline
func OneHot1Into(dst, indices, depth, on, off tensor.Tensor, axis int, mode NegativeIndicesMode) error {
	return runInto("openvino: OneHot-1", &dst, &indices, &depth, &on, &off, axis, mode)
}

// OneHot16Into is [OneHot16] writing to dst, which has the shape of the result
// and the element type of on. It allocates nothing. Its errors are those of
// [OneHot1Into].
//
//go:noinline
func OneHot16Into(dst, indices, depth, on, off tensor.Tensor, axis int, mode NegativeIndicesMode) error {
	return runInto("openvino: OneHot-16", &dst, &indices, &depth, &on, &off, axis, mode)
}

// Shape returns the shape of the result: that of indices with depth inserted at
// axis. It returns a new slice and reads no data.
//
// Errors: [tensor.ErrShape] for a negative dimension, [onehot.ErrDepth] for a
// depth below 1, [tensor.ErrAxis] for an axis outside [-r-1, r], and
// [onehot.ErrTooLarge] for a number of elements that overflows int. A dimension
// of zero makes that number 0, even if the others alone overflow.
func Shape(indices []int, depth, axis int) ([]int, error) {
	return operator.Shape("openvino: Shape", indices, depth, axis)
}

func run(name string, indices, depth, on, off tensor.Tensor, axis int, mode NegativeIndicesMode) (tensor.Tensor, error) {
	o, err := operatorOf(name, mode)
	if err != nil {
		return tensor.Tensor{}, err
	}
	v, err := o.Scalars(on, off)
	if err != nil {
		return tensor.Tensor{}, err
	}
	return o.OneHot(indices, depth, v, axis)
}

func runInto(name string, dst, indices, depth, on, off *tensor.Tensor, axis int, mode NegativeIndicesMode) error {
	o, err := operatorOf(name, mode)
	if err != nil {
		return err
	}
	if a, b, ok := operator.Scalars32(on, off); ok && o.Short32(dst, indices, depth, a, b, axis) || o.ShortScalars(dst, indices, depth, on, off, axis) {
		return nil
	}
	v, err := o.Scalars(*on, *off)
	if err != nil {
		return err
	}
	return o.OneHotInto(*dst, *indices, *depth, v, axis)
}

// operatorOf returns the operator of that name for that mode.
func operatorOf(name string, mode NegativeIndicesMode) (operator.Operator, error) {
	o := operator.Operator{Name: name, Integers: true, ScalarDepth: true}
	switch mode {
	case "", IgnoreNegative, "ignore_negative":
		o.Negative = onehot.Ignore
	case Normalize:
		o.Negative = onehot.Normalize
	default:
		return o, fmt.Errorf("%s: %w: negative_indices_mode %q, want %q or %q", name, ErrMode, mode, IgnoreNegative, Normalize)
	}
	return o, nil
}
