package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A cellWriter turns bits into cells, for every kernel that does. Units are
// what is blended: cells, or the halves of those of 16 bytes. A bit is one of a
// mask register with AVX-512, and a byte of a vector that is 0 or -1 with AVX2.
// A kernel that is told the width has none here, and works by bytes.
//
// Nothing is computed from the values: AVX2's exclusive or with a mask of
// on^off gives back on or off, every bit of them.
type cellWriter struct {
	*emitter
	width, unit int            // 0 if the kernel is told
	byteOf      reg.VecVirtual // if it is: which byte of a cell each byte is
	off, miss   reg.VecVirtual
	on          reg.VecVirtual // with AVX2 what differs from off
	lanes       int            // units of a vector
	stream      bool           // by non-temporal stores
}

func newCellWriter(e *emitter) *cellWriter {
	c := &cellWriter{emitter: e, width: e.key.Bytes, unit: min(e.key.Bytes, 8), stream: strings.HasSuffix(e.entry.Name, "Stream")}
	if c.width > 0 {
		c.lanes = e.bytes / c.unit
	}
	return c
}

// told sets up a kernel that is told the width: which byte of a cell each byte
// is.
func (c *cellWriter) told() (width reg.GPVirtual) {
	width = c.param("width")
	low, iota := c.GP64(), c.vector()
	c.LEAQ(operand.Mem{Base: width, Disp: -1}, low)
	c.byteOf = c.splat(8, low, "byte of the cell")
	c.load(c.iota, iota)
	c.and(iota, c.byteOf, c.byteOf)
	return width
}

// cellsOf sets a register to the cells of a vector, and RCX to the logarithm of
// the width.
func (c *cellWriter) cellsOf(width, cells reg.GPVirtual) {
	c.BSFQ(width, reg.RCX)
	c.MOVQ(operand.U32(uint32(c.bytes)), cells)
	c.SHRQ(reg.CL, cells)
}

// widening returns, for AVX2, the cells of a vector, in a general register and
// in every byte of another vector, and which class each byte of the first
// picks.
func (c *cellWriter) widening(width reg.GPVirtual) (cells reg.GPVirtual, each, pick reg.VecVirtual) {
	shift, mask := c.vector(), c.vector()
	cells = c.GP64()
	c.cellsOf(width, cells)
	each = c.splat(8, cells, "cells of a vector")
	pick = named(c.emitter, c.vector(), "classes of the bytes of a vector")
	c.load(c.iota, pick)
	c.VMOVQ(reg.RCX, shift.AsX())
	c.VPSRLW(shift.AsX(), pick, pick)
	c.ones(mask)
	c.VPADDB(mask, each, mask)
	c.VPAND(mask, pick, pick) // without the bits that came from the byte beside
	return cells, each, pick
}

// values loads on and off.
func (c *cellWriter) values(v reg.GPVirtual) {
	c.on, c.off = c.value(v, 0, "on"), c.value(v, 16, "off")
	if !c.wide() {
		c.VPXOR(c.off, c.on, named(c.emitter, c.on, "on^off"))
	}
}

// value repeats one of the values.
func (c *cellWriter) value(v reg.GPVirtual, disp int, name string) reg.VecVirtual {
	x, m := named(c.emitter, c.vector(), name), operand.Mem{Base: v, Disp: disp}
	switch {
	case c.byteOf != nil:
		// By halves, as the caller has stored them: a load of two stores waits.
		high := c.vector()
		c.VPBROADCASTQ(m, x)
		c.VPBROADCASTQ(m.Offset(8), high)
		c.VPUNPCKLQDQ(high, x, x)
		c.VPSHUFB(c.byteOf, x, x)
	case c.width < 16:
		c.byWidth(8*c.width, c.VPBROADCASTB, c.VPBROADCASTW, c.VPBROADCASTD, c.VPBROADCASTQ)(m, x)
	case c.wide():
		c.VBROADCASTI32X4(m, x)
	default:
		c.VBROADCASTI128(m, x)
	}
	return x
}

// write writes a unit for each bit of a mask register.
func (c *cellWriter) write(on reg.Register, to operand.Mem) {
	for i := range c.unit {
		out := c.vector()
		c.blend(c.on, c.off, c.shifted(on, i), out)
		c.put(out, to.Offset(i*c.bytes))
	}
}

