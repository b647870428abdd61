package tensor_test

import (
	"fmt"

	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// A scalar has no dimensions, and any slice of a fitting type is the data of a
// tensor, int and named types included.
func ExampleTensor() {
	type score float32

	indices := tensor.Tensor{Shape: []int{2, 2}, Data: []int{0, 1, 2, 0}}
	depth := tensor.Tensor{Data: []int64{3}}
	values := tensor.Tensor{Shape: []int{2}, Data: []score{0, 1}}

	out, err := onnx.OneHot11(indices, depth, values, onnx.DefaultAxis)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Shape, out.Data.([]score))
	// Output: [2 2 3] [1 0 0 0 1 0 0 0 1 1 0 0]
}

func ExampleOf() {
	t := tensor.Of([]int{2, 3}, []int64{0, 2, 1, 1, 0, 2})
	fmt.Println(t.Shape, t.Data)
	// Output: [2 3] [0 2 1 1 0 2]
}

func ExampleScalar() {
	indices, depth := tensor.Of([]int{2}, []int32{0, 2}), tensor.Scalar(int64(3))
	values := tensor.Of([]int{2}, []float32{0, 1}) // off, on
	out := tensor.Of([]int{2, 3}, make([]float32, 6))
	err := onnx.OneHot11Into(out, indices, depth, values, onnx.DefaultAxis)
	fmt.Println(len(depth.Shape), out.Data, err)
	// Output: 0 [1 0 0 0 0 1] <nil>
}

func ExampleFloat16_Float32() {
	fmt.Println(tensor.Float16(0x3c00).Float32(), tensor.Float16(0xc580).Float32(), tensor.Float16(0x7bff).Float32())
	// Output: 1 -5.5 65504
}

func ExampleBFloat16_Float32() {
	fmt.Println(tensor.BFloat16(0x3f80).Float32(), tensor.BFloat16(0xc0b0).Float32())
	// Output: 1 -5.5
}
