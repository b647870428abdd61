//go:build !purego && (linux || darwin)

package onehot

var callTiers = []callKernels{
	{
		name: "AVX512", vector: 64, text: classesTextAVX512, bits: bitsAVX512,
		hits:    map[int]hitsKernel{8: hits8AVX512, 16: hits16AVX512, 32: hits32AVX512, 64: hits64AVX512},
		collect: map[int]collectKernel{8: collect8AVX512, 16: collect16AVX512, 32: collect32AVX512, 64: collect64AVX512},
	},
	{
		name: "AVX2", vector: 32, text: classesTextAVX2, bits: bitsAVX2,
		hits:    map[int]hitsKernel{8: hits8AVX2, 16: hits16AVX2, 32: hits32AVX2, 64: hits64AVX2},
		collect: map[int]collectKernel{8: collect8AVX2, 16: collect16AVX2, 32: collect32AVX2, 64: collect64AVX2},
	},
}
