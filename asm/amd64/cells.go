package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A cellWriter turns bits into cells. A unit is what is blended: a cell, or
// half of a cell of 16 bytes. A bit is one of a mask register with AVX-512, and
// a byte of a vector that is 0 or -1 with AVX2. A kernel that takes the width
// as a parameter has a width of 0 here and works by bytes.
//
// Cells get every bit of on or off unchanged: with AVX2, an exclusive or of off
// with the masked on^off gives back one or the other.
//
// The emitter is not embedded: each type that had all methods of avo's context
// would take the compiler seconds.
type cellWriter struct {
	e           *emitter
	width, unit int            // 0 if the width is a parameter
	byteOf      reg.VecVirtual // if the width is a parameter: the place of each byte in its cell
	off, miss   reg.VecVirtual
	on          reg.VecVirtual // with AVX2 on^off
	lanes       int            // units in a vector
	stream      bool           // whether stores are non-temporal
}

func newCellWriter(e *emitter) *cellWriter {
	c := &cellWriter{e: e, width: e.key.Bytes, unit: min(e.key.Bytes, 8), stream: strings.HasSuffix(e.entry.Name, "Stream")}
	if c.width > 0 {
		c.lanes = e.bytes / c.unit
	}
	return c
}

// told sets up a kernel that takes the width as a parameter: it loads the
// width, and the place of each byte in its cell.
func (c *cellWriter) told() (width reg.GPVirtual) {
	width = c.e.param("width")
	low, iota := c.e.GP64(), c.e.vector()
	c.e.LEAQ(operand.Mem{Base: width, Disp: -1}, low)
	c.byteOf = c.e.splat(8, low, "each byte's place in its cell")
	c.e.load(c.e.iota, iota)
	c.e.and(iota, c.byteOf, c.byteOf)
	return width
}

// cellsOf sets cells to those of a vector, and CX to the logarithm of the
// width.
func (c *cellWriter) cellsOf(width, cells reg.GPVirtual) {
	c.e.BSFQ(width, reg.RCX)
	c.e.set(cells, c.e.bytes)
	c.e.SHRQ(reg.CL, cells)
}

// widening sets up, for AVX2, how classes spread over the bytes of their cells:
// the cells of a vector, in a general register and in every byte of another
// vector, and which class each byte of the first vector picks.
func (c *cellWriter) widening(width reg.GPVirtual) (cells reg.GPVirtual, each, pick reg.VecVirtual) {
	shift, mask := c.e.vector(), c.e.vector()
	cells = c.e.GP64()
	c.cellsOf(width, cells)
	each = c.e.splat(8, cells, "cells of a vector")
	pick = named(c.e, c.e.vector(), "which class each byte picks")
	c.e.load(c.e.iota, pick)
	c.e.VMOVQ(reg.RCX, shift.AsX())
	c.e.VPSRLW(shift.AsX(), pick, pick)
	c.e.ones(mask)
	c.e.VPADDB(mask, each, mask)
	c.e.VPAND(mask, pick, pick) // clears the bits that came from the next byte
	return cells, each, pick
}

// values loads on and off, or on^off and off with AVX2.
func (c *cellWriter) values(v reg.GPVirtual) {
	c.on, c.off = c.value(v, 0, "on"), c.value(v, 16, "off")
	if !c.e.wide() {
		c.e.VPXOR(c.off, c.on, named(c.e, c.on, "on^off"))
	}
}

// offIsZero returns a register that is not 0 if off is zero, for AVX2.
func (c *cellWriter) offIsZero() (zero reg.GPVirtual) {
	zero = named(c.e, c.e.GP64(), "whether off is zero")
	c.e.XORL(zero.As32(), zero.As32())
	c.e.VPTEST(c.off, c.off)
	c.e.SETEQ(zero.As8())
	return zero
}