// put stores cells, by a non-temporal store in the families of those.
func (c *cellWriter) put(v reg.Register, m operand.Mem) {
	if c.stream {
		c.VMOVNTDQ(v, m)
	} else {
		c.store(v, m)
	}
}

// blend takes x where the bit is set and y elsewhere.
func (c *cellWriter) blend(x, y reg.VecVirtual, k reg.Register, out reg.VecVirtual) {
	c.byWidth(8*c.unit, c.VPBLENDMB, c.VPBLENDMW, c.VPBLENDMD, c.VPBLENDMQ)(x, y, k, out)
}

// shifted gives the bits of vector i.
func (c *cellWriter) shifted(mask reg.Register, i int) reg.Register {
	if i == 0 {
		return mask
	}
	k := c.K()
	c.KSHIFTRQ(operand.U8(i*c.lanes), mask, k)
	return k
}

// cells writes rows of cells from words. With AVX-512 bits are a mask as they
// are; AVX2 repeats some of them in every lane, where each is compared with the
// bit that is its own. From 4 bytes on lanes of AVX2 are of 32 bits, all of
// those of a cell alike, so that one kernel does for every width.
func cells(e *emitter) {
	b := &bitReader{cellWriter: newCellWriter(e)}
	e.prose("Rows of one vector have a loop of their own, in which cell and word are steps; others a loop over rows; in it one over words of 64 cells; in it one over a few vectors, then one over single ones.")
	dst, words, plane, rows := e.param("dst"), e.param("words"), e.param("plane"), e.param("rows")
	b.setup()
	b.values(e.param("v"))
	to, from, left := named(e, e.GP64(), "cell"), named(e, e.GP64(), "word"), named(e, e.GP64(), "cells left")
	b.singles(dst, words, rows, to, from, left)
	e.repeat("row", rows, func() {
		e.MOVQ(dst, to)
		e.MOVQ(words, from)
		e.argument("cells", left)
		e.Label("word")
		switch {
		case e.wide():
			b.masks(from, plane, to, left)
		case b.width == 0:
			b.toldLanes(from, plane, to, left)
		default:
			b.narrowLanes(from, plane, to, left)
		}
		e.Label("next")
		e.ADDQ(e.inFrame("stride"), dst)
		e.ADDQ(e.inFrame("next"), words)
	})
	e.Label("written")
}

// A bitReader brings the bits of a word to a cellWriter.
type bitReader struct {
	*cellWriter
	pairs reg.GPVirtual    // AVX-512: every other bit, for cells of two units
	own   []reg.VecVirtual // AVX2: the bit of each lane, by vector of a group
	order reg.VecVirtual   // AVX2, bytes: which of 4 has the bit of a lane
	per   reg.GPVirtual    // told the width: cells of a vector; RCX has those of a round
}

func (b *bitReader) setup() {
	if b.wide() {
		if b.width == 16 {
			b.pairs = named(b.emitter, b.GP64(), "every other bit")
			b.MOVQ(operand.U64(0x5555555555555555), b.pairs)
		}
		return
	}
	if b.width == 0 {
		b.toldBits()
		return
	}
	if b.width == 1 {
		b.own, b.order = []reg.VecVirtual{b.ownBits()}, b.table("byte of a lane", byteOfLane())
		return
	}
	own := make([]byte, 32)
	for cell := range 16 {
		own[2*cell+cell/8] = 1 << (cell % 8)
	}
	b.own = []reg.VecVirtual{b.table("bit of a lane", own)}
}

// singles are the loops over rows of one vector, in which to and from are what
// comes on top of dst and words.
func (b *bitReader) singles(dst, words, rows, to, from, left reg.GPVirtual) {
	e := b.emitter
	e.argument("cells", left)
	for bytes := 32; bytes <= e.bytes; bytes *= 2 {
		label, longer := fmt.Sprintf("single%d", bytes), fmt.Sprintf("longer%d", bytes)
		if b.width == 0 {
			e.CMPQ(left, b.per)
		} else {
			e.CMPQ(left, operand.I32(int32(bytes/b.width)))
		}
		e.JGT(operand.LabelRef(longer))
		e.argument("stride", to)
		e.argument("next", from)
		e.repeat(label, rows, func() {
			b.single(bytes, operand.Mem{Base: words}, operand.Mem{Base: dst})
			e.ADDQ(to, dst)
			e.ADDQ(from, words)
		})
		e.JMP(operand.LabelRef("written"))
		e.Label(longer)
	}
}

