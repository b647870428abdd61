package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// Update moves dst from one encoding to the next: dst holds the encoding of
// prev under s, as [Encode] writes it, and afterwards that of next. Both have
// the shape [Outer, Inner] and dst has [Outer, Depth, Inner]. It returns the
// number of indices of next that have no class. An index means what it means to
// Encode: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize].
//
// Only cells that change are written: at most two for each index whose class
// changed, none for the others; with a Miss, all Depth cells of an index that
// becomes a miss or ceases to be one. The cost is that of reading prev and next
// and of the changes; without a Miss it does not grow with Depth. It allocates
// nothing. With Depth 0 nothing is written.
//
// Errors are those of Encode; prev and next of different lengths are
// [ErrShape]. That dst really holds the encoding of prev is not checked: where
// it does not, cells come out wrong, but none outside the output is written.
func Update[V Value, I Index](dst []V, prev, next []I, s Spec[V]) (misses int, err error) {
	n, depth, size := len(next), s.Depth, int(unsafe.Sizeof(s.On))
	if n >= plan.Least || len(prev) != n || !s.plain(n, len(dst)) ||
		overlaps(spanOf(dst), n*depth, spanOf(next)) || overlaps(spanOf(dst), n*depth, spanOf(prev)) {
		return update(dst, prev, next, &s)
	}
	if s.Inner > 1 {
		return updateRun(dst, prev, next, s.On, s.Off, depth, 1, n, s.Negative.wrap(depth)), nil
	}
	on, off, row, to := s.On, s.Off, 0, unsafe.Pointer(unsafe.SliceData(dst)) // of few rows: see Encode
	for i, x := range next {
		was, is := integerOf(prev[i]), integerOf(x)
		if uint64(was) >= uint64(depth) || uint64(is) >= uint64(depth) {
			return updateRun(dst[row:], prev[i:], next[i:], on, off, depth, depth, 1, s.Negative.wrap(depth)), nil
		}
		if was != is {
			*(*V)(unsafe.Add(to, (row+int(was))*size)) = off
			*(*V)(unsafe.Add(to, (row+int(is))*size)) = on
		}
		row += depth
	}
	return 0, nil
}

// update is Update of whatever it is.
func update[V Value, I Index](dst []V, prev, next []I, s *Spec[V]) (misses int, err error) {
	var j job
	if err := checkUpdate(&j.layout, dst, prev, next, s); err != nil {
		return 0, err
	}
	if j.depth == 0 {
		return len(next), nil
	}
	setValues(&j, s)
	values := s.values()
	var miss *V
	if s.Miss != nil {
		miss = &values[2]
	}
	if p := plan.Update(plan.Here(), j.shape(), indexTypeOf[I]() >= Float16); p.Strategy == plan.Compare {
		return updateBlocks(dst, prev, next, s.On, s.Off, miss, &j.layout, j.wrap, &p), nil
	}
	return updateCells(dst, prev, next, s.On, s.Off, miss, &j.layout, j.wrap), nil
}

// updateCells is updateGeneric run by run; miss is nil if it is off.
func updateCells[E any, I Index](dst []E, prev, next []I, on, off E, miss *E, l *layout, wrap int) (misses int) {
	outer, inner, step := l.outer, l.inner, 1
	if l.plane == 1 {
		outer, inner, step = 1, l.outer, l.stride
	}
	for o := range outer {
		cells, was, is := dst[o*l.stride:], prev[o*l.indexStride:][:inner], next[o*l.indexStride:][:inner]
		if miss == nil {
			misses += updateRun(cells, was, is, on, off, l.depth, step, l.plane, wrap)
		} else {
			misses += updateMisses(cells, was, is, on, off, miss, l.depth, step, l.plane, wrap)
		}
	}
	return misses
}

// updateRun moves the cells of indices that stand step elements apart, their
// classes plane elements. Most indices did not change and name a class, which
// one comparison each finds out. An index without a class differs from every
// one that has one, so that no more need be asked of either.
func updateRun[E any, I Index](dst []E, prev, next []I, on, off E, depth, step, plane, wrap int) (misses int) {
	first := 0
	for i, x := range next {
		if x != prev[i] || uint64(integerOf(x)) >= uint64(depth) {
			was, had := classOf(prev[i], depth, wrap)
			is, has := classOf(x, depth, wrap)
			if had && was != is {
				dst[first+int(was)*plane] = off
			}
			if !has {
				misses++
			} else if was != is {
				dst[first+int(is)*plane] = on
			}
		}
		first += step
	}
	return misses
}

