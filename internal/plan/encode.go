package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

const (
	// MaxDepth is the deepest row that the kernels of Rows take, and WideDepth the
	// deepest that those of AVX-512 take.
	MaxDepth, WideDepth = 128, Classes

	// blendBytes is the longest row that is blended on any path, though AVX-512 has
	// kernels for longer ones. On a Xeon half costs 16%, twice -2%; on a Zen 4 half
	// of 384 cost 16%, twice -1%.
	blendBytes = 512

	// nearBlend is blendBytes where the first-level cache holds all, and vector
	// stores fill it twice as fast as kernels blend. On a Xeon half costs up to
	// 27%, twice up to 35%, by size and shape; on a Zen 5 half of 128 cost -3%,
	// twice 26%. A Zen 4 fills at half of that rate.
	//
	// With a Miss it is blendBytes within the first-level cache, too. On the Zen 5
	// rows between the two take 0.75 to 1.0 times as long to blend where one in a
	// hundred is a miss, and half as long where one in ten is.
	nearBlend = 96

	// farBlend is blendBytes beyond the second-level cache, where clear, unlike
	// vector stores, does not read what it replaces. On a Xeon half of 320 cost 30
	// to 45% and twice -9 to -15%; on a Zen 5, where 220 were best, half of those
	// cost 14%, twice 11%; on a Zen 4 half of 240 cost 25%, twice -3%. Rows of 256
	// bytes, which are common, take 1.0 to 1.1 times as long to blend on the Zen 5,
	// and 0.85 times on the Zen 4; those of 288 and 320 bytes 1.05 to 1.15 times on
	// the Zen 5.
	farBlend = 256

	// narrowBlend is the longest row that AVX2 blends. A Zen 5, whose programs go
	// by AVX-512, fills the second-level cache at twice the rate of its AVX2
	// kernels: there half costs -22% and twice 50%, beyond that cache -2 and 20%;
	// but even by 208 bytes it is faster than clear and a store an index. On a Zen
	// 4, where 224 were best, half of those cost 14% and twice 36%. On a Xeon half
	// of 192 within that cache cost 40 to 50% and twice -13%, half of 256 beyond it
	// 40 to 60% and twice -15 to -30%.
	narrowBlend = 208

	// neonBlend is the longest row that NEON blends, and neonClear the output from
	// which clear zeroes it there. Neither was raced on a processor.
	neonBlend, neonClear = 256, 2 << 10

	// StreamRow is the longest row that is blended from half of the last-level
	// cache on, and so the longest for non-temporal stores, whose scratch has room
	// for it: most lines of longer rows are zeros, which clear writes faster. Half
	// costs 8%, twice 15 to 20%, on a Zen 5 (family 26, model 2).
	StreamRow = 128
)

// Encode chooses how an encoding is written, unless it is a small call: see
// SmallRows and SmallPlanes.
func Encode(m Machine, s *Shape) Plan {
	n, bytes, row := s.Outer*s.Inner, max(s.bytes(), s.Whole), s.Depth*s.Width
	if m.Path == tier.GenericPath || s.String || n < Least || s.Depth > math.MaxInt32 || s.Text && s.Depth > Classes {
		return scatter(m, s, bytes, true)
	}
	switch {
	case s.Inner == 1 && s.Stride == s.Depth && blendsRows(m, s.Depth, s.Width, bytes, s.Miss):
		p := Plan{Strategy: Rows, Stream: streams(m) && bytes >= streamRows(m)}
		first, lines, most := 0, true, CallBytes-(Least-1)*row
		if p.Stream || bytes >= AlignRows {
			first, lines = ToLine(s.Start, row)
		}
		// The kernels of non-temporal stores write whole lines, and know no Miss.
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
		case s.tiles():
			p.Tiles, p.Block, bytes = true, LargeBlock, ScratchBytes
		case s.ragged() && s.Inner < LargeBlock && s.Inner*s.Width >= raggedRun: // planes of one block at a time
			p.Block = roundsOf(s.Inner)
		}
		p.ByColumns = ByColumns(m, s.Depth, s.Inner*s.Width, s.Plane*s.Width, bytes, s.Miss)
		if p.Wide() {
			p.Block = min(p.Block, WideBlock(s.Width))
		}
		return p
	}
	return scatter(m, s, bytes, true)
}

