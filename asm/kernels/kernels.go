// Package kernels is the manifest: it describes each family of kernels once.
//
// The generators of both architectures read it to write the declarations of the
// kernels, the functions that choose among the kernels of a family, and what
// these functions call on a platform without kernels.
package kernels

import (
	"fmt"
	"slices"
	"strings"
)

// A Family is kernels that differ in the width of a cell or the type of an
// index, and in the tier.
type Family struct {
	Name   string
	Params string // in Go; v points to the values on, off and miss, of 16 bytes each, and to a byte that is not 0 if kernels of AVX-512 prefetch what they will write
	Result string
	Doc    string // the contract: what follows the name of a kernel in its comment
	Model  string // the family whose Go model this family shares; empty if it has its own
	Table  string // the call that makes the table which kernels of amd64 take in addition, with %d for the bytes of a vector; empty for none
	Keys   []Key  // the widths or types that a tier may have separate kernels for; nil if one kernel does for all
	Tiers  []string
	Intel  bool           // whether only Intel's processors use the kernels of AVX-512; others use those of AVX2
	From   map[string]int // by tier, the width in bytes from which all widths share one kernel, which takes the width as a parameter or a table that depends on it
}

// A Key is one case of the switch that chooses a kernel: its values, what it
// adds to the name of the kernel, and the bytes of a cell or an index.
type Key struct {
	Case, Suffix string
	Bytes        int
}

// The names of the tiers, which end the names of their kernels. A kernel of
// Baseline runs on every processor of its architecture. The library calls the
// others only after testing for all extensions of the tier, and asm/verify
// fails if a kernel uses another one. No kernel uses AVX512VBMI2 today: it
// keeps AVX-512 to Ice Lake, Zen 4 and later.
const (
	AVX512   = "AVX512"
	AVX2     = "AVX2"
	NEON     = "NEON"
	Baseline = ""
)

var (
	every = []string{AVX512, AVX2, NEON}

	// A cell has 1, 2, 4, 8 or 16 bytes, but kernels that read cells know four
	// widths.
	widths = []Key{{"1", "8", 1}, {"2", "16", 2}, {"4", "32", 4}, {"8", "64", 8}, {"16", "128", 16}}
	narrow = widths[:4]

	// The kernels of int32 and int64 also serve uint32 and uint64, with a wrap of
	// 0: what reads as negative is a miss either way.
	types = []Key{
		{"Int8", "I8", 1}, {"Uint8", "U8", 1}, {"Int16", "I16", 2}, {"Uint16", "U16", 2},
		{"Int32, Uint32", "I32", 4}, {"Int64, Uint64", "I64", 8}, {"Float32", "F32", 4}, {"Float64", "F64", 8},
	}
)

// planeParams are the parameters that all kernels of planes share.
const planeParams = "dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int"

