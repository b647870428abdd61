package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// text is the index stage for bytes that get their class from a table of 256.
//
// AVX-512 looks up bytes in two registers at a time: one permute by the low
// seven bits of a byte in half of the table, another one in the other half, and
// the eighth bit picks between them. AVX2 looks up 16 bytes at a time. Its
// table therefore has only those rows of 16 bytes, by high nibble, that contain
// a symbol; most alphabets have few. For the bytes of a row, x^high is below
// 16. The saturating addition of 0x70 carries all other bytes into bit 7, for
// which VPSHUFB gives 0. Rows hold 255-class, so that the results of all rows
// can be ORed, and a byte that is in none of them becomes 255.
func text(e *emitter) {
	e.prose("Each round looks up a vector of text. With AVX-512, a permute looks it up in each half of the table, and a blend picks by the highest bit of each byte. AVX2 permutes only 16 bytes, so it takes those rows of 16 bytes of the table that have symbols: two from registers, and a loop takes any others. The saturating addition of 0x70 sets bit 7 of all bytes that belong to other rows, for which VPSHUFB gives 0. The results of the rows are ORed and inverted. Bytes that are limit or more become 255 and are counted. The last round ends exactly at n, and the bits of misses that were counted before are shifted out.")
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

// byRows returns what looks up a vector with AVX2, row by row of the table. The
// first two rows stay in registers: DNA and proteins, of which there is much,
// have no others. A row that the table does not have is zero and finds nothing.
func (e *emitter) byRows(table reg.GPVirtual, ones reg.VecVirtual) (classes func(x reg.VecVirtual) reg.VecVirtual) {
	bias := e.splatConst(8, 0x70, "0x70")
	lookUp := func(x, high, inverse reg.VecVirtual) reg.VecVirtual {
		at, found := e.vector(), e.vector()
		e.VPXOR(x, high, at)
		e.VPADDUSB(bias, at, at)
		e.VPSHUFB(at, inverse, found)
		return found
	}
	load := func(row operand.Mem, high, inverse reg.VecVirtual) {
		e.VBROADCASTI128(row, high)
		e.VBROADCASTI128(row.Offset(16), inverse)
	}
	var high, inverse [2]reg.VecVirtual
	for i := range high {
		high[i], inverse[i] = named(e, e.vector(), fmt.Sprint("high", i)), named(e, e.vector(), fmt.Sprint("inverse", i))
		load(operand.Mem{Base: table, Disp: kernels.TextRows + kernels.TextRow*i}, high[i], inverse[i])
	}
	more := named(e, e.GP64(), "rows beyond the first two")
	e.MOVQ(operand.Mem{Base: table, Disp: kernels.TextCount}, more)
	e.SUBQ(operand.I32(len(high)), more)
	return func(x reg.VecVirtual) reg.VecVirtual {
		found, row, left := lookUp(x, high[0], inverse[0]), named(e, e.GP64(), "row"), named(e, e.GP64(), "rows left")
		e.VPOR(lookUp(x, high[1], inverse[1]), found, found)
		e.MOVQ(more, left)
		e.TESTQ(left, left)
		e.JLE(operand.LabelRef("found"))
		e.LEAQ(operand.Mem{Base: table, Disp: kernels.TextRows + kernels.TextRow*len(high)}, row)
		e.repeat("row", left, func() {
			high, inverse := e.vector(), e.vector()
			load(operand.Mem{Base: row}, high, inverse)
			e.VPOR(lookUp(x, high, inverse), found, found)
			e.ADDQ(operand.I32(kernels.TextRow), row)
		})
		e.Label("found")
		e.VPXOR(ones, found, found)
		return found
	}
}
