// Package tensor describes tensors whose type and shape are known only at run
// time, for packages onnx and openvino.
//
// A [Tensor] is a shape and a Go slice, so a runtime passes the memory that it
// has: nothing is copied into a type of this package, and a result comes back
// as an ordinary slice.
package tensor

import (
	"errors"

	"github.com/go-onehot/onehot/internal/half"
)

// Tensor is a row-major, densely packed tensor.
//
// Shape holds the dimensions, none of them negative; nil and an empty Shape
// mean rank 0, a scalar of one element. A dimension of zero makes a tensor
// without elements, whatever the other dimensions are.
//
// Data is a slice of exactly as many elements as Shape says. The element type
// is bool, string, a numeric type other than uintptr, or a named type of such a
// kind: []float32, []int64, []int, []bool, []string, []complex64, []Float16,
// []BFloat16, …
//
// An element type of kind uint16 or uint8 with a method Float32() float32,
// which has a value receiver and must not panic, is a float stored in the bits
// of an integer, as are [Float16], [BFloat16], and the half and float8 types of
// other packages. Where a number is needed, it is the result of the method;
// where a value is only copied, it is its bits.
type Tensor struct {
	Shape []int
	Data  any
}

// Of returns the tensor of that shape over data, which is not copied. Of checks
// nothing: the operator that takes the tensor does.
func Of(shape []int, data any) Tensor {
	return Tensor{Shape: shape, Data: data}
}

// Scalar returns a tensor of rank 0 with the one element v, in memory of its
// own.
func Scalar[T any](v T) Tensor {
	return Tensor{Data: []T{v}}
}

// Errors of the operators on tensors, for [errors.Is].
var (
	// ErrType reports Data that is nil or no slice, or whose type the operator does
	// not take there: bool indices, or an on and an off of two types.
	ErrType = errors.New("tensor: bad element type")
	// ErrShape reports a wrong rank or dimension, or a Shape that does not fit its
	// Data.
	ErrShape = errors.New("tensor: bad shape")
	// ErrAxis reports an axis that is out of range.
	ErrAxis = errors.New("tensor: bad axis")
)

// Float16 is the bits of an IEEE 754 binary16 number: 1 sign, 5 exponent, 10
// fraction.
type Float16 uint16

// Float32 returns f as a float32, which has the same value; a NaN keeps its
// sign and payload.
func (f Float16) Float32() float32 { return half.Float16(uint16(f)) }

// BFloat16 is the bits of a bfloat16 number, which are the upper half of a
// float32.
type BFloat16 uint16

// Float32 returns f as a float32, which has the same value and, even for a NaN,
// the same leading bits.
func (f BFloat16) Float32() float32 { return half.BFloat16(uint16(f)) }
