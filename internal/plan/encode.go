package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

const (
	// MaxDepth is the deepest row that any kernel of Rows takes, and MaxRow the
	// longest, in bytes. See also Deepest.
	MaxDepth, MaxRow = Classes, blendBytes

	// neonDepth is the deepest row of NEON, whose kernels count columns in bytes,
	// up to a vector beyond the last. byteMiss is the deepest row with a Miss of
	// AVX2, whose kernel takes the highest bit of a class for a miss.
	neonDepth, byteMiss = MaxDepth + 1 - 16, 128

	// blendBytes is the longest row that is blended on any path, though AVX-512 has
	// kernels for longer ones. On a Xeon half costs 16%, twice saves 2%. On a Zen 4
	// half of 384 costs 16%, twice saves 1%.
	blendBytes = 512

	// nearBlend is the longest row that is blended where the first-level cache
	// holds the output, which vector stores fill twice as fast as kernels blend it.
	// On a Xeon half costs up to 27%, twice up to 35%, by size and shape. On a
	// Zen 5 half of 128 saves 3%, twice costs 26%. A Zen 4 fills at half that rate.
	//
	// With a Miss the limit is blendBytes in the first-level cache, too. On the
	// Zen 5 blending takes 0.75 to 1.0 times as long in rows between the two limits
	// where one in a hundred is a miss, and half as long where one in ten is.
	nearBlend = 96

	// farBlend is the longest row that is blended beyond the second-level cache,
	// where clear, unlike vector stores, does not read what it replaces. Where
	// prefetchesFar holds, the limit is blendBytes, too: on a Sapphire Rapids
	// rows of 320 to 512 bytes take 0.7 to 0.9 times as long for it. On a Xeon half
	// of 320 costs 30 to 45%, twice saves 9 to 15%. On a Zen 5, where 220 is best,
	// half of 220 costs 14%, twice 11%. On a Zen 4 half of 240 costs 25%, twice
	// saves 3%. Rows of 256 bytes, which are common, take 1.0 to 1.1 times as long
	// to blend on the Zen 5, and 0.85 times on the Zen 4; rows of 288 and 320 bytes
	// take 1.05 to 1.15 times as long on the Zen 5.
	farBlend = 256

	// narrowBlend is the longest row that AVX2 blends, but see skylakeRow. A
	// Zen 5, whose programs take the AVX-512 path, fills the second-level cache at
	// twice the rate of its AVX2 kernels: in that cache half saves 22%, twice costs
	// 50%; beyond it half saves 2%, twice costs 20%. Yet up to 208 bytes AVX2
	// blends faster than clear and a store for each index write. On a Zen 4, where
	// 224 is best, half of 224 costs 14%, twice 36%. On a Xeon half of 192 in that
	// cache costs 40 to 50%, twice saves 13%; half of 256 beyond it costs 40 to
	// 60%, twice saves 15 to 30%.
	narrowBlend = 208

	// neonBlend is the longest row that NEON blends, and neonClear the bytes of
	// output from which clear zeroes it there. Neither was measured on a processor.
	neonBlend, neonClear = 256, 2 << 10

	// StreamRow is the longest row that is blended from half of the last-level
	// cache on. Non-temporal stores begin beyond that, at streamRows, so that
	// their scratch buffer has room for every row. Most lines of longer rows are
	// zeros, which clear writes faster. On a Zen 5 half costs 8%, twice 15 to 20%.
	StreamRow = 128
)

// Encode chooses how an encoding is written, except for small calls: see
// SmallRows and SmallPlanes.
func Encode(m Machine, s *Shape) Plan {
	n, bytes, row := s.Outer*s.Inner, max(s.bytes(), s.Whole), s.Depth*s.Width
	if m.Path == tier.GenericPath || s.String || n < Least || s.Depth > math.MaxInt32 || s.Text && s.Depth > Classes {
		return scatter(m, s, bytes, 1, leastTile)
	}
	switch {
	case s.Inner == 1 && s.Stride == s.Depth && blendsRows(m, s.Depth, s.Width, bytes, s.Miss):
		p := Plan{Strategy: Rows, Stream: streams(m) && bytes >= streamRows(m)}
		first, lines, most := 0, true, CallBytes-(Least-1)*row
		if p.Stream || bytes >= AlignRows {
			first, lines = ToLine(s.Start, row)
		}
		// The kernels of non-temporal stores write whole lines and know no Miss.
		if p.Tiles = p.Stream && (!lines || s.Miss || row%4 != 0); p.Tiles {
			most = ScratchBytes
		}
		p.Block = max(min(block(n, bytes >= largeRows), most/row)&^(Least-1), Least)
		if !p.Tiles {
			p.First = first
		}
		return p
	case s.comparesPlanes(m, bytes):
		p := Plan{Strategy: Planes, Stream: streams(m) && bytes >= streamPlanes(m)}
		p.Block = run(n)
		switch {
		case !p.Stream:
		case s.tiles(m.Path):
			p.Tiles, p.Block, bytes = true, LargeBlock, ScratchBytes
		case s.ragged() && s.Inner < LargeBlock && s.Inner*s.Width >= raggedRun: // one block of planes at a time
			p.Block = rounds(s.Inner, Least)
		}
		p.ByColumns = ByColumns(m, s.Depth, s.Inner*s.Width, s.Plane*s.Width, s.Width, bytes, s.Miss)
		if p.Wide() {
			p.Block = min(p.Block, WideBlock(m.Path, s.Width, s.Inner*s.Width, s.Miss && !p.Tiles)) // a tile has whole planes
		}
		return p
	}
	return scatter(m, s, bytes, 1, leastTile)
}

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

// comparesPlanes reports whether an output is written as planes by comparison.
func (s *Shape) comparesPlanes(m Machine, bytes int) bool {
	if s.Inner < Least || s.Miss && s.Depth > Classes {
		return false
	}
	if beyond(m, bytes) {
		return s.comparesFar(m, bytes)
	}
	return compares(m, s.Depth, s.Inner, s.Plane, s.Width, bytes, s.Miss)
}

