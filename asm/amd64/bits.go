package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bitPlanes writes planes of one bit a cell. Where the cells of planes are blended from a comparison, here the comparison is the output: 64
// lanes of a byte compared with one class are a word, which no bit is ever set in. AVX-512 compares into a mask register of 64 bits, AVX2
// moves the sign bits of two vectors to a half each.
func bitPlanes(e *emitter) {
	cost := 16
	if !e.wide() {
		cost = 48
	}
	e.kernel("bits", "(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int)",
		"writes count runs of n bits, stride bytes apart: in run p, 1 where the byte lanes[i] is first+p. n >= 64 and a multiple of 64.",
		fmt.Sprintf("A loop over runs; in it words, four a round, then single ones. 64 bytes written cost %d instructions.", cost))
	dst, stride, lanes, n := e.param("dst"), e.param("stride"), e.param("lanes"), e.param("n")
	first, count := e.param("first"), e.param("count")
	e.SHRQ(operand.U8(3), n) // now the bytes of a run
	e.Label("plane")
	class := e.splat(8, first, "class")
	e.sweep(n, 8, 4, func(i reg.GPVirtual, disp int) {
		from, to := at(lanes, i, 8, disp), operand.Mem{Base: dst, Index: i, Scale: 1, Disp: disp}
		if e.wide() {
			k := e.K()
			e.VPCMPEQB(from, class, k)
			e.KMOVQ(k, to)
			return
		}
		for half := 0; half < 2; half++ {
			equal, word := e.vector(), e.GP32()
			e.VPCMPEQB(from.Offset(32*half), class, equal)
			e.VPMOVMSKB(equal, word)
			e.MOVL(word, to.Offset(4*half))
		}
	}, nil)
	e.ADDQ(stride, dst)
	e.INCQ(first)
	e.DECQ(count)
	e.JNZ(operand.LabelRef("plane"))
	e.done()
}
