package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// marks and cells write rows in which several cells may be on: first a bit for
// each cell, then cells from bits. A row of many columns is a few words, and
// the word of one row is a lane: one variable shift makes the bits of a vector
// of rows at a time, where a store per index into the cells would make one.
//
// Words of the same cells lie side by side, row after row: a plane of words, of
// which a column touches as few as its depth covers.

// marks sets the bits of one column. A shift by more than 63 gives no bit:
// neither a class that belongs to another word, whose distance wraps round to a
// huge number, nor a miss, which is -1 and becomes 2^32-1, is in the way.
func marks(e *emitter) {
	rows := e.bytes / 8
	e.prose(fmt.Sprintf("A loop over planes; in it vectors of %d words, of which 64 bytes are a round.", rows))
	words, stride, classes, n := e.param("words"), e.param("plane"), e.param("classes"), e.param("n")
	first, count := e.param("first"), e.param("count")
	one := e.splatConst(64, 1, "1")
	i, shift := named(e, e.GP64(), "i"), named(e, e.vector(), "first bit")
	plane := func(label string, merge bool) {
		e.broadcast(64, first, shift)
		e.XORQ(i, i)
		e.Label(label)
		for k := 0; k < 8; k += rows {
			bit, word := e.vector(), at(words, i, 8, k)
			e.VPMOVZXBQ(at(classes, i, 1, k), bit)
			e.VPADDQ(shift, bit, bit)
			e.VPSLLVQ(bit, one, bit)
			if merge {
				e.or(word, bit, bit)
			}
			e.store(bit, word)
		}
		e.ADDQ(operand.I32(8), i)
		e.CMPQ(i, n)
		e.JLT(operand.LabelRef(label))
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

// setMarks sets the bits of rows that have k classes each, side by side. Here
// the classes of a row are the lanes, whose bits are brought together at the
// end: two words at a time, because the halves of two accumulators change
// places for the price of one. The first group of classes is followed by the
// last, which ends exactly at k, and so on back to the first; a bit that is set
// twice is set.
func setMarks(e *emitter) {
	lanes := e.bytes / 8
	e.prose(fmt.Sprintf("A loop over rows; in it one over pairs of planes; in it one over %d classes.", lanes))
	words, plane, classes, rows := e.param("words"), e.param("plane"), e.param("classes"), e.param("rows")
	k, count := e.param("k"), e.param("count")
	one, step := e.splatConst(64, 1, "1"), e.splatConst(64, 64, "64")
	to, left := named(e, e.GP64(), "word"), named(e, e.GP64(), "planes left")
	shift := [2]reg.VecVirtual{named(e, e.vector(), "-first bit"), named(e, e.vector(), "-first bit of the second")}
	acc := [2]reg.VecVirtual{named(e, e.vector(), "bits"), named(e, e.vector(), "bits of the second")}
	last, i := named(e, e.GP64(), "last group"), named(e, e.GP64(), "group")
	e.LEAQ(operand.Mem{Base: k, Disp: -lanes}, last)
	mark := func(from operand.Mem, out [2]reg.VecVirtual) {
		class := e.vector()
		e.VPMOVZXBQ(from, class)
		for w := range out {
			e.VPADDQ(shift[w], class, out[w])
			e.VPSLLVQ(out[w], one, out[w])
		}
	}
	e.repeat("row", rows, func() {
		e.MOVQ(words, to)
		e.MOVQ(count, left)
		e.zero(shift[0])
		e.Label("pair")
		e.VPSUBQ(step, shift[0], shift[1])
		mark(operand.Mem{Base: classes}, acc)
		e.MOVQ(last, i)
		e.TESTQ(last, last)
		e.JZ(operand.LabelRef("marked"))
		e.Label("group")
		more := [2]reg.VecVirtual{e.vector(), e.vector()}
		mark(at(classes, i, 1, 0), more)
		e.or(more[0], acc[0], acc[0])
		e.or(more[1], acc[1], acc[1])
		e.SUBQ(operand.I32(int32(lanes)), i)
		e.JGT(operand.LabelRef("group"))
		e.Label("marked")
		both := e.orLanes(acc)
		e.VMOVQ(both, operand.Mem{Base: to})
		e.DECQ(left)
		e.JZ(operand.LabelRef("next"))
		e.VMOVHPS(both, operand.Mem{Base: to, Index: plane, Scale: 1})
		e.LEAQ(operand.Mem{Base: to, Index: plane, Scale: 2}, to)
		e.VPSUBQ(step, shift[1], shift[0])
		e.DECQ(left)
		e.JNZ(operand.LabelRef("pair"))
		e.Label("next")
		e.ADDQ(k, classes)
		e.ADDQ(operand.I32(8), words)
	})
}

// orLanes ORs the lanes of each of two vectors: one word is that of the first,
// the next that of the second.
func (e *emitter) orLanes(acc [2]reg.VecVirtual) reg.Register {
	both, t := e.vector(), e.vector()
	e.VPUNPCKLQDQ(acc[1], acc[0], both)
	e.VPUNPCKHQDQ(acc[1], acc[0], t)
	e.or(t, both, both)
	if e.wide() {
		e.VEXTRACTI64X4(operand.U8(1), both, t.AsY())
		e.VPOR(t.AsY(), both.AsY(), both.AsY())
	}
	e.VEXTRACTI128(operand.U8(1), both.AsY(), t.AsX())
	e.VPOR(t.AsX(), both.AsX(), both.AsX())
	return both.AsX()
}
