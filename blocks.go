//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// This file is the route of the kernels. A block of indices becomes classes
// (index stage), classes take the width of an element, which makes them lanes,
// and lanes become cells (write stage). The stages meet in two buffers on the
// stack.

// blocks runs a job by kernels, in blocks of a size that suits it.
func (j *job) blocks(p *plan) (misses int) {
	n := j.outer * j.inner
	if j.width == 4 { // classes are lanes
		switch {
		case n <= smallBlock:
			var classes [smallBlock]int32
			return j.walk(p, classes[:], nil)
		case n <= 4*smallBlock:
			var classes [4 * smallBlock]int32
			return j.walk(p, classes[:], nil)
		}
		var classes [largeBlock + minBlock]int32
		return j.walk(p, classes[:], nil)
	}
	if n <= smallBlock {
		var classes [smallBlock]int32
		var lanes [smallBlock]uint64
		return j.walk(p, classes[:], lanes[:])
	}
	var classes [largeBlock + minBlock]int32
	var lanes [largeBlock + minBlock]uint64
	return j.walk(p, classes[:], lanes[:])
}

// walk runs a job block by block.
func (j *job) walk(p *plan, classes []int32, lanes []uint64) (misses int) {
	w := writer{job: j, plan: p, classes: classes, lanes: lanes}
	if p.stream {
		return w.stream()
	}
	return w.all()
}

// A writer is a job on its way through the kernels.
type writer struct {
	*job
	*plan
	classes []int32
	lanes   []uint64
	scratch []byte // where cells are written before they go past the caches; nil if they do not
}

// stream is all with a scratch: a function of its own because the scratch is
// zeroed too.
func (w *writer) stream() (misses int) {
	var scratch [scratchBytes]byte
	w.scratch = scratch[:]
	return w.all()
}

// all writes every block.
func (w *writer) all() (misses int) {
	if w.inner > 1 && w.inner*2 > w.block {
		return w.wideBlocks()
	}
	return w.wholeBlocks()
}

// wholeBlocks takes as many outer blocks at a time as the buffers hold.
func (w *writer) wholeBlocks() (misses int) {
	for o := 0; o < w.outer; {
		n := next(w.outer-o, max(w.block/w.inner, 1), max(minBlock/w.inner, 1))
		misses += w.classify(o*w.plane, n*w.inner)
		if w.strategy == expand {
			w.expandRows(o, n)
		} else {
			for k := range n {
				w.writePlanes((o+k)*w.stride, k*w.inner, w.inner)
			}
		}
		o += n
	}
	return misses
}

// wideBlocks takes some columns of one outer block at a time.
func (w *writer) wideBlocks() (misses int) {
	for o := range w.outer {
		for i := 0; i < w.inner; {
			n := next(w.inner-i, w.block, minBlock)
			misses += w.classify(o*w.plane+i, n)
			w.writePlanes(o*w.stride+i, 0, n)
			i += n
		}
	}
	return misses
}

// next returns how much of left to take: size, or all of it where less than
// least would be left.
func next(left, size, least int) int {
	if left < size+least {
		return left
	}
	return size
}

// classify is the index stage: the classes of n indices from index on, and in
// the buffer of lanes the same in 8 bytes, if that is an element. Narrower lanes
// depend on the planes that are written.
func (w *writer) classify(index, n int) (misses int) {
	in := w.in.from(index)
	misses = classesOf(w.classes[:n], &in, w.depth, w.wrap)
	if w.width == 8 {
		widenLanes(w.lanes[:n], w.classes[:n])
	}
	return misses
}

// lanesOf returns the lanes of n classes from k on, for classes from first on.
// They are narrowed again for each range of classes that a narrow lane can
// tell apart.
func (w *writer) lanesOf(k, n, first int) unsafe.Pointer {
	switch w.width {
	case 4:
		return unsafe.Pointer(&w.classes[k:][:n][0])
	case 8:
		return unsafe.Pointer(&w.lanes[k:][:n][0])
	}
	lanes := unsafe.Pointer(unsafe.SliceData(w.lanes))
	narrowLanes(w.width, lanes, w.classes[k:][:n], first)
	return lanes
}

// expandRows writes n whole rows from row o on.
func (w *writer) expandRows(o, n int) {
	dst := unsafe.Add(w.dst, o*w.stride*w.width)
	lanes := w.lanesOf(0, n, 0)
	if w.scratch == nil {
		expandLanes(w.width, dst, lanes, n, w.depth, w.on.lo, w.off.lo)
		return
	}
	row := w.depth * w.width
	for n > 0 {
		rows := next(n, (len(w.scratch)/row-minBlock)&^(minBlock-1), minBlock)
		expandLanes(w.width, unsafe.Pointer(&w.scratch[0]), lanes, rows, w.depth, w.on.lo, w.off.lo)
		streamBytes(dst, w.scratch[:rows*row])
		dst, lanes, n = unsafe.Add(dst, rows*row), unsafe.Add(lanes, rows*w.width), n-rows
	}
}

// writePlanes writes the columns of n classes, from k on in the buffer, to every
// plane of the block; cell is the first of them in dst.
func (w *writer) writePlanes(cell, k, n int) {
	apart := w.plane * w.width
	for first := 0; first < w.depth; first += w.classesPerLane() {
		lanes, base := w.lanesOf(k, n, first), first
		if w.width > 2 {
			base = 0
		}
		last := min(w.depth, first+w.classesPerLane())
		for d := first; d < last; {
			dst := unsafe.Add(w.dst, (cell+d*w.plane)*w.width)
			if w.scratch != nil {
				planesOf(w.width, unsafe.Pointer(&w.scratch[0]), 0, lanes, n, d-base, 1, w.on.lo, w.off.lo)
				streamBytes(dst, w.scratch[:n*w.width])
				d++
				continue
			}
			count := min(last-d, max(clearBytes/(n*w.width), 1))
			planesOf(w.width, dst, apart, lanes, n, d-base, count, w.on.lo, w.off.lo)
			d += count
		}
	}
}

// classesPerLane is how many classes, from the first on, a lane can tell apart:
// its last value says that the class is none of them.
func (w *writer) classesPerLane() int {
	switch w.width {
	case 1:
		return 1<<8 - 1
	case 2:
		return 1<<16 - 1
	}
	return max(w.depth, 1)
}
