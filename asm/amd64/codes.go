package main

import "github.com/mmcloughlin/avo/operand"

// codes widens bytes to the codes of Recode.
func codes(e *emitter) {
	e.prose("Each round makes two vectors of elements from as many bytes. A load extends the bytes with zeros, and a comparison finds those that are 255, whose bits are then all set by an OR. The last round ends exactly at n.")
	dst, classes, n := e.param("dst"), e.param("classes"), e.param("n")
	width := e.key.Bytes
	none := e.splatConst(8*width, 255, "255")
	extend := e.byWidth(8*width, nil, e.VPMOVZXBW, e.VPMOVZXBD, e.VPMOVZXBQ)
	equal := e.byWidth(8*width, nil, e.VPCMPEQW, e.VPCMPEQD, e.VPCMPEQQ)
	each := e.bytes / width
	e.rounds(n, 2*each, []array{{classes, 1}, {dst, width}}, func() {
		for i := range 2 {
			x, missed := e.vector(), e.vector()
			extend(operand.Mem{Base: classes, Disp: i * each}, x)
			equal(none, x, missed)
			e.VPOR(missed, x, x)
			e.store(x, operand.Mem{Base: dst, Disp: i * e.bytes})
		}
	})
}
