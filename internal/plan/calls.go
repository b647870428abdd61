package plan

import (
	"math"
	"math/bits"

	"github.com/go-onehot/onehot/internal/tier"
)

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

	// expandCells is the fewest cells that the kernel expands from bits: for fewer,
	// calling it costs as much as a loop. Half costs 10 to 28%, twice 20 to 40%.
	expandCells = 96

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

	// countNone is the fewest codes among which a kernel counts those that say that
	// there is no class. On a Zen 5 half costs or saves 10%, twice costs up to 30%.
	countNone = 128

	// TableShare: a table is searched for entries that say that there is no class
	// if there are at least TableShare indices for each entry. On a Zen 5, in
	// tables without such entries, half saves 20%, twice costs 30 to 40%; in tables
	// with such entries the search is lost.
	TableShare = 4

	// SetWords is the number of words for the bits of a block of rows, about a
	// first-level cache; classes of columns with a Miss stand after them. SetRows
	// is the most rows of a block, besides those that the last block takes along.
	// Smaller tables get less room, which Go zeroes sooner: without MediumSetWords
	// 150 rows took up to 1.6 times as long. Half of SetWords costs 18%, twice
	// saves 1% but doubles the stack; half of SmallSetWords costs 9%, twice 8%.
	SetWords, MediumSetWords, SmallSetWords = 8 << 10, 2 << 10, 512
	SetRows                                 = 512

	// SetBlock is how many indices of sets become classes at a time: as many as
	// leave room for the bits of rows of aheadWords words. Half costs 3%, twice
	// saves 1%.
	SetBlock = 512

	// BitsBlock is how many indices make a block of bit planes that are copied from
	// a scratch buffer. Half costs 9%; twice leaves no room for that buffer.
	BitsBlock = 8 << 10

	// SetSpan is how many classes one pass over indices tells apart when it makes
	// the bits of rows; deeper classes take more passes. No kernel of marks takes
	// more.
	SetSpan = 128

	// HitCells is how many cells become bits at a time, and the most cells of a
	// block of planes that is decoded from bits; HitRow is the longest row, in
	// cells, of which several become bits together; LargeLanes and SmallLanes are
	// the bytes of the lanes in which columns are decoded. Half of HitCells saves
	// 1%, twice costs 3%; half of HitRow costs 9%, twice 15%, with AVX2 25% and 5%;
	// half of LargeLanes costs 3%, twice saves 4%; half of SmallLanes costs 1%,
	// twice saves 3%. SmallHits is the most cells of a job that gets less room,
	// which Go zeroes sooner. On a Zen 5 half costs 3%, twice nothing.
	HitCells               = 16 << 10
	SmallHits              = 2 << 10
	HitRow                 = 160
	LargeLanes, SmallLanes = 8 << 10, 512

	// UpdateBlock is how many indices are compared at a time; Recode counts codes
	// that are none in blocks of as many. Half costs 2%, twice 4%. If more than one
	// in UpdateMany of a block changed, a loop moves the whole block. The first few
	// indices of the next block are then compared alone: if as many changed, the
	// loop moves that block too. On a Zen 5 half of UpdateMany costs 20 to 50%;
	// twice costs 5%, and 300% where the processor cannot guess which changed.
	UpdateBlock, UpdateMany = 1 << 10, 2

	// UpdateLeast is the fewest indices that are compared by a kernel. On a
	// Cascade Lake half costs 20% where one index in a hundred changes, 30% where
	// one in ten does and 40% where all do; twice costs 40%, 5% and -25%. It was
	// measured with AVX2 only.
	UpdateLeast = 160

	// SetLeast and SetMost are the fewest and the most classes of a set of which a
	// kernel makes bits. setWords is the most words of a row. With AVX2 it is half
	// of that, except on AMD's cores up to Zen 4, and where prefetchesFar holds it
	// is aheadWords. On a Zen 5 half of setWords costs 12%; with AVX2 half costs
	// 24%, twice 29%. On a Zen 3 half saves 13 to 19% where no index is a miss, and
	// costs 7 to 50% where one in twenty is.
	SetLeast, SetMost = 8, 128
	setWords          = 4

	// NEON's thresholds for tables come from the model (make cost). On neoverse-v2
	// an index costs 1.3 cycles as a class and a bit, and 2.0 cycles scattered; 64
	// bytes cost 3 cycles from bits, 5 if cells are bytes, and 2 filled. The two
	// ways break even at 45 bytes of a row for each column, and at 15 if cells are
	// bytes; neonColumn lies between. neonIndices is the fewest indices that repay
	// beginning.
	neonColumn, neonIndices = 24, 640
)

