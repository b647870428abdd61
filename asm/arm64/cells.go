package main

import "fmt"

// cells turns bits into cells. From cells of 4 bytes on, lanes of 32 bits test
// the bits, so that one kernel does for every width.
func (k *kernel) cells() {
	k.prose = `The outer loop goes over rows, and the one in it over words. Vectors of cells are then written four a turn,
and in the end one by one. The word is in every lane, and each lane tests a bit of its own. Then the word is
shifted down by the bits that are done. 64 bytes stored cost 13 vector operations with cells of one byte, 10
with two bytes, and 9 with more.`
	k.role("row R0", "rowStep R1", "word R2", "planeStep R3", "rowsLeft R4", "vectors R5", "to R6", "from R7", "left R8", "part R9", "bits R10", "tmp R11", "down R12")
	k.role("shift R13", "most R14", "one R15", "four R19")
	k.role("onV V0", "offV V1", "missV V2", "wordV V3")
	k.bank("pick", 4, 4)
	k.bank("bit", 4, 8)
	k.bank("x", 4, 12)
	k.arguments("dst row", "stride rowStep", "words word", "next down", "plane planeStep", "rows rowsLeft", "cells vectors")
	if k.width == 0 {
		k.fromFour()
		return
	}
	perVector := 16 / k.width
	k.op("ADD", "$%d, vectors", perVector-1)
	k.op("LSR", "$%d, vectors", log2(perVector))
	k.splats()
	if k.width == 1 {
		k.bitBytes("bit0")
		k.cellLoops("$4", k.fromBytes)
	} else {
		k.testBits()
		k.cellLoops("$8", k.fromHalves)
	}
}

// fromFour is cells for cells of 4 bytes and more.
func (k *kernel) fromFour() {
	k.shift()
	k.op("MOVD", "$16, one")
	k.op("LSR", "shift, one")
	k.op("LSL", "$2, one, four")
	k.op("ADD", "one, vectors")
	k.op("SUB", "$1, vectors")
	k.op("UDIV", "one, vectors")
	k.arguments("v tmp")
	k.values("x0", "x1", "x2")
	k.op("VMOVI", "$16, x2.B16")
	k.splat(1, "wordV.S4")
	for i := range 4 {
		k.op("ushl", "x3.16b, x0.16b, x1.16b")
		k.op("ushl", "bit%d.4s, wordV.4s, x3.4s", i)
		k.op("VADD", "x2.B16, x0.B16, x0.B16")
	}
	k.op("MOVD", "$4, tmp")
	k.op("LSL", "shift, tmp, most")
	k.cellLoops("most", k.fromWords)
}

// cellLoops emits the loops over rows, words and vectors. A word has the bits
// of most vectors, and write makes the masks of n of them.
func (k *kernel) cellLoops(most string, write func(n int)) {
	k.repeat("eachRow", "rowsLeft", 1, func() {
		k.moves("row to", "word from", "vectors left")
		k.label("eachWord")
		k.op("MOVD", "(from), bits")
		k.op("ADD", "planeStep, from")
		k.op("MOVD", "%s, part", most)
		k.part("left", "part", "part")
		k.op("SUBS", "$4, part")
		k.whole("wide", "part", 4, "few", "moveOn", func() { k.blend(4, write) })
		k.repeat("single", "part", 1, func() { k.blend(1, write) })
		k.label("moveOn")
		k.op("CBNZ", "left, eachWord")
		k.op("ADD", "rowStep, row")
		k.op("ADD", "down, word")
	})
}

// blend writes n vectors of cells, whose masks the function masks makes.
func (k *kernel) blend(n int, masks func(n int)) {
	masks(n)
	k.times(n, "VBSL", "offV.B16, onV.B16, x%d.B16")
	if n == 1 {
		k.op("VST1.P", "[x0.B16], 16(to)")
		return
	}
	k.op("FSTPQ", "(x0q, x1q), (to)")
	k.op("FSTPQ", "(x2q, x3q), 32(to)")
	k.op("ADD", "$64, to")
}

// fromBytes makes masks of bytes: each byte takes the byte of the word that has
// its bit and tests the bit.
func (k *kernel) fromBytes(n int) {
	k.op("VDUP", "bits, wordV.D2")
	if n == 1 {
		k.op("LSR", "$16, bits")
	}
	k.times(n, "VTBL", "pick%d.B16, [wordV.B16], x%d.B16")
	k.times(n, "VCMTST", "bit0.B16, x%d.B16, x%d.B16")
}

// testBits sets up which of its 16 bits each halfword tests, in two vectors.
func (k *kernel) testBits() {
	for v := range 2 {
		k.constant(fmt.Sprintf("bit%d", v), "tmp", func(i int) int {
			if cell := 8*v + i/2; cell/8 == i%2 {
				return 1 << (cell % 8)
			}
			return 0
		})
	}
}

// fromHalves makes masks of halfwords.
func (k *kernel) fromHalves(n int) {
	for i := 0; i < n; i += 2 {
		k.op("VDUP", "bits, wordV.H8")
		k.op("LSR", "$%d, bits", 8*min(n, 2))
		for j := range min(n, 2) {
			k.op("VCMTST", "bit%d.H8, wordV.H8, x%d.H8", j, i+j)
		}
	}
}

// fromWords makes masks of 32 bits, or of a multiple of these for wider cells.
func (k *kernel) fromWords(n int) {
	k.op("VDUP", "bits, wordV.S4")
	k.op("LSR", "%s, bits", map[int]string{1: "one", 4: "four"}[n])
	k.times(n, "VCMTST", "bit%d.S4, wordV.S4, x%d.S4")
}