// AlignRows is the bytes of rows from which a short block goes first, if a
// cache line starts behind it: vectors that lie across two lines are stored at
// half the rate. Rows by non-temporal stores, which want whole lines, have one
// at any size. On a Zen 5 half costs -5%, twice 7%; by AVX2, whose kernels wait
// for other things there, 6 and -3%.
const AlignRows = 64 << 10

// ToLine returns how many rows precede the first that starts a cache line, in
// an output that starts that many bytes into a line, and reports whether there
// is such a row. The rows are none, or enough for a kernel: Least to 2*Least-1.
func ToLine(start, row int) (rows int, lines bool) {
	if start == 0 {
		return 0, true
	}
	return LineFrom(start, row, Least)
}

// LineFrom returns the first of equal things, from one of them on, that starts
// a cache line, and reports whether there is any, where the first of all starts
// that many bytes into a line. It need look at no more than CacheLine things.
func LineFrom(start, size, from int) (thing int, found bool) {
	for thing = from; thing < from+CacheLine; thing++ {
		if (start+thing*size)%CacheLine == 0 {
			return thing, true
		}
	}
	return 0, false
}

// comparesPlanes reports whether an output is planes that are compared.
func (s *Shape) comparesPlanes(m Machine, bytes int) bool {
	if s.Inner < Least || s.Miss && s.Depth > Classes {
		return false
	}
	if beyond(m, bytes) {
		return s.comparesFar()
	}
	return compares(m, s.Depth, s.Inner, s.Plane, s.Width, bytes, s.Miss)
}

// compares reports whether planes of inner columns, plane apart, are few and
// narrow enough to be compared. To compare a cell costs a tenth more than to
// fill it, two tenths where the second-level cache holds all of the output, and
// three where the first-level cache does. Cells count by whole rounds of
// columns. What that comes to for all planes, filling and scattering spends on
// one store an index: as much as storeCells cells, or storeBytes bytes. A store
// to crowded planes, unless the first-level cache holds them all, is worth 16
// times as many cells, and twelve divided by the width times as many bytes.
//
// Where both hold, misses that have cells of their own and crowded planes, the
// larger counts. Misses make it four times as many cells and six times as many
// bytes, and each block begins as if it had missStart columns more: before a
// fill their own pattern has to be made. But to compare a cell then costs three
// tenths more.
func compares(m Machine, depth, inner, plane, width, bytes int, hasMiss bool) bool {
	cell := 11
	switch {
	case streams(m) && bytes <= m.L1:
		cell = nearCell
	case streams(m) && bytes <= m.L2:
		cell = 12
	}
	c := comparing(cell, hasMiss)
	if streams(m) && bytes > m.L1 && crowded(depth, plane*width, storePlaces, storeClose) {
		c.cells, c.bytes = max(c.cells, 16*storeCells), max(c.bytes, storeBytes*max(12, width)/width)
	}
	return c.pays(depth, min(inner, LargeBlock), width)
}

// A comparison is what it costs to compare a cell, how many cells and bytes a
// store is worth, and how many stores the start of a block.
type comparison struct {
	cell, cells, bytes, start int
}

// comparing returns the comparison of planes with a Miss or without.
func comparing(cell int, hasMiss bool) comparison {
	if hasMiss {
		return comparison{cell + 3, 4 * storeCells, 6 * storeBytes, missStart}
	}
	return comparison{cell, storeCells, storeBytes, 0}
}

// pays reports whether to compare the cells of a block takes less time than to
// fill them and store one a column.
func (c comparison) pays(depth, inner, width int) bool {
	more := int64(depth) * int64(roundsOf(inner)*c.cell-inner*fillCell)
	stores := (inner + c.start) * fillCell
	return more < int64(c.cells*stores) && more*int64(width) < int64(c.bytes*stores)
}

