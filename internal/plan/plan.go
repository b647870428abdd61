// Package plan chooses how an output is written.
//
// A plan is a pure function of the shape of a job, of the path and of the
// processor's caches. Every threshold of the library stands in this package,
// with what it costs to be wrong. Command show prints plans as tables, without
// running anything.
//
// "Half costs 5%, twice 9%" says that the calls which half or twice the number
// would send another way, or cut into other blocks, take that much longer on
// the mean; a negative number says that they gain. It was measured on a Zen 4
// (family 25, model 17) by AVX-512, unless another processor or path is named.
// Where both are beyond 10% no other number does better: the two ways part that
// fast. Where twice gains on one processor, another would lose by it: such a
// number is between what is best on either.
//
// A Xeon is what its hypervisor calls family 6, model 167; by its caches, 2 MiB
// for a core and 480 MiB for all, it is a Granite Rapids. A Zen 5 is family 26,
// model 2.
package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

// A Strategy is a way to write an output.
type Strategy uint8

const (
	// Scatter fills a tile and stores a cell in it for each index.
	Scatter Strategy = iota
	// Rows blends shallow rows from the bits of their cells.
	Rows
	// Planes blends the runs of each class, by comparison with it.
	Planes
	// BitPlanes compares, and leaves it at bits.
	BitPlanes
	// Sets puts the bits of several classes of a row together, and blends rows from
	// those.
	Sets
	// Hits makes bits of cells that are on, and reads rows, or planes of few
	// columns, off the bits.
	Hits
	// Compare looks for the indices that changed by vectors.
	Compare
	// Lookup takes classes of a byte to what a table has for them.
	Lookup
)

// String returns the name of a strategy.
func (s Strategy) String() string {
	return [...]string{"scatter", "rows", "planes", "bit planes", "sets", "hits", "compare", "lookup"}[s]
}

// Strategies is the number of them.
const Strategies = int(Lookup) + 1

// A Filler is a way to write off to a run of cells.
type Filler uint8

const (
	FillGo     Filler = iota // clear, or doubling copies
	FillVector               // vector stores, where the run stays in the first caches
	FillString               // string stores, which do not read what they replace
	FillStream               // non-temporal stores, all of the output at once
)

// String returns the name of a filler.
func (f Filler) String() string { return [...]string{"clear", "vectors", "strings", "non-temporal"}[f] }

// A Plan is how one job is written.
type Plan struct {
	Strategy  Strategy
	Stream    bool   // by non-temporal stores
	Tiles     bool   // with Stream: by way of a scratch
	ByColumns bool   // of Planes: a few columns of all of them, then the next
	Fill      Filler // of Scatter
	Block     int    // indices at a time; rows, where a row has several
	First     int    // of Rows: those of a short block before the others, by ordinary stores, if any
}

// A Machine is what a plan knows of the processor.
type Machine struct {
	Path        tier.Path
	L1, L2, LLC int // bytes
}

// Here returns the machine that this process runs on.
func Here() Machine { return Machine{tier.Active(), tier.L1, tier.L2, tier.LLC} }

// A Shape is what a plan knows of a job, in elements but for Width.
type Shape struct {
	Whole int // bytes of the output that this is a part of; 0 if it is none

	Outer, Depth, Inner int
	Plane, Stride       int
	Width               int  // bytes of a cell
	Zero                bool // Off is zero bits
	Miss                bool // a miss has cells of its own
	Start               int  // bytes of a cache line before the output
	Text                bool // indices are bytes that an alphabet has classes for
	String              bool // cells hold pointers, which kernels may not write
}

// gaps reports whether elements lie between blocks or planes.
func (s *Shape) gaps() bool {
	return s.Outer > 1 && s.Stride > s.Depth*s.Inner || s.Depth > 1 && s.Plane > s.Inner
}

func (s *Shape) bytes() int {
	return ((s.Outer-1)*s.Stride + (s.Depth-1)*s.Plane + s.Inner) * s.Width
}

