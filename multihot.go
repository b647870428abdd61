package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// MultiHot encodes sets: each k consecutive indices set cells of the same row,
// so that indices of shape [rows, k] become dst of shape [rows, Depth]. A class
// that occurs twice in a set sets one cell. An index that sets no cell, such as
// -1 under [Ignore], counts as a miss: use it to pad sets of fewer than k
// classes. Indices are read as by [Encode]: ONNX OneHot-9 with Ignore,
// OneHot-11 with [Normalize]. It returns the number of misses.
//
// s.Inner and s.Plane are 0 or 1. dst needs (rows-1)*Stride + Depth elements;
// with Depth 0 nothing is written and every index is a miss. Errors are those
// of Encode. [ErrShape] also reports k <= 0, a number of indices that is not a
// multiple of k, and an Inner or Plane above 1; [ErrValue] also reports a Miss,
// because the indices of a set share the cells of their row.
//
// MultiHot reads the indices once, or a few times if there are many classes or
// if the output is very large. It allocates nothing.
func MultiHot[V Value, I Index](dst []V, indices []I, k int, s Spec[V]) (misses int, err error) {
	n, depth, rows := len(indices), s.Depth, 1
	if k == 1 && s.Miss == nil && s.Inner|s.Plane <= 1 { // sets of one index are plain rows
		return Encode(dst, indices, s)
	}
	if uint(k-1) >= plan.SmallSide || uint(n) >= plan.SmallSide || s.Inner > 1 {
		return multiHot(dst, indices, k, &s)
	}
	if k != n {
		rows = quotient(n, k)
	}
	s.tighten(rows)
	if rows*k != n || s.Miss != nil || !s.plain(rows, len(dst)) || overlaps(spanOf(dst), rows*depth, spanOf(indices)) {
		if misses, done := setsApart(dst, indices, k, rows, &s); done {
			return misses, nil
		}
		return multiHot(dst, indices, k, &s)
	}
	if n >= plan.Least && !isString[V]() {
		switch block, small := plan.SmallSets(rows, k, depth, int(unsafe.Sizeof(s.On))); {
		case !small:
			return multiHot(dst, indices, k, &s)
		case block > 0:
			return setsFromBits(dst, indices, k, rows, &s, block), nil
		}
	}
	fillSmall(dst[:rows*depth], s.Off, n)
	return scatterSetRows(dst[:rows*depth], indices, k, s.On, depth, depth, s.Negative.wrap(depth)), nil
}

// setsFromBits is MultiHot for small calls whose rows are written from bits,
// block rows at a time.
//
//go:noinline
func setsFromBits[V Value, I Index](dst []V, indices []I, k, rows int, s *Spec[V], block int) (misses int) {
	var j job
	setPlainRows(&j, s, rows, s.Depth)
	j.dst, j.in = unsafe.Pointer(unsafe.SliceData(dst)), inputOf(indices)
	return j.multiHotSets(k, &plan.Plan{Strategy: plan.Sets, Block: block})
}

// setsApart is MultiHot for small calls with gaps between rows, and reports
// whether it wrote the rows. s.Inner is at most 1.
func setsApart[V Value, I Index](dst []V, indices []I, k, rows int, s *Spec[V]) (misses int, done bool) {
	depth, stride, room := s.Depth, s.Stride, min(len(dst), plan.CallBytes/int(unsafe.Sizeof(s.On)))
	if rows*k != len(indices) || s.Miss != nil || uint(rows-1) >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || stride <= depth || stride > room ||
		s.Inner < 0 || s.Plane != 0 || s.Negative > Normalize {
		return 0, false
	}
	need, fits := spanIn(room, rows, stride, depth)
	if !fits || overlaps(spanOf(dst), need, spanOf(indices)) {
		return 0, false
	}
	cells := dst[:need]
	fillTable(cells, s.Off, depth, rows, k, stride)
	return scatterSetRows(cells, indices, k, s.On, depth, stride, s.Negative.wrap(depth)), true
}

// multiHot is the general route of MultiHot.
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
	return j.multiHotSets(k, &p), nil
}
