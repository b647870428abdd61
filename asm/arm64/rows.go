package main

import "fmt"

const (
	blockRows = 16       // whose classes are one vector
	tileBytes = 16 << 10 // how much of dst one pass over the vectors of a block covers, if rows are not so long that it is more
)

// rows writes shallow rows with Inner = 1: whole vectors, whatever the depth.
func (f *file) rows() {
	for missing, family := range []string{"rows", "rowsMiss"} {
		for _, width := range widths {
			k := f.kernel(family, bitsOf(width), `The width is a shift from here on.`)
			k.rowRoles()
			k.arguments("v tmp")
			k.op("MOVD", fmt.Sprintf("$%d, shift", log2(width)))
			k.op("MOVD", fmt.Sprintf("$%d, missing", missing))
			k.goOn("rowsNEON<>")
		}
	}
	f.rowsBody()
}

func (k *kernel) rowRoles() {
	k.role("out R0", "in R1", "blocksLeft R2", "cellsOf R3", "tileStep R4", "most R5", "tile R6", "vectors R7")
	k.role("to R8", "from R9", "left R10", "rest R11", "tmp R12", "step R13", "shift R14", "missing R15")
	k.role("onV V0", "offV V1", "missV V2", "pick V3", "col V4", "pick0 V5", "col0 V6", "noneV V7")
	k.role("colStep V16", "wrapStep V17", "pickStep V18", "wrapped V19", "depthV V20")
	k.bank("x", 4, 8)
	k.bank("m", 4, 12)
}

// rowsBody is rows for all widths: a row's class is in every byte of its cells,
// and so is a cell's column, so that all comparisons are of bytes.
func (f *file) rowsBody() {
	k := f.body("rows", fmt.Sprintf(`is rows and rowsMiss for all widths. A block of %d rows is one vector of classes and, for each byte of a cell, depth vectors of dst. In vector j of
every block the same bytes belong to the same rows and columns: pick holds for each byte which byte of the classes to fetch, col its
cell's column. They are carried on from one j to the next, and shared by the blocks of a tile: j outside, blocks inside. Per vector
stored: a load, VTBL, compare, select; a second comparison and selection finds the cells of rows without a class. A tile is four blocks
or more. Rows that fill no block are written by one that ends at the last row.`, blockRows))
	k.rowRoles()
	k.arguments("dst out", "classes in", "rows blocksLeft", "depth cellsOf")
	k.values("tmp", "col0", "wrapped", "x0")
	k.cellOf("col0", "col0", "wrapped")
	k.zero("pick0")
	k.op("VMOVI", "$255", "noneV.B16")
	k.op("AND", fmt.Sprintf("$%d, blocksLeft, rest", blockRows-1))
	k.op("LSR", fmt.Sprintf("$%d, blocksLeft", log2(blockRows)))
	k.op("LSL", "shift, cellsOf, vectors")
	k.op("LSL", fmt.Sprintf("$%d, vectors, tileStep", log2(blockRows)))
	k.op("MOVD", fmt.Sprintf("$%d, tmp", tileBytes))
	k.op("UDIV", "tileStep, tmp, most")
	k.op("AND", "$~3, most")
	k.op("MOVD", "$4, tmp")
	k.op("CMP", "tmp, most")
	k.op("CSEL", "LT, tmp, most, most")
	k.gap()
	k.note("From vector to vector a byte moves by a vector's cells: rows by the quotient, columns by the remainder, or by less than nothing.")
	k.op("VDUP", "cellsOf", "depthV.B16")
	k.op("MOVD", "$16, tmp")
	k.op("LSR", "shift, tmp")
	k.op("UDIV", "cellsOf, tmp, step")
	k.op("VDUP", "step", "pickStep.B16")
	k.op("MSUB", "cellsOf, tmp, step, step")
	k.op("VDUP", "step", "colStep.B16")
	k.op("VSUB", "depthV.B16", "colStep.B16", "wrapStep.B16")
	k.gap()
	k.note("The first vector: cell c is row c/depth, column c%depth.")
	k.op("SUB", "$1, tmp")
	k.op("UDIV", "cellsOf, tmp, left")
	k.op("CBZ", "left", "tiles")
	k.label("start")
	k.op("VSUB", "depthV.B16, col0.B16, wrapped.B16")
	k.wrap("col0", "pick0")
	k.op("SUBS", "$1, left")
	k.op("BNE", "start")

	k.label("tiles")
	k.op("CMP", "most, blocksLeft")
	k.op("CSEL", "LT, blocksLeft, most, tile")
	k.op("SUB", "tile, blocksLeft")
	k.op("VORR", "pick0.B16, pick0.B16, pick.B16")
	k.op("VORR", "col0.B16, col0.B16, col.B16")
	k.op("LSL", "shift, cellsOf, vectors")
	k.label("vector")
	k.op("MOVD", "in, from")
	k.op("MOVD", "out, to")
	k.op("SUBS", "$4, tile, left")
	k.op("CBNZ", "missing", "misses")
	k.blocks("", false)
	k.op("B", "moveOn")
	k.label("misses")
	k.blocks("Miss", true)
	k.label("moveOn")
	k.op("VADD", "wrapStep.B16, col.B16, wrapped.B16")
	k.op("VADD", "colStep.B16, col.B16, col.B16")
	k.op("VADD", "pickStep.B16, pick.B16, pick.B16")
	k.wrap("col", "pick")
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
	k.op("LSL", "shift, tmp")
	k.op("ADD", "tmp, out")
	k.op("MOVD", "$1", "blocksLeft")
	k.op("MOVD", "ZR", "rest")
	k.op("B", "tiles")
	k.label("done")
	k.end()
}

// wrap takes bytes on to the next row whose column, less depth in wrapped, has
// gone beyond the last.
func (k *kernel) wrap(col, pick string) {
	k.op("VUMIN", "wrapped.B16", col+".B16", col+".B16")
	k.op("VCMEQ", "wrapped.B16", col+".B16", "wrapped.B16")
	k.op("VSUB", "wrapped.B16", pick+".B16", pick+".B16")
}

// blocks writes a vector of each block of a tile: four at a time, then single
// ones, if any are left.
func (k *kernel) blocks(suffix string, miss bool) {
	write := func(n int) {
		if n == 4 {
			k.op("FLDPQ.P", "32(from)", pair("x", 0))
			k.op("FLDPQ.P", "32(from)", pair("x", 2))
		} else {
			k.op("VLD1.P", "16(from)", list("x", 0, 1))
		}
		k.times(n, "VTBL", "pick.B16, [x%d.B16], x%d.B16")
		if miss {
			k.times(n, "VCMEQ", "noneV.B16, x%d.B16, m%d.B16")
		}
		k.times(n, "VCMEQ", "col.B16, x%d.B16, x%d.B16")
		k.times(n, "VBSL", "offV.B16, onV.B16, x%d.B16")
		if miss {
			k.times(n, "VBIT", "m%d.B16, missV.B16, x%d.B16")
		}
		k.times(n, "VST1.P", "[x%d.B16], (to)(tileStep)")
	}
	k.op("BLT", "few"+suffix)
	k.label("four" + suffix)
	write(4)
	k.op("SUBS", "$4, left")
	k.op("BGE", "four"+suffix)
	k.label("few" + suffix)
	k.op("ADDS", "$4, left")
	k.op("BEQ", "moveOn")
	k.label("one" + suffix)
	write(1)
	k.op("SUBS", "$1, left")
	k.op("BNE", "one"+suffix)
}
