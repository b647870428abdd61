package plan

import (
	"math"
	"math/bits"

	"github.com/go-onehot/onehot/internal/tier"
)

// WordBits is the number of cells in a word of a bit plane.
const WordBits = 64

const (
	// bitsDepth is the depth up to which bit planes are compared by AVX2 and NEON,
	// bitsWide that of AVX-512, where planes are long; bitsLarge is that of an
	// output that non-temporal stores write, in which bits that are set one by one
	// wait for memory. To compare costs more with each plane: on a Zen 5 (family
	// 26, model 2) half of bitsDepth costs 65% at the most, twice 80%; of
	// bitsWide 90 and 40%. On a Zen 4 half of bitsLarge costs 20%, twice 47%; by
	// AVX2 -3 and 85%.
	bitsDepth, bitsWide, bitsLarge = 96, 160, 512

	// bitsStart is how many words of a plane are compared in the time that the
	// start of its run takes, and bitsFew how many bits are set one by one in the
	// time that a comparison takes to begin. On a Zen 5, at 130 to 200 indices,
	// half of bitsStart costs 5%, twice 25%; half and twice of bitsFew 65%.
	bitsStart, bitsFew = 2, 96

	// bitsCrowded is the depth up to which crowded bit planes are compared. On a
	// Zen 5 half costs a factor of 3, twice -42%; by AVX2 a factor of 2, and -3%.
	bitsCrowded = 1024

	// expandCells is the cells from which bits are expanded by the kernel: for
	// fewer its call costs what a loop does. Half costs 10 to 28%, twice 20 to 40%.
	expandCells = 96

	// recodeBytes is the indices from which codes of a byte are looked up by bytes,
	// recodeWide that of wider codes, which have a larger table: of fewer, to make
	// it costs more than it saves. Half of recodeBytes costs 35%, twice 35%; of
	// recodeWide 14 and 26%. Wider codes that stand for themselves need no table,
	// but gain less where few are null: of 200 indices, one in a hundred of them
	// null, bytes take 0.7 to 1.5 times as long on a Zen 4 (family 25, model 17),
	// of 500 0.5 to 1.2 times.
	recodeBytes, recodeWide = 144, 320

	// SetWords is the room for the bits of a block of rows in words, about a
	// first-level cache, and behind them for classes of columns with a Miss;
	// SetRows is the most rows that a block has, but for those that the last takes
	// along. For smaller tables there is less room, which Go zeroes sooner: without
	// the middle one 150 rows took up to 1.6 times as long. Half of the large room
	// costs 18%, twice -1% and as much stack again; of the small one 9 and 8%.
	SetWords, MediumSetWords, SmallSetWords = 8 << 10, 2 << 10, 512
	SetRows                                 = 512

	// SetBlock is how many classes of sets are made at a time: as many as leave
	// room for the bits of rows of setWords words. Half costs 3%, twice -1%.
	SetBlock = 512

	// BitsBlock is the indices of a block of bit planes that go by way of a
	// scratch. Half costs 9%; twice leaves the scratch no room.
	BitsBlock = 8 << 10

	// SetSpan is how many bits a block of classes covers: a class deeper than that
	// belongs to the next. The kernels of marks take no more.
	SetSpan = 128

	// HitCells is how many cells are looked for at a time, and the most of a block
	// whose planes are read off their bits, HitRow the longest row of which several
	// are looked for; LargeLanes and SmallLanes are the bytes of lanes that columns
	// are decoded in. Half of HitCells costs -1%, twice 3%; of HitRow 9 and 15%,
	// by AVX2 25 and 5%; of LargeLanes 3 and -4%, of SmallLanes 1 and -3%.
	// SmallHits is the cells of a job up to which there is less room, which Go
	// zeroes sooner. On a Zen 5 half of it costs 3%, twice nothing.
	HitCells               = 16 << 10
	SmallHits              = 2 << 10
	HitRow                 = 160
	LargeLanes, SmallLanes = 8 << 10, 512

	// UpdateBlock is how many indices are compared at a time. Half costs 2%, twice
	// 4%. Where more than one in UpdateMany of them changed, or of the first few
	// behind a block where so many did, a loop moves all. On a Zen 5 (family 26,
	// model 2) half of that number costs 20 to 50%; twice costs 5%, and 300% where
	// the processor cannot guess which changed.
	UpdateBlock, UpdateMany = 1 << 10, 2

	// SetLeast is the fewest classes of a set that a kernel makes bits of, SetMost
	// the most, and setWords the most words of a row, by AVX2 half of them. On a
	// Zen 5 half of setWords costs 12%, by AVX2 24%, and twice 29%.
	SetLeast, SetMost = 8, 128
	setWords          = 4

	// NEON's tables are the model's (make cost). On neoverse-v2 an index costs 1.3
	// cycles as a class and a bit and 2.0 scattered, and 64 bytes cost 3 cycles
	// from bits, 5 if cells are bytes, and 2 filled: even at 45 bytes a column and
	// at 15, of which neonColumn is in between. neonIndices are from which that is
	// worth to begin.
	neonColumn, neonIndices = 24, 640
)

