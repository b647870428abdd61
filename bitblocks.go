//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// bitBlocks writes bit planes, a block of indices at a time. The layout counts
// words, the inputs are indices, and their lanes are bytes.
func (w *writer) bitBlocks() (misses int) {
	for i := 0; i < w.in.len; {
		n := take(w.in.len-i, w.block, minBlock)
		for first := 0; first < w.depth; first += w.reach() {
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
