package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// classes turns indices of one type into classes, the int32 that every write kernel understands.
//
// With x as 32 bits, class = min(x, x+wrap), unsigned, is one formula for both negative modes. wrap 0 (Ignore) leaves x alone, and
// a negative x is huge. wrap = depth (Normalize) brings x in [-depth, -1] round to x+depth, which is smaller than the huge x; an x
// further below does not wrap round and both are huge; an x >= 0 is smaller than x+depth. Whatever comes out is a class if it is below
// depth, unsigned, and a miss otherwise. depth fits 31 bits, so nothing above wraps round by accident.
//
// Floats need no more: the conversion truncates, and gives 0x80000000 for NaN, infinities and what does not fit,
// which is a miss in either mode.
type indexType struct {
	name string // as in classesI64AVX512
	size int
}

var indexTypes = []indexType{
	{"I8", 1}, {"U8", 1}, {"I16", 2}, {"U16", 2}, {"I32", 4}, {"I64", 8}, {"F32", 4}, {"F64", 8},
}

// A classifier emits the steps of one classes kernel. A step is one vector of classes.
type classifier struct {
	*emitter
	t                   indexType
	classes, indices    reg.GPVirtual
	wrap, depth, misses reg.VecVirtual
	miss                reg.VecVirtual // all -1
	merge               reg.VecVirtual // VPERMT2D control: the low dwords of two vectors of int64
}

func classes(e *emitter, t indexType, iota64 operand.Mem) {
	step := e.bytes / 4
	e.kernel("classes"+t.name, "(classes *int32, indices unsafe.Pointer, n int, depth, wrap int32) (misses int)",
		"sets classes[i] to the class of indices[i], or -1 where it has none, and counts those. wrap is depth to normalize negative indices, else 0. n >= 16.",
		fmt.Sprintf("Vectors of %d classes, two a round, then single, then one that ends exactly at n and counts only what is new in it. %s", step, classesCost(e, t)))
	c := &classifier{emitter: e, t: t}
	c.classes, c.indices = e.param("classes"), e.param("indices")
	n := e.param("n")
	bits := 32
	if c.quads() {
		bits = 64
	}
	c.depth = e.splat(bits, e.param32("depth"), "depth")
	c.wrap = e.splat(bits, e.param32("wrap"), "wrap")
	c.miss = named(e, e.vector(), "-1")
	e.ones(c.miss)
	c.misses = named(e, e.vector(), "misses")
	e.zero(c.misses)
	if c.quads() {
		c.merge = named(e, e.vector(), "even dwords")
		e.VPMOVZXBD(iota64, c.merge)
		e.VPADDD(c.merge, c.merge, c.merge)
	}
	e.sweep(n, step, 2, c.step, func(i, redo reg.GPVirtual) { c.last(i, redo, iota64) })
	c.sum()
	e.done()
}

func classesCost(e *emitter, t indexType) string {
	cost := map[string]int{"I64": 11, "F64": 9}[t.name]
	if !e.wide() {
		cost = map[string]int{"I64": 30, "F64": 20}[t.name]
		if cost == 0 {
			cost = 16
		}
	}
	if cost == 0 {
		cost = 7
	}
	return fmt.Sprintf("64 bytes written cost %d instructions.", cost)
}

// quads reports whether classes are found in 64-bit lanes: int64 on AVX-512, which has the unsigned 64-bit minimum.
func (c *classifier) quads() bool { return c.t.name == "I64" && c.wide() }

// step handles one vector of classes and counts its misses.
func (c *classifier) step(i reg.GPVirtual, disp int) {
	class, k := c.resolve(i, disp)
	if c.wide() {
		c.VPSUBD(c.miss, c.misses, k, c.misses)
	}
	c.store(class, at(c.classes, i, 4, disp))
}

// last is step for the overlapped vector at the end. Of its misses only those from lane redo on are new.
func (c *classifier) last(i, redo reg.GPVirtual, iota64 operand.Mem) {
	if c.wide() {
		class, k := c.resolve(i, 0)
		fresh, mask := c.GP32(), c.K()
		c.MOVQ(redo, reg.RCX)
		c.MOVL(operand.I32(-1), fresh)
		c.SHLL(reg.CL, fresh)
		c.KMOVW(fresh, mask)
		c.KANDW(k.(reg.OpmaskVirtual), mask, mask)
		c.VPSUBD(c.miss, c.misses, mask, c.misses)
		c.store(class, at(c.classes, i, 4, 0))
		return
	}
	saved := c.vector()
	c.move(c.misses, saved)
	class, _ := c.resolve(i, 0)
	c.move(saved, c.misses)
	c.DECQ(redo)
	c.countFrom(class, redo, iota64)
	c.store(class, at(c.classes, i, 4, 0))
}

// countFrom counts the misses of a vector of classes in the lanes behind lane before.
func (c *classifier) countFrom(class reg.VecVirtual, before reg.GPVirtual, iota64 operand.Mem) {
	lane, first := c.vector(), c.vector()
	c.VPMOVZXBD(iota64, lane)
	c.broadcast(32, before, first)
	c.VPCMPGTD(first, lane, lane)
	c.VPCMPEQD(class, c.miss, first)
	c.VPAND(lane, first, first)
	c.VPSUBD(first, c.misses, c.misses)
}

