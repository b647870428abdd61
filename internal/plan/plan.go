// Package plan chooses how an output is written.
//
// A plan is a pure function of the shape of a job, of the path and of the
// processor's caches and cores. Every threshold by which the library chooses a
// strategy is in this package, with the measured cost of a wrong value. Outside
// it are those of the kernels (the generators in asm), of the goroutines that
// share work (package share and parallel.go), and the bounds of what a
// processor says of its caches (package tier). Command show prints plans as
// tables, without running anything.
//
// "Half costs 5%, twice 9%" is about the calls that half or twice the number
// would send another way, or cut into other blocks: they would take 5% or 9%
// longer on average. "Saves", or a negative cost, says that they would gain.
// "Half of 384" was measured around 384 in place of the constant. The processor
// was a Zen 4 and the path AVX-512, unless others are named. Where both figures
// are beyond 10%, no other number does better: the costs of the two ways
// diverge that fast. Where twice the number saves time on one processor, it
// would cost time on another: the number lies between the best values for
// either.
//
// A Zen 3 is family 25, model 1; a Zen 4 is family 25, model 17; a Zen 5 is
// family 26, model 2. A Xeon is what its hypervisor calls family 6, model 167;
// by its caches, 2 MiB for a core and 480 MiB for all, it is a Granite Rapids.
// A Sapphire Rapids, of 2 MiB and 105 MiB, has the same numbers. A Cascade Lake
// is family 6, model 85.
package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

// A Strategy is a way to write an output.
type Strategy uint8

const (
	// Scatter fills a tile with Off and stores one cell for each index.
	Scatter Strategy = iota
	// Rows blends shallow rows: each cell takes On or Off by a bit of its own.
	Rows
	// Planes blends each plane by comparison; Decode reads cells plane by plane.
	Planes
	// BitPlanes compares likewise, and the resulting bits are the output.
	BitPlanes
	// Sets collects the bits of a row's several classes and blends the row from
	// these.
	Sets
	// Hits makes a bit of each cell that is on, and decodes rows, or planes of few
	// columns, from the bits.
	Hits
	// Compare finds the indices that changed by comparing vectors of them.
	Compare
)

// String returns the name of a strategy.
func (s Strategy) String() string {
	return [...]string{"scatter", "rows", "planes", "bit planes", "sets", "hits", "compare"}[s]
}

// Strategies is the number of strategies.
const Strategies = int(Compare) + 1

// A Filler is a way to write Off to a run of cells.
type Filler uint8

const (
	FillGo     Filler = iota // clear, or doubling copies
	FillVector               // vector stores, mostly for runs that stay in the first two caches
	FillRepeat               // string stores of amd64, which do not read the lines that they replace; vector stores for values that take 16 bytes, and for few bytes
	FillStream               // non-temporal stores, for all of the output at once
)

// String returns the name of a filler.
func (f Filler) String() string { return [...]string{"clear", "vectors", "repeat", "non-temporal"}[f] }

// A Plan says how one job is written.
type Plan struct {
	Strategy  Strategy
	Stream    bool   // non-temporal stores
	Tiles     bool   // Stream only: tiles are made in a scratch buffer or, to scatter, at the end of the output, and copied
	ByColumns bool   // Planes only: a few columns of every plane, then the next columns
	Fill      Filler // Scatter only
	Counts    bool   // Scatter only, planes with a Miss: if StoresMisses says so, misses are stored, not copied from plane to plane
	Block     int    // indices at a time, or rows at a time where a row has several indices
	First     int    // Rows only: the rows of a short first block, written by ordinary stores; 0 for none
}

// A Machine is what a plan depends on of the processor.
type Machine struct {
	Path          tier.Path
	L1, L2, LLC   int // bytes
	SkylakeServer bool
	Zen1To4       bool
	Intel         bool
}

// Here returns the machine that this process runs on.
func Here() Machine {
	return Machine{tier.Active(), tier.L1, tier.L2, tier.LLC, tier.SkylakeServer, tier.Zen1To4, tier.Intel}
}

// A Shape is what a plan depends on of a job, in elements unless said
// otherwise.
type Shape struct {
	Whole int // bytes of the output that the job is all or a part of; 0 counts as those of the job

	Outer, Depth, Inner int
	Plane, Stride       int
	Width               int  // bytes of a cell
	Zero                bool // Off is zero bits
	Miss                bool // a miss has cells of its own
	Start               int  // bytes between the start of a cache line and the output
	Text                bool // indices are bytes whose classes an alphabet gives
	String              bool // cells hold pointers, which kernels may not write
}

