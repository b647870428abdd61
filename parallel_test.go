package onehot

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/view"
)

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}

// drawn returns n random classes below depth.
func drawn[I Code](n, depth int) []I {
	r, indices := rand.New(rand.NewPCG(9, 10)), make([]I, n)
	for i := range indices {
		indices[i] = I(r.IntN(depth))
	}
	return indices
}

// alive returns how many helper goroutines of EncodeParallel have not ended.
func alive() int { return int(helpers.alive.Load()) }

// noHelpers waits until the helpers of earlier calls have ended.
func noHelpers(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return alive() == 0 }, 10*time.Second, time.Millisecond, "goroutines are left")
}

// eachParallel runs f with each call that shares its work, on every path.
func eachParallel(t *testing.T, f func(t *testing.T, encode func(dst []float64, indices []int64, workers int))) {
	const depth = 300
	pathtest.Each(t, func(t *testing.T) {
		t.Run("EncodeParallel", func(t *testing.T) {
			f(t, func(dst []float64, indices []int64, workers int) {
				must(EncodeParallel(dst, indices, Spec[float64]{Depth: depth, On: 1}, workers))
			})
		})
		t.Run("EncodeRawParallel", func(t *testing.T) {
			on := view.Bytes([]float64{1})
			f(t, func(dst []float64, indices []int64, workers int) {
				must(EncodeRawParallel(view.Bytes(dst), view.Bytes(indices), RawSpec{
					Index: Int64, Width: 8, On: on, Off: make([]byte, 8), Depth: depth,
				}, workers))
			})
		})
	})
}

// A helper that wakes after the call has returned must leave dst and indices
// alone, as the race detector would notice.
func TestLateHelperTouchesNothing(t *testing.T) {
	share.With(share.All, func() {
		eachParallel(t, func(t *testing.T, encode func([]float64, []int64, int)) {
			noHelpers(t)
			var woken atomic.Int64
			returned := make(chan struct{})
			helperWakes = func() { <-returned; woken.Add(1) }
			defer func() { helperWakes = nil }()

			dst, indices := make([]float64, 3000*300), drawn[int64](3000, 300)
			want := make([]float64, len(dst))
			must(Encode(want, indices, Spec[float64]{Depth: 300, On: 1}))
			encode(dst, indices, 4)
			require.True(t, slices.Equal(want, dst), "the caller writes all of it alone")

			for i := range dst {
				dst[i] = -7
			}
			clear(indices)
			close(returned)
			noHelpers(t)
			assert.EqualValues(t, 3, woken.Load(), "goroutines that were started")
			for i := range dst {
				if dst[i] != -7 {
					require.Failf(t, "written after the call", "element %d is %v", i, dst[i])
				}
			}
		})
	})
}

// Helpers that find no work end, and consecutive calls reuse the helpers that
// are alive.
func TestHelpersEnd(t *testing.T) {
	share.With(share.All, func() {
		eachParallel(t, func(t *testing.T, encode func([]float64, []int64, int)) {
			noHelpers(t)
			dst, indices := make([]float64, 3000*300), make([]int64, 3000)
			for range 20 {
				encode(dst, indices, 16)
				assert.LessOrEqual(t, alive(), 15)
			}
			noHelpers(t)
		})
	})
}

// encodeByHelper is EncodeParallel with one helper, to which the caller's
// goroutine leaves all the work.
func encodeByHelper[V Value, I Index](dst []V, indices []I, s Spec[V]) (misses int, err error) {
	var j job
	out, in := spanOf(dst), spanOf(indices)
	if err := prepare(&j, &s, out, "indices", in); err != nil {
		return 0, err
	}
	j.dst, j.in = out.ptr, inputOf(indices)
	c := j.newCrew(1)
	c.call(1)
	<-c.finished
	helpers.crew.CompareAndSwap(c, nil)
	return int(c.misses.Load()), nil
}

// A helper can write a whole output alone.
func TestHelperWrites(t *testing.T) {
	share.With(share.All, func() {
		pathtest.Each(t, func(t *testing.T) {
			s := Spec[uint16]{Depth: 30, On: 3, Off: 4}
			indices := drawn[int32](4000, 31)
			for _, s.Inner = range []int{1, 40, 4000} {
				noHelpers(t) // a helper that is about to end would count as the one that is needed
				want, got := make([]uint16, 30*4000), make([]uint16, 30*4000)
				wantMisses, err := Encode(want, indices, s)
				require.NoError(t, err)
				misses, err := encodeByHelper(got, indices, s)
				require.NoError(t, err)
				assert.Equal(t, wantMisses, misses)
				assert.True(t, slices.Equal(want, got), "inner %d", s.Inner)
			}
			noHelpers(t)
		})
	})
}

// Small outputs, and strings, are written by the caller's goroutine alone.
func TestLittleIsNotShared(t *testing.T) {
	share.With(share.Usual, func() {
		eachParallel(t, func(t *testing.T, encode func([]float64, []int64, int)) {
			noHelpers(t)
			encode(make([]float64, 1000*300), make([]int64, 1000), 8)
			assert.Zero(t, alive())
		})
	})
	share.With(share.All, func() {
		noHelpers(t)
		must(EncodeParallel(make([]string, 20_000), make([]int8, 2000), Spec[string]{Depth: 10, On: "on"}, 8))
		assert.Zero(t, alive())
	})
}

// The bytes of consecutive calls add up beyond an int of 32 bits: those that
// follow are shared, too.
func TestBytesOfManyCalls(t *testing.T) {
	var h crowd
	h.start = time.Now()
	h.last.Store(int64(time.Hour)) // no call comes too late
	h.bytes.Store(1<<31 - 1)
	assert.Equal(t, int64(1<<31), h.recent(1))
}
