// Package tensor carries type and shape at run time, as the packages onnx and
// openvino need them.
//
// A [Tensor] is a shape and a Go slice, so that a runtime hands over the memory
// that it has: nothing is copied into a type of this package, and a result
// comes back as an ordinary slice.
package tensor

import (
	"errors"

	"github.com/go-onehot/onehot/internal/half"
)

// Tensor is a row-major, densely packed tensor.
//
// Shape holds the dimensions, none of them negative; nil and an empty Shape are
// rank 0, a scalar of one element. A dimension of zero makes a tensor without
// elements, whatever the other dimensions are.
//
// Data is a slice of exactly as many elements as Shape says. The element type
// is bool, string, or a numeric type other than uintptr, or a named type of
// such a kind: []float32, []int64, []int, []bool, []string, []complex64,
// []Float16, []BFloat16, …
//
// An element type of kind uint16 or uint8 that has a method Float32() float32
// is a float kept in an integer's bits: [Float16] and [BFloat16] are, and the
// half and float8 types of other packages. Where a number is needed, the number
// is what the method returns; as a value that is only copied, it is its bits.
type Tensor struct {
	Shape []int
	Data  any
}

// Of returns the tensor of that shape over data, which is not copied. It checks
// nothing: the operator that takes the tensor does.
func Of(shape []int, data any) Tensor {
	return Tensor{Shape: shape, Data: data}
}

// Scalar returns a tensor of rank 0: the one element v, in memory of its own.
func Scalar[T any](v T) Tensor {
	return Tensor{Data: []T{v}}
}

// Sentinels of the operators on tensors, for [errors.Is].
var (
	// ErrType says that Data is not a slice, or not of a type that the operator
	// takes there: bool indices, values of two types, a nil Data.
	ErrType = errors.New("tensor: bad element type")
	// ErrShape says that a tensor has the wrong rank or dimensions, or that its
	// Shape does not fit its Data.
	ErrShape = errors.New("tensor: bad shape")
	// ErrAxis says that an axis is out of range.
	ErrAxis = errors.New("tensor: bad axis")
)

// Float16 is an IEEE 754 binary16 number, kept in its bits: 1 sign, 5 exponent,
// 10 fraction.
type Float16 uint16

// Float32 returns f as a float32. Every Float16 has one of the same value; a
// NaN keeps its sign and payload.
func (f Float16) Float32() float32 { return half.Float16(uint16(f)) }

// BFloat16 is a bfloat16 number, kept in its bits: the upper half of a float32.
type BFloat16 uint16

// Float32 returns f as a float32. Every BFloat16 has one of the same value and,
// NaNs included, of the same leading bits.
func (f BFloat16) Float32() float32 { return half.BFloat16(uint16(f)) }
