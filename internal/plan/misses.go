package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides how the misses of planes that are scattered to are written.

// CopiesMisses reports whether the cells of misses, in planes that are filled
// and scattered to, are made in the first plane and copied to the others. A
// kernel makes them without looking at each index; without one, they are stored
// one by one as long as planes are few. On the generic path of a Zen 5, half of
// missPlanes costs 20 to 60% where one index in a hundred is a miss, twice
// saves 10 to 20%; where one in ten is, half costs -5 to 15%, twice 30 to 50%.
func CopiesMisses(p tier.Path, depth int, isString bool) bool {
	return p != tier.GenericPath && !isString || depth > missPlanes
}

const missPlanes = 24

// SmallCountsMisses reports whether the misses of a small block of planes are
// counted first, to see whether StoresMisses holds: in outputs that the
// first-level cache holds. Where a kernel counts, these are planes that would
// be scattered to without a Miss and are not too small to repay it. On a
// Cascade Lake they take 0.78 times as long where one index in a hundred is a
// miss, 0.86 times where three are, and 1.04 times where twelve are. Up to Zen
// 4, where kernels of AVX2 take little longer for a Miss, these are planes that
// would also be scattered to with one: on a Zen 3 the others would take 1.05 to
// 1.2 times as long. Elsewhere these are planes whose misses would be copied:
// with one miss in a hundred they take 0.6 times as long. In larger outputs a
// miss costs more.
func SmallCountsMisses(n, depth, width int, isString bool) bool {
	bytes := n * depth * width
	switch {
	case bytes > tier.L1:
		return false
	case isString || tier.Active() == tier.GenericPath:
		return depth > missPlanes
	case bytes < tier.L1/4 || depth < 2 || depth > Classes || !tier.AVX2:
		return false
	}
	hasMiss := zenHere() // elsewhere what planes without one cost decides
	return !comparingNear(hasMiss).pays(depth, n, width)
}

// StoresMisses reports whether so few of the n indices of a small block are
// misses that their cells are best stored one by one: one in 40 where cells
// have a byte, one in 20 where they have two, one in ten otherwise.
func StoresMisses(misses, n, width int) bool { return misses*smallOften <= n*min(width, 4) }

// smallOften bounds the misses of StoresMisses. On a Cascade Lake half
// costs up to 7%, twice 9%.
const smallOften = 40
