//go:build !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

var kernelTiers = []kernelTier{
	{
		name: "NEON", vector: 16, has: cpu.ARM64.HasASIMD,
		classes: map[string]indexKernel{
			"I8": classesI8NEON, "U8": classesU8NEON, "I16": classesI16NEON, "U16": classesU16NEON,
			"I32": classesI32NEON, "I64": classesI64NEON, "F32": classesF32NEON, "F64": classesF64NEON,
		},
		narrow: map[int]narrowKernel{8: narrow8NEON, 16: narrow16NEON},
		widen:  widen64NEON,
		expand: map[int]expandKernel{8: expand8NEON, 16: expand16NEON, 32: expand32NEON, 64: expand64NEON},
		block:  map[int]int{8: 16, 16: 8, 32: 4, 64: 2},
		planes: map[int]planesKernel{8: planes8NEON, 16: planes16NEON, 32: planes32NEON, 64: planes64NEON},
		fill:   fillNEON,
	},
}

// What bitsNEON decodes: slices of lanes.
func TestSlicesKernel(t *testing.T) {
	dst, src := newArena(t, 1<<13), newArena(t, 1<<13)
	r := rand.New(rand.NewPCG(23, 24))
	for words := 1; words <= 20; words++ {
		for _, s := range spots(0, 1, 63) {
			n, first := 64*words, r.IntN(256)
			in, _ := src.buffer(n, s)
			for i := range in {
				in[i] = byte(r.IntN(256))
			}
			apart := n/8 + 8 + r.IntN(20)
			out, intact := dst.buffer(7*apart+n/8+8, s)
			slicesNEON(pointer(out), apart, pointer(in), n, first)
			for k := range 8 {
				want := make([]byte, n/8)
				for i, x := range in {
					want[i/8] |= (x - byte(first)) >> k & 1 << (i % 8)
				}
				if got := out[k*apart:][:n/8]; !bytes.Equal(want, got) || !intact() {
					t.Fatalf("slice %d of %d lanes from %d, %d apart, %s: wrong, intact %v", k, n, first, apart, s.name, intact())
				}
			}
		}
	}
}
