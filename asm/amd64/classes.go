package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// classes is the index stage. With x as an integer, a = -first, b = wrap-first,
//
//	class-first = min(x+a, x+b), unsigned
//
// whether negative indices count from the end or not. Without wrap both sums
// are the same, and whatever lies below first is huge. With wrap, an x in
// [-depth, -1] comes round to x+depth-first, the smaller sum. For an x >= 0,
// x+b is depth-first or more, which is no class. An x below -depth is huge in
// both. The result is a class if it is below limit, and so is the byte that it
// saturates to.
//
// Floats need nothing else: the conversion truncates, and gives 0x80000000 for
// NaN, infinities and what does not fit, which is huge either way.
//
// Neither do int64 whose first+limit and wrap fit 16 bits. A signed pack of
// both halves to 16 bits keeps what is in [-32768, 32767]. What is above
// becomes 32767 or more, what is below -32768 or less, and neither is a class.
func classes(e *emitter) {
	c := &classifier{e: e}
	e.prose("Each round makes a vector of classes. Indices become numbers x of 32 bits. The class is the unsigned minimum of x-first and x+wrap-first, by which every index without a class becomes a number of limit or more. Where wrap and first are 0, a jump leaves the sums out. Two packs with saturation make bytes, and a permute restores their order, since packs work within 16 bytes. uint8 stay bytes and only have first subtracted, and a round makes four vectors while enough of them are left. Bytes that are limit or more become 255 and are counted. The last round ends exactly at n, and the bits of misses that were counted before are shifted out.")
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

// A classifier makes bytes from indices. A byte is a class if it is below
// limit.
type classifier struct {
	e       *emitter
	indices reg.GPVirtual
	a, b    reg.VecVirtual // -first and wrap-first; no b for types that never wrap
	most    reg.VecVirtual // 255 in each word, the most that a pack to bytes keeps
	moves   reg.GPVirtual  // 0 if the numbers stay as they were loaded
	order   reg.VecVirtual // undoes the order in which packs leave dwords, words or bytes
}

// setup loads the constants for indices that become 32 bits, given -first.
func (c *classifier) setup(first reg.GPVirtual) {
	c.a = c.e.splat(32, first, "-first")
	c.moves = first
	if c.e.key.Suffix != "U16" { // uint16 has no sign and is narrower than a lane
		wrap := c.e.param("wrap")
		c.moves = named(c.e, c.e.GP64(), "wrap|-first, 0 if both are")
		c.e.MOVQ(wrap, c.moves)
		c.e.ORQ(first, c.moves)
		c.e.ADDQ(wrap, first)
		c.b = c.e.splat(32, first, "wrap-first")
	}
	c.most = c.e.splatConst(16, 255, "255")
	c.order = c.packedOrder()
}

// added makes a vector of bytes from as many uint8.
func (c *classifier) added(disp int) reg.VecVirtual {
	x := c.e.vector()
	c.e.load(operand.Mem{Base: c.indices, Disp: disp}, x)
	c.e.VPADDB(c.a, x, x)
	return x
}

// packed makes a vector of bytes by two packs of 32-bit numbers. The first pack
// saturates as signed: what was huge or negative becomes a word of 32767 or
// more, unsigned. Where wrap and first are 0, the numbers are what was loaded.
func (c *classifier) packed(int) reg.VecVirtual {
	var x [4]reg.VecVirtual
	for i := range x {
		x[i] = c.dwords(operand.Mem{Base: c.indices, Disp: i * c.e.bytes / 4 * c.e.key.Bytes})
	}
	c.e.TESTQ(c.moves, c.moves)
	c.e.JZ(operand.LabelRef("narrow"))
	for _, x := range x {
		if c.b == nil {
			c.e.VPADDD(c.a, x, x)
			continue
		}
		wrapped := c.e.vector()
		c.e.VPADDD(c.b, x, wrapped)
		c.e.VPADDD(c.a, x, x)
		c.e.VPMINUD(wrapped, x, x)
	}
	c.e.Label("narrow")
	for _, i := range []int{0, 2} {
		c.e.VPACKSSDW(x[i+1], x[i], x[i])
		c.e.VPMINUW(c.most, x[i], x[i])
	}
	c.e.VPACKUSWB(x[2], x[0], x[0])
	switch {
	case c.e.key.Suffix != "I64":
		c.e.VPERMD(x[0], c.order, x[0])
	case c.e.wide():
		c.e.VPERMW(x[0], c.order, x[0])
	default: // AVX2 has no permute of words
		c.e.VPERMQ(operand.U8(0xd8), x[0], x[0])
		c.e.VPSHUFB(c.order, x[0], x[0])
	}
	return x[0]
}

// packedOrder restores the order after packs, which work within 16 bytes: they
// leave the dword of vector j in lane l at 4*l+j, and of int64, which are
// packed once more, the word at 8*l+j.
func (c *classifier) packedOrder() reg.VecVirtual {
	vectors, lanes, name := 4, c.e.bytes/16, "order of the packed dwords"
	if c.e.key.Suffix == "I64" {
		vectors, name = 8, "order of the packed words"
	}
	if vectors == 8 && !c.e.wide() { // VPERMQ has brought the quadwords of both lanes together
		return c.e.table(name, []byte{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
	}
	order := make([]byte, c.e.bytes)
	for i := range vectors * lanes {
		order[i*len(order)/vectors/lanes] = byte(i%lanes*vectors + i/lanes)
	}
	return c.e.table(name, order)
}

// dwords loads a vector of indices as 32-bit numbers.
func (c *classifier) dwords(m operand.Mem) reg.VecVirtual {
	x := c.e.vector()
	switch c.e.key.Suffix {
	case "I8":
		c.e.VPMOVSXBD(m, x)
	case "I16":
		c.e.VPMOVSXWD(m, x)
	case "U16":
		c.e.VPMOVZXWD(m, x)
	case "I32":
		c.e.load(m, x)
	case "F32":
		c.e.VCVTTPS2DQ(m, x)
	case "I64":
		c.e.load(m, x)
		c.e.VPACKSSDW(m.Offset(c.e.bytes), x, x)
	case "F64":
		high := c.e.vector()
		if c.e.wide() {
			c.e.VCVTTPD2DQ(m, x.AsY())
			c.e.VCVTTPD2DQ(m.Offset(64), high.AsY())
			c.e.VINSERTI64X4(operand.U8(1), high.AsY(), x, x)
		} else {
			c.e.VCVTTPD2DQY(m, x.AsX())
			c.e.VCVTTPD2DQY(m.Offset(32), high.AsX())
			c.e.VINSERTI128(operand.U8(1), high.AsX(), x, x)
		}
	}
	return x
}

// missesOf sets bytes from limit on to 255 and returns a bit for each of them.
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
