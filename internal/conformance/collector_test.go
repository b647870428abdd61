package conformance

import (
	"math/bits"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// A goroutine inside assembly, or inside one clear, cannot be stopped: a
// collection that begins meanwhile waits, and every other goroutine with it.
// This test encodes gigabytes while one collection follows another. None may
// wait much longer for the world to stop than it does for an ordinary Go loop
// over the same memory.

// patience is how much longer than for the loop a collection may wait, as a
// share of how much longer it waits for a single clear of all the memory. A
// kernel call that covers all of it, which the test is to find, holds a
// collection up about as long as that clear. Calls of 512 KiB cover a 2048th of
// it. The rest of the margin is for other processes, which may take the
// processor away from the goroutine that is to stop.
const patience = 1.0 / 8

// A fault shows at every attempt, a processor that was taken away does not.
const collectorAttempts = 5

func TestCollectorIsNotHeldUp(t *testing.T) {
	if testing.Short() || bits.UintSize == 32 {
		t.Skip("a gigabyte")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	memory := make([]uint64, 1<<30/8)
	loop := func() {
		for k := range memory {
			memory[k] = uint64(k)
		}
	}
	loop() // maps every page
	ordinary, cleared := longestStop(t, loop), longestStop(t, func() { clear(memory) })
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range gigabyteCalls(memory) {
			var stop, limit time.Duration
			for range collectorAttempts {
				limit = ordinary + time.Duration(patience*float64(cleared-ordinary))
				if stop = longestStop(t, c.call); stop <= limit && ordinary < cleared/2 {
					break
				}
				ordinary, cleared = longestStop(t, loop), longestStop(t, func() { clear(memory) })
			}
			t.Logf("%-22s %8v; the loop %v, one clear %v", c.name, stop, ordinary, cleared)
			assert.Less(t, ordinary, cleared/2, "this machine is too busy to tell a loop from a clear")
			assert.LessOrEqual(t, stop, limit, "%s on path %s held a collection up", c.name, onehot.Path())
		}
	})
}

// longestStop runs f while collections run, and returns the longest time that
// one of them took to stop the world.
func longestStop(t *testing.T, f func()) time.Duration {
	t.Helper()
	for {
		var done atomic.Bool
		ended := make(chan struct{})
		before := stops()
		go func() {
			defer close(ended)
			for !done.Load() {
				runtime.GC()
			}
		}()
		f()
		done.Store(true)
		<-ended
		longest, after := -1, stops()
		for k := range after.Counts {
			if after.Counts[k] > before.Counts[k] {
				longest = k
			}
		}
		if longest >= 0 { // otherwise f was over before the first collection
			return time.Duration(after.Buckets[longest] * float64(time.Second)) // the lower end of the bucket
		}
	}
}

// stops returns a histogram of how long collections took to stop the world.
func stops() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64Histogram()
}

type gigabyteCall struct {
	name string
	call func()
}