// What a cell costs, in tenths of what filling it does: to fill it, and to
// compare it within the first-level cache.
const fillCell, nearCell = 10, 13

// storeCells and storeBytes are how many cells, and bytes, are filled in the
// time of a store to one of many planes.
//
// On a Zen 5 (family 26, model 2), 3,400 calls of 2 KiB to 10 MiB take 1.01
// times as long on the mean as by the better way of each, by both paths. By
// half or twice of storeCells cells of a byte take 1.06 times as long, others
// 1.00 to 1.04; by half or twice of storeBytes those of four and eight bytes
// 1.02 to 1.08. Within the second-level cache one tenth makes it 1.03, three
// 1.01, five 1.02; beyond it two make it 1.035 for cells of a byte and less for
// others.
//
// There, over 14,000 calls before that, half of the bytes of crowded planes
// cost 6%, twice 8%; by AVX2 15 and 4%. On a Xeon by AVX-512 half of the tenths
// within the first-level cache costs 0 to 40%, twice 0 to 25%. On a Zen 4
// (family 25, model 17), by stores to planes that took longer, 24 and 75, and a
// tenth, lost least by both paths.
//
// Where one index in a hundred is a miss with cells of its own, 1,400 calls of
// 8 KiB to 4 MiB take 1.01 times as long on the Zen 5 as by the better way of
// each, by both paths. With half of missStart it is 1.02, by AVX2 1.01, with
// twice 1.005 and 1.02; with half of what misses are worth 1.06 and 1.02, twice
// 1.00 and 1.03; with half of the tenths 1.005 and 1.02, twice 1.04 and 1.01.
// On the Zen 4, whose kernels take longer for a cell, half of that worth costs
// 17%, twice 13%; by AVX2 21 and 8%.
const storeCells, storeBytes, missStart = 16, 40, 80

// comparesFar is compares beyond the last-level cache, where a line that is
// stored to has to come back from memory, but zeros are filled by non-temporal
// stores at the rate of memory.
func (s *Shape) comparesFar() bool {
	return !s.Zero || s.Miss || s.Depth <= farPlanes && (!s.tiles() || s.Depth*s.Width <= farTile)
}

// beyond reports whether an output is larger than the last-level cache, and
// there are non-temporal stores. On a Zen 5 (family 26, model 2) deep planes
// take 1.1 to 1.6 times as long as careful Go from 3/4 of that cache up to it,
// by whichever way they are written.
func beyond(m Machine, bytes int) bool { return streams(m) && bytes >= m.LLC }

// farPlanes is the most planes that are compared there. On a Zen 5 (family 26,
// model 2) half costs 20%, by AVX2 15%, twice 5 and 10%, of cells of a byte
// 25%. farTile is the bytes of all planes for a column up to which planes are
// that go by a scratch: half costs 30%, by AVX2 15%, twice 10 and 25%.
const farPlanes, farTile = 320, 400

// roundsOf returns the columns of whole rounds for that many.
func roundsOf(columns int) int { return (columns + Least - 1) &^ (Least - 1) }

// crowded reports whether so many planes, that far apart, share a few places of
// a first-level cache, up to that many: a multiple of pages apart, of half of
// them or of thirds, or close to it. Each store to one of them then evicts the
// line of another, where there are more of them than a place holds lines: 8 are
// the fewest that such caches hold.
func crowded(planes, apart, places, close int) bool {
	const page, ways = 4 << 10, 8
	for k := 1; k <= places && k*ways < planes; k++ {
		if (k*apart+close)%page <= 2*close {
			return true
		}
	}
	return false
}

// Stores that go to one plane and the next as indices say notice two places,
// and a few bytes more or less. On a Zen 5 (family 26, model 2) an index of 250
// crowded planes of bytes takes four times as long as elsewhere, of 200 planes
// of bits ten times.
//
// Rounds of columns notice three, and what a round writes to a plane: by AVX2
// two to nine times as long. Both are as far as that showed.
const (
	storePlaces, storeClose   = 2, 2
	columnPlaces, columnClose = 3, 24
)

