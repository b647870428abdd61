package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// changes is the part of Update that looks at every index: which may have
// changed, and which of those that are now there may have no class. The caller
// looks at these one by one. Compared are those that need no look, and the bits
// inverted.
func changes(e *emitter) {
	e.prose("A loop over vectors, the last of which ends exactly at n: bits that it repeats are shifted out.")
	width := e.key.Bytes
	words, prev, next, left := e.param("words"), e.param("prev"), e.param("next"), e.param("n")
	limit := e.splat(8*width, e.param("depth"), "depth")
	var flip reg.VecVirtual
	if width == 8 { // compared as signed numbers, less 2^63
		flip = named(e, e.vector(), "highest bit")
		e.ones(flip)
		e.VPSLLQ(operand.U8(63), flip, flip)
		e.VPXOR(flip, limit, limit)
	}
	e.masks(width, words, left, []array{{prev, width}, {next, width}}, true, func(i int) reg.VecVirtual {
		was, is := operand.Mem{Base: prev, Disp: i * width}, e.vector()
		e.load(operand.Mem{Base: next, Disp: i * width}, is)
		equal := e.byWidth(8*width, e.VPCMPEQB, e.VPCMPEQW, e.VPCMPEQD, e.VPCMPEQQ)
		same, below := e.vector(), e.vector()
		equal(was, is, same)
		if flip != nil {
			e.VPXOR(flip, is, is)
			e.VPCMPGTQ(is, limit, below)
			e.VPAND(below, same, same)
		} else {
			e.byWidth(8*width, e.VPMAXUB, e.VPMAXUW, e.VPMAXUD, nil)(is, limit, below)
			equal(is, below, below)
			e.VPANDN(same, below, same)
		}
		return same
	})
}