// value repeats the value disp bytes from v in a new register.
func (c *cellWriter) value(v reg.GPVirtual, disp int, name string) reg.VecVirtual {
	x, m := named(c.e, c.e.vector(), name), operand.Mem{Base: v, Disp: disp}
	switch {
	case c.byteOf != nil:
		// Load the halves apart, as they were stored: a load of two stores waits.
		high := c.e.vector()
		c.e.VPBROADCASTQ(m, x)
		c.e.VPBROADCASTQ(m.Offset(8), high)
		c.e.VPUNPCKLQDQ(high, x, x)
		c.e.VPSHUFB(c.byteOf, x, x)
	case c.width < 16:
		c.e.byWidth(8*c.width, c.e.VPBROADCASTB, c.e.VPBROADCASTW, c.e.VPBROADCASTD, c.e.VPBROADCASTQ)(m, x)
	case c.e.wide():
		c.e.VBROADCASTI32X4(m, x)
	default:
		c.e.VBROADCASTI128(m, x)
	}
	return x
}

// write writes the units of all bits of a mask register.
func (c *cellWriter) write(on reg.Register, to operand.Mem) {
	for i := range c.unit {
		out := c.e.vector()
		c.blend(c.on, c.off, c.shifted(on, i), out)
		c.put(out, to.Offset(i*c.e.bytes))
	}
}

// put stores a vector of cells, with a non-temporal store if the family does.
func (c *cellWriter) put(v reg.Register, m operand.Mem) {
	if c.stream {
		c.e.VMOVNTDQ(v, m)
	} else {
		c.e.store(v, m)
	}
}

// blend sets out to x in the units whose bit is set and to y in the others.
func (c *cellWriter) blend(x, y reg.VecVirtual, k reg.Register, out reg.VecVirtual) {
	c.e.byWidth(8*c.unit, c.e.VPBLENDMB, c.e.VPBLENDMW, c.e.VPBLENDMD, c.e.VPBLENDMQ)(x, y, k, out)
}

// shifted returns a mask whose lowest bits are those of vector i.
func (c *cellWriter) shifted(mask reg.Register, i int) reg.Register {
	if i == 0 {
		return mask
	}
	k := c.e.K()
	c.e.KSHIFTRQ(operand.U8(i*c.lanes), mask, k)
	return k
}

// cells writes rows of cells from words of bits. With AVX-512 the bits are a
// mask as they are. AVX2 repeats some of them in every lane, and each lane
// tests its own bit. From cells of 4 bytes on, lanes have 32 bits and all lanes
// of a cell test the same bit, so that one kernel does for every width.
func cells(e *emitter) {
	b := &bitReader{cellWriter: newCellWriter(e)}
	e.prose("Rows that fit one vector have a loop of their own, in which the registers of cell and word hold the steps to the next row. For longer rows, the outer loop goes over rows, and the one in it over words, which have the bits of 64 cells. Vectors of cells are then written several a turn and in the end one by one." + e.wideProse("Other loops prefetch the output, and write every vector by itself.") + " With AVX-512 the bits of a word are the mask of a blend. With AVX2 they are repeated in every lane, each lane keeps a bit of its own, and a VPSIGN and an exclusive or make on or off of it.")
	b.dst, b.words, b.plane, b.rows = e.param("dst"), e.param("words"), e.param("plane"), e.param("rows")
	b.setup()
	v := e.param("v")
	b.values(v)
	b.signs()
	if b.width == 0 {
		b.zero = b.offIsZero()
	}
	b.to, b.from, b.left = named(e, e.GP64(), "cell"), named(e, e.GP64(), "word"), named(e, e.GP64(), "cells left")
	e.argument("cells", b.left)
	e.argument("stride", b.to)
	e.argument("next", b.from)
	if e.wide() {
		e.ifAhead(v, "ahead")
	}
	b.singles("")
	b.eachRow("", func() {
		switch {
		case e.wide():
			b.masks()
		case b.width == 0:
			b.toldLanes()
		default:
			b.narrowLanes()
		}
		e.Label("next")
	})
	if e.wide() {
		e.JMP(operand.LabelRef("written"))
		e.Label("ahead")
		b.singles("ahead")
		b.eachRow("ahead", b.masksAhead)
	}
	e.Label("written")
}

