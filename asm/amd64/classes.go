package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
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
// A classifier emits a kernel of the index stage: a vector of bytes a round.
type classifier struct {
	*emitter
	t           kernels.Key
	indices     reg.GPVirtual
	a, b        reg.VecVirtual // no b where nothing wraps
	limit, ones reg.VecVirtual
	most        reg.VecVirtual // 255 in each lane, what a pack of signed lanes can take
	moves       reg.GPVirtual  // 0 where the numbers are what was loaded
	order       reg.VecVirtual // of the dwords that two packs leave, or of bytes
}

func classes(e *emitter, t kernels.Key) {
	c := &classifier{emitter: e, t: t}
	e.kernel("classes", t.Suffix, "A vector of bytes a round. The last round ends exactly at n, and of its misses those are shifted out that were counted before.")
	out := e.param("classes")
	c.indices = e.param("indices")
	n, first := e.param("n"), e.param("first")
	c.limit = e.splat(8, e.param("limit"), "limit")
	if e.wide() {
		c.ones = named(e, e.vector(), "255s")
		e.ones(c.ones)
	}
	bits := 32
	if t.Suffix == "U8" {
		bits = 8
	}
	e.NEGQ(first)
	c.a = e.splat(bits, first, "-first")
	c.moves = first
	if t.Suffix[0] != 'U' { // and narrower than the lanes: nothing wraps
		wrap := e.param("wrap")
		c.moves = named(e, e.GP64(), "wrap|first")
		e.MOVQ(wrap, c.moves)
		e.ORQ(first, c.moves)
		e.ADDQ(wrap, first)
		c.b = e.splat(bits, first, "wrap-first")
	}
	if bits == 32 {
		c.most = e.splatConst(32, 255, "255")
		c.order = c.packedOrder()
	}
	e.countRounds(n, "misses", []array{{c.indices, t.Bytes}, {out, 1}}, func() reg.GPVirtual {
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

// bytes loads indices and gives a vector of bytes, of which those are classes
// that are below limit.
func (c *classifier) bytes() reg.VecVirtual {
	if c.t.Suffix == "U8" {
		x := c.vector()
		c.load(operand.Mem{Base: c.indices}, x)
		c.VPADDB(c.a, x, x)
		return x
	}
	return c.packed()
}

// packed makes bytes of a vector's worth of indices by two packs of 32-bit
// numbers. Where nothing wraps and first is 0, the numbers are what was loaded.
func (c *classifier) packed() reg.VecVirtual {
	var x [4]reg.VecVirtual
	for i := range x {
		x[i] = c.dwords(operand.Mem{Base: c.indices, Disp: i * c.emitter.bytes / 4 * c.t.Bytes})
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
	for _, x := range x {
		c.VPMINUD(c.most, x, x)
	}
	c.VPACKUSDW(x[1], x[0], x[0])
	c.VPACKUSDW(x[3], x[2], x[2])
	c.VPACKUSWB(x[2], x[0], x[0])
	switch {
	case c.t.Suffix != "I64":
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
	vectors, lanes, name := 4, c.emitter.bytes/16, "order of dwords"
	if c.t.Suffix == "I64" {
		vectors, name = 8, "order of words"
	}
	if vectors == 8 && !c.wide() { // VPERMQ has brought quadwords of the lanes together
		return c.table(name, []byte{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
	}
	order := make([]byte, c.emitter.bytes)
	for i := range vectors * lanes {
		order[i*len(order)/vectors/lanes] = byte(i%lanes*vectors + i/lanes)
	}
	return c.table(name, order)
}

// dwords loads a vector of indices as 32-bit numbers.
func (c *classifier) dwords(m operand.Mem) reg.VecVirtual {
	x := c.vector()
	switch c.t.Suffix {
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
		c.load(m, x)
		c.VPACKSSDW(m.Offset(c.emitter.bytes), x, x)
	}
	return x
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
