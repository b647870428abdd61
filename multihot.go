package onehot

import "github.com/go-onehot/onehot/internal/plan"

// MultiHot encodes sets: each k consecutive indices set cells of the same row,
// so that indices of shape [rows, k] become dst of shape [rows, Depth]. The
// same class twice in a row sets one cell. An index that has no class, such as
// -1, sets none and counts as a miss: it pads a set of fewer than k. An index
// means what it means to [Encode]: ONNX OneHot-9 with [Ignore], OneHot-11 with
// [Normalize].
//
// s.Inner and s.Plane are 0 or 1. dst needs (rows-1)*Stride + Depth elements;
// with Depth 0 nothing is written and every index is a miss. Errors are those
// of Encode; k <= 0, a number of indices that is not a multiple of k, and an
// Inner or Plane above 1 are [ErrShape], and a Miss is [ErrValue]: the indices
// of a set share its cells.
//
// It reads the indices once, or twice where there are many classes, passes over
// dst once, and allocates nothing.
func MultiHot[V Value, I Index](dst []V, indices []I, k int, s Spec[V]) (misses int, err error) {
	n, depth, rows := len(indices), s.Depth, 1
	if k == 1 && s.Miss == nil && s.Inner|s.Plane <= 1 { // rows of one class are no sets
		return Encode(dst, indices, s)
	}
	if uint(k-1) >= plan.SmallSide || uint(n) >= plan.SmallSide || s.Inner > 1 {
		return multiHot(dst, indices, k, &s)
	}
	if k != n {
		rows = int(uint32(n) / uint32(k))
	}
	if rows*k != n || s.Miss != nil || !s.plain(rows, len(dst)) || overlaps(spanOf(dst), rows*depth, spanOf(indices)) ||
		n >= plan.Least && !plan.SmallSets(rows, k, depth) {
		return multiHot(dst, indices, k, &s)
	}
	fillSmall(dst[:rows*depth], s.Off)
	return scatterSetRows(dst[:rows*depth], indices, k, s.On, depth, depth, s.Negative.wrap(depth)), nil
}

// multiHot is MultiHot of whatever it is.
func multiHot[V Value, I Index](dst []V, indices []I, k int, s *Spec[V]) (misses int, err error) {
	var j job
	if err := checkSets(&j.layout, dst, indices, k, s); err != nil {
		return 0, err
	}
	setValues(&j, s)
	p := plan.MultiHot(plan.Here(), j.shape(), k)
	if p.Strategy != plan.Sets {
		return scatterSets(dst, indices, k, s.On, s.Off, &j.layout, j.wrap, &p), nil
	}
	j.dst, j.in = spanOf(dst).ptr, inputOf(indices)
	misses, first := j.multiHotSets(k, &p)
	if first < j.outer {
		rest := j.part(j.outer-first, 1)
		multiHotGeneric(dst[first*j.stride:], indices[first*k:], k, s.On, s.Off, &rest, j.wrap)
	}
	return misses, nil
}
