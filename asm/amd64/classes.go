package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The index stage. With x as an integer and a = -first, b = wrap-first,
//
//	class-first = min(x+a, x+b), unsigned
//
// in both modes of negative indices. Without wrap the two are one, and whatever
// lies below first is huge. With wrap, x in [-depth, -1] comes round to
// x+depth-first, the smaller one; an x >= 0 has x+b >= depth-first, which is no
// class of these; an x below -depth is huge either way. What comes out is a
// class if it is below limit, and so is the byte that it saturates to.
//
// Floats need no more: the conversion truncates, and gives 0x80000000 for NaN,
// infinities and what does not fit, which is huge in either mode.
//
// Nor do int64 whose first+limit and wrap fit 16 bits: a signed pack of both
// halves to 16 bits each leaves what is in [-32768, 32767]. What is above is
// 32767 or more then, and what is below -32768 or less, or huge.
func classes(e *emitter) {
	c := &classifier{emitter: e}
	e.prose("A vector of bytes a round, of uint8 four while there are as many. The last round ends exactly at n, and of its misses those are shifted out that were counted before.")
	out := e.param("classes")
	c.indices = e.param("indices")
	n, first := e.param("n"), e.param("first")
	limit := e.splat(8, e.param("limit"), "limit")
	var ones reg.VecVirtual
	if e.wide() {
		ones = e.nones()
	}
	e.NEGQ(first)
	convert, unroll := c.packed, 1
	if e.key.Suffix == "U8" {
		c.a = e.splat(8, first, "-first")
		convert, unroll = c.added, 4
	} else {
		c.setup(first)
	}
	e.countRounds(n, "misses", []array{{c.indices, e.key.Bytes}, {out, 1}}, unroll, func(disp int) reg.GPVirtual {
		x := convert(disp)
		missed := e.missesOf(x, limit, ones)
		e.store(x, operand.Mem{Base: out, Disp: disp})
		return missed
	})
}

// A classifier makes a vector of bytes of indices, of which those are classes
// that are below limit.
type classifier struct {
	*emitter
	indices reg.GPVirtual
	a, b    reg.VecVirtual // no b where nothing wraps
	most    reg.VecVirtual // 255 in each word, what a pack to bytes leaves as it is
	moves   reg.GPVirtual  // 0 where the numbers are what was loaded
	order   reg.VecVirtual // of the dwords that two packs leave, or of bytes
}

// setup loads what indices become by way of 32 bits with, given -first.
func (c *classifier) setup(first reg.GPVirtual) {
	c.a = c.splat(32, first, "-first")
	c.moves = first
	if c.key.Suffix != "U16" { // which is narrower than the lanes and has no sign
		wrap := c.param("wrap")
		c.moves = named(c.emitter, c.GP64(), "wrap|first")
		c.MOVQ(wrap, c.moves)
		c.ORQ(first, c.moves)
		c.ADDQ(wrap, first)
		c.b = c.splat(32, first, "wrap-first")
	}
	c.most = c.splatConst(16, 255, "255")
	c.order = c.packedOrder()
}

// added makes bytes of bytes.
func (c *classifier) added(disp int) reg.VecVirtual {
	x := c.vector()
	c.load(operand.Mem{Base: c.indices, Disp: disp}, x)
	c.VPADDB(c.a, x, x)
	return x
}

// packed makes bytes of a vector's worth of indices by two packs of 32-bit
// numbers. The first saturates with a sign, so that what is huge, or was below
// 0, is a word of 32767 or more, unsigned. Where nothing wraps and first is 0,
// the numbers are what was loaded.
func (c *classifier) packed(int) reg.VecVirtual {
	var x [4]reg.VecVirtual
	for i := range x {
		x[i] = c.dwords(operand.Mem{Base: c.indices, Disp: i * c.bytes / 4 * c.key.Bytes})
	}
	c.TESTQ(c.moves, c.moves)
	c.JZ(operand.LabelRef("narrow"))
	for _, x := range x {
		if c.b == nil {
			c.VPADDD(c.a, x, x)
			continue
		}
		wrapped := c.vector()
		c.VPADDD(c.b, x, wrapped)
		c.VPADDD(c.a, x, x)
		c.VPMINUD(wrapped, x, x)
	}
	c.Label("narrow")
	for _, i := range []int{0, 2} {
		c.VPACKSSDW(x[i+1], x[i], x[i])
		c.VPMINUW(c.most, x[i], x[i])
	}
	c.VPACKUSWB(x[2], x[0], x[0])
	switch {
	case c.key.Suffix != "I64":
		c.VPERMD(x[0], c.order, x[0])
	case c.wide():
		c.VPERMW(x[0], c.order, x[0])
	default: // which has no permute of words
		c.VPERMQ(operand.U8(0xd8), x[0], x[0])
		c.VPSHUFB(c.order, x[0], x[0])
	}
	return x[0]
}

// packedOrder puts right what packs within 16 bytes leave: dword 4*lane+j is
// that of vector j. Of int64, which are packed once more, word 8*lane+j is.
func (c *classifier) packedOrder() reg.VecVirtual {
	vectors, lanes, name := 4, c.bytes/16, "order of dwords"
	if c.key.Suffix == "I64" {
		vectors, name = 8, "order of words"
	}
	if vectors == 8 && !c.wide() { // VPERMQ has brought quadwords of the lanes together
		return c.table(name, []byte{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
	}
	order := make([]byte, c.bytes)
	for i := range vectors * lanes {
		order[i*len(order)/vectors/lanes] = byte(i%lanes*vectors + i/lanes)
	}
	return c.table(name, order)
}

// dwords loads a vector of indices as 32-bit numbers.
func (c *classifier) dwords(m operand.Mem) reg.VecVirtual {
	x := c.vector()
	switch c.key.Suffix {
	case "I8":
		c.VPMOVSXBD(m, x)
	case "I16":
		c.VPMOVSXWD(m, x)
	case "U16":
		c.VPMOVZXWD(m, x)
	case "I32":
		c.load(m, x)
	case "F32":
		c.VCVTTPS2DQ(m, x)
	case "I64":
		c.load(m, x)
		c.VPACKSSDW(m.Offset(c.bytes), x, x)
	case "F64":
		high := c.vector()
		if c.wide() {
			c.VCVTTPD2DQ(m, x.AsY())
			c.VCVTTPD2DQ(m.Offset(64), high.AsY())
			c.VINSERTI64X4(operand.U8(1), high.AsY(), x, x)
		} else {
			c.VCVTTPD2DQY(m, x.AsX())
			c.VCVTTPD2DQY(m.Offset(32), high.AsX())
			c.VINSERTI128(operand.U8(1), high.AsX(), x, x)
		}
	}
	return x
}

// missesOf makes the bytes from limit on 255 and gives a bit for each.
func (e *emitter) missesOf(x, limit, ones reg.VecVirtual) reg.GPVirtual {
	missed := e.GP64()
	if e.wide() {
		const notBelow = operand.U8(5)
		k := e.K()
		e.VPCMPUB(notBelow, limit, x, k)
		e.VPBLENDMB(ones, x, k, x)
		e.KMOVQ(k, missed)
		return missed
	}
	miss := e.vector()
	e.VPMAXUB(x, limit, miss)
	e.VPCMPEQB(x, miss, miss)
	e.VPOR(miss, x, x)
	e.VPMOVMSKB(miss, missed.As32())
	return missed
}