// ByColumns reports whether so many planes, that far apart, are written a round
// of columns at a time: each round to all of them, before the next one. That
// saves what the start of a run costs, and classes that are repeated in all
// bytes of their cells, which a small call has no time for. But it makes each
// run as short as a round, which costs more than it saves where planes are
// long, or crowded. It is the only way on NEON, and that of few planes, of what
// the first-level cache holds, of AVX2 where a miss has cells of its own or the
// output takes no more than most of the second-level cache, and of short runs.
func ByColumns(m Machine, planes, run, apart, bytes int, hasMiss bool) bool {
	switch {
	case !streams(m) || planes <= fewPlanes:
		return true
	case crowded(planes, apart, columnPlaces, columnClose):
		return false
	case hasMiss && m.Path == tier.AVX2Path || bytes <= m.L1:
		return true
	case bytes > m.L2*3/4:
		return run <= farPlane
	}
	return m.Path == tier.AVX2Path || run < shortPlane
}

// shortPlane is the run, in bytes, from which AVX-512 writes plane by plane. On
// a Zen 5 (family 26, model 2) half costs 16%; twice -2%, but 10% where cells
// have eight bytes. On a Zen 4 512 were best: half of those cost 2%, twice 3%.
// farPlane is the longest run that goes by columns beyond most of the
// second-level cache, by both. On the Zen 5 half costs 13%, by AVX2 nothing;
// twice -9%, by AVX2 2%. On the Zen 4 128 were best: half of those cost 18%,
// twice 5%.
//
// fewPlanes are always written by columns: fewer than a place of a first-level
// cache has lines, and too few for what it takes to repeat their classes. Half
// costs 20 to 30%; at twice crowded planes take two to three times as long.
const shortPlane, farPlane, fewPlanes = 1 << 10, 256, 6

// ragged reports whether planes start anywhere within a line, or end between
// two rounds of columns. Non-temporal stores want whole lines.
func (s *Shape) ragged() bool {
	return s.Inner*s.Width%CacheLine != 0 || s.Inner%Least != 0
}

// tiles reports whether ragged planes go by way of a scratch, as those do that
// touch and are shorter than raggedRun bytes: there the ends of a plane cost
// more than to write all of it twice.
func (s *Shape) tiles() bool {
	return s.ragged() && s.Plane == s.Inner && s.Inner*s.Width < raggedRun && s.Inner <= LargeBlock
}

// raggedRun is the run, in bytes, from which ragged planes are streamed as they
// lie, but for their ends. On a Zen 5 (family 26, model 2) half costs 30%, by
// AVX2 5%, twice 10 and 35%.
const raggedRun = 5 << 10

// blendsRows reports whether rows of an output of that many bytes are blended.
// A longer row is filled and scattered to: one more store for its index does
// not show then.
func blendsRows(m Machine, depth, width, bytes int, hasMiss bool) bool {
	row, longest := depth*width, neonBlend
	switch {
	case m.Path == tier.GenericPath || depth < 2 || depth > WideDepth || depth > MaxDepth && m.Path != tier.AVX512Path:
		return false
	case streams(m) && bytes >= min(m.LLC/2, streamRows(m)): // so that scratches have room
		longest = StreamRow
	case m.Path == tier.AVX2Path:
		longest = narrowBlend
	case m.Path == tier.AVX512Path && bytes <= m.L1 && !hasMiss:
		longest = nearBlend
	case m.Path == tier.AVX512Path && !holdsBlock(m, depth, width):
		return false
	case m.Path == tier.AVX512Path && bytes > m.L2:
		longest = farBlend
	case m.Path == tier.AVX512Path:
		longest = blendBytes
	}
	return row <= longest
}

