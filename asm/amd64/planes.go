package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes writes runs of columns, class by class: the axis is not the last one,
// so that the cells of one class lie in a run. Classes are compared with one
// class, which makes the bits of as many cells; the same classes, which stay in
// the first-level cache, serve every plane.
//
// AVX-512 compares the classes of each vector of cells by themselves: to
// compare 64 and to shift their bits down costs more. AVX2 repeats a few of
// them in a register and picks one for each byte of the cells, so that the
// comparison is the mask, and from 4 bytes on one kernel does for every width.
//
// Misses that have cells of their own have a loop of their own. With AVX2 their
// class is the one whose highest bit is set. With AVX-512 it is 255, but a cell
// of one byte comes from a table of the cells of 128 classes, of which each
// plane has its own.
//
// Non-temporal stores come straight from the comparison, where planes are whole
// cache lines: a detour through a tile in the first-level cache would put
// ordinary stores among them, each of which waits for those before it to reach
// memory.
func planes(e *emitter) {
	e.prose("A loop over blocks; in it one over planes; in it one of two over rounds of vectors, the last of which ends exactly at n. Bytes have a loop over longer rounds first.")
	p := &planeWriter{cellWriter: newCellWriter(e)}
	dst, classes, blocks := e.param("dst"), e.param("classes"), e.param("blocks")
	start := e.splat(8, e.param("first"), "first")
	switch {
	case p.width == 0:
		p.toldPicks()
		for range 3 {
			next := named(e, e.vector(), "of further vectors")
			e.VPADDB(p.each, p.pick[len(p.pick)-1], next)
			p.pick = append(p.pick, next)
		}
	case p.width == 2 && !e.wide():
		p.pick = []reg.VecVirtual{e.table(picks, count(32, 2))}
	}
	p.values(e.param("v"))
	one := e.splatConst(8, 1, "1")
	p.class, p.to, p.from, p.left = named(e, e.vector(), "class"), named(e, e.GP64(), "cell"), named(e, e.GP64(), "classes of the round"), named(e, e.GP64(), "cells left behind the round")
	run, planesLeft := named(e, e.GP64(), "run"), named(e, e.GP64(), "planes left")
	missing := p.missing()
	e.repeat("block", blocks, func() {
		e.move(start, p.class)
		e.MOVQ(dst, run)
		e.argument("count", planesLeft)
		e.repeat("plane", planesLeft, func() {
			e.MOVQ(run, p.to)
			e.MOVQ(classes, p.from)
			p.start()
			e.Label("columns")
			e.CMPQ(e.inFrame("missing"), operand.U8(0))
			e.JNE(operand.LabelRef("missing"))
			if p.width == 1 {
				p.longRounds()
			}
			p.round("round", p.vectors(), p.bits)
			p.lastRound()
			e.Label("missing")
			if p.table != nil {
				p.fillTable()
			}
			p.round("missRound", p.vectors(), missing)
			if !p.stream {
				e.JMP(operand.LabelRef("last"))
			}
			e.Label("next")
			e.VPADDB(one, p.class, p.class)
			e.ADDQ(e.inFrame("plane"), run)
		})
		e.ADDQ(e.inFrame("n"), classes)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type planeWriter struct {
	*cellWriter
	class          reg.VecVirtual
	pick           []reg.VecVirtual // AVX2: which class is a byte's, by vector
	to, from, left reg.GPVirtual
	each           reg.VecVirtual   // told the width: the cells of a vector, in every byte
	step           reg.GPVirtual    // and those of a round
	behind         [4]reg.GPVirtual // how far behind the first the classes of the other vectors are
	numbers, table []reg.VecVirtual // AVX-512, bytes of cells: all classes, and the cell of each
}

const picks = "classes of the bytes of a vector"

// perVector returns the cells of a vector.
func (p *planeWriter) perVector() int { return p.bytes / p.width }

// vectors returns the vectors of a round: four, or as many as have 64 columns.
func (p *planeWriter) vectors() int {
	if p.width == 0 {
		return 4
	}
	return min(4, 64/p.perVector())
}

// cells returns how many cells so many vectors have. It is a round's where the
// kernel is told the width.
func (p *planeWriter) cells(vectors int) operand.Op {
	if p.width == 0 {
		return p.step
	}
	return operand.I32(int32(vectors * p.perVector()))
}

// round emits a loop, in which cells makes vector i of those of a round. more
// asks whether as long a round follows, unless it is the usual one.
func (p *planeWriter) round(label string, vectors int, cells func(i int) reg.VecVirtual, more ...func()) {
	p.Label(label)
	for i := range vectors {
		p.put(cells(i), operand.Mem{Base: p.to, Disp: i * p.bytes})
	}
	p.nextRound(vectors)
	for _, ask := range more {
		ask()
	}
	p.JGE(operand.LabelRef(label))
}

// longRounds goes before rounds of one vector, which take as many instructions
// to go on as to write, and before those of two: on a Zen 5 these take up to
// 1.5 times as long, depending on where the loop starts.
func (p *planeWriter) longRounds() {
	const vectors = 4
	more := operand.I32(int32((vectors - p.vectors()) * p.perVector()))
	p.CMPQ(p.left, more)
	p.JLT(operand.LabelRef("round"))
	p.round("longRound", vectors, p.bits, func() { p.CMPQ(p.left, more) })
	p.TESTQ(p.left, p.left)
	if p.stream {
		p.JLT(operand.LabelRef("next"))
	} else {
		p.JLT(operand.LabelRef("last"))
	}
}

// start begins with the first round of n columns.
func (p *planeWriter) start() {
	p.argument("n", p.left)
	p.SUBQ(p.cells(p.vectors()), p.left)
}

// nextRound moves on; the flags then say whether a whole round follows.
func (p *planeWriter) nextRound(vectors int) {
	step := p.cells(vectors)
	p.ADDQ(step, p.from)
	p.ADDQ(operand.I32(int32(vectors*p.bytes)), p.to)
	p.SUBQ(step, p.left)
}

// lastRound goes on with the round that ends at the last column, where columns
// are left. Non-temporal stores come in whole rounds.
func (p *planeWriter) lastRound() {
	e, step := p.emitter, p.cells(p.vectors())
	if p.stream {
		e.JMP(operand.LabelRef("next"))
		return
	}
	e.Label("last")
	e.ADDQ(step, p.left)
	e.JZ(operand.LabelRef("next"))
	e.SUBQ(step, p.left)
	e.ADDQ(p.left, p.from)
	switch p.width {
	case 0:
		e.IMULQ(e.inFrame("width"), p.left)
		e.ADDQ(p.left, p.to)
	case 16:
		e.SHLQ(operand.U8(4), p.left)
		e.ADDQ(p.left, p.to)
	default:
		e.LEAQ(operand.Mem{Base: p.to, Index: p.left, Scale: uint8(p.width)}, p.to)
	}
	e.XORL(p.left.As32(), p.left.As32())
	e.JMP(operand.LabelRef("columns"))
}

// bits makes a vector of cells that are on or off.
func (p *planeWriter) bits(i int) reg.VecVirtual {
	out := p.vector()
	p.compare(p.classes(i), p.off, out)
	return out
}

// compare sets out to on where the classes are that of the plane, and to what
// is in off elsewhere.
func (p *planeWriter) compare(classes reg.Register, off, out reg.VecVirtual) {
	if p.wide() {
		p.blend(p.on, off, p.equal(classes, p.alike(p.class)), out)
		return
	}
	p.VPCMPEQB(classes, p.class, out)
	p.VPAND(p.on, out, out)
	p.VPXOR(off, out, out)
}

// classes loads the classes of vector i, as the tier compares them.
func (p *planeWriter) classes(i int) reg.Register {
	if p.wide() {
		return p.few(i)
	}
	return p.spread(i)
}

// missing loads what planes with misses take besides, if they are, and returns
// what makes a vector of their cells.
func (p *planeWriter) missing() (cells func(i int) reg.VecVirtual) {
	e, v := p.emitter, p.GP64()
	e.CMPQ(e.inFrame("missing"), operand.U8(0))
	e.JEQ(operand.LabelRef("block"))
	e.argument("v", v)
	p.miss = p.value(v, 32, "miss")
	if !e.wide() {
		on := p.value(v, 0, "on")
		return func(i int) reg.VecVirtual {
			x, mask, out := p.spread(i), e.vector(), e.vector()
			e.VPCMPEQB(x, p.class, mask)
			e.VPBLENDVB(x, p.miss, p.off, out)
			e.VPBLENDVB(mask, on, out, out)
			return out
		}
	}
	if p.width > 1 {
		none := p.nones()
		return func(i int) reg.VecVirtual {
			from, out := p.few(i), e.vector()
			p.compare(from, p.off, out)
			p.blend(p.miss, out, p.equal(from, p.alike(none)), out)
			return out
		}
	}
	low, high, last := e.table("classes from 0", count(64, 1)), e.splatConst(8, 64, "classes from 64"), e.K()
	e.VPADDB(low, high, high)
	e.KXNORQ(last, last, last)
	e.KSHIFTLQ(operand.U8(63), last, last) // of 255, modulo 128
	p.blend(p.miss, p.off, last, named(e, p.miss, "off, and miss at the end"))
	p.numbers = []reg.VecVirtual{low, high}
	p.table = []reg.VecVirtual{named(e, e.vector(), "cells of classes from 0"), named(e, e.vector(), "cells of classes from 64")}
	return func(i int) reg.VecVirtual {
		x := e.vector()
		e.load(operand.Mem{Base: p.from}, x)
		e.VPERMI2B(p.table[1], p.table[0], x)
		return x
	}
}

// fillTable makes the table of a plane: the cell of each class.
func (p *planeWriter) fillTable() {
	for i, off := range []reg.VecVirtual{p.off, p.miss} {
		p.blend(p.on, off, p.equal(p.class, p.numbers[i]), p.table[i])
	}
}

// few loads the classes of vector i for AVX-512.
func (p *planeWriter) few(i int) reg.Register {
	x, from := p.alike(p.vector()), operand.Mem{Base: p.from, Disp: i * p.perVector()}
	switch p.width {
	case 8:
		p.VMOVQ(from, x)
	case 16:
		p.VMOVD(from, x)
		p.VPUNPCKLBW(x, x, x)
	default:
		p.VMOVDQU64(from, x)
	}
	return x
}

// alike returns the register that is as long as the classes of a vector.
func (p *planeWriter) alike(v reg.VecVirtual) reg.Register {
	switch p.width {
	case 1:
		return v
	case 2:
		return v.AsY()
	}
	return v.AsX()
}

// equal compares bytes.
func (p *planeWriter) equal(x, y reg.Register) reg.Register {
	k := p.K()
	p.VPCMPEQB(x, y, k)
	return k
}

// toldPicks sets up a kernel that is told the width: which of the classes that a
// load repeats is that of each byte of the first vector, where those of the
// others are, and how many a round has.
//
// A load is of 8 classes, and no round has fewer. So that it never reaches
// beyond its round, that of a vector starts at a multiple of 8: what it picks is
// the same modulo 8.
func (p *planeWriter) toldPicks() {
	cells, each := p.told()
	low, high := p.vector(), p.vector()
	p.VPCMPEQB(low, low, low)
	p.VPADDB(low, each, low)
	pick := named(p.emitter, p.vector(), picks)
	p.load(p.iota, pick)
	p.VMOVQ(reg.RCX, high.AsX())
	p.VPSRLW(high.AsX(), pick, pick)
	p.VPAND(low, pick, pick)
	p.pick, p.each = []reg.VecVirtual{pick}, each
	p.step = named(p.emitter, p.GP64(), "cells of a round")
	p.MOVQ(cells, p.step)
	p.SHLQ(operand.U8(2), p.step)
	for i := range p.behind[1:] {
		to := named(p.emitter, p.GP64(), "to the classes of another vector")
		p.MOVQ(cells, to)
		if i > 0 {
			p.ADDQ(p.behind[i], to)
		}
		p.behind[i+1] = to
	}
	for _, to := range p.behind[1:] {
		p.ANDQ(operand.I32(-8), to)
	}
}

// spread loads the classes of vector i for AVX2, in every byte of their cells.
func (p *planeWriter) spread(i int) reg.VecVirtual {
	x, m := p.vector(), operand.Mem{Base: p.from}
	switch p.width {
	case 1:
		p.load(m.Offset(i*p.bytes), x)
		return x
	case 2:
		p.VBROADCASTI128(m.Offset(i*p.perVector()), x)
		p.VPSHUFB(p.pick[0], x, x)
		return x
	}
	if i > 0 {
		m = m.Idx(p.behind[i], 1)
	}
	p.VPBROADCASTQ(m, x)
	p.VPSHUFB(p.pick[i], x, x)
	return x
}
