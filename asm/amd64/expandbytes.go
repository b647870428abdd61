package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// split sets even and odd to the words of a vector of bytes.
func (b *expandBase) split(bytes, even, odd reg.VecVirtual) {
	b.VPSRLW(operand.U8(8), bytes, odd)
	b.VPSLLW(operand.U8(8), bytes, even)
	b.VPSRLW(operand.U8(8), even, even)
}

// merge is the reverse of split, of words below 256.
func (b *expandBase) merge(even, odd, bytes reg.VecVirtual) {
	b.VPSLLW(operand.U8(8), odd, odd)
	if b.wide() {
		b.VPORD(even, odd, bytes)
	} else {
		b.VPOR(even, odd, bytes)
	}
}

// scaleBytes sets scale to lane number times depth, modulo 256.
func (b *expandBase) scaleBytes() {
	even, odd, depth := b.vector(), b.vector(), b.vector()
	b.broadcast(16, b.depth, depth)
	b.iota(8, b.scale)
	b.split(b.scale, even, odd)
	b.VPMULLW(depth, even, even)
	b.VPMULLW(depth, odd, odd)
	b.VPSLLW(operand.U8(8), even, even)
	b.VPSRLW(operand.U8(8), even, even)
	b.merge(even, odd, b.scale)
}

// byteRows is the shape for bytes on AVX-512.
type byteRows struct {
	*expandBase
	even, odd reg.VecVirtual // the current elements as words
	stepWords reg.VecVirtual
	rowOdd    reg.VecVirtual
	shiftUp   reg.VecVirtual // 8-shift
}

func (w *byteRows) shape() (int, int, string, string) {
	return 64, 64, "bytes", "Four blocks side by side, then single ones. 64 bytes written cost 6 instructions while four are left, 12 then."
}

func (w *byteRows) setup() {
	w.scaleBytes()
	w.step = w.splatConst(8, 64, "64 as bytes")
	w.stepWords = w.splatConst(16, 64, "64 as words")
	w.even, w.odd = named(w.emitter, w.vector(), "even elements"), named(w.emitter, w.vector(), "odd elements")
	w.rowOdd = named(w.emitter, w.vector(), "rows of odd elements")
	w.reciprocal()
	w.shiftUp = named(w.emitter, w.XMM(), "8-shift")
	r := w.GP64()
	w.argument("shift", r)
	w.NEGQ(r)
	w.ADDQ(operand.I32(8), r)
	w.VMOVQ(r, w.shiftUp)
}

func (w *byteRows) start() {
	w.iota(8, w.e)
	w.split(w.e, w.even, w.odd)
}

// rows shifts the rows of even elements up into the high bytes of their words, so that one double shift merges them with the odd ones.
func (w *byteRows) rows(reg.VecVirtual) {
	w.VPMULHUW(w.magic, w.even, w.row)
	w.VPMULHUW(w.magic, w.odd, w.rowOdd)
	w.VPSLLW(w.shiftUp, w.row, w.row)
	w.VPSRLW(w.shift, w.rowOdd, w.rowOdd)
	w.VPSHLDW(operand.U8(8), w.row, w.rowOdd, w.row)
}

func (w *byteRows) advance() {
	w.add(8, w.step, w.e, w.e)
	w.add(16, w.stepWords, w.even, w.even)
	w.add(16, w.stepWords, w.odd, w.odd)
}

func (w *byteRows) pick(hot, out reg.VecVirtual) { w.VPERMB(hot, w.row, out) }

// chunks is the shape for 8 and 16 bits on AVX2.
type chunks struct {
	*expandBase
	even, odd reg.VecVirtual // bytes: the current elements as words
	rowOdd    reg.VecVirtual
	stepWords reg.VecVirtual
	twice, hi reg.VecVirtual // words: 0x0202 and 0x0100, which make the two bytes' numbers of a row
}

func (c *chunks) shape() (int, int, string, string) {
	cost := 2*4 + 9.0/2
	if c.bits == 16 {
		cost = 2*4 + 5.0/2
	}
	return 128 / c.bits, 16, "chunks", fmt.Sprintf("Four blocks side by side, then single ones; the inner loop runs over the vectors of a block. 64 bytes written cost %v instructions while four are left.", cost)
}

func (c *chunks) setup() {
	c.step = c.splatConst(c.bits, 256/c.bits, "elements a vector")
	if c.bits == 8 {
		c.scaleBytes()
		c.VPERMQ(operand.U8(0x44), c.scale, c.scale)
		c.stepWords = c.splatConst(16, 32, "32 as words")
		c.even, c.odd = named(c.emitter, c.vector(), "even elements"), named(c.emitter, c.vector(), "odd elements")
		c.rowOdd = c.vector()
	} else {
		depth := c.vector()
		c.broadcast(16, c.depth, depth)
		c.iota(16, c.scale)
		c.VPMULLW(depth, c.scale, c.scale)
		c.VPERMQ(operand.U8(0x44), c.scale, c.scale)
		c.twice = c.splatConst(16, 0x0202, "0x0202")
		c.hi = c.splatConst(16, 0x0100, "0x0100")
	}
	c.reciprocal()
}

func (c *chunks) start() {
	c.iota(c.bits, c.e)
	if c.bits == 8 {
		c.split(c.e, c.even, c.odd)
	}
}

func (c *chunks) hot(m operand.Mem) reg.VecVirtual {
	v := c.vector()
	c.VBROADCASTI128(m, v)
	c.add(c.bits, c.scale, v, v)
	return v
}

func (c *chunks) rows(reg.VecVirtual) {
	if c.bits == 16 {
		c.VPMULHUW(c.magic, c.e, c.row)
		c.VPSRLW(c.shift, c.row, c.row)
		c.VPMULLW(c.twice, c.row, c.row)
		c.VPADDW(c.hi, c.row, c.row)
		return
	}
	c.VPMULHUW(c.magic, c.even, c.row)
	c.VPMULHUW(c.magic, c.odd, c.rowOdd)
	c.VPSRLW(c.shift, c.row, c.row)
	c.VPSRLW(c.shift, c.rowOdd, c.rowOdd)
	c.merge(c.row, c.rowOdd, c.row)
}

func (c *chunks) advance() {
	c.add(c.bits, c.step, c.e, c.e)
	if c.bits == 8 {
		c.add(16, c.stepWords, c.even, c.even)
		c.add(16, c.stepWords, c.odd, c.odd)
	}
}

func (c *chunks) pick(hot, out reg.VecVirtual) { c.VPSHUFB(c.row, hot, out) }
