package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// differ is the part of Update that looks at every index: of two arrays it tells, in a word for 64 elements, which differ. It compares bits,
// so that it serves every type of a width; two floats of different bits may still have the same class, which the caller finds out.
func differ(e *emitter, width int) {
	size := width / 8
	cost := 3
	if !e.wide() {
		cost = 10
	}
	e.kernel(fmt.Sprint("differ", width), "(words, a, b unsafe.Pointer, n int)",
		"sets bit i of words to whether a[i] and b[i] differ in any bit, and the bits behind n in the last word to 0. n >= 64.",
		fmt.Sprintf("64 elements a round, then 64 that end exactly at n, whose bits are shifted into place. 64 bytes read of each cost %d instructions, and a round 6 of the loop.", cost))
	words, a, b, left := e.param("words"), e.param("a"), e.param("b"), e.param("n")
	var ones reg.VecVirtual
	if !e.wide() {
		ones = named(e, e.vector(), "-1")
		e.ones(ones)
	}
	e.eachWord(words, left, size, []reg.GPVirtual{a, b}, func() {
		e.maskWord(width, words, func(i int) reg.Register {
			x, other := e.vector(), operand.Mem{Base: b, Disp: i * size}
			e.load(operand.Mem{Base: a, Disp: i * size}, x)
			if e.wide() {
				const unequal = operand.U8(4)
				k := e.K()
				e.byWidth(width, e.VPCMPB, e.VPCMPW, e.VPCMPD, e.VPCMPQ)(unequal, other, x, k)
				return k
			}
			e.byWidth(width, e.VPCMPEQB, e.VPCMPEQW, e.VPCMPEQD, e.VPCMPEQQ)(other, x, x)
			e.VPXOR(ones, x, x)
			return x
		})
	})
	e.done()
}
