package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file is what rowsMiss does in the place of blends by mask registers,
// with AVX-512: it has three values to choose from, and would have to shift two
// masks for each vector.

// encode sets up codes: bytes that say which of three values a unit has. Cells
// of a byte are their own codes. Others are looked up by a permute, which heeds
// the lowest bits of an index alone. So one index has a code in each of its
// bytes, of units in the same lane of as many vectors, and a shift brings the
// next one down: the table has its rows in that order. A code is the place of
// its value in a register of them, where 16 bytes take two places, one for each
// half of a cell.
func (r *rowWriter) encode() {
	e, per := r.emitter, r.width/r.unit // units of a cell
	if r.codes = [3]reg.VecVirtual{r.off, r.on, r.miss}; r.width == 1 {
		return
	}
	r.lookup = named(e, e.vector(), "off, on, miss")
	others := r.off
	for i, x := range []reg.VecVirtual{r.on, r.miss} {
		lanes, k := e.GP64(), e.K()
		e.MOVQ(operand.I32(int32((1<<per-1)<<((i+1)*per))), lanes)
		e.KMOVQ(lanes, k)
		r.blend(x, others, k, r.lookup)
		others = r.lookup
	}
	r.codes = [3]reg.VecVirtual{named(e, e.vector(), "code of off"), e.splatConst(8, per, "code of on"), e.splatConst(8, 2*per, "code of miss")}
	e.zero(r.codes[0])
	if per > 1 {
		r.halves = e.table("half of the cell", count(16, 8))
		e.or(r.halves, r.codes[1], r.codes[1])
	}
}

// writeCodes writes on, and elsewhere what the codes say.
func (r *rowWriter) writeCodes(on reg.Register, codes reg.VecVirtual, to operand.Mem) {
	e := r.emitter
	if r.halves != nil {
		e.or(r.halves, codes, codes)
	}
	e.VPBLENDMB(r.codes[1], codes, on, codes)
	if r.width == 1 {
		e.store(codes, to)
		return
	}
	shift := e.byWidth(8*r.unit, nil, e.VPSRLW, e.VPSRLD, e.VPSRLQ)
	permute := e.byWidth(8*r.unit, nil, e.VPERMW, e.VPERMD, e.VPERMQ)
	for i := range r.unit {
		code, out := codes, e.vector()
		if i > 0 {
			code = out
			shift(operand.U8(8*i), codes, code)
		}
		permute(r.lookup, code, out)
		e.store(out, to.Offset(i*e.bytes))
	}
}

// shortRow is the longest row of bytes that is looked up by hot less e, in the
// place of a compare, a permute and a blend. That is 0 in a cell that is on,
// and within depth of 0 in the others of its row. If the class of a miss is
// 2*depth-1 it is from depth to 2*depth-1 in its row. A permute by two tables
// looks at seven bits, which tell these apart.
const shortRow = 43

// setPlaces sets up what a cell is by hot less e.
func (r *rowWriter) setPlaces() {
	e := r.emitter
	x := e.GP64()
	e.MOVQ(r.units, x)
	e.SHRQ(operand.U8(log2(rowBlock)), x)
	depth := e.splat(8, x, "depth")
	e.LEAQ(operand.Mem{Base: x, Index: x, Scale: 1, Disp: -1}, x)
	r.missHot = e.splat(8, x, "hot of a miss")
	e.VPADDB(r.base, r.missHot, r.missHot)
	less := e.vector() // depth, of the place
	e.VPSUBB(depth, r.first, less)
	for i := range r.places {
		const below = operand.U8(1)
		miss := e.K()
		e.VPCMPUB(below, depth, less, miss)
		r.places[i] = named(e, e.vector(), "cells by hot less e")
		e.VPBLENDMB(r.miss, r.off, miss, r.places[i])
		if i == 0 {
			e.VPADDB(r.step, less, less)
		}
	}
	on := e.K()
	e.MOVL(operand.U32(1), x.As32())
	e.KMOVQ(x, on)
	e.VPBLENDMB(r.on, r.places[0], on, r.places[0])
}

// writePlaces writes what cells are by hot, which is that of each, less e.
func (r *rowWriter) writePlaces(hot reg.VecVirtual, to operand.Mem) {
	e := r.emitter
	e.VPSUBB(r.element, hot, hot)
	e.VPERMI2B(r.places[1], r.places[0], hot)
	e.store(hot, to)
}
