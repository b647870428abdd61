package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows writes shallow rows, with AVX-512. A block is 64 rows, so that depth
// vectors of bits, one for each cell, are a whole block.
//
// Cell e of a block belongs to row e/depth and is on where hot, which is class
// + row*depth, equals e: modulo 256 too, since a row has at most 255
// consecutive e, and a miss, 255, equals none of them. So a table of e/depth,
// which is the same for every block, and one permute and one compare of bytes
// make the bits of a vector; cells follow.
//
// A cell of 16 bytes is two units of 8. The table is that of twice the depth,
// and both units of a cell have the e of the first.
//
// The last block ends exactly at the last row, and starts with the first vector
// that has a cell of a row left over.
//
// With misses, what a row holds where it is not on is a byte too, and reaches
// the vector by the same table: see rowmisses.go.
//
// A block's classes are loaded before its first cell is stored, with AVX2 too:
// rows may be written over classes that end where they do.
func rows(e *emitter) {
	if !e.wide() {
		rowsByBytes(e)
		return
	}
	e.prose("A loop over blocks, the last of which ends exactly at the last row; in it one over vectors of bits.")
	r := &rowWriter{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	r.dst, r.classes, r.rows, r.units = e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	r.table = e.param("table")
	r.first = e.table("e of the first vector", r.elements())
	if r.width == 16 {
		e.ADDQ(r.units, r.units)
	}
	r.base = named(e, e.vector(), "row*depth")
	e.load(operand.Mem{Base: r.table}, r.base)
	named(e, r.units, "units of a block")
	e.SHLQ(operand.U8(6), r.units)
	e.LEAQ(operand.Mem{Base: r.table, Index: r.units, Scale: 1, Disp: e.bytes}, r.table)
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	r.step = e.splatConst(8, e.bytes, "units of a vector")
	r.turns = 1
	if r.width == 1 {
		r.turns = turns
	}
	v := e.param("v")
	r.values(v)
	if r.misses {
		r.miss = r.value(v, 32, "miss")
		r.none = e.nones()
		r.encode()
	}
	r.blocks()
}

// turns is how many vectors there are until a byte of e is what it was. Where a
// vector of bits is one of cells, that many have a hot of their own: to add to
// e would be one of four instructions that share the vector units.
const turns = 4

type rowWriter struct {
	*cellWriter
	misses                     bool
	turns                      int           // vectors of a round
	dst, table                 reg.GPVirtual // where those of a block end
	classes, rows              reg.GPVirtual
	units, i                   reg.GPVirtual // units of a block
	base, first, step, element reg.VecVirtual

	// With misses.
	none           reg.VecVirtual    // 255s
	fill           reg.VecVirtual    // the code of off or miss, by row
	codes          [3]reg.VecVirtual // of off, on and miss
	lookup, halves reg.VecVirtual    // the values by their codes; which half of a cell a unit is
	missHot        reg.VecVirtual    // of short rows: hot of a miss
	places         [2]reg.VecVirtual // and what a cell is by hot less e
}

// count returns the numbers from 0, each as often as told.
func count(n, times int) (b []byte) {
	for i := range n {
		b = append(b, byte(i/times))
	}
	return b
}

// elements returns the e of a vector of bits: in order, or as codes lie. The
// units of a cell of 16 bytes have the e of the first.
func (r *rowWriter) elements() []byte {
	e := count(r.bytes, 1)
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

// blocks emits the loops, twice where short rows have a way of their own.
func (r *rowWriter) blocks() {
	e := r.emitter
	class, hot := e.vector(), []reg.VecVirtual{named(e, e.vector(), "hot, class + row*depth")}
	for range r.turns - 1 {
		hot = append(hot, named(e, e.vector(), "hot less 64 a vector"))
	}
	r.element = named(e, e.vector(), "e")
	least := named(e, e.GP64(), "where i starts")
	r.i = named(e, e.GP64(), "i, from below 0")
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

// rowBlock is the rows of a block.
const rowBlock = 64

// loops emits the loop over blocks and that over vectors, whose labels start
// with a name.
func (r *rowWriter) loops(name string, class reg.VecVirtual, hot []reg.VecVirtual, least reg.GPVirtual) {
	e := r.emitter
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
	e.Label(name + "vector")
	for _, hot := range hot[:r.turns-1] {
		r.vector(hot)
		e.ADDQ(operand.I32(int32(e.bytes)), r.i)
		e.JZ(label("rows"))
	}
	r.vector(hot[r.turns-1])
	if r.turns < turns {
		e.VPADDB(r.step, r.element, r.element)
	}
	e.ADDQ(operand.I32(int32(e.bytes)), r.i)
	e.JNZ(label("vector"))
	e.Label(name + "rows")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	e.ADDQ(operand.I32(rowBlock), r.classes)
	e.SUBQ(operand.I32(rowBlock), r.rows)
	e.JGE(label("block"))
	e.leftOver(rowBlock, r.classes, r.rows, r.units, rowBlock, "a block that ends where the rows end, without its first vectors.")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.rows, Scale: uint8(r.unit)}, r.dst)
	e.NEGQ(r.rows)
	e.ANDQ(operand.I32(-64), r.rows)
	e.broadcast(8, r.rows, r.element)
	e.VPADDB(r.first, r.element, r.element)
	e.LEAQ(operand.Mem{Base: least, Index: r.rows, Scale: 1}, r.i)
	e.XORL(r.rows.As32(), r.rows.As32())
	e.JMP(label("start"))
}

// leftOver starts the block that ends where the rows end, unless the last whole
// one did. It lies rows, which is negative, from where the next one would;
// rows becomes that distance in dst, where so many rows take size.
func (e *emitter) leftOver(block int, classes, rows, size reg.GPVirtual, of int, comment string) {
	e.CMPQ(rows, operand.I32(int32(-block)))
	e.JEQ(operand.LabelRef("written"))
	e.Comment("Rows left over: " + comment)
	e.ADDQ(rows, classes)
	e.IMULQ(size, rows)
	e.SARQ(operand.U8(log2(of)), rows)
}

// vector writes the cells of one vector of bits.
func (r *rowWriter) vector(hot reg.VecVirtual) {
	e, to := r.emitter, operand.Mem{Base: r.dst, Index: r.i, Scale: uint8(r.unit)}
	row, pick, on := e.vector(), e.vector(), e.K()
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