// resolve loads a vector of indices and gives their classes. On AVX-512 the second result is the mask of misses; AVX2 counts them
// on the way, where the mask is at hand as the vector of -1 that subtracts to a count.
func (c *classifier) resolve(i reg.GPVirtual, disp int) (reg.VecVirtual, reg.Register) {
	switch {
	case c.quads():
		return c.resolveQuads(i, disp)
	case c.t.name == "I64":
		return c.resolvePairs(at(c.indices, i, 8, disp)), nil
	}
	x, y := c.load32(i, disp), c.vector()
	c.VPADDD(x, c.wrap, y)
	c.VPMINUD(x, y, x)
	if c.wide() {
		k := c.K()
		c.VPCMPUD(operand.U8(5), c.depth, x, k)
		c.VPBLENDMD(c.miss, x, k, x)
		return x, k
	}
	c.VPMAXUD(x, c.depth, y)
	c.VPCMPEQD(x, y, y)
	c.VPOR(x, y, x)
	c.VPSUBD(y, c.misses, c.misses)
	return x, nil
}

// load32 loads a vector of indices as 32-bit integers.
func (c *classifier) load32(i reg.GPVirtual, disp int) reg.VecVirtual {
	x, m := c.vector(), at(c.indices, i, c.t.size, disp)
	switch c.t.name {
	case "I8":
		c.VPMOVSXBD(m, x)
	case "U8":
		c.VPMOVZXBD(m, x)
	case "I16":
		c.VPMOVSXWD(m, x)
	case "U16":
		c.VPMOVZXWD(m, x)
	case "I32":
		c.load(m, x)
	case "F32":
		c.VCVTTPS2DQ(m, x)
	case "F64":
		high := c.half()
		if c.wide() {
			c.VCVTTPD2DQ(m, x.AsY())
			c.VCVTTPD2DQ(m.Offset(64), high)
			c.VINSERTI64X4(operand.U8(1), high, x, x)
		} else {
			c.VCVTTPD2DQY(m, x.AsX())
			c.VCVTTPD2DQY(m.Offset(32), high)
			c.VINSERTI128(operand.U8(1), high, x, x)
		}
	}
	return x
}

// resolveQuads applies the formula to two vectors of int64 and packs the classes, which fit 32 bits where they are none,
// and the masks of the misses.
func (c *classifier) resolveQuads(i reg.GPVirtual, disp int) (reg.VecVirtual, reg.Register) {
	var x [2]reg.VecVirtual
	var k [2]reg.OpmaskVirtual
	for j := range x {
		m := at(c.indices, i, 8, disp).Offset(64 * j)
		x[j], k[j] = c.vector(), c.K()
		c.VPADDQ(m, c.wrap, x[j])
		c.VPMINUQ(m, x[j], x[j])
		c.VPCMPUQ(operand.U8(5), c.depth, x[j], k[j])
	}
	c.VPERMT2D(x[1], c.merge, x[0])
	c.KUNPCKBW(k[0], k[1], k[0])
	c.VPBLENDMD(c.miss, x[0], k[0], x[0])
	return x[0], k[0]
}

// resolvePairs takes two vectors of int64 apart into low and high dwords and applies the formula to the low ones. An index that is not
// the sign extension of its low dword does not fit 32 bits and is a miss. The shuffle leaves the four pairs of classes in the
// order 0, 2, 1, 3, which one permute puts right.
func (c *classifier) resolvePairs(m operand.Mem) reg.VecVirtual {
	a, x, y, sign := c.vector(), c.vector(), c.vector(), c.vector()
	c.load(m, a)
	c.VSHUFPS(operand.U8(0x88), m.Offset(32), a, x)
	c.VSHUFPS(operand.U8(0xdd), m.Offset(32), a, a)
	c.VPSRAD(operand.U8(31), x, sign)
	c.VPCMPEQD(a, sign, sign)
	c.VPADDD(x, c.wrap, y)
	c.VPMINUD(x, y, x)
	c.VPMAXUD(x, c.depth, y)
	c.VPCMPEQD(x, y, y)
	c.VPANDN(sign, y, y) // valid: the high dword is right and class < depth
	c.VPXOR(c.miss, y, y)
	c.VPOR(x, y, x)
	c.VPERMQ(operand.U8(0xd8), x, x)
	c.VPSUBD(y, c.misses, c.misses)
	return x
}

// sum adds up the lanes of misses and returns them.
func (c *classifier) sum() {
	acc, t := c.misses, c.vector()
	if c.wide() {
		c.VEXTRACTI64X4(operand.U8(1), acc, t.AsY())
		c.VPADDD(t.AsY(), acc.AsY(), acc.AsY())
	}
	c.VEXTRACTI128(operand.U8(1), acc.AsY(), t.AsX())
	c.VPADDD(t.AsX(), acc.AsX(), acc.AsX())
	for _, order := range []operand.U8{0x4e, 0xb1} {
		c.VPSHUFD(order, acc.AsX(), t.AsX())
		c.VPADDD(t.AsX(), acc.AsX(), acc.AsX())
	}
	total := c.GP64()
	c.VMOVD(acc.AsX(), total.As32())
	c.Store(total, c.Return("misses"))
}
