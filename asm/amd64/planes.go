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
// comparison is the mask.
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
	dst, plane := e.param("dst"), e.param("plane")
	classes, blocks, n := e.param("classes"), e.param("blocks"), e.param("n")
	start, count := e.splat(8, e.param("first"), "first"), e.param("count")
	p.values(e.param("v"))
	one := e.splatConst(8, 1, "1")
	if !e.wide() && p.width > 1 {
		p.picks(func(pick []byte) operand.Op { return e.table("classes of the bytes of a vector", pick) })
	}
	p.class, p.to, p.from, p.left = named(e, e.vector(), "class"), named(e, e.GP64(), "cell"), named(e, e.GP64(), "classes of the round"), named(e, e.GP64(), "cells left")
	run, planesLeft := named(e, e.GP64(), "run"), named(e, e.GP64(), "planes left")
	missing := p.missing()
	e.repeat("block", blocks, func() {
		e.move(start, p.class)
		e.MOVQ(dst, run)
		e.MOVQ(count, planesLeft)
		e.repeat("plane", planesLeft, func() {
			e.MOVQ(run, p.to)
			e.MOVQ(classes, p.from)
			e.MOVQ(n, p.left)
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
			e.ADDQ(plane, run)
		})
		e.ADDQ(n, classes)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type planeWriter struct {
	*cellWriter
	class          reg.VecVirtual
	pick           []operand.Op // AVX2: which class is a byte's
	to, from, left reg.GPVirtual
	some           reg.VecVirtual   // the classes that those pick from
	numbers, table []reg.VecVirtual // AVX-512, bytes of cells: all classes, and the cell of each
}

// perVector returns the cells of a vector.
func (p *planeWriter) perVector() int { return p.bytes / p.width }

// vectors returns the vectors of a round: four, or as many as have 64 columns.
func (p *planeWriter) vectors() int { return min(4, 64/p.perVector()) }

// round emits a loop, in which cells makes vector i of those of a round.
func (p *planeWriter) round(label string, vectors int, cells func(i int) reg.VecVirtual) {
	p.Label(label)
	for i := range vectors {
		p.put(cells(i), operand.Mem{Base: p.to, Disp: i * p.bytes})
	}
	p.nextRound(label, vectors)
}

// longRounds goes before rounds of one vector, which take as many instructions
// to go on as to write, and before those of two: on a Zen 5 these take up to
// 1.5 times as long, depending on where the loop starts.
func (p *planeWriter) longRounds() {
	const vectors = 4
	p.CMPQ(p.left, operand.I32(int32(vectors*p.perVector())))
	p.JLT(operand.LabelRef("round"))
	p.round("longRound", vectors, p.bits)
	p.CMPQ(p.left, operand.I32(int32(p.vectors()*p.perVector())))
	if p.stream {
		p.JLT(operand.LabelRef("next"))
	} else {
		p.JLT(operand.LabelRef("last"))
	}
}

// nextRound goes back to the label for every whole round.
func (p *planeWriter) nextRound(label string, vectors int) {
	e, step := p.emitter, vectors*p.perVector()
	e.ADDQ(operand.I32(int32(step)), p.from)
	e.ADDQ(operand.I32(int32(step*p.width)), p.to)
	e.SUBQ(operand.I32(int32(step)), p.left)
	e.CMPQ(p.left, operand.I32(int32(step)))
	e.JGE(operand.LabelRef(label))
}

// lastRound goes on with the round that ends at the last column, where columns
// are left. Non-temporal stores come in whole rounds.
func (p *planeWriter) lastRound() {
	e, step := p.emitter, p.vectors()*p.perVector()
	if p.stream {
		e.JMP(operand.LabelRef("next"))
		return
	}
	e.Label("last")
	e.TESTQ(p.left, p.left)
	e.JZ(operand.LabelRef("next"))
	e.SUBQ(operand.I32(int32(step)), p.left)
	e.ADDQ(p.left, p.from)
	if p.width == 16 {
		e.SHLQ(operand.U8(4), p.left)
		e.ADDQ(p.left, p.to)
	} else {
		e.LEAQ(operand.Mem{Base: p.to, Index: p.left, Scale: uint8(p.width)}, p.to)
	}
	e.MOVQ(operand.I32(int32(step)), p.left)
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

// picks makes, for AVX2, what picks the class of each byte of the first vector
// of cells from as many classes as a load repeats, and of those behind it.
func (p *planeWriter) picks(place func(content []byte) operand.Op) {
	for i := range min(16/p.perVector(), p.vectors()) {
		pick := count(32, p.width)
		for b := range pick {
			pick[b] += byte(i * p.perVector())
		}
		p.pick = append(p.pick, place(pick))
	}
}

// spread loads the classes of vector i for AVX2, in every byte of their cells.
func (p *planeWriter) spread(i int) reg.VecVirtual {
	x, m := p.vector(), operand.Mem{Base: p.from, Disp: i * p.perVector()}
	if p.width == 1 {
		p.load(m, x)
		return x
	}
	if i%len(p.pick) == 0 {
		p.some = p.vector()
		if len(p.pick)*p.perVector() == 16 {
			p.VBROADCASTI128(m, p.some)
		} else {
			p.VPBROADCASTQ(m, p.some)
		}
	}
	p.VPSHUFB(p.pick[i%len(p.pick)], p.some, x)
	return x
}
