package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds most of the limits that differ on the cores of Skylake's
// servers.

// skylake reports whether the kernels of AVX2 run on the cores of Skylake's
// servers, as of a Cascade Lake. Most thresholds hold there, too. But
// non-temporal stores are slow: beyond half of the last-level cache rows take
// 1.4 to 2.1 times as long by them, planes 1.1 to 1.6 times, on one core and on
// two. String stores are fast: they fill the first-level cache at up to twice
// the rate of vector stores. So blending pays in shorter rows only in outputs
// of up to one and a half first-level caches, and beyond two second-level
// caches in longer ones.
func (m *Machine) skylake() bool { return m.SkylakeServer && m.Path == tier.AVX2Path }

// skylakeRow returns the longest row that is blended in so many bytes. On a
// Cascade Lake half of rowNear costs 50 to 70%, twice 20 to 40%; half of
// rowNext costs 35%, twice 7%; half and twice of rowFar cost 20 to 60%; half of
// blendBytes costs 40 to 80%. Where narrowBlend is the limit half of it costs
// 20 to 40%, twice 20 to 90%. Where calls rotate through 16 MiB, rows of up to
// 320 bytes would be blended there, too: narrowBlend then costs 5 to 35%.
func (m *Machine) skylakeRow(bytes int, hasMiss bool) int {
	switch {
	case bytes <= m.L1:
		return skylakeNear(hasMiss)
	case bytes <= m.L1*3/2:
		return rowNext
	case bytes <= 2*m.L2:
		return narrowBlend
	case bytes < m.LLC/2:
		return rowFar
	}
	return blendBytes
}

const rowNear, rowNext, rowFar = 30, 80, 320

// skylakeNear is skylakeRow for outputs that the first-level cache holds.
func skylakeNear(hasMiss bool) int {
	if hasMiss {
		return rowMiss
	}
	return rowNear
}

// rowMiss is rowNear with a Miss. On a Cascade Lake, with other indices in each
// call, half of it saves 15% at 100 rows and costs 20% at 700 where one index
// in a hundred is a miss; where one in five is, rows take 2.4 to 4 times as
// long. Twice costs 25 to 65%, and -25 to 15% where one in ten is.
const rowMiss = 47

// columnFar is the longest column, in bytes of all planes, that is compared in
// outputs of one to two second-level caches, unless planes are crowded, have
// gaps or a Miss: string stores fill such outputs sooner than vector stores. On
// a Cascade Lake half saves or costs 4%, twice costs 18%.
const columnFar = 120

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

// skylakeRounds is crowdsRounds in outputs that the first-level cache does not
// hold. Planes are crowded however many sets they share, if a set has
// crowdedWays of them: nearly all are if they are 200 or more. With a Miss,
// where planes take longer one by one, it must be one more, and planes that are
// whole pages and a line apart are not crowded.
func skylakeRounds(planes, apart int, hasMiss bool) bool {
	if hasMiss {
		return crowded(planes, apart, planes, crowdedWays+1, missClose)
	}
	return crowded(planes, apart, planes, crowdedWays, CacheLine)
}

// On a Cascade Lake four to seven planes of 4 KiB or a multiple of it take 1.05
// to 1.8 times as long by columns, 25 to 110 planes that share more than three
// sets 1.3 to 2.5 times. Three or five in the place of crowdedWays cost up to
// 35%. Half of a cache line costs up to 35%, twice 20%; half of missClose costs
// up to 110%, twice 30%. Runs shorter than crowdedRun bytes take longer to
// begin than crowded planes cost: half of it costs up to 40%, twice 50%.
const crowdedWays, missClose, crowdedRun = 4, 48, 384

// leastRepeat is the fewest bytes of output that Skylake's servers fill by
// string stores. On a Cascade Lake half costs 10%, twice 20%.
const leastRepeat = 4 << 10

// repeats reports whether string stores fill so many bytes on Skylake's
// servers, where one cell in row bytes is stored afterwards: up to a little
// more than the first-level cache, in dense outputs up to a few such caches,
// and again from repeatsFar up to half of the last-level cache. On a Cascade
// Lake half of the upper limit costs up to 35%, twice 20 to 35%, since string
// stores fall behind where one core's part of that cache ends.
//
// String stores seem to write each line in the cache that has it. In the
// second-level cache they take as long as vector stores, or less; lines that
// are in the last-level cache stay there, and take 1.3 to 2.2 times as long in
// each call. Whoever stores or reads a cell brings its line closer. Dense
// outputs are those whose rows have denseRow bytes or less.
func (m *Machine) repeats(bytes, row int) bool {
	return repeatsNear(bytes, m.L1, row <= denseRow) || m.repeatsFar(row) <= bytes && bytes < m.LLC/2
}

// repeatsFar is where string stores and vector stores cost the same if a call
// is repeated. On a Cascade Lake half costs 40 to 90%, twice 15%. In dense
// outputs half costs 6 to 32%, twice 20 to 40%; with other indices in each call
// half saves 2 to 7%, and twice costs 40%.
func (m *Machine) repeatsFar(row int) int {
	if row <= denseRow {
		return m.L2
	}
	return m.L2 * 5 / 4
}

// RepeatsSmall reports whether string stores fill the output of a small call,
// which the second-level cache holds: on Skylake's servers as repeats has it.
// stores is how many cells are stored afterwards.
func RepeatsSmall(bytes, stores int) bool {
	if !tier.SkylakeServer {
		return tier.Intel && tier.AVX2 && repeatsOnIntel(bytes, tier.L1)
	}
	return tier.AVX2 && repeatsNear(bytes, tier.L1, bytes <= denseRow*stores)
}

// denseRow is the longest row of a dense output, and denseFar how many
// first-level caches the lower range of repeats holds for such outputs. On a
// Cascade Lake half of denseRow costs 7 to 30%; twice costs up to 9% if a call
// is repeated, and saves 6 to 20% if each call has other indices. Half of
// denseFar costs 2 to 16%; twice costs 12 to 22%, with other indices -4%. Where
// half of the indices are misses, there are half as many stores, and rows near
// denseRow take up to 1.2 times as long.
const denseRow, denseFar = 256, 4

// repeatsNear reports whether so many bytes are in the lower range of repeats:
// up to a sixteenth more than a first-level cache of l1 bytes holds, in dense
// outputs up to denseFar such caches. On a Cascade Lake, with half of that
// sixteenth, vector stores take 1.2 times as long as string stores, and 1.8
// times where many cells are scattered to. With twice of it they take 0.55 and
// 1.25 times as long.
func repeatsNear(bytes, l1 int, dense bool) bool {
	return leastRepeat <= bytes && (bytes <= l1+l1/16 || dense && bytes <= denseFar*l1)
}
