package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows writes shallow rows with AVX-512, in blocks of 64 rows. A vector of
// bytes makes the bits of 64 cells, and depth vectors those of a whole block.
//
// Cell e of a block belongs to row e/depth. It is on if e equals hot, which is
// class + row*depth. The comparison may be of bytes, modulo 256: a row has at
// most 255 consecutive e, none of which equals the hot of a miss, whose class
// is 255. So one permute of hot by a table of e/depth, which is the same for
// every block, and one comparison with e make the bits of a vector; cells
// follow.
//
// A cell of 16 bytes is two units of 8 bytes. Its table is that of twice the
// depth, and both of its units have the e of the first.
//
// The last block ends exactly at the last row. It starts with the first vector
// that has a cell of a row not yet written. rowsStream has whole blocks only.
//
// With misses, what a row holds outside its on cell is a byte too, and the same
// table spreads it over the row: see rowmisses.go.
//
// A block's classes are loaded before its first cell is stored, here and with
// AVX2, because rows may be written over classes that end where the rows end.
func rows(e *emitter) {
	if !e.wide() {
		rowsByBytes(e)
		return
	}
	r := &rowWriter{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	last, others := ", the last of which ends exactly at the last row", " In rowsMiss, a permute by the same table also brings to each unit a code of off or miss, which the bits replace by that of on; short rows of bytes are looked up by hot less e instead. A second inner loop also prefetches the output."
	if r.stream {
		last, others = "", ""
	}
	e.prose("The outer loop goes over blocks of 64 rows" + last + ". The inner loop goes over vectors of 64 units. A unit is a cell, or half of a cell of 16 bytes, and e is its number in the block modulo 256. The table gives the row of each unit: a permute by it brings to each unit the hot of its row, class + row*depth, and a comparison with e makes the bits of 64 units at once. The bits choose between on and off." + others)
	r.dst, r.classes, r.rows, r.units = e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	r.table = e.param("table")
	r.first = e.table("e of the first vector's units", r.elements())
	if r.width == 16 {
		e.ADDQ(r.units, r.units)
	}
	r.base = named(e, e.vector(), "row*depth")
	e.load(operand.Mem{Base: r.table}, r.base)
	named(e, r.units, "units of a block")
	e.SHLQ(operand.U8(6), r.units)
	e.LEAQ(operand.Mem{Base: r.table, Index: r.units, Scale: 1, Disp: e.bytes}, r.table)
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	r.step = e.splatConst(8, e.bytes, "64, the units of a vector of bits")
	r.turns = 1
	if r.width == 1 {
		r.turns = turns
	}
	r.v = e.param("v")
	r.values(r.v)
	if r.misses {
		r.miss = r.value(r.v, 32, "miss")
		r.none = e.nones()
		r.setCodes()
	}
	r.blocks()
}

// turns is the number of vectors after which e, modulo 256, repeats. Where a
// vector of bits makes one vector of cells, each of so many vectors has its own
// hot, from which its distance is subtracted, and e stays as it is. Adding to e
// would be one of four instructions that share the vector units.
const turns = 4

type rowWriter struct {
	*cellWriter
	misses                     bool
	turns                      int           // vectors in a round
	dst, table                 reg.GPVirtual // the end of a block's cells, and of its part of the table
	classes, rows, v           reg.GPVirtual
	units, i                   reg.GPVirtual // units of a block, and the current one, from -units
	base, first, step, element reg.VecVirtual

	// With misses.
	none           reg.VecVirtual    // 255s
	fill           reg.VecVirtual    // the code of off or miss, by row
	codes          [3]reg.VecVirtual // of off, on and miss
	lookup, halves reg.VecVirtual    // the values by their codes; which half of its cell a unit is
	missHot        reg.VecVirtual    // short rows: hot of a miss
	places         [2]reg.VecVirtual // short rows: what a cell is, by hot less e
}

// count returns n bytes that count from 0, each number times times in a row.
func count(n, times int) (b []byte) {
	for i := range n {
		b = append(b, byte(i/times))
	}
	return b
}

// elements returns the e of a vector of bits, in order, or, with misses, as
// codes are ordered. Both units of a cell have the e of the first.
func (r *rowWriter) elements() []byte {
	e := count(r.e.bytes, 1)
	for i := range e {
		if r.misses {
			e[i] = byte(i%r.unit*r.lanes + i/r.unit)
		}
		if r.width == 16 {
			e[i] &^= 1
		}
	}
	return e
}

// blocks emits the loops, and where short rows have a way of their own, others.
func (r *rowWriter) blocks() {
	e := r.e
	class, hot := e.vector(), []reg.VecVirtual{named(e, e.vector(), "hot, which is class + row*depth")}
	for range r.turns - 1 {
		hot = append(hot, named(e, e.vector(), "hot less 64 for each vector before"))
	}
	r.element = named(e, e.vector(), "e")
	least := named(e, e.GP64(), "minus the units of a block, where i starts")
	r.i = named(e, e.GP64(), "i, which counts up to 0")
	e.MOVQ(r.units, least)
	e.NEGQ(least)
	e.SUBQ(operand.I32(rowBlock), r.rows)
	if r.turns == turns {
		e.move(r.first, r.element)
	}
	short := r.misses && r.width == 1
	if short {
		e.CMPQ(r.units, operand.I32(rowBlock*shortRow))
		e.JLE(operand.LabelRef("short"))
	}
	r.loops("", class, hot, least)
	if short {
		e.Label("short")
		r.setPlaces()
		r.loops("short", class, hot, least)
	}
	e.Label("written")
}

// rowBlock is the number of rows in a block.
const rowBlock = 64

// loops emits the loops over blocks and over vectors; name starts their labels.
func (r *rowWriter) loops(name string, class reg.VecVirtual, hot []reg.VecVirtual, least reg.GPVirtual) {
	e := r.e
	label := func(s string) operand.LabelRef { return operand.LabelRef(name + s) }
	e.Label(name + "block")
	e.MOVQ(least, r.i)
	if r.turns < turns {
		e.move(r.first, r.element)
	}
	e.Label(name + "start")
	e.load(operand.Mem{Base: r.classes}, class)
	missed := e.K()
	if r.misses {
		e.VPCMPEQB(r.none, class, missed)
	}
	if r.width == 16 {
		e.VPADDB(class, class, class)
	}
	e.VPADDB(r.base, class, hot[0])
	if r.missHot != nil {
		e.VPBLENDMB(r.missHot, hot[0], missed, hot[0])
	}
	for i := range r.turns - 1 {
		e.VPSUBB(r.step, hot[i], hot[i+1])
	}
	if r.misses && r.missHot == nil {
		r.fill = named(e, e.vector(), "off or miss")
		e.VPBLENDMB(r.codes[2], r.codes[0], missed, r.fill)
	}
	if !r.stream {
		e.ifAhead(r.v, name+"ahead")
	}
	r.vectors(name+"vector", name+"rows", hot, false)
	e.Label(name + "rows")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	e.ADDQ(operand.I32(rowBlock), r.classes)
	e.SUBQ(operand.I32(rowBlock), r.rows)
	e.JGE(label("block"))
	if r.stream { // all blocks are whole
		return
	}
	e.leftOver(rowBlock, r.classes, r.rows, r.units, rowBlock, "one more block, which ends where the rows end and leaves out its first vectors.")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.rows, Scale: uint8(r.unit)}, r.dst)
	e.NEGQ(r.rows)
	e.ANDQ(operand.I32(-64), r.rows)
	e.broadcast(8, r.rows, r.element)
	e.VPADDB(r.first, r.element, r.element)
	e.LEAQ(operand.Mem{Base: least, Index: r.rows, Scale: 1}, r.i)
	e.XORL(r.rows.As32(), r.rows.As32())
	e.JMP(label("start"))
	r.vectors(name+"ahead", name+"rows", hot, true)
	e.JMP(label("rows"))
}

