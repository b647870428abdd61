package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// Update moves dst from one encoding to the next: before the call dst holds the
// encoding of prev under s, as [Encode] writes it, and afterwards that of next.
// prev and next have the shape [Outer, Inner], dst has [Outer, Depth, Inner].
// Update returns the number of misses in next. Indices are read as by Encode:
// ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize].
//
// Only cells that change are written: at most two for each index whose class
// changed, and none for the others. With a Miss, all Depth cells of an index
// that becomes a miss or ceases to be one are written. The cost is that of
// reading prev and next and of writing the changes; without a Miss it does not
// grow with Depth. Update allocates nothing. With Depth 0 nothing is written.
//
// A dst full of Off is the encoding of indices that are all -1, under [Ignore]
// and without a Miss: a loop may begin with that.
//
// Errors are those of Encode. [ErrShape] also reports prev and next of
// different lengths. Update does not check that dst holds the encoding of prev:
// if it does not, cells come out wrong, but nothing outside the output is
// written.
func Update[V Value, I Index](dst []V, prev, next []I, s Spec[V]) (misses int, err error) {
	n, depth := len(next), s.Depth
	s.tighten(n)
	if len(prev) != n || depth == 0 || !s.plain(n, len(dst)) ||
		overlaps(spanOf(dst), n*depth, spanOf(next)) || overlaps(spanOf(dst), n*depth, spanOf(prev)) {
		return update(dst, prev, next, &s, false)
	}
	if n >= plan.UpdateLeast || s.Miss != nil {
		return update(dst, prev, next, &s, true)
	}
	if s.Inner > 1 {
		moved := updatePlanes(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(prev)), next, s.On, s.Off, depth, n, 1)
		if moved == n {
			return 0, nil
		}
		m := moves[V]{s.On, s.Off, s.Off, false, depth, 1, n, s.Negative.wrap(depth)}
		return updateRun(&m, dst[moved:], prev[moved:], next[moved:]), nil
	}
	moved := updateRows(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(prev)), next, s.On, s.Off, depth, depth)
	if moved == n {
		return 0, nil
	}
	m := moves[V]{s.On, s.Off, s.Off, false, depth, depth, 1, s.Negative.wrap(depth)}
	return updateRun(&m, dst[moved*depth:], prev[moved:], next[moved:]), nil
}

// update is the general route of Update. It checks a call unless that is known
// to be plain.
func update[V Value, I Index](dst []V, prev, next []I, s *Spec[V], plain bool) (misses int, err error) {
	var l layout
	switch n := len(next); {
	case !plain:
		if err := checkUpdate(&l, dst, prev, next, s); err != nil {
			return 0, err
		}
		if l.depth == 0 {
			return n, nil
		}
	case s.Inner > 1:
		l.setPlain(1, s.Depth, n)
	default:
		l.setPlain(n, s.Depth, 1)
	}
	m := moves[V]{s.On, s.Off, s.Off, s.Miss != nil, l.depth, l.step(), l.plane, s.Negative.wrap(l.depth)}
	if m.hasMiss {
		m.miss = *s.Miss // read now, since it may lie in dst
	}
	if plan.ComparesIndices(tier.Active(), len(next), l.depth) {
		return updateBlocks(&m, dst, prev, next, &l), nil
	}
	return updateCells(&m, dst, prev, next, &l, 0, len(next)), nil
}

// moves says how the cells of an index change.
type moves[E any] struct {
	on, off, miss E
	hasMiss       bool // the Spec has a Miss
	depth         int
	step          int // elements from the cells of an index to those of the next, in a run of layout.run
	plane         int // elements from the cell of a class to that of the next
	wrap          int
}

// updateCells is updateGeneric for the indices in [at, end), run by run.
func updateCells[E any, I Index](m *moves[E], dst []E, prev, next []I, l *layout, at, end int) (misses int) {
	run := l.run(at)
	for cell := l.cell(at); at < end; run = l.indexStride {
		n := min(run, end-at)
		misses += updateRun(m, dst[cell:], prev[at:][:n], next[at:][:n])
		cell += run - l.indexStride + l.stride // the start of the next block, if there is one, without a division
		at += n
	}
	return misses
}

// updateRun updates the cells of indices that are m.step elements apart. dst
// starts with the cells of the first index. Rows go to updatePlain if their
// misses need no more than that; other indices go to updateClasses and, where
// that ends, one by one.
func updateRun[E any, I Index](m *moves[E], dst []E, prev, next []I) (misses int) {
	if m.plane == 1 && !m.hasMiss && !mayMove[I](m.depth, m.wrap) {
		return updatePlain(unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(prev)), next, m.on, m.off, m.depth, m.step)
	}
	for i := 0; i < len(next); {
		if i += updateClasses(m, dst[i*m.step:], prev[i:], next[i:]); i == len(next) {
			break
		}
		same, missed := unchanged(prev[i:], next[i:], m.depth, m.wrap)
		if same == 0 {
			same, missed = 1, updateIndex(m, dst[i*m.step:], prev[i], next[i])
		}
		i += same
		misses += missed
	}
	return misses
}

