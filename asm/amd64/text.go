package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// text is the index stage for bytes that reach their class through a table.
//
// AVX-512 permutes bytes of two registers at a time: half the table by the low
// seven bits of a byte, the other half likewise, and the eighth bit picks. AVX2
// looks up 16 bytes at a time, so the table is given as those rows of 16, by
// high nibble, that hold a symbol at all: most alphabets have few. x^high is
// below 16 for the bytes of a row; the saturating addition carries all others
// into bit 7, where VPSHUFB gives 0. Rows hold 255-class, so that rows can be
// ORed and a byte that is in none of them is 255.
func text(e *emitter) {
	e.prose("A vector a round, with AVX2 in a loop over rows of the table. The last round ends exactly at n, and of its misses those are shifted out that were counted before.")
	out, text, n, table := e.param("classes"), e.param("text"), e.param("n"), e.param("table")
	limit := e.splat(8, e.param("limit"), "limit")
	ones := e.nones()
	lookup := e.byRows
	if e.wide() {
		lookup = e.byHalves
	}
	classes := lookup(table, ones)
	e.countRounds(n, "misses", []array{{text, 1}, {out, 1}}, 1, func(int) reg.GPVirtual {
		x := e.vector()
		e.load(operand.Mem{Base: text}, x)
		x = classes(x)
		missed := e.missesOf(x, limit, ones)
		e.store(x, operand.Mem{Base: out})
		return missed
	})
}

// byHalves loads the table for AVX-512, and returns what looks up a vector.
func (e *emitter) byHalves(table reg.GPVirtual, _ reg.VecVirtual) (classes func(x reg.VecVirtual) reg.VecVirtual) {
	var quarter [4]reg.VecVirtual
	for i := range quarter {
		quarter[i] = named(e, e.vector(), fmt.Sprint("table", i))
		e.load(operand.Mem{Base: table, Disp: 64 * i}, quarter[i])
	}
	return func(x reg.VecVirtual) reg.VecVirtual {
		other, upper := e.vector(), e.K()
		e.move(x, other)
		e.VPMOVB2M(x, upper)
		e.VPERMI2B(quarter[1], quarter[0], x)
		e.VPERMI2B(quarter[3], quarter[2], other)
		e.VPBLENDMB(other, x, upper, x)
		return x
	}
}

// byRows returns what looks up a vector with AVX2, row by row of the table.
func (e *emitter) byRows(table reg.GPVirtual, ones reg.VecVirtual) (classes func(x reg.VecVirtual) reg.VecVirtual) {
	bias := e.splatConst(8, 0x70, "0x70")
	return func(x reg.VecVirtual) reg.VecVirtual {
		found, row, left := e.vector(), named(e, e.GP64(), "row"), named(e, e.GP64(), "rows left")
		e.LEAQ(operand.Mem{Base: table, Disp: kernels.TextRows}, row)
		e.MOVQ(operand.Mem{Base: table, Disp: kernels.TextCount}, left)
		e.zero(found)
		e.repeat("row", left, func() {
			high, inverse := e.vector(), e.vector()
			e.VBROADCASTI128(operand.Mem{Base: row}, high)
			e.VBROADCASTI128(operand.Mem{Base: row, Disp: 16}, inverse)
			e.VPXOR(x, high, high)
			e.VPADDUSB(bias, high, high)
			e.VPSHUFB(high, inverse, inverse)
			e.VPOR(inverse, found, found)
			e.ADDQ(operand.I32(kernels.TextRow), row)
		})
		e.VPXOR(ones, found, found)
		return found
	}
}
