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
// Runs are as short as a round, which the second-level cache does not mind;
// beyond it planes are faster.
func planesByColumns(e *emitter) {
	e.prose("A loop over blocks; in it one over rounds of columns, the last of which ends exactly at n; in it one over planes.")
	p := &columnWriter{planeWriter: planeWriter{cellWriter: newCellWriter(e)}}
	dst, plane := e.param("dst"), e.param("plane")
	p.from, p.n = e.param("classes"), e.param("n")
	blocks, first, count := e.param("blocks"), e.param("first"), e.param("count")
	v := e.param("v")
	p.values(v)
	one := e.splatConst(8, 1, "1")
	if !e.wide() && p.width > 1 {
		p.picks(func(pick []byte) operand.Op { return e.tableIn(pick) })
	}
	p.class, p.to, p.left = named(e, e.vector(), "class"), named(e, e.GP64(), "first cell of the round"), named(e, e.GP64(), "columns left")
	cell, planesLeft := named(e, e.GP64(), "cell"), named(e, e.GP64(), "planes left")
	p.missing(v)
	e.repeat("block", blocks, func() {
		e.MOVQ(dst, p.to)
		e.MOVQ(p.n, p.left)
		e.Label("columns")
		p.round()
		e.broadcast(8, first, p.class)
		e.MOVQ(p.to, cell)
		e.MOVQ(count, planesLeft)
		e.align(32)
		e.repeat("plane", planesLeft, func() {
			for i := range p.classes {
				e.store(p.cells(i), operand.Mem{Base: cell, Disp: i * e.bytes})
			}
			e.VPADDB(one, p.class, p.class)
			e.ADDQ(plane, cell)
		})
		p.nextRound("columns")
		p.lastRound()
		e.Label("next")
		e.ADDQ(e.inFrame("stride"), dst)
	})
}

type columnWriter struct {
	planeWriter
	n       reg.GPVirtual
	classes []reg.Register   // of the vectors of a round
	fill    []reg.VecVirtual // their cells where those are not on
}

// missing loads miss, or off in its place.
func (p *columnWriter) missing(v reg.GPVirtual) {
	p.miss = p.value(v, 32, "miss, or off")
	p.CMPQ(p.inFrame("missing"), operand.U8(0))
	p.JNE(operand.LabelRef("block"))
	p.move(p.off, p.miss)
}

// round loads the classes of a round, and chooses off or miss. A miss is what
// has the highest bit, as has a class of 128 or more where there is no miss.
func (p *columnWriter) round() {
	for i := range p.vectors() {
		fill := named(p.emitter, p.vector(), "off or miss")
		if p.wide() {
			missed := p.K()
			p.classes = append(p.classes, p.few(i))
			p.VPMOVB2M(p.classes[i], missed)
			p.blend(p.miss, p.off, missed, fill)
		} else {
			class := named(p.emitter, p.spread(i), "classes")
			p.classes = append(p.classes, class)
			p.VPBLENDVB(class, p.miss, p.off, fill)
		}
		p.fill = append(p.fill, fill)
	}
}

// cells makes vector i of those of a round in a plane.
func (p *columnWriter) cells(i int) reg.VecVirtual {
	out := p.vector()
	if p.wide() {
		p.blend(p.on, p.fill[i], p.equal(p.classes[i], p.alike(p.class)), out)
		return out
	}
	p.VPCMPEQB(p.classes[i], p.class, out)
	p.VPAND(p.on, out, out)
	p.VPXOR(p.fill[i], out, out)
	return out
}
