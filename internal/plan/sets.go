package plan

import (
	"math/bits"

	"github.com/go-onehot/onehot/internal/tier"
)

// This file decides which tables and sets are written from bits.

const (
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

	// SetSpan is how many classes one pass over indices tells apart when it makes
	// the bits of rows; deeper classes take more passes. No kernel of marks takes
	// more.
	SetSpan = 128

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

// tableBlock returns how many rows of a table are written from bits at a time,
// or 0 if they are not.
func (m *Machine) tableBlock(rows, columns, depth, width int) int {
	block := min(SetWords/max(words(depth), 1)-Least, SetRows) &^ 7
	if columns < 2 || depth == 0 || min(rows, block) < Least || depth*width > ScratchBytes || !m.marksColumns(rows, columns, depth, width) {
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
func (m *Machine) marksColumns(rows, columns, depth, width int) bool {
	switch bytes := rows * depth * width; {
	case m.Path == tier.GenericPath:
		return false
	case m.Path == tier.NEONPath:
		return rows*columns >= neonIndices && depth*width <= columns*neonColumn
	case m.beyond(bytes):
		return true
	case m.Path == tier.AVX2Path:
		return narrowTable.pays(rows, columns, depth)
	case m.streamsRows(bytes):
		return streamTable.pays(rows, columns, depth)
	case m.prefetchesFar(bytes):
		return aheadSet.pays(rows, columns, depth)
	}
	return wideTable.pays(rows, columns, depth)
}

// marksSets is marksColumns for sets of k classes. NEON has no kernel that
// makes the bits of sets.
func (m *Machine) marksSets(rows, k, depth, width int) bool {
	switch {
	case !m.streams() || k < SetLeast || k > SetMost || rows < Least || depth == 0:
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

// setsBlock returns how many rows of k classes are written from bits at a time.
func setsBlock(k int) int { return max(SetBlock/k&^7, 8) }

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