// Bits chooses how bit planes are written. Comparing costs the same for every
// cell; setting the bits of a filled tile costs the same for every index and
// leaves the other cells to the fill.
func Bits(m Machine, n, depth int) Plan {
	if depth <= 0 {
		return Plan{}
	}
	large := streams(m) && bitPlane(n) >= largeBits(m)/depth
	switch {
	case !comparesBits(m, n, depth, large):
		return Plan{}
	case large && !m.skylake():
		return Plan{Strategy: BitPlanes, Stream: true, Block: BitsBlock}
	}
	return Plan{Strategy: BitPlanes, Block: run(n)}
}

// words returns the number of words that n bits take.
func words(n int) int { return (n + WordBits - 1) / WordBits }

// bitPlane returns the bytes of a plane of n bits.
func bitPlane(n int) int { return words(n) * 8 }

// comparesBits reports whether planes of n bits are few enough to be compared.
func comparesBits(m Machine, n, depth int, large bool) bool {
	plane := bitPlane(n)
	switch {
	case m.Path == tier.GenericPath || n < Least:
		return false
	case streams(m) && crowded(depth, plane, storeSets, ways, storeClose):
		return depth <= bitsCrowded
	case large:
		return depth <= bitsLarge
	case streams(m) && m.crowdsStores(depth, plane):
		return depth <= bitsShared
	}
	return bitsPay(n, depth, bitsFew, m.Path == tier.AVX512Path)
}

// bitsPay is comparesBits for planes that are neither large nor crowded.
// Starting a plane takes as long as comparing a few of its words.
func bitsPay(n, depth, few int, avx512 bool) bool {
	most := bitsDepth
	if avx512 {
		most = bitsWide
	}
	return depth*(words(n)+bitsStart) <= most*(n-few)/WordBits
}

// StagesBits reports whether bit planes of so many words that are scattered to
// are made in a buffer of ScratchBytes, a few words of all planes at a time,
// because they are crowded.
func StagesBits(depth, words int) bool {
	return depth <= bitsStaged && crowded(depth, words*WordBits/8, storeSets, ways, storeClose)
}

// SmallBits chooses how the bit planes of a small call are written. ByLoop sets
// bits one by one, in planes that are not staged. ByKernels leaves the choice
// to Bits. AtOnce planes are fewer than bitsWide, which a byte tells apart.
func SmallBits(n, depth int) SmallWay {
	switch {
	case n > bitsApart:
		return ByKernels
	case n < Least || !tier.AVX2 && !tier.NEON:
		return ByLoop
	case n <= LargeBlock: // not crowded, which a small call need not ask
		if bitsPay(n, depth, bitsNear, tier.AVX512) {
			return AtOnce
		}
		return ByLoop
	case comparesBits(Here(), n, depth, false):
		return ByKernels
	}
	return ByLoop
}

// Expands reports whether a kernel writes that many cells from their bits.
func Expands(p tier.Path, cells int) bool { return cells >= expandCells && p != tier.GenericPath }

// CountsNone reports whether a kernel counts those of n codes that say that
// there is no class, rather than the loop that writes them.
func CountsNone(p tier.Path, n int) bool { return n >= countNone && p != tier.GenericPath }

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