// compares reports whether planes of inner columns, plane apart, are few and
// narrow enough to be compared, and whether there are kernels for it. Comparing
// a cell costs a tenth more than filling it, two tenths where the second-level
// cache holds all of the output, and three where the first-level cache does, or
// one up to Zen 4. On Intel's cores it may cost less or more: see aheadCell and
// skewedCell. Cells count by whole rounds of columns: see roundOf. Filling and
// scattering costs one store for each index instead, as much as filling
// storeCells cells or storeBytes bytes. A store to crowded planes, unless the
// first-level cache holds them all, is worth 16 times as many cells, and
// max(12, width)/width times as many bytes.
//
// A Miss makes it four times as many cells and six times as many bytes, and
// each block begins as if it had missStart columns more, since the pattern of a
// miss has to be made before it can fill. But comparing a cell then costs three
// tenths more. Crowded planes with a Miss take the larger counts. Gaps count as
// a Miss does: see gapsCost. Skylake's servers have a further limit in outputs
// of one to two second-level caches: see columnFar.
func compares(m Machine, depth, inner, plane, width, bytes int, hasMiss bool) bool {
	cell, costly := 11, hasMiss || gapsCost(inner, plane, width)
	crowds := streams(m) && bytes > m.L1 && m.crowdsStores(depth, plane*width)
	switch {
	case m.Path == tier.GenericPath, m.skylake() && !costly && !crowds && m.L2 <= bytes && bytes <= 2*m.L2 && depth*width > columnFar:
		return false
	case streams(m) && bytes <= m.L1:
		cell = nearCost(m.zen())
	case streams(m) && bytes <= m.L2:
		cell = 12
	}
	switch {
	case costly:
	case m.prefetchesFar(bytes):
		cell -= aheadCell
	case m.skews(plane*width, bytes):
		cell += skewedCell
	}
	c := comparing(cell, roundOf(m.Path == tier.AVX2Path), costly)
	if crowds {
		c.cells, c.bytes = max(c.cells, 16*storeCells), max(c.bytes, storeBytes*max(12, width)/width)
	}
	return c.pays(depth, min(inner, LargeBlock), width)
}

// A comparison is what comparing a cell costs, in tenths, how many columns are
// compared at a time, how many cells and bytes a store is worth, and how many
// stores the start of a block.
type comparison struct {
	cell, round, cells, bytes, start int
}

// comparing returns the comparison of planes with or without a Miss.
func comparing(cell, round int, hasMiss bool) comparison {
	if hasMiss {
		return comparison{cell + 3, round, 4 * storeCells, 6 * storeBytes, missStart}
	}
	return comparison{cell, round, storeCells, storeBytes, 0}
}

// comparingNear is comparing on the processor at hand, for small calls whose
// output the first-level cache holds.
func comparingNear(hasMiss bool) comparison {
	return comparing(nearCost(zenHere()), roundOf(!tier.AVX512), hasMiss)
}

// roundOf returns how many columns the kernels of planes compare at a time. On
// a Zen 3 planes take 1.026 times as long as by the better way of each if 64 is
// taken for the 32 of AVX2, otherwise 1.017 times.
func roundOf(avx2 bool) int {
	if avx2 {
		return 32
	}
	return 64
}

// gapsCost reports whether gaps between planes make filling as costly as a Miss
// does, since each of many short runs has to begin. On a Cascade Lake planes
// with gaps take 0.36 to 0.9 times as long for it where it decides, and 1.05 to
// 1.2 times if runs of 20 KiB count, too.
func gapsCost(inner, plane, width int) bool { return plane > inner && inner*width <= gapRun }

// pays reports whether comparing the cells of a block takes less time than
// filling them and storing one in each column.
func (c comparison) pays(depth, inner, width int) bool {
	more := int64(depth) * int64(rounds(inner, c.round)*c.cell-inner*fillCell)
	stores := (inner + c.start) * fillCell
	return more < int64(c.cells*stores) && more*int64(width) < int64(c.bytes*stores)
}

// The costs of a cell, in tenths of filling it: to fill it, and to compare it
// within the first-level cache; see also zenCell.
const fillCell, nearCell = 10, 13

// nearCost returns nearCell for the processor.
func nearCost(zen bool) int {
	if zen {
		return zenCell
	}
	return nearCell
}

// storeCells and storeBytes are how many cells, and bytes, are filled in the
// time of a store to one of many planes; missStart is explained at compares.
//
// On a Zen 5, 3,400 calls of 2 KiB to 10 MiB take 1.01 times as long on average
// as by the better way of each, with AVX-512 and AVX2 alike. With half or
// twice of storeCells it is 1.06 for cells of a byte, 1.00 to 1.04 for others;
// with half or twice of storeBytes 1.02 to 1.08 for cells of four and eight
// bytes. Within the second-level cache one tenth makes it 1.03, three 1.01,
// five 1.02; beyond it two make it 1.035 for cells of a byte and less for
// others.
//
// There, over 14,000 earlier calls, half of the bytes of crowded planes costs
// 6%, twice 8%; with AVX2 15% and 4%. On a Xeon with AVX-512 half of the tenths
// within the first-level cache costs 0 to 40%, twice 0 to 25%. On a Zen 4,
// whose stores to planes take longer, 24 cells, 75 bytes and one tenth lose
// least on both paths.
//
// Where one index in a hundred is a miss with cells of its own, 1,400 calls of
// 8 KiB to 4 MiB take 1.01 times as long on the Zen 5 as by the better way of
// each, on both paths. Half and twice of missStart make it 1.02 and 1.005, with
// AVX2 1.01 and 1.02; half and twice of what a store is worth then 1.06 and
// 1.00, with AVX2 1.02 and 1.03; half and twice of the three tenths 1.005 and
// 1.04, with AVX2 1.02 and 1.01. On the Zen 4, whose kernels take longer for a
// cell, half of that worth costs 17%, twice 13%; with AVX2 21% and 8%.
const storeCells, storeBytes, missStart = 16, 40, 80

