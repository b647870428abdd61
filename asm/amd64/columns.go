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
// Where off is zero and no miss has cells of its own, AVX2 has another loop,
// which spares an instruction of four.
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
	switch {
	case p.width == 0:
		p.toldPicks()
	case p.width == 2 && !e.wide():
		p.pick = []reg.VecVirtual{e.table(picks, count(32, 2))}
	}
	v := e.param("v")
	p.values(v)
	one := e.splatConst(8, 1, "1")
	p.class, p.to, p.left = named(e, e.vector(), "class"), named(e, e.GP64(), "first cell of the round"), named(e, e.GP64(), "columns left behind the round")
	p.cell, p.planesLeft = named(e, e.GP64(), "cell"), named(e, e.GP64(), "planes left")
	zero := p.missing(v)
	e.repeat("block", blocks, func() {
		e.MOVQ(dst, p.to)
		p.start()
		e.Label("columns")
		p.round()
		if p.width == 0 { // all vector registers have a role
			e.broadcast(8, e.param("first"), p.class)
		} else {
			e.move(start, p.class)
		}
		e.MOVQ(p.to, p.cell)
		e.argument("count", p.planesLeft)
		if !e.wide() {
			e.TESTQ(zero, zero)
			e.JNZ(operand.LabelRef("zero"))
		}
		p.planes("plane", one, plane, func(i int, out reg.VecVirtual) { p.compare(p.kept[i], p.fill[i], out) })
		if !e.wide() {
			e.JMP(operand.LabelRef("written"))
			p.planes("zero", one, plane, func(i int, out reg.VecVirtual) {
				e.VPCMPEQB(p.kept[i], p.class, out)
				e.VPAND(p.on, out, out)
			})
			e.Label("written")
		}
		p.nextRound(p.vectors())
		e.JGE(operand.LabelRef("columns"))
		p.lastRound()
		e.Label("next")
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type columnWriter struct {
	planeWriter
	cell, planesLeft reg.GPVirtual
	none             reg.VecVirtual   // AVX-512: 255s
	kept             []reg.Register   // the classes of the vectors of a round
	fill             []reg.VecVirtual // their cells where those are not on
}

// planes is the loop over planes, in which compare makes vector i of a round.
func (p *columnWriter) planes(label string, one reg.VecVirtual, plane reg.GPVirtual, compare func(i int, out reg.VecVirtual)) {
	p.align(32)
	p.repeat(label, p.planesLeft, func() {
		for i := range p.fill {
			out := p.vector()
			compare(i, out)
			p.store(out, operand.Mem{Base: p.cell, Disp: i * p.bytes})
		}
		p.VPADDB(one, p.class, p.class)
		p.ADDQ(plane, p.cell)
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

// round loads the classes of a round, and chooses off or miss. With AVX2 a miss
// is what has the highest bit, as has a class of 128 or more where there is no
// miss.
func (p *columnWriter) round() {
	running := p.vector()
	if p.width == 0 {
		p.move(p.pick[0], running)
		p.pick = []reg.VecVirtual{running, running, running, running}
	}
	for i := range p.vectors() {
		fill, classes := named(p.emitter, p.vector(), "off or miss"), p.classes(i)
		if p.width == 0 {
			p.VPADDB(p.each, running, running)
		}
		if p.wide() {
			p.blend(p.miss, p.off, p.equal(classes, p.alike(p.none)), fill)
		} else {
			p.VPBLENDVB(named(p.emitter, classes, "classes"), p.miss, p.off, fill)
		}
		p.kept, p.fill = append(p.kept, classes), append(p.fill, fill)
	}
}
