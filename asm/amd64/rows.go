package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows writes shallow rows. A block is as many rows as a vector has bytes, so
// that depth vectors of bits, one for each cell, are a whole block.
//
// Cell e of a block belongs to row e/depth and is on where hot, which is class +
// row*depth, equals e: modulo 256 too, since a row has at most 128 consecutive e,
// and a miss, 255, equals none of them. So a table of e/depth, which is the same
// for every block, and one permute and one compare of bytes make the bits of a
// vector; cells follow.
//
// A cell of 16 bytes is two units of 8. The table is that of twice the depth, and
// both units of a cell have the e of the first.
//
// AVX2 permutes within 16 bytes. The first half of a block's vectors belongs to
// its first 16 rows, the second half to the others; with an odd depth one vector
// between them has 16 cells of either.
func rows(e *emitter, width int, miss bool) {
	family := "rows"
	if miss {
		family = "rowsMiss"
	}
	e.kernel(family, suffix(width), "A loop over blocks, the last of which ends exactly at the last row; in it one over vectors of bits.")
	r := &rowWriter{cellWriter: newCellWriter(e, width), misses: miss}
	r.dst, r.classes, r.rows, r.units = e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	r.table = e.param("table")
	r.first = e.table("e of the first vector", count(e.bytes, 1))
	if width == 16 {
		e.ADDQ(r.units, r.units)
		r.first = e.table("e of the first vector", pairs(e.bytes))
	}
	r.base = named(e, e.vector(), "row*depth")
	e.load(operand.Mem{Base: r.table}, r.base)
	e.ADDQ(operand.I32(int32(e.bytes)), r.table)
	r.step = e.splatConst(8, e.bytes, "units of a vector")
	r.values(e.param("v"), miss)
	r.blocks()
	e.done()
}

type rowWriter struct {
	*cellWriter
	misses                     bool
	dst, classes, rows         reg.GPVirtual
	units, table               reg.GPVirtual // units of a row
	base, first, step, element reg.VecVirtual
}

// count returns the numbers from 0, each as often as told.
func count(n, times int) (b []byte) {
	for i := range n {
		b = append(b, byte(i/times))
	}
	return b
}

// pairs returns the even numbers from 0, each twice.
func pairs(n int) (b []byte) {
	for i := range n {
		b = append(b, byte(i&^1))
	}
	return b
}

// blocks emits the loops.
func (r *rowWriter) blocks() {
	e, block := r.emitter, int32(r.emitter.bytes)
	class, hot := e.vector(), named(e, e.vector(), "class + row*depth")
	r.element = named(e, e.vector(), "e")
	entry, left := named(e, e.GP64(), "entry"), named(e, e.GP64(), "vectors left")
	e.Label("block")
	e.load(operand.Mem{Base: r.classes}, class)
	if r.width == 16 {
		e.VPADDB(class, class, class)
	}
	e.VPADDB(r.base, class, hot)
	e.move(r.first, r.element)
	e.MOVQ(r.table, entry)
	if e.wide() {
		e.MOVQ(r.units, left)
		e.Label("vector")
		r.vector(entry, hot, class)
		e.DECQ(left)
		e.JNZ(operand.LabelRef("vector"))
	} else {
		r.halves(entry, left, hot, class)
	}
	e.ADDQ(operand.I32(block), r.classes)
	e.SUBQ(operand.I32(block), r.rows)
	e.CMPQ(r.rows, operand.I32(block))
	e.JGE(operand.LabelRef("block"))
	e.TESTQ(r.rows, r.rows)
	e.JZ(operand.LabelRef("written"))
	e.Comment("Rows left over: one more block, which ends where the rows end.")
	e.SUBQ(operand.I32(block), r.rows)
	e.ADDQ(r.rows, r.classes)
	e.IMULQ(r.units, r.rows)
	if r.unit > 1 {
		e.SHLQ(operand.U8(log2(r.unit)), r.rows)
	}
	e.ADDQ(r.rows, r.dst)
	e.MOVQ(operand.I32(block), r.rows)
	e.JMP(operand.LabelRef("block"))
	e.Label("written")
}

// vector writes the cells of one vector of bits.
func (r *rowWriter) vector(entry reg.GPVirtual, hot, class reg.VecVirtual) {
	e := r.emitter
	pick, m := e.vector(), operand.Mem{Base: entry}
	var on, missed reg.Register
	if e.wide() {
		row, k := e.vector(), e.K()
		e.load(m, row)
		e.VPERMB(hot, row, pick)
		e.VPCMPEQB(pick, r.element, k)
		on = k
		if r.misses { // no class has the highest bit, since depth <= 128
			k := e.K()
			e.VPERMB(class, row, pick)
			e.VPMOVB2M(pick, k)
			missed = k
		}
	} else {
		e.VPSHUFB(m, hot, pick)
		e.VPCMPEQB(r.element, pick, pick)
		on = pick
		if r.misses {
			none, zero := e.vector(), e.vector()
			e.VPSHUFB(m, class, none)
			e.zero(zero)
			e.VPCMPGTB(none, zero, none)
			missed = none
		}
	}
	e.VPADDB(r.step, r.element, r.element)
	r.write(on, missed, operand.Mem{Base: r.dst})
	e.ADDQ(operand.I32(int32(e.bytes)), entry)
	e.ADDQ(operand.I32(int32(e.bytes*r.unit)), r.dst)
}

// halves is the loop over a block's vectors with AVX2: in three parts, of which
// the second is one vector or none.
func (r *rowWriter) halves(entry, left reg.GPVirtual, hot, class reg.VecVirtual) {
	e := r.emitter
	hots := [2]reg.VecVirtual{named(e, e.vector(), "hot of this part"), hot}
	classes := [2]reg.VecVirtual{named(e, e.vector(), "classes of this part"), class}
	pick := func(lanes operand.U8) {
		e.VPERM2I128(lanes, hots[1], hots[1], hots[0])
		if r.misses {
			e.VPERM2I128(lanes, classes[1], classes[1], classes[0])
		}
	}
	const low, both, high = operand.U8(0x00), operand.U8(0x10), operand.U8(0x11)
	part := named(e, e.GP64(), "parts left")
	e.MOVQ(operand.I32(3), part)
	pick(low)
	e.Label("half")
	e.MOVQ(r.units, left)
	e.SHRQ(operand.U8(1), left)
	e.Label("vector")
	r.vector(entry, hots[0], classes[0])
	e.DECQ(left)
	e.JNZ(operand.LabelRef("vector"))
	e.DECQ(part)
	e.JZ(operand.LabelRef("parts"))
	e.CMPQ(part, operand.I32(1))
	e.JE(operand.LabelRef("last"))
	pick(both)
	e.MOVQ(r.units, left)
	e.ANDQ(operand.I32(1), left)
	e.JNZ(operand.LabelRef("vector"))
	e.DECQ(part)
	e.Label("last")
	pick(high)
	e.JMP(operand.LabelRef("half"))
	e.Label("parts")
}