// comparesFar is compares beyond the last-level cache, where a store brings its
// line back from memory, but non-temporal stores fill zeros at the memory's
// rate. Skylake's servers, which do not use these, have the same limits: on a
// Cascade Lake 2 to 500 planes of zeros in 40 to 120 MB take 0.3 to 0.85 times
// as long compared.
//
// Without a Miss, planes of less than raggedRun bytes that go by way of a
// scratch buffer are compared only if their columns are short or, where they
// cannot be scattered to in tiles, if Off is not zero.
func (s *Shape) comparesFar(m Machine, bytes int) bool {
	row := s.Depth * s.Width
	columns := rounds(s.Inner, Least)
	switch short := row*columns <= farTile*s.Inner && s.Depth <= farPlanes; {
	case s.Miss:
		return true
	case !s.tiles(m.Path) || s.Inner*s.Width >= raggedRun:
		return !s.Zero || s.Depth <= farPlanes
	case !s.scattersTiles(m, bytes, 1, leastTile):
		return !s.Zero || short
	case m.Path == tier.AVX2Path && !SendsPlanes(m.Path, s.Inner*s.Width):
		return row*columns <= narrowTile*s.Inner
	default:
		return short
	}
}

// scattersTiles reports whether planes, sets or tables without gaps are
// scattered to in tiles. Each tile is made in the last blocks of the output,
// from where non-temporal stores copy it. That stores to each cell twice. But
// otherwise all of the output is filled, and the lines of its cells are read
// from memory, during the fill or after it. stores is 1, or how many cells of a
// row of sets or of a table are stored; least is the fewest bytes of a row for
// each of them. For rows of Encode scatter decides.
func (s *Shape) scattersTiles(m Machine, bytes, stores, least int) bool {
	row := s.Depth * s.Width
	switch block := row * s.Inner; {
	case !streams(m) || bytes < streamFills(m, s.Zero) || s.gaps() || block < 2*CacheLine || block > min(m.L2, CallBytes):
		return false
	case stores == 1 && (row >= streamTile(s.Zero) || s.Miss && s.Inner >= Least):
		return false
	}
	return row >= least*stores
}

// beyond reports whether an output is at least as large as the last-level
// cache, and there are non-temporal stores. On a Zen 5 deep planes take 1.1 to
// 1.6 times as long as careful Go from 3/4 of that cache up to all of it,
// whichever way they are written.
func beyond(m Machine, bytes int) bool { return streams(m) && bytes >= m.LLC }

// farPlanes is the most planes that are compared beyond the last-level cache.
// On a Zen 5 half costs 20%, with AVX2 15%; twice costs 5%, with AVX2 10%, with
// cells of a byte 25%. farTile is the most bytes of a column of all planes for
// which planes that go by way of a scratch buffer are compared. It counts
// columns by whole rounds. Half costs 30%, twice 10%, if scattering fills the
// output first. On a Sapphire Rapids half costs up to 12%, twice up to 7%.
//
// narrowTile is farTile for AVX2 where planes are scattered to in tiles, unless
// SendsPlanes says so. On a Zen 3 half costs up to 65%, mostly 10%, and twice
// up to 80%, mostly 25%.
//
// leastTile is the fewest bytes of a column for which planes are scattered to
// in tiles. On the Zen 3 half costs up to 80% with two or three columns and
// saves up to 40% with more; twice costs up to 180%, mostly 70%. leastSet and
// leastTable are the fewest bytes of a row for each of its stores, of sets and
// of tables. Half of leastSet costs up to 5%, twice up to 110%; half of
// leastTable costs 20%, 80% where one index in ten is a miss, and twice up to
// 35%. Blocks of more than a second-level cache would gain nothing.
const farPlanes, farTile, narrowTile, leastTile, leastTable, leastSet = 320, 400, 56, 40, 64, 24

// rounds returns the columns of the whole rounds that hold so many columns.
// round is a power of two.
func rounds(columns, round int) int { return (columns + round - 1) &^ (round - 1) }

// ByColumns reports whether planes that start apart bytes apart are written a
// round of columns at a time: each round to all planes, then the next round.
// That saves starting a run for each plane, and repeating classes in all bytes
// of their cells, for which a small call has no time. But it makes runs as
// short as a round, which costs more than it saves where planes are long or
// crowded. It is the only way on NEON. Where planes are not crowded it is the
// way for few planes, outputs that the first-level cache holds and short runs;
// with AVX2 also where there is a Miss, or the output takes no more than most
// of the second-level cache, unless there are many planes and the processor is
// one of Skylake's servers. Up to Zen 4 see also zenColumns.
func ByColumns(m Machine, planes, run, apart, width, bytes int, hasMiss bool) bool {
	far := bytes > m.L2*3/4
	deep := m.skylake() && planes > skylakeDepth(apart, hasMiss, far)
	switch {
	case !streams(m):
		return true
	case m.crowdsRounds(planes, run, apart, width, bytes, hasMiss):
		return false
	case bytes <= m.L1 || !deep && (planes <= fewPlanes || hasMiss && m.Path == tier.AVX2Path):
		return true
	case far:
		return run <= farPlane || m.zenColumns(planes, run)
	}
	return m.Path == tier.AVX2Path && !deep || run < shortPlane
}

// shortPlane is the run, in bytes, from which AVX-512 writes plane by plane. On
// a Zen 5 half costs 16%; twice saves 2%, but costs 10% where cells have eight
// bytes. On a Zen 4, where 512 is best, half of 512 costs 2%, twice 3%.
// farPlane is the longest run that goes by columns beyond most of the
// second-level cache, on both paths. On the Zen 5 half costs 13%, twice saves
// 9%; with AVX2 half costs nothing, twice 2%. On the Zen 4, where 128 is best,
// half of 128 costs 18%, twice 5%.
//
// fewPlanes is the most planes that go by columns unless they are crowded: too
// few to repay repeating their classes. Half costs 20 to 30%.
const (
	shortPlane, farPlane = 1 << 10, 256
	fewPlanes            = 6
)

