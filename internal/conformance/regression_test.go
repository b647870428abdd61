package conformance

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
	"github.com/go-onehot/onehot/internal/view"
)

// This file has the calls that once went wrong and that no sweep reached,
// because they are large or at the end of what a machine can address.

// An oddCase is a large encoding of bytes, in blocks with gaps if there are
// several of them.
type oddCase struct{ width, size, depth, blocks, inner int }

// spec returns the RawSpec of a case and its number of indices.
func (c oddCase) spec() (s onehot.RawSpec, n int) {
	on, off := rawValues(c.width, 2)
	s = onehot.RawSpec{Index: onehot.Int16, Width: c.width, On: on, Off: off, Depth: c.depth, Inner: c.inner, Negative: onehot.Normalize}
	n = c.size/(c.depth*c.width) + 1
	if c.inner != 1 {
		s.Inner = n/c.blocks + 1
		n = s.Inner * c.blocks
	}
	if c.blocks > 1 {
		s.Stride = s.Inner*c.depth + 37
	}
	return s, n
}

// An output at an address that is no multiple of its width is the same as at
// any other, even if it goes past the caches in whole lines.
func TestEncodeRawOddAddresses(t *testing.T) {
	const planes = 0
	cases := []oddCase{{4, 13 << 20, 20, 3, planes}}
	shifts, workers := []int{0, 1}, []int{0, 3}
	if !testing.Short() {
		shifts = []int{0, 1, 2, 3}
		for _, width := range []int{2, 4, 8, 16} {
			cases = append(cases,
				oddCase{width, 13 << 20, 20, 1, planes},
				oddCase{width, 13 << 20, 7, 3, planes},
				oddCase{width, 21 << 20, 20, 3, planes},
				oddCase{width, 13 << 20, 150, 3, planes}, // deep ones are scattered to
				oddCase{width, 21 << 20, 64 / width, 1, 1},
				oddCase{width, 33 << 20, 1000, 1, 1},
			)
		}
	}
	for _, c := range cases {
		s, n := c.spec()
		indices := rawTypes[s.Index].indices(5, n, c.depth)
		need := layoutOf(n, onehot.Spec[uint8]{Depth: s.Depth, Inner: s.Inner, Stride: s.Stride}).Need() * c.width
		const margin = 64
		canary := bytes.Repeat([]byte{0xA5}, need+2*margin)

		want, wantMisses := bytes.Clone(canary), 0
		pathtest.With(tier.GenericPath, func() {
			var err error
			wantMisses, err = onehot.EncodeRaw(want[margin:][:need], indices, s)
			require.NoError(t, err)
		})
		memory := alignedBytes(len(want)+shifts[len(shifts)-1], 0)
		for _, path := range tier.Available() {
			for _, shift := range shifts {
				for _, workers := range workers {
					got := memory[shift:][:len(want)]
					copy(got, canary)
					what := fmt.Sprintf("path %s, %+v, %d bytes off, %d workers", path, c, shift, workers)
					var misses int
					var err error
					pathtest.With(path, func() {
						if workers > 0 {
							misses, err = onehot.EncodeRawParallel(got[margin:][:need], indices, s, workers)
						} else {
							misses, err = onehot.EncodeRaw(got[margin:][:need], indices, s)
						}
					})
					require.NoError(t, err, what)
					require.Equal(t, wantMisses, misses, what)
					require.True(t, bytes.Equal(want, got), what)
				}
			}
		}
	}
}

