//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// bitPlanes writes bit planes by kernels, a block of indices at a time. The
// layout counts words, the inputs are indices, and their lanes are bytes.
func (j *job) bitPlanes(p *plan) (misses int) {
	switch {
	case p.stream:
		misses = bitsIn[mediumBuffer, largeBuffer, scratchBuffer](j, p)
		streamEnd()
		return misses
	case p.lanes == smallLanes:
		return bitsIn[smallBuffer, smallBuffer, noBuffer](j, p)
	case p.lanes == mediumLanes:
		return bitsIn[mediumBuffer, mediumBuffer, noBuffer](j, p)
	}
	return bitsIn[mediumBuffer, largeBuffer, noBuffer](j, p)
}

// bitsIn is bitPlanes in buffers of those sizes.
func bitsIn[Classes, Lanes, Scratch any](j *job, p *plan) (misses int) {
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
	for i := 0; i < j.in.len; {
		n := next(j.in.len-i, p.block, minBlock)
		for first := 0; first < j.depth; first += w.reach() {
			missed := w.classify(i, n, first)
			if first == 0 {
				misses += missed
			}
			w.writeBits(i/wordBits, n, first)
		}
		i += n
	}
	return misses
}

// writeBits writes the bits of n lanes, from that word on, to every plane within
// their reach. Lanes behind the last get a value that no plane asks for.
func (w *writer) writeBits(word, n, first int) {
	const none = 1<<8 - 1
	whole := BitWords(n) * wordBits
	for i := n; i < whole; i++ {
		w.lanes[i] = none
	}
	lanes, run, apart := unsafe.Pointer(&w.lanes[0]), whole/8, w.plane*wordBits/8
	most := clearBytes
	if w.plan.stream {
		most = scratchBytes
	}
	count := max(most/run, 1)
	last := min(w.depth, first+w.reach())
	for d := first; d < last; d += count {
		dst, planes := unsafe.Add(w.dst, d*apart+word*wordBits/8), min(count, last-d)
		if !w.plan.stream {
			for k := range planes {
				raceRange(unsafe.Add(dst, k*apart), run, true)
			}
			bitsOf(dst, apart, lanes, whole, d-first, planes)
			continue
		}
		bitsOf(unsafe.Pointer(&w.out.scratch[0]), run, lanes, whole, d-first, planes)
		for k := range planes {
			streamBytes(unsafe.Add(dst, k*apart), w.out.scratch[k*run:][:run])
		}
	}
}
