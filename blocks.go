//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// This file is the route of the kernels. A block of indices becomes classes
// (index stage), classes take the width of an element, which makes them lanes,
// and lanes become cells (write stage). The stages meet in buffers on the stack.

// A writer is a job on its way through the kernels.
type writer struct {
	*job
	*plan
	classes []int32 // of a few indices, on their way to lanes; empty where 4 bytes are a lane
	lanes   []byte  // of a block
	out     streamer
}

// blocks runs a job by kernels, in buffers as large as the plan says. Lanes of 4
// bytes are classes as they are.
func (j *job) blocks(p *plan) (misses int) {
	dwords := j.width == 4
	switch {
	case p.strategy == fused:
		return j.fusedRows(p)
	case p.stream && dwords:
		return blocksIn[noBuffer, largeBuffer, scratchBuffer](j, p)
	case p.stream:
		return blocksIn[mediumBuffer, largeBuffer, scratchBuffer](j, p)
	case p.lanes == smallLanes && dwords:
		return blocksIn[noBuffer, smallBuffer, noBuffer](j, p)
	case p.lanes == smallLanes:
		return blocksIn[smallBuffer, smallBuffer, noBuffer](j, p)
	case p.lanes == mediumLanes && dwords:
		return blocksIn[noBuffer, mediumBuffer, noBuffer](j, p)
	case p.lanes == mediumLanes:
		return blocksIn[mediumBuffer, mediumBuffer, noBuffer](j, p)
	case dwords:
		return blocksIn[noBuffer, largeBuffer, noBuffer](j, p)
	}
	return blocksIn[mediumBuffer, largeBuffer, noBuffer](j, p)
}

// A buffer has room for what a block may take along, minBlock of the widest, and
// the large one for the line of lanes that edge reads from the last of them on.
type (
	noBuffer      [0]uint64
	smallBuffer   [smallLanes/8 + minBlock]uint64
	mediumBuffer  [mediumLanes/8 + minBlock]uint64
	largeBuffer   [largeLanes/8 + minBlock + lineBytes/8]uint64
	scratchBuffer [(scratchBytes + minBlock*maxScratchRow) / 8]uint64
)

// blocksIn runs a job in buffers of those sizes. Go zeroes a buffer before its
// first use, which a small job would notice, hence a size for each size of job.
func blocksIn[Classes, Lanes, Scratch any](j *job, p *plan) (misses int) {
	var (
		classes Classes
		lanes   Lanes
		scratch Scratch
	)
	w := writer{
		job: j, plan: p,
		classes: unsafe.Slice((*int32)(unsafe.Pointer(&classes)), unsafe.Sizeof(classes)/4),
		lanes:   unsafe.Slice((*byte)(unsafe.Pointer(&lanes)), unsafe.Sizeof(lanes)),
		out:     streamer{scratch: unsafe.Slice((*byte)(unsafe.Pointer(&scratch)), unsafe.Sizeof(scratch))},
	}
	switch {
	case p.strategy == expand:
		misses = w.rows()
	case p.strategy == bitPlanes:
		misses = w.bitBlocks()
	case !p.boards && (j.inner < j.plane || j.inner*2 > p.block):
		misses = w.wideBlocks()
	default:
		misses = w.narrowBlocks()
	}
	if p.stream {
		w.out.flush(w.dst)
		streamEnd()
	}
	return misses
}

// fusedRows expands rows straight from their indices.
func (j *job) fusedRows(p *plan) (misses int) {
	wrap, row := j.wrap, j.depth*j.width
	if j.in.typ == Uint64 { // it shares the kernel of Int64
		wrap = 0
	}
	for o := 0; o < j.outer; {
		n := take(j.outer-o, p.block, minBlock)
		dst, in := unsafe.Add(j.dst, o*row), j.in.from(o)
		raceRange(in.ptr, n*in.size(), false)
		raceRange(dst, n*row, true)
		misses += expandFused(dst, in.ptr, n, j.depth, j.on.lo, j.off.lo, wrap)
		o += n
	}
	return misses
}

// rows expands a block of rows at a time.
func (w *writer) rows() (misses int) {
	for o := 0; o < w.outer; {
		n := take(w.outer-o, w.block, minBlock)
		misses += w.classify(o, n, 0)
		w.expandRows(o*w.stride*w.width, n)
		o += n
	}
	return misses
}

// narrowBlocks writes planes of as many outer blocks at a time as make a block
// of indices.
func (w *writer) narrowBlocks() (misses int) {
	count := w.block / w.inner
	for first := 0; first < w.depth; first += w.reach() {
		missed := 0
		for o := 0; o < w.outer; {
			n := take(w.outer-o, count, (minBlock-1)/w.inner+1)
			missed += w.classify(o*w.plane, n*w.inner, first)
			if w.boards {
				w.writeBoards(o*w.stride, n, first)
			} else {
				for k := range n {
					w.writePlanes((o+k)*w.stride, k*w.inner, w.inner, first)
				}
			}
			o += n
		}
		misses = missed
	}
	return misses
}

// wideBlocks writes planes of some columns of one outer block at a time.
func (w *writer) wideBlocks() (misses int) {
	for first := 0; first < w.depth; first += w.reach() {
		missed := 0
		for o := range w.outer {
			for i := 0; i < w.inner; {
				n := take(w.inner-i, w.block, minBlock)
				missed += w.classify(o*w.plane+i, n, first)
				w.writePlanes(o*w.stride+i, 0, n, first)
				i += n
			}
		}
		misses = missed
	}
	return misses
}

// take returns how much of left to take: size, or all of it where less than
// least would be left behind.
func take(left, size, least int) int {
	if left < size+least {
		return left
	}
	return size
}

