//go:build !race

package openvino_test

// Not with the race detector: memory that it is told of escapes to the heap.

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/operator/operatortest"
	"github.com/go-onehot/onehot/tensor"
)

func TestIntoDoesNotAllocate(t *testing.T) {
	for _, index := range operatortest.Integers() {
		for _, value := range operatortest.Values() {
			v := reflect.ValueOf(value)
			on, off := tensor.Tensor{Data: v.Slice(1, 2).Interface()}, tensor.Tensor{Data: v.Slice(0, 1).Interface()}
			indices := operatortest.Tensor(index, 3, 40)
			dst := operatortest.Tensor(value, 3, 7, 40)
			depth := tensor.Scalar[int64](7)
			for _, version := range versions {
				for mode := range modes {
					assert.Zero(t, testing.AllocsPerRun(5, func() {
						if err := version.into(dst, indices, depth, on, off, -2, mode); err != nil {
							panic(err)
						}
					}), "%s of %T and %T", version.name, index, value)
				}
			}
		}
	}
}

// The calls that are made most often.
func TestSmallIntoDoesNotAllocate(t *testing.T) {
	for _, version := range versions {
		dst, indices := tensor.Of([]int{8, 10}, make([]float32, 80)), tensor.Of([]int{8}, make([]int64, 8))
		depth, on, off := tensor.Scalar(int64(10)), tensor.Scalar[float32](1), tensor.Scalar[float32](0)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			if err := version.into(dst, indices, depth, on, off, -1, ""); err != nil {
				panic(err)
			}
		}), version.name)
	}
}
