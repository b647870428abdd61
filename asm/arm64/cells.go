package main

import "fmt"

// cells turns bits into cells.
func (f *file) cells(width int) {
	perVector := 16 / width
	k := f.kernel("cells", bitsOf(width), `A loop over rows, in it words, in these four vectors a turn, then single ones. The word is in every lane and each tests a bit of its
own; then the word moves down by the bits that are done. 64 bytes stored cost 13 vector operations with cells of one byte, 10 with two, else 9.`)
	k.role("row R0", "rowStep R1", "word R2", "planeStep R3", "rowsLeft R4", "vectors R5", "to R6", "from R7", "left R8", "part R9", "bits R10", "tmp R11", "down R12")
	k.role("onV V0", "offV V1", "wordV V2")
	k.bank("pick", 4, 4)
	k.bank("bit", 4, 8)
	k.bank("x", 4, 12)
	k.arguments("dst row", "stride rowStep", "words word", "next down", "plane planeStep", "rows rowsLeft", "cells vectors")
	if perVector > 1 {
		k.op("ADD", fmt.Sprintf("$%d, vectors", perVector-1))
		k.op("LSR", fmt.Sprintf("$%d, vectors", log2(perVector)))
	}
	k.splats(width, "tmp", "onV", "offV")
	if width == 1 {
		k.bitBytes("pick", "bit0", "tmp")
	} else {
		k.testBits(width)
	}
	k.label("eachRow")
	k.op("MOVD", "row, to")
	k.op("MOVD", "word, from")
	k.op("MOVD", "vectors, left")
	k.label("eachWord")
	k.op("MOVD", "(from), bits")
	k.op("ADD", "planeStep, from")
	k.op("MOVD", fmt.Sprintf("$%d, part", 64/perVector))
	k.op("CMP", "part, left")
	k.op("CSEL", "LT, left, part, part")
	k.op("SUB", "part, left")
	k.op("SUBS", "$4, part")
	k.op("BLT", "few")
	k.label("four")
	k.fromBits(width, 4)
	k.op("SUBS", "$4, part")
	k.op("BGE", "four")
	k.label("few")
	k.op("ADDS", "$4, part")
	k.op("BEQ", "moveOn")
	k.label("single")
	k.fromBits(width, 1)
	k.op("SUBS", "$1, part")
	k.op("BNE", "single")
	k.label("moveOn")
	k.op("CBNZ", "left", "eachWord")
	k.op("ADD", "rowStep, row")
	k.op("ADD", "down, word")
	k.op("SUBS", "$1, rowsLeft")
	k.op("BNE", "eachRow")
	k.end()
}

// testBits sets up which bit each lane of four vectors tests: bits of the lane
// itself, so that narrow lanes hold a part of the word.
func (k *kernel) testBits(width int) {
	perVector, lane := 16/width, min(width, 8)
	for v := range sharing(width, 4) {
		k.constant(r("bit", v), "tmp", func(i int) int {
			cell := (v*perVector + i/width) % (8 * lane)
			if cell/8 == i%lane {
				return 1 << (cell % 8)
			}
			return 0
		})
	}
}

// sharing is how many of n vectors test lanes of one splat.
func sharing(width, n int) int {
	if width == 2 {
		return min(n, 2)
	}
	return n
}

// fromBits writes n vectors of cells and takes their bits off the word.
func (k *kernel) fromBits(width, n int) {
	t, perVector := lanes[width], 16/width
	lane := map[int]string{1: "D2", 2: "H8", 4: "S4", 8: "D2", 16: "D2"}[width]
	share := sharing(width, n)
	for i := 0; i < n; i += share {
		k.op("VDUP", "bits", "wordV."+lane)
		if share*perVector < 64 {
			k.op("LSR", fmt.Sprintf("$%d, bits", share*perVector))
		}
		for j := i; j < i+share; j++ {
			if width == 1 {
				k.op("VTBL", v("pick", j, "B16"), "[wordV.B16]", v("x", j, "B16"))
				k.op("VCMTST", "bit0.B16", v("x", j, "B16"), v("x", j, "B16"))
			} else {
				k.op("VCMTST", v("bit", j-i, t), "wordV."+t, v("x", j, t))
			}
		}
	}
	k.times(n, "VBSL", "offV.B16, onV.B16, x%d.B16")
	if n == 1 {
		k.op("VST1.P", list("x", 0, 1), "16(to)")
		return
	}
	k.op("FSTPQ", pair("x", 0), "(to)")
	k.op("FSTPQ", pair("x", 2), "32(to)")
	k.op("ADD", "$64, to")
}
