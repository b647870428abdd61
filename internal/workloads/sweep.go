package workloads

import (
	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/internal/view"
)

// Sweep returns workloads of Encode: one for every pair of three index types
// and four value types, every size of the output in bytes, and every depth.
// name returns the end of a workload's name, which starts with its types.
func Sweep(sizes, depths []int, name func(bytes, depth int) string) (w []Workload) {
	w = append(w, sweepIndex[uint8]("u8/", sizes, depths, name)...)
	w = append(w, sweepIndex[int32]("i32/", sizes, depths, name)...)
	return append(w, sweepIndex[int64]("i64/", sizes, depths, name)...)
}

func sweepIndex[I onehot.Index](index string, sizes, depths []int, name func(bytes, depth int) string) (w []Workload) {
	w = append(w, sweepValue[uint8, I](index+"u8/", sizes, depths, name)...)
	w = append(w, sweepValue[uint16, I](index+"u16/", sizes, depths, name)...)
	w = append(w, sweepValue[float32, I](index+"f32/", sizes, depths, name)...)
	return append(w, sweepValue[float64, I](index+"f64/", sizes, depths, name)...)
}

func sweepValue[V uint8 | uint16 | float32 | float64, I onehot.Index](types string, sizes, depths []int, name func(bytes, depth int) string) (w []Workload) {
	for _, bytes := range sizes {
		for _, depth := range depths {
			drawn := depth
			if view.Size[I]() == 1 {
				drawn = min(depth, 256)
			}
			s := onehot.Spec[V]{Depth: depth, On: 1}
			w = append(w, encode(types+name(bytes, depth), max(bytes/(depth*view.Size[V]()), 1), s, labels.Uniform[I](drawn)))
		}
	}
	return w
}