// holdsBlock reports whether the first-level cache holds a block of AVX-512, 64
// rows, beside its table, a byte for each of their cells, which counts 8/5
// times as it is read for every block. Beyond 6/5 of that cache kernels are
// slower than a fill and a store an index: on a Zen 4 beyond some 235 cells of
// a byte, 168 of two, 108 of four and 64 of eight, as the formula has it. Half
// costs 14%, twice 8% there, and 35% where cells are two bytes. A cache of 48
// KiB holds all rows up to blendBytes.
func holdsBlock(m Machine, depth, width int) bool {
	cells := depth * max(width/8, 1) // those of 16 bytes are two
	return 64*(5*depth*width+8*cells) <= 6*m.L1
}

// SmallSide is what the numbers of a small call are below, so that no product
// of two of them overflows.
const SmallSide = 1 << 15

// SmallClear is the bytes from which clear may not zero the output of a small
// call, as SmallClears says: it begins with a wait there, which kernels have
// not. Up to it fillPattern takes longer to begin than clear does.
const SmallClear = 2 << 10

// SmallZero is the bytes up to which stores of SmallStore bytes, in the
// caller's own code, zero the output of a small call faster than a call does.
// On a Zen 5 half costs 4%, twice 17%, by AVX2 14 and 0%. SmallPattern is the
// same for a kernel and other values.
const SmallStore, SmallZero, SmallPattern = 16, 384, 128

// SmallStores reports whether such stores zero the output of a small call.
func SmallStores(bytes int) bool { return SmallStore <= bytes && bytes <= SmallZero }

// SmallCopies is the cells from which copies that double fill the output of a
// small call, where no kernel may: strings, and anything but zeros on the
// generic path. On a Zen 5 half costs 15 to 40% at 72 cells, twice 20 to 80% at
// 160.
const SmallCopies = 96

// smallRow is the row of a small call from which AVX2 fills and scatters to
// what the first-level cache holds: there a fill, and a store an index, run
// ahead of the kernels. A third of smallRow will do for fewer than SmallBlock
// rows, where it shows what a kernel takes to begin. On a Zen 5, whose AVX2
// kernels store at half the rate of its fill, half of smallRow costs 14%, twice
// 10%, and half of that cache 22%; on a Zen 4, by its own rates of both, half
// of 32 cost 8%, twice -3%.
const smallRow = 48

// smallMiss stands for smallRow, whatever the number of rows, where a miss has
// cells of its own. On a Zen 5, where one index in a hundred is a miss, half
// costs 15%, twice 10%. Where one in ten is, the rows that it sends to kernels
// take half as long as by a loop; where one in three is, a quarter.
const smallMiss = 72

// A SmallWay is how a small call is written.
type SmallWay uint8

const (
	ByLoop    SmallWay = iota // filled and scattered to by a loop
	ByKernels                 // rows by kernels, perhaps block by block; planes one by one
	AtOnce                    // rows by one call of each kernel; planes by columns
)

// SmallRows chooses how the n rows of a small call are written: AtOnce are
// those over their own classes. It decides on the most common rows before it
// asks for more.
func SmallRows(n, depth, width int, hasMiss bool) SmallWay {
	row, sure := depth*width, nearBlend // the longest row that is blended whatever the output
	if !tier.AVX512 {
		switch sure = smallRow - 1; {
		case hasMiss:
			sure = smallMiss - 1
		case n < SmallBlock:
			sure = smallRow/3 - 1
		}
		if tier.AVX2 && row > sure && n*row <= tier.L1 {
			return ByLoop
		}
	}
	once := n*row < AlignRows && OverClasses(tier.Active(), n, row)
	switch {
	case once && row <= sure && 2 <= depth && depth <= MaxDepth:
		return AtOnce
	case !blendsRows(Here(), depth, width, n*row, hasMiss):
		return ByLoop
	case once:
		return AtOnce
	}
	return ByKernels
}

