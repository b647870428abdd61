// Package tier says which path this process runs and which caches it has.
//
// AVX512, AVX2 and NEON report whether the kernels of a tier may run: each is
// the full conjunction of what they use, so that any switch of GODEBUG steps
// down, because the flags of x/sys/cpu do not cascade. What a platform has no
// kernels for is a constant there, and code behind it is not compiled.
package tier

import "slices"

// A Path is a set of routines that a processor can run, from the one that every
// processor can to the widest.
type Path uint8

const (
	GenericPath Path = iota
	NEONPath
	AVX2Path
	AVX512Path
)

// String returns the name that users know: onehot.Path reports it.
func (p Path) String() string {
	return [...]string{"generic", "neon", "avx2", "avx512"}[p]
}

// Active is the path of this process.
func Active() Path {
	switch {
	case AVX512:
		return AVX512Path
	case AVX2:
		return AVX2Path
	case NEON:
		return NEONPath
	}
	return GenericPath
}

// best is the path of the process before any test forced another.
var best = Active()

// Available returns what the processor, and GODEBUG, leave, best first.
func Available() []Path {
	switch best {
	case AVX512Path:
		return []Path{AVX512Path, AVX2Path, GenericPath}
	case GenericPath:
		return []Path{GenericPath}
	}
	return []Path{best, GenericPath}
}

// Force makes p the path of the process and returns the one before it. It is
// for tests, which force one path at a time: no call may be under way. It
// panics if the processor cannot run p.
func Force(p Path) (was Path) {
	if !slices.Contains(Available(), p) {
		panic("tier: no path " + p.String() + " on this machine")
	}
	was = Active()
	force(p)
	return was
}

// The caches of a processor that does not name them.
const (
	defaultL1  = 32 << 10
	defaultL2  = 1 << 20
	defaultLLC = 32 << 20
)

// LeastL1 is the bytes of the smallest first-level cache that L1 may name.
const LeastL1 = 16 << 10

// L1, L2 and LLC are the bytes of the first-level cache for data, of the
// second-level cache and of the last-level cache, which cores share. They are
// read once, on the core on which the process starts, and only on amd64: other
// platforms do not say.
var L1, L2, LLC = caches()
