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
// The sums are of 16 bits, since a signed pack keeps what is no class away from
// the classes: what is above 32767 becomes 32767, what is below -32768 becomes
// that, and neither is a class where first+limit and wrap fit an int16. uint16
// are not packed: the sum of one below first comes round to 32769 or more.
//
// Floats need nothing else: the conversion truncates, and gives the least
// integer for NaN, infinities and what does not fit. Neither do integers of 64
// bits: a pack of both halves leaves one of 32 bits that is no class either.
func classes(e *emitter) {
	c := &classifier{e: e}
	e.prose("Each round makes a vector of classes. Indices become numbers x of 16 bits, with saturation. The class is the unsigned minimum of x-first and x+wrap-first, by which every index without a class becomes a number of limit or more. Where wrap and first are 0, a jump leaves the sums out. A pack with saturation makes bytes, and a permute restores their order, since packs work within 16 bytes. uint8 stay bytes and only have first subtracted, and a round makes four vectors while enough of them are left. Bytes that are limit or more become 255 and are counted. The last round ends exactly at n, and the bits of misses that were counted before are shifted out.")
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
	order   reg.VecVirtual // undoes the order in which packs leave quadwords, dwords or words; none if an immediate does
}

// setup loads the constants for indices that become words, given -first.
func (c *classifier) setup(first reg.GPVirtual) {
	c.a = c.e.splat(16, first, "-first")
	c.moves = first
	if c.e.key.Suffix != "U16" { // uint16 has no sign
		wrap := c.e.param("wrap")
		c.moves = named(c.e, c.e.GP64(), "wrap|-first, 0 if both are")
		c.e.MOVQ(wrap, c.moves)
		c.e.ORQ(first, c.moves)
		c.e.ADDQ(wrap, first)
		c.b = c.e.splat(16, first, "wrap-first")
	}
	c.most = c.e.splatConst(16, 255, "255")
	c.setOrder()
}

// added makes a vector of bytes from as many uint8.
func (c *classifier) added(disp int) reg.VecVirtual {
	x := c.e.vector()
	c.e.load(operand.Mem{Base: c.indices, Disp: disp}, x)
	c.e.VPADDB(c.a, x, x)
	return x
}

// packed makes a vector of bytes by a pack of two vectors of words. Where wrap
// and first are 0, the words are what was loaded.
func (c *classifier) packed(int) reg.VecVirtual {
	x := [2]reg.VecVirtual{c.words(0), c.words(1)}
	c.e.TESTQ(c.moves, c.moves)
	c.e.JZ(operand.LabelRef("narrow"))
	for _, x := range x {
		if c.b == nil {
			c.e.VPADDW(c.a, x, x)
			continue
		}
		wrapped := c.e.vector()
		c.e.VPADDW(c.b, x, wrapped)
		c.e.VPADDW(c.a, x, x)
		c.e.VPMINUW(wrapped, x, x)
	}
	c.e.Label("narrow")
	for _, x := range x {
		c.e.VPMINUW(c.most, x, x)
	}
	c.e.VPACKUSWB(x[1], x[0], x[0])
	c.restore(x[0])
	return x[0]
}

// vectors returns how many vectors are packed to one of bytes: those that were
// loaded or, where loading changes the width, those that it made. Packs work
// within 16 bytes: they leave what was vector j in lane l at vectors*l+j.
func (c *classifier) vectors() int {
	switch suffix := c.e.key.Suffix; {
	case c.e.key.Bytes <= 2:
		return 2
	case suffix == "I64" || suffix == "F64" && c.e.wide():
		return 8
	}
	return 4
}

// setOrder loads the order of restore, unless an immediate says it.
func (c *classifier) setOrder() {
	vectors, lanes := c.vectors(), c.e.bytes/16
	switch {
	case c.e.wide() || vectors == 4:
		order := make([]byte, c.e.bytes)
		for i := range vectors * lanes {
			order[i*len(order)/vectors/lanes] = byte(i%lanes*vectors + i/lanes)
		}
		c.order = c.e.table("order of what was packed", order)
	case vectors == 8: // VPERMQ has brought the quadwords of both lanes together
		c.order = c.e.table("order of the packed words", []byte{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15})
	}
}

// restore brings packed bytes into the order of their indices.
func (c *classifier) restore(x reg.VecVirtual) {
	switch vectors := c.vectors(); {
	case vectors == 4:
		c.e.VPERMD(x, c.order, x)
	case c.e.wide() && vectors == 8:
		c.e.VPERMW(x, c.order, x)
	case c.e.wide():
		c.e.VPERMQ(x, c.order, x)
	default: // AVX2 has a permute of quadwords, but none of words
		c.e.VPERMQ(operand.U8(0xd8), x, x)
		if vectors == 8 {
			c.e.VPSHUFB(c.order, x, x)
		}
	}
}

// words loads half of the indices of a round, the first or the second, as
// words.
func (c *classifier) words(half int) reg.VecVirtual {
	x, m := c.e.vector(), operand.Mem{Base: c.indices, Disp: half * c.e.bytes / 2 * c.e.key.Bytes}
	switch next := m.Offset(c.e.bytes / 4 * c.e.key.Bytes); c.e.key.Suffix {
	case "I8":
		c.e.VPMOVSXBW(m, x)
	case "I16", "U16":
		c.e.load(m, x)
	case "I32":
		c.pairs(m, x)
	default:
		high := c.e.vector()
		c.dwords(m, x)
		c.dwords(next, high)
		c.e.VPACKSSDW(high, x, x)
	}
	return x
}

// dwords loads a vector of indices as numbers of 32 bits.
func (c *classifier) dwords(m operand.Mem, x reg.VecVirtual) {
	switch c.e.key.Suffix {
	case "F32":
		c.convert(c.e.VCVTTPS2DQ, m, x)
	case "I64":
		c.pairs(m, x)
	case "F64":
		high := c.e.vector()
		if c.e.wide() {
			c.convert(c.e.VCVTTPD2QQ, m, x)
			c.convert(c.e.VCVTTPD2QQ, m.Offset(64), high)
			c.e.VPACKSSDW(high, x, x)
		} else {
			c.e.VCVTTPD2DQY(m, x.AsX())
			c.e.VCVTTPD2DQY(m.Offset(32), high.AsX())
			c.e.VINSERTI128(operand.U8(1), high.AsX(), x, x)
		}
	}
}

// convert loads a vector of floats as integers, with AVX-512 in halves: if a
// program has not computed with 64 bytes of floats for a while, Intel's
// processors do so at a lower rate for some microseconds.
func (c *classifier) convert(convert func(...operand.Op), m operand.Mem, x reg.VecVirtual) {
	if !c.e.wide() {
		convert(m, x)
		return
	}
	high := c.e.vector()
	convert(m, x.AsY())
	convert(m.Offset(32), high.AsY())
	c.e.VINSERTI64X4(operand.U8(1), high.AsY(), x, x)
}

// pairs loads two vectors of dwords as one of words.
func (c *classifier) pairs(m operand.Mem, x reg.VecVirtual) {
	c.e.load(m, x)
	c.e.VPACKSSDW(m.Offset(c.e.bytes), x, x)
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