// SmallPlanes chooses how planes of small blocks of inner columns are written,
// of n columns in all: AtOnce are those by columns. An output that any
// first-level cache holds is decided first, since its planes are never crowded:
// to ask for the rest takes a fifth of a small call.
func SmallPlanes(n, inner, depth, width int, hasMiss bool) SmallWay {
	run, bytes := inner*width, n*depth*width
	if depth < 2 || depth > Classes {
		return ByLoop
	}
	if bytes <= tier.LeastL1 && (tier.AVX512 || tier.AVX2) {
		if !comparing(nearCell, hasMiss).pays(depth, inner, width) {
			return ByLoop
		}
		return AtOnce
	}
	m := Here()
	switch {
	case m.Path == tier.GenericPath || !compares(m, depth, inner, inner, width, depth*run, hasMiss):
		return ByLoop
	case ByColumns(m, depth, run, run, bytes, hasMiss):
		return AtOnce
	}
	return ByKernels
}

// OverClasses reports whether n rows of that many bytes may be written over
// their own classes, which end where they do. The kernels of amd64 go from
// block to block, whose classes they load first, so that what they write stays
// behind what they have yet to read; but where rows are left over, the last
// block goes back over classes that the rows before must not have reached. A
// small call saves a buffer, which Go zeroes. LargeBlock is what there is room
// for misses of, where they are written again.
func OverClasses(p tier.Path, n, row int) bool {
	block := 32
	switch p {
	case tier.AVX512Path:
		block = 64
	case tier.NEONPath, tier.GenericPath:
		return false
	}
	left := n & (block - 1) // the remainder; a division takes a nanosecond
	return n <= LargeBlock && (left == 0 || left*row >= block)
}

// OverPlanes is OverClasses for planes, by columns, of blocks of inner columns,
// n in all, that touch or the last of which holds all classes. These end where
// the cells do. Classes of a round of columns are loaded before a cell of it is
// stored, and a cell is no shorter than a class, so that what is written stays
// behind what is yet to be read: no last round goes back where all are whole.
func OverPlanes(n, inner int) bool {
	return inner%Least == 0 && n <= LargeBlock && (tier.AVX512 || tier.AVX2)
}

// OverLater returns how many of n rows of that many bytes are written at a time
// where the classes of each block lie where later rows will, and those of the
// last as OverClasses has them, or 0 where that is not possible. There is room:
// there are more than LargeBlock rows, so that of two blocks the last has more
// than half as many as the first, and a row is two bytes or more.
func OverLater(p tier.Path, n, row int) (size int) {
	blocks := (n + LargeBlock - 1) / LargeBlock
	size = roundsOf((n + blocks - 1) / blocks)
	if last := n - (blocks-1)*size; last < Least || !OverClasses(p, last, row) {
		return 0
	}
	return size
}

// scatter chooses how a tile is filled. All of an output is filled by
// non-temporal stores only where a row, or a block of planes without gaps, is
// scattered to once: each store reads its line back from memory. Planes with a
// Miss are copied by such stores as soon as others are compared by them.
func scatter(m Machine, s *Shape, bytes int, once bool) Plan {
	p, row, far := Plan{Strategy: Scatter}, s.Depth*s.Width, beyond(m, bytes)
	if s.Miss {
		far = streams(m) && bytes >= streamPlanes(m) && s.Inner >= Least
	}
	switch {
	case m.Path == tier.GenericPath || s.String:
	case streams(m) && bytes >= streamFills(m, s.Zero) && once && s.Inner == 1 && s.Plane <= 1 && (row >= ScratchBytes || !s.gaps()):
		if p.Stream, p.Tiles = true, row < streamTile(s.Zero); !p.Tiles {
			p.Fill = FillStream
		}
	case far && once && s.Inner > 1 && !s.gaps():
		p.Stream, p.Fill = true, FillStream
	case s.Zero && clears(m, bytes):
	case bytes > m.L2*3/4 && s.Width <= 8: // half and twice of it cost 1% at most
		p.Fill = FillString
	default:
		p.Fill = FillVector
	}
	return p
}

// CopiesMisses reports whether the cells of misses, in planes that are filled
// and scattered to, are made in the first plane and copied to the others. A
// kernel makes them without a look at each index; where there is none they are
// stored to one by one as long as planes are few. On the generic path of a Zen
// 5 (family 26, model 2) half of missPlanes costs 20 to 60% where one index in
// a hundred is a miss, and -5 to 15% where one in ten is; twice -10 to -20% and
// 30 to 50%.
func CopiesMisses(p tier.Path, depth int, isString bool) bool {
	const missPlanes = 24
	return p != tier.GenericPath && !isString || depth > missPlanes
}

