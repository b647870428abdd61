package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides how runs of cells are filled.

// clears reports whether clear zeroes an output as fast as a kernel fills it,
// and string stores fill it as fast with other values. On amd64, where clear
// uses string stores, it does beyond half of the second-level cache, since a
// larger output seldom stays there from one call to the next. Up to that size,
// string stores take 1.1 to 1.4 times as long on a Zen 5; where the output has
// to come from the last-level cache, vector stores take 1.05 to 1.2 times as
// long. A Zen 4 fills the second-level cache as fast by both. On Intel's
// processors see repeatsOnIntel.
func (m *Machine) clears(bytes int) bool {
	if m.Path == tier.NEONPath {
		return bytes >= neonClear
	}
	return bytes > m.L2/2 || m.intel() && repeatsOnIntel(bytes, m.L1)
}

// neonClear is the bytes of output from which clear zeroes it with NEON. It was
// not measured on a processor. Small calls rely on its being SmallClear.
const neonClear = SmallClear

// LeastRun is the fewest bytes of a run between gaps that a kernel fills, in
// one call for all runs; no kernel takes fewer. Shorter runs are two stores in
// Go each; if runs up to twice as long were, those of 40 bytes would take 1.6
// times as long. gapRun is the longest run filled by such a call: up to there a
// clear or a kernel call for each run takes longer to begin than it saves. On a
// Zen 5 half costs 20 to 40% at 2.8 KiB, twice -15 to 15% at 4 to 6 KiB.
// pairRun is the longest run that is two stores on the generic path. Half costs
// 15 to 35% at 80 to 120 bytes.
const LeastRun, pairRun, gapRun = 32, 128, 3 << 10

// LongestRun returns the most bytes of a run between gaps that is filled by a
// few stores, or by one call for many runs. Longer runs take a call each.
func LongestRun() int {
	if tier.Active() == tier.GenericPath {
		return pairRun
	}
	return gapRun
}

// FewRuns is the most runs of a block that are filled in a call for all first
// runs, one for all second ones, and so on, rather than in a call for each
// block. On a Cascade Lake two runs take 0.65 times as long for it on average,
// three 0.8 times. Four would, too, but up to 1.6 times as long where blocks
// are whole pages apart.
const FewRuns = 3

// MissRun is the longest row of a miss, in bytes, that a few stores write. On
// the generic path of a Zen 5 half costs 50% at 160 to 240 bytes, twice 50 to
// 100% at 400; with AVX2 0% and 40%.
const MissRun = 256
