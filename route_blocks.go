package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
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
	raceRange(in.ptr, len(dst)*in.size(), false)
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