// eachRow emits the loop over rows that do not fit one vector. body writes a
// row: it starts at the label of a word.
func (b *bitReader) eachRow(name string, body func()) {
	b.e.repeat(name+"row", b.rows, func() {
		b.e.MOVQ(b.dst, b.to)
		b.e.MOVQ(b.words, b.from)
		b.e.argument("cells", b.left)
		b.e.Label(name + "word")
		body()
		b.e.ADDQ(b.e.inFrame("stride"), b.dst)
		b.e.ADDQ(b.e.inFrame("next"), b.words)
	})
}

// A bitReader gives the bits of a word to a cellWriter.
type bitReader struct {
	*cellWriter
	dst, words, plane, rows reg.GPVirtual // arguments
	to, from, left          reg.GPVirtual // the cell and the word, in loops over single vectors the steps to the next, and cells left in the row

	pairs reg.GPVirtual    // AVX-512: every other bit, for cells of two units
	own   []reg.VecVirtual // AVX2: the bit that each lane tests, by vector of a turn
	last  reg.VecVirtual   // AVX2: on^off for the last of these vectors, negated in lanes that test their sign bit
	order reg.VecVirtual   // AVX2, cells of 1 byte: which of 4 bytes has the bit of a lane
	shift reg.VecVirtual   // if the width is a parameter: cells of a vector, as a shift
	per   reg.GPVirtual    // the same as a number; CX has those of a turn
	zero  reg.GPVirtual    // if the width is a parameter: whether off is zero
}

func (b *bitReader) setup() {
	if b.e.wide() {
		if b.width == 16 {
			b.pairs = named(b.e, b.e.GP64(), "every other bit")
			b.e.MOVQ(operand.U64(0x5555555555555555), b.pairs)
		}
		return
	}
	if b.width == 0 {
		b.toldBits()
		return
	}
	if b.width == 1 {
		b.own, b.order = []reg.VecVirtual{b.e.ownBits()}, b.e.table("which byte has the bit of a byte", byteOfLane())
		return
	}
	own := make([]byte, 32)
	for cell := range 16 {
		own[2*cell+cell/8] = 1 << (cell % 8)
	}
	b.own = []reg.VecVirtual{b.e.table("bit that a lane tests", own)}
}

// singles emits the loops over rows that fit one vector. Short rows have short
// vectors: a store that leaves its cache line costs two. With a name, which
// their labels start with, they prefetch.
func (b *bitReader) singles(name string) {
	for bytes := 32; bytes <= b.e.bytes; bytes *= 2 {
		b.single(name, bytes)
	}
}

// single emits the loop over rows that fit a vector of that many bytes. In it,
// to and from are what is added to dst and words for the next row. With a name,
// it prefetches.
func (b *bitReader) single(name string, bytes int) {
	e, longer := b.e, fmt.Sprintf("%slonger%d", name, bytes)
	if b.width == 0 {
		e.CMPQ(b.left, b.per)
	} else {
		e.CMPQ(b.left, operand.I32(int32(bytes/b.width)))
	}
	e.JGT(operand.LabelRef(longer))
	e.repeat(fmt.Sprintf("%ssingle%d", name, bytes), b.rows, func() {
		if e.wide() {
			bits := e.GP64()
			e.MOVQ(operand.Mem{Base: b.words}, bits)
			b.lowest(bits, bytes, operand.Mem{Base: b.dst}, name != "")
		} else {
			b.lane(operand.Mem{Base: b.words}, operand.Mem{Base: b.dst})
		}
		e.ADDQ(b.to, b.dst)
		e.ADDQ(b.from, b.words)
	})
	e.JMP(operand.LabelRef("written"))
	e.Label(longer)
}

