package onehot

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/share"
)

// EncodeParallel is [Encode] on up to workers goroutines; workers <= 0 means
// GOMAXPROCS. The output, the misses and the errors are those of Encode: the
// number of workers changes only the speed. It starts no goroutine for an
// output so small that waking one would take longer than writing it.
//
// The work is divided into parts, which the caller's goroutine and the others
// claim one by one, and the call returns when the last part is written. After
// it has returned, neither dst nor indices is touched: a goroutine that wakes
// later finds no part left. A goroutine that is out of work waits a moment
// for another call and then ends.
//
// Strings are written by the caller's goroutine alone. A call that shares its
// work allocates a small block for its state.
//
// EncodeParallel is a function of its own because a slice that reaches a go
// statement escapes: Encode leaves its callers' buffers on the stack, which
// EncodeParallel cannot.
//
// The only other call with a parallel form is [EncodeRaw]. For the rest,
// divide the rows among goroutines, each with its own part of dst.
func EncodeParallel[V Value, I Index](dst []V, indices []I, s Spec[V], workers int) (misses int, err error) {
	if workers == 1 || isString[V]() || len(dst) < share.Now.Share/int(unsafe.Sizeof(s.On)) {
		return Encode(dst, indices, s)
	}
	var j job
	out, in := spanOf(dst), spanOf(indices)
	if err := prepare(&j, &s, out, "indices", in); err != nil {
		return 0, err
	}
	j.dst, j.in = out.ptr, inputOf(indices)
	return j.runParallel(workers), nil
}

const (
	// lingerTime is how long a goroutine without work looks for more: about as long
	// as it takes to wake one. After every lingerSpins looks, which take some
	// microseconds, it lets other goroutines run.
	lingerTime  = 100 * time.Microsecond
	lingerSpins = 1 << 12

	// waitSpins is how often the caller looks whether the last parts are done
	// before it sleeps: for longer than a part takes if nothing intervenes.
	waitSpins = 1 << 16
)

// runParallel is run on up to workers goroutines, including the caller's.
func (j *job) runParallel(workers int) (misses int) {
	if j.bytes < share.Now.Share {
		return j.run()
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, j.bytes/share.Now.Part)
	if workers <= 1 {
		return j.run()
	}
	if helpers.recent(j.bytes) >= int64(share.Now.Wake) {
		misses = j.share(workers - 1)
	} else {
		misses = j.run()
	}
	helpers.last.Store(int64(time.Since(helpers.start)))
	return misses
}

// share runs a job on the caller's goroutine and the given number of others.
func (j *job) share(others int) (misses int) {
	c := j.newCrew(others)
	if len(c.borders) == 2 { // one part
		return j.run()
	}
	c.call(others)
	c.work()
	helpers.crew.CompareAndSwap(c, nil)
	c.wait()
	return int(c.misses.Load())
}

// newCrew returns a crew of the caller and the given number of others.
func (j *job) newCrew(others int) *crew {
	c := &crew{job: *j, finished: make(chan struct{})}
	c.borders, c.byBlock = j.borders(others + 1)
	c.left.Store(int64(len(c.borders) - 1))
	c.wanted.Store(int64(others))
	return c
}

// call shows the crew to the helpers, and starts those that are missing.
func (c *crew) call(others int) {
	helpers.crew.Store(c)
	for range others - int(helpers.alive.Load()) {
		helpers.alive.Add(1)
		go help(helperWakes)
	}
}

// A crew is what the workers of one job share. A helper may still hold it after
// the call, but must then not touch what the job points to.
type crew struct {
	job
	borders []int // of the parts: blocks, or columns of every block
	byBlock bool

	wanted, claimed, left, misses atomic.Int64
	finished                      chan struct{} // closed when no part is left
}

// work runs parts until all are claimed. The call lasts until all claimed parts
// are done, so that whoever has claimed one, and only then, may touch the
// caller's memory.
func (c *crew) work() {
	for k := c.claimed.Add(1); int(k) < len(c.borders); k = c.claimed.Add(1) {
		from, to := c.borders[k-1], c.borders[k]
		part := c.columns(from, to)
		if c.byBlock {
			part = c.blocksOf(from, to)
		}
		c.misses.Add(int64(part.run()))
		if c.left.Add(-1) == 0 {
			close(c.finished)
		}
	}
}

// wait returns when all parts are done.
func (c *crew) wait() {
	for range waitSpins {
		if c.left.Load() == 0 {
			return
		}
	}
	<-c.finished
}

// helpers are the goroutines that calls have started.
var helpers = crowd{start: time.Now()}

type crowd struct {
	crew  atomic.Pointer[crew] // of the latest call, as long as it has parts to claim
	alive atomic.Int64         // the number of helpers, including those that are yet to wake
	start time.Time
	last  atomic.Int64 // nanoseconds from start to the end of the latest call
	bytes atomic.Int64 // of the latest calls that followed one another
}

// recent returns the bytes of a call plus those of the calls before it, if it
// follows them so soon that their helpers would still be awake.
func (h *crowd) recent(bytes int) int64 {
	if time.Since(h.start)-time.Duration(h.last.Load()) > lingerTime {
		h.bytes.Store(0)
	}
	return h.bytes.Add(int64(bytes))
}

// helperWakes, if not nil, is called by each helper before it looks for work,
// so that a test can make the helper late.
var helperWakes func()

// help works for one crew after another until there has been none for
// lingerTime. It looks for a crew before it looks at the time, because it may
// have been kept from running.
func help(wakes func()) {
	defer helpers.alive.Add(-1)
	if wakes != nil {
		wakes()
	}
	var before *crew
	for start := time.Now(); ; runtime.Gosched() {
		for range lingerSpins {
			if c := helpers.crew.Load(); c != before && c != nil {
				before = c
				if c.wanted.Add(-1) >= 0 {
					c.work()
				}
				start = time.Now()
			}
		}
		if time.Since(start) >= lingerTime {
			return
		}
	}
}

// borders divides a job among workers: by blocks if there are many or if they
// are narrow, otherwise by columns.
func (j *job) borders(workers int) (borders []int, byBlock bool) {
	address, part := uintptr(j.dst), max(share.Now.Part, j.bytes/workers/plan.ShareParts)
	if j.plane == 1 || j.outer >= 8*workers || j.inner*j.width < 2*min(plan.ShareRun, share.Now.Part) {
		return split(j.outer, part/(j.stride*j.width), workers, address, j.stride*j.width), true
	}
	run := plan.ShareRun
	if j.bytes < plan.ShareNear {
		run /= 8
	}
	run = min(run, share.Now.Part)
	least := max(part/(j.outer*j.depth*j.width), run/j.width)
	return split(j.inner, least, workers, address, j.width), false
}

// split divides n things of size bytes each, the first of them at address, into
// parts of at least least things, which become smaller toward the end. It moves
// each border to the next start of a cache line at which a thing starts.
func split(n, least, workers int, address uintptr, size int) (borders []int) {
	borders = append(make([]int, 0, 32), 0)
	for at := 0; ; {
		part := max((n-at)/(2*workers), least, 1)
		if at += part; n-at < max(least, 1) {
			return append(borders, n)
		}
		if end, found := plan.LineFrom(int(address%lineBytes), size, at); found && end < n {
			at = end
		}
		borders = append(borders, at)
	}
}