// Columns chooses how a table of that many columns is written: from bits, or by
// filling and scattering. s.Depth is the width of a row. The cells of misses
// are written twice, which does not suit non-temporal stores, so that large
// tables with a Miss are scattered to in tiles.
func Columns(m Machine, s *Shape, columns int) Plan {
	block := m.tableBlock(s.Outer, columns, s.Depth, s.Width)
	if block == 0 || s.String || s.gaps() || s.Miss && s.scattersTiles(m, s.bytes(), columns, leastTable) {
		return scatter(m, s, s.bytes(), max(columns, 2), leastTable)
	}
	return Plan{Strategy: Sets, Stream: streams(m) && !s.Miss && s.bytes() >= streamRows(m), Block: block}
}

// tableBlock returns how many rows of a table are written from bits at a time,
// or 0 if they are not.
func (m Machine) tableBlock(rows, columns, depth, width int) int {
	block := min(SetWords/max(words(depth), 1)-Least, SetRows) &^ 7
	if columns < 2 || depth == 0 || min(rows, block) < Least || depth*width > ScratchBytes || !marksColumns(m, rows, columns, depth, width) {
		return 0
	}
	return block
}

// A marking holds the costs of writing rows of several classes from bits, in
// stores of a scattered class: of beginning and of each word of a row, less
// row, what scattering costs for each row besides its stores. It is below zero
// where a row written from bits costs more than that besides its words.
type marking struct {
	begin, word, row int
}

// Markings of tables and sets with AVX-512 (wide) and AVX2 (narrow). On a
// Sapphire Rapids, in the same memory and with no miss or one in twenty
// indices, half and twice of each number cost, in percent:
//
//	              begin     word      row
//	wideTable      7, 22     7, 33    21, 13
//	wideSet        3, 18     4, 10     6,  4
//	narrowTable    3, 15     2, 19     0, 19
//	narrowSet      0, 13     0, 15     9,  1
//
// By these, calls take 1.02, 1.01, 1.03 and 1.01 times as long on average as by
// the better way of each. On a Zen 3, in 2,100 calls of 64 to 16,000 rows, that
// is 1.04 for narrowTable, as for the best numbers of that processor; half and
// twice of each number cost at most 2% there. On a Zen 5, where they were not
// timed, the best numbers had been larger before both ways began sooner. With
// AVX-512 a word of a streamed table, unless it exceeds the last-level cache,
// costs no more than a store.
var (
	wideTable, narrowTable = marking{600, 4, 5}, marking{750, 1, -1}
	wideSet, narrowSet     = marking{750, 5, 13}, marking{1000, 6, 11}
	streamTable            = marking{1500, 1, 8}
)

// pays reports whether rows of k classes are written from bits.
func (c marking) pays(rows, k, depth int) bool {
	return rows*(k+c.row-c.word*words(depth)) > c.begin
}

// marksColumns reports whether the rows of a table are written from bits. If no
// cache can hold the rows, a store costs more than any bits.
func marksColumns(m Machine, rows, columns, depth, width int) bool {
	switch bytes := rows * depth * width; {
	case m.Path == tier.GenericPath:
		return false
	case m.Path == tier.NEONPath:
		return rows*columns >= neonIndices && depth*width <= columns*neonColumn
	case beyond(m, bytes):
		return true
	case m.Path == tier.AVX2Path:
		return narrowTable.pays(rows, columns, depth)
	case bytes >= streamRows(m):
		return streamTable.pays(rows, columns, depth)
	case m.prefetchesFar(bytes):
		return aheadSet.pays(rows, columns, depth)
	}
	return wideTable.pays(rows, columns, depth)
}

// marksSets is marksColumns for sets of k classes. NEON has no kernel that
// makes the bits of sets.
func marksSets(m Machine, rows, k, depth, width int) bool {
	switch {
	case !streams(m) || k < SetLeast || k > SetMost || rows < Least || depth == 0:
		return false
	case m.zen():
		return words(depth) <= setWords && zenSet.pays(rows, k, depth)
	case m.Path == tier.AVX2Path:
		return words(depth) <= setWords/2 && narrowSet.pays(rows, k, depth)
	case m.prefetchesFar(rows * depth * width):
		return words(depth) <= aheadWords && aheadSet.pays(rows, k, depth)
	}
	return words(depth) <= setWords && wideSet.pays(rows, k, depth)
}