// lowest writes a vector of so many bytes with AVX-512, from the lowest bits of
// word. If ahead is set, it also prefetches.
func (b *bitReader) lowest(word reg.GPVirtual, bytes int, to operand.Mem, ahead bool) {
	on, off, out := b.on, b.off, b.e.vector()
	if bytes == 32 {
		on, off, out = on.AsY().(reg.VecVirtual), off.AsY().(reg.VecVirtual), out.AsY().(reg.VecVirtual)
	}
	if ahead {
		b.e.PREFETCHT0(to.Offset(farAhead))
	}
	b.blend(on, off, b.mask(word), out)
	b.e.VMOVDQU64(out, to)
}

// masks emits the AVX-512 loop over a word, which goes on with the next one.
func (b *bitReader) masks() {
	e := b.e
	perVector, perMask := e.bytes/b.width, e.bytes*b.unit/b.width
	word, inWord := b.nextWord()
	if perMask < 64 {
		e.set(inWord, 64)
		e.Label("mask")
	}
	if perVector == 64 { // a vector has the cells of a word
		b.write(b.mask(word), operand.Mem{Base: b.to})
		e.ADDQ(operand.I32(int32(e.bytes)), b.to)
		e.SUBQ(operand.I32(int32(perVector)), b.left)
		e.JGT(operand.LabelRef("word"))
		return
	}
	e.SUBQ(operand.I32(int32(perMask)), b.left)
	e.JLT(operand.LabelRef("few"))
	b.write(b.mask(word), operand.Mem{Base: b.to})
	e.ADDQ(operand.I32(int32(perMask*b.width)), b.to)
	if perMask < 64 {
		e.SHRQ(operand.U8(perMask), word)
		e.SUBQ(operand.I32(int32(perMask)), inWord)
		e.JNZ(operand.LabelRef("mask"))
	}
	e.TESTQ(b.left, b.left)
	e.JNZ(operand.LabelRef("word"))
	e.JMP(operand.LabelRef("next"))
	b.tail(perMask, perVector, func() {
		b.lowest(word, e.bytes, operand.Mem{Base: b.to}, false)
		e.SHRQ(operand.U8(perVector&63), word)
	})
}

// masksAhead is masks with prefetches. It writes every vector by itself: where
// stores wait for memory, several a turn gain nothing.
func (b *bitReader) masksAhead() {
	e, per := b.e, b.e.bytes/b.width
	word, inWord := b.nextWord()
	if per < 64 {
		b.ofWord(inWord)
		e.Label("aheadvector")
	}
	b.lowest(word, e.bytes, operand.Mem{Base: b.to}, true)
	e.ADDQ(operand.I32(int32(e.bytes)), b.to)
	if per < 64 {
		e.SHRQ(operand.U8(per), word)
		e.SUBQ(operand.I32(int32(per)), inWord)
		e.JGT(operand.LabelRef("aheadvector"))
		e.TESTQ(b.left, b.left)
	} else {
		e.SUBQ(operand.I32(int32(per)), b.left)
	}
	e.JGT(operand.LabelRef("aheadword"))
}

// tail emits the loop over the cells that are left, step of them a turn. The
// caller has subtracted one round too many from left.
func (b *bitReader) tail(round, step int, body func()) {
	b.e.Label("few")
	b.e.ADDQ(operand.I32(int32(round)), b.left)
	b.e.JZ(operand.LabelRef("next"))
	if b.width == 1 { // from a multiple of 32 the jump of other widths would cross one
		b.e.alignLoop()
	}
	b.e.Label("vector")
	body()
	b.e.ADDQ(operand.I32(int32(step*b.width)), b.to)
	b.e.SUBQ(operand.I32(int32(step)), b.left)
	b.e.JGT(operand.LabelRef("vector"))
}