// reach is reachOf for the job.
func (w *writer) reach() int { return reachOf(w.width, w.depth) }

// reachOf is how many classes, from the first on, a lane can tell apart: its
// last value says that the class is none of them.
func reachOf(width, depth int) int {
	switch width {
	case 1:
		return 1<<8 - 1
	case 2:
		return 1<<16 - 1
	}
	return depth
}

// classify is the index stage: it makes lanes of n indices. Lanes of 1 and 2
// bytes count from first.
func (w *writer) classify(index, n, first int) (misses int) {
	in := w.in.from(index)
	lanes := unsafe.Pointer(&w.lanes[:n*w.width][0])
	if w.width == 4 {
		return classesOf(unsafe.Slice((*int32)(lanes), n), &in, w.depth, w.wrap)
	}
	for done := 0; done < n; {
		part := take(n-done, len(w.classes)-minBlock, minBlock)
		classes, from := w.classes[:part], in.from(done)
		misses += classesOf(classes, &from, w.depth, w.wrap)
		resizeLanes(w.width, unsafe.Add(lanes, done*w.width), classes, first)
		done += part
	}
	return misses
}

// expandRows writes n whole rows from the lanes of the block, at that byte of
// dst.
func (w *writer) expandRows(at, n int) {
	lanes, size := unsafe.Pointer(&w.lanes[0]), n*w.depth*w.width
	if !w.plan.stream {
		raceRange(unsafe.Add(w.dst, at), size, true)
		expandLanes(w.width, unsafe.Add(w.dst, at), lanes, n, w.depth, w.on.lo, w.off.lo)
		return
	}
	expandLanes(w.width, w.out.tile(w.dst, at, size), lanes, n, w.depth, w.on.lo, w.off.lo)
	w.out.send(w.dst, size)
}

// writePlanes writes n columns, from lane k on, to every plane within reach of
// the lanes; cell is the first of the columns in dst.
func (w *writer) writePlanes(cell, k, n, first int) {
	last := min(w.depth, first+w.reach())
	lanes, run := unsafe.Pointer(&w.lanes[k*w.width]), n*w.width
	switch {
	case w.plan.stream && n == w.plane:
		w.streamTiles(cell*w.width, lanes, run, first, last)
	case w.plan.stream && uintptr(w.dst)%uintptr(w.width) == 0: // lines hold whole cells
		for d := first; d < last; d++ {
			w.streamRun((cell+d*w.plane)*w.width, lanes, n, d-first)
		}
	default:
		apart, count := w.plane*w.width, max(clearBytes/run, 1)
		for d := first; d < last; d += count {
			dst := unsafe.Add(w.dst, cell*w.width+d*apart)
			for k := range min(count, last-d) {
				raceRange(unsafe.Add(dst, k*apart), run, true)
			}
			planesOf(w.width, dst, apart, lanes, n, d-first, min(count, last-d), w.on.lo, w.off.lo)
		}
	}
}

// writeBoards writes n blocks from the lanes of the block, to every plane within
// their reach; cell is the first in dst.
func (w *writer) writeBoards(cell, n, first int) {
	count, run, stride := min(w.depth-first, w.reach()), w.inner*w.width, w.stride*w.width
	most := max(clearBytes/(count*run), 1)
	for k := 0; k < n; k += most {
		dst, blocks := unsafe.Add(w.dst, (cell+first*w.plane)*w.width+k*stride), min(most, n-k)
		for b := range blocks {
			raceRange(unsafe.Add(dst, b*stride), count*run, true)
		}
		boardsOf(w.width, dst, stride, run, unsafe.Pointer(&w.lanes[k*run]), blocks, w.inner, 0, count, w.on.lo, w.off.lo)
	}
}

// streamRun writes n columns of one plane, at that byte of dst: whole lines past
// the caches, and what the run has of its first and its last line by way of the
// scratch.
func (w *writer) streamRun(at int, lanes unsafe.Pointer, n, class int) {
	dst, perLine := unsafe.Add(w.dst, at), lineBytes/w.width
	head := min(int(-uintptr(dst)%lineBytes)/w.width, n)
	body := (n - head) / perLine * perLine
	if head > 0 {
		w.edge(dst, lanes, head, class)
	}
	if body > 0 {
		raceRange(unsafe.Add(dst, head*w.width), body*w.width, true)
		streamPlanesOf(w.width, unsafe.Add(dst, head*w.width), unsafe.Add(lanes, head*w.width), body, class, w.on.lo, w.off.lo)
	}
	if done := head + body; done < n {
		w.edge(unsafe.Add(dst, done*w.width), unsafe.Add(lanes, done*w.width), n-done, class)
	}
}

// edge writes less than a line of one plane. The kernel takes a line of lanes at
// least: the buffer has room behind every block.
func (w *writer) edge(dst, lanes unsafe.Pointer, n, class int) {
	tile := w.out.scratch[:lineBytes]
	planesOf(w.width, unsafe.Pointer(&tile[0]), 0, lanes, lineBytes/w.width, class, 1, w.on.lo, w.off.lo)
	copy(unsafe.Slice((*byte)(dst), n*w.width), tile)
}

// streamTiles writes whole planes, which touch, by way of the scratch.
func (w *writer) streamTiles(at int, lanes unsafe.Pointer, run, first, last int) {
	count := max(scratchBytes/run, 1)
	for d := first; d < last; d += count {
		planes := min(count, last-d)
		tile := w.out.tile(w.dst, at+d*run, planes*run)
		planesOf(w.width, tile, run, lanes, run/w.width, d-first, planes, w.on.lo, w.off.lo)
		w.out.send(w.dst, planes*run)
	}
}
