//go:build linux

package conformance

import (
	"fmt"
	"testing"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// Rows in which several cells are on lie flush with the guards. Their kernels
// store whole vectors, for which the last rows have no room.
func TestGuardPagesOfWideRows(t *testing.T) {
	const rows, depth = 130, 257
	p := newPens(t, rows*depth)
	pathtest.Each(t, func(t *testing.T) {
		guardRows[uint8, int32](t, p)
		guardRows[uint16, uint8](t, p)
		guardRows[float32, int64](t, p)
		guardRows[float64, float32](t, p)
		guardRows[bool, float64](t, p)
		guardRows[int16, int16](t, p)
	})
}

func guardRows[V onehot.Value, I onehot.Index](t *testing.T, p pens) {
	many := mixed[I](uint64(view.Size[V]()), 130*40, 40)
	seed := 0
	for _, depth := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65, 100, 127, 128, 129, 192, 257} {
		for _, rows := range []int{1, 7, 16, 63, 64, 65, 80, 127, 130} {
			for _, k := range []int{1, 3, 4, 5, 8, 9, 16, 17, 40} {
				if seed++; seed%(3*sparse(5)) != 0 {
					continue
				}
				s := specOf[V](encodeCase{depth: depth, values: seed, neg: modes[seed/2%2]})
				what := func() string { return fmt.Sprintf("%T of %T, %d rows, k %d: %+v", s, many, rows, k, s) }
				for side := range 4 {
					last, lastIn := sides(side)
					dst, sets := penned[V](p.out, rows*depth, last), penned[I](p.in, rows*k, lastIn)
					copy(sets, many)
					inside(t, what, func() { must(onehot.MultiHot(dst, sets, k, s)) })
					first, second := penned[I](p.in, rows, lastIn), penned[I](p.more, rows, lastIn)
					copy(first, many)
					copy(second, many[rows:])
					columns, depths := [][]I{first, second, first}, []int{depth / 3, depth - depth/3, 0}
					inside(t, what, func() { must(onehot.EncodeColumns(dst, columns, depths, s)) })
				}
			}
		}
	}
}