// streamTile is the row from which non-temporal stores fill all of an output
// before it is scattered to. Shorter ones are scattered to in a scratch, which
// such stores copy: for each store behind a fill a line has to come back from
// memory. Half costs 3%, twice 6%. Memory takes zeros faster from a fill than
// from a copy, but not other values. For these it is four times as long: a
// quarter costs 3%, twice nothing.
func streamTile(zero bool) int {
	if zero {
		return 2 << 10
	}
	return 8 << 10
}

// BehindMiss is how many indices are scattered one by one, and not four at a
// time, from the four on of which one is not in [0, depth). On the generic path
// of a Zen 5 half costs 4% where half of the indices are not, twice -2%; where
// few are not, neither costs anything. It is a power of two. Small tables with
// a Miss have no such while.
const BehindMiss = 16

// LeastRun is the fewest bytes of a run between gaps that a kernel fills, one
// call for all runs: no kernel takes fewer. Shorter ones are two stores in Go
// each; if the others up to twice of it were, those of 40 bytes would take 1.6
// times as long. GapRun is the longest that is filled so: up to there a clear,
// or a kernel's call, for each run takes longer to begin than it saves. On a
// Zen 5 (family 26, model 2) half costs 20 to 40% at 2.8 KiB, twice -15 to 15%
// at 4 to 6 KiB. PairRun is the longest that is two stores on the generic path:
// half costs 15 to 35% at 80 to 120 bytes.
const LeastRun, PairRun, GapRun = 32, 128, 3 << 10

// MissRun is the longest row of a miss, in bytes, that is a few stores. On a
// Zen 5 (family 26, model 2) half costs 50% at 160 to 240 bytes on the generic
// path, twice 50 to 100% at 400; by AVX2 0 and 40%.
const MissRun = 256

// LongestRun returns the most bytes of a run between gaps that is filled by
// such stores, or by one call for many runs. Longer ones are a call each.
func LongestRun() int {
	if tier.Active() == tier.GenericPath {
		return PairRun
	}
	return GapRun
}

// clears reports whether clear zeroes an output as fast as a kernel fills: on
// amd64, where it uses string stores, beyond half of the second-level cache,
// since more seldom stays there from one call to the next. Up to there a Zen 5
// (family 26, model 2) takes 1.1 to 1.4 times as long by those, twice as long
// at addresses that are not multiples of 8; where the output has to come from
// the last-level cache vector stores take 1.05 to 1.2 times as long. A Zen 4
// fills that cache as fast by both.
func clears(m Machine, bytes int) bool {
	if m.Path == tier.NEONPath {
		return bytes >= neonClear
	}
	return bytes > m.L2/2
}

// SmallClears reports whether clear zeroes the output of a small call.
func SmallClears(bytes int) bool {
	m := Here()
	return bytes < SmallClear || m.Path == tier.GenericPath || clears(m, bytes)
}

// SmallZeroes reports whether fillZero zeroes the output of a small call, of
// more than SmallZero bytes. It is clear where it has no kernel.
func SmallZeroes(bytes int) bool {
	m := Here()
	return bytes < SmallClear || streams(m) && !clears(m, bytes)
}

// streams reports whether there are non-temporal stores.
func streams(m Machine) bool { return m.Path == tier.AVX2Path || m.Path == tier.AVX512Path }

