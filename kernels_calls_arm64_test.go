//go:build !purego && (linux || darwin)

package onehot

var callTiers = []callKernels{
	{
		name: "NEON", vector: 16, text: classesTextNEON, bits: bitsOf,
		hits:    map[int]hitsKernel{8: hits8NEON, 16: hits16NEON, 32: hits32NEON, 64: hits64NEON},
		collect: map[int]collectKernel{8: collect8NEON, 16: collect16NEON, 32: collect32NEON, 64: collect64NEON},
	},
}
