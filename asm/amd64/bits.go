package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bitPlanes writes planes of one bit a cell. The result of a comparison, by
// which other kernels blend cells, is the output here: 64 classes compared with
// that of a plane are a word, in which no bit is ever set on its own.
func bitPlanes(e *emitter) {
	e.prose("The outer loop goes over planes, the inner one over words of 64 classes, four a round and then one by one. A comparison with the class of the plane makes a whole word with AVX-512 and half a word with AVX2, so that no bit is set on its own.")
	dst, plane, classes, n, count := e.param("dst"), e.param("plane"), e.param("classes"), e.param("n"), e.param("count")
	e.SHRQ(operand.U8(3), n) // now the bytes of a run
	none, class := e.nones(), named(e, e.vector(), "class")
	e.zero(class)
	e.repeat("plane", count, func() {
		e.steps("", n, 8, 4, func(i reg.GPVirtual, disp int) {
			from, to := at(classes, i, 8, disp), operand.Mem{Base: dst, Index: i, Scale: 1, Disp: disp}
			if e.wide() {
				k := e.K()
				e.VPCMPEQB(from, class, k)
				e.KMOVQ(k, to)
				return
			}
			for half := range 2 {
				equal, word := e.vector(), e.GP32()
				e.VPCMPEQB(from.Offset(32*half), class, equal)
				e.VPMOVMSKB(equal, word)
				e.MOVL(word, to.Offset(4*half))
			}
		})
		e.VPSUBB(none, class, class) // 255 is -1
		e.ADDQ(plane, dst)
	})
}
