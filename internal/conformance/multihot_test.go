package conformance

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

func TestMultiHot(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 60; seed += uint64(sparse(7)) {
			for _, k := range []int{1, 2, 3, 8, 50} {
				c := encodeCase{depth: []int{0, 1, 2, 5, 8, 16, 60, 64, 65, 128, 300}[seed%11], values: int(seed), neg: modes[seed/2%2], shift: int(seed % 5), seed: seed}
				if seed%4 == 0 {
					c.stride, c.extra = c.depth+int(seed%7), 2
				}
				rows := []int{0, 1, 3, 40, 70}[seed%5]
				checkMultiHot[bool, int16](t, rows, k, c)
				checkMultiHot[uint8, uint8](t, rows, k, c)
				checkMultiHot[float32, int64](t, rows, k, c)
				checkMultiHot[float64, float64](t, rows, k, c)
				checkMultiHot[complex128, int32](t, rows, k, c)
				checkMultiHot[string, uint32](t, rows, k, c)
			}
		}
		checkMultiHot[uint16, int32](t, 5000, 4, encodeCase{depth: 33, values: 2, seed: 2})
	})
}

// The following tests cover the borders of the routes of MultiHot: from bits if
// sets have many indices for the words of a row, otherwise by fill and scatter.

type setsCheck func(t testing.TB, rows, k int, c encodeCase)

// setsChecks have every width of element and every type of index.
var setsChecks = []setsCheck{
	checkMultiHot[uint8, int64], checkMultiHot[uint16, uint8], checkMultiHot[float32, float32], checkMultiHot[float64, int32],
	checkMultiHot[complex64, uint64], checkMultiHot[bool, int16], checkMultiHot[int16, float64], checkMultiHot[uint32, int8],
	checkMultiHot[int64, uint16], checkMultiHot[int8, uint32], checkMultiHot[complex128, int16], checkMultiHot[string, float32],
}

func TestMultiHotEverySet(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := 0
		for k := 1; k <= 40; k++ {
			block := plan.SetBlock / k
			for _, depth := range []int{1, 2 + k%9, 60, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257} { // from bits up to 128 or 256
				for _, rows := range []int{63 / k, (63 + k) / k, block, block + 1, 2*block + 3, 120 + k, 300 + k, 620 + k} { // the last three are enough to write from bits
					if seed++; seed%(7*sparse(7)) != 0 {
						continue
					}
					c := encodeCase{depth: depth, neg: modes[seed/3%2], values: seed, shift: seed % 6, extra: seed % 2, seed: uint64(seed)}
					setsChecks[seed%len(setsChecks)](t, rows, k, c)
				}
			}
		}
	})
}

// Sets are as large as a block and larger, rows as long as a scratch buffer.
func TestMultiHotLargeSets(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := 0
		for _, k := range []int{64, 70, 127, 128, 255, 256, 257, 513} {
			for _, depth := range []int{3, 63, 128, 129, 1000, 2048, 2049} {
				for _, rows := range []int{1, 2, 3, 17} {
					if seed++; seed%sparse(11) != 0 || rows*depth*k > 4_000_000 {
						continue
					}
					c := encodeCase{depth: depth, neg: modes[seed/3%2], values: seed, shift: seed % 6, seed: uint64(seed)}
					setsChecks[seed%len(setsChecks)](t, rows, k, c)
				}
			}
		}
		checkMultiHot[uint8, uint16](t, 4, 256, encodeCase{depth: 64 * 128, values: 2, seed: 8})
		checkMultiHot[uint8, uint16](t, 4, 256, encodeCase{depth: 64*128 + 1, values: 3, seed: 9})
	})
}

// Sets in which no index has a class, all have the same, or all but a few are
// padding; with gaps and without.
func TestMultiHotSameIndices(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := 0
		for _, check := range setsChecks {
			for _, k := range []int{1, 3, 4, 7, 8, 9, 21} {
				for _, depth := range []int{2, 60, 200, 700} {
					for _, raw := range [][]byte{bytes.Repeat([]byte{0xff}, 70*k*8), make([]byte, 70*k*8), bytes.Repeat([]byte{0xff}, 66*k), nil} {
						if seed++; seed%(5*sparse(9)) != 0 {
							continue
						}
						c := encodeCase{depth: depth, neg: modes[seed%2], values: seed, shift: seed % 3, raw: raw, seed: uint64(seed)}
						if seed/2%3 == 0 {
							c.stride, c.extra = depth+seed%9, 1
						}
						check(t, 70, k, c)
					}
				}
			}
		}
	})
}

