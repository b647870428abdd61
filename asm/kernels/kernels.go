// Package kernels is the manifest: it describes each family of kernels once.
//
// The generators of both architectures read it for the stubs, for the switches
// that choose among a family's kernels, for what stands in their place where
// there are none, and for the table from which each is tested.
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
	Params string // in Go; v points to the values on, off and miss, 16 bytes each
	Result string
	Doc    string // the contract, which follows the name
	Model  string // the family whose model in Go is this one's too; none if it has its own
	Table  string // what kernels of amd64 take besides: a call that gives it, with %d for the bytes of a vector
	Keys   []Key  // what tells the kernels of a tier apart; none if nothing does
	Tiers  []string
	From   map[string]int // by tier, the least of the widths that share a kernel, which is told the width unless its table knows it
}

// A Key is a case of the switch over a family: the value that is switched on,
// what the names of its kernels have for it, and the bytes of a cell or index.
type Key struct {
	Case, Suffix string
	Bytes        int
}

// The names of the tiers, as kernels have them for their last part. A kernel of
// Baseline runs on every processor of its architecture.
const (
	AVX512   = "AVX512"
	AVX2     = "AVX2"
	NEON     = "NEON"
	Baseline = ""
)

var (
	every = []string{AVX512, AVX2, NEON}

	// Cells have 1, 2, 4, 8 or 16 bytes; kernels that read cells know four widths.
	widths = []Key{{"1", "8", 1}, {"2", "16", 2}, {"4", "32", 4}, {"8", "64", 8}, {"16", "128", 16}}
	narrow = widths[:4]

	// uint32 and uint64 go with wrap 0: what their upper half looks like as a
	// signed number is no class either way.
	types = []Key{
		{"Int8", "I8", 1}, {"Uint8", "U8", 1}, {"Int16", "I16", 2}, {"Uint16", "U16", 2},
		{"Int32, Uint32", "I32", 4}, {"Int64, Uint64", "I64", 8}, {"Float32", "F32", 4}, {"Float64", "F64", 8},
	}
)

// Kernels of planes have the same parameters.
const planeParams = "dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int"