// single writes a row that is no longer than a vector of that many bytes. Short
// rows have short ones: a store that leaves its cache line is two.
func (b *bitReader) single(bytes int, word, to operand.Mem) {
	if !b.wide() {
		b.lane(word, to)
		return
	}
	bits, out := b.GP64(), b.vector()
	b.MOVQ(word, bits)
	on, off := b.on, b.off
	if bytes == 32 {
		on, off, out = on.AsY().(reg.VecVirtual), off.AsY().(reg.VecVirtual), out.AsY().(reg.VecVirtual)
	}
	b.blend(on, off, b.mask(bits), out)
	b.VMOVDQU64(out, to)
}

// masks is the loop over a word with AVX-512, which goes on with the next word.
func (b *bitReader) masks(from, plane, to, left reg.GPVirtual) {
	e := b.emitter
	perVector, perMask := e.bytes/b.width, e.bytes*b.unit/b.width
	word, inWord := named(e, e.GP64(), "bits"), named(e, e.GP64(), "cells left of the word")
	e.MOVQ(operand.Mem{Base: from}, word)
	e.ADDQ(plane, from)
	if perMask < 64 {
		e.MOVQ(operand.I32(64), inWord)
		e.Label("mask")
	}
	e.SUBQ(operand.I32(int32(perMask)), left)
	e.JLT(operand.LabelRef("few"))
	b.write(b.mask(word), operand.Mem{Base: to})
	e.ADDQ(operand.I32(int32(perMask*b.width)), to)
	if perMask < 64 {
		e.SHRQ(operand.U8(perMask), word)
		e.SUBQ(operand.I32(int32(perMask)), inWord)
		e.JNZ(operand.LabelRef("mask"))
	}
	e.TESTQ(left, left)
	e.JNZ(operand.LabelRef("word"))
	e.JMP(operand.LabelRef("next"))
	b.few(left, to, perMask, perVector, "next", func() {
		out := e.vector()
		b.blend(b.on, b.off, b.mask(word), out)
		e.store(out, operand.Mem{Base: to})
		e.SHRQ(operand.U8(perVector&63), word)
	})
}

// few is the loop over the cells that are left, step of them a turn, where a
// round was taken off and was too many.
func (b *bitReader) few(left, to reg.GPVirtual, round, step int, none string, body func()) {
	b.Label("few")
	b.ADDQ(operand.I32(int32(round)), left)
	b.JZ(operand.LabelRef(none))
	b.Label("vector")
	body()
	b.ADDQ(operand.I32(int32(step*b.width)), to)
	b.SUBQ(operand.I32(int32(step)), left)
	b.JGT(operand.LabelRef("vector"))
}

// mask gives the bits of the lowest cells of a word as write wants them.
func (b *bitReader) mask(word reg.GPVirtual) reg.Register {
	k := b.K()
	if b.width == 16 {
		pairs := b.GP64()
		b.PDEPQ(b.pairs, word, pairs)
		b.LEAQ(operand.Mem{Base: pairs, Index: pairs, Scale: 2}, pairs)
		b.KMOVQ(pairs, k)
	} else {
		b.KMOVQ(word, k)
	}
	return k
}

// ofWord takes the cells of a word off those that are left.
func (b *bitReader) ofWord(left, inWord reg.GPVirtual) {
	b.MOVQ(operand.I32(64), inWord)
	b.CMPQ(left, inWord)
	b.CMOVQLT(left, inWord)
	b.SUBQ(inWord, left)
}

// narrowLanes is the loop over a word with AVX2, for cells of one or two bytes.
func (b *bitReader) narrowLanes(from, plane, to, left reg.GPVirtual) {
	const round = 64
	e, per := b.emitter, 32/b.width // cells of a vector
	bits, inWord := named(e, e.GP64(), "bits"), named(e, e.GP64(), "cells left of the word")
	e.MOVQ(from, bits)
	e.ADDQ(plane, from)
	b.ofWord(left, inWord)
	e.SUBQ(operand.I32(round), inWord)
	e.JLT(operand.LabelRef("few"))
	for c := 0; c < round; c += per {
		b.lane(operand.Mem{Base: bits, Disp: c / 8}, operand.Mem{Base: to, Disp: c * b.width})
	}
	e.ADDQ(operand.I32(int32(round*b.width)), to)
	e.JMP(operand.LabelRef("done"))
	b.few(inWord, to, round, per, "done", func() {
		b.lane(operand.Mem{Base: bits}, operand.Mem{Base: to})
		e.ADDQ(operand.I32(int32(per/8)), bits)
	})
	e.Label("done")
	e.TESTQ(left, left)
	e.JNZ(operand.LabelRef("word"))
}

