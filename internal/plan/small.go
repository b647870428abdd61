package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides how small calls are written. Few of them have a plan, which
// would take longer to make than the smallest of them take.

// SmallSide bounds the numbers of a small call, whose products then fit an int.
const SmallSide = 1 << 15

// A SmallWay is how a small call is written.
type SmallWay uint8

const (
	ByLoop    SmallWay = iota // filled and scattered to by a loop
	ByKernels                 // rows by kernels, block by block if need be; planes one by one; bit planes by a plan
	AtOnce                    // rows and bit planes by one call of each kernel; planes by columns
)

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
	case !Here().blendsRows(depth, width, n*row, hasMiss):
		return ByLoop
	case once:
		return AtOnce
	}
	return ByKernels
}

// SmallPlanes chooses how the planes of small blocks are written. A block has
// inner columns, all blocks n. AtOnce planes are written by columns. An output
// that the first-level cache holds needs no Machine if it is filled, nor if any
// such cache holds it: its planes are never crowded.
func SmallPlanes(n, inner, depth, width int, hasMiss bool) SmallWay {
	run, bytes := inner*width, n*depth*width
	if depth < 2 || depth > Classes {
		return ByLoop
	}
	if bytes <= tier.L1 && tier.AVX2 {
		switch {
		case !comparingNear(hasMiss).pays(depth, inner, width):
			return ByLoop
		case bytes <= tier.LeastL1:
			return AtOnce
		}
	}
	m := Here()
	switch {
	case !m.compares(depth, inner, inner, width, bytes, hasMiss):
		return ByLoop
	case ByColumns(m, depth, run, run, width, bytes, hasMiss):
		return AtOnce
	}
	return ByKernels
}

// PaddedPlanes reports whether kernels write the planes of a small call, one
// block of n columns, that start plane cells apart.
func PaddedPlanes(n, depth, plane, width int, hasMiss bool) bool {
	return 2 <= depth && depth <= Classes && Here().compares(depth, n, plane, width, n*depth*width, hasMiss)
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
	return block, block == 0 || !m.streamsRows(bytes)
}

// SmallSets chooses how the rows of a small call, of k classes each, are
// written. If block is not 0, they are written from bits, block rows at a time.
// Otherwise all are filled and then scattered to. If small is false, the
// general route chooses, because rows are streamed, which only a last-level
// cache set for tests makes so small a call do. A row has depth cells of width
// bytes.
func SmallSets(rows, k, depth, width int) (block int, small bool) {
	if k < SetLeast || k > SetMost || rows < Least { // needs no Machine
		return 0, true
	}
	m := Here()
	if !m.marksSets(rows, k, depth, width) {
		return 0, true
	}
	return setsBlock(k), !m.streamsRows(rows * depth * width)
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
	case n <= LargeBlock && bitsPay(n, depth, bitsNear, tier.AVX512): // not crowded, which a small call need not ask
		return AtOnce
	case n > LargeBlock && Here().comparesBits(n, depth, false):
		return ByKernels
	}
	return ByLoop
}

// SmallDecode reports whether a kernel finds the cells that are on in small
// rows to be decoded. The rows have Least cells or more of the given width.
func SmallDecode(width int) bool { return width <= 8 && tier.Active() != tier.GenericPath }

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

// mostLast is the most rows of LastRows that a loop writes; with more of them,
// all rows go by way of a buffer. On a Zen 3 calls take 0.7 to 0.85 times as
// long if a loop writes their last rows. Half of mostLast costs 12%, twice 25%.
const mostLast = 10

// LastLoop is the most cells of last rows that a loop sets to Off if that is
// zero; clear zeroes more. On a Granite Rapids calls of 65 to 530 rows of bytes
// then take 0.8 times as long, those of wider cells 1.0 times. Half and twice
// of LastLoop cost nothing.
const LastLoop = 4

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
	return inner%Least == 0 && n <= LargeBlock && tier.AVX2
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

// SmallClear is the bytes of a small call's output from which, on a path with
// kernels, clear zeroes it only if ZeroesByClear says so: clear begins with a
// wait there, which kernels do not have. Below it fillPattern takes longer to
// begin than clear.
const SmallClear = 2 << 10

// SmallZero is the most bytes of a small call's output that stores of
// SmallStore bytes, in the caller's own code, zero faster than a call does. On
// a Zen 5 half costs 4%, twice 17%; with AVX2 14% and 0%. SmallPattern is the
// same for other values, which a kernel would fill.
const SmallStore, SmallZero, SmallPattern = 16, 384, 128

// ZeroesByStores reports whether stores of SmallStore bytes zero the output of
// a small call.
func ZeroesByStores(bytes int) bool { return SmallStore <= bytes && bytes <= SmallZero }

// ZeroesByClear reports whether clear zeroes the output of a small call, on a
// path with kernels.
func ZeroesByClear(bytes int) bool {
	return bytes < SmallClear || Here().clears(bytes)
}

// ZeroesByKernel reports whether fillZero zeroes the output of a small call,
// which then takes more than SmallZero bytes, unless RepeatsSmall says that
// string stores do. Where fillZero has no kernel, it is clear. From SmallClear
// on, for what RepeatsSmall leaves on a path with kernels, it is the opposite
// of clears, but needs no Machine.
func ZeroesByKernel(bytes int) bool {
	return bytes > SmallZero && (bytes < SmallClear || bytes <= tier.L2/2 && tier.AVX2)
}

// SmallCopies is the fewest cells of a small call's output that doubling copies
// fill, where no kernel may: strings, and anything but zeros on the generic
// path. On a Zen 5 half costs 15 to 40% at 72 cells, twice 20 to 80% at 160.
const SmallCopies = 96
