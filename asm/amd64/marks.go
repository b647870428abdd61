package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// marks and spread write rows in which several cells may be on: first a bit for each cell, then cells from bits. A row of many columns is a
// few words, and the word of one row is a lane: one variable shift makes the bits of a vector of rows at a time, where a store per index
// into the cells would make one.
//
// Words of the same cells lie side by side, row after row: a plane of words, of which a column touches as few as its depth covers.

// marks sets the bits of one column. A shift by more than 63 gives no bit: neither a class that belongs to another word, whose distance
// wraps round to a huge number, nor a miss, which is -1 and becomes 2^32-1, is in the way.
func marks(e *emitter) {
	rows := e.bytes / 8
	e.kernel("marks", "(words unsafe.Pointer, stride int, classes *int32, n, first, count int)",
		"sets, in each of count planes of n words, stride bytes apart, bit classes[i]+first of word i; plane p has the bits from 64*p on. A class of -1 has no bit. Where first is not 0 the words of the first plane keep the bits that they have; all others are written anew. n is a multiple of 8 and not 0; first < 64.",
		fmt.Sprintf("A loop over planes; in it vectors of %d words, of which 64 bytes are a round. A round costs %d instructions, and %d where words keep their bits.", rows, 4*64/e.bytes+3, 5*64/e.bytes+3))
	words, stride, classes, n := e.param("words"), e.param("stride"), e.param("classes"), e.param("n")
	first, count := e.param("first"), e.param("count")
	one, unit := named(e, e.vector(), "1"), e.GP64()
	e.MOVQ(operand.I32(1), unit)
	e.broadcast(64, unit, one)
	i, shift := named(e, e.GP64(), "i"), named(e, e.vector(), "first bit")
	plane := func(label string, merge bool) {
		e.broadcast(64, first, shift)
		e.XORQ(i, i)
		e.Label(label)
		for k := 0; k < 8; k += rows {
			bit, word := e.vector(), at(words, i, 8, k)
			e.VPMOVZXDQ(at(classes, i, 4, k), bit)
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
	e.done()
}

// setMarks sets the bits of rows that have k classes each, side by side. Here the classes of a row are the lanes, whose bits are brought
// together at the end: two words at a time, because the halves of two accumulators change places for the price of one. The first group of
// classes is followed by the last, which ends exactly at k, and so on back to the first; a bit that is set twice is set.
func setMarks(e *emitter) {
	lanes, cost := e.bytes/8, 20
	if e.wide() {
		cost = 22
	}
	e.kernel("setMarks", "(words unsafe.Pointer, apart int, classes *int32, rows, k, pairs int)",
		fmt.Sprintf("writes, in 2*pairs planes of words, apart bytes apart, the word of each row: bit c%%64 of plane c/64 is set for each of the row's k classes c, and the others are not. A class of -1 has no bit. k >= %d; rows and pairs are not 0.", lanes),
		fmt.Sprintf("A loop over rows; in it one over pairs of planes; in it one over %d classes. Two words cost %d instructions and 9 for each group behind the first.", lanes, cost))
	words, apart, classes, rows := e.param("words"), e.param("apart"), e.param("classes"), e.param("rows")
	k, pairs := e.param("k"), e.param("pairs")
	one, step, unit := named(e, e.vector(), "1"), e.vector(), e.GP64()
	e.MOVQ(operand.I32(1), unit)
	e.broadcast(64, unit, one)
	e.VPSLLQ(operand.U8(6), one, named(e, step, "64"))
	to, left := named(e, e.GP64(), "word"), named(e, e.GP64(), "pairs left")
	shift := [2]reg.VecVirtual{named(e, e.vector(), "-first bit"), named(e, e.vector(), "-first bit of the second")}
	acc := [2]reg.VecVirtual{named(e, e.vector(), "bits"), named(e, e.vector(), "bits of the second")}
	last, i := named(e, e.GP64(), "last group"), named(e, e.GP64(), "group")
	e.LEAQ(operand.Mem{Base: k, Disp: -lanes}, last)
	e.Label("row")
	e.MOVQ(words, to)
	e.MOVQ(pairs, left)
	e.zero(shift[0])
	e.Label("pair")
	e.VPSUBQ(step, shift[0], shift[1])
	mark := func(from operand.Mem, out [2]reg.VecVirtual) {
		class := e.vector()
		e.VPMOVZXDQ(from, class)
		for w := range out {
			e.VPADDQ(shift[w], class, out[w])
			e.VPSLLVQ(out[w], one, out[w])
		}
	}
	mark(operand.Mem{Base: classes}, acc)
	e.MOVQ(last, i)
	e.CMPQ(last, operand.I32(0))
	e.JE(operand.LabelRef("marked"))
	e.Label("group")
	more := [2]reg.VecVirtual{e.vector(), e.vector()}
	mark(at(classes, i, 4, 0), more)
	e.or(more[0], acc[0], acc[0])
	e.or(more[1], acc[1], acc[1])
	e.SUBQ(operand.I32(int32(lanes)), i)
	e.JGT(operand.LabelRef("group"))
	e.Label("marked")
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
	e.VMOVQ(both.AsX(), operand.Mem{Base: to})
	e.VMOVHPS(both.AsX(), operand.Mem{Base: to, Index: apart, Scale: 1})
	e.LEAQ(operand.Mem{Base: to, Index: apart, Scale: 2}, to)
	e.VPSUBQ(step, shift[1], shift[0])
	e.DECQ(left)
	e.JNZ(operand.LabelRef("pair"))
	e.LEAQ(operand.Mem{Base: classes, Index: k, Scale: 4}, classes)
	e.ADDQ(operand.I32(8), words)
	e.DECQ(rows)
	e.JNZ(operand.LabelRef("row"))
	e.done()
}

// spread turns bits into cells: a mask register's worth of them selects between on and off. AVX2 has no masks: it repeats the bits in every
// lane, tests in each lane the bit that is its own, and blends by the outcome.
func spread(e *emitter, width int, iota64 operand.Mem) {
	s := &spreader{emitter: e, bits: width, lanes: e.bytes * 8 / width}
	cost := 3
	if !e.wide() {
		cost = 10
		if width == 8 {
			cost = 12
		}
	}
	e.kernel(fmt.Sprint("spread", width), "(dst unsafe.Pointer, stride int, words unsafe.Pointer, apart, rows, cells int, on, off uint64)",
		fmt.Sprintf("writes rows of cells, stride bytes apart: on where bit c%%64 of word row of plane c/64 is set and off elsewhere; planes of words are apart bytes apart. It stores whole vectors: up to %d cells behind each row, in the order of rows.", s.lanes-1),
		fmt.Sprintf("A loop over rows; in it words of 64 cells, then single vectors. 64 bytes written cost %d instructions, and a word of cells 4 of the loop.", cost))
	dst, stride, words, apart := e.param("dst"), e.param("stride"), e.param("words"), e.param("apart")
	rows, cells := e.param("rows"), e.param("cells")
	s.setup(iota64)
	to, from, left := named(e, e.GP64(), "cell"), named(e, e.GP64(), "word"), named(e, e.GP64(), "cells left")
	e.Label("row")
	e.MOVQ(dst, to)
	e.MOVQ(words, from)
	e.MOVQ(cells, left)
	e.SUBQ(operand.I32(64), left)
	e.JLT(operand.LabelRef("rest"))
	e.Label("word")
	for c := 0; c < 64; c += s.lanes {
		s.write(operand.Mem{Base: from}, c, operand.Mem{Base: to, Disp: c * width / 8})
	}
	e.ADDQ(apart, from)
	e.ADDQ(operand.I32(64*width/8), to)
	e.SUBQ(operand.I32(64), left)
	e.JGE(operand.LabelRef("word"))
	e.Label("rest")
	e.ADDQ(operand.I32(64), left)
	e.JLE(operand.LabelRef("done"))
	e.Label("vector")
	// Vectors of less than 8 cells share a byte of bits: two of them a round, of which the second may be behind the row.
	round := max(s.lanes, 8)
	for c := 0; c < round; c += s.lanes {
		if c > 0 {
			e.CMPQ(left, operand.I32(int32(c)))
			e.JLE(operand.LabelRef("done"))
		}
		s.write(operand.Mem{Base: from}, c, operand.Mem{Base: to, Disp: c * width / 8})
	}
	e.ADDQ(operand.I32(int32(round/8)), from)
	e.ADDQ(operand.I32(int32(round*width/8)), to)
	e.SUBQ(operand.I32(int32(round)), left)
	e.JGT(operand.LabelRef("vector"))
	e.Label("done")
	e.ADDQ(stride, dst)
	e.ADDQ(operand.I32(8), words)
	e.DECQ(rows)
	e.JNZ(operand.LabelRef("row"))
	e.done()
}

// A spreader emits vectors of cells from bits.
type spreader struct {
	*emitter
	bits, lanes int
	on, off     reg.VecVirtual
	own         []reg.VecVirtual // AVX2: the bit of each lane; of four lanes a byte has the bits of two vectors
	order       reg.VecVirtual   // AVX2, bytes: which of four bytes has the bit of a lane
}

func (s *spreader) setup(iota64 operand.Mem) {
	s.on, s.off = s.splatParam(s.bits, "on"), s.splatParam(s.bits, "off")
	if s.wide() {
		return
	}
	own := named(s.emitter, s.vector(), "bit of a lane")
	s.own = []reg.VecVirtual{own}
	unit, one := s.GP64(), s.vector()
	s.MOVQ(operand.I32(1), unit)
	switch s.bits {
	case 8: // 1, 2, 4 … 128 over and over: there is no shift of bytes, but a constant holds them
		s.MOVQ(operand.Imm(0x8040201008040201), unit)
		s.broadcast(64, unit, own)
		s.order = named(s.emitter, s.vector(), "byte of a lane")
		s.VPMOVZXBD(iota64, s.order) // 0, 1 … 7: two dwords each of 0, 1, 2, 3
		s.VPSRLD(operand.U8(1), s.order, s.order)
		s.MOVL(operand.U32(0x01010101), unit.As32())
		s.broadcast(32, unit, one)
		s.VPMULLD(one, s.order, s.order)
	case 16: // the lanes are words, and so are the products of a power of two for the byte and one within it
		s.broadcast(32, unit, one)
		even, odd := s.vector(), s.vector()
		s.VPMOVZXBD(iota64, even)
		s.VPADDD(even, even, even)
		s.VPADDD(one, even, odd)
		s.VPSLLVD(even, one, even)
		s.VPSLLVD(odd, one, odd)
		s.VPSLLD(operand.U8(16), odd, odd)
		s.VPOR(even, odd, own)
	case 32:
		s.broadcast(32, unit, one)
		s.VPMOVZXBD(iota64, own)
		s.VPSLLVD(own, one, own)
	case 64:
		s.broadcast(64, unit, one)
		s.VPMOVZXBQ(iota64, own)
		s.VPSLLVQ(own, one, own)
		high := named(s.emitter, s.vector(), "bit of a lane, odd vectors")
		s.VPSLLQ(operand.U8(4), own, high)
		s.own = append(s.own, high)
	}
}

// write writes the cells from bit c of a word on.
func (s *spreader) write(word operand.Mem, c int, to operand.Mem) {
	out, from := s.vector(), word.Offset(c/8)
	if s.wide() {
		k := s.K()
		map[int]func(m, k operand.Op){64: s.KMOVQ, 32: s.KMOVD, 16: s.KMOVW, 8: s.KMOVB}[s.lanes](from, k)
		s.byWidth(s.bits, s.VPBLENDMB, s.VPBLENDMW, s.VPBLENDMD, s.VPBLENDMQ)(s.on, s.off, k, out)
		s.store(out, to)
		return
	}
	own := s.own[c/s.lanes%len(s.own)]
	repeat := map[int]func(...operand.Op){32: s.VPBROADCASTD, 16: s.VPBROADCASTW, 8: s.VPBROADCASTB, 4: s.VPBROADCASTB}[s.lanes]
	repeat(from, out)
	if s.bits == 8 {
		s.VPSHUFB(s.order, out, out)
	}
	s.VPAND(own, out, out)
	s.choose(s.bits, own, out, s.on, s.off, out)
	s.store(out, to)
}
