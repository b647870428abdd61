package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// text is classes for bytes that reach their class through a table. The table lies in registers or in 16-byte rows of the first-level cache,
// and what is looked up goes on as classes at once.
//
// AVX-512 permutes bytes of two registers at a time: half the table by the low seven bits of a byte, the other half likewise, and the
// eighth bit picks. AVX2 looks up 16 bytes at a time, so the table is given as those rows of 16, by high nibble, that hold a symbol at all:
// most alphabets have few. x^high is below 16 for the bytes of a row; the saturating addition carries all others into bit 7, where
// VPSHUFB gives 0. Rows hold 255-class, so that rows can be ORed and a byte that is in none of them is 255.
//
// A limit is compared as limit-1, which fits a byte where the limit is 256. The step that ends exactly at n runs through the same loop,
// with as many misses shifted out as were counted before.
func text(e *emitter) {
	prose := "64 bytes a round, of which the last ends exactly at n and counts only what is new in it. 64 bytes written cost 9 instructions."
	if !e.wide() {
		prose = "64 bytes a round, of which the last ends exactly at n and counts only what is new in it; in it a loop over rows. 64 bytes written cost 13 instructions, and 3 for each row."
	}
	e.kernel("classesText", "(classes *int32, text unsafe.Pointer, n int, table unsafe.Pointer, rows int, limit int32) (misses int)",
		"sets classes[i] to the class of text[i] by a textTable that has that many rows, or to -1 where it is limit or more, and counts those. n >= 64, 1 <= limit <= 256.", prose)
	t := &textClassifier{emitter: e}
	t.classes, t.text, t.table = e.param("classes"), e.param("text"), e.param("table")
	left := e.param("n")
	limit := e.param32("limit")
	e.DECL(limit)
	t.top = e.splat(8, limit.As64().(reg.GPVirtual), "limit-1")
	t.ones = named(e, e.vector(), "-1")
	e.ones(t.ones)
	t.setup()
	misses := named(e, e.GP64(), "misses")
	e.XORQ(misses, misses)
	e.XORL(reg.ECX, reg.ECX)
	e.Label("step")
	missed := t.step()
	e.SHRQ(reg.CL, missed)
	e.POPCNTQ(missed, missed)
	e.ADDQ(missed, misses)
	e.ADDQ(operand.I32(64), t.text)
	e.ADDQ(operand.I32(64*4), t.classes)
	e.SUBQ(operand.I32(64), left)
	e.CMPQ(left, operand.I32(64))
	e.JGE(operand.LabelRef("step"))
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("classified"))
	redo := named(e, e.GP64(), "bytes done before")
	e.MOVQ(operand.I32(64), redo)
	e.SUBQ(left, redo)
	e.MOVQ(redo, reg.RCX)
	e.SUBQ(redo, t.text)
	e.SHLQ(operand.U8(2), redo)
	e.SUBQ(redo, t.classes)
	e.MOVQ(operand.I32(64), left)
	e.JMP(operand.LabelRef("step"))
	e.Label("classified")
	e.Store(misses, e.Return("misses"))
	e.done()
}

// A textClassifier emits the step of a text kernel: 64 bytes.
type textClassifier struct {
	*emitter
	classes, text, table reg.GPVirtual
	top, ones            reg.VecVirtual
	quarter              [4]reg.VecVirtual // AVX-512: the table
	rows                 reg.GPVirtual     // AVX2
	bias, zeros          reg.VecVirtual    // AVX2
}

func (t *textClassifier) setup() {
	if t.wide() {
		for i := range t.quarter {
			t.quarter[i] = named(t.emitter, t.vector(), fmt.Sprint("table", i))
			t.load(operand.Mem{Base: t.table, Disp: 64 * i}, t.quarter[i])
		}
		return
	}
	t.rows = t.param("rows")
	t.bias = t.splatConst(8, 0x70, "0x70")
	t.zeros = named(t.emitter, t.vector(), "0")
	t.zero(t.zeros)
}

