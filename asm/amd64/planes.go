package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// widen repeats classes in all bytes of their cells, for planes. 16 classes are
// in both halves of a vector, from which each byte picks its own.
func widen(e *emitter) {
	e.prose("The outer loop goes over groups of 16 classes, the last of which ends exactly at n, the inner one over vectors of their cells. Both halves of a register have the 16 classes, since a permute works within 16 bytes, and each byte picks the class of its cell. From one vector to the next the picks grow by the cells of a vector.")
	c := newCellWriter(e)
	dst, classes, n := e.param("dst"), e.param("classes"), e.param("n")
	width := c.e.param("width")
	_, each, first := c.widening(width)
	last := named(e, e.GP64(), "where the last 16 classes start")
	e.LEAQ(operand.Mem{Base: classes, Index: n, Scale: 1, Disp: -16}, last)
	vectors := named(e, e.GP64(), "vectors of the 16 classes that are left")
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
	e.Comment("Classes left over: write the 16 that end at n, once.")
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

// planes writes planes, class by class, where the axis is not the last one, so
// that the cells of a class are a run. The same classes, which stay in the
// first-level cache, are compared with that of each plane in turn. Every byte
// of a cell has the class, so that all comparisons and blends are of bytes.
//
// Misses that have a value of their own have loops of their own. Choosing
// between off and miss takes AVX2 three instructions, so there another loop
// loads what the first would choose from a plane that holds nothing else.
// Making that plane takes more calls, which only long runs repay.
func planes(e *emitter) {
	e.prose("The outer loop goes over blocks, the one in it over planes, and the innermost one over vectors, the last of which ends exactly at n. It compares bytes with the class of the plane, whatever the width, and puts on where they are equal, with AVX-512 by a blend, with AVX2 by an AND and an exclusive or. For misses with a value of their own, other innermost loops also choose between off and miss or, with AVX2, load what they would choose." + e.wideProse("A first vector reaches the next boundary, from where the others are aligned. Another innermost loop also prefetches the next plane."))
	p := &planeWriter{cellWriter: newCellWriter(e)}
	dst, blocks, run := e.param("dst"), e.param("blocks"), named(e, e.GP64(), "run")
	p.from = e.param("classes")
	if e.wide() {
		p.plane = e.param("plane")
	}
	start := e.splat(8, e.param("first"), "first")
	n := e.param("n")
	width := p.told()
	e.IMULQ(width, named(e, n, "bytes of a run"))
	if e.wide() {
		p.cells = named(e, e.GP64(), "mask that rounds bytes down to whole cells")
		e.set(p.cells, e.bytes)
		e.SUBQ(width, p.cells)
	}
	v := e.param("v") // not kept: the loops leave no register for it
	p.values(v)
	p.none = e.nones()
	p.miss = p.value(v, 32, "miss")
	planesLeft, left := named(e, e.GP64(), "planes left"), named(e, e.GP64(), "bytes left of the run")
	p.classes, p.others, p.to = e.from("classes of a vector", 1), e.from("what its cells are if they are not on", 1), e.from("its cells", 1)
	p.class = named(e, e.vector(), "class")
	e.repeat("block", blocks, func() {
		e.move(start, p.class)
		e.MOVQ(dst, run)
		e.argument("count", planesLeft)
		e.repeat("plane", planesLeft, func() {
			e.MOVQ(p.from, p.classes.ptr)
			e.MOVQ(run, p.to.ptr)
			e.MOVQ(n, left)
			e.CMPQ(e.inFrame("missing"), operand.U8(0))
			e.JNE(operand.LabelRef("missing"))
			if e.wide() {
				v := e.GP64()
				e.argument("v", v)
				e.ifAhead(v, "ahead")
			}
			p.all("", left, false)
			if e.wide() {
				p.all("ahead", left, true)
			}
			e.Label("missing")
			p.missing(dst, left)
			e.Label("next")
			e.VPSUBB(p.none, p.class, p.class)
			e.ADDQ(e.inFrame("plane"), run)
		})
		e.ADDQ(n, p.from)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type planeWriter struct {
	*cellWriter
	class, none         reg.VecVirtual // the class of the plane, and 255s
	from                reg.GPVirtual  // the classes
	classes, others, to array          // what is left of a plane
	plane, cells        reg.GPVirtual  // AVX-512 only: bytes from plane to plane, and a mask that rounds bytes down to whole cells
}

// all emits the loop over the left bytes of a plane, where there are no misses.
// ahead says whether it prefetches; then its labels start with name.
func (p *planeWriter) all(name string, left reg.GPVirtual, ahead bool) {
	if ahead {
		p.e.Label(name)
	}
	p.sweep(name, left, func(disp int) {
		if ahead {
			next := p.to.mem(disp)
			next.Index, next.Scale = p.plane, 1
			p.e.PREFETCHT0(next)
		}
		p.put(p.compare(p.classes.mem(disp), p.off), p.to.mem(disp))
	})
	p.e.JMP(operand.LabelRef("next"))
}

// missing emits the loops over the left bytes of a plane of the block at dst,
// where there are misses.
func (p *planeWriter) missing(dst, left reg.GPVirtual) {
	e := p.e
	if !e.wide() {
		e.JLT(operand.LabelRef("read"))
	}
	p.sweep("missing_", left, func(disp int) {
		x := e.vector()
		e.load(p.classes.mem(disp), x)
		p.put(p.compare(x, p.offOrMiss(x)), p.to.mem(disp))
	})
	if e.wide() {
		return
	}
	e.JMP(operand.LabelRef("next"))
	e.Label("read")
	e.MOVQ(dst, p.others.ptr)
	e.SUBQ(e.inFrame("plane"), p.others.ptr)
	e.sweep("read_", left, []array{p.classes, p.others, p.to}, func(disp int) {
		p.put(p.compare(p.classes.mem(disp), p.others.mem(disp)), p.to.mem(disp))
	})
}

// sweep is emitter.sweep over the classes and cells of a plane. A vector of
// AVX-512 touches two cache lines unless it is aligned. A run of two vectors or
// more therefore begins with one that may not be, and goes on from the last
// cell that starts at or before the next boundary; at least a vector is left.
// If that cell starts at the boundary, no store but the first and the last
// touches two lines. Loads do instead, which costs less. On a Granite Rapids,
// in the second-level cache, runs of kilobytes take 0.92 times as long for it,
// shorter ones 0.98 times. With AVX2, where every other vector touches two
// lines, they would take 0.99 times as long there.
func (p *planeWriter) sweep(name string, left reg.GPVirtual, body func(disp int)) {
	e, arrays := p.e, []array{p.classes, p.to}
	if e.wide() {
		before := e.GP64()
		e.MOVQ(p.to.ptr, before)
		e.NEGQ(before)
		e.ANDQ(p.cells, before)
		e.JZ(operand.LabelRef(name + "aligned"))
		e.CMPQ(left, operand.I32(int32(2*e.bytes)))
		e.JLT(operand.LabelRef(name + "aligned"))
		body(0)
		for _, a := range arrays {
			e.ADDQ(before, a.ptr)
		}
		e.SUBQ(before, left)
		e.Label(name + "aligned")
	}
	e.sweep(name, left, arrays, body)
}

// compare returns on where the classes are that of the plane, else off.
func (p *planeWriter) compare(classes, off operand.Op) (out reg.VecVirtual) {
	if p.e.wide() {
		on := p.e.K()
		out = p.e.vector()
		p.e.VPCMPEQB(classes, p.class, on)
		p.e.VPBLENDMB(p.on, off, on, out)
		return out
	}
	out = p.compareZero(classes)
	p.e.VPXOR(off, out, out)
	return out
}

// compareZero is compare with AVX2 where off is zero.
func (p *planeWriter) compareZero(classes operand.Op) (out reg.VecVirtual) {
	out = p.e.vector()
	p.e.VPCMPEQB(classes, p.class, out)
	p.e.VPAND(p.on, out, out)
	return out
}

// offOrMiss returns miss where there is no class, and off elsewhere. A cell
// without a class is never on, so that the exclusive or with on^off, by which
// AVX2 turns off into on, never meets miss.
func (p *planeWriter) offOrMiss(classes reg.VecVirtual) (out reg.VecVirtual) {
	out = p.e.vector()
	if p.e.wide() {
		missed := p.e.K()
		p.e.VPCMPEQB(p.none, classes, missed)
		p.e.VPBLENDMB(p.miss, p.off, missed, out)
		return out
	}
	p.e.VPCMPEQB(p.none, classes, out)
	p.e.VPBLENDVB(out, p.miss, p.off, out)
	return out
}
