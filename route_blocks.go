package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file is the way through the kernels that rows, planes and bit planes have
// in common. A block of indices becomes classes, of one byte each, in a buffer on
// the stack, and classes become cells.

// A writer is a job on its way through the kernels.
type writer struct {
	*job
	*plan.Plan
	classes []byte // of a block
	out     streamer
}

// A buffer has room for what a block may take along.
type (
	noBuffer      [0]byte
	smallBuffer   [plan.SmallBlock + plan.Least]byte
	mediumBuffer  [plan.MediumBlock + plan.Least]byte
	largeBuffer   [plan.LargeBlock + plan.Least]byte
	scratchBuffer [2 * plan.Least * plan.RowBytes]byte // a block of the longest rows, what it takes along, and what waits
)

// blocks runs a job by kernels, in buffers as large as the plan says.
func (j *job) blocks(p *plan.Plan) (misses int) {
	switch {
	case p.Stream:
		return blocksIn[largeBuffer, scratchBuffer](j, p)
	case p.Block <= plan.SmallBlock:
		return blocksIn[smallBuffer, noBuffer](j, p)
	case p.Block <= plan.MediumBlock:
		return blocksIn[mediumBuffer, noBuffer](j, p)
	}
	return blocksIn[largeBuffer, noBuffer](j, p)
}

// blocksIn runs a job in buffers of those sizes. Go zeroes a buffer before its
// first use, which a small job would notice.
func blocksIn[Classes, Scratch any](j *job, p *plan.Plan) (misses int) {
	var (
		classes Classes
		scratch Scratch
	)
	w := writer{
		job: j, Plan: p,
		classes: bytesAt(unsafe.Pointer(&classes), int(unsafe.Sizeof(classes))),
		out:     streamer{scratch: bytesAt(unsafe.Pointer(&scratch), int(unsafe.Sizeof(scratch)))},
	}
	switch p.Strategy {
	case plan.Rows:
		misses = w.rows()
	case plan.BitPlanes:
		misses = w.bitBlocks()
	default:
		misses = w.planeBlocks()
	}
	if p.Stream {
		w.out.flush(w.dst)
		streamEndOf()
	}
	return misses
}

// classify is the index stage: it makes classes of n indices, counted from first
// on, of which limit are told apart.
func (w *writer) classify(index, n, first, limit int) (misses int) {
	in := w.in.from(index)
	return in.classes(w.classes[:n], first, limit, w.wrap)
}

// classes makes bytes of at least plan.Least indices, of any type at any address,
// and returns how many are none.
func (in *input) classes(dst []byte, first, limit, wrap int) (misses int) {
	race.Range(in.ptr, len(dst)*in.size(), false)
	out := unsafe.Pointer(unsafe.SliceData(dst))
	switch in.typ {
	case textIndex:
		return textOf(out, in.ptr, len(dst), unsafe.Pointer(&in.alphabet.lookup), limit)
	case Float16, BFloat16:
		return in.stagedClasses(dst, first, limit, wrap)
	case Uint8:
		if limit = min(limit, 1<<8-first); limit <= 0 {
			for i := range dst {
				dst[i] = none
			}
			return len(dst)
		}
	case Uint32, Uint64: // they share the kernels of the signed types
		wrap = 0
	}
	return classesOf(in.typ, out, in.ptr, len(dst), first, limit, wrap)
}

// stagedClasses is classes for indices that a kernel has no load for.
func (in *input) stagedClasses(dst []byte, first, limit, wrap int) (misses int) {
	var s stage
	rest := *in
	for len(dst) > 0 {
		n := plan.Take(len(dst), len(s)-plan.Least, plan.Least)
		ready := rest.load(&s, n)
		misses += classesOf(ready.typ, unsafe.Pointer(&dst[0]), ready.ptr, n, first, limit, wrap)
		if dst = dst[n:]; len(dst) > 0 { // behind the last index lies other memory
			rest = rest.from(n)
		}
	}
	return misses
}

// rows blends a block of rows at a time.
func (w *writer) rows() (misses int) {
	row := w.depth * w.width
	for o := 0; o < w.outer; {
		n := plan.Take(w.outer-o, w.Block, plan.Least)
		misses += w.classify(o, n, 0, w.depth)
		if w.Stream {
			w.blendRows(w.out.tile(w.dst, o*row, n*row), n)
			w.out.send(w.dst, n*row)
		} else {
			dst := unsafe.Add(w.dst, o*row)
			race.Range(dst, n*row, true)
			w.blendRows(dst, n)
		}
		o += n
	}
	return misses
}

// blendRows writes n rows from the classes of the block.
func (w *writer) blendRows(dst unsafe.Pointer, n int) {
	classes := unsafe.Pointer(&w.classes[0])
	if w.hasMiss {
		rowsMissOf(w.width, dst, classes, n, w.depth, unsafe.Pointer(&w.values))
	} else {
		rowsOf(w.width, dst, classes, n, w.depth, unsafe.Pointer(&w.values))
	}
}

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
			race.Range(unsafe.Add(dst, b*stride+p*plane), n*w.width, true)
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
			race.Range(unsafe.Add(dst, p*plane), run, true)
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