// What kernels and their callers ask for.
const (
	// Least is the fewest indices that every kernel takes. A block that would leave
	// less behind takes that along.
	Least = 64

	// CallBytes is the most that a single call of a kernel, or a single clear,
	// covers, give or take a vector: none of them is ever preempted, so that a
	// larger one would hold up a garbage collection.
	CallBytes = 512 << 10

	// SeedBytes is how much of a pattern is made by doubling before copies of it
	// fill the rest: a copy from the first-level cache is the fastest. Half costs
	// 1%, twice 9%, on the generic path.
	SeedBytes = 8 << 10

	// Classes is how many a byte tells apart beside one that says none.
	Classes = math.MaxUint8

	// WideBytes is the room for classes in all bytes of their cells, which the
	// first-level cache holds beside the lines that are written. Half costs 13%
	// with 256 planes and nothing with 70, twice 1%.
	WideBytes = 8 << 10

	// ScratchBytes is the tile that non-temporal stores copy from: half of a
	// first-level cache at most. Half costs 5%, twice 8%.
	ScratchBytes = 16 << 10
)

// PlanesOfCall returns how many of count planes, and of how many blocks, one
// call of a kernel covers that writes run bytes to each. Whole runs of a few
// planes lie closer together than parts of all of them do.
func PlanesOfCall(count, run int) (planes, blocks int) {
	if planes = max(CallBytes/run, 1); planes < count {
		return planes, 1
	}
	return count, max(planes/count, 1)
}

// Blocks: how many classes are made before they are used. Go zeroes a buffer
// before its first use: hence a small one for jobs that fit it. Half of the
// small one costs 1%, twice 3%; of the medium one 5 and 4%; of the large one
// 3 and -1%.
const (
	SmallBlock  = 128
	MediumBlock = 512
	LargeBlock  = 2048
)

// block returns how many indices are made classes of at a time, for a job of n,
// which is large where it goes on for several blocks.
func block(n int, large bool) int {
	switch {
	case n < SmallBlock+Least:
		return SmallBlock
	case large:
		return LargeBlock
	}
	return MediumBlock
}

// largeRows is the output of rows from which they go by large blocks. Half
// costs -3%, twice 4%.
const largeRows = 64 << 10

// WideBlock is the most indices whose classes are repeated in all bytes of
// cells of that width at a time.
func WideBlock(width int) int { return min(WideBytes/width, LargeBlock) }

// Wide reports whether kernels take classes in all bytes of their cells.
func (p *Plan) Wide() bool { return p.Strategy == Planes && !p.ByColumns }

// run is block for planes, whose runs should be long: the start of each shows.
// In the first caches, runs of 2 KiB were twice as fast as those of 512 bytes.
func run(n int) int { return block(n, n >= MediumBlock+Least) }

// The parts of an output that several goroutines write.
const (
	// ShareRun is the shortest run, in bytes, of a plane in a part: short runs
	// cost, most of all beyond the second-level caches. Below ShareNear bytes of
	// output an eighth will do. Half and twice of either cost 1% of the work, as
	// one core sees it.
	ShareRun  = 128 << 10
	ShareNear = 12 << 20

	// ShareParts is the most parts, on average, that a worker gets. Half costs -1%
	// of the work, twice 1%.
	ShareParts = 32
)

// RepairOften is the fewest rows for each miss at which the rows of misses are
// written again. On a Zen 5 (family 26, model 2) half costs 1%, twice 3%.
const RepairOften = 32

// Repair reports whether rows of that many cells are best written without
// regard to misses, and the rows of misses then written again. In a short row a
// miss costs more to find than the row to write. In a long one it pays: the
// kernel that has an eye on misses takes a fifth longer than that of rows. By
// AVX-512 it takes a tenth longer, which is too little, unless cells are bytes.
// NEON has no kernels for it.
//
// On a Zen 5, with one miss in a hundred, twice narrowRow costs 8%; it cannot
// be less, since a kernel writes no shorter runs again. wideRow is where
// another loop takes over among bytes: 32 in its place costs 15%, twice 10%. To
// begin takes time that small outputs do not have: half of repairBytes costs
// 2%, by AVX-512 10%, twice 5 and 0%.
func Repair(path tier.Path, rows, misses, depth, width int) bool {
	const narrowRow, wideRow, repairBytes = LeastRun, 44, 16 << 10
	row, least := depth*width, wideRow
	switch {
	case path == tier.NEONPath || path == tier.AVX512Path && width > 1:
		return false
	case path == tier.AVX2Path:
		least = narrowRow
	}
	return row >= least && rows*row >= repairBytes && misses*RepairOften <= rows
}

// Take returns how much of left to take: size, or all of it where less than
// least would be left behind.
func Take(left, size, least int) int {
	if left < size+least {
		return left
	}
	return size
}
