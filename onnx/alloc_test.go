//go:build !race

package onnx_test

// Not with the race detector: memory that it is told of escapes to the heap.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/operator/operatortest"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// All types but the halves that have to be converted.
func TestIntoDoesNotAllocate(t *testing.T) {
	for _, index := range slices.Concat(operatortest.Integers(), operatortest.Floats()) {
		for _, value := range operatortest.Values() {
			if operatortest.Converted(index, value) {
				continue
			}
			values := tensor.Tensor{Shape: []int{2}, Data: value}
			indices := operatortest.Tensor(index, 3, 40)
			dst := operatortest.Tensor(value, 3, 7, 40)
			for _, op := range opsets {
				for _, depth := range []tensor.Tensor{
					tensor.Scalar(7), tensor.Scalar[float32](7), tensor.Scalar[uint8](7),
					{Shape: []int{1}, Data: []tensor.Float16{0x4700}}, tensor.Scalar[tensor.BFloat16](0x40e0),
					tensor.Scalar[operatortest.Half](0x4700), tensor.Scalar[operatortest.PointerHalf](0x4700),
				} {
					assert.Zero(t, testing.AllocsPerRun(5, func() {
						if err := op.into(dst, indices, depth, values, 1); err != nil {
							panic(err)
						}
					}), "%s of %T, %T and %T", op.name, index, depth.Data, value)
				}
			}
		}
	}
}

// The calls that are made most often.
func TestSmallIntoDoesNotAllocate(t *testing.T) {
	for _, into := range []func(dst, indices, depth, values tensor.Tensor, axis int) error{onnx.OneHot9Into, onnx.OneHot11Into} {
		dst, indices := tensor.Of([]int{8, 10}, make([]float32, 80)), tensor.Of([]int{8}, make([]int64, 8))
		depth, values := tensor.Scalar(int64(10)), tensor.Of([]int{2}, []float32{0, 1})
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			if err := into(dst, indices, depth, values, onnx.DefaultAxis); err != nil {
				panic(err)
			}
		}))
	}
}
