//go:build (amd64 || arm64) && !purego

package onehot

import (
	"math/bits"
	"unsafe"
)

// updateBlock is how many indices are compared at a time.
const updateBlock = 1 << 10

// updateBlocks is Update by kernels, a block of indices at a time: the index
// stage counts the misses of next, a comparison finds the indices that changed,
// and only those are looked at one by one.
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
		// The misses of what changed are among those counted.
		for w, word := range changed[:BitWords(n)] {
			for ; word != 0; word &= word - 1 {
				i := w*wordBits + bits.TrailingZeros64(word)
				o, column := 0, first+i
				if l.plane == 1 {
					o, column = column, 0
				} else if column >= l.plane {
					o, column = column/l.plane, column%l.plane
				}
				updateRun(dst[o*l.stride+column:], prev[first+i:][:1], next[first+i:][:1], on, off, l.depth, 0, l.plane, wrap)
			}
		}
		first += n
	}
	return misses
}