// Bits chooses how bit planes are written: by comparison, which costs the same
// for every cell, or by setting the bits of a filled tile, which costs the same
// for every index and leaves the other cells to the fill.
func Bits(m Machine, n, depth int) Plan {
	if depth <= 0 {
		return Plan{}
	}
	large := streams(m) && bitPlane(n) >= streamBits(m)/depth
	switch {
	case !comparesBits(m, n, depth, large):
		return Plan{}
	case large:
		return Plan{Strategy: BitPlanes, Stream: true, Block: BitsBlock}
	}
	return Plan{Strategy: BitPlanes, Block: run(n)}
}

// words returns the words that n bits take.
func words(n int) int { return (n + WordBits - 1) / WordBits }

// bitPlane returns the bytes of a plane of n bits.
func bitPlane(n int) int { return words(n) * 8 }

// comparesBits reports whether planes of n bits are few enough to be compared.
// The start of each takes as long as a few of its words.
func comparesBits(m Machine, n, depth int, large bool) bool {
	plane, most := bitPlane(n), bitsDepth
	switch {
	case m.Path == tier.GenericPath || n < Least:
		return false
	case streams(m) && crowded(depth, plane, storePlaces, storeClose):
		return depth <= bitsCrowded
	case large:
		return depth <= bitsLarge
	case m.Path == tier.AVX512Path:
		most = bitsWide
	}
	return depth*(plane/8+bitsStart) <= most*(n-bitsFew)/WordBits
}

// SmallBits reports whether the bits of a small call are set one by one.
func SmallBits(n, depth int) bool {
	return !comparesBits(Here(), n, depth, false)
}

// Expand chooses how that many cells are written from their bits.
func Expand(m Machine, cells, width int, isString bool) Plan {
	if m.Path == tier.GenericPath || isString || cells < expandCells {
		return Plan{}
	}
	return Plan{Strategy: Sets}
}

// Recode chooses how n indices become codes through a table of that many, or of
// as many classes as stand for themselves, or should: by bytes, of which one
// says that there is no class, or one by one. Tables beyond that are for loads
// alone.
func Recode(m Machine, n, codes, width int) Plan {
	least := recodeBytes
	if width > 1 {
		least = recodeWide
	}
	if m.Path == tier.GenericPath || n < least || codes < 1 || codes > Classes {
		return Plan{}
	}
	return Plan{Strategy: Lookup, Block: LargeBlock}
}

// Columns chooses how rows of that many columns are written: from bits, or by
// filling and scattering. s.Depth is the width of a row. Misses that have cells
// of their own are written again, which non-temporal stores are not for.
func Columns(m Machine, s *Shape, columns int) Plan {
	rows := min(SetWords/max(words(s.Depth), 1)-Least, SetRows) &^ 7
	if s.String || s.gaps() || columns < 2 || s.Depth == 0 || rows < Least || s.Outer < Least ||
		s.Depth*s.Width > ScratchBytes || !marksColumns(m, s.Outer, columns, s.Depth, s.Width) {
		return scatter(m, s, s.bytes(), false)
	}
	return Plan{Strategy: Sets, Stream: streams(m) && !s.Miss && s.bytes() >= streamRows(m), Block: rows}
}

// A marking is what it costs to write rows of several classes from bits, in
// stores of a class that is scattered: to begin, and for each word of a row,
// less what a row costs to be scattered to.
type marking struct {
	begin, word, row int
}

