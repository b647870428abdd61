package conformance

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

func TestExpandBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for n := 0; n <= 200; n += sparse(7) {
			for _, planes := range []int{0, 1, 2, 3, 12} {
				seed := uint64(n*13 + planes)
				checkExpandBits[uint8](t, planes, n, n/2, n%5, seed)
				checkExpandBits[bool](t, planes, n, n/2, n%5, seed)
				checkExpandBits[uint16](t, planes, n, n/2, n%5, seed)
				checkExpandBits[float32](t, planes, n, n/2, n%5, seed)
				checkExpandBits[float64](t, planes, n, n/2, n%5, seed)
				checkExpandBits[complex128](t, planes, n, n/2, n%5, seed)
				checkExpandBits[string](t, planes, n, n/2, n%5, seed)
			}
		}
		for _, n := range []int{1000, 4096, 70_001} {
			checkExpandBits[uint8](t, 3, n, 0, 1, uint64(n))
			checkExpandBits[float32](t, 3, n, 2, 1, uint64(n))
			checkExpandBits[float64](t, 3, n, 3, 0, uint64(n))
		}
	})
}

// ExpandBits undoes EncodeBits.
func TestExpandBitsOfEncodeBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{1, 63, 64, 65, 300, 5000} {
			const depth = 7
			indices := mixed[int16](uint64(n), n, depth)
			bits := make([]uint64, depth*onehot.BitWords(n))
			must(onehot.EncodeBits(bits, indices, depth, onehot.Normalize))
			got, want := make([]float32, depth*n), make([]float32, depth*n)
			require.NoError(t, onehot.ExpandBits(got, bits, n, 1, 0))
			s := onehot.Planes[float32](depth, n)
			s.Negative = onehot.Normalize
			must(onehot.Encode(want, indices, s))
			require.True(t, sameBits(want, got), "%d indices", n)
		}
	})
}

func TestExpandBitsErrors(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		memory := make([]uint64, 40)
		bits := memory[:4]
		dst := memory[4:]
		check := func(kind, err error) {
			t.Helper()
			require.ErrorIs(t, err, kind)
			require.Equal(t, make([]uint64, 40), memory, "something was written")
		}
		check(onehot.ErrShape, onehot.ExpandBits(dst, bits, -1, 1, 0))
		check(onehot.ErrShape, onehot.ExpandBits(dst, bits, math.MinInt, 1, 0))
		check(onehot.ErrShape, onehot.ExpandBits(dst, bits[:3], 65, 1, 0))
		check(onehot.ErrShape, onehot.ExpandBits(dst, bits, math.MaxInt, 1, 0))
		check(onehot.ErrShort, onehot.ExpandBits(dst, bits, 10, 1, 0))
		check(onehot.ErrShort, onehot.ExpandBits(dst[:0], bits, 1, 1, 0))
		check(onehot.ErrOverlap, onehot.ExpandBits(memory, bits, 3, 1, 0))
		check(onehot.ErrOverlap, onehot.ExpandBits(memory[:4], memory[3:4], 4, 1, 0))
		check(nil, onehot.ExpandBits(dst, bits, 0, 1, 0))
		check(nil, onehot.ExpandBits(memory, memory, 0, 1, 0))
		check(nil, onehot.ExpandBits(dst[:0], bits[:0], 70, 1, 0))
		check(nil, onehot.ExpandBits[uint64](nil, nil, math.MaxInt, 1, 0))
		require.NoError(t, onehot.ExpandBits(dst, bits, 9, 2, 7), "36 cells right behind the bits")
		require.Equal(t, slices.Repeat([]uint64{7}, 36), dst)
	})
}

// Without indices any depth from 0 on is valid, and nothing is written.
func TestEncodeBitsOfNothing(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{0, 1, 1 << 30, math.MaxInt/64 + 1, math.MaxInt} {
			misses, err := onehot.EncodeBits(nil, []int8{}, depth, onehot.Ignore)
			require.NoError(t, err)
			require.Zero(t, misses)
		}
		_, err := onehot.EncodeBits(nil, []int8{}, -1, onehot.Ignore)
		require.ErrorIs(t, err, onehot.ErrDepth)
		_, err = onehot.EncodeBits(nil, []int8{}, 3, 2)
		require.ErrorIs(t, err, onehot.ErrValue)
		_, err = onehot.EncodeBits(nil, []int8{1}, math.MaxInt, onehot.Ignore)
		require.Error(t, err)
	})
}

// Rows and Planes return a Spec with On 1, for any type, and check nothing.
func TestRowsAndPlanes(t *testing.T) {
	require.Equal(t, onehot.Spec[float32]{Depth: 3, On: 1}, onehot.Rows[float32](3))
	require.Equal(t, onehot.Spec[complex64]{Depth: 3, On: 1}, onehot.Rows[complex64](3))
	require.Equal(t, onehot.Spec[int8]{Depth: -3, On: 1, Inner: -7}, onehot.Planes[int8](-3, -7))
	require.Equal(t, onehot.Spec[uint16]{Depth: 3, On: 1, Inner: 64}, onehot.Planes[uint16](3, 64))
}