// ragged reports whether planes may start within a line, or end within a round
// of columns. Non-temporal stores want whole lines.
func (s *Shape) ragged() bool {
	return s.Inner*s.Width%CacheLine != 0 || s.Inner%Least != 0
}

// tiles reports whether ragged planes go by way of a scratch buffer, as those
// do that touch and are shorter than raggedRun bytes, or than sentMost where
// SendsPlanes says so: handling the ends of such a plane costs more than
// writing all of it twice.
func (s *Shape) tiles(p tier.Path) bool {
	run := s.Inner * s.Width
	return s.ragged() && s.Plane == s.Inner && (run < raggedRun || SendsPlanes(p, run) && run < sentMost) && s.Inner <= LargeBlock
}

// SendsPlanes reports whether planes of so many bytes that go by way of the
// scratch buffer leave it one by one. Each then starts a cache line there.
func SendsPlanes(p tier.Path, run int) bool { return p == tier.AVX2Path && run >= sentRun }

// raggedRun is the run, in bytes, from which non-temporal stores write ragged
// planes in place, but for their ends. On a Zen 5 with AVX-512 half costs 30%,
// twice 10%. With AVX2 planes that touch have sentMost in its place, which is
// no more than WideBytes, since a block holds a plane. On a Zen 3 half of it
// costs 12%, twice 5%.
//
// sentRun is the run from which planes leave the scratch buffer one by one. On
// the Zen 3 half saves 2% on average: it saves up to 30% in cells of one or two
// bytes, and costs up to 45% in those of eight. Twice costs 12%. With AVX-512
// it would gain nothing on a Sapphire Rapids: 0.95 to 1.04 times.
const raggedRun, sentRun, sentMost = 5 << 10, 1536, WideBytes

// blendsRows reports whether the rows of an output of so many bytes are
// blended. Longer rows are filled and scattered to: one more store for each
// index does not matter there.
func blendsRows(m Machine, depth, width, bytes int, hasMiss bool) bool {
	row, longest := depth*width, neonBlend
	switch {
	case m.Path == tier.GenericPath || depth < 2 || depth > Deepest(m.Path, hasMiss):
		return false
	case m.skylake():
		longest = m.skylakeRow(bytes, hasMiss)
	case streams(m) && bytes >= m.LLC/2:
		longest = StreamRow
	case m.zen():
		longest = m.zenRow(bytes, hasMiss)
	case m.Path == tier.AVX2Path:
		longest = narrowBlend
	case m.Path == tier.AVX512Path && bytes <= m.L1 && !hasMiss:
		longest = nearBlend
	case m.Path == tier.AVX512Path && !holdsBlock(m, depth, width):
		return false
	case m.Path == tier.AVX512Path && bytes > m.L2 && !m.prefetchesFar(bytes):
		longest = farBlend
	case m.Path == tier.AVX512Path:
		longest = blendBytes
	}
	return row <= longest
}

// Deepest returns the deepest row that the kernels of Rows take on a path.
func Deepest(p tier.Path, hasMiss bool) int {
	switch {
	case p == tier.NEONPath:
		return neonDepth
	case p == tier.AVX2Path && hasMiss:
		return byteMiss
	}
	return MaxDepth
}

// holdsBlock reports whether the first-level cache holds a block of AVX-512, 64
// rows, together with the kernel's table. The table has a byte for each cell of
// the block, and counts 8/5 times because it is read for every block. Beyond
// 6/5 of the cache, kernels are slower than a fill and a store for each index:
// on a Zen 4 beyond some 235 cells of a byte, 168 of two, 108 of four and 64 of
// eight, as the formula has it. Half costs 14%, twice 8%, and 35% where cells
// are two bytes. A cache of 48 KiB holds all rows up to blendBytes.
func holdsBlock(m Machine, depth, width int) bool {
	cells := depth * max(width/8, 1) // a cell of 16 bytes counts as two
	return 64*(5*depth*width+8*cells) <= 6*m.L1
}

// SmallSide bounds the numbers of a small call, whose products then fit an int.
const SmallSide = 1 << 15

// SmallClear is the bytes of a small call's output from which clear zeroes it
// only if ZeroesByClear says so: clear begins with a wait there, which kernels
// do not have. Below it fillPattern takes longer to begin than clear.
const SmallClear = 2 << 10

// SmallZero is the most bytes of a small call's output that stores of
// SmallStore bytes, in the caller's own code, zero faster than a call does. On
// a Zen 5 half costs 4%, twice 17%; with AVX2 14% and 0%. SmallPattern is the
// same for other values, which a kernel would fill.
const SmallStore, SmallZero, SmallPattern = 16, 384, 128

// ZeroesByStores reports whether stores of SmallStore bytes zero the output of
// a small call.
func ZeroesByStores(bytes int) bool { return SmallStore <= bytes && bytes <= SmallZero }

// SmallCopies is the fewest cells of a small call's output that doubling copies
// fill, where no kernel may: strings, and anything but zeros on the generic
// path. On a Zen 5 half costs 15 to 40% at 72 cells, twice 20 to 80% at 160.
const SmallCopies = 96

// smallRow is the shortest row of a small call that AVX2 fills and scatters to
// in an output that the first-level cache holds: there a fill and a store for
// each index run ahead of the kernels. smallMiss takes its place where a miss
// has cells of its own, and fewRow where there are fewer than SmallBlock rows
// and no Miss, since the time that a kernel takes to begin matters then.
//
// On a Zen 3, with other indices in each call, half of smallRow costs up to
// 45%, and so does twice. Where one index in a hundred is a miss, half of
// smallMiss costs up to 55%, twice 20%; where one in twenty is, half costs up
// to 80%. On the AVX2 path of a Zen 5, which stores at half the rate of its
// fill, 48 is best in the place of smallRow, and 72, fitted to an older loop,
// in that of smallMiss; twice of either costs 10%. There, half of the
// first-level cache as the limit of the output costs 22%. On the Zen 3 twice of
// fewRow saves up to 25% and costs up to 20%. On a Cascade Lake 11 is best in
// its place; half and twice of that cost 5%.
//
// On Skylake's servers rowNear takes the place of smallRow, and rowMiss that of
// smallMiss.
const smallRow, smallMiss, fewRow = 72, 112, 16