// mask returns the bits of the lowest cells of a word as write expects them.
func (b *bitReader) mask(word reg.GPVirtual) reg.Register {
	k := b.e.K()
	if b.width == 16 {
		pairs := b.e.GP64()
		b.e.PDEPQ(b.pairs, word, pairs)
		b.e.LEAQ(operand.Mem{Base: pairs, Index: pairs, Scale: 2}, pairs)
		b.e.KMOVQ(pairs, k)
	} else {
		b.e.KMOVQ(word, k)
	}
	return k
}

// nextWord loads the bits of the next 64 cells. It also returns a register for
// how many of these cells are left.
func (b *bitReader) nextWord() (word, inWord reg.GPVirtual) {
	word, inWord = named(b.e, b.e.GP64(), "bits"), named(b.e, b.e.GP64(), "cells left in the word")
	b.e.MOVQ(operand.Mem{Base: b.from}, word)
	b.e.ADDQ(b.plane, b.from)
	return word, inWord
}

// ofWord sets inWord to how many of the left cells have their bits in the
// current word, and subtracts it from left.
func (b *bitReader) ofWord(inWord reg.GPVirtual) {
	b.e.set(inWord, 64)
	b.e.CMPQ(b.left, inWord)
	b.e.CMOVQLT(b.left, inWord)
	b.e.SUBQ(inWord, b.left)
}

// narrowLanes emits the AVX2 loop over a word, for cells of one or two bytes.
// Only the last word of a row may have fewer cells than bits.
func (b *bitReader) narrowLanes() {
	e, per := b.e, 32/b.width // cells of a vector
	e.SUBQ(operand.I32(64), b.left)
	e.JLT(operand.LabelRef("few"))
	for c := 0; c < 64; c += per {
		b.lane(operand.Mem{Base: b.from, Disp: c / 8}, operand.Mem{Base: b.to, Disp: c * b.width})
	}
	e.ADDQ(b.plane, b.from)
	e.advance(b.to, 64*b.width)
	e.TESTQ(b.left, b.left)
	e.JNZ(operand.LabelRef("word"))
	e.JMP(operand.LabelRef("next"))
	b.tail(64, per, func() {
		b.lane(operand.Mem{Base: b.from}, operand.Mem{Base: b.to})
		e.ADDQ(operand.I32(int32(per/8)), b.from)
	})
}

// lane writes a vector of cells from the bits at m.
func (b *bitReader) lane(m operand.Mem, to operand.Mem) {
	out := b.e.vector()
	if b.width == 2 {
		b.e.VPBROADCASTW(m, out)
	} else { // also for single, where the width is a parameter
		b.e.VPBROADCASTD(m, out)
	}
	if b.width == 1 {
		b.e.VPSHUFB(b.order, out, out)
	}
	b.test(out, 0, false, out, to)
}

// signs sets up what test needs besides the bits that lanes test. With a
// parameter for the width, only the last vector of a turn can test a sign bit.
func (b *bitReader) signs() {
	if b.e.wide() {
		return
	}
	b.last = named(b.e, b.e.vector(), "on^off, negated where a lane tests its sign bit")
	b.sign(b.own[len(b.own)-1], b.on, b.last)
}

// sign sets out to x in the lanes where by is above zero, to 0 where it is
// zero, and to -x where it is below.
func (b *bitReader) sign(by, x, out reg.VecVirtual) {
	[]func(by, x, out operand.Op){b.e.VPSIGNB, b.e.VPSIGNW, b.e.VPSIGND}[log2(cmp.Or(b.width, 4))](by, x, out)
}

// test writes a vector of cells from bits that every lane has. A lane that
// keeps its own bit is above zero or zero, or below zero if that is its sign
// bit: a second negation gives on^off back. zero says that off is zero.
func (b *bitReader) test(bits reg.VecVirtual, own int, zero bool, out reg.VecVirtual, to operand.Mem) {
	on := b.on
	if own == len(b.own)-1 {
		on = b.last
	}
	b.e.VPAND(b.own[own], bits, out)
	b.sign(out, on, out)
	if !zero {
		b.e.VPXOR(b.off, out, out)
	}
	b.e.store(out, to)
}

