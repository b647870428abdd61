package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides which indices are recoded by vectors.

const (
	// recodeBytes is the fewest indices that become codes of a byte by vectors
	// through a table, recodeWide codes of several: for fewer, vectors take longer
	// to begin than they save. Making the table adds half an index for each entry,
	// or one if codes are wider. Without AVX-512 it adds recodeSlower times that,
	// because looking up also takes longer in a long table. With a bitmap indices
	// count half as much again, because the loop takes that much longer. Without a
	// table vectors gain from Least on. With AVX2 and a bitmap they begin as with a
	// table without entries: on a Zen 3 calls of 64 to 150 indices would take up to
	// 1.5 times as long. On a Sapphire Rapids, over 1,000 calls of 64 to 1,000
	// indices, half of recodeBytes costs 3%, twice 37%; half of recodeWide 7%,
	// twice 25%; half of the entries nothing, twice 18%. With AVX2 the costs are 4
	// and 28%, 6 and 14%, 1 and 17%. By these, a call takes 1.01 times as long on
	// average as by the better way; on a Zen 3, over 1,300 calls with tables, 1.02
	// times.
	recodeBytes, recodeWide, recodeSlower = 144, 240, 4

	// lookUpMost, less lookUpCode for each byte of a code, is the most entries of
	// a table in which AVX2 looks up integers: it takes 16 entries at a time, and
	// has to turn integers into bytes first. A loop takes as long whatever the
	// entries, but longer for floats, and with a bitmap. On a Granite Rapids, over
	// 1,200 calls of 100 to 20,000 indices, half of both costs 3%, twice 6%, but
	// up to 80% in calls that they decide otherwise.
	lookUpMost, lookUpCode = 160, 8

	// TableShare: a table is searched for entries that say that there is no class
	// if there are at least TableShare indices for each entry. On a Zen 5, in
	// tables without such entries, half saves 20%, twice costs 30 to 40%; in tables
	// with such entries the search is lost.
	TableShare = 4
)

// Recodes reports whether n indices become codes of that many bytes by way of
// vectors of classes of a byte, with one value for no class. classes is how
// many the byte has to tell apart, more than Classes where bytes are of no use.
// entries is how many codes a table has, 0 without one.
func Recodes(p tier.Path, n, classes, entries, width int, hasNull bool) bool {
	least, added := recodeBytes, entries/2
	switch {
	case entries == 0 && !(hasNull && p == tier.AVX2Path):
		least = Least
	case width > 1:
		least, added = recodeWide, entries
	}
	if p != tier.AVX512Path {
		added *= recodeSlower
	}
	counted := n
	if hasNull {
		counted += n / 2
	}
	return n >= Least && counted >= least+added && 1 <= classes && classes <= Classes && p != tier.GenericPath
}

// LookUpMost returns the most entries of a table with codes of that many bytes
// in which vectors look up integers of more than a byte, all of them valid.
func LookUpMost(p tier.Path, width int) int {
	if p == tier.AVX2Path {
		return lookUpMost - lookUpCode*width
	}
	return Classes
}

// CountsNone reports whether a kernel counts those of n codes that say that
// there is no class, rather than the loop that writes them.
func CountsNone(p tier.Path, n int) bool { return n >= Least && p != tier.GenericPath }
