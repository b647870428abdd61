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
type indexType struct {
	name     string // as in classesI64AVX512
	size     int
	unsigned bool // and narrower than the lanes, so that there is nothing to wrap
}

var indexTypes = []indexType{
	{"I8", 1, false}, {"U8", 1, true}, {"I16", 2, false}, {"U16", 2, true},
	{"I32", 4, false}, {"I64", 8, false}, {"F32", 4, false}, {"F64", 8, false},
}

// A classifier emits a kernel of the index stage: a vector of bytes a round.
type classifier struct {
	*emitter
	t           indexType
	indices     reg.GPVirtual
	a, b        reg.VecVirtual
	limit, ones reg.VecVirtual
	most        reg.VecVirtual // 255 in each lane, what a pack of signed lanes can take
	moves       reg.GPVirtual  // 0 where a and b are
	order       reg.VecVirtual // of the dwords that two packs leave, or of bytes
}

func classes(e *emitter, t indexType) {
	c := &classifier{emitter: e, t: t}
	e.kernel("classes", t.name, "A vector of bytes a round. The last round ends exactly at n, and of its misses those are shifted out that were counted before.")
	out := e.param("classes")
	c.indices = e.param("indices")
	n, first := e.param("n"), e.param("first")
	c.limit = e.splat(8, e.param("limit"), "limit")
	c.ones = named(e, e.vector(), "255s")
	e.ones(c.ones)
	bits := 32
	switch {
	case t.name == "U8":
		bits = 8
	case t.name == "I64" && e.wide():
		bits = 64
	}
	e.NEGQ(first)
	c.a = e.splat(bits, first, "-first")
	c.moves = named(e, e.GP64(), "wrap|first")
	e.MOVQ(first, c.moves)
	if !t.unsigned {
		e.ADDQ(e.param("wrap"), first)
		c.b = e.splat(bits, first, "wrap-first")
		e.ORQ(first, c.moves)
	}
	if bits == 32 {
		c.most = e.splatConst(32, 255, "255")
		if c.pairs() {
			c.order = e.table("order of words", []byte{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
		} else {
			c.order = e.table("order of dwords", c.dwordOrder())
		}
	}
	e.countRounds(n, "misses", []array{{c.indices, t.size}, {out, 1}}, func() reg.GPVirtual {
		x := c.bytes()
		missed := e.missesOf(x, c.limit, c.ones)
		e.store(x, operand.Mem{Base: out})
		return missed
	})
	e.done()
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

// pairs reports whether int64 are taken apart into dwords.
func (c *classifier) pairs() bool { return c.t.name == "I64" && !c.wide() }

// bytes loads indices and gives a vector of bytes, of which those are classes
// that are below limit.
func (c *classifier) bytes() reg.VecVirtual {
	switch {
	case c.t.name == "U8":
		x := c.vector()
		c.load(operand.Mem{Base: c.indices}, x)
		c.VPADDB(c.a, x, x)
		return x
	case c.t.name == "I64" && c.wide():
		return c.saturated()
	}
	return c.packed()
}

// packed makes bytes of a vector's worth of indices by two packs of 32-bit
// numbers. Where nothing wraps and first is 0, the numbers are what was loaded.
func (c *classifier) packed() reg.VecVirtual {
	var x, high [4]reg.VecVirtual
	for i := range x {
		x[i], high[i] = c.dwords(operand.Mem{Base: c.indices, Disp: i * c.emitter.bytes / 4 * c.t.size})
	}
	c.TESTQ(c.moves, c.moves)
	c.JZ(operand.LabelRef("narrow"))
	for i, x := range x {
		y := c.vector()
		if c.pairs() {
			c.VPSRAD(operand.U8(31), x, y)
			c.VPXOR(y, high[i], high[i])
		}
		if !c.t.unsigned {
			c.VPADDD(c.b, x, y)
		}
		c.VPADDD(c.a, x, x)
		if !c.t.unsigned {
			c.VPMINUD(y, x, x)
		}
	}
	c.Label("narrow")
	for _, x := range x {
		c.VPMINUD(c.most, x, x)
	}
	c.VPACKUSDW(x[1], x[0], x[0])
	c.VPACKUSDW(x[3], x[2], x[2])
	c.VPACKUSWB(x[2], x[0], x[0])
	if !c.pairs() {
		c.VPERMD(x[0], c.order, x[0])
		return x[0]
	}
	c.VPACKSSDW(high[1], high[0], high[0])
	c.VPACKSSDW(high[3], high[2], high[2])
	c.VPACKSSWB(high[2], high[0], high[0])
	zero := c.vector()
	c.zero(zero)
	c.VPCMPEQB(zero, high[0], high[0])
	c.VPANDN(c.ones, high[0], high[0])
	c.VPOR(high[0], x[0], x[0])
	c.VPERMQ(operand.U8(0xd8), x[0], x[0])
	c.VPSHUFB(c.order, x[0], x[0])
	return x[0]
}

// dwordOrder puts right what packs within 16 bytes leave: dword 4*lane+j is
// that of vector j.
func (c *classifier) dwordOrder() (order []byte) {
	lanes := c.emitter.bytes / 16
	for j := range 4 {
		for lane := range lanes {
			order = append(order, byte(4*lane+j), 0, 0, 0)
		}
	}
	return order
}

// dwords loads a vector of indices as 32-bit numbers. Of int64 it also gives
// the high halves, which tell whether the low ones are all.
func (c *classifier) dwords(m operand.Mem) (x, high reg.VecVirtual) {
	x = c.vector()
	switch c.t.name {
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
	case "F64":
		c.doubles(m, x)
	case "I64":
		high = c.halves(m, x)
	}
	return x, high
}

// doubles converts a vector's worth of float64.
func (c *classifier) doubles(m operand.Mem, x reg.VecVirtual) {
	if c.wide() {
		high := c.YMM()
		c.VCVTTPD2DQ(m, x.AsY())
		c.VCVTTPD2DQ(m.Offset(64), high)
		c.VINSERTI64X4(operand.U8(1), high, x, x)
		return
	}
	high := c.XMM()
	c.VCVTTPD2DQY(m, x.AsX())
	c.VCVTTPD2DQY(m.Offset(32), high)
	c.VINSERTI128(operand.U8(1), high, x, x)
}

// halves sets x to the low dwords of eight int64, and returns the high ones.
// The shuffle leaves pairs in the order 0, 2, 1, 3, which is put right when
// they are bytes.
func (c *classifier) halves(m operand.Mem, x reg.VecVirtual) (high reg.VecVirtual) {
	low := c.vector()
	high = c.vector()
	c.load(m, low)
	c.VSHUFPS(operand.U8(0x88), m.Offset(32), low, x)
	c.VSHUFPS(operand.U8(0xdd), m.Offset(32), low, high)
	return high
}

// saturated makes bytes of 64 int64 by the instruction that narrows and
// saturates at once. Where nothing wraps and first is 0, that is all.
func (c *classifier) saturated() reg.VecVirtual {
	var x [8]reg.VecVirtual
	for i := range x {
		x[i] = c.ZMM()
		c.load(operand.Mem{Base: c.indices, Disp: 64 * i}, x[i])
	}
	c.TESTQ(c.moves, c.moves)
	c.JZ(operand.LabelRef("narrow"))
	for _, x := range x {
		wrapped := c.ZMM()
		c.VPADDQ(c.b, x, wrapped)
		c.VPADDQ(c.a, x, x)
		c.VPMINUQ(wrapped, x, x)
	}
	c.Label("narrow")
	var quarter [4]reg.VecVirtual
	for i := range quarter {
		low, high := c.XMM(), c.XMM()
		c.VPMOVUSQB(x[2*i], low)
		c.VPMOVUSQB(x[2*i+1], high)
		quarter[i] = c.ZMM()
		c.VPUNPCKLQDQ(high, low, quarter[i].AsX())
	}
	for i := 0; i < 4; i += 2 {
		c.VINSERTI128(operand.U8(1), quarter[i+1].AsX(), quarter[i].AsY(), quarter[i].AsY())
	}
	c.VINSERTI64X4(operand.U8(1), quarter[2].AsY(), quarter[0], quarter[0])
	return quarter[0]
}
