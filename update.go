package onehot

import "github.com/go-onehot/onehot/internal/plan"

// Update moves dst from one encoding to the next: dst holds the encoding of
// prev under s, as [Encode] writes it, and afterwards that of next. Both have
// the shape [Outer, Inner] and dst has [Outer, Depth, Inner]. It returns the
// number of indices of next that have no class. An index means what it means to
// Encode: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize].
//
// Only cells that change are written: at most two for each index whose class
// changed, none for the others. The cost is that of reading prev and next, a
// vector at a time where the path has kernels for it, and of the changes; it
// does not grow with Depth. It allocates nothing.
//
// Errors are those of Encode; prev and next of different lengths are
// [ErrShape]. That dst really holds the encoding of prev is not checked: where it
// does not, cells come out wrong, but none outside the output is written.
func Update[V Value, I Index](dst []V, prev, next []I, s Spec[V]) (misses int, err error) {
	var l layout
	if err := checkUpdate(&l, dst, prev, next, &s); err != nil {
		return 0, err
	}
	if s.Miss != nil {
		miss := *s.Miss // which may lie in dst
		s.Miss = &miss
	}
	if l.depth == 0 {
		return len(next), nil
	}
	wrap := s.Negative.wrap(s.Depth)
	j := job{layout: l, width: 1, hasMiss: s.Miss != nil}
	if p := plan.Update(plan.Here(), j.shapeOf(false), indexTypeOf[I]() >= Float16); p.Strategy == plan.Compare {
		return updateBlocks(dst, prev, next, s.On, s.Off, &l, wrap, &p), nil
	}
	return updateGeneric(dst, prev, next, s.On, s.Off, s.Miss, &l, wrap), nil
}
