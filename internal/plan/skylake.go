package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds the limits that differ on the cores of Skylake's servers.

// skylake reports whether the kernels of AVX2 run on the cores of Skylake's
// servers, as of a Cascade Lake. Most thresholds hold there, too. But
// non-temporal stores are slow: beyond half of the last-level cache rows take
// 1.4 to 2.1 times as long by them, planes 1.1 to 1.6 times, on one core and on
// two. String stores are fast: they fill the first-level cache at up to twice
// the rate of vector stores. So blending pays in shorter rows only, where the
// second-level cache holds the output, and beyond it in longer ones.
func (m Machine) skylake() bool { return m.SkylakeServer && m.Path == tier.AVX2Path }

// The cores of Skylake's servers have other limits in three places: skylakeNear
// in outputs that the first-level cache holds, skylakeFar beyond twice the
// second-level cache, and blendBytes beyond half of the last-level cache. On a
// Cascade Lake half of skylakeNear costs 50 to 70%, twice 20 to 40%; half and
// twice of skylakeFar cost 20 to 60%; half of blendBytes costs 40 to 80%.
// Between the first-level cache and twice the second-level cache half of
// narrowBlend costs 20 to 40%, twice 20 to 90%. Where calls rotate through
// 16 MiB, rows of up to 320 bytes would be blended there, too: narrowBlend then
// costs 5 to 35%.
const skylakeNear, skylakeFar = 30, 320

// skylakeDepth returns the most planes for which Skylake's servers do as other
// processors with AVX2. They are fewer where planes are ragged: a round then
// stores to parts of lines.
func skylakeDepth(apart int, hasMiss, far bool) int {
	switch {
	case apart%CacheLine == 0 || hasMiss && far:
		return skylakePlanes
	case hasMiss:
		return skylakeMiss
	}
	return skylakeRagged
}

// skylakePlanes is the most planes that Skylake's servers write as other
// processors with AVX2 do. On a Cascade Lake half saves 3%, twice costs 15%.
// skylakeRagged and, with a Miss, skylakeMiss are the same for planes that do
// not start equally far into a line: with skylakePlanes in their place they
// take 1.1 to 1.7 times as long, in outputs that the second-level cache holds
// and the first-level cache does not. Half costs up to 8% and 20%, twice 25%
// and 30%.
const skylakePlanes, skylakeRagged, skylakeMiss = 32, 3, 11

// leastRepeat is the fewest bytes of output that Skylake's servers fill by
// string stores. On a Cascade Lake half costs 10%, twice 20%.
const leastRepeat = 4 << 10

// repeats reports whether string stores fill so many bytes on Skylake's
// servers: up to a little more than the first-level cache, and again from
// repeatsFar up to half of the last-level cache. Between these two ranges they
// take 1.3 to 2.2 times as long as vector stores, as if they left the output in
// the last-level cache. On a Cascade Lake half of the upper limit costs up to
// 35%, twice 20 to 35%, since string stores fall behind where one core's part
// of that cache ends.
func (m Machine) repeats(bytes int) bool {
	return leastRepeat <= bytes && bytes <= repeatsNear(m.L1) || m.repeatsLarge(bytes)
}

// repeatsLarge reports whether so many bytes are in the upper range of repeats.
func (m Machine) repeatsLarge(bytes int) bool { return m.repeatsFar() <= bytes && bytes < m.LLC/2 }

// repeatsFar is where string stores and vector stores cost the same, on a
// Cascade Lake, if a call is repeated. With another output in each call string
// stores save 10% there. Half costs 40 to 90%, twice 15%.
func (m Machine) repeatsFar() int { return m.L2 * 5 / 4 }

// RepeatsSmall is repeats for a small call, which the second-level cache holds.
func RepeatsSmall(bytes int) bool {
	return leastRepeat <= bytes && bytes <= repeatsNear(tier.L1) && tier.SkylakeServer && tier.AVX2
}

// repeatsNear returns the most bytes that string stores fill next to a
// first-level cache of l1 bytes, a sixteenth more than it holds. On a Cascade
// Lake, with half of that sixteenth, vector stores take 1.2 times as long as
// string stores, and 1.8 times where many cells are scattered to. With twice of
// it they take 0.55 and 1.25 times as long.
func repeatsNear(l1 int) int { return l1 + l1/16 }
