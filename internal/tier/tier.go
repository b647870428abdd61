// Package tier says which path this process runs, which caches it has, and
// whether its cores need plans of their own.
//
// AVX512, AVX2 and NEON report whether the kernels of a tier may run. Each
// tests every feature that its kernels use, so that any switch of GODEBUG
// selects a lower tier: the flags of x/sys/cpu do not cascade. A platform
// without kernels for a tier makes it a constant, and code that needs them is
// not compiled.
package tier

import "slices"

// A Path is a set of routines that a processor can run. Paths are ordered, from
// the one that every processor can run to the widest.
type Path uint8

const (
	GenericPath Path = iota
	NEONPath
	AVX2Path
	AVX512Path
)

// String returns the name that users know, which onehot.Path reports.
func (p Path) String() string {
	return [...]string{"generic", "neon", "avx2", "avx512"}[p]
}

// Active returns the path of this process.
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

// best is the path of the process before any test forced another one.
var best = Active()

// Available returns the paths that the processor and GODEBUG allow, best first.
func Available() []Path {
	switch best {
	case AVX512Path:
		return []Path{AVX512Path, AVX2Path, GenericPath}
	case GenericPath:
		return []Path{GenericPath}
	}
	return []Path{best, GenericPath}
}

// Force makes p the path of the process and returns the previous one. It is for
// tests, which force one path at a time while no call is under way. It panics
// if the processor cannot run p.
func Force(p Path) (was Path) {
	if !slices.Contains(Available(), p) {
		panic("tier: no path " + p.String() + " on this machine")
	}
	was = Active()
	force(p)
	return was
}

// The cache sizes of a processor that does not name them.
const (
	defaultL1  = 32 << 10
	defaultL2  = 1 << 20
	defaultLLC = 32 << 20
)

// LeastL1 is the smallest first-level cache, in bytes, that L1 may report.
const LeastL1 = 16 << 10

// L1, L2 and LLC are the bytes of the first-level data cache, of the
// second-level cache and of the last-level cache, which cores share. They are
// read once, on the core on which the process starts, and only on amd64; other
// platforms get the default sizes.
var L1, L2, LLC = caches()

// SkylakeServer, Zen1To4 and Intel report whether the processor has the cores
// of Skylake's servers, as Cascade Lake, Cooper Lake and some workstations
// have, whether it has AMD's cores from Zen to Zen 4, and whether Intel made
// it. Skylake's servers take the AVX2 path, since they lack parts of AVX-512
// that came later. Package plan says what else is different about these cores.
// Only amd64 has such processors.
var SkylakeServer, Zen1To4, Intel = cores()

// ForceLLC makes the last-level cache that small, so that tests reach
// non-temporal stores with little memory. It returns a function that undoes
// that.
func ForceLLC(bytes int) (undo func()) {
	was := LLC
	LLC = bytes
	return func() { LLC = was }
}
