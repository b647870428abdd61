package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows writes shallow rows, with AVX-512. A block is 64 rows, so that depth
// vectors of bits, one for each cell, are a whole block.
//
// Cell e of a block belongs to row e/depth and is on where hot, which is class
// + row*depth, equals e: modulo 256 too, since a row has at most 128
// consecutive e, and a miss, 255, equals none of them. So a table of e/depth,
// which is the same for every block, and one permute and one compare of bytes
// make the bits of a vector; cells follow.
//
// A cell of 16 bytes is two units of 8. The table is that of twice the depth,
// and both units of a cell have the e of the first.
//
// The last block ends exactly at the last row, and starts with the first vector
// that has a cell of a row left over.
func rows(e *emitter, width int, miss bool) {
	family := "rows"
	if miss {
		family = "rowsMiss"
	}
	if !e.wide() {
		rowsByBytes(e, family, width, miss)
		return
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
	e := r.emitter
	const block = 64
	class, hot := e.vector(), named(e, e.vector(), "class + row*depth")
	r.element = named(e, e.vector(), "e")
	entry, left := named(e, e.GP64(), "entry"), named(e, e.GP64(), "vectors left")
	e.Label("block")
	e.MOVQ(r.table, entry)
	e.MOVQ(r.units, left)
	e.move(r.first, r.element)
	e.Label("start")
	e.load(operand.Mem{Base: r.classes}, class)
	if r.width == 16 {
		e.VPADDB(class, class, class)
	}
	e.VPADDB(r.base, class, hot)
	e.Label("vector")
	r.vector(entry, hot, class)
	e.DECQ(left)
	e.JNZ(operand.LabelRef("vector"))
	e.ADDQ(operand.I32(block), r.classes)
	e.SUBQ(operand.I32(block), r.rows)
	e.CMPQ(r.rows, operand.I32(block))
	e.JGE(operand.LabelRef("block"))
	e.TESTQ(r.rows, r.rows)
	e.JZ(operand.LabelRef("written"))

	e.Comment("Rows left over: a block that ends where the rows end, without its first vectors.")
	skip, disp := named(e, e.GP64(), "vectors to skip"), e.GP64()
	e.SUBQ(operand.I32(block), r.rows)
	e.ADDQ(r.rows, r.classes)
	e.IMULQ(r.units, r.rows) // less than 0 from here on
	e.MOVQ(r.rows, skip)
	e.NEGQ(skip)
	e.SHRQ(operand.U8(6), skip)
	e.MOVQ(r.units, left)
	e.SUBQ(skip, left)
	e.SHLQ(operand.U8(6), skip) // units from here on
	e.LEAQ(operand.Mem{Base: r.table, Index: skip, Scale: 1}, entry)
	e.broadcast(8, skip, r.element)
	e.VPADDB(r.first, r.element, r.element)
	e.LEAQ(operand.Mem{Base: r.rows, Index: skip, Scale: 1}, disp)
	e.LEAQ(operand.Mem{Base: r.dst, Index: disp, Scale: uint8(r.unit)}, r.dst)
	e.MOVQ(operand.I32(block), r.rows)
	e.JMP(operand.LabelRef("start"))
	e.Label("written")
}

// vector writes the cells of one vector of bits.
func (r *rowWriter) vector(entry reg.GPVirtual, hot, class reg.VecVirtual) {
	e := r.emitter
	row, pick, on := e.vector(), e.vector(), e.K()
	e.load(operand.Mem{Base: entry}, row)
	e.VPERMB(hot, row, pick)
	e.VPCMPEQB(pick, r.element, on)
	var missed reg.Register
	if r.misses { // no class has the highest bit, since depth <= 128
		k := e.K()
		e.VPERMB(class, row, pick)
		e.VPMOVB2M(pick, k)
		missed = k
	}
	e.VPADDB(r.step, r.element, r.element)
	r.write(on, missed, operand.Mem{Base: r.dst})
	e.ADDQ(operand.I32(int32(e.bytes)), entry)
	e.ADDQ(operand.I32(int32(e.bytes*r.unit)), r.dst)
}

// rowsByBytes is rows with AVX2, which permutes within 16 bytes and has no
// masks: a block is 16 rows, whose classes are in both halves of a vector, and
// each byte of the output has its own pick of them and its own column, both
// from the table. One permute and one compare give a mask as wide as the cells,
// at every width.
func rowsByBytes(e *emitter, family string, width int, miss bool) {
	e.kernel(family, suffix(width), "A loop over blocks of 16 rows, the last of which ends exactly at the last row; in it one over pairs of vectors, then one of what is left.")
	c := newCellWriter(e, width)
	dst, classes, rows, depth := e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	table := e.param("table")
	c.values(e.param("v"), miss)
	class, zero := named(e, e.vector(), "classes"), named(e, e.vector(), "0")
	if miss {
		e.zero(zero)
	}
	row, entry, left := named(e, e.GP64(), "bytes of a row"), named(e, e.GP64(), "entry"), named(e, e.GP64(), "16 bytes left")
	e.MOVQ(depth, row)
	if width > 1 {
		e.SHLQ(operand.U8(log2(width)), row)
	}
	mask := func(x reg.VecVirtual, at int, half bool) reg.VecVirtual {
		m, out, cls := operand.Mem{Base: entry, Disp: 2 * at}, x, class
		on, off, missed := c.on, c.off, c.miss
		column := m.Offset(32)
		if half {
			out, cls, on, off = x.AsX().(reg.VecVirtual), class.AsX().(reg.VecVirtual), c.on.AsX().(reg.VecVirtual), c.off.AsX().(reg.VecVirtual)
		}
		e.VPSHUFB(m, cls, out)
		if miss {
			none, none0 := e.vector(), zero
			if half {
				none, none0, missed = none.AsX().(reg.VecVirtual), zero.AsX().(reg.VecVirtual), c.miss.AsX().(reg.VecVirtual)
			}
			e.VPCMPGTB(out, none0, none)
			e.VPAND(missed, none, none)
			e.VPCMPEQB(column, out, out)
			e.VPAND(on, out, out)
			e.VPXOR(none, out, out)
		} else {
			e.VPCMPEQB(column, out, out)
			e.VPAND(on, out, out)
		}
		e.VPXOR(off, out, out)
		return out
	}
	e.Label("block")
	e.VBROADCASTI128(operand.Mem{Base: classes}, class)
	e.MOVQ(table, entry)
	e.MOVQ(row, left)
	e.SUBQ(operand.I32(4), left)
	e.JLT(operand.LabelRef("few"))
	e.Label("pair")
	for at := 0; at < 64; at += 32 {
		e.VMOVDQU(mask(e.vector(), at, false), operand.Mem{Base: dst, Disp: at})
	}
	e.ADDQ(operand.I32(128), entry)
	e.ADDQ(operand.I32(64), dst)
	e.SUBQ(operand.I32(4), left)
	e.JGE(operand.LabelRef("pair"))
	e.Label("few")
	if width < 4 { // others are whole pairs
		e.TESTQ(operand.U32(2), left)
		e.JZ(operand.LabelRef("half"))
		e.VMOVDQU(mask(e.vector(), 0, false), operand.Mem{Base: dst})
		e.ADDQ(operand.I32(64), entry)
		e.ADDQ(operand.I32(32), dst)
		e.Label("half")
	}
	if width < 2 {
		e.TESTQ(operand.U32(1), left)
		e.JZ(operand.LabelRef("next"))
		e.VMOVDQU(mask(e.vector(), 0, true), operand.Mem{Base: dst})
		e.ADDQ(operand.I32(16), dst)
		e.Label("next")
	}
	const block = 16
	e.ADDQ(operand.I32(block), classes)
	e.SUBQ(operand.I32(block), rows)
	e.CMPQ(rows, operand.I32(block))
	e.JGE(operand.LabelRef("block"))
	e.TESTQ(rows, rows)
	e.JZ(operand.LabelRef("written"))
	e.Comment("Rows left over: one more block, which ends where the rows end.")
	e.SUBQ(operand.I32(block), rows)
	e.ADDQ(rows, classes)
	e.IMULQ(row, rows)
	e.ADDQ(rows, dst)
	e.MOVQ(operand.I32(block), rows)
	e.JMP(operand.LabelRef("block"))
	e.Label("written")
	e.done()
}