// updateMisses is updateRun where a miss has cells of its own: all those of an
// index that becomes one, or ceases to be one, are written. One function for
// both would take a fifth longer where there is no Miss.
func updateMisses[E any, I Index](dst []E, prev, next []I, on, off E, miss *E, depth, step, plane, wrap int) (misses int) {
	first := 0
	for i, x := range next {
		if x != prev[i] || uint64(integerOf(x)) >= uint64(depth) {
			was, had := classOf(prev[i], depth, wrap)
			is, has := classOf(x, depth, wrap)
			switch {
			case had && !has:
				missCells(dst, first, *miss, depth, plane)
			case has && !had:
				missCells(dst, first, off, depth, plane)
			case had && was != is:
				dst[first+int(was)*plane] = off
			}
			if !has {
				misses++
			} else if was != is {
				dst[first+int(is)*plane] = on
			}
		}
		first += step
	}
	return misses
}

// updateBlocks is Update by kernels, a block of indices at a time: they find
// the indices that changed, and those of next that may have no class, and only
// these are looked at one by one.
func updateBlocks[V Value, I Index](dst []V, prev, next []I, on, off V, miss *V, l *layout, wrap int, p *plan.Plan) (misses int) {
	const room = plan.UpdateBlock + plan.Least
	var changed [room / wordBits]uint64
	size := int(unsafe.Sizeof(I(0)))
	limit := l.depth
	switch signed := I(0)-1 < 0; { // as numbers without a sign, negative ones are the largest
	case size < 4 && signed:
		limit = min(limit, 1<<(8*size-1))
	case size < 4:
		limit = min(limit, 1<<(8*size)-1) // the last class of all is looked at for nothing
	}
	for first := 0; first < len(next); {
		n := plan.Take(len(next)-first, p.Block, plan.Least)
		was, is := unsafe.Pointer(&prev[first]), unsafe.Pointer(&next[first])
		race.Range(was, n*size, false)
		race.Range(is, n*size, false)
		changesOf(size, unsafe.Pointer(&changed), was, is, n, limit)
		for w, word := range changed[:BitWords(n)] {
			at := first + w*wordBits
			switch {
			case word == 0:
			case miss == nil:
				misses += updateWord(dst, prev[at:], next[at:], word, at, on, off, l, wrap)
			default:
				misses += updateMissWord(dst, prev[at:], next[at:], word, at, on, off, miss, l, wrap)
			}
		}
		first += n
	}
	return misses
}

// updateWord moves the cells of the indices whose bits are set in a word; at is
// the place of its first.
func updateWord[V Value, I Index](dst []V, prev, next []I, word uint64, at int, on, off V, l *layout, wrap int) (misses int) {
	for ; word != 0; word &= word - 1 {
		i := bits.TrailingZeros64(word)
		cell := l.cell(at + i)
		was, had := classOf(prev[i], l.depth, wrap)
		is, has := classOf(next[i], l.depth, wrap)
		if had && was != is {
			dst[cell+int(was)*l.plane] = off
		}
		if !has {
			misses++
		} else if was != is {
			dst[cell+int(is)*l.plane] = on
		}
	}
	return misses
}

// updateMissWord is updateWord where a miss has cells of its own.
func updateMissWord[V Value, I Index](dst []V, prev, next []I, word uint64, at int, on, off V, miss *V, l *layout, wrap int) (misses int) {
	for ; word != 0; word &= word - 1 {
		i := bits.TrailingZeros64(word)
		cell := l.cell(at + i)
		was, had := classOf(prev[i], l.depth, wrap)
		is, has := classOf(next[i], l.depth, wrap)
		switch {
		case had != has:
			misses += updateMisses(dst[cell:], prev[i:i+1], next[i:i+1], on, off, miss, l.depth, 0, l.plane, wrap)
		case !has:
			misses++
		case was != is:
			dst[cell+int(was)*l.plane] = off
			dst[cell+int(is)*l.plane] = on
		}
	}
	return misses
}

// cell returns the place of class 0 of an index.
func (l *layout) cell(index int) int {
	switch {
	case l.indexStride == 1:
		return index * l.stride
	case index < l.indexStride: // nothing to divide in a first block, which may be all there is
		return index
	}
	return index/l.indexStride*l.stride + index%l.indexStride
}