// SmallColumns chooses how a small table is written. If block is not 0, it is
// written from bits, block rows at a time. Otherwise it is filled and then
// scattered to; from ColumnRun rows on, ColumnRows rows at a time, one column
// after the other. If small is false, the general route chooses. A row has
// depth cells, and rows start stride cells apart. A quarter of the second-level
// cache is the least that TileOf fills at once: larger tables are not small.
func SmallColumns(rows, columns, depth, stride, width int) (block int, small bool) {
	bytes := rows * stride * width
	switch {
	case rows < Least:
		return 0, true
	case bytes > tier.L2/4:
		return 0, false
	case stride > depth:
		return 0, true
	}
	m := Here()
	block = m.tableBlock(rows, columns, depth, width)
	return block, block == 0 || !streams(m) || bytes < streamRows(m)
}

// ColumnRun is the fewest rows of a small table that are scattered to column by
// column rather than row by row. On a Zen 5 half costs 18%, twice 6%.
const ColumnRun = 4

// ColumnRows returns how many rows of row bytes are scattered to together,
// column by column: as many as find room in a first-level cache if each takes a
// line, and only the 8 lines of one set where rows are whole pages. Rows close
// to a page apart share sets as well, so most is a quarter of the lines of that
// cache. Without a limit rows of whole pages take up to seven times as long.
func ColumnRows(row int) int {
	const most = 128
	sets := page >> bits.TrailingZeros(uint(row|page))
	return min(sets*ways, most)
}

// MultiHot chooses how rows of k classes each are written.
func MultiHot(m Machine, s *Shape, k int) Plan {
	if s.String || s.gaps() || !marksSets(m, s.Outer, k, s.Depth, s.Width) {
		return scatter(m, s, s.bytes(), max(k, 2), leastSet)
	}
	return Plan{Strategy: Sets, Stream: s.bytes() >= streamRows(m), Block: setsBlock(k)}
}

// setsBlock returns how many rows of k classes are written from bits at a time.
func setsBlock(k int) int { return max(SetBlock/k&^7, 8) }

// SmallSets chooses how the rows of a small call, of k classes each, are
// written. If block is not 0, they are written from bits, block rows at a time.
// Otherwise all are filled and then scattered to. If small is false, the
// general route chooses, because rows are streamed. A row has depth cells of
// width bytes.
func SmallSets(rows, k, depth, width int) (block int, small bool) {
	if k < SetLeast || k > SetMost || rows < Least { // needs no Machine
		return 0, true
	}
	m := Here()
	if !marksSets(m, rows, k, depth, width) {
		return 0, true
	}
	return setsBlock(k), rows*depth*width < streamRows(m)
}

// Update chooses how n indices of depth classes are compared. It is not
// inlined: the compiler would then copy the plan, and small calls would wait.
//
//go:noinline
func Update(p tier.Path, n, depth int) Plan {
	if p == tier.GenericPath || n < UpdateLeast || depth == 0 || depth > math.MaxInt32 {
		return Plan{}
	}
	return Plan{Strategy: Compare, Block: UpdateBlock}
}

// SmallDecode reports whether a kernel finds the cells that are on in small
// rows to be decoded. The rows have Least cells or more of the given width.
func SmallDecode(width int) bool { return width <= 8 && tier.Active() != tier.GenericPath }

// Decode chooses how rows or columns are decoded.
func Decode(m Machine, s *Shape) Plan {
	if m.Path == tier.GenericPath || s.String || s.Width > 8 || s.Depth == 0 {
		return Plan{}
	}
	touching := s.Outer * s.Depth * s.Inner // cells without a gap between them, which one call of a kernel could take
	if s.gaps() {
		touching = s.Depth * s.Inner
	}
	switch {
	case s.Inner >= Least:
		return Plan{Strategy: Planes}
	case s.Plane == s.Inner && touching >= Least && (s.Inner == 1 || s.Depth*s.Inner <= HitCells):
		return Plan{Strategy: Hits}
	}
	return Plan{}
}
