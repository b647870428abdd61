package plan

import "math"

// This file has the limits of the kernels, the sizes of their buffers, and how
// many indices are written at a time.

// Limits of the kernels and sizes of their buffers.
const (
	// Least is the fewest indices or cells that every kernel takes, and the fewest
	// bytes that kernels of fills take, but for string stores, which take twice as
	// many. A block that would leave fewer behind takes them along.
	Least = 64

	// CallBytes is the most that a single call of a kernel, or a single clear,
	// covers, give or take a vector. Such a call is never preempted, so a larger
	// one would hold up a garbage collection.
	CallBytes = 512 << 10

	// SeedBytes is how much of a pattern is made by copies that double, before
	// copies of that much fill the rest: copying from the first-level cache is
	// fastest. On the generic path, half costs 1%, twice 9%.
	SeedBytes = 8 << 10

	// Classes is how many classes a byte can name, besides the value for no class.
	Classes = math.MaxUint8

	// KernelDepth is the deepest output whose classes kernels tell apart, a few of
	// them at a time: the kernels compute in 16 bits. In deeper outputs so few
	// cells are on that filling and scattering is no slower.
	KernelDepth = math.MaxInt16

	// WideBytes is the room for classes that are repeated in all bytes of a cell.
	// The first-level cache holds it and the lines that are written. Half costs 13%
	// with 256 planes and nothing with 70, twice costs 1%.
	WideBytes = 8 << 10

	// ScratchBytes is the size of a tile that non-temporal stores copy: half of a
	// first-level cache at most. Half costs 5%, twice 8%. Bit planes that are
	// staged (StagesBits) have a buffer of the same size.
	ScratchBytes = 16 << 10
)

// PlanesOfCall returns how many of count planes, and of how many blocks, one
// kernel call covers when it writes run bytes to each plane. Whole runs of a
// few planes lie closer together than parts of all planes.
func PlanesOfCall(count, run int) (planes, blocks int) {
	if planes = max(CallBytes/run, 1); planes < count {
		return planes, 1
	}
	return count, max(planes/count, 1)
}

// SmallBlock, MediumBlock and LargeBlock are how many indices become classes
// before the classes are used. Go zeroes a buffer before its first use, so
// small jobs get a small one. Half of SmallBlock costs 1%, twice 3%; half of
// MediumBlock 5%, twice 4%; half of LargeBlock costs 3%, twice saves 1%.
const (
	SmallBlock  = 128
	MediumBlock = 512
	LargeBlock  = 2048
)

// block returns how many indices of n become classes at a time. large allows
// the large block.
func block(n int, large bool) int {
	switch {
	case n < SmallBlock+Least:
		return SmallBlock
	case large:
		return LargeBlock
	}
	return MediumBlock
}

// largeRows is the bytes of output from which rows use the large block. Half
// saves 3%, twice costs 4%.
const largeRows = 64 << 10

// columnBlock is block for planes, whose runs should be long, since each takes
// time to start: in the first caches runs of 2 KiB were twice as fast as of 512
// bytes.
func columnBlock(n int) int { return block(n, n >= MediumBlock+Least) }

// Take returns how much of left to take next: size, or all of left if taking
// size would leave less than least behind.
func Take(left, size, least int) int {
	if left < size+least {
		return left
	}
	return size
}

// rounds returns the columns of the whole rounds that hold so many columns.
// round is a power of two.
func rounds(columns, round int) int { return (columns + round - 1) &^ (round - 1) }

// CacheLine is the bytes of a cache line.
const CacheLine = 64

// AlignRows is the bytes of rows from which a short block goes first, if the
// row after it then starts a cache line: vectors that lie across two lines are
// stored at half the rate. Non-temporal stores, which want whole lines, have it
// at any size. On a Zen 5 half saves 5%, twice costs 7%; with AVX2, whose
// kernels wait for other things there, half costs 6%, twice saves 3%.
const AlignRows = 64 << 10

// ToLine returns how many rows precede the first row that starts a cache line,
// and reports whether any row does. start is how many bytes of a line precede
// the output. The rows are none, or enough for a kernel: Least to 2*Least-1.
func ToLine(start, row int) (rows int, lines bool) {
	if start == 0 {
		return 0, true
	}
	return LineFrom(start, row, Least)
}

// LineFrom returns the first of equal things, none before from, that starts a
// cache line, and reports whether any does. start is how many bytes of a line
// precede thing 0. It looks at no more than CacheLine things.
func LineFrom(start, size, from int) (thing int, found bool) {
	for thing = from; thing < from+CacheLine; thing++ {
		if (start+thing*size)%CacheLine == 0 {
			return thing, true
		}
	}
	return 0, false
}

// Limits for the parts of an output that several goroutines write.
const (
	// ShareRun is the shortest run of a plane in a part, in bytes: short runs cost
	// time, most of all beyond the second-level caches. Outputs below ShareNear
	// bytes need only an eighth of it. Half and twice of either cost 1% of the
	// work, as measured on one core.
	ShareRun  = 128 << 10
	ShareNear = 12 << 20

	// ShareParts is the most parts that a worker gets on average. Half saves 1% of
	// the work, twice costs 1%.
	ShareParts = 32
)