// The outputs from which non-temporal stores are best. Ordinary stores read
// what they replace and keep up with memory while the output shares the
// last-level cache with little else; those to several planes fall behind
// sooner. Below these borders non-temporal stores would also send to memory
// what the caller may still find in a cache.
//
// No border costs more to be wrong, either way: on a Zen 4 non-temporal stores
// are at 0.35 to 0.9 of ordinary ones at half of them, and ordinary ones at 0.3
// to 0.9 at twice. On a Zen 5 (family 26, model 2), at half of a last-level
// cache, ordinary rows are 1.0 to 2.0 times as fast as non-temporal ones where
// the call before wrote the same memory, the more, the fewer lines are zeros,
// 1.4 to 2.4 times where somebody reads them, and 0.4 to 0.9 times where they
// are in no cache and nobody does. At 5/8 of a cache that others use, too, rows
// of AVX2 are 0.3 to 0.8 times as fast, those of AVX-512 0.9 to 1.4 times,
// planes 1.0 to 1.5; at 7/8 of it ordinary planes are 0.3 to 0.5 times as fast.
// A Zen 4 writes up to eight planes as fast by ordinary stores up to twice the
// border.
func streamRows(m Machine) int { return m.LLC * 9 / 16 }

func streamPlanes(m Machine) int { return m.LLC / 2 }

// streamBits is streamPlanes of planes of bits: beside them the last-level
// cache holds as many indices.
func streamBits(m Machine) int { return m.LLC * 3 / 8 }

// streamFills knows that some memories take lines of zeros at twice the rate of
// others, and that string stores do not read what they replace: on that Zen 5
// zeros are written 1.1 to 1.3 times as fast by ordinary stores up to 7/8 of
// the last-level cache, on a Zen 4 half as fast just below all of it.
func streamFills(m Machine, zero bool) int {
	if zero {
		return m.LLC * 3 / 4
	}
	return m.LLC
}

// planeRun is the shortest run, in bytes, that a block of planes is cut to: the
// start of each run shows. Half costs nothing, twice 3%.
const planeRun = 64 << 10

// A Tile is how many blocks, and how many columns of each, are written at a
// time.
type Tile struct {
	Outer, Inner int
}

// CacheLine is what the tiles of TileOf are a multiple of, where rows that
// touch allow it: string stores, by which clear zeroes most of them, take 1.25
// times as long from an address that is not a multiple of 8.
const CacheLine = 64

// TileOf returns the tile for filling and scattering in turn, where so many
// cells of a row, or of a column of planes, are stored to: about a second-level
// cache, unless the output is little more. The fuller it is the longer the runs
// that are filled, and a cell need not be closer than that when it is stored. A
// block of planes is cut to columns only where it is larger than a last-level
// cache. Tiles of half and of twice a second-level cache cost -2%.
//
// An output of at most two and a half such caches, of which at most one cell in
// apart bytes is stored to, is a single tile: another would save less than it
// takes to begin. On a Zen 5 (family 26, model 2) that gains 2 to 8%; half of
// apart costs 5 to 10% on the generic path, and where a row has several stores,
// twice 2%.
func TileOf(m Machine, s *Shape, stores int) Tile {
	const apart = 3 * CacheLine
	row := s.held()
	if row/apart >= stores && s.Outer*s.Inner <= m.L2*5/2/row {
		return Tile{s.Outer, s.Inner}
	}
	if s.Inner > 1 && s.Inner > m.LLC/row {
		return Tile{1, min(max(m.L2/row, planeRun/s.Width), s.Inner)}
	}
	outer := max(m.L2/row/s.Inner, 1)
	if some := CacheLine / min(row*s.Inner&-(row*s.Inner), CacheLine); outer >= some {
		outer -= outer % some
	}
	return Tile{outer, s.Inner}
}

// held returns how many bytes of a cache hold the cells of one index. A run of
// cells between gaps takes whole lines: one line more than its bytes fill, on
// average, but never more than the run and its gap together. On a Zen 5 (family
// 26, model 2) rows of 2 to 40 cells, with gaps of up to 200, in 3 to 64 MB take
// 0.95 times as long as by tiles that count cells alone, and 0.7 times where
// rows of a few bytes have gaps of 50 cells.
func (s *Shape) held() int {
	plane := s.Inner * s.Width
	if s.Depth > 1 {
		plane = min(max(s.Plane*s.Width, plane), plane+CacheLine)
	}
	block := s.Depth * plane
	if s.Outer > 1 {
		block = min(max(s.Stride*s.Width, block), block+CacheLine)
	}
	return max(block/s.Inner, 1)
}