// Families lists all families, in the order of the stages of an encoding.
var Families = []Family{
	{
		Name: "classes", Keys: types, Tiers: every,
		Params: "classes, indices unsafe.Pointer, n, first, limit, wrap int", Result: "misses int",
		Doc: "sets the byte classes[i] to the class of indices[i] minus first if that is in [0, limit), and to 255 otherwise. It returns how many bytes became 255. " +
			"wrap is the depth if negative indices count from the end, and 0 if not. n is at least 64, limit at most 255. first, first+limit and wrap fit an int16. For uint8, first+limit is at most 256.",
	},
	{
		Name: "text", Tiers: every,
		Params: "classes, text unsafe.Pointer, n int, table unsafe.Pointer, limit int", Result: "misses int",
		Doc: "sets the byte classes[i] to the class that the textTable at table has for text[i] if that is below limit, and to 255 otherwise. It returns how many bytes became 255. n is at least 64, limit at most 255.",
	},
	{
		Name: "null", Tiers: every,
		Params: "classes, words unsafe.Pointer, n int", Result: "nulls int",
		Doc: "sets the byte classes[i] to 255 where bit i of words is 0, and returns how many of the n bits are 0. n is a multiple of 64 and not 0.",
	},
	{
		Name: "codes", Keys: widths[1:4], Tiers: []string{AVX2, NEON},
		Params: "dst, classes unsafe.Pointer, n int",
		Doc:    "sets element i of dst, of 2, 4 or 8 bytes, to the byte classes[i], or to all bits set if that is 255. dst and classes do not overlap. n is at least 64.",
	},
	{
		Name: "nones", Keys: widths[1:4], Tiers: []string{AVX2, NEON},
		Params: "codes unsafe.Pointer, n int", Result: "count int",
		Doc: "returns how many of n codes of 2, 4 or 8 bytes have all bits set. n is a multiple of 64 and from 64 to 2048.",
	},
	{
		Name: "rows", Keys: widths, Tiers: every, From: map[string]int{AVX2: 1, NEON: 1}, Table: "rowTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "writes rows of depth cells. The cell of row r whose column is the byte classes[r] is on, and the other cells are off. A class is below depth, or 255 for none. rows is at least 64. depth is from 2 to 255, or to 240 with NEON, and a row has at most 512 bytes. " +
			"The classes may be the last bytes of dst where plan.OverClasses allows it.",
	},
	{
		Name: "rowsMiss", Keys: widths, Tiers: every, From: map[string]int{AVX2: 1, NEON: 1}, Table: "missTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "does what rows does, except that all cells of a row whose class is 255 are miss. A class is below depth, or 255. rows is at least 64. depth is from 2 to 255, to 128 with AVX2, and to 240 with NEON, and a row has at most 512 bytes. " +
			"The classes may be the last bytes of dst where plan.OverClasses allows it.",
	},
	{
		Name: "rowsStream", Model: "rows", Keys: widths, Tiers: []string{AVX512, AVX2}, Intel: true, From: map[string]int{AVX2: 1}, Table: "rowTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "does what rows does, with non-temporal stores. dst starts a cache line, and rows is a multiple of 64 and not 0. The kernel of AVX2, which the AVX-512 path has on processors other than Intel's, takes only rows whose bytes are a multiple of 4. " +
			"streamEnd must follow before another goroutine reads dst. A class is below depth, or 255. depth is from 2 to 255, and a row has at most 512 bytes.",
	},
	{
		Name: "widen", Keys: widths[1:], Tiers: []string{AVX2}, From: map[string]int{AVX2: 2},
		Params: "dst, classes unsafe.Pointer, n int",
		Doc:    "sets all bytes of cell i of dst to the byte classes[i], for n cells of 2, 4, 8 or 16 bytes. dst and classes do not overlap. n is at least 64.",
	},
	{
		Name: "planes", Keys: widths, Tiers: []string{AVX512, AVX2}, From: map[string]int{AVX512: 1, AVX2: 1},
		Params: planeParams,
		Doc: "writes blocks that start stride bytes apart. A block is count runs of n cells, which start plane bytes apart. Run p is of class first+p. Its cell i in block b depends on the byte that cell b*n+i of classes has in all places: it is on if that is first+p, miss if that is 255 and missing is not 0, and off otherwise. " +
			"With AVX2, if missing is below 0, what lies plane bytes before the first run has to be miss where the byte is 255 and off elsewhere; plane may be 0 if count is 1 and n cells are a multiple of 64 bytes. Long runs then take less time. " +
			"n is at least 64, count and blocks are not 0, and first+count is at most 256, or 255 if missing is not 0.",
	},
	{
		Name: "planesByColumns", Keys: widths, Tiers: every, From: map[string]int{AVX2: 4, NEON: 1},
		Params: planeParams,
		Doc: "does what planes does in another order: it writes a round of columns to all planes before it goes on to the next round. The class of a cell is the byte classes[b*n+i]. " +
			"n is at least 64, count and blocks are not 0, and first+count is at most 256, or 255 if missing is not 0. " +
			"The classes may be the last bytes that are written where plan.OverPlanes allows it.",
	},
	{
		Name: "planesStream", Model: "planesByColumns", Keys: widths, Tiers: []string{AVX2}, From: map[string]int{AVX2: 4},
		Params: planeParams,
		Doc: "does what planes does, with non-temporal stores. The class of a cell is the byte classes[b*n+i]. dst is a multiple of 64 bytes, and so are stride if there are several blocks and plane if there are several planes; n is a multiple of 64. " +
			"streamEnd must follow before another goroutine reads dst. count and blocks are not 0, and first+count is at most 256, or 255 if missing is not 0.",
	},
	{
		Name: "bitPlanes", Tiers: every,
		Params: "dst unsafe.Pointer, plane int, classes unsafe.Pointer, n, count int",
		Doc:    "writes count runs of n bits, which start plane bytes apart. Bit i of run p is 1 if the byte classes[i] is p, and 0 otherwise. n is a multiple of 64 and not 0, and count is from 1 to 255.",
	},
	{
		Name: "marks", Tiers: every,
		Params: "words unsafe.Pointer, plane int, classes unsafe.Pointer, n, first, count int",
		Doc: "sets a bit in each of n rows, whose bits lie in count planes of n words, plane bytes apart: word i of plane p has bits 64*p to 64*p+63 of row i. The bit of row i is classes[i]+first; a bit beyond the last plane is dropped. " +
			"If first is not 0, the words of the first plane keep the bits that they have. All other words are written anew. n is a multiple of 8 and not 0, and first is below 64.",
	},
	{
		Name: "setMarks", Tiers: []string{AVX512, AVX2},
		Params: "words unsafe.Pointer, plane int, classes unsafe.Pointer, rows, k, count int",
		Doc: "writes the bits of rows that have k classes each, in one or two planes of rows words, plane bytes apart. For each byte c of classes[r*k:][:k], bit c%64 of word r in plane c/64 becomes 1; a bit beyond the last plane is dropped. All other bits become 0. " +
			"rows is a multiple of 8 and not 0, k is at least 8, and count is 1 or 2.",
	},
	{
		Name: "cells", Keys: widths, Tiers: every, From: map[string]int{AVX2: 4, NEON: 4},
		Params: "dst unsafe.Pointer, stride int, words unsafe.Pointer, next, plane, rows, cells int, v unsafe.Pointer",
		Doc: "writes rows of cells, which start stride bytes apart. Cell c of row r is on if bit c%64 of the word at words+r*next+c/64*plane is 1, and off if it is 0. " +
			"The rows are written in order and in whole vectors of at most 64 bytes, the first of which starts where the row does. rows and cells are not 0.",
	},
	{
		Name: "hits", Keys: narrow, Tiers: []string{AVX2, NEON},
		Params: "words, cells unsafe.Pointer, n int, v unsafe.Pointer", Result: "neither int",
		Doc: "sets bit i of words to 1 if cells[i] is on and to 0 if not, and the bits from n on in the last word to 0. It returns 0 if every cell is on or off, and another number if not. n is at least 64.",
	},
	{
		Name: "places", Tiers: []string{AVX2},
		Params: "places, classes unsafe.Pointer, n int", Result: "count int",
		Doc: "writes to places, in order and as uint16, each i < n for which classes[i] is 255, and returns how many there are. It may write to three more elements, for which places has room. n is from 64 to 65536.",
	},
	{
		Name: "collect", Keys: narrow, Tiers: every,
		Params: "lanes, cells unsafe.Pointer, plane, n, first, count int, v unsafe.Pointer", Result: "hits int",
		Doc: "reads count runs of n cells, which start plane bytes apart. Where cell i of run p is on, lanes[i], which is as wide as a cell, becomes first+p. It returns how many cells are on, or -1 if a cell is neither on nor off. n is at least 64.",
	},
	{
		Name: "changes", Keys: narrow, Tiers: []string{AVX2, NEON},
		Params: "words, prev, next unsafe.Pointer, n, depth int",
		Doc: "sets bit i of words to 1 if the integers prev[i] and next[i] differ, or if next[i], read as unsigned, is depth or more, and to 0 otherwise. It sets the bits from n on in the last word to 0. " +
			"depth is at most the largest unsigned integer of that width. n is at least 64.",
	},
	{
		Name: "fillPattern", Tiers: []string{AVX2, NEON},
		Params: "dst unsafe.Pointer, n int, lo, hi uint64",
		Doc:    "repeats the 16-byte pattern lo, hi over the n bytes from dst. n is at least 64.",
	},
	{
		Name: "fillZero", Tiers: []string{AVX2},
		Params: "dst unsafe.Pointer, n int",
		Doc:    "zeroes the n bytes from dst. n is at least 64.",
	},
	{
		Name: "fillRuns", Tiers: []string{AVX2, NEON},
		Params: "dst unsafe.Pointer, run, runs, stride int, lo, hi uint64",
		Doc: "repeats the 16-byte pattern lo, hi over each of several runs of run bytes, which start stride bytes apart. " +
			"Each run begins with lo. run is at least 32, at most stride, and a multiple of the bytes after which the pattern repeats itself. runs is not 0.",
	},
	{
		Name: "fillPlaces", Tiers: []string{AVX2},
		Params: "dst unsafe.Pointer, run int, places unsafe.Pointer, count int, lo, hi uint64",
		Doc: "repeats the 16-byte pattern lo, hi over count runs of run bytes, of which run i starts run*places[i] bytes from dst. places are uint16. " +
			"run is at least 32 and a multiple of the bytes after which the pattern repeats itself. count is not 0.",
	},
	{
		Name: "fillRepeat", Tiers: []string{Baseline},
		Params: "dst unsafe.Pointer, n int, pattern uint64",
		Doc:    "repeats the 8-byte pattern over the n bytes from dst, at least 128, with string stores, which do not read what they replace.",
	},
	{
		Name: "stream", Tiers: []string{AVX2},
		Params: "dst, src unsafe.Pointer, lines int",
		Doc:    "copies cache lines from src to dst with non-temporal stores. dst starts a cache line; lines is not 0. streamEnd must follow before another goroutine reads dst.",
	},
	{
		Name: "streamLine", Tiers: []string{AVX2},
		Params: "dst, line unsafe.Pointer, lines int",
		Doc:    "does what stream does, with the same source line for all lines of dst.",
	},
	{
		Name: "prefetch", Tiers: []string{Baseline},
		Params: "src unsafe.Pointer, n int",
		Doc:    "asks for the cache lines of the n bytes from src, so that the first-level cache holds them soon. It reads and writes nothing itself. n is not 0.",
	},
	{
		Name: "streamEnd", Tiers: []string{Baseline},
		Doc: "orders non-temporal stores before all later stores.",
	},
}

