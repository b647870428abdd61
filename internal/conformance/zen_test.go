package conformance

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// The plans for AMD's cores up to Zen 4 hold on any processor.
func TestZen(t *testing.T) {
	defer tier.ForceLLC(4 << 20)()
	defer func(l1, l2 int) { tier.Zen1To4, tier.L1, tier.L2 = false, l1, l2 }(tier.L1, tier.L2)
	tier.Zen1To4, tier.L1, tier.L2 = true, 32<<10, 128<<10
	pathtest.Each(t, func(t *testing.T) {
		for k, c := range []layoutCase{
			{outer: 500, depth: 5}, {outer: 400, depth: 13}, {outer: 300, depth: 50}, // rows with few misses
			{outer: 500, depth: 33}, {outer: 400, depth: 37}, {outer: 2000, depth: 70}, {outer: 6000, depth: 81}, // blended and not
			{outer: 1, depth: 20, inner: 64}, {outer: 1, depth: 45, inner: 96}, {outer: 2, depth: 60, inner: 100}, // small planes
			{outer: 1, depth: 16, inner: 5000}, {outer: 2, depth: 9, inner: 4001}, {outer: 1, depth: 17, inner: 5000}, // long planes
			{outer: 40, depth: 60, inner: 1001}, {outer: 40, depth: 61, inner: 1001}, // beyond the last-level cache
		} {
			for _, miss := range []bool{false, true} {
				c.miss, c.percent, c.values, c.shift, c.seed = miss, 2, k, k%7, uint64(k)
				for i := range 4 {
					layoutChecks[(4*k+i)%len(layoutChecks)](t, c)
				}
			}
		}
		for i, depth := range []int{129, 192, 200, 256, 257} { // sets from bits, except the last and strings
			for j, check := range setsChecks {
				c := encodeCase{depth: depth, neg: modes[j%2], values: j, shift: j % 6, seed: uint64(i)}
				check(t, 301+j, 17+j, c)
			}
		}
	})
}
