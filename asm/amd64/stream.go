package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stream copies a finished tile from the first-level cache by non-temporal
// stores.
//
// Output beyond the last-level cache pays for every line twice with ordinary
// stores: it is read for ownership before it is overwritten. A non-temporal
// store does not read, provided that whole lines come in one go and no ordinary
// store touches them: hence whole lines only, and no overlapped end. Both tiers
// share the kernels of 32-byte vectors: on a Zen 5 those of 64 bytes reached
// two thirds of their speed behind a comparison, and no more than it in a copy.
// Non-temporal stores are weakly ordered: streamEnd keeps them from passing
// whatever tells another core that the output is there. It is a kernel of its
// own because a fence waits for memory, and once per output is enough.
func stream(e *emitter) {
	v := e.bytes
	unroll := 256 / v
	e.kernel("stream", "", fmt.Sprintf("A loop over %d bytes, then one over single lines.", v*unroll))
	dst, src, lines := e.param("dst"), e.param("src"), e.param("lines")
	tmp := make([]reg.VecVirtual, 64/v)
	for i := range tmp {
		tmp[i] = e.vector()
	}
	copyLines := func(n int) {
		for at := 0; at < 64*n; at += 64 {
			for i := range tmp {
				e.load(operand.Mem{Base: src, Disp: at + i*v}, tmp[i])
			}
			for i := range tmp {
				e.VMOVNTDQ(tmp[i], operand.Mem{Base: dst, Disp: at + i*v})
			}
		}
		e.ADDQ(operand.I32(64*n), src)
		e.ADDQ(operand.I32(64*n), dst)
		e.SUBQ(operand.I32(n), lines)
	}
	perRound := v * unroll / 64
	e.SUBQ(operand.I32(perRound), lines)
	e.JLT(operand.LabelRef("few"))
	e.Label("unrolled")
	copyLines(perRound)
	e.JGE(operand.LabelRef("unrolled"))
	e.Label("few")
	e.ADDQ(operand.I32(perRound-1), lines)
	e.JLT(operand.LabelRef("streamed"))
	e.Label("single")
	copyLines(1)
	e.JGE(operand.LabelRef("single"))
	e.Label("streamed")
	e.done()
}

// streamEnd orders the stores of stream before all that follow.
func streamEnd(e *emitter) {
	e.kernel("streamEnd", "", "One fence.")
	e.SFENCE()
	e.RET()
}
