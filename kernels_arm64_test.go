//go:build !purego && (linux || darwin)

package onehot

import "golang.org/x/sys/cpu"

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
