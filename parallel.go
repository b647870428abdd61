package onehot

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// EncodeParallel is [Encode] on up to workers goroutines; workers <= 0 means
// GOMAXPROCS. The output and the errors are those of Encode: the number of
// workers changes speed only. It starts no goroutine for an output that one
// worker writes about as fast as it starts another, and none outlives the call.
// Strings are written by the caller's goroutine alone.
//
// It allocates the little that its goroutines share, some of it even where it
// starts none.
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
	values := s.values()
	j.onText, j.offText, j.missText = textsOf(&values)
	return j.runParallel(workers), nil
}

const (
	// workerBytes is the least output that is worth a worker of its own: waking one
	// takes about as long as writing a part of it.
	workerBytes = 512 << 10

	// workerParts is how many parts each worker gets on average. They are claimed
	// one by one, so that a worker that wakes late, or shares its processor, does
	// fewer of them and holds nobody up.
	workerParts = 8

	// lineBytes is a cache line. Two workers never write to the same one if the
	// shape allows: it would wander between their processors.
	lineBytes = 64
)

// runParallel is run on up to workers goroutines, the caller's among them.
func (j *job) runParallel(workers int) (misses int) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, j.bytes/workerBytes)
	if workers <= 1 || j.onText != nil {
		return j.run()
	}
	c := crew{job: *j}
	c.borders, c.byBlock = j.borders(min(j.bytes/workerBytes*2, workers*workerParts))
	for range workers - 1 {
		c.others.Add(1)
		go func() {
			defer c.others.Done()
			c.work()
		}()
	}
	c.work()
	c.others.Wait()
	return int(c.misses.Load())
}

// A crew is the workers of one job.
type crew struct {
	job
	borders []int // of the parts: blocks, or columns of every block
	byBlock bool

	claimed, misses atomic.Int64
	others          sync.WaitGroup
}

// work runs parts until all are claimed.
func (c *crew) work() {
	for k := c.claimed.Add(1); int(k) < len(c.borders); k = c.claimed.Add(1) {
		from, to := c.borders[k-1], c.borders[k]
		part := c.columns(from, to)
		if c.byBlock {
			part = c.blocksOf(from, to)
		}
		c.misses.Add(int64(part.run()))
	}
}

// borders divides a job: its blocks where there are enough of them for even
// shares, its columns where a few blocks are wide.
func (j *job) borders(parts int) (borders []int, byBlock bool) {
	if j.plane == 1 || j.outer >= parts {
		return split(j.outer, parts, uintptr(j.dst), j.stride*j.width), true
	}
	return split(j.inner, parts, uintptr(j.dst), j.width), false
}

// split divides n things of the given size in bytes, the first of them at
// address, into up to parts even shares, and moves each border to the next
// start of a cache line, if a thing starts on one.
func split(n, parts int, address uintptr, size int) (borders []int) {
	borders = make([]int, 1, parts+1)
	for k := 1; k < parts; k++ {
		even := int(uint64(n) * uint64(k) / uint64(parts)) // parts are few and n fits memory
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
