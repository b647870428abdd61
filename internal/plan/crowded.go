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
// take 1.3 times as long. A Zen 3 is not slowed: there 130 to 220 bit planes of
// 1024 bytes would take 1.1 to 1.6 times as long compared.
func (m *Machine) crowdsStores(planes, apart int) bool {
	if 2*storeSets*apart < page-storeClose { // a small call would notice the rest
		return false
	}
	return crowded(planes, apart, storeSets, ways, storeClose) ||
		m.L1 <= smallL1 && !m.zen() && crowded(planes*3/4, apart, 2*storeSets, ways, storeClose)
}

// crowdsRounds reports whether so many planes, apart bytes apart, slow rounds
// of columns: where they share few sets, and each set has more of them than
// lines. A round of AVX2 writes half a line of bytes. That line must still be
// there in the next round, so that planes of bytes may not share up to byteSets
// sets either. run is the bytes of each plane, bytes those of all. Skylake's
// servers have a rule of their own, skylakeRounds, in outputs that the
// first-level cache does not hold and runs that are not short.
func (m *Machine) crowdsRounds(planes, run, apart, width, bytes int, hasMiss bool) bool {
	if m.skylake() && m.L1 < bytes && run >= crowdedRun {
		return skylakeRounds(planes, apart, hasMiss)
	}
	return crowded(planes, apart, columnSets, ways+1, columnClose) ||
		m.Path == tier.AVX2Path && width == 1 && m.L1 < bytes && crowded(planes, apart, byteSets, ways+1, storeClose)
}

// A set has ways lines at the fewest. Stores that go from plane to plane as
// indices say are slowed by planes that share one or two sets, give or take a
// few bytes. On a Zen 5 an index takes four times as long in 250 crowded planes
// of bytes as elsewhere, in 200 planes of bits ten times.
//
// Rounds of columns are slowed by planes that share up to three sets, and
// across more bytes, since a round writes a stretch of each plane: with AVX2
// they take two to nine times as long on the Zen 5. On that processor no effect
// was seen beyond that. On a Zen 3, in cells of a byte, crowded planes take 1.2
// to 1.9 times as long. In wider cells they take 1.2 to 2 times as long if all
// share one set. If they share two or three, they take only 0.6 to 1.0 times as
// long, in cells of two bytes up to 1.2 times: the rule follows the Zen 5
// there. On the Zen 3 up to ways planes that share a set take 0.65 to 0.8 times
// as long by columns.
//
// Planes of bytes that share four to byteSets sets, such as those of 512 or
// 1024 bytes, take 0.5 to 1.0 times as long plane by plane as by columns on the
// Zen 3, the only processor on which that was timed.
//
// smallL1 is the largest first-level cache whose sets have no more than ways
// lines.
const (
	storeSets, storeClose   = 2, 2
	columnSets, columnClose = 3, 24
	byteSets                = 8
	ways                    = 8
	smallL1                 = 32 << 10
)