// vectors emits a loop over the vectors of a block, which jumps to next before
// its end if rounds have several vectors and the block ends within one. ahead
// says whether it prefetches.
func (r *rowWriter) vectors(label, next string, hot []reg.VecVirtual, ahead bool) {
	e := r.e
	e.Label(label)
	for _, hot := range hot[:r.turns-1] {
		r.vector(hot, ahead)
		e.ADDQ(operand.I32(int32(e.bytes)), r.i)
		e.JZ(operand.LabelRef(next))
	}
	r.vector(hot[r.turns-1], ahead)
	if r.turns < turns {
		e.VPADDB(r.step, r.element, r.element)
	}
	e.ADDQ(operand.I32(int32(e.bytes)), r.i)
	e.JNZ(operand.LabelRef(label))
}

// leftOver sets up a block that ends at the last row, unless the last whole
// block does. It starts rows, which is negative, from where the next one would;
// rows becomes that distance in dst, where so many rows as of says take size.
func (e *emitter) leftOver(block int, classes, rows, size reg.GPVirtual, of int, comment string) {
	e.CMPQ(rows, operand.I32(int32(-block)))
	e.JEQ(operand.LabelRef("written"))
	e.Comment("Rows left over: " + comment)
	e.ADDQ(rows, classes)
	e.IMULQ(size, rows)
	e.SARQ(operand.U8(log2(of)), rows)
}

// vector writes the cells of a vector of bits. ahead says whether it asks for
// the lines that a later one will write.
func (r *rowWriter) vector(hot reg.VecVirtual, ahead bool) {
	e, to := r.e, operand.Mem{Base: r.dst, Index: r.i, Scale: uint8(r.unit)}
	row, pick, on := e.vector(), e.vector(), e.K()
	for i := 0; ahead && i < r.unit; i++ {
		e.PREFETCHT0(to.Offset(farAhead + i*e.bytes))
	}
	e.load(operand.Mem{Base: r.table, Index: r.i, Scale: 1}, row)
	e.VPERMB(hot, row, pick)
	if r.missHot != nil {
		r.writePlaces(pick, to)
		return
	}
	e.VPCMPEQB(pick, r.element, on)
	if r.misses {
		e.VPERMB(r.fill, row, pick)
		r.writeCodes(on, pick, to)
	} else {
		r.write(on, to)
	}
}