// A SmallWay is how a small call is written.
type SmallWay uint8

const (
	ByLoop    SmallWay = iota // filled and scattered to by a loop
	ByKernels                 // rows by kernels, block by block if need be; planes one by one; bit planes by a plan
	AtOnce                    // rows and bit planes by one call of each kernel; planes by columns
)

// mostLast is the most rows of LastRows that a loop writes; with more of them,
// all rows go by way of a buffer. On a Zen 3 calls take 0.7 to 0.85 times as
// long if a loop writes their last rows. Half of mostLast costs 12%, twice 25%.
const mostLast = 10

// SmallRows chooses how the n rows of a small call are written. AtOnce rows may
// be written over their own classes, except those of LastRows. The most common
// rows are decided first.
func SmallRows(n, depth, width int, hasMiss bool) SmallWay {
	row, sure := depth*width, nearBlend // sure: rows of up to so many bytes, fewer than byteMiss, are blended in any output
	if !tier.AVX512 {
		switch {
		case n < SmallBlock && !hasMiss:
			sure = fewRow - 1
		case tier.SkylakeServer:
			sure = skylakeNear(hasMiss)
		case hasMiss:
			sure = smallMiss - 1
		default:
			sure = smallRow - 1
		}
	}
	if row > sure && n*row <= tier.L1 && tier.AVX2 && !(hasMiss && tier.AVX512) {
		return ByLoop
	}
	once := n*row < AlignRows && overWhole(tier.Active(), n) && LastRows(tier.Active(), n, row) <= mostLast
	switch {
	case once && row <= sure && 2 <= depth:
		return AtOnce
	case !blendsRows(Here(), depth, width, n*row, hasMiss):
		return ByLoop
	case once:
		return AtOnce
	}
	return ByKernels
}

// SmallPlanes chooses how the planes of small blocks are written. A block has
// inner columns, all blocks n. AtOnce planes are written by columns. An output
// that any first-level cache holds is decided first: its planes are never
// crowded, and all other questions take a fifth of a small call.
func SmallPlanes(n, inner, depth, width int, hasMiss bool) SmallWay {
	run, bytes := inner*width, n*depth*width
	if depth < 2 || depth > Classes {
		return ByLoop
	}
	if bytes <= tier.LeastL1 && (tier.AVX512 || tier.AVX2) {
		if !comparingNear(hasMiss).pays(depth, inner, width) {
			return ByLoop
		}
		return AtOnce
	}
	m := Here()
	switch {
	case !compares(m, depth, inner, inner, width, bytes, hasMiss):
		return ByLoop
	case ByColumns(m, depth, run, run, width, bytes, hasMiss):
		return AtOnce
	}
	return ByKernels
}

// PaddedPlanes reports whether kernels write the planes of a small call, one
// block of n columns, that start plane cells apart.
func PaddedPlanes(n, depth, plane, width int, hasMiss bool) bool {
	return 2 <= depth && depth <= Classes && compares(Here(), depth, n, plane, width, n*depth*width, hasMiss)
}

// OverClasses reports whether n rows of row bytes may be written over their own
// classes, which end where the rows do. The kernels of amd64 load the classes
// of a block before they write it, so what they write stays behind the classes
// yet to be read; but if rows are left over, the last block goes back to
// classes that the rows before must not have reached. A small call thus saves a
// buffer, which Go would zero. Where rows of misses are written again, there is
// room for the misses of LargeBlock rows.
func OverClasses(p tier.Path, n, row int) bool {
	return overWhole(p, n) && LastRows(p, n, row) == 0
}

// overWhole is OverClasses for n rows less those of LastRows.
func overWhole(p tier.Path, n int) bool {
	return p != tier.NEONPath && p != tier.GenericPath && n <= LargeBlock
}

// LastRows returns how many of n rows, the last ones, may not be written over
// their own classes on amd64, though the rest may: those that whole blocks
// leave over, if they take fewer bytes than a block has rows. On other paths
// the number means nothing.
func LastRows(p tier.Path, n, row int) int {
	block := 32
	if p == tier.AVX512Path || row == 2 { // where AVX2 takes twice as many rows
		block = 64
	}
	left := n & (block - 1) // n % block; a small call would notice a division
	if left*row >= block {
		return 0
	}
	return left
}

// OverPlanes is OverClasses for planes that are written by columns, in blocks
// of inner columns, n in all. The blocks touch, or the last one holds all
// classes, which end where the cells do. A round loads its classes before it
// stores a cell, and a cell is no shorter than a class, so what is written
// stays behind what is yet to be read. If all rounds are whole, no last round
// goes back.
func OverPlanes(n, inner int) bool {
	return inner%Least == 0 && n <= LargeBlock && (tier.AVX512 || tier.AVX2)
}

// OverLater returns how many of n rows of row bytes to write at a time if the
// classes of each block are to lie where later rows will, and those of the last
// as OverClasses has them, or 0 if that is not possible. There is room: there
// are more than LargeBlock rows, so of two blocks the last has more than half
// as many rows as the first, and a row is two bytes or more.
func OverLater(p tier.Path, n, row int) (size int) {
	blocks := (n + LargeBlock - 1) / LargeBlock
	size = rounds((n+blocks-1)/blocks, Least)
	if last := n - (blocks-1)*size; last < Least || !OverClasses(p, last, row) {
		return 0
	}
	return size
}

