package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The fields of a textTable: the class of each byte, the rows of 16 bytes that
// have one, and how many those are.
const (
	tableRows  = 256
	tableCount = tableRows + 16*32
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
	e.kernel("text", "", "A vector a round, with AVX2 in a loop over rows of the table. The last round ends exactly at n, and of its misses those are shifted out that were counted before.")
	t := &textClassifier{emitter: e}
	out := e.param("classes")
	t.text = e.param("text")
	n := e.param("n")
	t.table = e.param("table")
	limit := e.splat(8, e.param("limit"), "limit")
	ones := named(e, e.vector(), "255s")
	e.ones(ones)
	t.setup()
	e.countRounds(n, "misses", []array{{t.text, 1}, {out, 1}}, func() reg.GPVirtual {
		x := t.lookup()
		if !e.wide() {
			e.VPXOR(ones, x, x)
		}
		missed := e.missesOf(x, limit, ones)
		e.store(x, operand.Mem{Base: out})
		return missed
	})
	e.done()
}

// A textClassifier emits the look-up of a vector of bytes.
type textClassifier struct {
	*emitter
	text, table reg.GPVirtual
	quarter     [4]reg.VecVirtual // AVX-512: the table
	bias        reg.VecVirtual    // AVX2
}

func (t *textClassifier) setup() {
	if !t.wide() {
		t.bias = t.splatConst(8, 0x70, "0x70")
		return
	}
	for i := range t.quarter {
		t.quarter[i] = named(t.emitter, t.vector(), fmt.Sprint("table", i))
		t.load(operand.Mem{Base: t.table, Disp: 64 * i}, t.quarter[i])
	}
}

// lookup gives classes, with AVX2 their complements.
func (t *textClassifier) lookup() reg.VecVirtual {
	x, found := t.vector(), t.vector()
	t.load(operand.Mem{Base: t.text}, x)
	if t.wide() {
		upper := t.K()
		t.move(x, found)
		t.VPMOVB2M(x, upper)
		t.VPERMI2B(t.quarter[1], t.quarter[0], x)
		t.VPERMI2B(t.quarter[3], t.quarter[2], found)
		t.VPBLENDMB(found, x, upper, x)
		return x
	}
	row, count := named(t.emitter, t.GP64(), "row"), named(t.emitter, t.GP64(), "rows left")
	t.LEAQ(operand.Mem{Base: t.table, Disp: tableRows}, row)
	t.MOVQ(operand.Mem{Base: t.table, Disp: tableCount}, count)
	t.zero(found)
	t.repeat("row", count, func() {
		high, inverse := t.vector(), t.vector()
		t.VBROADCASTI128(operand.Mem{Base: row}, high)
		t.VBROADCASTI128(operand.Mem{Base: row, Disp: 16}, inverse)
		t.VPXOR(x, high, high)
		t.VPADDUSB(t.bias, high, high)
		t.VPSHUFB(high, inverse, inverse)
		t.VPOR(inverse, found, found)
		t.ADDQ(operand.I32(32), row)
	})
	return found
}
