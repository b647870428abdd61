package openvino_test

import (
	"fmt"

	"github.com/go-onehot/onehot/openvino"
	"github.com/go-onehot/onehot/tensor"
)

func ExampleOneHot1() {
	indices := tensor.Tensor{Shape: []int{4}, Data: []int32{0, 3, 1, 2}}
	depth := tensor.Tensor{Data: []int32{3}}
	on := tensor.Tensor{Data: []float32{1}}
	off := tensor.Tensor{Data: []float32{2}}

	y, err := openvino.OneHot1(indices, depth, on, off, -1, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Shape, y.Data.([]float32)) // 3 selects nothing
	// Output: [4 3] [1 2 2 2 2 2 2 1 2 2 2 1]
}

func ExampleOneHot16() {
	indices := tensor.Tensor{Shape: []int{4}, Data: []int64{0, -5, -2, 2}}
	depth := tensor.Tensor{Data: []int64{3}}
	on := tensor.Tensor{Data: []int8{1}}
	off := tensor.Tensor{Data: []int8{2}}

	y, err := openvino.OneHot16(indices, depth, on, off, -1, openvino.Normalize)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Shape, y.Data.([]int8)) // -2 is class 1
	// Output: [4 3] [1 2 2 2 2 2 2 1 2 2 2 1]
}

func ExampleOneHot1Into() {
	indices := tensor.Tensor{Data: []uint8{2}}
	depth := tensor.Tensor{Data: []int32{4}}
	on := tensor.Tensor{Data: []bool{true}}
	off := tensor.Tensor{Data: []bool{false}}
	y := tensor.Tensor{Shape: []int{4}, Data: make([]bool, 4)}

	if err := openvino.OneHot1Into(y, indices, depth, on, off, 0, openvino.IgnoreNegative); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Data)
	// Output: [false false true false]
}

// With axis 1 every class of a batch entry is a plane.
func ExampleOneHot16Into() {
	indices := tensor.Tensor{Shape: []int{1, 2, 2}, Data: []uint8{0, 1, 2, 0}}
	depth := tensor.Tensor{Data: []int32{3}}
	on := tensor.Tensor{Data: []tensor.BFloat16{0x3f80}} // 1
	off := tensor.Tensor{Data: []tensor.BFloat16{0}}
	y := tensor.Tensor{Shape: []int{1, 3, 2, 2}, Data: make([]tensor.BFloat16, 12)}

	if err := openvino.OneHot16Into(y, indices, depth, on, off, 1, ""); err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range y.Data.([]tensor.BFloat16) {
		fmt.Print(v.Float32(), " ")
	}
	// Output: 1 0 0 1 0 1 0 0 0 0 1 0
}

func ExampleShape() {
	shape, err := openvino.Shape([]int{8, 224, 224}, 21, 1)
	fmt.Println(shape, err)
	// Output: [8 21 224 224] <nil>
}
