//go:build !purego && (linux || darwin)

package onehot

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"
)

var kernelTiers = []kernelTier{
	{
		name: "AVX512", vector: 64,
		has: cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL &&
			cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2,
		classes: map[string]indexKernel{
			"I8": classesI8AVX512, "U8": classesU8AVX512, "I16": classesI16AVX512, "U16": classesU16AVX512,
			"I32": classesI32AVX512, "I64": classesI64AVX512, "F32": classesF32AVX512, "F64": classesF64AVX512,
		},
		narrow:       map[int]narrowKernel{8: narrow8AVX512, 16: narrow16AVX512},
		widen:        widen64AVX512,
		expand:       map[int]expandKernel{8: expand8AVX512, 16: expand16AVX512, 32: expand32AVX512, 64: expand64AVX512},
		block:        map[int]int{8: 64, 16: 32, 32: 16, 64: 8},
		planes:       map[int]planesKernel{8: planes8AVX512, 16: planes16AVX512, 32: planes32AVX512, 64: planes64AVX512},
		fill:         fillAVX512,
		stream:       streamAVX2,
		streamPlanes: map[int]planesKernel{8: streamPlanes8AVX2, 16: streamPlanes16AVX2, 32: streamPlanes32AVX2, 64: streamPlanes64AVX2},
	},
	{
		name: "AVX2", vector: 32, has: cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT,
		classes: map[string]indexKernel{
			"I8": classesI8AVX2, "U8": classesU8AVX2, "I16": classesI16AVX2, "U16": classesU16AVX2,
			"I32": classesI32AVX2, "I64": classesI64AVX2, "F32": classesF32AVX2, "F64": classesF64AVX2,
		},
		narrow:       map[int]narrowKernel{8: narrow8AVX2, 16: narrow16AVX2},
		widen:        widen64AVX2,
		expand:       map[int]expandKernel{8: expand8AVX2, 16: expand16AVX2, 32: expand32AVX2, 64: expand64AVX2},
		block:        map[int]int{8: 16, 16: 8, 32: 8, 64: 4},
		planes:       map[int]planesKernel{8: planes8AVX2, 16: planes16AVX2, 32: planes32AVX2, 64: planes64AVX2},
		fill:         fillAVX2,
		stream:       streamAVX2,
		streamPlanes: map[int]planesKernel{8: streamPlanes8AVX2, 16: streamPlanes16AVX2, 32: streamPlanes32AVX2, 64: streamPlanes64AVX2},
	},
}

// The string stores belong to no tier: every amd64 has them.
func TestFillSTOS(t *testing.T) {
	checkFills(t, func(dst unsafe.Pointer, n int, lo, hi uint64) { fillSTOS(dst, n, lo) }, false)
}
