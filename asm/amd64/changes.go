package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// changes looks at every index for Update and marks those that differ from the
// previous ones or may have no class, at which the caller looks one by one. The
// comparisons find the others, and the bits are inverted.
func changes(e *emitter) {
	e.prose("Each round compares one vector of next, or two where integers have 2 or 8 bytes, and makes the inverse of the bits of those that equal prev and are below depth. A number is not below depth if it is the unsigned maximum of both; for integers of 8 bytes, which have no such maximum, the highest bits are flipped and compared as signed. The last round ends exactly at n, and the bits that it repeats are shifted out.")
	width := e.key.Bytes
	words, prev, next, left := e.param("words"), e.param("prev"), e.param("next"), e.param("n")
	limit := e.splat(8*width, e.param("depth"), "depth")
	var flip reg.VecVirtual
	if width == 8 { // so that a signed comparison is one of unsigned numbers
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
