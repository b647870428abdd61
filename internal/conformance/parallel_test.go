package conformance

import (
	"math/bits"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
)

func TestEncodeParallel(t *testing.T) {
	many := 400_001
	if testing.Short() {
		many = 80_001
	}
	pathtest.Each(t, func(t *testing.T) {
		checkParallel[float32, int64](t, encodeCase{n: 3000, depth: 257, shift: 3})
		checkParallel[uint8, uint8](t, encodeCase{n: many, depth: 3, values: 1})
		checkParallel[uint8, int32](t, encodeCase{n: many, inner: many, depth: 3, values: 2, shift: 1})
		checkParallel[uint16, float32](t, encodeCase{n: 3 * (many / 5), inner: many / 5, depth: 5, values: 3})
		checkParallel[float64, int16](t, encodeCase{n: 500 * 33, inner: 33, depth: 9, stride: 300, values: 2, neg: onehot.Normalize})
		checkParallel[complex128, uint64](t, encodeCase{n: 2, depth: 40_000, values: 3})
		checkParallel[complex64, int8](t, encodeCase{n: 2 * 999, inner: 999, depth: 100})
		checkParallel[uint8, int16](t, encodeCase{n: 2 * 130, inner: 130, depth: 6001, values: 1}) // few columns in large blocks
		checkParallel[float32, uint8](t, encodeCase{n: 3 * 70, inner: 70, depth: 1501, values: 2})
		checkParallel[uint16, float64](t, encodeCase{n: 7 * 401, inner: 401, depth: 301, stride: 401*301 + 7, values: 3})
		checkParallel[string, int](t, encodeCase{n: 4000, depth: 21, shift: 2})
		checkParallel[bool, float64](t, encodeCase{n: 1, depth: 2 * many})
		checkParallel[float32, int8](t, encodeCase{n: 10, depth: 4})
	})
}

// Columns are divided among workers anywhere, and no border may show.
func TestEncodeParallelEveryCut(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for inner := 65_600; inner < 65_600+200; inner += 3 * sparse(7) {
			indices := mixed[uint8](uint64(inner), inner, 9)
			s := onehot.Spec[uint8]{Depth: 9, Inner: inner, On: 1, Off: 2}
			want, got := make([]uint8, 9*inner), make([]uint8, 9*inner)
			wantMisses := defined(want, indices, s)
			for _, workers := range []int{2, 3} {
				clear(got)
				share.With(share.All, func() {
					misses, err := onehot.EncodeParallel(got, indices, s, workers)
					require.NoError(t, err)
					require.Equal(t, wantMisses, misses)
				})
				require.True(t, slices.Equal(want, got), "inner %d, %d workers", inner, workers)
			}
		}
	})
}

// A single block does not use its Stride, not even to size the parts.
func TestEncodeParallelOfOneBlock(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		share.With(share.All, func() {
			for shift := bits.UintSize - 8; shift < bits.UintSize-1; shift++ {
				for _, c := range []struct{ n, depth, inner int }{{6000, 11, 6000}, {1, 66_000, 1}, {66_000, 1, 66_000}} {
					indices := mixed[int32](uint64(c.n), c.n, c.depth)
					s := onehot.Spec[float32]{Depth: c.depth, Inner: c.inner, On: 1, Stride: 1 << shift}
					want, got := make([]float32, 66_000), make([]float32, 66_000)
					wantMisses := defined(want, indices, s)
					misses, err := onehot.EncodeParallel(got, indices, s, 2)
					require.NoError(t, err)
					require.Equal(t, wantMisses, misses)
					require.True(t, slices.Equal(want, got), "%d indices, Stride 1<<%d", c.n, shift)
				}
			}
		})
	})
}

// Concurrent calls that write to memory of their own do not disturb each other.
func TestConcurrentCalls(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dna, err := onehot.NewAlphabet("ACGT")
		require.NoError(t, err)
		indices := mixed[int32](1, 2000, 12)
		s := onehot.Spec[float32]{Depth: 12, On: 1, Negative: onehot.Normalize}
		want := make([]float32, 2000*12)
		wantMisses := defined(want, indices, s)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				dst := make([]float32, 2000*12)
				for range 5 {
					clear(dst)
					misses, err := onehot.Encode(dst, indices, s)
					assert.NoError(t, err)
					assert.Equal(t, wantMisses, misses)
					assert.True(t, slices.Equal(want, dst))
					misses, err = onehot.EncodeText(dst, "GATTACA?", dna, onehot.Spec[float32]{On: 1})
					assert.NoError(t, err)
					assert.Equal(t, 1, misses)
				}
			}()
		}
		all.Wait()
	})
}
