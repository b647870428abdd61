package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// planeBlocks writes the planes of some columns of a block, or of as many whole
// blocks at a time as have few columns.
func (w *writer) planeBlocks() (misses int) {
	for first := 0; first < w.depth; first += plan.Classes {
		count := min(plan.Classes, w.depth-first)
		hits := 0
		if w.inner == w.pitch && w.inner*2 <= w.Block {
			hits = w.wholeBlocks(first, count)
		} else {
			hits = w.columnBlocks(first, count)
		}
		misses -= hits
	}
	return misses + w.outer*w.inner
}

// wholeBlocks writes count planes of as many outer blocks at a time as make a
// block of indices, and returns how many indices have a class in these.
func (w *writer) wholeBlocks(first, count int) (hits int) {
	most := w.Block / w.inner
	for o := 0; o < w.outer; {
		n := min(most, w.outer-o)
		hits += n*w.inner - w.classify(o*w.pitch, n*w.inner, first, count)
		w.blendPlanes(o*w.stride+first*w.plane, n, w.inner, count)
		o += n
	}
	return hits
}

// columnBlocks is wholeBlocks for some columns of one outer block at a time.
func (w *writer) columnBlocks(first, count int) (hits int) {
	for o := range w.outer {
		for i := 0; i < w.inner; {
			n := plan.Take(w.inner-i, w.Block, plan.Least)
			if i == 0 && w.Stream {
				n = min(n, w.head(o*w.stride))
			}
			hits += n - w.classify(o*w.pitch+i, n, first, count)
			w.blendPlanes(o*w.stride+first*w.plane+i, 1, n, count)
			i += n
		}
	}
	return hits
}

// head is the number of columns, of a plane that starts at that cell, up to the
// start of a cache line: the ones behind can be written by whole lines.
func (w *writer) head(cell int) int {
	address := uintptr(w.dst) + uintptr(cell*w.width)
	if off := address % lineBytes; off != 0 && off%uintptr(w.width) == 0 {
		return plan.Least + int(lineBytes-off)/w.width
	}
	return w.Block
}

// blendPlanes writes n columns of some blocks from the classes of the block, to
// count planes; cell is the first in dst.
func (w *writer) blendPlanes(cell, blocks, n, count int) {
	dst, stride, plane := unsafe.Add(w.dst, cell*w.width), w.stride*w.width, w.plane*w.width
	classes, v := unsafe.Pointer(&w.classes[0]), unsafe.Pointer(&w.values)
	for b := range blocks {
		for p := range count {
			raceRange(unsafe.Add(dst, b*stride+p*plane), n*w.width, true)
		}
	}
	switch {
	case w.hasMiss:
		planesMissOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	case w.Stream && (uintptr(dst)|uintptr(plane)|uintptr(stride))%lineBytes == 0 && n%plan.Least == 0:
		planesStreamOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	default:
		planesOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	}
}

// bitBlocks writes bit planes, a block of indices at a time. The layout counts
// words, the inputs are indices.
func (w *writer) bitBlocks() (misses int) {
	misses = w.in.len
	for i := 0; i < w.in.len; {
		n := plan.Take(w.in.len-i, w.Block, plan.Least)
		for first := 0; first < w.depth; first += plan.Classes {
			count := min(plan.Classes, w.depth-first)
			misses -= n - w.classify(i, n, first, count)
			w.writeBits(i/wordBits, n, first, count)
		}
		i += n
	}
	return misses
}

// writeBits writes the bits of n classes, from that word on, to count planes.
// Classes behind the last are none.
func (w *writer) writeBits(word, n, first, count int) {
	whole := BitWords(n) * wordBits
	for i := n; i < whole; i++ {
		w.classes[i] = none
	}
	classes, run, plane := unsafe.Pointer(&w.classes[0]), whole/8, w.plane*wordBits/8
	dst := unsafe.Add(w.dst, first*plane+word*wordBits/8)
	if !w.Stream {
		for p := range count {
			raceRange(unsafe.Add(dst, p*plane), run, true)
		}
		bitPlanesOf(dst, plane, classes, whole, count)
		return
	}
	scratch := unsafe.Pointer(&w.out.scratch[0])
	bitPlanesOf(scratch, run, classes, whole, count)
	for p := range count {
		streamBytes(unsafe.Add(dst, p*plane), w.out.scratch[p*run:][:run])
	}
}
