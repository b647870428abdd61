package conformance

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// The plans for Intel's cores hold on any processor: with a small first-level
// cache, kernels of AVX-512 prefetch and string stores fill small outputs, too.
func TestIntel(t *testing.T) {
	defer func(was bool, l1 int) { tier.Intel, tier.L1 = was, l1 }(tier.Intel, tier.L1)
	tier.Intel, tier.L1 = true, 1<<10
	pathtest.Each(t, func(t *testing.T) {
		for k, c := range []layoutCase{
			{outer: 300, depth: 2}, {outer: 100, depth: 7}, {outer: 2000, depth: 12}, {outer: 500, depth: 50}, // rows, also in two parts
			{outer: 3, depth: 700}, {outer: 9, depth: 900}, {outer: 20, depth: 400, stride: 411}, // filled
			{outer: 1, depth: 3, inner: 700}, {outer: 1, depth: 9, inner: 3001}, {outer: 5, depth: 12, inner: 64}, {outer: 7, depth: 5, inner: 81}, // planes
			{outer: 1, depth: 20, inner: 5000}, {outer: 2, depth: 16, inner: 1024, plane: 1100}, {outer: 3, depth: 150, inner: 300}, // plane by plane, padded, filled
		} {
			for _, miss := range []bool{false, true} {
				c.miss, c.percent, c.values, c.shift, c.seed = miss, 3, k, k%7, uint64(k)
				for i := range 4 {
					layoutChecks[(4*k+i)%len(layoutChecks)](t, c)
				}
			}
		}
		for k, depths := range [][]int{{7, 9}, {20, 30, 14}, {11, 6, 3}, {40, 25}, {100, 100}, {300, 5, 128}, {64, 64, 64, 64}} { // tables and sets, whose rows fit a vector or a word, or do not
			c := encodeCase{values: k, shift: k % 7, extra: 2, neg: modes[k%2], seed: uint64(k)}
			fits, exceeds := c, c
			fits.depth, exceeds.depth = []int{10, 40, 64, 100, 256, 320, 448}[k], 449+63*k // words of a row, for the buffers of sets
			for i := range columnsChecks {
				columnsChecks[i](t, 700+k, depths, c)
				setsChecks[i](t, 500+k, 8+k, fits)
			}
			setsChecks[k](t, 519, 8, exceeds)
			checkMissColumns[float32, int64](t, 800, depths, 3, k)
			n := []int{8, 40, 64, 65, 100, 448, 1000}[k]
			checkExpandBits[uint8](t, 40, n, k, k, 1)
			checkExpandBits[float32](t, 40, n, k, k, 2)
			checkExpandBits[complex128](t, 40, n, k, k, 3)
		}
		checkBits(t, mixed[uint16](1, 30_000, 300), 300, modes[0], 0)
	})
}