// Deep rows are filled a part at a time and scattered to. Off is zero or not,
// and the outputs fit a block, or go beyond it or beyond L2.
func TestMultiHotDeepRows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k := range 4 {
			checkMultiHot[uint8, int32](t, 300, 1+k, encodeCase{depth: 700, values: k, seed: 2})
			checkMultiHot[float32, int64](t, 40, 2+k, encodeCase{depth: 5000 * k, values: k, neg: onehot.Normalize, seed: 2})
			checkMultiHot[uint16, uint8](t, 70, 2, encodeCase{depth: 8191 + k, values: k, stride: 8191 + 2*k, seed: 3})
			if !testing.Short() {
				checkMultiHot[float64, int16](t, 150, 3, encodeCase{depth: 1000 + k, values: k, shift: k, stride: k / 2 * 1010, seed: 5}) // beyond L2
			}
		}
	})
}

func TestMultiHotLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large outputs")
	}
	defer tier.ForceLLC(streamedLLC)()
	pathtest.Each(t, func(t *testing.T) {
		for k, depth := range []int{130, 65} {
			checkMultiHot[float64, uint8](t, streamed/8/depth+1, 6-k, encodeCase{depth: depth, values: k, shift: k, neg: modes[k%2], seed: 2})
		}
		checkMultiHot[float32, int64](t, streamed/4/320+1, 10, encodeCase{depth: 320, values: 3, shift: 3, seed: 4})
		checkMultiHot[float64, int16](t, streamed/8/1000, 2, encodeCase{depth: 1000, values: 2, seed: 2}) // scattered
	})
}

// Both routes write the same: a call that is divided in two, anywhere, is the
// same as the whole call.
func TestMultiHotEveryCut(t *testing.T) {
	const rows, depth = 640, 60 // enough rows to write from bits, if k is 8 or 9
	pathtest.Each(t, func(t *testing.T) {
		for k := 1; k <= 9; k++ {
			indices := mixed[int16](uint64(k), rows*k, depth)
			s := onehot.Spec[uint16]{Depth: depth, On: 3, Off: 5, Negative: modes[k%2]}
			whole := make([]uint16, rows*depth)
			misses, err := onehot.MultiHot(whole, indices, k, s)
			must(misses, err)
			for cut := 0; cut <= rows; cut += 7 * sparse(7) {
				parts := make([]uint16, rows*depth)
				first, err := onehot.MultiHot(parts, indices[:cut*k], k, s)
				must(first, err)
				second, err := onehot.MultiHot(parts[cut*depth:], indices[cut*k:], k, s)
				must(second, err)
				if first+second != misses || !slices.Equal(whole, parts) {
					t.Fatalf("path %s, k %d, cut at %d: %d misses and %d, %d in one call", onehot.Path(), k, cut, first, second, misses)
				}
			}
		}
	})
}

// A few rows with gaps, with none though there is a Stride, or a single one.
func TestMultiHotOfFewRowsWithStride(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := 0
		for _, rows := range []int{1, 2, 7, 40, 300} {
			for _, k := range []int{1, 2, 3, 5, 8, 30} {
				for _, depth := range []int{1, 10, 70, 200, plan.SmallSide - 1, plan.SmallSide, plan.SmallSide + 1} {
					if rows > 2 && depth > 200 {
						continue
					}
					for _, stride := range []int{depth, depth + 1, depth + 30} {
						seed++
						c := encodeCase{depth: depth, neg: modes[seed%2], values: seed, stride: stride, extra: seed % 3, shift: seed % 5, seed: uint64(seed)}
						setsChecks[seed%len(setsChecks)](t, rows, k, c)
					}
				}
			}
		}
	})
}

// Without indices nothing is written, though dst has room for rows.
func TestMultiHotOfNoRows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{0, 1, 10, plan.SmallSide - 1, plan.SmallSide, plan.SmallSide + 1} {
			for _, stride := range []int{0, depth, depth + 1, 2 * depth} {
				dst := make([]uint8, 3*plan.SmallSide)
				misses, err := onehot.MultiHot(dst, []int32{}, 2, onehot.Spec[uint8]{Depth: depth, On: 1, Off: 2, Stride: stride})
				require.NoError(t, err)
				require.Zero(t, misses)
				require.Equal(t, make([]uint8, len(dst)), dst)
			}
		}
	})
}