// unchanged returns how many indices have not changed up to the first that has,
// and how many of them are misses, such as those that pad a batch.
func unchanged[I Index](prev, next []I, depth, wrap int) (n, misses int) {
	limit := limitOf[I](depth)
	prev = prev[:len(next)]
	for i, x := range next {
		a := bitsOf(x)
		if bitsOf(prev[i]) != a {
			return i, misses
		}
		if a >= limit {
			if _, ok := classOf(x, depth, wrap); !ok {
				misses++
			}
		}
	}
	return len(next), misses
}

// updateClasses is updateRun up to the first index that is not in [0, depth),
// before or after, and returns how many indices it updated. They have a loop to
// themselves: a loop with a call in it would keep its variables in memory.
func updateClasses[E any, I Index](m *moves[E], dst []E, prev, next []I) (moved int) {
	to, before := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(prev))
	if m.plane == 1 {
		return updateRows(to, before, next, m.on, m.off, m.depth, m.step)
	}
	return updatePlanes(to, before, next, m.on, m.off, m.depth, m.plane, m.step)
}

// updatePlanes is updateClasses for planes that start plane elements apart. The
// cells of successive indices are step elements apart. prev points to as many
// indices as next has.
func updatePlanes[E any, I Index](to, prev unsafe.Pointer, next []I, on, off E, depth, plane, step int) (moved int) {
	limit, at := limitOf[I](depth), 0
	for i, x := range next {
		before := *nth[I](prev, i)
		was, is := bitsOf(before), bitsOf(x)
		if is >= limit {
			return i
		}
		if was != is {
			if was >= limit { // asked here, because most indices have not changed
				return i
			}
			if from, class := intOf(before, was), intOf(x, is); from != class { // floats may differ within a class
				*nth[E](to, at+from*plane) = off
				*nth[E](to, at+class*plane) = on
			}
		}
		at += step
	}
	return len(next)
}

// updateRows is updateClasses for rows that start stride elements apart. It
// finds their cells without a product; with that of updatePlanes it takes 1.2
// times as long where most indices change. prev points to as many indices as
// next has.
func updateRows[E any, I Index](to, prev unsafe.Pointer, next []I, on, off E, depth, stride int) (moved int) {
	limit, row := limitOf[I](depth), 0
	for i, x := range next {
		before := *nth[I](prev, i)
		was, is := bitsOf(before), bitsOf(x)
		if is >= limit {
			return i
		}
		if was != is {
			if was >= limit { // asked here, because most indices have not changed
				return i
			}
			if from, class := intOf(before, was), intOf(x, is); from != class { // floats may differ within a class
				*nth[E](to, row+from) = off
				*nth[E](to, row+class) = on
			}
		}
		row += stride
	}
	return len(next)
}

// mayMove reports whether an index that is not below limitOf may have a class.
func mayMove[I Index](depth, wrap int) bool {
	return wrapOf[I](wrap) != 0 || I(1)/2 != 0 || uint64(depth) > 1<<31
}

// updatePlain is updateRows for all indices, if those that are not below
// limitOf are misses without cells of their own. The most common case comes
// first: in another order, rows that change take up to 1.2 times as long.
func updatePlain[E any, I Index](to, prev unsafe.Pointer, next []I, on, off E, depth, stride int) (misses int) {
	limit, row := limitOf[I](depth), 0
	for i, x := range next {
		was, is := bitsOf(*nth[I](prev, i)), bitsOf(x)
		if is < limit && was < limit {
			if was != is {
				*nth[E](to, row+int(was)) = off
				*nth[E](to, row+int(is)) = on
			}
		} else if is < limit {
			*nth[E](to, row+int(is)) = on
		} else if misses++; was < limit {
			*nth[E](to, row+int(was)) = off
		}
		row += stride
	}
	return misses
}

// updateIndex updates the cells of an index, with which dst starts, and returns
// 1 if next is a miss and 0 otherwise. With a Miss it writes all cells of an
// index that becomes a miss or ceases to be one.
func updateIndex[E any, I Index](m *moves[E], dst []E, prev, next I) (misses int) {
	was, had := classOf(prev, m.depth, m.wrap)
	is, has := classOf(next, m.depth, m.wrap)
	switch {
	case !had && !has:
		return 1
	case had && was == is:
		return 0
	case m.hasMiss && !has:
		missCells(unsafe.Pointer(&dst[0]), m.miss, m.depth, m.plane)
		return 1
	case m.hasMiss && !had:
		missCells(unsafe.Pointer(&dst[0]), m.off, m.depth, m.plane)
	case had:
		dst[int(was)*m.plane] = m.off
	}
	if !has {
		return 1
	}
	dst[int(is)*m.plane] = m.on
	return 0
}

