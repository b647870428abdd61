package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides where planes share sets of a first-level cache, so that
// what is written to one evicts what was written to another.

// crowded reports whether planes that are apart bytes apart share a few sets of
// a first-level cache: whether some multiple of apart, up to the given number
// of sets, is a number of whole pages, at least one, give or take close bytes.
// It also takes at least each planes for each of these sets. If that is as many
// as a set has lines, each store to a plane evicts the line of another.
func crowded(planes, apart, sets, each, close int) bool {
	for k := 1; k <= sets && k*each <= planes; k++ {
		if far := k*apart + close; far >= page && far%page <= 2*close {
			return true
		}
	}
	return false
}

// page is the bytes of a page, after which the sets of a first-level cache
// repeat themselves.
const page = 4 << 10

// crowdsStores reports whether so many planes, apart bytes apart, slow stores
// that go from plane to plane as indices say. In a small first-level cache
// planes that share three or four sets do, too, unless they are few more than
// these sets have lines: on a Cascade Lake 80 to 250 planes of 1024 bytes take
// 0.4 to 0.85 times as long compared. If all planes counted, 34 of 1 KiB would
// take 1.3 times as long.
func (m Machine) crowdsStores(planes, apart int) bool {
	if 2*storeSets*apart < page-storeClose { // a small call would notice the rest
		return false
	}
	return crowded(planes, apart, storeSets, ways, storeClose) ||
		m.L1 <= smallL1 && crowded(planes*3/4, apart, 2*storeSets, ways, storeClose)
}

// crowdsRounds reports whether so many planes, apart bytes apart, slow rounds
// of columns. With AVX2, in an output larger than a small first-level cache,
// they do however many sets they share, if a set has smallWays of them: nearly
// all planes do if they are 200 or more. With a Miss, where planes take longer
// one by one, it must be one more, and planes that are whole pages and a line
// apart are not crowded. Short runs take longer to begin than that costs, and
// non-temporal stores bypass that cache.
func (m Machine) crowdsRounds(planes, run, apart, bytes int, hasMiss bool) bool {
	if m.Path == tier.AVX2Path && m.L1 <= smallL1 && m.L1 < bytes && bytes < streamPlanes(m) && run >= crowdedRun {
		if hasMiss {
			return crowded(planes, apart, planes, smallWays+1, missClose)
		}
		return crowded(planes, apart, planes, smallWays, smallClose)
	}
	return crowded(planes, apart, columnSets, ways, columnClose)
}

// Stores that go from plane to plane as indices say are slowed by planes that
// share one or two sets, give or take a few bytes. On a Zen 5 an index takes
// four times as long in 250 crowded planes of bytes as elsewhere, in 200 planes
// of bits ten times. Rounds of columns are slowed by planes that share up to
// three sets, and across more bytes, since a round writes a stretch of each
// plane: with AVX2 they take two to nine times as long. On that processor no
// effect was seen beyond that.
//
// A set has ways lines at the fewest. Where it has no more, as in caches of up
// to smallL1 bytes, smallWays planes in a set slow rounds of columns. On a
// Cascade Lake four to seven planes of 4 KiB or a multiple of it take 1.05 to
// 1.8 times as long by columns, 25 to 110 planes that share more than three
// sets 1.3 to 2.5 times. Three or five in the place of smallWays cost up to
// 35%. Half of smallClose costs up to 35%, twice 20%; half of missClose costs
// up to 110%, twice 30%; half of crowdedRun costs up to 40%, twice 50%.
const (
	storeSets, storeClose   = 2, 2
	columnSets, columnClose = 3, 24
	ways, smallWays         = 8, 4
	smallClose, missClose   = 64, 48
	crowdedRun              = 384
	smallL1                 = 32 << 10
)