// scatter chooses how a tile is filled. Non-temporal stores fill all of an
// output only where a row, or a block of planes without gaps, is scattered to
// once, since each store reads its line back from memory; mostly they copy
// tiles. They copy planes with a Miss from the size on at which they write
// planes that are compared. Where they are slow, string stores fill small
// outputs and vector stores large ones. stores is how many cells of a row are
// stored: 1 in Encode, more in tables and sets, even if each row has one index.
// least is that of scattersTiles.
func scatter(m Machine, s *Shape, bytes, stores, least int) Plan {
	p, row := Plan{Strategy: Scatter, Counts: s.counts(m, bytes)}, s.Depth*s.Width
	far := streams(m) && bytes >= streamPlanes(m) && (s.Miss || bytes >= m.LLC)
	switch {
	case m.Path == tier.GenericPath || s.String:
	case streams(m) && bytes >= streamFills(m, s.Zero) && stores == 1 && s.Inner == 1 && s.Plane <= 1 && (row >= ScratchBytes || !s.gaps()):
		if p.Stream, p.Tiles = true, row < streamTile(s.Zero); !p.Tiles {
			p.Fill = FillStream
		}
	case s.scattersTiles(m, bytes, stores, least): // not rows of Encode, which the case before has
		p.Stream, p.Tiles = true, true
	case far && stores == 1 && s.Inner > 1 && !s.gaps() && (!s.Miss || s.Inner >= Least):
		p.Stream, p.Fill = true, FillStream
	case m.skylake():
		if p.Fill = FillVector; m.repeats(bytes, row/stores) {
			p.Fill = FillRepeat
		}
	case s.Zero && clears(m, bytes):
	case streams(m) && (bytes > m.L2*3/4 || m.intel() && repeatsOnIntel(bytes, m.L1)): // half and twice of 3/4 cost 1% at most
		p.Fill = FillRepeat
	default:
		p.Fill = FillVector
	}
	return p
}

// CopiesMisses reports whether the cells of misses, in planes that are filled
// and scattered to, are made in the first plane and copied to the others. A
// kernel makes them without looking at each index; without one, they are stored
// one by one as long as planes are few. On the generic path of a Zen 5, half of
// missPlanes costs 20 to 60% where one index in a hundred is a miss, twice
// saves 10 to 20%; where one in ten is, half costs -5 to 15%, twice 30 to 50%.
func CopiesMisses(p tier.Path, depth int, isString bool) bool {
	return p != tier.GenericPath && !isString || depth > missPlanes
}

const missPlanes = 24

// counts reports whether the misses of planes that are filled and scattered to
// are counted first, to see whether StoresMisses holds. Only Skylake's servers
// do that, and only where string stores fill such an output sooner than copies
// of the first plane do: from repeatsFar up to half of the last-level cache.
// The kernel of text knows only classes that a byte tells apart.
func (s *Shape) counts(m Machine, bytes int) bool {
	return m.skylake() && m.repeatsLarge(bytes, s.Depth*s.Width) && s.Miss && s.Inner >= Least &&
		s.Width >= storeWidth && !s.String && (s.Depth <= Classes || !s.Text)
}

// StoresMisses reports whether so few of n indices are misses that their cells
// are best stored one by one: one in 96 where cells have two bytes, one in 48
// where they have four, and so on.
func StoresMisses(misses, n, width int) bool { return misses*storeOften <= n*width }

// CountsMisses reports whether the misses of a small block of planes are
// counted first, to see whether FewMisses holds: in outputs that the
// first-level cache holds. Where a kernel counts, these are planes that would
// be scattered to without a Miss and are not too small to repay it; see also
// columnNear. On a Cascade Lake they take 0.78 times as long where one index in
// a hundred is a miss, 0.86 times where three are, and 1.04 times where twelve
// are. Up to Zen 4, where kernels of AVX2 take little longer for a Miss, these
// are planes that would also be scattered to with one: on a Zen 3 the others
// would take 1.05 to 1.2 times as long. Elsewhere these are planes whose misses
// would be copied: with one miss in a hundred they take 0.6 times as long. In
// larger outputs a miss costs more.
func CountsMisses(n, depth, width int, isString bool) bool {
	bytes := n * depth * width
	switch {
	case bytes > tier.L1:
		return false
	case isString || tier.Active() == tier.GenericPath:
		return depth > missPlanes
	case bytes < tier.L1/4 || depth < 2 || depth > Classes || !tier.AVX2 && !tier.AVX512:
		return false
	}
	hasMiss := zenHere() // elsewhere what planes without one cost decides
	return !comparingNear(hasMiss).pays(depth, n, width) || tier.SkylakeServer && tier.AVX2 && bytes > tier.L1/2 && depth*width > columnNear
}

// FewMisses is StoresMisses for a small block of planes: one index in 40 where
// cells have a byte, one in 20 where they have two, one in ten otherwise.
func FewMisses(misses, n, width int) bool { return misses*fewOften <= n*min(width, 4) }

// fewOften bounds the misses of FewMisses. On a Cascade Lake half costs up to
// 7%, twice 9%.
const fewOften = 40

// storeOften and storeWidth bound the misses that are stored one by one, and
// the cells. On a Cascade Lake, in 200 to 600 planes of 500 to 8,000 columns,
// storing takes 0.7 to 1.0 times as long as copying where one index in a
// hundred is a miss, and 0.75 to 1.1 times where one in fifty is and cells have
// four bytes or more. Half of storeOften saves up to 20% and costs up to 15%;
// twice costs up to 40%.
const storeOften, storeWidth = 192, 2

// StreamBlocks returns how many of outer blocks of so many bytes make a tile
// that is scattered to and copied: see scattersTiles. Tables, which have
// several columns, have larger ones, so that each column has several rows.
func StreamBlocks(m Machine, outer, block, columns int) int {
	return min(blocksIn(min(ScratchBytes*columns, m.L2/2), block), outer)
}

