package main

import "fmt"

const (
	blockRows = 16       // rows in a block, whose classes are one vector
	tileBytes = 16 << 10 // how much of dst a tile covers, unless four blocks are more
)

// rows writes rows and rowsMiss, which differ in the value of missing alone.
func (k *kernel) rows(missing int) {
	k.rowRoles()
	k.op("MOVD", "$%d, missing", missing)
	k.goOn("rows")
}

func (k *kernel) rowRoles() {
	k.role("out R0", "in R1", "blocksLeft R2", "cellsOf R3", "tileStep R4", "most R5", "tile R6", "vectors R7")
	k.role("to R8", "from R9", "left R10", "rest R11", "tmp R12", "step R13", "shift R14", "missing R15")
	k.role("onV V0", "offV V1", "missV V2", "pick V3", "col V4", "pick0 V5", "col0 V6", "noneV V7")
	k.role("colStep V16", "wrapStep V17", "pickStep V18", "wrapped V19", "depthV V20")
	k.bank("x", 4, 8)
	k.bank("m", 4, 12)
}

// rowsBody writes the body of both. It stores whole vectors, whatever the depth
// and the width: every byte of a cell has the class of its row, and is compared
// with the cell's column, so that all comparisons are of bytes.
func (k *kernel) rowsBody() {
	k.prose = fmt.Sprintf(`has the code of rowsNEON and rowsMissNEON. The classes of a block of %d rows are one vector, and its cells are
depth vectors of dst for each byte of a cell. In vector j of every block the same bytes belong to the same
rows and columns: pick has for each byte which of the classes is that of its row, and col has the byte's
column. Both are carried on from one j to the next and shared by the blocks of a tile, so that the outer loop
is over j and the inner one over the blocks. Each vector stored takes a load, a VTBL, a comparison and a
select. With misses, a second comparison and select find the cells of rows without a class. A tile is four
blocks or more. Rows that do not fill a block are written by one more, which ends at the last row.`, blockRows)
	k.rowRoles()
	k.arguments("dst out", "classes in", "rows blocksLeft", "depth cellsOf", "v tmp")
	k.shift()
	k.values("col0", "wrapped", "x0")
	k.op("ushl", "col0.16b, col0.16b, wrapped.16b")
	k.zero("pick0")
	k.op("VMOVI", "$255, noneV.B16")
	k.op("AND", "$%d, blocksLeft, rest", blockRows-1)
	k.op("LSR", "$%d, blocksLeft", log2(blockRows))
	k.op("LSL", "shift, cellsOf, vectors")
	k.op("LSL", "$%d, vectors, tileStep", log2(blockRows))
	k.op("MOVD", "$%d, tmp", tileBytes)
	k.op("UDIV", "tileStep, tmp, most")
	k.op("AND", "$~3, most")
	k.op("MOVD", "$4, tmp")
	k.op("CMP", "tmp, most")
	k.op("CSEL", "LT, tmp, most, most")
	k.steps()
	k.tiles()
}

// steps sets up which classes and columns the bytes of the first vector have,
// and by how much these change from vector to vector.
func (k *kernel) steps() {
	k.gap()
	k.note("From vector to vector a byte moves on by the cells of a vector: the quotient by depth in rows, the remainder in columns, less depth where it wraps.")
	k.op("VDUP", "cellsOf, depthV.B16")
	k.op("MOVD", "$16, tmp")
	k.op("LSR", "shift, tmp")
	k.op("UDIV", "cellsOf, tmp, step")
	k.op("VDUP", "step, pickStep.B16")
	k.op("MSUB", "cellsOf, tmp, step, step")
	k.op("VDUP", "step, colStep.B16")
	k.op("VSUB", "depthV.B16, colStep.B16, wrapStep.B16")
	k.gap()
	k.note("In the first vector, cell c is in row c/depth and column c%depth.")
	k.op("SUB", "$1, tmp")
	k.op("UDIV", "cellsOf, tmp, left")
	k.op("CBZ", "left, tiles")
	k.repeat("start", "left", 1, func() {
		k.op("VSUB", "depthV.B16, col0.B16, wrapped.B16")
		k.wrap("col0", "pick0")
	})
}

// tiles writes all blocks, tile by tile.
func (k *kernel) tiles() {
	k.label("tiles")
	k.part("blocksLeft", "most", "tile")
	k.op("VORR", "pick0.B16, pick0.B16, pick.B16")
	k.op("VORR", "col0.B16, col0.B16, col.B16")
	k.op("LSL", "shift, cellsOf, vectors")
	k.repeat("vector", "vectors", 1, func() {
		k.moves("in from", "out to")
		k.op("SUBS", "$4, tile, left")
		k.op("CBNZ", "missing, misses")
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
	})
	k.gap()
	k.note("out has moved on by one block already.")
	k.op("MOVD", "from, in")
	k.op("SUB", "$1, tile")
	k.op("MADD", "tileStep, out, tile, out")
	k.op("CBNZ", "blocksLeft, tiles")
	k.gap()
	k.note("Rows left over: one more block, which ends where dst and classes end.")
	k.op("CBZ", "rest, done")
	k.op("SUB", "$%d, rest", blockRows)
	k.op("ADD", "rest, in")
	k.op("MUL", "cellsOf, rest, tmp")
	k.op("LSL", "shift, tmp")
	k.op("ADD", "tmp, out")
	k.moves("$1 blocksLeft", "ZR rest")
	k.op("B", "tiles")
	k.label("done")
}

// wrap moves bytes on to the next row if their column has gone beyond the last
// one. wrapped has the columns less depth.
func (k *kernel) wrap(col, pick string) {
	k.op("VUMIN", "wrapped.B16, %s.B16, %s.B16", col, col)
	k.op("VCMEQ", "wrapped.B16, %s.B16, wrapped.B16", col)
	k.op("VSUB", "wrapped.B16, %s.B16, %s.B16", pick, pick)
}

// blocks writes a vector of each block of a tile: four blocks a turn, then one.
func (k *kernel) blocks(suffix string, miss bool) {
	write := func(n int) {
		if n == 4 {
			k.op("FLDPQ.P", "32(from), (x0q, x1q)")
			k.op("FLDPQ.P", "32(from), (x2q, x3q)")
		} else {
			k.op("VLD1.P", "16(from), [x0.B16]")
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
	k.whole("four"+suffix, "left", 4, "few"+suffix, "moveOn", func() { write(4) })
	k.repeat("one"+suffix, "left", 1, func() { write(1) })
}
