package onehot

import (
	"math"
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
// A dst full of Off is the encoding of indices that are all -1 under [Ignore]
// without a Miss: a loop may begin with that.
//
// Errors are those of Encode; prev and next of different lengths are
// [ErrShape]. That dst really holds the encoding of prev is not checked: where
// it does not, cells come out wrong, but none outside the output is written.
func Update[V Value, I Index](dst []V, prev, next []I, s Spec[V]) (misses int, err error) {
	n, depth, size := len(next), s.Depth, int(unsafe.Sizeof(s.On))
	if len(prev) != n || depth == 0 || !s.plain(n, len(dst)) ||
		overlaps(spanOf(dst), n*depth, spanOf(next)) || overlaps(spanOf(dst), n*depth, spanOf(prev)) {
		return update(dst, prev, next, &s)
	}
	if n >= plan.Least || s.Miss != nil {
		return updatePlain(dst, prev, next, &s), nil
	}
	if s.Inner > 1 {
		m := moves[V]{s.On, s.Off, s.Off, false, depth, 1, n, s.Negative.wrap(depth)}
		return updateRun(&m, dst, prev, next), nil
	}
	on, off, row, limit, to := s.On, s.Off, 0, limitOf[I](depth), unsafe.Pointer(unsafe.SliceData(dst)) // of few rows: see Encode
	for i, x := range next {
		was, is := unsignedOf(prev[i]), unsignedOf(x)
		if was >= limit || is >= limit {
			m := moves[V]{on, off, off, false, depth, depth, 1, s.Negative.wrap(depth)}
			return updateRun(&m, dst[row:], prev[i:], next[i:]), nil
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
	var l layout
	if err := checkUpdate(&l, dst, prev, next, s); err != nil {
		return 0, err
	}
	if l.depth == 0 {
		return len(next), nil
	}
	return updateLayout(dst, prev, next, s, &l), nil
}

// updatePlain is Update of a plain output of many indices, or with a Miss.
func updatePlain[V Value, I Index](dst []V, prev, next []I, s *Spec[V]) (misses int) {
	var l layout
	if l.setPlain(len(next), s.Depth, 1); s.Inner > 1 {
		l.setPlain(1, s.Depth, len(next))
	}
	return updateLayout(dst, prev, next, s, &l)
}

// updateLayout is Update of a layout.
func updateLayout[V Value, I Index](dst []V, prev, next []I, s *Spec[V], l *layout) (misses int) {
	m := moves[V]{s.On, s.Off, s.Off, s.Miss != nil, l.depth, 0, l.plane, s.Negative.wrap(l.depth)}
	if m.hasMiss {
		m.miss = *s.Miss // now: it may lie in dst
	}
	if p := plan.Update(plan.Here(), len(next), l.depth); p.Strategy == plan.Compare {
		return updateBlocks(&m, dst, prev, next, l, &p)
	}
	return updateCells(&m, dst, prev, next, l, 0, len(next))
}

// moves says how cells of an index move.
type moves[E any] struct {
	on, off, miss E
	hasMiss       bool // a miss has cells of its own
	depth         int
	step          int // from the cells of an index to those of the next; updateCells sets it, run by run
	plane         int // from the cell of a class to that of the next
	wrap          int
}

// updateCells is updateGeneric, run by run, of the indices from at to end.
func updateCells[E any, I Index](m *moves[E], dst []E, prev, next []I, l *layout, at, end int) (misses int) {
	for at < end {
		step, n := l.run(at)
		n, m.step = min(n, end-at), step
		misses += updateRun(m, dst[l.cell(at):], prev[at:][:n], next[at:][:n])
		at += n
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

// run returns how far the cells of an index and of those behind it are apart,
// and of how many.
func (l *layout) run(index int) (step, n int) {
	if l.indexStride == 1 {
		return l.stride, l.outer - index
	}
	return 1, l.indexStride - index%l.indexStride
}

// updateRun moves the cells of indices, the first of which dst starts with.
func updateRun[E any, I Index](m *moves[E], dst []E, prev, next []I) (misses int) {
	for i := 0; i < len(next); i++ {
		i += updateClasses(m, dst[i*m.step:], prev[i:], next[i:])
		if i < len(next) {
			misses += updateIndex(m, dst[i*m.step:], prev[i], next[i])
		}
	}
	return misses
}

// updateClasses is updateRun up to the first index that names no class, before
// or after, and returns how many it moved. Those that do have a loop to
// themselves: one with a call in it would keep its variables in memory.
func updateClasses[E any, I Index](m *moves[E], dst []E, prev, next []I) (moved int) {
	size := unsafe.Sizeof(m.on)
	to, limit, step, plane, at := unsafe.Pointer(unsafe.SliceData(dst)), limitOf[I](m.depth), m.step, m.plane, 0
	prev = prev[:len(next)]
	for i, x := range next {
		was, is := unsignedOf(prev[i]), unsignedOf(x)
		if was >= limit || is >= limit {
			return i
		}
		if was != is {
			*(*E)(unsafe.Add(to, uintptr(at+int(was)*plane)*size)) = m.off
			*(*E)(unsafe.Add(to, uintptr(at+int(is)*plane)*size)) = m.on
		}
		at += step
	}
	return len(next)
}

// updateIndex moves the cells of an index, the first of which dst starts with,
// and returns 1 if it became a miss or stayed one. Where a miss has cells of
// its own, all are written of one that becomes a miss, or ceases to be one.
func updateIndex[E any, I Index](m *moves[E], dst []E, prev, next I) (misses int) {
	was, had := classOf(prev, m.depth, m.wrap)
	is, has := classOf(next, m.depth, m.wrap)
	switch {
	case !had && !has:
		return 1
	case had && was == is:
		return 0
	case m.hasMiss && !has:
		missCells(dst, 0, m.miss, m.depth, m.plane)
		return 1
	case m.hasMiss && !had:
		missCells(dst, 0, m.off, m.depth, m.plane)
	case had:
		dst[int(was)*m.plane] = m.off
	}
	if !has {
		return 1
	}
	dst[int(is)*m.plane] = m.on
	return 0
}

// updateBlocks is Update by kernels, a block of indices at a time: they find
// the indices that changed, and those of next that may have no class, and only
// these are looked at one by one. Where they are most of a block, a loop moves
// all of it, and of the next block the kernels see the first few: if most of
// those changed too, the loop moves all of that.
func updateBlocks[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout, p *plan.Plan) (misses int) {
	const room = plan.UpdateBlock + plan.Least
	var changed [room / wordBits]uint64
	size := int(unsafe.Sizeof(I(0)))
	limit := int(changeLimit[I](l.depth))
	// many says to look at the first few of a block before all of it, since most
	// of the block before it changed. So it does for the first of several blocks:
	// that costs little.
	many := len(next) >= room
	for first := 0; first < len(next); {
		n := plan.Take(len(next)-first, p.Block, plan.Least)
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
		case look < n: // all of it, then
			continue
		default:
			misses += updateSet(m, dst, prev, next, l, first, set)
		}
		first += n
	}
	return misses
}

// changeLimit returns a limit for the bits of an index, read as an integer
// without a sign: an index whose bits are below it has a class below depth, and
// is not negative. Negative integers have the largest bits, and so do negative
// floats and NaN. The bits of other floats are in the order of the floats.
func changeLimit[I Index](depth int) uint64 {
	size := unsafe.Sizeof(I(0))
	switch one, signed := I(1), I(0)-1 < 0; {
	case one/2 != 0 && size == 4:
		return uint64(math.Float32bits(float32(depth))) // no float32 lies between the two
	case one/2 != 0:
		return math.Float64bits(float64(depth))
	case size < 4 && signed:
		return uint64(min(depth, 1<<(8*size-1)))
	case size < 4:
		return uint64(min(depth, 1<<(8*size)-1)) // the last class of all is looked at for nothing
	}
	return uint64(depth)
}

// ones returns how many bits are set.
func ones(words []uint64) (n int) {
	for _, word := range words {
		n += bits.OnesCount64(word)
	}
	return n
}

// updateSet moves the cells of the indices whose bits are set; at is the index
// of the first bit. Those that name no class come last: see updateClasses.
func updateSet[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout, at int, set []uint64) (misses int) {
	updateBits(m, dst, prev, next, l, at, set)
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			i := at + w*wordBits + bits.TrailingZeros64(word)
			misses += updateIndex(m, dst[l.cell(i):], prev[i], next[i])
		}
	}
	return misses
}

// updateBits is updateSet of the indices that name a class, before and after.
// It leaves the bits of the others set. It calls nothing and checks no bounds:
// with less in them, its variables have registers.
func updateBits[V Value, I Index](m *moves[V], dst []V, prev, next []I, l *layout, at int, set []uint64) {
	size, wide, limit, plane := unsafe.Sizeof(m.on), int(unsafe.Sizeof(prev[0])), limitOf[I](m.depth), m.plane
	before, after, first := unsafe.Pointer(&prev[at]), unsafe.Pointer(&next[at]), l.cell(at)
	step, end := l.run(at) // which ends so many indices behind at
	to := unsafe.Pointer(unsafe.SliceData(dst))
	for w := range set {
		word := set[w]
		set[w] = 0
		for ; word != 0; word &= word - 1 {
			i := w*wordBits + bits.TrailingZeros64(word)
			was, is := unsignedOf(*(*I)(unsafe.Add(before, i*wide))), unsignedOf(*(*I)(unsafe.Add(after, i*wide)))
			if was >= limit || is >= limit {
				set[w] |= word & -word
				continue
			}
			if i >= end {
				runs := (i-end)/l.indexStride + 1
				first += runs * (l.stride - l.indexStride)
				end += runs * l.indexStride
			}
			if cell := first + i*step; was != is {
				*(*V)(unsafe.Add(to, uintptr(cell+int(was)*plane)*size)) = m.off
				*(*V)(unsafe.Add(to, uintptr(cell+int(is)*plane)*size)) = m.on
			}
		}
	}
}
