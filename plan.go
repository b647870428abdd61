package onehot

import (
	"math"
	"math/bits"

	"github.com/go-onehot/onehot/internal/tier"
)

// The paths by their short names: the plans below are about little else.
const (
	generic = tier.GenericPath
	neon    = tier.NEONPath
	avx2    = tier.AVX2Path
	avx512  = tier.AVX512Path
)

// active is the path of this process, under a name that no variable of the
// plans hides.
func active() tier.Path { return tier.Active() }

// A strategy is a way to write an output.
type strategy uint8

const (
	// direct fills a tile and lights a cell in it for each index: fill and
	// scatter. The cost is that of a fill and of one store per index.
	direct strategy = iota

	// expand writes whole vectors of shallow rows: it permutes classes across the
	// lanes, compares them with the lanes' places and blends. It never stores a
	// cell twice, and needs no store per index.
	expand

	// fused is expand with both stages in one kernel, for the pairs of types that
	// have one, and never past the caches.
	fused

	// planes compares a vector of classes with one class after the other and
	// stores a run of each plane.
	planes

	// bitPlanes compares bytes with one class after the other, 64 to a word of its
	// plane: the way of EncodeBits.
	bitPlanes

	// lit is direct with both stages: it lights cells from classes. That is
	// MultiHot's way, whose many misses direct would have to guess.
	lit

	// spread sets a bit for each cell that is on, in words that lie beside those of
	// other rows, and turns bits into cells: the way of EncodeColumns, and of MultiHot
	// through shallow rows, where a row has several cells that are on.
	spread

	// marked turns cells into bits, one for each cell that is on, and reads rows
	// off the bits: Decode's way through rows. Through columns it goes by planes.
	marked
)

// A plan is how one job is written.
type plan struct {
	strategy strategy
	stream   bool   // past the caches, by non-temporal stores
	fill     filler // of direct
	step     tile   // of direct
	lanes    int    // bytes of a block's lanes, of expand, planes and bitPlanes
	block    int    // indices of a block; rows where a row has several
	boards   bool   // of planes: vector of columns by vector of columns
}

// The borders between strategies, in bytes. Each was read off races between the
// two on a Zen 5 with 1 MiB of second-level and 32 MiB of shared last-level
// cache; none of them is sharp.
const (
	// cacheBytes is the output up to which vector stores are best: about a
	// second-level cache. Above it they read what they replace, which string
	// stores do not.
	cacheBytes = 1 << 20

	// streamPlanes, streamRows and streamFills are the outputs from which
	// non-temporal stores are best. Vector stores read what they replace, so that
	// twice the output has to share the last-level cache with the indices and with
	// whoever else uses it; string stores do not. Planes are mostly lines of zeros,
	// which memory takes faster than other lines, so that they gain sooner than
	// rows. Below these borders non-temporal stores would only send to memory what
	// the caller may still find in a cache.
	streamPlanes = 12 << 20
	streamRows   = 20 << 20
	streamFills  = 32 << 20

	// deepPlanes is the depth from which planes are filled and lit: one index in so
	// many planes lights a cell so rarely that comparing costs more. (NEON's model
	// has the border at 70 for 4-byte cells and beyond 300 for bytes.)
	deepPlanes = 128

	// boardRun is the run of a plane up to which planes are written vector of columns
	// by vector of columns, and boardBytes the block: what fits a first-level cache
	// beside the lanes.
	boardRun   = 512
	boardBytes = 16 << 10

	// clearIsBest is the output below which clear zeroes faster than a kernel
	// fills: it has a routine for each size.
	clearIsBest = 2 << 10

	// bitsDepth is the depth, in classes, up to which bit planes are compared.
	bitsDepth = 1024
)

const (
	// largeLanes, mediumLanes and smallLanes are how much room the lanes of a block
	// take. Go zeroes a buffer before its first use: hence a small one for jobs
	// that fit it and a medium one up to mediumJob. The large one is as much as the
	// first-level cache holds beside the output in progress.
	largeLanes  = 8 << 10
	mediumLanes = 2 << 10
	smallLanes  = 512
	mediumJob   = 16 << 10

	// minClasses is the least number of indices that an index kernel takes.
	minClasses = 16

	// minBlock is the least that every kernel takes. A block that would leave
	// less behind takes that along.
	minBlock = 64

	// scratchBytes is the tile that non-temporal stores copy from, and
	// maxScratchRow the longest row that is expanded into it.
	scratchBytes  = 16 << 10
	maxScratchRow = 192

	// blockWords is the room for the bits of a block of wide rows, and maxBlockRows
	// the most rows that it has.
	blockWords   = 4 << 10
	maxBlockRows = 512

	// minTable is the indices of a table, over all columns, from which its bits pay.
	minTable = 256

	// maxSets is how many classes of sets are made at a time, maxSet the most that a
	// set may have of them, and minSet the least of which bits are made.
	maxSets = 512
	maxSet  = 256
	minSet  = 4

	// maxSetWords is the most words of bits that a row of sets has: every two take
	// a look at each index.
	maxSetWords = 8

	// minStream is the least that is worth a non-temporal copy.
	minStream = 128
)

