//go:build (!amd64 && !arm64) || purego

package onehot

// This is the dispatch of platforms without kernels, where every plan is direct
// and every fill is Go's.

// active is the path of this process.
func active() path { return generic }

// streams tells that there are non-temporal stores.
const streams = false

// bitKernels and decodeKernels tell that there are kernels for bit planes and
// for Decode.
const bitKernels, decodeKernels = false, false

func (j *job) blocks(p *plan) (misses int) { return j.direct(p) }

func fillRun[E any](dst []E, off E, _ filler) { fillGeneric(dst, off) }

// No plan asks for the others here.

func fuses(*job) bool { return false }

func streamDirect[E any](_ *job, _ []E, _, _ E) (misses int) { return 0 }

func decodeMarks[I Signed, E comparable](_ []I, _ []E, _, _ E, _ *layout) (invalid int) { return 0 }

func decodePlanes[I Signed, E comparable](_ []I, _ []E, _, _ E, _ *layout) (invalid int) { return 0 }