// Families lists all of them, in the order of the stages.
var Families = []Family{
	{
		Name: "classes", Keys: types, Tiers: every,
		Params: "classes, indices unsafe.Pointer, n, first, limit, wrap int", Result: "misses int",
		Doc: "sets the byte classes[i] to the class of indices[i] less first where that is in [0, limit), and to 255 elsewhere, and counts the latter. " +
			"wrap is the depth to count negative indices from the end, else 0. n >= 64, limit <= 255; first, first+limit and wrap fit an int32, of 64-bit integers an int16; with uint8 first+limit <= 256.",
	},
	{
		Name: "text", Tiers: every,
		Params: "classes, text unsafe.Pointer, n int, table unsafe.Pointer, limit int", Result: "misses int",
		Doc: "sets the byte classes[i] to the class that the textTable at table has for text[i] where that is below limit, and to 255 elsewhere, and counts the latter. n >= 64, limit <= 255.",
	},
	{
		Name: "null", Tiers: every,
		Params: "classes, words unsafe.Pointer, n int", Result: "nulls int",
		Doc: "sets the byte classes[i] to 255 where bit i of words is not set, and counts them. n is a multiple of 64 and not 0.",
	},
	{
		Name: "rows", Keys: widths, Tiers: every, From: map[string]int{AVX2: 1, NEON: 1}, Table: "rowTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "writes rows of depth cells: on where the byte classes[r] is the cell's place in row r, off elsewhere. A class is below depth, or 255. rows >= 64, 2 <= depth <= 128, by AVX-512 255; with cells of 16 bytes half of it. " +
			"Classes may be the last bytes that are written where plan.OverClasses says so.",
	},
	{
		Name: "rowsMiss", Keys: widths, Tiers: every, From: map[string]int{AVX2: 1, NEON: 1}, Table: "missTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "is rows, and the cells of a row whose class is 255 are miss. A class is below depth, or 255. rows >= 64, 2 <= depth <= 128, by AVX-512 255; with cells of 16 bytes half of it. " +
			"Classes may be the last bytes that are written where plan.OverClasses says so.",
	},
	{
		Name: "rowsStream", Model: "rows", Keys: widths, Tiers: []string{AVX2}, From: map[string]int{AVX2: 1}, Table: "rowTable(%d, width, depth)",
		Params: "dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer",
		Doc: "is rows by non-temporal stores: dst starts a cache line, rows is a multiple of 64 and not 0, and the bytes of a row are one of 4. " +
			"streamEnd has to follow before another goroutine may look. A class is below depth, or 255. 2 <= depth <= 128; with cells of 16 bytes depth <= 64.",
	},
	{
		Name: "widen", Keys: widths[1:], Tiers: []string{AVX2}, From: map[string]int{AVX2: 2},
		Params: "dst, classes unsafe.Pointer, n int",
		Doc:    "repeats each of n classes in all bytes of a cell, which are 2 or more, n cells of dst. dst and classes share nothing. n >= 64.",
	},
	{
		Name: "planes", Keys: widths, Tiers: []string{AVX512, AVX2}, From: map[string]int{AVX512: 1, AVX2: 1},
		Params: planeParams,
		Doc: "writes blocks, stride bytes apart, of count runs of n cells, plane bytes apart: in run p of block b, on where the class that is in all bytes of cell b*n+i of classes is first+p, miss where it is 255 and missing is not 0, and off elsewhere. " +
			"n >= 64, count and blocks are not 0, first+count <= 256, or 255 where missing is not 0.",
	},
	{
		Name: "planesByColumns", Keys: widths, Tiers: every, From: map[string]int{AVX2: 4, NEON: 1},
		Params: planeParams,
		Doc: "is planes in another order, a round of columns in all planes before the next, from the byte classes[b*n+i]. " +
			"n >= 64, count and blocks are not 0, first+count <= 256, or 255 where missing is not 0. " +
			"Classes may be the last bytes that are written where plan.OverPlanes says so.",
	},
	{
		Name: "planesStream", Model: "planesByColumns", Keys: widths, Tiers: []string{AVX2}, From: map[string]int{AVX2: 4},
		Params: planeParams,
		Doc: "is planes by non-temporal stores, from bytes as planesByColumns: dst is a multiple of 64 bytes, and so are stride, where there are several blocks, and plane, where there are several planes; n is a multiple of 64. " +
			"streamEnd has to follow before another goroutine may look. count and blocks are not 0, first+count <= 256, or 255 where missing is not 0.",
	},
	{
		Name: "bitPlanes", Tiers: every,
		Params: "dst unsafe.Pointer, plane int, classes unsafe.Pointer, n, count int",
		Doc:    "writes count runs of n bits, plane bytes apart: in run p, 1 where the byte classes[i] is p. n is a multiple of 64 and not 0, 1 <= count <= 255.",
	},
	{
		Name: "marks", Tiers: every,
		Params: "words unsafe.Pointer, plane int, classes unsafe.Pointer, n, first, count int",
		Doc: "sets, in each of count planes of n words, plane bytes apart, bit classes[i]+first of word i; plane p has the bits from 64*p on, and a bit behind the last plane is none. " +
			"Where first is not 0 the words of the first plane keep the bits that they have; all others are written anew. n is a multiple of 8 and not 0, first < 64.",
	},
	{
		Name: "setMarks", Tiers: []string{AVX512, AVX2},
		Params: "words unsafe.Pointer, plane int, classes unsafe.Pointer, rows, k, count int",
		Doc: "writes, in one plane of rows words, or two, plane bytes apart, the bits of a row's k classes: bit c%64 of plane c/64 is set for each byte c of classes[r*k:][:k]; a bit behind the last plane is none. " +
			"rows is a multiple of 8 and not 0, k >= 8, count is 1 or 2.",
	},
	{
		Name: "cells", Keys: widths, Tiers: every, From: map[string]int{AVX2: 4, NEON: 4},
		Params: "dst unsafe.Pointer, stride int, words unsafe.Pointer, next, plane, rows, cells int, v unsafe.Pointer",
		Doc: "writes rows of cells, stride bytes apart: on where bit c%64 of the word at words+r*next+c/64*plane is set and off elsewhere. " +
			"It stores whole vectors, in the order of rows: fewer than 64 bytes behind each row. rows and cells are not 0.",
	},
	{
		Name: "hits", Keys: narrow, Tiers: []string{AVX2, NEON},
		Params: "words, cells unsafe.Pointer, n int, v unsafe.Pointer", Result: "neither int",
		Doc: "sets bit i of words to whether cells[i] is on, and the bits behind n in the last word to 0. It returns 0 if every cell is on or off, and another number if not. n >= 64.",
	},
	{
		Name: "places", Tiers: []string{AVX2},
		Params: "places, classes unsafe.Pointer, n int", Result: "count int",
		Doc: "writes, as uint16 and in order, each i < n whose classes[i] is 255, and returns how many. It may write to three more, for which places has room. 64 <= n <= 65536.",
	},
	{
		Name: "collect", Keys: narrow, Tiers: every,
		Params: "lanes, cells unsafe.Pointer, plane, n, first, count int, v unsafe.Pointer", Result: "hits int",
		Doc: "reads count runs of n cells, plane bytes apart: where run p is on, lanes[i], of a cell's width, becomes first+p. It returns how many cells are on, or -1 if one is neither on nor off. n >= 64.",
	},
	{
		Name: "changes", Keys: narrow, Tiers: []string{AVX2, NEON},
		Params: "words, prev, next unsafe.Pointer, n, depth int",
		Doc: "sets bit i of words to whether the integers prev[i] and next[i] differ or next[i], unsigned, is depth or more, and the bits behind n in the last word to 0. " +
			"depth is at most what the width holds. n >= 64.",
	},
	{
		Name: "fillPattern", Tiers: every,
		Params: "dst unsafe.Pointer, n int, lo, hi uint64",
		Doc:    "writes the 16-byte pattern lo, hi over the n >= 64 bytes from dst.",
	},
	{
		Name: "fillZero", Tiers: []string{AVX2, AVX512},
		Params: "dst unsafe.Pointer, n int",
		Doc:    "zeroes the n >= 64 bytes from dst.",
	},
	{
		Name: "fillRuns", Tiers: []string{AVX2, NEON},
		Params: "dst unsafe.Pointer, run, runs, stride int, lo, hi uint64",
		Doc: "writes the 16-byte pattern lo, hi over each of several runs of run >= 32 bytes, whose starts are stride >= run bytes apart. " +
			"Each begins with lo, and is a multiple of the bytes after which the pattern repeats. runs is not 0.",
	},
	{
		Name: "fillPlaces", Tiers: []string{AVX2},
		Params: "dst unsafe.Pointer, run int, places unsafe.Pointer, count int, lo, hi uint64",
		Doc: "writes the 16-byte pattern lo, hi over count runs of run >= 32 bytes, run*places[i] bytes behind dst. places are uint16. " +
			"A run is a multiple of the bytes after which the pattern repeats. count is not 0.",
	},
	{
		Name: "fillString", Tiers: []string{Baseline},
		Params: "dst unsafe.Pointer, n int, pattern uint64",
		Doc:    "writes the 8-byte pattern over the n >= 64 bytes from dst by string stores, which do not read what they replace.",
	},
	{
		Name: "stream", Tiers: []string{AVX2},
		Params: "dst, src unsafe.Pointer, lines int",
		Doc:    "copies cache lines by non-temporal stores. dst starts a line; lines is not 0. streamEnd has to follow before another goroutine may look.",
	},
	{
		Name: "streamLine", Tiers: []string{AVX2},
		Params: "dst, line unsafe.Pointer, lines int",
		Doc:    "is stream with one line for all of them.",
	},
	{
		Name: "streamEnd", Tiers: []string{Baseline},
		Doc: "orders non-temporal stores before all later stores.",
	},
}

