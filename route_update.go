package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// updateBlocks is Update by kernels, a block of indices at a time: they find
// the indices that changed, and those of next that may have no class, and only
// these are looked at one by one.
func updateBlocks[V Value, I Index](dst []V, prev, next []I, on, off V, l *layout, wrap int, p *plan.Plan) (misses int) {
	const room = plan.UpdateBlock + plan.Least
	var changed [room / wordBits]uint64
	size := int(unsafe.Sizeof(I(0)))
	limit := l.depth
	if bits := 8 * size; bits < 32 {
		limit = min(limit, 1<<(bits-1)) // beyond it some are looked at for nothing
	}
	for first := 0; first < len(next); {
		n := plan.Take(len(next)-first, p.Block, plan.Least)
		was, is := unsafe.Pointer(&prev[first]), unsafe.Pointer(&next[first])
		race.Range(was, n*size, false)
		race.Range(is, n*size, false)
		changesOf(size, unsafe.Pointer(&changed), was, is, n, limit)
		for w, word := range changed[:BitWords(n)] {
			if word != 0 {
				at := first + w*wordBits
				misses += updateWord(dst, prev[at:], next[at:], word, at, on, off, l, wrap)
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
		if had && (!has || was != is) {
			dst[cell+int(was)*l.plane] = off
		}
		if has && (!had || was != is) {
			dst[cell+int(is)*l.plane] = on
		}
		if !has {
			misses++
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
