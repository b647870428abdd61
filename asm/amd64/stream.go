package main

import (
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
	const perRound = 4
	e.prose("A loop over 256 bytes, then one over single lines.")
	dst, src, lines := e.param("dst"), e.param("src"), e.param("lines")
	tmp := []reg.VecVirtual{e.vector(), e.vector()}
	copyLines := func(label string, n int, done string) {
		e.JLT(operand.LabelRef(done))
		e.Label(label)
		for at := 0; at < 64*n; at += 64 {
			for i, tmp := range tmp {
				e.load(operand.Mem{Base: src, Disp: at + 32*i}, tmp)
			}
			for i, tmp := range tmp {
				e.VMOVNTDQ(tmp, operand.Mem{Base: dst, Disp: at + 32*i})
			}
		}
		e.ADDQ(operand.I32(64*n), src)
		e.ADDQ(operand.I32(64*n), dst)
		e.SUBQ(operand.I32(n), lines)
		e.JGE(operand.LabelRef(label))
		e.Label(done)
	}
	e.SUBQ(operand.I32(perRound), lines)
	copyLines("unrolled", perRound, "few")
	e.ADDQ(operand.I32(perRound-1), lines)
	copyLines("single", 1, "streamed")
}

// streamEnd orders the stores of stream before all that follow.
func streamEnd(e *emitter) {
	e.prose("One fence.")
	e.SFENCE()
}
