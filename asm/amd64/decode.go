package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A decoder compares cells with on and with off. In Decode a cell that is
// neither spoils its whole block, which the caller then decodes in Go: such a
// cell is an error in the data and not worth a mask of its own. What remains to
// be found is where the cells that are on lie, which is all that other calls
// ask for.
type decoder struct {
	*cellWriter
	strange reg.OpmaskVirtual // AVX-512: set for cells that are neither
	known   reg.VecVirtual    // AVX2: -1 in the lanes where every cell was one of both
}

func newDecoder(e *emitter) *decoder {
	d := &decoder{cellWriter: newCellWriter(e)}
	v := e.param("v")
	d.on, d.off = d.value(v, 0, "on"), d.value(v, 16, "off")
	if e.wide() {
		d.strange = named(e, e.K(), "neither on nor off")
		e.KXORQ(d.strange, d.strange, d.strange)
	} else {
		d.known = named(e, e.vector(), "on or off")
		e.ones(d.known)
	}
	return d
}

// compareBytes returns a byte mask of the cells at m that are on, for AVX2.
func (d *decoder) compareBytes(m operand.Mem) reg.VecVirtual {
	equal := d.e.byWidth(8*d.width, d.e.VPCMPEQB, d.e.VPCMPEQW, d.e.VPCMPEQD, d.e.VPCMPEQQ)
	x, isOn := d.e.vector(), d.e.vector()
	d.e.load(m, x)
	equal(x, d.on, isOn)
	equal(x, d.off, x)
	d.e.VPOR(isOn, x, x)
	d.e.VPAND(x, d.known, d.known)
	return isOn
}

// compareMask is compareBytes for AVX-512, with a mask register.
func (d *decoder) compareMask(m operand.Mem) reg.OpmaskVirtual {
	const unequal = operand.U8(4)
	x, isOn, other := d.e.vector(), d.e.K(), d.e.K()
	d.e.load(m, x)
	d.e.byWidth(8*d.width, d.e.VPCMPEQB, d.e.VPCMPEQW, d.e.VPCMPEQD, d.e.VPCMPEQQ)(x, d.on, isOn)
	d.e.byWidth(8*d.width, d.e.VPCMPB, d.e.VPCMPW, d.e.VPCMPD, d.e.VPCMPQ)(unequal, x, d.off, other)
	d.e.KANDNQ(other, isOn, other)
	d.e.KORQ(other, d.strange, d.strange)
	return isOn
}

// neither returns a number that is 0 if every cell was on or off.
func (d *decoder) neither() reg.GPVirtual {
	r := d.e.GP64()
	if d.e.wide() {
		d.e.KMOVQ(d.strange, r)
	} else {
		d.e.VPMOVMSKB(d.known, r.As32())
		d.e.NOTL(r.As32())
	}
	return r
}

// hits turns cells into bits, a word for 64 cells. The caller reads rows of any
// depth from these, so that no row has to start or end with a vector.
func hits(e *emitter) {
	e.prose("Each round compares one vector of cells, or two where cells have 2 or 8 bytes, with on and with off, and packs what is on into bits. The last round ends exactly at n, and the bits that it repeats are shifted out. A register keeps those lanes in which every cell was on or off, and is looked at once, in the end.")
	words, cells, left := e.param("words"), e.param("cells"), e.param("n")
	d := newDecoder(e)
	e.masks(d.width, words, left, []array{{cells, d.width}}, false, func(i int) reg.VecVirtual {
		return d.compareBytes(operand.Mem{Base: cells, Disp: i * d.width})
	})
	e.Store(d.neither(), e.Return("neither"))
}

// collect is the inverse of planes: each lane takes the class of every plane in
// which its column is on. Two planes may claim a column; the number of all
// cells that are on tells the caller.
func collect(e *emitter) {
	e.prose("The outer loop goes over runs, the inner one over vectors, the last of which ends exactly at n. It compares cells with on and with off. A blend puts the class of the run into the lanes whose cells are on, and these are counted, in the last vector only the new ones. What was neither on nor off is collected in a register and looked at once, in the end.")
	lanes, cells, stride, n := e.param("lanes"), e.param("cells"), e.param("plane"), e.param("n")
	first, count := e.param("first"), e.param("count")
	d := newDecoder(e)
	total := named(e, e.GP64(), "bits of hits")
	e.XORQ(total, total)
	lane, from, left := named(e, e.GP64(), "current lanes"), named(e, e.GP64(), "current cells"), named(e, e.GP64(), "cells left")
	perCell := 1 // bits of a cell in the count
	if !e.wide() {
		perCell = d.width
	}
	e.repeat("plane", count, func() {
		class := e.splat(8*d.width, first, "class")
		e.MOVQ(lanes, lane)
		e.MOVQ(cells, from)
		e.MOVQ(n, left)
		e.SUBQ(operand.I32(int32(e.bytes/d.width)), left)
		e.walk(left, e.bytes/d.width, perCell, []array{{lane, d.width}, {from, d.width}}, false, func() { // the jump crosses no multiple of 32 as it is
			cell, old, found := operand.Mem{Base: from}, e.vector(), e.GP64()
			if e.wide() {
				isOn := d.compareMask(cell)
				e.load(operand.Mem{Base: lane}, old)
				d.blend(class, old, isOn, old)
				e.KMOVQ(isOn, found)
			} else {
				isOn := d.compareBytes(cell)
				e.load(operand.Mem{Base: lane}, old)
				e.VPBLENDVB(isOn, class, old, old)
				e.VPMOVMSKB(isOn, found.As32())
			}
			e.store(old, operand.Mem{Base: lane})
			e.countNew(found, total)
		})
		e.ADDQ(stride, cells)
		e.INCQ(first)
	})
	if perCell > 1 {
		e.SHRQ(operand.U8(log2(perCell)), total)
	}
	neither := d.neither()
	e.TESTQ(neither, neither)
	e.JZ(operand.LabelRef("known"))
	e.MOVQ(operand.I32(-1), total)
	e.Label("known")
	e.Store(total, e.Return("hits"))
}
