package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planesByColumns writes a round of columns to every plane before it goes on to
// the next round. The classes of the round, and off or miss for each of them,
// stay in registers meanwhile. A vector of cells then takes a comparison and a
// blend, and a miss costs no more than another index.
//
// AVX-512 compares as many classes as a vector has cells. AVX2 picks a class
// for each byte of the cells, so that the result of the comparison is the mask,
// and from 4 bytes on one kernel does for every width. Where off is zero and
// misses have no value of their own, another loop saves one instruction in
// four, and off or miss need not be chosen.
//
// The loop that prefetches asks for the lines of the next round while it writes
// those of the current one, plane by plane.
//
// This order stores runs as short as a round, which is more work for the
// caches. Package plan knows where it is worth that.
func planesByColumns(e *emitter) {
	e.prose("The outer loop goes over blocks, and the one in it over rounds of columns, the last of which ends exactly at n. The classes of a round stay in registers, and so does what its cells hold in the planes of other classes, off or miss. The innermost loop goes over planes: it compares the classes with that of the plane and puts on where they are equal. With AVX2, another innermost loop, where off is zero and there is no miss, saves one instruction in four." + e.wideProse("Another innermost loop also prefetches the output."))
	p := newColumnWriter(e)
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
	p.class = named(e, e.vector(), "class")
	zero := p.missing(v)
	write := func() {
		if p.width == 0 { // no vector register is free to keep first in
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
		if e.wide() {
			e.ifAhead(v, "ahead")
		}
		e.align(32)
		p.planes("plane", plane, false, p.cell)
		e.JMP(operand.LabelRef("written"))
		if e.wide() {
			e.Label("ahead")
			p.planes("planeahead", plane, true, p.cell)
		} else {
			if p.width == 1 { // two vectors a turn, a loop that fits into a window
				e.align(64)
			} else {
				e.alignMiddle(64)
			}
			p.planes("zero", plane, false, func(i int) reg.VecVirtual { return p.compareZero(p.kept[i]) })
		}
		e.Label("written")
	}
	e.repeat("block", blocks, func() { p.columns(dst, write) })
}

type columnWriter struct {
	planeWriter
	to, left, at, planesLeft reg.GPVirtual
	kept                     []reg.Register   // the classes of the vectors of a round
	fill                     []reg.VecVirtual // what their cells hold where they are not on

	pick, each reg.VecVirtual   // AVX2: which class each byte picks; if the width is a parameter, the cells of a vector in every byte
	step       reg.GPVirtual    // and the cells of a round
	behind     [3]reg.GPVirtual // and how far the classes of vectors 1 to 3 are from those of the first; the last may be nil, and is the sum of the others
}

func newColumnWriter(e *emitter) *columnWriter {
	return &columnWriter{planeWriter: planeWriter{cellWriter: newCellWriter(e)}}
}

// perVector returns the number of cells in a vector.
func (p *columnWriter) perVector() int { return p.e.bytes / p.width }

// vectors returns the vectors of a round: four, or fewer for 64 columns.
func (p *columnWriter) vectors() int {
	if p.width == 0 {
		return 4
	}
	return min(4, 64/p.perVector())
}

// cells returns the number of cells in a round.
func (p *columnWriter) cells() operand.Op {
	if p.width == 0 {
		return p.step
	}
	return operand.I32(int32(p.vectors() * p.perVector()))
}

// columns emits the loop over the rounds of the block at dst, and then moves
// dst to the next block. write writes a round to all planes.
func (p *columnWriter) columns(dst reg.GPVirtual, write func()) {
	e, step := p.e, p.cells()
	p.to, p.left = named(e, e.GP64(), "first cell of the round"), named(e, e.GP64(), "columns left after the round")
	p.at, p.planesLeft = named(e, e.GP64(), "cell"), named(e, e.GP64(), "planes left")
	e.MOVQ(dst, p.to)
	e.argument("n", p.left)
	e.SUBQ(step, p.left)
	e.Label("columns")
	p.round()
	write()
	e.ADDQ(step, p.from)
	e.ADDQ(operand.I32(int32(p.vectors()*e.bytes)), p.to)
	e.SUBQ(step, p.left)
	e.JGE(operand.LabelRef("columns"))
	p.lastRound(step)
	e.ADDQ(e.inFrame("stride"), dst)
}

// lastRound goes back to a round that ends at n, if columns are left.
func (p *columnWriter) lastRound(step operand.Op) {
	e := p.e
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

// planes emits the loop over planes. cell makes vector i of a round. ahead says
// whether the loop asks for the lines that the next round will write, each by
// the last byte of a vector: if that vector lies across two lines, its first
// one is of the vector before. By their first bytes, each round of such cells
// of one byte waited for its second line: in rotation through 16 MiB those
// calls took up to twice as long.
func (p *columnWriter) planes(label string, plane reg.GPVirtual, ahead bool, cell func(i int) reg.VecVirtual) {
	p.e.repeat(label, p.planesLeft, func() {
		for i := range p.kept {
			if ahead {
				p.e.PREFETCHT0(operand.Mem{Base: p.at, Disp: (len(p.kept)+i+1)*p.e.bytes - 1})
			}
			p.e.store(cell(i), operand.Mem{Base: p.at, Disp: i * p.e.bytes})
		}
		p.e.VPSUBB(p.none, p.class, p.class)
		p.e.ADDQ(plane, p.at)
	})
}

// missing loads miss, or off in its place if there is no miss. For AVX2 it
// returns a register that is not 0 if off is zero and there is no miss.
func (p *columnWriter) missing(v reg.GPVirtual) (zero reg.GPVirtual) {
	p.miss = p.value(v, 32, "miss, or off")
	p.none = p.e.nones()
	if !p.e.wide() {
		zero = named(p.e, p.e.GP64(), "whether off is zero, without a miss")
		p.e.XORL(zero.As32(), zero.As32())
	}
	p.e.CMPQ(p.e.inFrame("missing"), operand.U8(0))
	p.e.JNE(operand.LabelRef("block"))
	p.e.move(p.off, p.miss)
	if !p.e.wide() {
		p.e.VPTEST(p.off, p.off)
		p.e.SETEQ(zero.As8())
	}
	return zero
}

// round loads the classes of a round.
func (p *columnWriter) round() {
	pick := p.pick
	if p.width == 0 {
		pick = p.e.vector()
		p.e.move(p.pick, pick)
	}
	for i := range p.vectors() {
		if p.e.wide() {
			p.kept = append(p.kept, p.loadClasses(i))
		} else {
			p.kept = append(p.kept, named(p.e, p.spread(i, pick), "classes"))
		}
		if p.width == 0 {
			p.e.VPADDB(p.each, pick, pick)
		}
	}
}

// choose makes off or miss for each cell of a round, which is what the cell
// holds in the planes of other classes.
func (p *columnWriter) choose() {
	for _, classes := range p.kept {
		fill := named(p.e, p.e.vector(), "off or miss")
		if p.e.wide() {
			p.blend(p.miss, p.off, p.equal(classes, p.alike(p.none)), fill)
		} else {
			p.e.VPCMPEQB(classes, p.none, fill)
			p.e.VPBLENDVB(fill, p.miss, p.off, fill)
		}
		p.fill = append(p.fill, fill)
	}
}

// cell makes vector i of a round for the current plane.
func (p *columnWriter) cell(i int) reg.VecVirtual {
	if !p.e.wide() {
		return p.compare(p.kept[i], p.fill[i])
	}
	out := p.e.vector()
	p.blend(p.on, p.fill[i], p.equal(p.kept[i], p.alike(p.class)), out)
	return out
}

// loadClasses loads the classes of vector i for AVX-512.
func (p *columnWriter) loadClasses(i int) reg.Register {
	x, from := p.alike(p.e.vector()), operand.Mem{Base: p.from, Disp: i * p.perVector()}
	switch p.width {
	case 8:
		p.e.VMOVQ(from, x)
	case 16:
		p.e.VMOVD(from, x)
		p.e.VPUNPCKLBW(x, x, x)
	default:
		p.e.VMOVDQU64(from, x)
	}
	return x
}

// alike returns the part of a register that is as long as the classes of a
// vector.
func (p *columnWriter) alike(v reg.VecVirtual) reg.Register {
	switch p.width {
	case 1:
		return v
	case 2:
		return v.AsY()
	}
	return v.AsX()
}

// equal compares bytes and returns the mask of those that are equal.
func (p *columnWriter) equal(x, y reg.Register) reg.Register {
	k := p.e.K()
	p.e.VPCMPEQB(x, y, k)
	return k
}

// picks sets up which class each byte of a vector picks with AVX2.
func (p *columnWriter) picks() {
	switch {
	case p.width == 0:
		p.toldPicks()
	case p.width == 2 && !p.e.wide():
		p.pick = p.e.table("which class each byte picks", count(32, 2))
	}
}

// toldPicks is picks where the width is a parameter. A load repeats 8 classes,
// of which each byte picks one. toldPicks also sets up where the classes of the
// other vectors of a round are, and how many cells a round has.
//
// No round has fewer than 8 classes. So that a load never reaches beyond its
// round, that of a vector starts at a multiple of 8 classes from the start of
// the round: what a byte picks counts modulo 8.
func (p *columnWriter) toldPicks() {
	cells, each, pick := p.widening(p.told())
	p.each, p.pick = each, pick
	p.step = named(p.e, p.e.GP64(), "cells of a round")
	p.e.LEAQ(operand.Mem{Base: cells, Index: cells, Scale: 1}, p.step)
	for i, from := range []reg.GPVirtual{cells, p.step} {
		to := named(p.e, p.e.GP64(), "distance to the classes of another vector")
		p.e.MOVQ(from, to)
		p.e.ANDQ(operand.I32(-8), to)
		p.behind[i] = to
	}
	p.e.ADDQ(p.step, p.step)
}

// spread loads the classes of vector i into all bytes of their cells, with
// AVX2.
func (p *columnWriter) spread(i int, pick reg.VecVirtual) reg.VecVirtual {
	x, m := p.e.vector(), operand.Mem{Base: p.from}
	switch {
	case p.width == 1:
		p.e.load(m.Offset(i*p.e.bytes), x)
		return x
	case p.width == 2:
		p.e.VBROADCASTI128(m.Offset(i*p.perVector()), x)
		p.e.VPSHUFB(pick, x, x)
		return x
	case i == 3 && p.behind[2] == nil:
		p.e.LEAQ(m.Idx(p.behind[0], 1), p.at)
		m = operand.Mem{Base: p.at, Index: p.behind[1], Scale: 1}
	case i > 0:
		m = m.Idx(p.behind[i-1], 1)
	}
	p.e.VPBROADCASTQ(m, x)
	p.e.VPSHUFB(pick, x, x)
	return x
}

// planesStream writes planes one after the other with non-temporal stores.
// These come straight from the comparison. A tile in the first-level cache
// would put ordinary stores among them, each of which waits for the stores
// before it to reach memory. Where planes are few, so would classes that widen
// has spread over their cells. Picking the classes again for each plane takes
// less time than memory does.
func planesStream(e *emitter) {
	e.prose("The outer loop goes over blocks, the one in it over planes, and the innermost one over rounds of whole cache lines. Where cells are wider than a class, each byte of a vector picks the class of its cell first. A comparison with the class of the plane makes the mask of on, and an AND and an exclusive or with off make the cells. A second innermost loop, for planes with misses, also chooses between off and miss. Picking classes again for each plane takes less time than memory does.")
	p := newColumnWriter(e)
	dst, classes, blocks := e.param("dst"), e.param("classes"), e.param("blocks")
	start := e.splat(8, e.param("first"), "first")
	p.picks()
	pick := slices.Repeat([]reg.VecVirtual{p.pick}, p.vectors())
	for i := 1; p.width == 0 && i < len(pick); i++ {
		pick[i] = named(e, e.vector(), "which class each byte of another vector picks")
		e.VPADDB(p.each, pick[i-1], pick[i])
	}
	v := e.param("v")
	p.values(v)
	p.miss, p.none = p.value(v, 32, "miss"), e.nones()
	p.class, p.from, p.to = named(e, e.vector(), "class"), named(e, e.GP64(), "classes of the round"), named(e, e.GP64(), "cell")
	end, run := named(e, e.GP64(), "where classes end"), named(e, e.GP64(), "run")
	p.planesLeft = named(e, e.GP64(), "planes left")
	if p.width == 0 {
		p.behind[2] = named(e, e.GP64(), "distance to the classes of another vector")
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
			e.VPSUBB(p.none, p.class, p.class)
			e.ADDQ(e.inFrame("plane"), run)
		})
		e.MOVQ(end, classes)
		e.ADDQ(e.inFrame("stride"), dst)
	})
}
