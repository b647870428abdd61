package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides which bit planes are compared, and which are staged.

// WordBits is the number of cells in a word of a bit plane.
const WordBits = 64

const (
	// bitsDepth is the depth up to which long bit planes are compared by AVX2 and
	// NEON, bitsWide by AVX-512: comparing takes time for each plane. bitsLarge is
	// that depth for an output as large as largeBits says, where setting bits one
	// by one waits for memory. On a Zen 5 half of bitsDepth costs at most 65%,
	// twice 80%; half of bitsWide 90%, twice 40%. On a Zen 4 half of bitsLarge
	// costs 20%, twice 47%; with AVX2 half saves 3%, twice costs 85%. On a Cascade
	// Lake half costs 55%, twice saves 15%.
	bitsDepth, bitsWide, bitsLarge = 96, 160, 512

	// bitsFar takes the place of bitsWide, and bitsFarNarrow that of bitsDepth,
	// beyond the second-level cache of Intel's cores, where setting bits one by one
	// waits for lines that comparing asks for in time. On a Granite Rapids half of
	// either costs up to 110%; 510 in place of bitsFar costs up to 45%, twice of
	// bitsFarNarrow up to 50%.
	bitsFar, bitsFarNarrow = 320, 192

	// bitsStart is how many words of a plane are compared in the time that starting
	// its run takes, and bitsFew how many bits are set one by one in the time that
	// comparing takes to begin. On a Zen 5, at 130 to 200 indices, half of
	// bitsStart costs 5%, twice 25%; half and twice of bitsFew cost 65%. bitsNear
	// is bitsFew for small calls, which begin sooner. On a Zen 3 half of it costs
	// up to 50% at 64 to 100 indices, twice 20 to 100% at 110 to 130.
	bitsStart, bitsFew, bitsNear = 2, 96, 56

	// bitsCrowded is the depth up to which crowded bit planes are compared. On a
	// Zen 5 half takes 3 times as long, twice saves 42%; with AVX2 half takes twice
	// as long, twice saves 3%.
	bitsCrowded = 1024

	// bitsShared is bitsCrowded for planes that share three or four sets of a small
	// first-level cache, such as those of 8192 bits, and are not as large as
	// largeBits says. On a Cascade Lake half costs up to 100%, twice 10 to 50%.
	bitsShared = 224

	// bitsStaged is the depth up to which crowded bit planes are staged where they
	// are not compared: beyond, the buffer has few words of each. On the generic
	// path of a Zen 5 half of it takes twice as long, and so does twice.
	bitsStaged = 512

	// bitsApart is the most indices whose bit planes are less than half a page
	// apart, and so never staged.
	bitsApart = 2<<10*8 - WordBits

	// BitsBlock is how many indices make a block of bit planes that are copied from
	// a scratch buffer. Half costs 9%; twice leaves no room for that buffer.
	BitsBlock = 8 << 10

	// expandCells is the fewest cells that the kernel expands from bits: for fewer,
	// calling it costs as much as a loop. Half costs 10 to 28%, twice 20 to 40%.
	expandCells = 96
)

// words returns the number of words that n bits take.
func words(n int) int { return (n + WordBits - 1) / WordBits }

// bitPlane returns the bytes of a plane of n bits.
func bitPlane(n int) int { return words(n) * 8 }

// comparesBits reports whether planes of n bits are few enough to be compared.
func (m *Machine) comparesBits(n, depth int, large bool) bool {
	plane := bitPlane(n)
	switch {
	case m.Path == tier.GenericPath || n < Least:
		return false
	case m.streams() && crowded(depth, plane, storeSets, ways, storeClose):
		return depth <= bitsCrowded
	case large:
		return depth <= bitsLarge
	case m.streams() && m.crowdsStores(depth, plane):
		return depth <= bitsShared
	case m.streams() && m.intel() && plane > m.L2/max(depth, 1):
		if m.wideIntel() {
			return depth <= bitsFar
		}
		return depth <= bitsFarNarrow
	}
	return bitsPay(n, depth, bitsFew, m.Path == tier.AVX512Path)
}

// bitsPay is comparesBits for planes that are neither large nor crowded nor, on
// Intel's cores, beyond the second-level cache. Starting a plane takes as long
// as comparing a few of its words.
func bitsPay(n, depth, few int, avx512 bool) bool {
	most := bitsDepth
	if avx512 {
		most = bitsWide
	}
	return depth*(words(n)+bitsStart) <= most*(n-few)/WordBits
}

// largeBits returns the bytes of bit planes from which setting bits one by one
// waits for memory, so that more planes are compared. Non-temporal stores write
// them, unless those are slow. The last-level cache holds as many bytes of
// indices beside them. On a Cascade Lake one core has little of that cache to
// itself: half of an eighth saves 10% there, twice costs 40%. On a Sapphire
// Rapids ordinary stores keep up longer: half of three quarters costs 35%;
// twice was not timed.
func (m *Machine) largeBits() int {
	switch {
	case m.skylake():
		return m.LLC / 8
	case m.intel():
		return m.LLC * 3 / 4
	}
	return m.LLC * 3 / 8
}

// StagesBits reports whether bit planes of so many words that are scattered to
// are made in a buffer of ScratchBytes, a few words of all planes at a time,
// because they are crowded.
func StagesBits(depth, words int) bool {
	return depth <= bitsStaged && crowded(depth, words*WordBits/8, storeSets, ways, storeClose)
}

// Expands reports whether a kernel writes that many cells from their bits.
func Expands(p tier.Path, cells int) bool { return cells >= expandCells && p != tier.GenericPath }