// The last kernel call of a large output ends where the allocation ends. No
// pointer past it may even be formed: checkptr, which -race turns on, would
// find it.
func TestEncodeIntoExactAllocation(t *testing.T) {
	defer tier.ForceLLC(1 << 20)() // so that little is large
	rows := 204_800                // of whole pages
	if testing.Short() {
		rows /= 10
	}
	indices := make([]uint8, rows)
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{30, 29} {
			for r := range indices {
				indices[r] = uint8(r * 7 % (depth + 1))
			}
			dst := make([]float32, rows*depth)
			s := onehot.Spec[float32]{Depth: depth, On: 1}
			for _, inner := range []int{1, rows} {
				s.Inner = inner
				misses, err := onehot.Encode(dst, indices, s)
				require.NoError(t, err)
				wantMisses := 0
				for r, class := range indices {
					if int(class) >= depth {
						wantMisses++
						continue
					}
					at := r*depth + int(class)
					if inner > 1 {
						at = int(class)*rows + r
					}
					if dst[at] != 1 {
						require.Equal(t, float32(1), dst[at], "index %d, depth %d, inner %d", r, depth, inner)
					}
				}
				assert.Equal(t, wantMisses, misses)
				assert.Equal(t, rows-wantMisses, len(dst)-bytes.Count(view.Bytes(dst), []byte{0, 0, 0, 0}), "one cell an index, and 1 has no zero word")
			}
		}
	})
}

// The last column has no cells: where they would be, the allocation ends. Only
// checkptr sees whether a pointer there is formed.
func TestColumnWithoutCellsEndsAllocation(t *testing.T) {
	miss := 7.0
	pathtest.Each(t, func(t *testing.T) {
		for _, rows := range []int{1, 4, 64, 256} { // of whole size classes
			none := slices.Repeat([]int16{-1}, rows)
			for cell, s := range map[float64]onehot.Spec[float64]{0: {On: 1}, miss: {On: 1, Miss: &miss}} {
				dst := make([]float64, 8*rows)
				misses, err := onehot.EncodeColumns(dst, [][]int16{none, none}, []int{8, 0}, s)
				require.NoError(t, err)
				assert.Equal(t, 2*rows, misses)
				assert.Equal(t, slices.Repeat([]float64{cell}, 8*rows), dst)
			}
		}
	})
}

// Indices at an address that Go does not load them from are staged, a few at a
// time. On a 32-bit processor 64-bit indices may be at such an address. With
// Depth 0 there is no cell at which the second stage could start.
func TestEncodeDepthZeroOddAddresses(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		requireAllMissed[int64](t)
		requireAllMissed[uint64](t)
		requireAllMissed[float64](t)
	})
}

// requireAllMissed encodes indices at two addresses four bytes apart, modulo
// eight, if the processor aligns them to four.
func requireAllMissed[I onehot.Index](t *testing.T) {
	const n = 300
	var pairs [2]struct {
		_       int32
		indices [n]I
	}
	miss := float32(2)
	for k := range pairs {
		for _, inner := range []int{1, n} {
			for _, m := range []*float32{nil, &miss} {
				misses, err := onehot.Encode([]float32(nil), pairs[k].indices[:], onehot.Spec[float32]{Inner: inner, Miss: m})
				require.NoError(t, err)
				require.Equal(t, n, misses)
			}
		}
	}
}

// An output that no process can address is an error. The runtime would panic
// only for the largest of these, and end the process for the others.
func TestAppendEncodeBeyondAddresses(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("an int does not reach that far")
	}
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []uint64{1 << 47, 1<<47 + 5, 1<<48 - 1, 1 << 48, 1 << 62} {
			s := onehot.Spec[uint8]{Depth: int(depth), On: 1}
			out, misses, err := onehot.AppendEncode(nil, []int{0}, s)
			require.ErrorIs(t, err, onehot.ErrTooLarge, "depth %d", depth)
			assert.Zero(t, misses)
			assert.Nil(t, out)
			dst := []uint8{1, 2, 3}
			out, _, err = onehot.AppendEncode(dst, []int{0}, s)
			require.ErrorIs(t, err, onehot.ErrTooLarge, "depth %d", depth)
			assert.Equal(t, dst, out)
		}
		part := uint64(1) << 41 // of 64 bytes each
		_, _, err := onehot.AppendEncode(nil, []int8{0, 1, 2, 3}, onehot.Spec[complex128]{Depth: int(part), On: 1})
		require.ErrorIs(t, err, onehot.ErrTooLarge)
	})
}
