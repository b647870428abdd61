package conformance

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

// The plans for Skylake's servers hold on any processor.
func TestSkylakeServer(t *testing.T) {
	defer tier.ForceLLC(4 << 20)()
	defer func() { tier.SkylakeServer = false }()
	tier.SkylakeServer = true
	pathtest.Each(t, func(t *testing.T) {
		for k, c := range []layoutCase{
			{outer: 50, depth: 10}, {outer: 100, depth: 7}, // small rows, blended and not
			{outer: 10, depth: 100}, {outer: 12, depth: 600}, {outer: 4, depth: 9000}, // filled by string stores from 4 KiB on
			{outer: 20, depth: 50, stride: 60}, {outer: 3, depth: 5000, stride: 5001},
			{outer: 3, depth: 20, inner: 30}, {outer: 2, depth: 40, inner: 30, plane: 50},
			{outer: 2000, depth: 12}, {outer: 1500, depth: 25}, {outer: 6000, depth: 45}, {outer: 9000, depth: 80}, // longer rows, the larger the output
			{outer: 1, depth: 40, inner: 1500}, {outer: 1, depth: 33, inner: 12_000}, {outer: 40, depth: 36, inner: 300}, // deep planes
		} {
			for _, miss := range []bool{false, true} {
				c.miss, c.percent, c.values, c.shift, c.seed = miss, 3, k, k%7, uint64(k)
				for i := range 4 {
					layoutChecks[(4*k+i)%len(layoutChecks)](t, c)
				}
			}
		}
		defer func(was int) { tier.L2 = was }(tier.L2)
		tier.L2 = 64 << 10 // planes beyond it, whose few misses are stored
		for k, inner := range []int{64, 65, 100, 600} {
			c := layoutCase{outer: 2, depth: 250 + 10*(k%2), inner: inner, miss: true, percent: k, neg: modes[k%2], values: k}
			checkLayout[float32, int64](t, c)
			checkLayout[complex128, int16](t, c)
			c.stride = c.depth*inner + k
			checkLayout[float64, uint8](t, c)
			checkLayout[uint16, int32](t, c)
			c.stride, c.plane = 0, inner+k
			checkLayout[float32, int8](t, c)
		}
		checkBits(t, mixed[uint16](1, 30_000, 300), 300, modes[0], 0) // more planes, because setting bits would wait
		for _, over := range []int{16, 17, 31} {                      // too few cells after a whole call for string stores
			checkEncode[float32, int32](t, encodeCase{n: 3, inner: 1, depth: plan.CallBytes/4 + over})
		}
	})
}
