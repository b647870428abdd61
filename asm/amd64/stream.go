package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stream copies a finished tile from the first-level cache with non-temporal
// stores.
//
// Output beyond the last-level cache pays for every line twice with ordinary
// stores: the line is read for ownership before it is overwritten. A
// non-temporal store does not read, provided that a whole line comes in one go
// and no ordinary store touches it before. Hence the kernel writes whole lines
// only, without an end that overlaps.
//
// Both tiers share the kernels of 32-byte vectors. On a Zen 5, vectors of 64
// bytes reached two thirds of their speed behind a comparison, and no more than
// the same speed in a copy. Non-temporal stores are weakly ordered: streamEnd
// keeps them from passing whatever tells another core that the output is there.
// It is a kernel of its own because a fence waits for memory, and one for each
// output is enough.
func stream(e *emitter) {
	e.prose("One loop stores four cache lines a turn, then another one single lines, which are two vectors each. Non-temporal stores do not read memory if whole lines come in one go.")
	dst, src := e.param("dst"), e.param("src")
	halves := [2]reg.VecVirtual{e.vector(), e.vector()}
	e.lines(dst, func(at int) {
		for i, half := range halves {
			e.load(operand.Mem{Base: src, Disp: at + 32*i}, half)
		}
		e.sendLine(halves, dst, at)
	}, func(n int) { e.ADDQ(operand.I32(64*n), src) })
}

// streamLine stores one line over and over, and so needs no loads in its loops.
func streamLine(e *emitter) {
	e.prose("One loop stores four cache lines a turn, then another one single lines, which are two vectors each. Non-temporal stores do not read memory if whole lines come in one go.")
	dst, line := e.param("dst"), e.param("line")
	halves := [2]reg.VecVirtual{e.vector(), e.vector()}
	for i, half := range halves {
		e.load(operand.Mem{Base: line, Disp: 32 * i}, half)
	}
	e.lines(dst, func(at int) { e.sendLine(halves, dst, at) }, func(int) {})
}

// lines emits the loops over the lines of dst. send emits the line at that
// distance from dst, and next emits what else must move on by n lines.
func (e *emitter) lines(dst reg.GPVirtual, send, next func(n int)) {
	const perRound = 4
	lines := e.param("lines")
	loop := func(label string, n int, done string) {
		e.JLT(operand.LabelRef(done))
		e.Label(label)
		for i := range n {
			send(64 * i)
		}
		next(n)
		e.ADDQ(operand.I32(64*n), dst)
		e.SUBQ(operand.I32(n), lines)
		e.JGE(operand.LabelRef(label))
		e.Label(done)
	}
	e.SUBQ(operand.I32(perRound), lines)
	loop("unrolled", perRound, "few")
	e.ADDQ(operand.I32(perRound-1), lines)
	loop("single", 1, "streamed")
}

func (e *emitter) sendLine(halves [2]reg.VecVirtual, dst reg.GPVirtual, at int) {
	for i, half := range halves {
		e.VMOVNTDQ(half, operand.Mem{Base: dst, Disp: at + 32*i})
	}
}

// streamEnd orders the non-temporal stores before all later stores.
func streamEnd(e *emitter) {
	e.prose("A fence orders the stores.")
	e.SFENCE()
}
