package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// With Depth 0 every index is a miss and nothing is written, however many
// indices there are.
func TestDepthZero(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{1, 8, 63, 64, 65, 200, 257, 1000, 1985, 5000, 70000} {
			for _, miss := range []*float32{nil, new(float32)} {
				checkDepthZero(t, n, miss)
			}
		}
	})
}

func checkDepthZero(t *testing.T, n int, miss *float32) {
	indices, empty := make([]int32, 16*n), []float32{}
	check := func(want int, call func(s onehot.Spec[float32]) (int, error), s onehot.Spec[float32]) {
		t.Helper()
		s.On, s.Miss = 1, miss
		misses, err := call(s)
		require.NoError(t, err)
		require.Equal(t, want, misses)
	}
	for _, inner := range []int{0, n} {
		s := onehot.Spec[float32]{Inner: inner}
		check(n, func(s onehot.Spec[float32]) (int, error) { return onehot.Encode(empty, indices[:n], s) }, s)
		check(n, func(s onehot.Spec[float32]) (int, error) { return onehot.EncodeParallel(empty, indices[:n], s, 2) }, s)
		check(n, func(s onehot.Spec[float32]) (int, error) { return onehot.Update(empty, indices[:n], indices[:n], s) }, s)
	}
	for _, k := range []int{1, 2, 8, 16} {
		columns := make([][]int32, k)
		for c := range columns {
			columns[c] = indices[c*n:][:n]
		}
		if miss == nil {
			check(k*n, func(s onehot.Spec[float32]) (int, error) { return onehot.MultiHot(empty, indices[:k*n], k, s) }, onehot.Spec[float32]{})
		}
		check(k*n, func(s onehot.Spec[float32]) (int, error) {
			return onehot.EncodeColumns(empty, columns, make([]int, k), s)
		}, onehot.Spec[float32]{})
	}
	misses, err := onehot.EncodeBits([]uint64{}, indices[:n], 0, onehot.Ignore)
	require.NoError(t, err)
	require.Equal(t, n, misses)
	checkRawDepthZero(t, n, miss != nil)
}

// Indices that are misaligned or of half precision are loaded to a buffer
// first.
func checkRawDepthZero(t *testing.T, n int, hasMiss bool) {
	for _, index := range indexTypes {
		for _, inner := range []int{0, n} {
			for offset := range 2 {
				s := onehot.RawSpec{Index: index, Width: 1, On: []byte{1}, Off: []byte{0}, Inner: inner}
				if hasMiss {
					s.Miss = []byte{2}
				}
				indices := make([]byte, offset+n*rawTypes[index].size)[offset:]
				misses, err := onehot.EncodeRaw([]byte{}, indices, s)
				require.NoError(t, err)
				require.Equal(t, n, misses)
				misses, err = onehot.EncodeRawParallel([]byte{}, indices, s, 2)
				require.NoError(t, err)
				require.Equal(t, n, misses)
			}
		}
	}
}
