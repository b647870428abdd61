//go:build !purego && (linux || darwin)

package onehot

var wordTiers = []wordKernels{
	{
		name: "NEON", vector: 16, marks: marksNEON,
		spread: map[int]spreadKernel{8: spread8NEON, 16: spread16NEON, 32: spread32NEON, 64: spread64NEON},
		differ: map[int]differKernel{8: differ8NEON, 16: differ16NEON, 32: differ32NEON, 64: differ64NEON},
	},
}

var lightSetsKernels = map[int]lightSetsKernel{8: lightSets8, 16: lightSets16, 32: lightSets32, 64: lightSets64}
