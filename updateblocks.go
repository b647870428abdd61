//go:build (amd64 || arm64) && !purego

package onehot

import (
	"math/bits"
	"unsafe"
)

// updateBlock is how many indices are compared at a time.
const updateBlock = 1 << 10

// updateBlocks is Update by kernels, a block of indices at a time: the index
// stage finds the classes of next, a comparison the indices that changed, and
// only those are looked at one by one.
func updateBlocks[V Value, I Index](dst []V, prev, next []I, on, off V, l *layout, wrap int) (misses int) {
	var (
		classes [updateBlock + minBlock]int32
		changed [(updateBlock + minBlock) / wordBits]uint64
	)
	for first := 0; first < len(next); {
		n := take(len(next)-first, updateBlock, minBlock)
		was, is := inputOf(prev[first:][:n]), inputOf(next[first:][:n])
		raceRange(was.ptr, n*was.size(), false)
		misses += classesOf(classes[:n], &is, l.depth, wrap)
		differOf(was.size(), unsafe.Pointer(&changed), was.ptr, is.ptr, n)
		for w, word := range changed[:BitWords(n)] {
			if word != 0 {
				updateWord(dst, prev[first+w*wordBits:], classes[w*wordBits:], word, first+w*wordBits, on, off, l, wrap)
			}
		}
		first += n
	}
	return misses
}

// updateWord moves the cells of the indices whose bits are set in a word, from
// what prev says to classes; index is that of its first bit.
func updateWord[V Value, I Index](dst []V, prev []I, classes []int32, word uint64, index int, on, off V, l *layout, wrap int) {
	for ; word != 0; word &= word - 1 {
		i := bits.TrailingZeros64(word)
		cell := l.cell(index + i)
		was, lit := classOf(prev[i], l.depth, wrap)
		if !lit {
			was = -1
		}
		is := int64(classes[i])
		if was == is { // indices of different bits
			continue
		}
		if was >= 0 {
			dst[cell+int(was)*l.plane] = off
		}
		if is >= 0 {
			dst[cell+int(is)*l.plane] = on
		}
	}
}

// cell returns the place of class 0 of an index.
func (l *layout) cell(index int) int {
	switch {
	case l.plane == 1:
		return index * l.stride
	case index < l.plane: // nothing to divide in a first block, which may be all there is
		return index
	}
	return index/l.plane*l.stride + index%l.plane
}
