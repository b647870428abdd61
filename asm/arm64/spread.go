package main

import "fmt"

// marks and spread write rows in which several cells may be on: first a bit for each cell, then cells from bits. Words of the same cells
// lie side by side, row after row.

// marks sets the bits of one column.
func (f *file) marks() {
	k := f.kernel("marksNEON", "words unsafe.Pointer, stride int, classes *int32, n, first, count int", "", `
marksNEON sets, in each of count planes of n words, stride bytes apart, bit classes[i]+first of word i; plane p has the bits
from 64*p on. A class of -1 has no bit. Where first is not 0 the words of the first plane keep the bits that they have; all others
are written anew. n is a multiple of 8 and not 0; first < 64.

A loop over planes; in it 8 words a turn. A class of another plane is a shift by 64, which leaves nothing of the 1; a miss becomes
the largest class, so that no sum comes round to 0. 64 bytes stored cost 14 vector operations.`)
	k.role("plane R0", "pitch R1", "class R2", "rows R3", "from R4", "planesLeft R5", "in R6", "out R7", "left R8", "tmp R9")
	k.role("one V0", "beyond V1", "most V2", "fromV V3")
	k.bank("x", 2, 4)
	k.bank("bit", 4, 8)
	k.bank("w", 4, 12)
	k.op("MOVD", k.arg("words"), "plane")
	k.op("MOVD", k.arg("stride"), "pitch")
	k.op("MOVD", k.arg("classes"), "class")
	k.op("MOVD", k.arg("n"), "rows")
	k.op("MOVD", k.arg("first"), "from")
	k.op("MOVD", k.arg("count"), "planesLeft")
	k.op("MOVD", "$1, tmp")
	k.op("VDUP", "tmp", "one.D2")
	k.op("MOVD", "$64, tmp")
	k.op("VDUP", "tmp", "beyond.S4")
	k.op("MOVD", "$0x7fffffff, tmp")
	k.op("VDUP", "tmp", "most.S4")
	k.op("CBZ", "from", "anew")
	k.column("merge", true)
	k.op("BEQ", "done")
	k.label("anew")
	k.column("write", false)
	k.op("BNE", "anew")
	k.label("done")
	k.end()
}

// column sets the bits of one plane, and goes on to the next: the flags tell whether there is one.
func (k *kernel) column(label string, merge bool) {
	two := func(mnemonic, format string) {
		for i := range 2 {
			k.op(mnemonic, fmt.Sprintf(format, i))
		}
	}
	k.op("VDUP", "from", "fromV.S4")
	k.op("MOVD", "class, in")
	k.op("MOVD", "plane, out")
	k.op("MOVD", "rows, left")
	k.label(label)
	k.op("FLDPQ", "(in)", pair("x", 0))
	two("VUMIN", "most.S4, x%[1]d.S4, x%[1]d.S4")
	two("VADD", "fromV.S4, x%[1]d.S4, x%[1]d.S4")
	two("VUMIN", "beyond.S4, x%[1]d.S4, x%[1]d.S4")
	for i := range 2 {
		k.op("VUXTL", v("x", i, "S2"), v("bit", 2*i, "D2"))
		k.op("VUXTL2", v("x", i, "S4"), v("bit", 2*i+1, "D2"))
	}
	each(func(i int) { k.word(0x6ee04400, "ushl", "2d", r("bit", i), "one", r("bit", i)) })
	if merge {
		k.op("FLDPQ", "(out)", pair("w", 0))
		k.op("FLDPQ", "32(out)", pair("w", 2))
		each(func(i int) { k.op("VORR", v("w", i, "B16"), v("bit", i, "B16"), v("bit", i, "B16")) })
	}
	k.op("FSTPQ", pair("bit", 0), "(out)")
	k.op("FSTPQ", pair("bit", 2), "32(out)")
	k.op("ADD", "$32, in")
	k.op("ADD", "$64, out")
	k.op("SUBS", "$8, left")
	k.op("BNE", label)
	k.op("ADD", "pitch, plane")
	k.op("SUB", "$64, from")
	k.op("SUBS", "$1, planesLeft")
}

