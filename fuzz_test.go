package onehot_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// FuzzPaths compares every path with the generic one: the bytes and the misses
// must be the same, and nothing else touched. Package internal/conformance has
// a target for each call, which compares it with the definition.
//
// An input is nine bytes that describe the call, and then those of the indices.
func FuzzPaths(f *testing.F) {
	labels := bytes.Repeat([]byte{2, 0, 1, 255, 7}, 100)
	for _, head := range [][]byte{
		{1, 2, 10, 1, 0, 0, 0, 0, 0},   // rows of 10 cells of 4 bytes
		{1, 0, 20, 100, 0, 0, 0, 0, 0}, // planes of bytes
		{5, 3, 3, 1, 1, 0, 1, 7, 0},    // rows of 3 cells of 8 bytes, negative indices, Off not zero
		{3, 1, 200, 7, 0, 5, 0, 0, 9},  // blocks of few planes with gaps, misses with a value
	} {
		f.Add(append(head, labels...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 9 {
			return
		}
		head, width := data[:9], 1<<(data[1]%5)
		s := onehot.RawSpec{
			Index: onehot.IndexType(1 + head[0]%12), Width: width, Depth: int(head[2]), Inner: max(int(head[3]), 1), Negative: onehot.Negative(head[4] % 2),
			On: pattern(head[6], width), Off: pattern(head[7], width),
		}
		if head[8] > 0 {
			s.Miss = pattern(head[8], width)
		}
		size := indexSize[s.Index]
		block := s.Inner * size
		indices := data[9:][:(len(data)-9)/block*block]
		blocks := len(indices) / block
		s.Stride = s.Depth*s.Inner + int(head[5])
		need := blocks * s.Stride * width
		if need > 1<<20 {
			return
		}
		write := func() (dst []byte, misses int) {
			dst = bytes.Repeat([]byte{0xa5}, need+128)
			misses, err := onehot.EncodeRaw(dst[64:64+need], indices, s)
			require.NoError(t, err)
			return dst, misses
		}
		var want []byte
		var missed int
		pathtest.With(tier.GenericPath, func() { want, missed = write() })
		pathtest.All(func() {
			got, misses := write()
			require.Equal(t, missed, misses, "path %s, %+v", onehot.Path(), s)
			require.True(t, bytes.Equal(want, got), "path %s, %+v", onehot.Path(), s)
		})
	})
}

var indexSize = map[onehot.IndexType]int{
	onehot.Int8: 1, onehot.Uint8: 1, onehot.Int16: 2, onehot.Uint16: 2, onehot.Float16: 2, onehot.BFloat16: 2,
	onehot.Int32: 4, onehot.Uint32: 4, onehot.Float32: 4, onehot.Int64: 8, onehot.Uint64: 8, onehot.Float64: 8,
}

// pattern returns a value of that width whose bytes are b, 2b, 3b and so on.
func pattern(b byte, width int) []byte {
	value := make([]byte, width)
	for i := range value {
		value[i] = b * byte(i+1)
	}
	return value
}
