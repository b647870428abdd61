package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file has what the AVX-512 kernels of rowsMiss do in place of blends by
// mask registers. They choose among three values, and would have to shift two
// masks for each vector of cells.

// setCodes sets up codes, bytes that say which of the three values a unit has.
// Cells of one byte are their own codes. For wider cells a permute looks the
// value up by the code, and heeds only the lowest bits of its index. One index
// therefore has a code in each byte, those of the units in the same lane of
// successive vectors, and a shift brings the next one down; the table is in
// that order. A code is the place of a value in the register lookup, where one
// of 16 bytes takes two places, one for each half of a cell.
func (r *rowWriter) setCodes() {
	e, per := r.e, r.width/r.unit // units of a cell
	if r.codes = [3]reg.VecVirtual{r.off, r.on, r.miss}; r.width == 1 {
		return
	}
	r.lookup = named(e, e.vector(), "table of the values off, on and miss")
	others := r.off
	for i, x := range []reg.VecVirtual{r.on, r.miss} {
		lanes, k := e.GP64(), e.K()
		e.set(lanes, (1<<per-1)<<((i+1)*per))
		e.KMOVQ(lanes, k)
		r.blend(x, others, k, r.lookup)
		others = r.lookup
	}
	r.codes = [3]reg.VecVirtual{named(e, e.vector(), "code of off"), e.splatConst(8, per, "code of on"), e.splatConst(8, 2*per, "code of miss")}
	e.zero(r.codes[0])
	if per > 1 {
		r.halves = e.table("which half of its cell a unit is", count(16, 8))
		e.or(r.halves, r.codes[1], r.codes[1])
	}
}

// writeCodes writes on where bits are set, and elsewhere what codes say.
func (r *rowWriter) writeCodes(on reg.Register, codes reg.VecVirtual, to operand.Mem) {
	e := r.e
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

// shortRow is the depth up to which rows of bytes are looked up by hot less e,
// in one permute instead of a comparison, a permute and a blend. hot-e is 0 for
// the cell that is on, and from 1-depth to depth-1 for the other cells of its
// row. With 2*depth-1 as the class of a miss, it is from depth to 2*depth-1 for
// the cells of a row without a class. A permute of two registers heeds seven
// bits of its index, which tell all of these apart.
const shortRow = 43

// setPlaces sets up the table of what a cell is by hot less e.
func (r *rowWriter) setPlaces() {
	e := r.e
	x := e.GP64()
	e.MOVQ(r.units, x)
	e.SHRQ(operand.U8(log2(rowBlock)), x)
	depth := e.splat(8, x, "depth")
	e.LEAQ(operand.Mem{Base: x, Index: x, Scale: 1, Disp: -1}, x)
	r.missHot = e.splat(8, x, "hot of a miss")
	e.VPADDB(r.base, r.missHot, r.missHot)
	less := e.vector() // the place in the table, less depth
	e.VPSUBB(depth, r.first, less)
	for i := range r.places {
		const below = operand.U8(1)
		miss := e.K()
		e.VPCMPUB(below, depth, less, miss)
		r.places[i] = named(e, e.vector(), "what a cell is, by hot less e")
		e.VPBLENDMB(r.miss, r.off, miss, r.places[i])
		if i == 0 {
			e.VPADDB(r.step, less, less)
		}
	}
	on := e.K()
	e.set(x, 1)
	e.KMOVQ(x, on)
	e.VPBLENDMB(r.on, r.places[0], on, r.places[0])
}

// writePlaces writes the cells of a vector, given the hot of the row of each.
func (r *rowWriter) writePlaces(hot reg.VecVirtual, to operand.Mem) {
	e := r.e
	e.VPSUBB(r.element, hot, hot)
	e.VPERMI2B(r.places[1], r.places[0], hot)
	e.store(hot, to)
}
