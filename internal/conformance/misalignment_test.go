package conformance

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
)

// The indices, and the output, start at every place in a cache line, for every
// pair of types.
func TestEveryMisalignment(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, index := range indexTypes {
			for _, width := range widths {
				for shift := (3*k + width) % sparse(13); shift < 64; shift += sparse(13) {
					c := rawCase{index: index, width: width, indexShift: shift, encodeCase: encodeCase{
						n: 150, depth: 10, shift: (shift*5 + k + width) % 64, values: shift, neg: modes[shift%2], seed: uint64(k),
					}}
					checkRaw(t, c)
					c.inner, c.depth = 75, 3
					checkRaw(t, c)
				}
			}
		}
	})
}