// step classifies 64 bytes and gives a bit for each that is a miss.
func (t *textClassifier) step() reg.GPVirtual {
	if t.wide() {
		return t.permute()
	}
	return t.shuffle()
}

func (t *textClassifier) permute() reg.GPVirtual {
	low, high := t.vector(), t.vector()
	t.load(operand.Mem{Base: t.text}, low)
	t.move(low, high)
	upper, miss, missed := t.K(), t.K(), t.GP64()
	t.VPMOVB2M(low, upper)
	t.VPERMI2B(t.quarter[1], t.quarter[0], low)
	t.VPERMI2B(t.quarter[3], t.quarter[2], high)
	t.VPBLENDMB(high, low, upper, low)
	const above = operand.U8(6)
	t.VPCMPUB(above, t.top, low, miss)
	t.KMOVQ(miss, missed)
	for i := 0; i < 4; i++ {
		class := t.vector()
		if i == 0 {
			t.VPMOVZXBD(low.AsX(), class)
		} else {
			t.VEXTRACTI32X4(operand.U8(i), low, class.AsX())
			t.VPMOVZXBD(class.AsX(), class)
			t.KSHIFTRQ(operand.U8(16), miss, miss)
		}
		t.VPBLENDMD(t.ones, class, miss, class)
		t.store(class, operand.Mem{Base: t.classes, Disp: 64 * i})
	}
	return missed
}

func (t *textClassifier) shuffle() reg.GPVirtual {
	var x, found [2]reg.VecVirtual
	row, count := named(t.emitter, t.GP64(), "row"), named(t.emitter, t.GP64(), "rows left")
	t.LEAQ(operand.Mem{Base: t.table, Disp: 256}, row)
	t.MOVQ(t.rows, count)
	for i := range x {
		x[i], found[i] = t.vector(), t.vector()
		t.load(operand.Mem{Base: t.text, Disp: 32 * i}, x[i])
		t.zero(found[i])
	}
	t.Label("row")
	high, inverse := t.vector(), t.vector()
	t.VBROADCASTI128(operand.Mem{Base: row}, high)
	t.VBROADCASTI128(operand.Mem{Base: row, Disp: 16}, inverse)
	for i := range x {
		nibble := t.vector()
		t.VPXOR(x[i], high, nibble)
		t.VPADDUSB(t.bias, nibble, nibble)
		t.VPSHUFB(nibble, inverse, nibble)
		t.VPOR(nibble, found[i], found[i])
	}
	t.ADDQ(operand.I32(32), row)
	t.DECQ(count)
	t.JNZ(operand.LabelRef("row"))
	var missed [2]reg.GPVirtual
	for i, class := range found {
		missed[i] = t.GP64()
		t.resolve(class, missed[i], 128*i)
	}
	t.SHLQ(operand.U8(32), missed[1])
	t.ORQ(missed[1], missed[0])
	return missed[0]
}

// resolve stores the classes of 32 bytes. A byte with another of its miss mask above it, as a word, is the class with its sign.
func (t *textClassifier) resolve(class reg.VecVirtual, missed reg.GPVirtual, disp int) {
	miss, high := t.vector(), t.vector()
	t.VPXOR(t.ones, class, class)
	t.VPSUBUSB(t.top, class, miss)
	t.VPCMPEQB(t.zeros, miss, miss)
	t.VPXOR(t.ones, miss, miss)
	t.VPMOVMSKB(miss, missed.As32())
	t.VPOR(miss, class, class)
	t.VPUNPCKHBW(miss, class, high)
	t.VPUNPCKLBW(miss, class, class)
	for half := 0; half < 2; half++ {
		for i, words := range []reg.VecVirtual{class, high} {
			wide := t.vector()
			if half > 0 {
				t.VEXTRACTI128(operand.U8(1), words, words.AsX())
			}
			t.VPMOVSXWD(words.AsX(), wide)
			t.store(wide, operand.Mem{Base: t.classes, Disp: disp + 64*half + 32*i})
		}
	}
}
