//go:build (!amd64 && !arm64) || purego

package onehot

// This is the dispatch of platforms without kernels, where every plan is direct
// and every fill is Go's.

// streams tells that there are non-temporal stores, boardKernels that there are
// kernels for blocks of a few vectors.
const streams, boardKernels = false, false

func (j *job) blocks(p *plan) (misses int) { return j.direct(p) }

func fillRun[E any](dst []E, off E, _ filler) { fillGeneric(dst, off) }

// No plan asks for the others here.

func fuses(*job) bool { return false }

func streamDirect[E any](_ *job, _ []E, _, _ E) (misses int) { return 0 }

func decodeMarks[I Code, E comparable](_ []I, _ []E, _, _ E, _ *layout) (invalid int) { return 0 }

func decodePlanes[I Code, E comparable](_ []I, _ []E, _, _ E, _ *layout) (invalid int) { return 0 }

func spreadColumns[V Value, I Index](_ []V, _ [][]I, _ []int, _, _ V, _ *layout, _ Negative, _ *plan) (misses int) {
	return 0
}

func (j *job) lightBlocks(_ *plan, _ int) (misses int) { return 0 }

func updateBlocks[V Value, I Index](_ []V, _, _ []I, _, _ V, _ *layout, _ int) (misses int) {
	return 0
}

func spreadSets[V Value, I Index](_ []V, _ []I, _ int, _, _ V, _ *layout, _ int, _ *plan) (misses int) {
	return 0
}
