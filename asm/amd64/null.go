package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// null sets the class to 255 where the bit of a validity bitmap is 0.
func null(e *emitter) {
	e.prose("Each round handles a vector of classes. With AVX-512 the inverted bits are the mask by which 255s are blended in. AVX2 repeats 32 bits in every lane, picks for each byte the byte that has its bit, and turns the comparison of that bit with 0 into 255s.")
	classes, words, n := e.param("classes"), e.param("words"), e.param("n")
	var ones, zeros, own, order reg.VecVirtual
	if e.wide() {
		ones = e.nones()
	} else {
		zeros, own, order = named(e, e.vector(), "0s"), e.ownBits(), e.table("which byte has the bit of a byte", byteOfLane())
		e.zero(zeros)
	}
	e.countRounds(n, "nulls", []array{{classes, 1}}, 1, func(int) reg.GPVirtual {
		valid, x := e.GP64(), e.vector()
		e.load(operand.Mem{Base: classes}, x)
		if e.wide() {
			e.MOVQ(operand.Mem{Base: words}, valid)
		} else {
			e.MOVL(operand.Mem{Base: words}, valid.As32())
		}
		e.ADDQ(operand.I32(int32(e.bytes/8)), words)
		if e.wide() {
			k := e.K()
			e.NOTQ(valid)
			e.KMOVQ(valid, k)
			e.VPBLENDMB(ones, x, k, x)
		} else {
			keep := e.vector()
			e.VMOVD(valid.As32(), keep.AsX())
			e.VPBROADCASTD(keep.AsX(), keep)
			e.VPSHUFB(order, keep, keep)
			e.VPAND(own, keep, keep)
			e.VPCMPEQB(zeros, keep, keep)
			e.VPOR(keep, x, x)
			e.NOTL(valid.As32())
		}
		e.store(x, operand.Mem{Base: classes})
		return valid
	})
}
