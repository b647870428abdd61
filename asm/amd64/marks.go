package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// marks and cells write rows in which several cells may be on: marks makes a
// bit for each cell, and cells makes cells from bits. A row of many columns is
// a few words, and the word of a row is a lane: one variable shift makes the
// bits of a vector of rows, where storing cells would take a store for each
// index.
//
// The words of the same cells lie side by side, row after row, and make a
// plane. A column touches only as many planes as its depth covers.

// marks sets the bits of one column. A shift by more than 63 gives 0, so that
// neither a class of another plane nor a miss sets a bit: the distance of a
// class below the plane wraps to a huge number, and a miss is 255, while a
// column of 128 classes ends in its third plane, at bit 191 or before.
func marks(e *emitter) {
	rows := e.bytes / 8
	e.prose(fmt.Sprintf("The outer loop goes over planes, the inner one over 8 rows a round, in vectors of %d words. A word is 1, shifted by the class, plus first, less the first bit of the plane. A shift by more than 63, which a bit of another plane and a miss ask for, gives 0. If first is not 0, the first plane has a loop of its own, which keeps the bits that are there.", rows))
	words, stride, classes, n := e.param("words"), e.param("plane"), e.param("classes"), e.param("n")
	first, count := e.param("first"), e.param("count")
	one := e.splatConst(64, 1, "1")
	left, shift := named(e, e.GP64(), "rows left"), named(e, e.vector(), "first, less the first bit of the plane")
	from, to := e.from("class", 1), e.from("word", 8)
	plane := func(label string, merge bool) {
		e.broadcast(64, first, shift)
		e.MOVQ(classes, from.ptr)
		e.MOVQ(words, to.ptr)
		e.MOVQ(n, left)
		e.Label(label)
		for k := 0; k < 8; k += rows {
			bit, word := e.vector(), to.mem(k)
			e.VPMOVZXBQ(from.mem(k), bit)
			e.VPADDQ(shift, bit, bit)
			e.VPSLLVQ(bit, one, bit)
			if merge {
				e.or(word, bit, bit)
			}
			e.store(bit, word)
		}
		e.advance(from.ptr, 8)
		e.advance(to.ptr, 8*8)
		e.SUBQ(operand.I32(8), left)
		e.JNZ(operand.LabelRef(label))
		e.ADDQ(stride, words)
		e.SUBQ(operand.I32(64), first)
		e.DECQ(count)
	}
	e.TESTQ(first, first)
	e.JZ(operand.LabelRef("plane"))
	plane("merge", true)
	e.JZ(operand.LabelRef("done"))
	e.Label("plane")
	plane("write", false)
	e.JNZ(operand.LabelRef("plane"))
	e.Label("done")
}

// A setMarker sets the bits of rows that have k classes each, side by side. A
// lane holds eight classes of its row, each of which in turn becomes a lane of
// its own. The groups of eight are taken from the end of the set backwards. The
// last group is always the first eight classes of the row, and may repeat some:
// a bit that is set twice is set.
type setMarker struct {
	e                           *emitter
	words, plane, classes, rows reg.GPVirtual
	k, k3, last, i, from        reg.GPVirtual
	one, wordBits               reg.VecVirtual
	pick                        [8]reg.VecVirtual // which byte of a lane becomes the lane
}

