package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// widen repeats classes in all bytes of a cell, for planes: 16 of them are in
// both halves of a vector, from which each byte picks its own.
func widen(e *emitter) {
	e.prose("A loop over 16 classes, the last of which end exactly at n; in it one over vectors of cells.")
	c := newCellWriter(e)
	dst, classes, n := e.param("dst"), e.param("classes"), e.param("n")
	width := c.told()
	_, each, first := c.widening(width)
	last := named(e, e.GP64(), "where the last 16 start")
	e.LEAQ(operand.Mem{Base: classes, Index: n, Scale: 1, Disp: -16}, last)
	vectors := named(e, e.GP64(), "vectors left, of 16 classes")
	some, pick, out := e.vector(), e.vector(), e.vector()
	e.Label("some")
	e.VBROADCASTI128(operand.Mem{Base: classes}, some)
	e.move(first, pick)
	e.MOVQ(width, vectors)
	e.SHRQ(operand.U8(1), vectors)
	e.repeat("vector", vectors, func() {
		e.VPSHUFB(pick, some, out)
		e.VPADDB(each, pick, pick)
		e.store(out, operand.Mem{Base: dst})
		e.ADDQ(operand.I32(int32(e.bytes)), dst)
	})
	e.ADDQ(operand.I32(16), classes)
	e.CMPQ(classes, last)
	e.JLS(operand.LabelRef("some"))
	e.Comment("Classes left over: the 16 that end at n, once.")
	back := e.GP64()
	e.MOVQ(classes, back)
	e.SUBQ(last, back)
	e.CMPQ(back, operand.I32(16))
	e.JEQ(operand.LabelRef("widened"))
	e.MOVQ(last, classes)
	e.IMULQ(width, back)
	e.SUBQ(back, dst)
	e.JMP(operand.LabelRef("some"))
	e.Label("widened")
}

// planes writes runs of columns, class by class: the axis is not the last one,
// so that the cells of one class lie in a run. The same classes, which stay in
// the first-level cache, are compared with the class of every plane. They are
// in every byte of their cells, so that bytes are compared, and written,
// whatever the width.
//
// Misses that have cells of their own have a loop of their own.
func planes(e *emitter) {
	e.prose("A loop over blocks; in it one over planes; in it one of two over vectors, the last of which ends exactly at n.")
	p := &planeWriter{cellWriter: newCellWriter(e)}
	dst, blocks, run := e.param("dst"), e.param("blocks"), named(e, e.GP64(), "run")
	p.from = e.param("classes")
	start := e.splat(8, e.param("first"), "first")
	n := e.param("n")
	if p.width == 0 {
		e.IMULQ(p.told(), named(e, n, "bytes of a run"))
	}
	v := e.param("v")
	p.values(v)
	p.miss, p.none = p.value(v, 32, "miss"), e.nones()
	one, planesLeft := e.splatConst(8, 1, "1"), named(e, e.GP64(), "planes left")
	p.class = named(e, e.vector(), "class")
	const unroll = 4
	e.repeat("block", blocks, func() {
		e.move(start, p.class)
		e.MOVQ(dst, run)
		e.argument("count", planesLeft)
		e.repeat("plane", planesLeft, func() {
			e.CMPQ(e.inFrame("missing"), operand.U8(0))
			e.JNE(operand.LabelRef("missing"))
			e.sweep(n, e.bytes, unroll, func(i reg.GPVirtual, disp int) {
				p.put(p.compare(at(p.from, i, 1, disp), p.off), at(run, i, 1, disp))
			})
			e.JMP(operand.LabelRef("next"))
			e.Label("missing")
			e.sweepAs("miss_", n, e.bytes, unroll, func(i reg.GPVirtual, disp int) {
				x := e.vector()
				e.load(at(p.from, i, 1, disp), x)
				p.put(p.compare(x, p.offOrMiss(x)), at(run, i, 1, disp))
			})
			e.Label("next")
			e.VPADDB(one, p.class, p.class)
			e.ADDQ(e.inFrame("plane"), run)
		})
		e.ADDQ(n, p.from)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type planeWriter struct {
	*cellWriter
	class, none reg.VecVirtual // that of the plane, and 255s
	from        reg.GPVirtual  // classes
}

// compare returns on where the classes are that of the plane, and what is in
// off elsewhere.
func (p *planeWriter) compare(classes operand.Op, off reg.VecVirtual) (out reg.VecVirtual) {
	if p.wide() {
		on := p.K()
		out = p.vector()
		p.VPCMPEQB(classes, p.class, on)
		p.VPBLENDMB(p.on, off, on, out)
		return out
	}
	out = p.compareZero(classes)
	p.VPXOR(off, out, out)
	return out
}

// compareZero is compare by AVX2 where off is zero.
func (p *planeWriter) compareZero(classes operand.Op) (out reg.VecVirtual) {
	out = p.vector()
	p.VPCMPEQB(classes, p.class, out)
	p.VPAND(p.on, out, out)
	return out
}

// offOrMiss returns miss where there is no class, and off elsewhere. A class
// that is on is neither, so that AVX2 may put on in place of off by an
// exclusive or.
func (p *planeWriter) offOrMiss(classes reg.VecVirtual) (out reg.VecVirtual) {
	out = p.vector()
	if p.wide() {
		missed := p.K()
		p.VPCMPEQB(p.none, classes, missed)
		p.VPBLENDMB(p.miss, p.off, missed, out)
		return out
	}
	p.VPCMPEQB(p.none, classes, out)
	p.VPBLENDVB(out, p.miss, p.off, out)
	return out
}