// streamTile is the row, or the column of planes, in bytes, from which
// non-temporal stores fill all of an output before it is scattered to. Shorter
// ones are scattered to in tiles, which such stores copy: a store after a fill
// brings its line back from memory. Half costs 3%, twice 6%. Memory takes zeros
// faster from a fill than from a copy, but not other values, for which the row
// is four times as long: a quarter of it costs 3%, twice nothing.
func streamTile(zero bool) int {
	if zero {
		return 2 << 10
	}
	return 8 << 10
}

// BehindMiss is how many indices are scattered or recoded one by one, rather
// than four at a time, from the first four on that have an index outside
// [0, depth). Scattering on the generic path of a Zen 5, half costs 4% where
// half of the indices are outside, twice saves 2%; where few are outside,
// neither costs anything. Small tables with a Miss do without it.
const BehindMiss = 16

// LeastRun is the fewest bytes of a run between gaps that a kernel fills, in
// one call for all runs; no kernel takes fewer. Shorter runs are two stores in
// Go each; if runs up to twice as long were, those of 40 bytes would take 1.6
// times as long. gapRun is the longest run filled by such a call: up to there a
// clear or a kernel call for each run takes longer to begin than it saves. On a
// Zen 5 half costs 20 to 40% at 2.8 KiB, twice -15 to 15% at 4 to 6 KiB.
// pairRun is the longest run that is two stores on the generic path. Half costs
// 15 to 35% at 80 to 120 bytes.
const LeastRun, pairRun, gapRun = 32, 128, 3 << 10

// ShortText is the longest of several texts whose planes are scattered to in
// one loop rather than by a call for each. On a Cascade Lake half costs 5 to
// 25%, twice 3 to 10%; texts of two to nine bytes take 0.3 to 0.75 times as
// long for it.
const ShortText = 20

// FewRuns is the most runs of a block that are filled in a call for all first
// runs, one for all second ones, and so on, rather than in a call for each
// block. On a Cascade Lake two runs take 0.65 times as long for it on average,
// three 0.8 times. Four would, too, but up to 1.6 times as long where blocks
// are whole pages apart.
const FewRuns = 3

// MissRun is the longest row of a miss, in bytes, that a few stores write. On
// the generic path of a Zen 5 half costs 50% at 160 to 240 bytes, twice 50 to
// 100% at 400; with AVX2 0% and 40%.
const MissRun = 256

// LongestRun returns the most bytes of a run between gaps that is filled by a
// few stores, or by one call for many runs. Longer runs take a call each.
func LongestRun() int {
	if tier.Active() == tier.GenericPath {
		return pairRun
	}
	return gapRun
}

// clears reports whether clear zeroes an output as fast as a kernel fills it.
// On amd64, where clear uses string stores, it does beyond half of the
// second-level cache, since a larger output seldom stays there from one call to
// the next. Up to that size, string stores take 1.1 to 1.4 times as long on a
// Zen 5, and twice as long at addresses that are not multiples of 8; where the
// output has to come from the last-level cache, vector stores take 1.05 to 1.2
// times as long. A Zen 4 fills the second-level cache as fast by both. On
// Intel's processors see repeatsOnIntel.
func clears(m Machine, bytes int) bool {
	if m.Path == tier.NEONPath {
		return bytes >= neonClear
	}
	return bytes > m.L2/2 || m.intel() && repeatsOnIntel(bytes, m.L1)
}

// ZeroesByClear reports whether clear zeroes the output of a small call.
func ZeroesByClear(bytes int) bool {
	m := Here()
	return bytes < SmallClear || m.Path == tier.GenericPath || clears(m, bytes)
}

// ZeroesByKernel reports whether fillZero zeroes the output of a small call,
// which then takes more than SmallZero bytes, unless RepeatsSmall says that
// string stores do. Where fillZero has no kernel, it is clear. From SmallClear
// on it is the opposite of clears, but needs no Machine: making one takes a
// sixth of such a call.
func ZeroesByKernel(bytes int) bool {
	return bytes > SmallZero && (bytes < SmallClear || bytes <= tier.L2/2 && tier.AVX2)
}

// streams reports whether there are non-temporal stores.
func streams(m Machine) bool { return m.Path == tier.AVX2Path || m.Path == tier.AVX512Path }

// streamRows and streamPlanes return the bytes of output from which
// non-temporal stores are best. Ordinary stores read what they replace and keep
// up with memory while the output shares the last-level cache with little else;
// those to several planes fall behind sooner. For smaller outputs non-temporal
// stores would also send to memory what the caller may still find in a cache.
//
// No thresholds cost more to be wrong. On a Zen 4 non-temporal stores run at
// 0.35 to 0.9 of the rate of ordinary ones at half of them, and ordinary ones
// at 0.3 to 0.9 of the rate of non-temporal ones at twice; up to eight planes
// are written as fast by ordinary stores up to twice the threshold. On a Zen 5,
// at half of the last-level cache, ordinary rows are 1.0 to 2.0 times as fast
// as non-temporal ones where the call before wrote the same memory (the fewer
// lines are zeros, the faster), 1.4 to 2.4 times where somebody reads them, and
// 0.4 to 0.9 times where they are in no cache and nobody does. At 5/8 of a
// cache that others use too, ordinary rows of AVX2 are 0.3 to 0.8 times as
// fast, those of AVX-512 0.9 to 1.4 times, planes 1.0 to 1.5 times; at 7/8 of
// it ordinary planes are 0.3 to 0.5 times as fast.
//
// On a Zen 3 that shares its cache with busy neighbors, 3/8 of it is best. From
// there on ordinary stores take two to three times as long as non-temporal
// ones, or as long if somebody reads what they write. At a quarter of it they
// take 0.4 times as long if somebody does.
func streamRows(m Machine) int { return m.streamsFrom(m.LLC * 9 / 16) }

func streamPlanes(m Machine) int { return m.streamsFrom(m.LLC / 2) }

