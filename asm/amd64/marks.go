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

// setMarks sets the bits of rows that have k classes each, side by side. A lane
// holds eight classes of its row, which are shifted to its low byte one by one.
// The groups of eight are taken from the end of the set backwards. The last
// group is always the first eight classes of the row, and may repeat some: a
// bit that is set twice is set.
func setMarks(e *emitter) {
	const group = 8
	lanes := e.bytes / 8
	e.prose(fmt.Sprintf("The outer loop goes over %d rows a turn, the inner one over %d classes of each, from the last ones back to the first ones. A lane has the classes of one row, each of which in turn becomes its low byte. 1 shifted by the class is its bit in the first word, and 1 shifted by the class less 64 its bit in the second. A shift by more than 63 gives 0, so that only one of the words gets a bit. The last turn of the inner loop takes the first classes of the row, and may set bits a second time.", lanes, group))
	words, plane, classes, rows := e.param("words"), e.param("plane"), e.param("classes"), e.param("rows")
	k, count := e.param("k"), e.param("count")
	one, low, wordBits := e.splatConst(64, 1, "1"), e.splatConst(64, 255, "255"), e.splatConst(64, 64, "64")
	k3, last, i, from := named(e, e.GP64(), "3*k"), named(e, e.GP64(), "start of the last group"), named(e, e.GP64(), "start of the group"), named(e, e.GP64(), "first of the classes to load")
	e.LEAQ(operand.Mem{Base: k, Index: k, Scale: 2}, k3)
	e.LEAQ(operand.Mem{Base: k, Disp: -group}, last)
	bits := [2]reg.VecVirtual{named(e, e.vector(), "bits of the first word"), named(e, e.vector(), "bits of the second word")}

	e.Label("rows")
	e.zero(bits[0])
	e.zero(bits[1])
	e.MOVQ(last, i)
	e.Label("group")
	e.LEAQ(operand.Mem{Base: classes, Index: i, Scale: 1}, from)
	set := e.lanesAt(from, k, k3)
	for c := range group {
		class, second, shifted := e.vector(), e.vector(), set
		if c > 0 {
			e.VPSRLQ(operand.U8(8*c), set, class)
			shifted = class
		}
		if c < group-1 {
			e.and(low, shifted, class)
		}
		e.VPSUBQ(wordBits, class, second)
		e.VPSLLVQ(class, one, class)
		e.VPSLLVQ(second, one, second)
		e.or(class, bits[0], bits[0])
		e.or(second, bits[1], bits[1])
	}
	e.SUBQ(operand.I32(group), i)
	e.JGE(operand.LabelRef("group"))
	e.CMPQ(i, operand.I32(-group))
	e.JEQ(operand.LabelRef("store"))
	e.MOVQ(operand.I32(0), i)
	e.JMP(operand.LabelRef("group"))
	e.Label("store")
	e.store(bits[0], operand.Mem{Base: words})
	e.CMPQ(count, operand.I8(1))
	e.JEQ(operand.LabelRef("one"))
	e.store(bits[1], operand.Mem{Base: words, Index: plane, Scale: 1})
	e.Label("one")
	e.ADDQ(operand.I32(e.bytes), words)
	e.LEAQ(operand.Mem{Base: classes, Index: k, Scale: 4}, classes)
	if e.wide() {
		e.LEAQ(operand.Mem{Base: classes, Index: k, Scale: 4}, classes)
	}
	e.SUBQ(operand.I32(lanes), rows)
	e.JNZ(operand.LabelRef("rows"))
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
