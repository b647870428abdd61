//go:build linux

package conformance

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// Recode writes the right codes, to dst and in place, with validity bits and
// tables that end at a guard.
func TestGuardPagesOfRecodeBlocks(t *testing.T) {
	p := newPens(t, guardCells)
	tables := newPen(t, 4096)
	pathtest.Each(t, func(t *testing.T) {
		guardRecodeBlocks[uint8, uint8](t, p, tables)
		guardRecodeBlocks[uint8, int32](t, p, tables)
		guardRecodeBlocks[int8, int8](t, p, tables)
		guardRecodeBlocks[int8, float64](t, p, tables)
		guardRecodeBlocks[uint16, int64](t, p, tables)
		guardRecodeBlocks[int32, int32](t, p, tables)
		guardRecodeBlocks[uint64, uint16](t, p, tables)
	})
}

func guardRecodeBlocks[C onehot.Code, I onehot.Index](t *testing.T, p pens, tables pen) {
	seed, narrow, wide := 0, fewestRecoded(1, 1), fewestRecoded(1, 2)
	for k, n := range []int{1, 63, 64, 65, 127, narrow - 1, narrow, 191, 192, wide - 1, wide, 575, 576, 1000, 2047, 2048, 2111, 2112, 2113, 5000} {
		many := mixed[I](uint64(k), n, 40)
		for offset := 0; offset < 70; offset += sparse(9) {
			for _, length := range []int{-1, 1, 40, 255, 256} {
				if seed++; testing.Short() && seed%3 != 0 {
					continue
				}
				for side := range 4 {
					last, lastIn := sides(side)
					dst, indices, valid := penned[C](p.out, n, last), penned[I](p.in, n, lastIn), penned[byte](p.more, (offset+n+7)/8, last)
					copy(indices, many)
					if length < 0 && offset%2 == 0 { // codes that a byte holds
						for i := range indices {
							indices[i] = I(i % 120)
						}
					}
					for i := range valid {
						valid[i] = byte(i * 73)
					}
					var table []C
					if length >= 0 {
						table = penned[C](tables, length, lastIn)
						for i := range table {
							table[i] = C(i * (1 + seed%3)) // a byte holds all or some
						}
					}
					bitmap := &onehot.Bitmap{Bits: valid, Offset: offset}
					if side == 1 {
						bitmap = nil
					}
					want, wantMisses := recoded(indices, table, bitmap)
					what := func() string {
						return fmt.Sprintf("%T of %T, %d indices, offset %d, table of %d", dst, indices, n, offset, length)
					}
					check := func(to []C) {
						misses := 0
						inside(t, what, func() {
							var err error
							misses, err = onehot.Recode(to, indices, table, bitmap)
							require.NoError(t, err)
						})
						require.Equal(t, wantMisses, misses, what())
						require.True(t, sameBits(want, to), what())
					}
					check(dst)
					if view.Size[C]() == view.Size[I]() {
						check(unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(indices))), n))
					}
				}
			}
		}
	}
}