// updateBlocks is Update with kernels, a block of indices at a time. The
// kernels find the indices that changed and those of next that may have no
// class, and only these are looked at one by one. If they are most of a block,
// a loop updates the whole block. Of the next block the kernels see the first
// few indices: if most of these changed, too, the loop updates the whole of it.
func updateBlocks[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout) (misses int) {
	const room = plan.UpdateBlock + plan.Least
	var changed [room / wordBits]uint64
	size := int(unsafe.Sizeof(I(0)))
	limit := int(changeLimit[I](l.depth))
	// many says to look at the first few indices of a block before all of it,
	// because most of the block before it changed. It is also set for the first of
	// several blocks, where it costs little.
	many := len(next) >= room
	for first := 0; first < len(next); {
		n := plan.Take(len(next)-first, plan.UpdateBlock, plan.Least)
		look := n
		if many {
			look = plan.Least
		}
		was, is := unsafe.Pointer(&prev[first]), unsafe.Pointer(&next[first])
		race.Range(was, n*size, false)
		race.Range(is, n*size, false)
		changesOf(size, unsafe.Pointer(&changed), was, is, look, limit)
		set := changed[:BitWords(look)]
		many = ones(set)*plan.UpdateMany > look
		switch {
		case many:
			misses += updateCells(m, dst, prev, next, l, first, first+n)
		case look < n: // few of the first changed, so look at all
			continue
		default:
			misses += updateSet(m, dst, prev, next, l, first, set)
		}
		first += n
	}
	return misses
}

// changeLimit is limitOf for the kernel, which extends no sign, and takes no
// limit beyond the largest integer of a size.
func changeLimit[I Index](depth int) uint64 {
	limit, size := limitOf[I](depth), unsafe.Sizeof(I(0))
	switch signed := I(0)-1 < 0; {
	case size > 2:
		return limit
	case signed:
		return min(limit, 1<<(8*size-1))
	}
	return min(limit, 1<<(8*size)-1) // the largest index is looked at for nothing
}

// ones returns the number of bits that are set.
func ones(words []uint64) (n int) {
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	return n
}

// updateSet updates the indices whose bits are set; the first bit is that of
// index at. What updateBits leaves comes last: see updateClasses.
func updateSet[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout, at int, set []uint64) (misses int) {
	misses = updateBits(m, dst, prev, next, l, at, set)
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			i := at + w*wordBits + bits.TrailingZeros64(word)
			misses += updateIndex(m, dst[l.cell(i):], prev[i], next[i])
		}
	}
	return misses
}

// updateBits is updateSet for indices whose class, before and after, bitsOf
// tells: those in [0, depth), and misses without cells of their own if no other
// index has a class. The bits of the others stay set. It calls nothing and
// checks no bounds, so that its variables stay in registers.
func updateBits[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout, at int, set []uint64) (misses int) {
	limit, plane := limitOf[I](m.depth), m.plane
	before, after, first, leaves := unsafe.Pointer(&prev[at]), unsafe.Pointer(&next[at]), l.cell(at), m.hasMiss || mayMove[I](m.depth, m.wrap)
	step, end := m.step, l.run(at) // end is counted from at
	to := unsafe.Pointer(unsafe.SliceData(dst))
	for w := range set {
		word := set[w]
		set[w] = 0
		for ; word != 0; word &= word - 1 {
			i := w*wordBits + bits.TrailingZeros64(word)
			x, y := *nth[I](before, i), *nth[I](after, i)
			if i >= end {
				runs := (i-end)/l.indexStride + 1
				first += runs * (l.stride - l.indexStride)
				end += runs * l.indexStride
			}
			was, is, cell := bitsOf(x), bitsOf(y), first+i*step
			switch {
			case was < limit && is < limit:
				if from, class := intOf(x, was), intOf(y, is); from != class {
					*nth[V](to, cell+from*plane) = m.off
					*nth[V](to, cell+class*plane) = m.on
				}
			case leaves:
				set[w] |= word & -word
			case is < limit:
				*nth[V](to, cell+intOf(y, is)*plane) = m.on
			default:
				if misses++; was < limit {
					*nth[V](to, cell+intOf(x, was)*plane) = m.off
				}
			}
		}
	}
	return misses
}
