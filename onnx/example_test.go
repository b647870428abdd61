package onnx_test

import (
	"errors"
	"fmt"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// With axis 0 every class is a plane of the shape of indices. A runtime plans
// the output once, and every run writes to it.
func ExampleOneHot11Into() {
	indices := tensor.Of([]int{2, 2}, []uint8{0, 1, 2, 0})
	depth := tensor.Scalar(int32(3))
	values := tensor.Of([]int{2}, []int8{0, 1}) // off, on
	shape, err := onnx.Shape(indices.Shape, 3, 0)
	if err != nil {
		fmt.Println(err)
		return
	}

	y := tensor.Of(shape, make([]int8, 12))
	if err := onnx.OneHot11Into(y, indices, depth, values, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Shape, y.Data)
	// Output: [3 2 2] [1 0 0 1 0 1 0 0 0 0 1 0]
}

func ExampleOneHot9() {
	indices := tensor.Tensor{Shape: []int{3}, Data: []int64{0, 2, -1}}
	depth := tensor.Tensor{Data: []int64{3}}
	values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}} // off, on

	y, err := onnx.OneHot9(indices, depth, values, onnx.DefaultAxis)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Shape, y.Data.([]float32)) // -1 selects nothing
	y, err = onnx.OneHot11(indices, depth, values, onnx.DefaultAxis)
	fmt.Println(y.Shape, y.Data.([]float32), err) // -1 is the last class
	// Output:
	// [3 3] [1 0 0 0 0 1 0 0 0]
	// [3 3] [1 0 0 0 0 1 0 0 1] <nil>
}

func ExampleOneHot11() {
	indices := tensor.Tensor{Shape: []int{3}, Data: []int64{0, 2, -1}}
	depth := tensor.Tensor{Data: []int64{3}}
	values := tensor.Tensor{Shape: []int{2}, Data: []string{".", "x"}} // off, on

	y, err := onnx.OneHot11(indices, depth, values, onnx.DefaultAxis)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Shape, y.Data.([]string)) // -1 is the last class
	// Output: [3 3] [x . . . . x . . x]
}

// A depth below 1 is an error.
func ExampleOneHot11_error() {
	indices := tensor.Tensor{Shape: []int{3}, Data: []int64{0, 2, -1}}
	depth := tensor.Tensor{Data: []int64{0}}
	values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}

	_, err := onnx.OneHot11(indices, depth, values, onnx.DefaultAxis)
	fmt.Println(errors.Is(err, onehot.ErrDepth))
	// Output: true
}

func ExampleOneHot9Into() {
	indices := tensor.Tensor{Shape: []int{2}, Data: []float32{1, 2}}
	depth := tensor.Tensor{Shape: []int{1}, Data: []float32{3}}
	values := tensor.Tensor{Shape: []int{2}, Data: []bool{false, true}}
	y := tensor.Tensor{Shape: []int{2, 3}, Data: make([]bool, 6)}

	if err := onnx.OneHot9Into(y, indices, depth, values, onnx.DefaultAxis); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Data)
	// Output: [false true false false false true]
}

func ExampleShape() {
	shape, err := onnx.Shape([]int{8, 224, 224}, 21, 1)
	fmt.Println(shape, err)
	// Output: [8 21 224 224] <nil>
}
