package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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

// nones counts the codes that say that there is no class. It subtracts the
// results of comparisons from sums of bytes: on Intel's processors only the
// comparisons are then bound to two ports. Making a mask and counting its bits
// would be bound to the same ports.
func nones(e *emitter) {
	e.prose("Each round compares four vectors with 255s. Every byte of a code that is equal adds 1 to a byte of one of four sums, which hold 255 rounds. In the end the bytes are added up and divided by those of a code.")
	codes, left := e.param("codes"), e.param("n")
	width, ones, total := e.key.Bytes, e.nones(), named(e, e.GP64(), "bytes of nones")
	equal := e.byWidth(8*width, nil, e.VPCMPEQW, e.VPCMPEQD, e.VPCMPEQQ)
	var sums [4]reg.VecVirtual
	for i := range sums {
		sums[i] = named(e, e.vector(), fmt.Sprint("sum", i))
		e.zero(sums[i])
	}
	step := len(sums) * e.bytes / width
	e.advance(left, -step)
	e.alignLoop()
	e.Label("round")
	for i, sum := range sums {
		x := e.vector()
		equal(operand.Mem{Base: codes, Disp: i * e.bytes}, ones, x)
		e.VPSUBB(x, sum, sum)
	}
	e.goOn("round", left, step, []array{{codes, width}})
	zeros := e.vector()
	e.zero(zeros)
	for i, sum := range sums {
		e.VPSADBW(zeros, sum, sum)
		if i > 0 {
			e.VPADDQ(sum, sums[0], sums[0])
		}
	}
	e.VEXTRACTI128(operand.U8(1), sums[0], sums[1].AsX())
	e.VPADDQ(sums[1], sums[0], sums[0])
	e.VPSRLDQ(operand.U8(8), sums[0], sums[1])
	e.VPADDQ(sums[1], sums[0], sums[0])
	e.VMOVQ(sums[0].AsX(), total)
	e.SHRQ(operand.U8(log2(width)), total)
	e.Store(total, e.Return("count"))
}
