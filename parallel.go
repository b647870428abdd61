package onehot

import (
	"runtime"
	"sync"
)

// EncodeParallel is [Encode] on up to workers goroutines; workers <= 0 means
// GOMAXPROCS. The output and the errors are those of Encode: the number of
// workers changes speed only. It starts no goroutine for an output that one
// worker writes about as fast as it starts another, and none outlives the call.
//
// It is a function of its own because a slice that reaches a go statement
// escapes: Encode keeps its callers' stack buffers on the stack, this cannot.
func EncodeParallel[V Value, I Index](dst []V, indices []I, s Spec[V], workers int) (misses int, err error) {
	var j job
	out, in := spanOf(dst), spanOf(indices)
	if err := prepare(&j, &s, out, in); err != nil {
		return 0, err
	}
	j.dst, j.in = out.ptr, inputOf(indices)
	j.onText, j.offText = s.texts()
	return j.runParallel(workers), nil
}

// workerBytes is the least output that is worth a worker of its own: starting
// and joining one costs about as much as writing a tenth of it.
const workerBytes = 256 << 10

// lineBytes is a cache line. Two workers never write to the same one if the
// shape allows: it would wander between their processors.
const lineBytes = 64

// runParallel is run on up to workers goroutines, the caller's among them.
func (j *job) runParallel(workers int) (misses int) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	size := j.outer * j.depth * j.inner * j.width
	workers = min(workers, size/workerBytes)
	if workers <= 1 {
		return j.run()
	}
	return j.fork(j.borders(workers))
}

// fork runs the parts between borders, the last one on the caller's goroutine.
func (j *job) fork(borders []int, byBlock bool) (misses int) {
	parts := len(borders) - 1
	counts := make([]int, parts)
	var others sync.WaitGroup
	for k := range parts {
		part := j.columns(borders[k], borders[k+1])
		if byBlock {
			part = j.blocksOf(borders[k], borders[k+1])
		}
		if k == parts-1 {
			counts[k] = part.run()
			break
		}
		others.Add(1)
		go func() {
			defer others.Done()
			counts[k] = part.run()
		}()
	}
	others.Wait()
	for _, n := range counts {
		misses += n
	}
	return misses
}

// borders divides a job: its blocks where there are enough of them for even
// shares, its columns where a few blocks are wide.
func (j *job) borders(workers int) (borders []int, byBlock bool) {
	if j.inner == 1 || j.outer >= 4*workers {
		return split(j.outer, workers, uintptr(j.dst), j.stride*j.width), true
	}
	return split(j.inner, workers, uintptr(j.dst), j.width), false
}

// split divides n things of the given size in bytes, the first of them at
// address, into up to parts even shares, and moves each border to the next
// start of a cache line, if a thing starts on one.
func split(n, parts int, address uintptr, size int) (borders []int) {
	borders = make([]int, 1, parts+1)
	for k := 1; k < parts; k++ {
		even := n / parts * k
		for at := even; at < min(even+lineBytes, n); at++ {
			if (address+uintptr(at*size))%lineBytes == 0 {
				even = at
				break
			}
		}
		if even > borders[len(borders)-1] {
			borders = append(borders, even)
		}
	}
	return append(borders, n)
}