// gigabyteCalls returns every kind of call, each over all of memory, with
// inputs that are small in comparison.
func gigabyteCalls(memory []uint64) []gigabyteCall {
	small := mixed[uint8](1, 1<<27/2, 300) // indices, and text
	wide := mixed[int32](2, 1<<21, 2000)
	floats, wholes, bytes := memoryAs[float32](memory), memoryAs[complex128](memory), memoryAs[uint8](memory)
	n := len(floats)
	rows := func(s onehot.Spec[float32]) func() {
		return func() { must(onehot.Encode(floats, wide[:n/max(s.Stride, s.Depth)], s)) }
	}
	planes := func(inner, outer int) func() {
		s := onehot.Spec[float32]{Depth: 20, Inner: inner, On: 1}
		return func() { must(onehot.Encode(floats, small[:inner*outer], s)) }
	}
	gaps := func(off float32) func() {
		s := onehot.Spec[float32]{Depth: n / 2010, Inner: 2000, Plane: 2005, On: 2, Off: off}
		return func() { must(onehot.Encode(floats, small[:2000], s)) }
	}
	texts := make([]string, n/16) // a quarter of the bytes, and not in memory, which may hold no pointers
	classes := memoryAs[int32](make([]uint64, n/20/2+1))
	codes, words := memoryAs[int32](memory), make([]uint64, onehot.BitWords(n))
	valid := &onehot.Bitmap{Bits: view.Bytes(make([]uint64, 2*n/64))} // no index counts
	return []gigabyteCall{
		{"rows", rows(onehot.Spec[float32]{Depth: 1000, On: 1})},
		{"rows with gaps", rows(onehot.Spec[float32]{Depth: 500, Stride: 501, On: 1})},
		{"rows with gaps, filled", rows(onehot.Spec[float32]{Depth: 500, Stride: 501, On: 1, Off: 2})},
		{"planes with gaps", gaps(0)},
		{"planes with gaps, filled", gaps(1)},
		{"strings with gaps", func() {
			must(onehot.Encode(texts, small[:300], onehot.Spec[string]{Depth: len(texts) / 310, Inner: 300, Plane: 305, On: "on"}))
		}},
		{"deep rows", rows(onehot.Spec[float32]{Depth: n / 3, Off: 2})},
		{"shallow rows", func() { must(onehot.Encode(floats, small[:n/10], onehot.Spec[float32]{Depth: 10, On: 1})) }},
		{"one row", func() { must(onehot.Encode(bytes, []int64{1}, onehot.Spec[uint8]{Depth: len(bytes), On: 1})) }},
		{"one row, filled", func() { must(onehot.Encode(wholes, []int64{1}, onehot.Spec[complex128]{Depth: len(wholes), Off: 1i})) }},
		{"planes", planes(n/20, 1)},
		{"planes with edges", planes(n/20-1, 1)},
		{"blocks of planes", planes(100, n/2000)},
		{"planes of wide values", func() {
			must(onehot.Encode(wholes, small[:len(wholes)/8], onehot.Spec[complex128]{Depth: 8, Inner: len(wholes) / 8, Off: 1i}))
		}},
		{"AppendEncode", func() {
			_, misses, err := onehot.AppendEncode(floats[:0], wide[:n/501], onehot.Spec[float32]{Depth: 500, Stride: 501, On: 1})
			must(misses, err)
		}},
		{"EncodeParallel", func() {
			must(onehot.EncodeParallel(floats, wide[:n/1000], onehot.Spec[float32]{Depth: 1000, On: 1}, 2))
		}},
		{"Update", func() {
			must(onehot.Update(floats, wide[:n/1000], wide[n/1000:][:n/1000], onehot.Spec[float32]{Depth: 1000, On: 1}))
		}},
		{"EncodeColumns", func() {
			must(onehot.EncodeColumns(floats, [][]int32{wide[:n/1000], wide[:n/1000]}, []int{990, 10}, onehot.Spec[float32]{On: 1}))
		}},
		{"MultiHot", func() { must(onehot.MultiHot(floats, wide[:n/1000*2], 2, onehot.Spec[float32]{Depth: 1000, On: 1})) }},
		{"EncodeText", func() {
			must(onehot.EncodeText(floats, small[:n/4], theAlphabet, onehot.Spec[float32]{Depth: 4, On: 1}))
		}},
		{"EncodeBits", func() { must(onehot.EncodeBits(memory, small[:len(memory)*64/256], 256, onehot.Ignore)) }},
		{"EncodeRaw", func() {
			must(onehot.EncodeRaw(bytes, view.Bytes(wide)[:len(bytes)/1000*2], onehot.RawSpec{
				Index: onehot.BFloat16, Width: 2, On: []byte{1, 2}, Off: []byte{3, 4}, Depth: 500,
			}))
		}},
		{"ExpandBits", func() { must(0, onehot.ExpandBits(floats, words, n, 1, 0)) }},
		{"Recode", func() { must(onehot.Recode(bytes[:2*n], bytes[2*n:], []uint8{1, 0, 2}, valid)) }},
		{"Recode in place", func() { must(onehot.Recode(codes, codes, nil, valid)) }},
		{"rows with a Miss", rows(onehot.Spec[float32]{Depth: 1000, On: 1, Miss: new(float32)})},
		{"one row with a Miss", func() {
			must(onehot.Encode(floats, []int8{-1}, onehot.Spec[float32]{Depth: n, On: 1, Miss: new(float32)}))
		}},
		{"Decode rows", func() { must(onehot.Decode(classes[:n/20], floats, onehot.Spec[float32]{Depth: 20, On: 1})) }},
		{"Decode planes", func() {
			must(onehot.Decode(classes[:n/20], floats, onehot.Spec[float32]{Depth: 20, Inner: n / 20, On: 1}))
		}},
	}
}

// memoryAs returns memory as elements of another type.
func memoryAs[T any](memory []uint64) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(memory))), len(memory)*8/view.Size[T]())
}