// lane writes a vector of cells from the bits at m.
func (b *bitReader) lane(m operand.Mem, to operand.Mem) {
	out := b.vector()
	if b.width == 2 {
		b.VPBROADCASTW(m, out)
	} else { // also of a row of one vector, told the width
		b.VPBROADCASTD(m, out)
	}
	if b.width == 1 {
		b.VPSHUFB(b.order, out, out)
	}
	b.test(out, 0, out, to)
}

// test writes a vector of cells from bits that are in every lane.
func (b *bitReader) test(bits reg.VecVirtual, own int, out reg.VecVirtual, to operand.Mem) {
	equal := b.byWidth(8*cmp.Or(b.width, 4), b.VPCMPEQB, b.VPCMPEQW, b.VPCMPEQD, nil)
	b.VPAND(b.own[own], bits, out)
	equal(b.own[own], out, out)
	b.VPAND(b.on, out, out)
	b.VPXOR(b.off, out, out)
	b.store(out, to)
}

// toldBits sets up a kernel that is told the width: the bits of four vectors of
// lanes, and how many cells these have.
func (b *bitReader) toldBits() {
	width := b.told()
	lane, bit, each, shift := b.vector(), b.vector(), b.vector(), b.vector()
	b.per = named(b.emitter, b.GP64(), "cells of a vector")
	b.cellsOf(width, b.per)
	b.SUBQ(operand.U8(2), reg.RCX)
	b.VMOVQ(reg.RCX, shift.AsX())
	b.VPMOVZXBD(b.iota, lane)
	b.VPSRLD(shift.AsX(), lane, lane)
	b.ones(bit)
	b.VPSRLD(operand.U8(31), bit, bit)
	b.broadcast(32, b.per, each)
	for range 4 {
		own := named(b.emitter, b.vector(), "bit of a lane")
		b.VPSLLVD(lane, bit, own)
		b.VPADDD(each, lane, lane)
		b.own = append(b.own, own)
	}
	b.LEAQ(operand.Mem{Base: b.per, Index: b.per, Scale: 1}, named(b.emitter, reg.RCX, "cells of four vectors"))
	b.ADDQ(reg.RCX, reg.RCX)
}

// toldLanes is the same where the width is told: cells of 4 bytes and more.
func (b *bitReader) toldLanes(from, plane, to, left reg.GPVirtual) {
	e := b.emitter
	word, inWord, bits, out := named(e, e.GP64(), "bits"), named(e, e.GP64(), "cells left of the word"), e.vector(), e.vector()
	e.MOVQ(operand.Mem{Base: from}, word)
	e.ADDQ(plane, from)
	b.ofWord(left, inWord)
	e.SUBQ(reg.RCX, inWord)
	e.JLT(operand.LabelRef("few"))
	e.Label("round")
	e.broadcast(32, word, bits)
	for i := range b.own {
		b.test(bits, i, out, operand.Mem{Base: to, Disp: i * b.bytes})
	}
	e.SHRQ(reg.CL, word)
	e.ADDQ(operand.I32(int32(len(b.own)*b.bytes)), to)
	e.SUBQ(reg.RCX, inWord)
	e.JGE(operand.LabelRef("round"))
	e.Label("few")
	e.ADDQ(reg.RCX, inWord)
	e.JZ(operand.LabelRef("done"))
	e.broadcast(32, word, bits)
	for i := range b.own {
		b.test(bits, i, out, operand.Mem{Base: to, Disp: i * b.bytes})
		e.SUBQ(b.per, inWord)
		e.JLE(operand.LabelRef("next"))
	}
	e.Label("done")
	e.TESTQ(left, left)
	e.JNZ(operand.LabelRef("word"))
}

// ownBits is, in each byte of a vector, the bit that is its own.
func (e *emitter) ownBits() reg.VecVirtual {
	return e.table("bit of a lane", []byte{1, 2, 4, 8, 16, 32, 64, 128})
}

// byteOfLane is which byte of 4 has the bit of a byte.
func byteOfLane() []byte { return count(32, 8) }