// Tables and sets by AVX-512, and by AVX2. On a Zen 5 (family 26, model 2), by
// indices of which none or one in twenty is a miss, half of begin costs 20% in
// tables and 12% in sets, twice 15 and 10%; half of word 7 and 15%, twice 22
// and 2%; half of row 15 and 0%, twice 15%. By AVX2 half of begin costs 9 and
// 17%, twice 18 and 1%; half of word 7 and 16%, twice 19 and 0%; half of row 0
// and -9%, twice 3 and 17%. Tables that are streamed, but not beyond the
// last-level cache, pay no more for a word of AVX-512 than for a store.
var (
	wideTable, narrowTable = marking{1500, 4, 8}, marking{2000, 3, 1}
	wideSet, narrowSet     = marking{1500, 5, 13}, marking{2000, 8, 9}
	streamTable            = marking{1500, 1, 8}
)

// pays reports whether rows of k classes are written from bits.
func (c marking) pays(rows, k, depth int) bool {
	return rows*(k+c.row-c.word*words(depth)) > c.begin
}

// marksColumns reports whether the rows of a table are written from bits. Where
// no cache can hold them a store costs more than any bits.
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
	}
	return wideTable.pays(rows, columns, depth)
}

// marksSets is marksColumns of sets. NEON has no kernel that makes their bits.
func marksSets(m Machine, rows, k, depth int) bool {
	switch {
	case !streams(m) || k < SetLeast || k > SetMost || rows < Least:
		return false
	case m.Path == tier.AVX2Path:
		return words(depth) <= setWords/2 && narrowSet.pays(rows, k, depth)
	}
	return words(depth) <= setWords && wideSet.pays(rows, k, depth)
}

// SmallColumns reports whether a small table, whose rows have that many
// elements, is filled all at once and scattered to: from ColumnRun rows on, as
// long as ColumnRows says, a column at a time.
func SmallColumns(rows, columns, depth, width int) bool {
	return rows < Least || rows <= ColumnRows(depth*width) && !marksColumns(Here(), rows, columns, depth, width)
}

// ColumnRun is how many rows it takes for a small table to be scattered to
// column by column, and not row by row. On a Zen 5 half costs 18%, twice 6%.
const ColumnRun = 4

// ColumnRows returns how many rows of that many bytes one column after the
// other is scattered to, at a time: as many as a first-level cache has places
// for, if each takes a line, and as few as its 8 lines of one place where rows
// are whole pages. Rows close to a page apart share places as well, for which
// most is a quarter of that cache in lines. Without a limit rows of pages take
// up to seven times as long.
func ColumnRows(row int) int {
	const page, ways, most = 4 << 10, 8, 128
	places := page >> bits.TrailingZeros(uint(row|page))
	return min(places*ways, most)
}

// MultiHot chooses how rows of k classes are written.
func MultiHot(m Machine, s *Shape, k int) Plan {
	if s.String || s.gaps() || s.Depth == 0 || !marksSets(m, s.Outer, k, s.Depth) {
		return scatter(m, s, s.bytes(), false)
	}
	return Plan{Strategy: Sets, Stream: s.bytes() >= streamRows(m), Block: max(SetBlock/k&^7, 8)}
}

// SmallSets reports whether the rows of a small call, of k classes each, are
// filled all at once and scattered to.
func SmallSets(rows, k, depth int) bool {
	return !marksSets(Here(), rows, k, depth)
}

// Update chooses how n indices of that many classes are compared.
func Update(m Machine, n, depth int) Plan {
	if m.Path == tier.GenericPath || n < Least || depth == 0 || depth > math.MaxInt32 {
		return Plan{}
	}
	return Plan{Strategy: Compare, Block: UpdateBlock}
}

// SmallDecode reports whether a kernel finds the cells of that width, Least or
// more, of small rows that are decoded.
func SmallDecode(width int) bool { return width <= 8 && Here().Path != tier.GenericPath }

// Decode chooses how rows or columns are read.
func Decode(m Machine, s *Shape) Plan {
	if m.Path == tier.GenericPath || s.String || s.Width > 8 || s.Depth == 0 {
		return Plan{}
	}
	switch {
	case s.Inner >= Least:
		return Plan{Strategy: Planes}
	case s.Inner == 1 && s.Plane == 1 && (s.Depth >= Least || s.Outer*s.Depth >= Least && !s.gaps()):
		return Plan{Strategy: Hits}
	case s.Inner > 1 && !s.gaps() && s.Depth*s.Inner <= HitCells && s.Outer*s.Depth*s.Inner >= Least:
		return Plan{Strategy: Hits}
	}
	return Plan{}
}