// Kernel returns the name of a family's kernel.
func (f *Family) Kernel(k Key, tier string) string { return f.Name + k.Suffix + tier }

// On returns those of some tiers that the family has kernels of.
func (f *Family) On(tiers []string) []string {
	lacks := func(tier string) bool { return !slices.Contains(f.Tiers, tier) }
	return slices.DeleteFunc(slices.Clone(tiers), lacks)
}

// EachKey returns the keys that tell the kernels of a tier apart, or the one of
// a kernel that nothing does. The last may be that of all other widths.
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

// Names returns the names of some parameters.
func Names(params string) (names []string) {
	for _, p := range strings.Split(params, ", ") {
		if name, _, _ := strings.Cut(p, " "); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// extra returns what a kernel takes besides: a parameter, and the argument for
// it, if any.
func (f *Family) extra(k Key, tier string) (param, arg string) {
	switch _, others := f.From[tier]; {
	case f.Table != "" && tier != NEON:
		return ", table unsafe.Pointer", ", " + fmt.Sprintf(f.Table, Bytes(tier))
	case others && k == Key{}:
		return ", width int", ", width"
	}
	return "", ""
}

// Stub returns parameters and results of a kernel.
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

// Bytes returns the width of a vector of a tier.
func Bytes(tier string) int { return map[string]int{AVX512: 64, AVX2: 32, NEON: 16}[tier] }

// Signature returns parameters and results of the function that dispatches.
func (f *Family) Signature() string {
	if f.Result == "" {
		return "(" + f.Params + ")"
	}
	return fmt.Sprintf("(%s) (%s)", f.Params, f.Result)
}

// RowTableHead is the bytes of a table of rows by AVX2 before its entries, and
// RowTableSize where in them it has the bytes of 16 rows.
const RowTableHead, RowTableSize = 64, 32

// Where a textTable has its rows of 16 bytes that hold a symbol, how long each
// is, and where it has their number.
const (
	TextRows  = 256
	TextRow   = 32
	TextCount = TextRows + 16*TextRow
)