// choose makes p the plan of a job. This is the one place where a strategy is
// chosen. (It fills p in place: a small struct of small fields that is returned
// has to be stored whole before it can be loaded.)
func (p *plan) choose(j *job) {
	tier := active()
	p.step = j.tileFor(j.width)
	if tier == generic || j.onText != nil {
		return
	}
	n, size, row := j.outer*j.inner, j.bytes, j.depth*j.width
	switch {
	case j.hasMiss || j.plane != j.pitch:
		p.direct(j, size, row)
		p.stream = false
	case n < minBlock || j.width > 8 || j.depth > math.MaxInt32:
		// Of 16-byte cells a vector holds so few, on NEON one, that a store per index is
		// cheaper than a compare and a blend per vector at any depth.
		p.direct(j, size, row)
	case j.plane > 1 && j.depth >= deepPlanes && size < streamFills:
		p.direct(j, size, row)
	case j.inner >= minBlock || j.plane > 1 && j.inner == j.plane && j.inner*j.width >= tier.VectorBytes():
		p.strategy = planes
		p.stream = streams && size >= streamPlanes
		p.lanes = lanesFor(n * j.width)
		p.block = p.lanes / j.width
		p.boards = boardKernels && !p.stream && j.inner == j.plane && j.inner*j.width <= boardRun && row*j.inner <= boardBytes
	case j.plane == 1 && j.stride == j.depth && size < streamRows && fuses(j):
		p.strategy = fused
		p.block = clearBytes / row &^ (minBlock - 1)
	case j.plane == 1 && j.stride == j.depth && 2 <= j.depth && j.depth <= 255 && row <= expandLimit(tier, j.width, size):
		p.strategy = expand
		p.stream = streams && size >= streamRows
		p.lanes = lanesFor(n * j.width)
		most := clearBytes - minBlock*row
		if p.stream {
			most = scratchBytes
		}
		p.block = max(min(p.lanes/j.width, most/row)&^(minBlock-1), minBlock)
	default:
		p.direct(j, size, row)
	}
}

// direct chooses how an output of that size, with rows of that many bytes, is
// filled before it is lit.
func (p *plan) direct(j *job, size, row int) {
	zero := j.off == element{}
	switch {
	case streams && size >= streamFills && j.plane == 1 && row >= minStream && (row >= scratchBytes || !j.gaps()):
		p.stream = true
	case zero && (size < clearIsBest || size > cacheBytes):
		p.fill = fillGo // clear, which uses string stores above a few KiB itself
	case size > cacheBytes && j.width <= 8:
		p.fill = fillString
	default:
		p.fill = fillVector
	}
}

// expandLimit is the longest row that is expanded: a longer one costs so many
// vectors that one more store for its index does not show. In the first two
// caches, where a fill is fastest, that is the case early, and the sooner the
// more a tier pays for a vector of that width. Further out the stores of either
// wait for their lines, and one store a line is best.
//
// NEON's limit is the model's (make cost), for want of a machine. On neoverse-v2
// 64 bytes cost 4 cycles expanded and 2 filled, an int32 0.4 as a class of a
// kernel and 2.0 lit by Go: even at 50 bytes. Other cores are even from 26
// (cortex-a76) to 75 (apple-m1); indices that are floats, and branches guessed
// wrong, cost Go more.
func expandLimit(tier tier.Path, width, size int) int {
	var limits [4]int // by width
	switch near, mid := size <= 64<<10, size <= cacheBytes/2; {
	case tier == neon:
		return 64
	case tier == avx512 && near:
		limits = [4]int{64, 64, 80, 56}
	case tier == avx512 && mid:
		limits = [4]int{80, 80, 112, 128}
	case tier == avx512:
		return maxScratchRow
	case near:
		limits = [4]int{32, 48, 48, 32}
	case mid:
		limits = [4]int{40, 56, 80, 40}
	default:
		return 144
	}
	return limits[bits.TrailingZeros(uint(width))]
}

