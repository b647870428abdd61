package main

import "fmt"

// tileBytes is how much of dst one pass over the vectors of a block covers: small enough to stay in any first-level cache.
const tileBytes = 16 << 10

// expand writes shallow rows with Inner = 1: whole vectors, whatever the depth.
func (f *file) expand(width int) {
	t, rows := lanes[width], 16/width
	order := t // the arrangement to compare sizes in: there is no VUMAX for 64-bit lanes, but our numbers are small
	if width == 8 {
		order = "S4"
	}
	name := fmt.Sprintf("expand%dNEON", 8*width)
	k := f.kernel(name, "dst, lanes unsafe.Pointer, rows, depth int, on, off uint64, magic, shift int", "", fmt.Sprintf(`
%s writes rows of depth cells: dst[r*depth+d] = on if lanes[r] == d, else off. rows >= %d, 2 <= depth <= 255;
magic and shift are not used here.

A block of %d rows is one vector of classes and exactly depth vectors of dst. In vector j of every block the same lanes belong
to the same rows and columns: pick holds for each byte which byte of the class vector to fetch, col each lane's column. They
are carried on from one j to the next, and shared by the blocks of a tile: j outside, blocks inside. Per vector stored: a load,
VTBL, compare, select. A tile is at most %d KiB of dst. Rows that fill no block are written by one that ends at the last row.`,
		name, rows, rows, tileBytes>>10))
	k.role("out R0", "in R1", "blocks R2", "cells R3", "pitch R4", "most R5", "tile R6", "vectors R7")
	k.role("to R8", "from R9", "left R10", "rest R11", "tmp R12", "quotient R13")
	k.role("onV V0", "offV V1", "pick V2", "col V3", "pick0 V16", "col0 V17", "wrapped V18", "part V19")
	k.role("depthV V20", "widthV V21", "edge V22", "colStep V23", "pickStep V24")
	k.bank("x", 4, 4)

	// wrap moves lanes whose column has reached edge on to the next row.
	wrap := func(edge, col, pick string) {
		k.op("VUMAX", edge+"."+order, col+"."+order, "wrapped."+order)
		k.op("VCMEQ", col+"."+t, "wrapped."+t, "wrapped."+t)
		k.op("VAND", "depthV.B16", "wrapped.B16", "part.B16")
		k.op("VSUB", "part."+t, col+"."+t, col+"."+t)
		k.op("VAND", "widthV.B16", "wrapped.B16", "part.B16")
		k.op("VADD", "part.B16", pick+".B16", pick+".B16")
	}
	write := func(n int) { // vector j of n blocks
		if n == 4 {
			k.op("FLDPQ.P", "32(from)", pair("x", 0))
			k.op("FLDPQ.P", "32(from)", pair("x", 2))
		} else {
			k.op("VLD1.P", "16(from)", list("x", 0, 1))
		}
		for i := range n {
			k.op("VTBL", "pick.B16", list("x", i, 1), v("x", i, "B16"))
		}
		for i := range n {
			k.op("VCMEQ", "col."+t, v("x", i, t), v("x", i, t))
		}
		for i := range n {
			k.op("VBSL", "offV.B16", "onV.B16", v("x", i, "B16"))
		}
		for i := range n {
			k.op("VST1.P", list("x", i, 1), "(to)(pitch)")
		}
	}
	constant := func(value uint64, vector string) {
		k.op("MOVD", fmt.Sprintf("$%#x", value), "tmp")
		k.op("VMOV", "tmp", vector)
	}

	k.op("MOVD", k.arg("dst"), "out")
	k.op("MOVD", k.arg("lanes"), "in")
	k.op("MOVD", k.arg("rows"), "blocks")
	k.op("MOVD", k.arg("depth"), "cells")
	k.op("MOVD", k.arg("on"), "tmp")
	k.op("VDUP", "tmp", "onV."+t)
	k.op("MOVD", k.arg("off"), "tmp")
	k.op("VDUP", "tmp", "offV."+t)
	k.op("AND", fmt.Sprintf("$%d, blocks, rest", rows-1))
	k.op("LSR", fmt.Sprintf("$%d, blocks", log2(rows)))
	k.op("LSL", "$4, cells, pitch")
	k.op("MOVD", fmt.Sprintf("$%d, tmp", tileBytes/16))
	k.op("UDIV", "cells, tmp, most")
	k.op("AND", "$~3, most")
	k.gap()
	k.note(fmt.Sprintf("From vector to vector a lane moves %d cells on: quotient rows and the remainder's columns.", rows))
	k.op("MOVD", fmt.Sprintf("$%d, tmp", rows))
	k.op("UDIV", "cells, tmp, quotient")
	k.op("MSUB", "cells, tmp, quotient, left")
	k.op("VDUP", "cells", "depthV."+t)
	k.op("VDUP", "left", "colStep."+t)
	k.op("VSUB", "colStep."+t, "depthV."+t, "edge."+t)
	k.op("VMOVI", fmt.Sprintf("$%d", width), "widthV.B16")
	if width > 1 {
		k.op("LSL", fmt.Sprintf("$%d, quotient", log2(width)))
	}
	k.op("VDUP", "quotient", "pickStep.B16")
	k.gap()
	k.note("The first vector: cell l is row l/depth, column l%depth.")
	var iota [2]uint64
	var byteOf uint64
	for i := range 16 {
		if i%width == 0 {
			iota[i/8] |= uint64(i/width) << (8 * (i % 8))
		}
		if i < 8 {
			byteOf |= uint64(i%width) << (8 * i)
		}
	}
	constant(iota[0], "col0.D[0]")
	constant(iota[1], "col0.D[1]")
	k.op("MOVD", fmt.Sprintf("$%#x", byteOf), "tmp")
	k.op("VDUP", "tmp", "pick0.D2")
	if rows > 2 { // two lanes are always in the first row
		k.op("MOVD", fmt.Sprintf("$%d, tmp", rows-1))
		k.op("UDIV", "cells, tmp, left")
		k.op("CBZ", "left", "tiles")
		k.label("start")
		wrap("depthV", "col0", "pick0")
		k.op("SUBS", "$1, left")
		k.op("BNE", "start")
	}

	k.label("tiles")
	k.op("CMP", "most, blocks")
	k.op("CSEL", "LT, blocks, most, tile")
	k.op("SUB", "tile, blocks")
	k.op("VORR", "pick0.B16", "pick0.B16", "pick.B16")
	k.op("VORR", "col0.B16", "col0.B16", "col.B16")
	k.op("MOVD", "cells, vectors")
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
	k.op("BEQ", "next")
	k.label("one")
	write(1)
	k.op("SUBS", "$1, left")
	k.op("BNE", "one")
	k.label("next")
	wrap("edge", "col", "pick")
	k.op("VADD", "colStep."+t, "col."+t, "col."+t)
	k.op("VADD", "pickStep.B16", "pick.B16", "pick.B16")
	k.op("ADD", "$16, out")
	k.op("SUBS", "$1, vectors")
	k.op("BNE", "vector")
	k.gap()
	k.note("out has moved by one block's depth vectors already.")
	k.op("MOVD", "from, in")
	k.op("SUB", "$1, tile")
	k.op("MADD", "pitch, out, tile, out")
	k.op("CBNZ", "blocks", "tiles")
	k.gap()
	k.note("Rows left over: one more block, which ends where dst and lanes end.")
	k.op("CBZ", "rest", "done")
	k.op("SUB", fmt.Sprintf("$%d, rest", rows))
	if width == 1 {
		k.op("ADD", "rest, in")
	} else {
		k.op("ADD", fmt.Sprintf("rest<<%d, in", log2(width)))
	}
	k.op("MUL", "cells, rest, tmp")
	if width == 1 {
		k.op("ADD", "tmp, out")
	} else {
		k.op("ADD", fmt.Sprintf("tmp<<%d, out", log2(width)))
	}
	k.op("MOVD", "$1", "blocks")
	k.op("MOVD", "ZR", "rest")
	k.op("B", "tiles")
	k.label("done")
	k.end()
}
