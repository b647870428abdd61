package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// MultiHot encodes sets: each k consecutive indices light the same row, so that
// indices of shape [rows, k] become dst of shape [rows, Depth]. The same class
// twice in a row lights one cell; an index that has no class lights none and
// counts as a miss. An index means what it means to [Encode]: ONNX OneHot-9 with
// [Ignore], OneHot-11 with [Normalize].
//
// s.Inner is 0 or 1. dst needs (rows-1)*Stride + Depth elements. Errors are
// those of Encode; k <= 0, a number of indices that is no multiple of k, and an
// Inner above 1 are [ErrShape].
//
// It reads the indices once, passes over dst once, and allocates nothing. With
// AVX2 and AVX-512, 64 rows or more without gaps, of up to 512 cells and about 32
// for each index of a set, are made from bits if k is 4 or more; other rows are
// filled, and lit by a store for each index.
func MultiHot[V Value, I Index](dst []V, indices []I, k int, s Spec[V]) (misses int, err error) {
	var l layout
	if err := checkSets(&l, dst, indices, k, &s); err != nil {
		return 0, err
	}
	j := job{layout: l, width: int(unsafe.Sizeof(s.On)), wrap: s.Negative.wrap(s.Depth)}
	if p := plan.MultiHot(plan.Here(), j.shapeOf(isString[V]()), k); p.Strategy == plan.Sets {
		j.dst, j.in = spanOf(dst).ptr, inputOf(indices)
		set(&j.values, &s)
		misses, first := j.multiHotSets(k, &p)
		if first < l.outer {
			l = l.part(l.outer-first, 1)
			multiHotGeneric(dst[first*l.stride:], indices[first*k:], k, s.On, s.Off, &l, j.wrap)
		}
		return misses, nil
	}
	return multiHotGeneric(dst, indices, k, s.On, s.Off, &l, j.wrap), nil
}