// Kernel returns the name of the family's kernel for a key and a tier.
func (f *Family) Kernel(k Key, tier string) string { return f.Name + k.Suffix + tier }

// On returns those of the given tiers for which the family has kernels.
func (f *Family) On(tiers []string) []string {
	lacks := func(tier string) bool { return !slices.Contains(f.Tiers, tier) }
	return slices.DeleteFunc(slices.Clone(tiers), lacks)
}

// EachKey returns the keys of the kernels of a tier. The zero Key stands for
// the only kernel of a family without keys, and, as the last one, for the
// kernel that all remaining widths share.
func (f *Family) EachKey(tier string) (keys []Key) {
	from, others := f.From[tier]
	for _, k := range f.Keys {
		if !others || k.Bytes < from {
			keys = append(keys, k)
		}
	}
	if others || len(keys) == 0 {
		keys = append(keys, Key{})
	}
	return keys
}

// Names returns the names in a list of parameters.
func Names(params string) (names []string) {
	for _, p := range strings.Split(params, ", ") {
		if name, _, _ := strings.Cut(p, " "); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// extra returns the parameter that a kernel takes besides, and its argument.
func (f *Family) extra(k Key, tier string) (param, arg string) {
	switch _, others := f.From[tier]; {
	case f.Table != "" && tier != NEON:
		return ", table unsafe.Pointer", ", " + fmt.Sprintf(f.Table, Bytes(tier))
	case others && k == Key{}:
		return ", width int", ", width"
	}
	return "", ""
}

// Stub returns the parameters and results of a kernel, in Go.
func (f *Family) Stub(k Key, tier string) string {
	param, _ := f.extra(k, tier)
	with := *f
	with.Params += param
	return with.Signature()
}

// Arguments returns the names of a kernel's parameters and results.
func (f *Family) Arguments(k Key, tier string) []string {
	param, _ := f.extra(k, tier)
	return append(Names(f.Params+param), Names(f.Result)...)
}

// Bytes returns the bytes of a tier's vectors, 0 for Baseline.
func Bytes(tier string) int { return map[string]int{AVX512: 64, AVX2: 32, NEON: 16}[tier] }

// Signature returns the parameters and results of the function that chooses,
// but for the parameter by which it does.
func (f *Family) Signature() string {
	if f.Result == "" {
		return "(" + f.Params + ")"
	}
	return fmt.Sprintf("(%s) (%s)", f.Params, f.Result)
}

// RowTableHead is how many bytes of an AVX2 row table precede its entries,
// RowTableSize where among them it has the number of bytes of 16 rows, and
// RowTableLast the entry of the last vector of these.
const RowTableHead, RowTableSize, RowTableLast = 128, 32, 64

// Ahead is how many bytes after the start of the values there is a byte that
// says whether kernels prefetch what they will write.
const Ahead = 48

// The layout of a textTable: where it has its rows of 16 bytes that hold a
// symbol, the size of a row, and where it has their number.
const (
	TextRows  = 256
	TextRow   = 32
	TextCount = TextRows + 16*TextRow
)
