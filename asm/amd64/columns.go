package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planesByColumns is planes in the other order: a round of columns is written
// to every plane before the next one. Its classes, and off or miss for each of
// them, stay in registers meanwhile, so that a vector of cells is a comparison
// and a blend, and a miss costs no more than another index.
//
// AVX-512 compares as many classes as a vector has cells. AVX2 repeats a few of
// them in a register and picks one for each byte of the cells, so that the
// comparison is the mask, and from 4 bytes on one kernel does for every width.
// Where off is zero and no miss has cells of its own there is another loop,
// which saves one instruction in four and needs no choice between off and miss.
//
// Runs as short as a round are more work for the caches: package plan knows
// where they are worth it.
func planesByColumns(e *emitter) {
	e.prose("A loop over blocks; in it one over rounds of columns, the last of which ends exactly at n; in it one over planes, by AVX2 another where off is zero and there is no miss.")
	p := &columnWriter{planeWriter: planeWriter{cellWriter: newCellWriter(e)}}
	dst, plane := e.param("dst"), e.param("plane")
	p.from = e.param("classes")
	blocks := e.param("blocks")
	var start reg.VecVirtual
	if p.width > 0 {
		start = e.splat(8, e.param("first"), "first")
	}
	p.picks()
	v := e.param("v")
	p.values(v)
	one := e.splatConst(8, 1, "1")
	p.class, p.to, p.left = named(e, e.vector(), "class"), named(e, e.GP64(), "first cell of the round"), named(e, e.GP64(), "columns left behind the round")
	p.at, p.planesLeft = named(e, e.GP64(), "cell"), named(e, e.GP64(), "planes left")
	zero := p.missing(v)
	step := p.cells()
	e.repeat("block", blocks, func() {
		e.MOVQ(dst, p.to)
		e.argument("n", p.left)
		e.SUBQ(step, p.left)
		e.Label("columns")
		p.round()
		if p.width == 0 { // all vector registers have a role
			e.broadcast(8, e.param("first"), p.class)
		} else {
			e.move(start, p.class)
		}
		e.MOVQ(p.to, p.at)
		e.argument("count", p.planesLeft)
		if !e.wide() {
			e.TESTQ(zero, zero)
			e.JNZ(operand.LabelRef("zero"))
		}
		p.choose()
		e.align(32)
		p.planes("plane", one, plane, p.cell)
		if !e.wide() {
			e.JMP(operand.LabelRef("written"))
			if p.width == 1 { // two vectors, which a window holds
				e.align(64)
			} else {
				e.alignMiddle()
			}
			p.planes("zero", one, plane, func(i int) reg.VecVirtual { return p.compareZero(p.kept[i]) })
			e.Label("written")
		}
		e.ADDQ(step, p.from)
		e.ADDQ(operand.I32(int32(p.vectors()*e.bytes)), p.to)
		e.SUBQ(step, p.left)
		e.JGE(operand.LabelRef("columns"))
		p.lastRound(step)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type columnWriter struct {
	planeWriter
	to, left, at, planesLeft reg.GPVirtual
	kept                     []reg.Register   // the classes of the vectors of a round
	fill                     []reg.VecVirtual // their cells where those are not on

	pick, each reg.VecVirtual   // AVX2: which class is a byte's; told the width, the cells of a vector in every byte
	step       reg.GPVirtual    // and those of a round
	behind     [3]reg.GPVirtual // how far behind the first the classes of the others are; the last may be left out: as far as both
}

// perVector returns the cells of a vector.
func (p *columnWriter) perVector() int { return p.bytes / p.width }

// vectors returns the vectors of a round: four, or as many as have 64 columns.
func (p *columnWriter) vectors() int {
	if p.width == 0 {
		return 4
	}
	return min(4, 64/p.perVector())
}

// cells returns how many a round has.
func (p *columnWriter) cells() operand.Op {
	if p.width == 0 {
		return p.step
	}
	return operand.I32(int32(p.vectors() * p.perVector()))
}

// lastRound goes on with the round that ends at the last column, where columns
// are left.
func (p *columnWriter) lastRound(step operand.Op) {
	e := p.emitter
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
	e.Label("next")
}

// planes is the loop over planes, in which cell makes vector i of a round.
func (p *columnWriter) planes(label string, one reg.VecVirtual, plane reg.GPVirtual, cell func(i int) reg.VecVirtual) {
	p.repeat(label, p.planesLeft, func() {
		for i := range p.kept {
			p.store(cell(i), operand.Mem{Base: p.at, Disp: i * p.bytes})
		}
		p.VPADDB(one, p.class, p.class)
		p.ADDQ(plane, p.at)
	})
}

// missing loads miss, or off in its place, and returns, for AVX2, whether off
// is zero and there is no miss.
func (p *columnWriter) missing(v reg.GPVirtual) (zero reg.GPVirtual) {
	p.miss = p.value(v, 32, "miss, or off")
	if p.wide() {
		p.none = p.nones()
	} else {
		zero = named(p.emitter, p.GP64(), "whether off is zero, without a miss")
		p.XORL(zero.As32(), zero.As32())
	}
	p.CMPQ(p.inFrame("missing"), operand.U8(0))
	p.JNE(operand.LabelRef("block"))
	p.move(p.off, p.miss)
	if !p.wide() {
		p.VPTEST(p.off, p.off)
		p.SETEQ(zero.As8())
	}
	return zero
}

// round loads the classes of a round.
func (p *columnWriter) round() {
	pick := p.pick
	if p.width == 0 {
		pick = p.vector()
		p.move(p.pick, pick)
	}
	for i := range p.vectors() {
		if p.wide() {
			p.kept = append(p.kept, p.few(i))
		} else {
			p.kept = append(p.kept, named(p.emitter, p.spread(i, pick), "classes"))
		}
		if p.width == 0 {
			p.VPADDB(p.each, pick, pick)
		}
	}
}

// choose makes off or miss for each cell of a round: what it holds in the
// planes that are not its class.
func (p *columnWriter) choose() {
	for _, classes := range p.kept {
		fill := named(p.emitter, p.vector(), "off or miss")
		if p.wide() {
			p.blend(p.miss, p.off, p.equal(classes, p.alike(p.none)), fill)
		} else {
			p.ones(fill)
			p.VPCMPEQB(classes, fill, fill)
			p.VPBLENDVB(fill, p.miss, p.off, fill)
		}
		p.fill = append(p.fill, fill)
	}
}

// cell makes vector i of a round, of a plane.
func (p *columnWriter) cell(i int) reg.VecVirtual {
	if !p.wide() {
		return p.compare(p.kept[i], p.fill[i])
	}
	out := p.vector()
	p.blend(p.on, p.fill[i], p.equal(p.kept[i], p.alike(p.class)), out)
	return out
}

// few loads the classes of vector i for AVX-512.
func (p *columnWriter) few(i int) reg.Register {
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
func (p *columnWriter) alike(v reg.VecVirtual) reg.Register {
	switch p.width {
	case 1:
		return v
	case 2:
		return v.AsY()
	}
	return v.AsX()
}

// equal compares bytes.
func (p *columnWriter) equal(x, y reg.Register) reg.Register {
	k := p.K()
	p.VPCMPEQB(x, y, k)
	return k
}

// picks sets up which class each byte of a vector picks, for AVX2.
func (p *columnWriter) picks() {
	switch {
	case p.width == 0:
		p.toldPicks()
	case p.width == 2 && !p.wide():
		p.pick = p.table("classes of the bytes of a vector", count(32, 2))
	}
}

// toldPicks sets up a kernel that is told the width: which of the classes that
// a load repeats is that of each byte of the first vector, where those of the
// others are, and how many a round has.
//
// A load is of 8 classes, and no round has fewer. So that it never reaches
// beyond its round, that of a vector starts at a multiple of 8: what it picks
// is the same modulo 8.
func (p *columnWriter) toldPicks() {
	cells, each, pick := p.widening(p.told())
	p.each, p.pick = each, pick
	p.step = named(p.emitter, p.GP64(), "cells of a round")
	p.LEAQ(operand.Mem{Base: cells, Index: cells, Scale: 1}, p.step)
	for i, from := range []reg.GPVirtual{cells, p.step} {
		to := named(p.emitter, p.GP64(), "to the classes of another vector")
		p.MOVQ(from, to)
		p.ANDQ(operand.I32(-8), to)
		p.behind[i] = to
	}
	p.ADDQ(p.step, p.step)
}

// spread loads the classes of vector i for AVX2, in every byte of their cells.
func (p *columnWriter) spread(i int, pick reg.VecVirtual) reg.VecVirtual {
	x, m := p.vector(), operand.Mem{Base: p.from}
	switch {
	case p.width == 1:
		p.load(m.Offset(i*p.bytes), x)
		return x
	case p.width == 2:
		p.VBROADCASTI128(m.Offset(i*p.perVector()), x)
		p.VPSHUFB(pick, x, x)
		return x
	case i == 3 && p.behind[2] == nil:
		p.LEAQ(m.Idx(p.behind[0], 1), p.at)
		m = operand.Mem{Base: p.at, Index: p.behind[1], Scale: 1}
	case i > 0:
		m = m.Idx(p.behind[i-1], 1)
	}
	p.VPBROADCASTQ(m, x)
	p.VPSHUFB(pick, x, x)
	return x
}

// planesStream is planes, one after the other, by non-temporal stores. They
// come straight from the comparison: a detour through a tile in the first-level
// cache would put ordinary stores among them, each of which waits for those
// before it to reach memory, and so would classes in all bytes of their cells,
// where planes are few. Memory is slower than to pick the classes anew for each
// plane.
func planesStream(e *emitter) {
	if e.key.Bytes == 1 {
		planes(e)
		return
	}
	e.prose("A loop over blocks; in it one over planes; in it one of two over rounds of vectors.")
	p := &columnWriter{planeWriter: planeWriter{cellWriter: newCellWriter(e)}}
	dst, classes, blocks := e.param("dst"), e.param("classes"), e.param("blocks")
	start := e.splat(8, e.param("first"), "first")
	p.picks()
	pick := []reg.VecVirtual{p.pick, p.pick, p.pick, p.pick}
	for i := 1; p.width == 0 && i < len(pick); i++ {
		pick[i] = named(e, e.vector(), "classes of further bytes")
		e.VPADDB(p.each, pick[i-1], pick[i])
	}
	v := e.param("v")
	p.values(v)
	p.miss, p.none = p.value(v, 32, "miss"), e.nones()
	one := e.splatConst(8, 1, "1")
	p.class, p.from, p.to = named(e, e.vector(), "class"), named(e, e.GP64(), "classes of the round"), named(e, e.GP64(), "cell")
	end, run := named(e, e.GP64(), "where classes end"), named(e, e.GP64(), "run")
	p.planesLeft = named(e, e.GP64(), "planes left")
	if p.width == 0 {
		p.behind[2] = named(e, e.GP64(), "to the classes of another vector")
		e.LEAQ(operand.Mem{Base: p.behind[0], Index: p.behind[1], Scale: 1}, p.behind[2])
	}
	round := func(label string, off func(classes reg.VecVirtual) reg.VecVirtual) {
		e.Label(label)
		for i := range pick {
			x := p.spread(i, pick[i])
			p.put(p.compare(x, off(x)), operand.Mem{Base: p.to, Disp: i * e.bytes})
		}
		e.ADDQ(p.cells(), p.from)
		e.ADDQ(operand.I32(int32(len(pick)*e.bytes)), p.to)
		e.CMPQ(p.from, end)
		e.JB(operand.LabelRef(label))
	}
	e.MOVQ(classes, end)
	e.repeat("block", blocks, func() {
		e.ADDQ(e.inFrame("n"), end)
		e.move(start, p.class)
		e.MOVQ(dst, run)
		e.argument("count", p.planesLeft)
		e.repeat("plane", p.planesLeft, func() {
			e.MOVQ(classes, p.from)
			e.MOVQ(run, p.to)
			e.CMPQ(e.inFrame("missing"), operand.U8(0))
			e.JNE(operand.LabelRef("missing"))
			round("round", func(reg.VecVirtual) reg.VecVirtual { return p.off })
			e.JMP(operand.LabelRef("next"))
			round("missing", p.offOrMiss)
			e.Label("next")
			e.VPADDB(one, p.class, p.class)
			e.ADDQ(e.inFrame("plane"), run)
		})
		e.MOVQ(end, classes)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}