// largeBits returns the bytes of bit planes from which setting bits one by one
// waits for memory, so that more planes are compared. Non-temporal stores write
// them, unless those are slow. The last-level cache holds as many bytes of
// indices beside them. On a Cascade Lake one core has little of that cache to
// itself: half of an eighth saves 10% there, twice costs 40%. On a Sapphire
// Rapids ordinary stores keep up longer: half of three quarters costs 35%;
// twice was not timed.
func largeBits(m Machine) int {
	switch {
	case m.skylake():
		return m.LLC / 8
	case m.intel():
		return m.LLC * 3 / 4
	}
	return m.LLC * 3 / 8
}

// streamsFrom returns bytes, the output from which other processors use
// non-temporal stores, or more than any output has where these are slow.
func (m Machine) streamsFrom(bytes int) int {
	if m.skylake() {
		return math.MaxInt
	}
	return bytes
}

// streamFills is streamRows for fills: the same where Off is zero, more where
// it is not, since some memories take lines of zeros at twice the rate of other
// lines. On the Zen 3, from half of the last-level cache on, ordinary stores
// write zeros 0.3 times as fast as non-temporal ones, other values half as
// fast. On a Zen 4 they write zeros half as fast just below all of that cache.
// On the Zen 5, whose string stores do not read what they replace, they write
// zeros 1.1 to 1.3 times as fast up to 7/8 of it.
func streamFills(m Machine, zero bool) int {
	if zero {
		return streamRows(m)
	}
	return m.streamsFrom(m.LLC * 3 / 4)
}

// planeRun is the shortest run, in bytes, to which the planes of a block are
// cut: each run takes time to start. Half costs nothing, twice 3%.
const planeRun = 64 << 10

// A Tile is how many blocks and columns of each are written at a time.
type Tile struct {
	Outer, Inner int
}

// CacheLine is the bytes of a cache line. The tiles of TileOf are multiples of
// it where touching rows allow: the string stores by which clear zeroes most of
// them take 1.25 times as long from an address that is not a multiple of 8.
const CacheLine = 64

// TileOf returns the tile for filling and scattering in turn, where so many
// stores go to a row, or to a column of planes: about a second-level cache,
// unless the output is little more. Fuller tiles have longer runs to fill, and
// a cell need not be closer than that cache when it is stored. A block of
// planes is cut to columns only if it is larger than a last-level cache. Tiles
// of half and of twice a second-level cache save 2%.
//
// Runs between gaps do not get longer in a fuller tile. Their tiles are a
// quarter of that cache: on a Cascade Lake, in 1 to 90 MB, rows and sets with
// gaps take 0.75 to 1.0 times as long for it. Half of it costs up to 4%, twice
// up to 8%. Where near holds, tiles are three quarters of a first-level cache;
// two thirds of that costs up to 10%.
//
// An output of at most two and a half tiles, with at most one store in apart
// bytes, is a single tile: another would save less than it takes to begin. On a
// Zen 5 that gains 2 to 8%; half of apart costs 5 to 10% on the generic path
// and where a row has several stores, twice 2%.
func TileOf(m Machine, s *Shape, stores int) Tile {
	const apart = 3 * CacheLine
	row := s.held()
	switch {
	case s.near(m, row, stores):
		m.L2 = m.L1 * 3 / 4
	case s.gaps():
		m.L2 /= 4
	}
	if row/apart >= stores && s.Outer*s.Inner <= m.L2*5/2/row {
		return Tile{s.Outer, s.Inner}
	}
	if s.Inner > 1 && s.Inner > m.LLC/row {
		return Tile{1, min(max(m.L2/row, planeRun/s.Width), s.Inner)}
	}
	return Tile{blocksIn(m.L2, row*s.Inner), s.Inner}
}

// blocksIn returns how many blocks of so many bytes fit room, but at least one.
// They take whole cache lines if as many as that do.
func blocksIn(room, block int) int {
	n := max(room/block, 1)
	if some := CacheLine / min(block&-block, CacheLine); n >= some {
		n -= n % some
	}
	return n
}

// near reports whether tiles should fit the first-level cache, where so many
// stores go to a row, or to a column of planes, of row bytes. On Skylake's
// servers string stores, which clear also uses, seem to leave what they fill in
// the last-level cache, from where each scattered cell brings a line back,
// unless the cells are stored right after the fill. On a Cascade Lake such
// tiles take 0.6 to 0.9 times as long as those of a second-level cache, mostly
// 0.8; beyond half of the last-level cache, where vectors fill, 0.75 to 1.0
// times. What other fills gain is less.
//
// In outputs twice as large as the second-level cache twice nearStore costs up
// to 35% if a call is repeated and saves 30% if each call has another output;
// half costs up to 55% in either case. Half of farStore costs up to 35%, twice
// up to 10%. Half of farFrom costs up to 40% if a call is repeated and saves
// 25% otherwise, twice costs up to 45%.
func (s *Shape) near(m Machine, row, stores int) bool {
	const nearStore, farStore = 128, 512
	farFrom := 4 * m.L2
	switch bytes := s.bytes(); {
	case !m.SkylakeServer || s.Inner > m.L2/row: // a block is a tile or more
		return false
	case row <= nearStore*stores:
		return m.L2 <= bytes // as repeatsFar has it for dense outputs
	default:
		return row < farStore*stores && farFrom <= bytes && bytes < m.LLC/2
	}
}

// held returns how many bytes of a cache hold the cells of one index. A run of
// cells between gaps takes whole lines: one line more than its bytes fill, on
// average, but never more than the run and its gap together. On a Zen 5 rows of
// 2 to 40 cells in 3 to 64 MB, with gaps of up to 200 cells, take 0.95 times as
// long as with tiles that count cells alone, and 0.7 times where rows of a few
// bytes have gaps of 50 cells.
func (s *Shape) held() int {
	plane := s.Inner * s.Width
	if s.Depth > 1 {
		plane = min(s.Plane*s.Width, plane+CacheLine)
	}
	block := s.Depth * plane
	if s.Outer > 1 {
		block = min(max(s.Stride*s.Width, block), block+CacheLine)
	}
	return max(block/s.Inner, 1)
}