// chooseBits chooses how bit planes are written: by comparison, which costs the
// same for every cell, or by setting the bits of a filled tile, which costs the
// same for every index and leaves the other cells to the fill.
func (p *plan) chooseBits(j *job) {
	if active() != generic && j.in.len >= minBlock && 0 < j.depth && j.depth <= bitsDepth {
		p.strategy = bitPlanes
		p.stream = streams && j.need*wordBits/8 >= streamPlanes
		p.lanes = lanesFor(j.in.len)
		p.block = p.lanes
	}
}

// chooseColumns chooses how rows of that many columns are written: by spreading
// bits, which costs a little more for every cell than a fill and much less for
// every index than a store, or by filling and lighting a tile, which is the
// better way for a table that is small, or of a single column.
func (p *plan) chooseColumns(l *layout, width, columns int) {
	tier := active()
	p.block = min(blockWords/max(BitWords(l.depth), 1)-minClasses, maxBlockRows) &^ 7
	if tier != generic && width <= 8 && !l.gaps() && columns > 1 && l.outer >= max(minBlock, minTable/columns) && l.depth > 0 &&
		p.block >= minClasses && l.depth*width <= min(columns*columnLimit(tier, width), scratchBytes) {
		p.strategy = spread
		p.stream = streams && l.need*width >= streamRows
	}
}

// columnLimit is the bytes of a row that a column takes, on average, from which
// its store costs less than the bits: of 100 classes the bits were even on a Zen
// 5 in the first caches, of 75 they are ahead beyond all caches.
//
// NEON's limit is the model's (make cost). On neoverse-v2 an index costs 1.3
// cycles as a class and a bit and 2.0 lit by Go, and 64 bytes cost 3 cycles
// spread, 5 if cells are bytes, and 2 filled: even at 45 bytes and at 15. On
// apple-m1 they are at 20, on neoverse-n1 below 10.
func columnLimit(tier tier.Path, width int) int {
	if tier == neon {
		return 24
	}
	return 96 * width
}

// chooseSets chooses how rows of k cells that are on are written. Bits cost
// about as much for a word of cells as stores for two indices, and a little for
// each index where a store waits for its cache line. Of few rows the bits cost
// more to start with, and most rows are near the end, which is written without
// them. On NEON they never cost less: by the model 64 bytes are spread at 3
// cycles and filled at 2, and an index takes about one cycle either way.
func (p *plan) chooseSets(j *job, k int) {
	words, tier := BitWords(j.depth), active()
	if tier == generic || j.width > 8 || k > maxSet || j.outer*k < minBlock || j.depth == 0 || j.depth > math.MaxInt32 {
		return
	}
	if tier != neon && k >= minSet && j.outer >= minBlock && !j.gaps() && words <= min(k/2, maxSetWords) {
		p.strategy = spread
		p.block = max(maxSets/k, (minClasses-1)/k+1) // and words to spare: there are at most k/2 a row
		p.stream = streams && j.need*j.width >= streamRows
		return
	}
	p.direct(j, j.need*j.width, j.depth*j.width)
	p.strategy, p.stream = lit, false
	p.block = max(min(scratchBytes/(j.depth*j.width), maxSets/k), (minClasses-1)/k+1)
}

// updateByKernels tells whether n indices are compared by kernels rather than
// one by one.
func updateByKernels(l *layout, n int) bool {
	return active() != generic && n >= minBlock && 0 < l.depth && l.depth <= math.MaxInt32 && l.plane == l.pitch
}

// chooseDecode chooses how elements of that width are decoded.
func (p *plan) chooseDecode(l *layout, width int) {
	tier := active()
	if tier == generic || width > 8 || l.depth == 0 {
		return
	}
	switch {
	case l.inner >= minBlock || l.inner > 1 && l.inner*width >= tier.VectorBytes():
		p.strategy = planes
	case l.inner == 1 && l.plane == 1 && (l.depth >= minBlock || l.outer*l.depth >= minBlock && !l.gaps()):
		p.strategy = marked
	}
}

// lanesFor chooses the room for the lanes of a job that has that many bytes of
// them.
func lanesFor(bytes int) int {
	switch {
	case bytes <= smallLanes:
		return smallLanes
	case bytes <= mediumJob:
		return mediumLanes
	}
	return largeLanes
}
