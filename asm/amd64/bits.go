package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// bitPlanes writes planes of one bit a cell. The result of a comparison, by
// which other kernels blend cells, is the output here: 64 classes compared with
// that of a plane are a word, in which no bit is ever set on its own.
//
// A word fills an eighth of a line, so that the some 60 stores that the
// processor looks ahead reach a few lines only. The kernel therefore asks for
// the same place some planes later, and in the last planes for what the first
// ones get next. docs/kernels.md says what that gives.
func bitPlanes(e *emitter) {
	const later = 4 // planes; two and eight are no better
	e.prose("The outer loop goes over planes, the inner one over words of 64 classes, four a round and then one by one. A comparison with the class of the plane makes a whole word with AVX-512 and half a word with AVX2, so that no bit is set on its own. Each round of four asks for the line that will be written four planes later. In the last four planes it asks for what follows the run in one of the first four.")
	dst, plane, classes, n, count := e.param("dst"), e.param("plane"), e.param("classes"), e.param("n"), e.param("count")
	e.SHRQ(operand.U8(6), named(e, n, "words of a run"))
	none, class, left := e.nones(), named(e, e.vector(), "class"), named(e, e.GP64(), "words left")
	from, to := e.from("classes of a word", 64), e.from("word", 8)
	e.zero(class)
	next, first := named(e, e.GP64(), "bytes to the line that is asked for"), named(e, e.GP64(), "the same in the last planes")
	e.MOVQ(count, first)
	e.NEGQ(first)
	e.ADDQ(operand.I32(later), first)
	e.IMULQ(plane, first)
	e.LEAQ(operand.Mem{Base: first, Index: n, Scale: 8}, first)
	e.IMUL3Q(operand.I8(later), plane, next)
	e.repeat("plane", count, func() {
		e.CMPQ(count, operand.I8(later))
		e.CMOVQLE(first, next)
		e.MOVQ(classes, from.ptr)
		e.MOVQ(dst, to.ptr)
		e.MOVQ(n, left)
		e.steps("", left, 1, []array{from, to}, func(disp int) {
			if disp == 1 { // not in rounds of one word
				e.PREFETCHT0(operand.Mem{Base: to.ptr, Index: next, Scale: 1})
			}
			if e.wide() {
				k := e.K()
				e.VPCMPEQB(from.mem(disp), class, k)
				e.KMOVQ(k, to.mem(disp))
				return
			}
			for half := range 2 {
				equal, word := e.vector(), e.GP32()
				e.VPCMPEQB(from.mem(disp).Offset(32*half), class, equal)
				e.VPMOVMSKB(equal, word)
				e.MOVL(word, to.mem(disp).Offset(4*half))
			}
		})
		e.VPSUBB(none, class, class) // 255 is -1
		e.ADDQ(plane, dst)
	})
}
