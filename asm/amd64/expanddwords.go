package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dwords is the shape for 32 and 64 bits.
//
// With 32 bits to a lane there is room to keep, instead of the element e, its product with a reciprocal of depth in fixed point:
// unit = ceil(2^fraction/depth), where a block has 2^(32-fraction) rows. Then the row is what stands left of the point, a shift by a constant, and
// the next vector is an addition away: no multiplication in the loop. e*unit stays below 2^32 and is different for every e of a block, so hot
// elements are compared as products too. That is exact: e*unit is e/depth*2^fraction and less than e too much, and e is far below 2^fraction/depth.
//
// Elements of 64 bits are pairs of equal dwords, two to an element; a row's hot product sits in one dword, and the blend, by dwords
// too, puts both halves of on or off in place.
type dwords struct {
	*expandBase
	unit, first, order reg.VecVirtual
}

func (d *dwords) blockRows() int { return d.bytes * 8 / d.bits }

func (d *dwords) fraction() int { return 32 - bits.TrailingZeros(uint(d.blockRows())) }

func (d *dwords) shape() (int, int, string, string) {
	prose := "Block after block, two vectors a round. 64 bytes written cost 6 instructions and 1.5 of the loop."
	if !d.wide() {
		prose = "Four blocks side by side, then single ones; the inner loop runs over the vectors of a block. 64 bytes written cost 9 instructions while four are left."
	}
	return d.blockRows(), d.bytes, "dwords", prose
}

func (d *dwords) setup() {
	d.unit, d.first = named(d.emitter, d.vector(), "unit"), named(d.emitter, d.vector(), "first products")
	d.e = named(d.emitter, d.vector(), "products")
	unit := d.divide()
	d.broadcast(32, unit, d.unit)
	depth := d.vector()
	d.broadcast(32, d.depth, depth)
	d.VPMULLD(d.unit, depth, depth)
	d.iota(32, d.first)
	if d.bits == 64 && !d.wide() {
		d.order = named(d.emitter, d.vector(), "even dwords")
		d.VPERMQ(operand.U8(0x44), d.first, d.scale) // 0 1 2 3, twice
		d.VPADDD(d.scale, d.scale, d.order)
		d.VPMULLD(depth, d.scale, d.scale)
	} else {
		d.VPMULLD(depth, d.first, d.scale)
	}
	if d.bits == 64 {
		d.VPSRLD(operand.U8(1), d.first, d.first)
	}
	d.VPMULLD(d.unit, d.first, d.first)
	d.step = named(d.emitter, d.vector(), "step")
	d.VPSLLD(operand.U8(bits.TrailingZeros(uint(d.blockRows()))), d.unit, d.step)
}

// divide computes ceil(2^fraction/depth).
func (d *dwords) divide() reg.GPVirtual {
	d.LEAQ(operand.Mem{Base: d.depth, Disp: 1<<d.fraction() - 1}, reg.RAX)
	d.XORL(reg.EDX, reg.EDX)
	d.DIVL(d.depth.As32())
	unit := d.GP64()
	d.MOVQ(reg.RAX, unit)
	return unit
}

func (d *dwords) start() { d.move(d.first, d.e) }

func (d *dwords) hot(m operand.Mem) reg.VecVirtual {
	v := d.vector()
	switch {
	case d.bits == 32:
		d.VPMULLD(m, d.unit, v)
	case d.wide():
		d.load(m, v)
		d.VPMOVQD(v, v.AsY())
		d.VPMULLD(v, d.unit, v)
	default:
		d.VPERMD(m, d.order, v)
		d.VPMULLD(v, d.unit, v)
	}
	d.VPADDD(d.scale, v, v)
	return v
}

func (d *dwords) rows(e reg.VecVirtual) { d.VPSRLD(operand.U8(d.fraction()), e, d.row) }

func (d *dwords) advance() { d.VPADDD(d.step, d.e, d.e) }

func (d *dwords) elements() (int, reg.VecVirtual) { return 32, d.e }

// pick permutes across the vector, or, for four rows, which both of its halves hold, within halves.
func (d *dwords) pick(hot, out reg.VecVirtual) {
	if d.blockRows() == 4 {
		d.VPERMILPS(d.row, hot, out)
	} else {
		d.VPERMD(hot, d.row, out)
	}
}
