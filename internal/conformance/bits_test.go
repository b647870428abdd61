package conformance

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

func TestEncodeBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for n := 0; n <= 200; n += sparse(7) {
			for k, depth := range []int{0, 1, 2, 3, 8, 10, 31, 64, 127, 130, 300} {
				if testing.Short() && (n+k)%3 != 0 {
					continue
				}
				seed, neg := uint64(n+depth), modes[(n+depth)%2]
				checkBits(t, mixed[uint8](seed, n, depth), depth, neg, n%3)
				checkBits(t, mixed[int8](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int16](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint16](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int64](seed, n, depth), depth, neg, n%2)
				checkBits(t, mixed[uint64](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[float32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[float64](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[namedClass](seed, n, depth), depth, neg, 0)
			}
		}
		for _, n := range []int{1000, 4096, 33_333, 1<<18 + 65} {
			for _, depth := range []int{1, 4, 16, 100} {
				if testing.Short() && n*depth > 5<<20 {
					continue
				}
				checkBits(t, mixed[uint8](1, n, depth), depth, onehot.Ignore, 1)
				checkBits(t, mixed[int32](2, n, depth), depth, onehot.Normalize, 1)
			}
		}
	})
}

// Every index has the same class, so that whole words are full.
func TestEncodeBitsFull(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{63, 64, 65, 1000, 3001} {
			checkBits(t, slices.Repeat([]uint8{2}, n), 4, onehot.Ignore, 0)
			checkBits(t, slices.Repeat([]int64{-1}, n), 1, onehot.Normalize, 0)
		}
	})
}

func TestBitWords(t *testing.T) {
	for n, want := range map[int]int{
		math.MinInt: 0, -1: 0, 0: 0, 1: 1, 63: 1, 64: 1, 65: 2, 128: 2, 129: 3,
		math.MaxInt: math.MaxInt/64 + 1, math.MaxInt - 63: math.MaxInt / 64, math.MaxInt - 62: math.MaxInt/64 + 1,
	} {
		assert.Equal(t, want, onehot.BitWords(n), "%d", n)
	}
}

// TestEncodeBitsBorders covers lengths around the ends of words and of blocks
// of indices, and depths around what a byte tells apart and what is compared.
func TestEncodeBitsBorders(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{511, 512, 575, 576, 577, 2047, 2048, 2112, 8191, 8192, 8255, 8256, 8257, 20000} {
			checkBits(t, mixed[uint8](4, n, 19), 19, onehot.Ignore, 0)
			checkBits(t, mixed[int64](4, n, 300), 300, onehot.Normalize, 1)
		}
		for _, depth := range []int{254, 255, 256, 257, 510, 511, 1023, 1024, 1025} {
			checkBits(t, mixed[uint8](5, 200, depth), depth, onehot.Ignore, 0)
			checkBits(t, mixed[int16](5, 200, depth), depth, onehot.Normalize, 0)
			checkBits(t, mixed[float32](5, 200, depth), depth, onehot.Normalize, 0)
		}
	})
}

// TestCrowdedPlanes has planes a multiple of 2 KiB apart, which are compared up
// to a greater depth than others, or staged, with more classes than a byte
// tells apart.
func TestCrowdedPlanes(t *testing.T) {
	crowded := func(t *testing.T) {
		for k, depth := range []int{9, 255, 256, 600} {
			checkBits(t, mixed[uint16](6, 1<<14, depth), depth, onehot.Ignore, k%2)
			c := encodeCase{n: 2 << 11, inner: 1 << 11, depth: depth, values: k, seed: uint64(k)}
			checkEncode[uint8, int16](t, c)
			c.n, c.inner = 1<<10, 1<<10
			checkEncode[uint16, int64](t, c)
		}
		checkBits(t, mixed[float32](6, 1<<14-5, 100), 100, onehot.Normalize, 1)
		checkBits(t, mixed[int8](6, 1<<14-63, 300), 300, onehot.Ignore, 0)
		checkBits(t, mixed[int64](6, 1<<14, 1025), 1025, onehot.Normalize, 0)
	}
	pathtest.Each(t, crowded)
	eachStreaming(t, crowded)
	defer func(was int) { tier.L1 = was }(tier.L1)
	tier.L1 = 32 << 10 // fewer planes are crowded
	pathtest.Each(t, func(t *testing.T) {
		for k, depth := range []int{4, 5, 7, 20, 60} {
			for _, n := range []int{2 << 11, 2<<11 + 16, 2<<11 + 64, 3<<10 + 1} {
				c := encodeCase{n: n, inner: n, depth: depth, values: k, seed: uint64(k)}
				checkEncode[uint32, int16](t, c)
				c.n *= 2
				checkEncode[complex128, uint8](t, c)
			}
		}
		checkBits(t, mixed[uint16](6, 3<<13, 200), 200, onehot.Ignore, 0)
		checkBits(t, mixed[uint8](6, 1<<13, 225), 225, onehot.Ignore, 1)
	})
}

// TestEncodeBitsStreamed has an output large enough to go past the caches.
func TestEncodeBitsStreamed(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	defer tier.ForceLLC(16 << 20)()
	pathtest.Each(t, func(t *testing.T) { checkBits(t, mixed[uint16](5, 1<<19+77, 300), 300, onehot.Ignore, 1) })
}
