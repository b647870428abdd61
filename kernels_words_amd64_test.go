//go:build !purego && (linux || darwin)

package onehot

var wordTiers = []wordKernels{
	{
		name: "AVX512", vector: 64, marks: marksAVX512, setMarks: setMarksAVX512, least: 8,
		spread: map[int]spreadKernel{8: spread8AVX512, 16: spread16AVX512, 32: spread32AVX512, 64: spread64AVX512},
		differ: map[int]differKernel{8: differ8AVX512, 16: differ16AVX512, 32: differ32AVX512, 64: differ64AVX512},
	},
	{
		name: "AVX2", vector: 32, marks: marksAVX2, setMarks: setMarksAVX2, least: 4,
		spread: map[int]spreadKernel{8: spread8AVX2, 16: spread16AVX2, 32: spread32AVX2, 64: spread64AVX2},
		differ: map[int]differKernel{8: differ8AVX2, 16: differ16AVX2, 32: differ32AVX2, 64: differ64AVX2},
	},
}

var lightSetsKernels = map[int]lightSetsKernel{8: lightSets8, 16: lightSets16, 32: lightSets32, 64: lightSets64}