// toldBits sets up a kernel that takes the width as a parameter: the bits that
// the lanes of four vectors test, and how many cells these vectors have.
func (b *bitReader) toldBits() {
	width := b.told()
	lane, bit, each, shift := b.e.vector(), b.e.vector(), b.e.vector(), b.e.vector()
	b.per = named(b.e, b.e.GP64(), "cells of a vector")
	b.cellsOf(width, b.per)
	b.e.SUBQ(operand.U8(2), reg.RCX)
	b.e.VMOVQ(reg.RCX, shift.AsX())
	b.e.VPMOVZXBD(b.e.iota, lane)
	b.e.VPSRLD(shift.AsX(), lane, lane)
	b.e.ones(bit)
	b.e.VPSRLD(operand.U8(31), bit, bit)
	b.e.broadcast(32, b.per, each)
	for i := range 4 {
		own := named(b.e, b.e.vector(), "bit that a lane tests")
		b.e.VPSLLVD(lane, bit, own)
		if i < 3 {
			b.e.VPADDD(each, lane, lane)
		}
		b.own = append(b.own, own)
	}
	b.shift = named(b.e, b.e.vector(), "cells of a vector")
	b.e.VMOVQ(b.per, b.shift.AsX())
	b.e.LEAQ(operand.Mem{Base: b.per, Index: b.per, Scale: 1}, named(b.e, reg.RCX, "cells of four vectors"))
	b.e.ADDQ(reg.RCX, reg.RCX)
}

// toldLanes is narrowLanes for wider cells, whose width is a parameter.
func (b *bitReader) toldLanes() {
	e := b.e
	word, inWord := b.nextWord()
	bits, out := e.vector(), e.vector()
	b.ofWord(inWord)
	e.SUBQ(reg.RCX, inWord)
	e.JLT(operand.LabelRef("few"))
	rounds := func(label string, zero bool) {
		e.Label(label)
		e.broadcast(32, word, bits)
		for i := range b.own {
			b.test(bits, i, zero, out, operand.Mem{Base: b.to, Disp: i * b.e.bytes})
		}
		e.SHRQ(reg.CL, word)
		e.advance(b.to, len(b.own)*b.e.bytes)
		e.SUBQ(reg.RCX, inWord)
		e.JGE(operand.LabelRef(label))
	}
	e.TESTQ(b.zero, b.zero)
	e.JZ(operand.LabelRef("round"))
	e.alignLoop()
	rounds("zero", true)
	e.JMP(operand.LabelRef("few"))
	e.alignMiddle(32) // as alignLoop; from a multiple of 32 its jump would cross one
	rounds("round", false)
	e.Label("few")
	e.ADDQ(reg.RCX, inWord)
	e.JZ(operand.LabelRef("done"))
	e.broadcast(32, word, bits)
	e.Label("vector")
	b.test(bits, 0, false, out, operand.Mem{Base: b.to})
	e.VPSRLD(b.shift.AsX(), bits, bits)
	e.ADDQ(operand.I32(int32(b.e.bytes)), b.to)
	e.SUBQ(b.per, inWord)
	e.JGT(operand.LabelRef("vector"))
	e.alignLoop() // so that the jumps of the outer loops do not cross a multiple of 32
	e.Label("done")
	e.TESTQ(b.left, b.left)
	e.JNZ(operand.LabelRef("word"))
}

// ownBits returns a vector of the bit that each byte tests.
func (e *emitter) ownBits() reg.VecVirtual {
	return e.table("bit that a byte tests", []byte{1, 2, 4, 8, 16, 32, 64, 128})
}

// byteOfLane returns, for each byte of a vector, which of 4 bytes has its bit.
func byteOfLane() []byte { return count(32, 8) }