// spread turns bits into cells.
func (f *file) spread(width int) {
	perVector, name := 16/width, fmt.Sprintf("spread%dNEON", 8*width)
	k := f.kernel(name, "dst unsafe.Pointer, stride int, words unsafe.Pointer, apart, rows, cells int, on, off uint64", "", fmt.Sprintf(`
%s writes rows of cells, stride bytes apart, from rows of bits: cell c of row r is on if bit c%%64 of the word at
words + c/64*apart + r*8 is set, else off. Rows are written in order and in whole vectors: up to %d cells behind each are too.
rows >= 1, cells >= 1.

A loop over rows, in it words, in these four vectors a turn, then single ones. The word is in every lane and each tests a bit of
its own; then the word moves down by the bits that are done. 64 bytes stored cost %d vector operations.`,
		name, perVector-1, map[int]int{1: 13, 2: 10, 4: 9, 8: 9}[width]))
	k.role("row R0", "pitch R1", "word R2", "plane R3", "rowsLeft R4", "vectors R5", "to R6", "from R7", "left R8", "part R9", "bits R10", "tmp R11")
	k.role("onV V0", "offV V1", "wordV V2")
	k.bank("pick", 4, 4)
	k.bank("bit", 4, 8)
	k.bank("x", 4, 12)
	k.op("MOVD", k.arg("dst"), "row")
	k.op("MOVD", k.arg("stride"), "pitch")
	k.op("MOVD", k.arg("words"), "word")
	k.op("MOVD", k.arg("apart"), "plane")
	k.op("MOVD", k.arg("rows"), "rowsLeft")
	k.op("MOVD", k.arg("cells"), "vectors")
	k.op("ADD", fmt.Sprintf("$%d, vectors", perVector-1))
	k.op("LSR", fmt.Sprintf("$%d, vectors", log2(perVector)))
	k.splat("on", "onV", width, "tmp")
	k.splat("off", "offV", width, "tmp")
	k.testBits(width)
	k.label("rows")
	k.op("MOVD", "row, to")
	k.op("MOVD", "word, from")
	k.op("MOVD", "vectors, left")
	k.label("words64")
	k.op("MOVD", "(from), bits")
	k.op("ADD", "plane, from")
	k.op("MOVD", fmt.Sprintf("$%d, part", 64/perVector))
	k.op("CMP", "part, left")
	k.op("CSEL", "LT, left, part, part")
	k.op("SUB", "part, left")
	k.op("SUBS", "$4, part")
	k.op("BLT", "few")
	k.label("four")
	k.cells(width, 4)
	k.op("SUBS", "$4, part")
	k.op("BGE", "four")
	k.label("few")
	k.op("ADDS", "$4, part")
	k.op("BEQ", "next")
	k.label("single")
	k.cells(width, 1)
	k.op("SUBS", "$1, part")
	k.op("BNE", "single")
	k.label("next")
	k.op("CBNZ", "left", "words64")
	k.op("ADD", "pitch, row")
	k.op("ADD", "$8, word")
	k.op("SUBS", "$1, rowsLeft")
	k.op("BNE", "rows")
	k.end()
}

// testBits sets up which bit each lane of four vectors tests: bits of the lane itself, so that narrow lanes hold a part of the word.
func (k *kernel) testBits(width int) {
	perVector := 16 / width
	constant := func(vector string, at func(i int) byte) { // of bytes
		var x [2]uint64
		for i := range 16 {
			x[i/8] |= uint64(at(i)) << (i % 8 * 8)
		}
		for half := range x {
			k.op("MOVD", fmt.Sprintf("$%#x", x[half]), "tmp")
			k.op("VMOV", "tmp", fmt.Sprintf("%s.D[%d]", vector, half))
		}
	}
	for v := range 4 {
		if width == 1 {
			constant(r("pick", v), func(i int) byte { return byte(2*v + i/8) })
			if v > 0 {
				continue
			}
		}
		if width == 2 && v > 1 {
			break
		}
		constant(r("bit", v), func(i int) byte {
			cell := (v*perVector + i/width) % (8 * width)
			if cell/8 == i%width {
				return 1 << (cell % 8)
			}
			return 0
		})
	}
}

// cells writes n vectors of cells and takes their bits off the word.
func (k *kernel) cells(width, n int) {
	t, perVector := lanes[width], 16/width
	lane := map[int]string{1: "D2", 2: "H8", 4: "S4", 8: "D2"}[width]
	sharing := n // vectors that test lanes of one splat
	if width == 2 {
		sharing = min(n, 2)
	}
	for i := 0; i < n; i += sharing {
		k.op("VDUP", "bits", "wordV."+lane)
		if sharing*perVector < 64 {
			k.op("LSR", fmt.Sprintf("$%d, bits", sharing*perVector))
		}
		for j := i; j < i+sharing; j++ {
			if width == 1 {
				k.op("VTBL", v("pick", j, "B16"), "[wordV.B16]", v("x", j, "B16"))
				k.op("VCMTST", "bit0.B16", v("x", j, "B16"), v("x", j, "B16"))
			} else {
				k.op("VCMTST", v("bit", j-i, t), "wordV."+t, v("x", j, t))
			}
		}
	}
	for i := range n {
		k.op("VBSL", "offV.B16", "onV.B16", v("x", i, "B16"))
	}
	if n == 1 {
		k.op("VST1.P", list("x", 0, 1), "16(to)")
		return
	}
	k.op("FSTPQ", pair("x", 0), "(to)")
	k.op("FSTPQ", pair("x", 2), "32(to)")
	k.op("ADD", "$64, to")
}
