package main

import (
	"fmt"

	"github.com/go-onehot/onehot/asm/kernels"
)

// text is the index stage for bytes that get their class from a table. VTBX
// looks up 64 bytes of the table at a time, a quarter, and leaves alone what
// lies beyond. The bytes of a quarter are below 64 once the quarter's high bits
// are flipped. Most alphabets lie in one quarter or two, and the others are
// passed over.
func (k *kernel) text() {
	k.prose = `A turn looks up 64 bytes, in each quarter of the table that has symbols, for which quarters has a bit. Four
registers hold the quarter. An EOR with the quarter's first index makes its bytes those below 64, and a VTBX
gives them their class and leaves the others alone. A class that is limit or more becomes 255 and is counted.
The last turn steps back to end at the last byte, and what it counts a second time is subtracted at the end.
64 bytes stored cost 17 vector operations, and for each quarter with symbols 4 VTBX, and 4 EOR and a VMOVI but
for the first quarter.`
	k.role("out R0", "in R1", "left R2", "again R3", "quarters R4", "rowsLeft R5", "row R6", "high R7", "bit R8", "tmp R9")
	k.role("limitV V0", "missed V1", "key V2", "fresh V3", "place V24", "step V25", "sums V26")
	k.bank("x", 4, 4)
	k.bank("t", 4, 8)
	k.bank("c", 4, 12)
	k.bank("m", 4, 16)
	k.arguments("classes out", "text in", "n left", "limit tmp", "table row")
	k.op("VDUP", "tmp, limitV.B16")
	k.op("MOVD", "%d(row), rowsLeft", kernels.TextCount)
	k.op("ADD", "$%d, row, tmp", kernels.TextRows)
	k.moves("ZR quarters", "$1 bit")
	k.repeat("row16", "rowsLeft", 1, func() {
		k.op("MOVBU.P", "%d(tmp), high", kernels.TextRow)
		k.op("LSR", "$6, high")
		k.op("LSL", "high, bit, high")
		k.op("ORR", "high, quarters")
	})
	k.zero("missed")
	k.op("MOVD", "ZR, again")
	k.turns(64, func() {
		k.op("VLD1.P", "64(in), %s", list("x", 0))
		k.four("VMOVI", "$255, c%d.B16")
		for quarter := range 4 {
			k.lookup(quarter)
		}
		k.four("cmhs", "m%d.16b, c%d.16b, limitV.16b")
		k.four("VORR", "m%d.B16, c%d.B16, c%d.B16")
		k.op("VST1.P", "%s, 64(out)", list("c", 0))
		k.countM("fresh", "missed")
	}, pointer{"in", 0}, pointer{"out", 0})
	k.note("Subtract the misses among the first `again` bytes of the last turn.")
	k.iota("place", "tmp")
	k.op("VMOVI", "$16, step.B16")
	k.op("VDUP", "again, key.B16")
	k.zero("fresh")
	for i := range 4 {
		k.op("cmhi", "sums.16b, key.16b, place.16b")
		k.op("VADD", "step.B16, place.B16, place.B16")
		k.op("VAND", "m%d.B16, sums.B16, sums.B16", i)
		k.op("VADD", "sums.B16, fresh.B16, fresh.B16")
	}
	k.misses("sums")
}

// lookup gives a class to the bytes that lie in one quarter of the table.
func (k *kernel) lookup(quarter int) {
	bytes, past := "x", fmt.Sprintf("past%d", quarter)
	k.op("TBZ", "$%d, quarters, %s", quarter, past)
	k.op("ADD", "$%d, row, tmp", 64*quarter)
	k.op("VLD1", "(tmp), %s", list("t", 0))
	if quarter > 0 {
		bytes = "m"
		k.op("VMOVI", "$%d, key.B16", 64*quarter)
		k.four("VEOR", "key.B16, x%d.B16, m%d.B16")
	}
	k.four("VTBX", bytes+"%d.B16, "+list("t", 0)+", c%d.B16")
	k.label(past)
}
