//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// This file is MultiHot by kernels: sets as bits where the rows are shallow, and
// a store for each index where they are not.

// spreadSets runs a job that the plan gave to spread, in buffers that suit it.
func spreadSets[V Value, I Index](dst []V, indices []I, k int, on, off V, l *layout, wrap int, p *plan) (misses int) {
	if p.stream {
		return spreadSetsIn[scratchBuffer](dst, indices, k, on, off, l, wrap, p)
	}
	return spreadSetsIn[noBuffer](dst, indices, k, on, off, l, wrap, p)
}

func spreadSetsIn[Scratch any, V Value, I Index](dst []V, indices []I, k int, on, off V, l *layout, wrap int, p *plan) (misses int) {
	var (
		classes setsBuffer
		words   setWordsBuffer
		scratch Scratch
	)
	s := spreader{layout: l, stream: p.stream, width: int(unsafe.Sizeof(on)), on: elementOf(on).lo, off: elementOf(off).lo}
	s.out.scratch = unsafe.Slice((*byte)(unsafe.Pointer(&scratch)), unsafe.Sizeof(scratch))
	ptr, pairs := unsafe.Pointer(unsafe.SliceData(dst)), (BitWords(l.depth)+1)/2
	for o := 0; o < l.outer; {
		n := take(l.outer-o, p.block, (minClasses-1)/k+1)
		in := inputOf(indices[o*k:])
		misses += classesOf(classes[:n*k], &in, l.depth, wrap)
		setMarksOf(unsafe.Pointer(&words), roundUp(n)*8, &classes[0], n, k, pairs)
		s.rows(ptr, unsafe.Pointer(&words), o, n)
		o += n
	}
	if last := s.last(ptr); last < l.outer {
		rest := l.part(l.outer-last, 1)
		multiHotGeneric(dst[last*l.stride:], indices[last*k:], k, on, off, &rest, wrap)
	}
	return misses
}

// setsBuffer has room for the classes of a block and what it may take along.
type setsBuffer [maxSets + minClasses + maxSet]int32

// setWordsBuffer has room for the bits of a block: there are no more words in a
// row than half its indices, nor than maxSetWords.
type setWordsBuffer [smallWords]uint64

// lightBlocks fills a block of rows after the other, and lights the cells of k
// indices in each row by way of classes.
func (j *job) lightBlocks(p *plan, k int) (misses int) {
	var (
		classes setsBuffer
		spare   uint64
	)
	stride := j.stride * j.width
	for o := 0; o < j.outer; {
		n := take(j.outer-o, p.block, (minClasses-1)/k+1)
		dst, in, part := unsafe.Add(j.dst, o*stride), j.in.from(o*k), j.part(n, 1)
		misses += classesOf(classes[:n*k], &in, j.depth, j.wrap)
		j.fill(dst, &part, p.fill)
		lightSetsOf(j.width, dst, stride, &classes[0], n, k, j.on.lo, unsafe.Pointer(&spare))
		o += n
	}
	return misses
}

// fill fills the cells of a part of the job, and announces them for lighting too.
func (j *job) fill(cells unsafe.Pointer, part *layout, f filler) {
	switch j.width {
	case 1:
		fillLayout(unsafe.Slice((*[1]byte)(cells), part.need), valueOf[[1]byte](j.off), part, f)
	case 2:
		fillLayout(unsafe.Slice((*[2]byte)(cells), part.need), valueOf[[2]byte](j.off), part, f)
	case 4:
		fillLayout(unsafe.Slice((*[4]byte)(cells), part.need), valueOf[[4]byte](j.off), part, f)
	default:
		fillLayout(unsafe.Slice((*[8]byte)(cells), part.need), valueOf[[8]byte](j.off), part, f)
	}
}