// gaps reports whether elements lie between blocks or planes.
func (s *Shape) gaps() bool {
	return s.Outer > 1 && s.Stride > s.Depth*s.Inner || s.Depth > 1 && s.Plane > s.Inner
}

func (s *Shape) bytes() int {
	return ((s.Outer-1)*s.Stride + (s.Depth-1)*s.Plane + s.Inner) * s.Width
}

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

// WideBlock returns the most indices whose classes are repeated in all bytes of
// cells of that width at a time, in runs of run bytes. Where misses are read,
// the first-level cache holds the plane that has them, too: with as many
// indices as otherwise, planes of 8 KiB take 1.3 to 1.6 times as long on a
// Cascade Lake.
func WideBlock(p tier.Path, width, run int, hasMiss bool) int {
	if hasMiss && ReadsMisses(p, run) {
		width *= 2
	}
	return min(WideBytes/width, LargeBlock)
}

// ReadsMisses reports whether the kernel that writes plane by plane, in runs of
// run bytes, finds the cells of misses in the plane before the first. If not,
// it chooses them for each cell.
func ReadsMisses(p tier.Path, run int) bool { return p == tier.AVX2Path && run > chooseRun }

// chooseRun is the longest run, in bytes, for which misses are chosen: short
// runs do not repay the calls that make that plane. On a Cascade Lake half
// costs 3%, and 7 to 36% in many blocks of crowded planes; twice costs 15 to
// 45%, but saves 6% in such blocks.
const chooseRun = 768

// Wide reports whether kernels take classes repeated in all bytes of a cell.
func (p *Plan) Wide() bool { return p.Strategy == Planes && !p.ByColumns }

// run is block for planes, whose runs should be long, since each takes time to
// start: in the first caches runs of 2 KiB were twice as fast as of 512 bytes.
func run(n int) int { return block(n, n >= MediumBlock+Least) }

// Prefetches reports whether a job that streams prefetches indices of size
// bytes before it writes the block in front of them. On a Zen 5 streamed calls
// with indices of 2 to 8 bytes then take 0.65 to 1.0 times as long with
// AVX-512, the less the fewer bytes they write for each index, but 0.86 to 1.07
// times with AVX2, and 1.0 to 1.03 times where indices are bytes.
func Prefetches(p tier.Path, size int) bool { return p == tier.AVX512Path && size > 1 }

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

// RepairOften is the fewest rows for each miss with which Repair pays. With
// AVX2, on a Cascade Lake, half costs 5 to 20% in rows of less than 32 bytes
// and saves 10 to 30% in longer ones, twice costs 5 to 35%. On a Zen 5 half of
// 32 costs 1%.
const RepairOften = 16

// Repair reports whether rows of depth cells are best written as if there were
// no misses, and the rows of misses then written again. In a short row, finding
// a miss costs more than writing the row. In a long row it pays: the kernel
// that handles misses takes two fifths longer than the one that does not, on a
// Zen 5 a fifth, with AVX-512 a tenth, which is too little unless cells are
// bytes. NEON has no kernels for it. zero says that Off is zero.
//
// Up to Zen 4 the kernel of AVX2 takes little longer: these cores store at most
// one vector in a cycle, and blend another meanwhile. There it pays only from
// zenRepair on, and only where Off is zero: elsewhere, on a Zen 3, writing rows
// again takes 1.0 to 1.5 times as long.
//
// With AVX2, on a Cascade Lake, where one in a hundred is a miss, half of
// narrowRow costs 8%, twice 7%. wideRow is where the kernel of AVX-512 for
// misses among bytes changes to another loop: on a Zen 5 32 in its place costs
// 15%, twice 10%. Small outputs do not repay the time to begin: half of
// narrowBytes costs 2%, twice 7%, half of wideBytes costs 10%, twice nothing.
func Repair(path tier.Path, rows, misses, depth, width int, zero bool) bool {
	const (
		narrowRow, narrowBytes = 8, 4 << 10
		wideRow, wideBytes     = 44, 16 << 10
	)
	row, pays := depth*width, false
	switch {
	case path == tier.AVX2Path && tier.Zen1To4:
		pays = row >= zenRepair && rows*row >= narrowBytes && zero
	case path == tier.AVX2Path:
		pays = row >= narrowRow && rows*row >= narrowBytes
	case path == tier.AVX512Path && width == 1:
		pays = row >= wideRow && rows*row >= wideBytes
	}
	return pays && misses*RepairOften <= rows
}

// Take returns how much of left to take next: size, or all of left if taking
// size would leave less than least behind.
func Take(left, size, least int) int {
	if left < size+least {
		return left
	}
	return size
}
