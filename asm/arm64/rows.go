package main

import "fmt"

const (
	blockRows = 16       // whose classes are one vector
	tileBytes = 16 << 10 // how much of dst one pass over the vectors of a block covers, if rows are not so long that it is more
)

// rows writes shallow rows with Inner = 1: whole vectors, whatever the depth.
func (f *file) rows(width int, miss bool) {
	t, perVector := lanes[width], 16/width
	sum := t // the arrangement to add and compare columns in: there is no VUMIN for 64-bit lanes, but our numbers are small
	if t == "D2" {
		sum = "S4"
	}
	family, doc := "rows", fmt.Sprintf(`A block of %d rows is one vector of classes and, for each byte of a cell, depth vectors of dst. In vector j of every block the same lanes belong to the same
rows and columns: pick holds for each lane which byte of the classes to fetch, and for the bytes above it one that is not there, which is
fetched as 0; col holds each lane's column. They are carried on from one j to the next, and shared by the blocks of a tile: j outside,
blocks inside. Per vector stored: a load, VTBL, compare, select. A tile is four blocks or more. Rows that fill no block are written by
one that ends at the last row.`, blockRows)
	if miss {
		family = "rowsMiss"
		doc += ` A second comparison and selection finds the lanes of rows without a class.`
	}
	k := f.kernel(family, bitsOf(width), doc)
	k.role("out R0", "in R1", "blocksLeft R2", "cellsOf R3", "tileStep R4", "most R5", "tile R6", "vectors R7")
	k.role("to R8", "from R9", "left R10", "rest R11", "tmp R12", "step R13")
	k.role("onV V0", "offV V1", "missV V2", "pick V3", "col V4", "pick0 V5", "col0 V6", "noneV V7")
	k.role("colStep V16", "wrapStep V17", "pickStep V18", "wrapped V19", "depthV V20")
	k.bank("x", 4, 8)
	k.bank("m", 4, 12)
	write := func(n int) { // vector j of n blocks
		if n == 4 {
			k.op("FLDPQ.P", "32(from)", pair("x", 0))
			k.op("FLDPQ.P", "32(from)", pair("x", 2))
		} else {
			k.op("VLD1.P", "16(from)", list("x", 0, 1))
		}
		k.times(n, "VTBL", "pick.B16, [x%d.B16], x%d.B16")
		if miss {
			k.times(n, "VCMEQ", "noneV."+t+", x%d."+t+", m%d."+t)
		}
		k.times(n, "VCMEQ", "col."+t+", x%d."+t+", x%d."+t)
		k.times(n, "VBSL", "offV.B16, onV.B16, x%d.B16")
		if miss {
			k.times(n, "VBIT", "m%d.B16, missV.B16, x%d.B16")
		}
		k.times(n, "VST1.P", "[x%d.B16], (to)(tileStep)")
	}
	k.arguments("dst out", "classes in", "rows blocksLeft", "depth cellsOf")
	if miss {
		k.splats(width, "tmp", "onV", "offV", "missV")
		k.op("MOVD", "$255, tmp")
		k.op("VDUP", "tmp", "noneV."+t)
	} else {
		k.splats(width, "tmp", "onV", "offV")
	}
	k.op("AND", fmt.Sprintf("$%d, blocksLeft, rest", blockRows-1))
	k.op("LSR", fmt.Sprintf("$%d, blocksLeft", log2(blockRows)))
	k.op("LSL", fmt.Sprintf("$%d, cellsOf, tileStep", log2(blockRows*width)))
	k.op("MOVD", fmt.Sprintf("$%d, tmp", tileBytes))
	k.op("UDIV", "tileStep, tmp, most")
	k.op("AND", "$~3, most")
	k.op("MOVD", "$4, tmp")
	k.op("CMP", "tmp, most")
	k.op("CSEL", "LT, tmp, most, most")
	k.gap()
	k.note(fmt.Sprintf("From vector to vector a lane moves %d on: rows by the quotient, columns by the remainder, or by less than nothing.", perVector))
	k.op("VDUP", "cellsOf", "depthV."+t)
	k.op("MOVD", fmt.Sprintf("$%d, tmp", perVector))
	k.op("UDIV", "cellsOf, tmp, step")
	k.op("VDUP", "step", "pickStep."+t)
	k.op("MSUB", "cellsOf, tmp, step, step")
	k.op("VDUP", "step", "colStep."+t)
	k.op("VSUB", "depthV."+sum+", colStep."+sum+", wrapStep."+sum)
	k.gap()
	k.note("The first vector: cell l is row l/depth, column l%depth.")
	k.constant("col0", "tmp", func(i int) int {
		if i%min(width, 8) == 0 {
			return i / width
		}
		return 0
	})
	k.constant("pick0", "tmp", func(i int) int {
		if i%min(width, 8) == 0 {
			return 0
		}
		return 0xff
	})
	k.op("MOVD", fmt.Sprintf("$%d, tmp", perVector-1))
	k.op("UDIV", "cellsOf, tmp, left")
	k.op("CBZ", "left", "tiles")
	k.label("start")
	k.op("VSUB", "depthV."+sum+", col0."+sum+", wrapped."+sum)
	k.op("VUMIN", "wrapped."+sum+", col0."+sum+", col0."+sum)
	k.op("VCMEQ", "wrapped."+t+", col0."+t+", wrapped."+t)
	k.op("VSUB", "wrapped."+t+", pick0."+t+", pick0."+t)
	k.op("SUBS", "$1, left")
	k.op("BNE", "start")

	k.label("tiles")
	k.op("CMP", "most, blocksLeft")
	k.op("CSEL", "LT, blocksLeft, most, tile")
	k.op("SUB", "tile, blocksLeft")
	k.op("VORR", "pick0.B16, pick0.B16, pick.B16")
	k.op("VORR", "col0.B16, col0.B16, col.B16")
	k.op("LSL", fmt.Sprintf("$%d, cellsOf, vectors", log2(width)))
	k.label("vector")
	k.op("MOVD", "in, from")
	k.op("MOVD", "out, to")
	k.op("SUBS", "$4, tile, left")
	k.op("BLT", "few")
	k.label("four")
	write(4)
	k.op("SUBS", "$4, left")
	k.op("BGE", "four")
	k.label("few")
	k.op("ADDS", "$4, left")
	k.op("BEQ", "moveOn")
	k.label("one")
	write(1)
	k.op("SUBS", "$1, left")
	k.op("BNE", "one")
	k.label("moveOn")
	k.op("VADD", "wrapStep."+sum+", col."+sum+", wrapped."+sum)
	k.op("VADD", "colStep."+sum+", col."+sum+", col."+sum)
	k.op("VADD", "pickStep."+t+", pick."+t+", pick."+t)
	k.op("VUMIN", "wrapped."+sum+", col."+sum+", col."+sum)
	k.op("VCMEQ", "wrapped."+t+", col."+t+", wrapped."+t)
	k.op("VSUB", "wrapped."+t+", pick."+t+", pick."+t)
	k.op("ADD", "$16, out")
	k.op("SUBS", "$1, vectors")
	k.op("BNE", "vector")
	k.gap()
	k.note("out has moved by one block already.")
	k.op("MOVD", "from, in")
	k.op("SUB", "$1, tile")
	k.op("MADD", "tileStep, out, tile, out")
	k.op("CBNZ", "blocksLeft", "tiles")
	k.gap()
	k.note("Rows left over: one more block, which ends where dst and classes end.")
	k.op("CBZ", "rest", "done")
	k.op("SUB", fmt.Sprintf("$%d, rest", blockRows))
	k.op("ADD", "rest, in")
	k.op("MUL", "cellsOf, rest, tmp")
	k.op("ADD", shifted("tmp", log2(width))+", out")
	k.op("MOVD", "$1", "blocksLeft")
	k.op("MOVD", "ZR", "rest")
	k.op("B", "tiles")
	k.label("done")
	k.end()
}