// setMarks sets the bits of rows that have k classes each, in one word a row or
// in two.
func setMarks(e *emitter) {
	m := &setMarker{e: e}
	e.prose(fmt.Sprintf("The outer loop goes over %d rows a turn, the inner one over %d classes of each, from the last ones back to the first ones. A lane has the classes of one row, and a shuffle makes a lane of each of them in turn. 1 shifted by the class is its bit in the first word, and 1 shifted by the class less 64 its bit in the second. A shift by more than 63 gives 0, so that only one of the words gets a bit. The last turn of the inner loop takes the first classes of the row, and may set bits a second time. Rows of one word have loops of their own.", e.bytes/8, len(m.pick)))
	m.words, m.plane, m.classes, m.rows = e.param("words"), e.param("plane"), e.param("classes"), e.param("rows")
	m.k = e.param("k")
	count := e.param("count")
	m.one, m.wordBits = e.splatConst(64, 1, "1"), e.splatConst(64, 64, "64")
	m.pick[0] = e.table("which byte of a lane becomes the lane", []byte{0, 128, 128, 128, 128, 128, 128, 128, 8, 128, 128, 128, 128, 128, 128, 128})
	for c := 1; c < len(m.pick); c++ {
		m.pick[c] = named(e, e.vector(), "which byte of a lane becomes the lane")
		e.VPADDQ(m.one, m.pick[c-1], m.pick[c])
	}
	m.k3, m.last = named(e, e.GP64(), "3*k"), named(e, e.GP64(), "start of the last group")
	m.i, m.from = named(e, e.GP64(), "start of the group"), named(e, e.GP64(), "first of the classes to load")
	e.LEAQ(operand.Mem{Base: m.k, Index: m.k, Scale: 2}, m.k3)
	e.LEAQ(operand.Mem{Base: m.k, Disp: -len(m.pick)}, m.last)
	e.CMPQ(count, operand.I8(1))
	e.JEQ(operand.LabelRef("onerows"))
	m.loops("two", true)
	e.JMP(operand.LabelRef("done"))
	m.loops("one", false)
	e.Label("done")
}

// loops emits the loops over rows and over groups, for rows of one word or of
// two. Labels start with name.
func (m *setMarker) loops(name string, two bool) {
	first, second := named(m.e, m.e.vector(), "bits of the first word"), named(m.e, m.e.vector(), "bits of the second word")
	m.e.Label(name + "rows")
	m.e.zero(first)
	if two {
		m.e.zero(second)
	}
	m.e.MOVQ(m.last, m.i)
	m.e.Label(name + "group")
	m.e.LEAQ(operand.Mem{Base: m.classes, Index: m.i, Scale: 1}, m.from)
	set := m.e.lanesAt(m.from, m.k, m.k3)
	for _, pick := range m.pick {
		class, bit := m.e.vector(), m.e.vector()
		m.e.VPSHUFB(pick, set, class)
		m.e.VPSLLVQ(class, m.one, bit)
		m.e.or(bit, first, first)
		if two {
			m.e.VPSUBQ(m.wordBits, class, class)
			m.e.VPSLLVQ(class, m.one, class)
			m.e.or(class, second, second)
		}
	}
	m.e.SUBQ(operand.I32(len(m.pick)), m.i)
	m.e.JGE(operand.LabelRef(name + "group"))
	m.e.CMPQ(m.i, operand.I32(-len(m.pick)))
	m.e.JEQ(operand.LabelRef(name + "store"))
	m.e.XORL(m.i.As32(), m.i.As32())
	m.e.JMP(operand.LabelRef(name + "group"))
	m.e.Label(name + "store")
	m.e.store(first, operand.Mem{Base: m.words})
	if two {
		m.e.store(second, operand.Mem{Base: m.words, Index: m.plane, Scale: 1})
	}
	m.e.ADDQ(operand.I32(m.e.bytes), m.words)
	for range m.e.bytes / 32 {
		m.e.LEAQ(operand.Mem{Base: m.classes, Index: m.k, Scale: 4}, m.classes)
	}
	m.e.SUBQ(operand.I32(m.e.bytes/8), m.rows)
	m.e.JNZ(operand.LabelRef(name + "rows"))
}

// lanesAt loads a lane from each of as many places as a vector has lanes. The
// places start at from and are k bytes apart.
func (e *emitter) lanesAt(from, k, k3 reg.GPVirtual) reg.VecVirtual {
	four := func() reg.VecVirtual {
		low, high := e.vector(), e.vector()
		e.VMOVQ(operand.Mem{Base: from}, low.AsX())
		e.VMOVHPS(operand.Mem{Base: from, Index: k, Scale: 1}, low.AsX(), low.AsX())
		e.VMOVQ(operand.Mem{Base: from, Index: k, Scale: 2}, high.AsX())
		e.VMOVHPS(operand.Mem{Base: from, Index: k3, Scale: 1}, high.AsX(), high.AsX())
		e.VINSERTI128(operand.U8(1), high.AsX(), low.AsY(), low.AsY())
		return low
	}
	lanes := four()
	if e.wide() {
		e.LEAQ(operand.Mem{Base: from, Index: k, Scale: 4}, from)
		e.VINSERTI64X4(operand.U8(1), four().AsY(), lanes, lanes)
	}
	return lanes
}
