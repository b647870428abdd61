//go:build !purego && (linux || darwin)

package onehot

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// TestFusedKernel runs the kernel that has both stages at once against classOf, row by row, flush against pages that fault.
func TestFusedKernel(t *testing.T) {
	if !kernelTiers[0].has {
		t.Skip("no AVX-512")
	}
	r := rand.New(rand.NewPCG(21, 22))
	dst, src := newArena(t, 1<<14), newArena(t, 1<<12)
	for _, depth := range []int{2, 4, 8, 16} {
		for rows := 16; rows <= 100; rows++ {
			for _, s := range spots(4 * r.IntN(16)) {
				for _, wrap := range []int{0, depth} {
					in, _ := src.buffer(8*rows, spots(8 * r.IntN(8))[rows%2])
					for i := range rows {
						binary.LittleEndian.PutUint64(in[8*i:], uint64(label(r, depth)))
					}
					out, intact := dst.buffer(4*rows*depth, s)
					misses := expandI64by32AVX512(pointer(out), pointer(in), rows, depth, 0x3f800000, 0x80000000, wrap)
					want := 0
					for i := range rows {
						class, ok := classOf(int64(binary.LittleEndian.Uint64(in[8*i:])), depth, wrap)
						if !ok {
							class = -1
							want++
						}
						for d := range depth {
							cell := uint32(0x80000000)
							if int64(d) == class {
								cell = 0x3f800000
							}
							if got := binary.LittleEndian.Uint32(out[4*(i*depth+d):]); got != cell {
								t.Fatalf("depth %d, row %d of %d, %s: cell %d is %#x, want %#x", depth, i, rows, s.name, d, got, cell)
							}
						}
					}
					if misses != want || !intact() {
						t.Fatalf("depth %d, %d rows, %s: %d misses, want %d; intact %v", depth, rows, s.name, misses, want, intact())
					}
				}
			}
		}
	}
}

// label draws an index: mostly a class, sometimes one that only 64 bits tell from a class.
func label(r *rand.Rand, depth int) int64 {
	switch r.IntN(8) {
	case 0:
		return int64(r.IntN(4*depth) - 2*depth)
	case 1:
		return int64(r.IntN(depth)) + 1<<32
	case 2:
		return []int64{math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxUint32, -1 << 32}[r.IntN(5)]
	}
	return int64(r.IntN(depth))
}
