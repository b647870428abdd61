package main

import "fmt"

// classesText is the index stage for bytes that reach their class through a table. VTBX looks up 64 bytes of table at a time, and leaves alone
// what lies beyond: a quarter of the table for bytes that, with the quarter's high bits turned over, are below 64. Most alphabets lie in
// one quarter or two, and the others are passed over.
func (f *file) classesText() {
	const (
		rowsAt = 256 // of the table: the rows of 16 bytes that hold a symbol, each beginning with its high bits
		row    = 32
	)
	k := f.kernel("classesTextNEON", "classes *int32, text unsafe.Pointer, n int, table unsafe.Pointer, rows int, limit int32", "misses int", `
classesTextNEON sets classes[i] to the class of text[i] by a textTable that has that many rows, or to -1 where it is limit or
more, and counts those. n >= 64, 1 <= limit <= 256.

64 bytes a turn; the last steps back to end at the last byte, and what it counts a second time is taken off at the end. A byte
with its miss mask above it, as 16 bits, is the class with its sign. 64 bytes stored cost 11 vector operations, and for each
quarter with symbols an EOR and a VTBX, of four registers of table.`)
	k.role("out R0", "in R1", "left R2", "again R3", "quarters R4", "rowsLeft R5", "row R6", "high R7", "bit R8", "tmp R9")
	k.role("topV V0", "missed V1", "key V2", "sum V3", "againV V20", "place V21", "step V22")
	k.bank("x", 4, 4)
	k.bank("t", 4, 8)
	k.bank("c", 4, 12)
	k.bank("m", 4, 16)
	k.bank("w", 2, 24)
	k.bank("y", 4, 28)
	k.op("MOVD", k.arg("classes"), "out")
	k.op("MOVD", k.arg("text"), "in")
	k.op("MOVD", k.arg("n"), "left")
	k.op("MOVD", k.arg("rows"), "rowsLeft")
	k.op("MOVW", k.arg("limit"), "tmp")
	k.op("SUB", "$1, tmp")
	k.op("VDUP", "tmp", "topV.B16")
	k.op("MOVD", k.arg("table"), "row")
	k.op("ADD", fmt.Sprintf("$%d, row", rowsAt))
	k.op("MOVD", "ZR, quarters")
	k.op("MOVD", "$1, bit")
	k.label("row16")
	k.op("MOVBU.P", fmt.Sprintf("%d(row), high", row))
	k.op("LSR", "$6, high")
	k.op("LSL", "high, bit, high")
	k.op("ORR", "high, quarters")
	k.op("SUBS", "$1, rowsLeft")
	k.op("BNE", "row16")
	k.op("MOVD", k.arg("table"), "row")
	k.op("VEOR", "missed.B16", "missed.B16", "missed.B16")
	k.op("MOVD", "ZR", "again")
	k.op("SUB", "$64, left")

	k.label("loop")
	k.op("VLD1.P", "64(in)", list("x", 0, 4))
	each(func(i int) { k.op("VMOVI", "$255", v("c", i, "B16")) })
	for quarter := range 4 {
		skip := fmt.Sprintf("past%d", quarter)
		k.op("TBZ", fmt.Sprintf("$%d, quarters, %s", quarter, skip))
		k.op("ADD", fmt.Sprintf("$%d, row, tmp", 64*quarter))
		k.op("VLD1", "(tmp)", list("t", 0, 4))
		from := "x"
		if quarter > 0 {
			from = "m"
			k.op("VMOVI", fmt.Sprintf("$%d", 64*quarter), "key.B16")
			each(func(i int) { k.op("VEOR", "key.B16", v("x", i, "B16"), v("m", i, "B16")) })
		}
		each(func(i int) { k.op("VTBX", v(from, i, "B16"), list("t", 0, 4), v("c", i, "B16")) })
		k.label(skip)
	}
	each(func(i int) { k.word(0x6e203400, "cmhi", "16b", r("m", i), r("c", i), "topV") })
	each(func(i int) { k.op("VORR", v("m", i, "B16"), v("c", i, "B16"), v("c", i, "B16")) })
	each(func(i int) {
		k.op("VZIP1", v("m", i, "B16"), v("c", i, "B16"), "w0.B16")
		k.op("VZIP2", v("m", i, "B16"), v("c", i, "B16"), "w1.B16")
		for half := range 2 {
			k.word(0x0f10a400, "sxtl", "4s,4h", r("y", 2*half), r("w", half))
			k.word(0x4f10a400, "sxtl2", "4s,8h", r("y", 2*half+1), r("w", half))
		}
		k.op("VST1.P", list("y", 0, 4), "64(out)")
	})
	k.op("VADD", "m0.B16", "m1.B16", "w0.B16")
	k.op("VADD", "m2.B16", "m3.B16", "w1.B16")
	k.op("VADD", "w0.B16", "w1.B16", "w0.B16")
	k.countBytes("w0", "missed")
	k.op("SUBS", "$64, left")
	k.op("BGE", "loop")
	k.gap()
	k.note("left is -64: all is done. Else step back by -left bytes and take the 64 that end at the end.")
	k.op("CMN", "$64, left")
	k.op("BEQ", "count")
	k.op("NEG", "left, again")
	k.op("SUB", "again, in")
	k.op("SUB", "again<<2, out")
	k.op("MOVD", "ZR, left")
	k.op("B", "loop")

	k.label("count")
	k.note("Take off the misses among the first `again` bytes of the last turn.")
	k.op("VDUP", "again", "againV.B16")
	k.iota("place", "tmp")
	k.op("VMOVI", "$16", "step.B16")
	k.op("VEOR", "y0.B16", "y0.B16", "y0.B16")
	k.op("VEOR", "w1.B16", "w1.B16", "w1.B16")
	each(func(i int) {
		k.word(0x6e203400, "cmhi", "16b", "w0", "againV", "place")
		k.op("VAND", v("m", i, "B16"), "w0.B16", "w0.B16")
		k.op("VADD", "w0.B16", "w1.B16", "w1.B16")
		if i < 3 {
			k.op("VADD", "step.B16", "place.B16", "place.B16")
		}
	})
	k.countBytes("w1", "y0")
	k.op("VSUB", "y0.D2", "missed.D2", "missed.D2")
	k.op("VMOV", "missed.D[0]", "tmp")
	k.op("MOVD", "tmp", k.arg("misses"))
	k.end()
}

// countBytes adds to a 64-bit total how many times -1 was added to the bytes of a mask, which it overwrites.
func (k *kernel) countBytes(mask, total string) {
	k.word(0x6e20b800, "neg", "16b", mask, mask)
	k.op("VUADDLV", mask+".B16", mask)
	k.op("VADD", mask+".D2", total+".D2", total+".D2")
}

// iota sets byte i of a vector to i.
func (k *kernel) iota(vector, tmp string) {
	for half, x := range []uint64{0x0706050403020100, 0x0f0e0d0c0b0a0908} {
		k.op("MOVD", fmt.Sprintf("$%#x", x), tmp)
		k.op("VMOV", tmp, fmt.Sprintf("%s.D[%d]", vector, half))
	}
}
