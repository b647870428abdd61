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
// Both tiers share the kernels of 32-byte vectors; only rowsStream has others,
// of 64-byte vectors, for Intel's processors. On a Zen 5, vectors of 64 bytes
// reached two thirds of their speed after a comparison, and no more than the
// same speed in a copy. On a Granite Rapids rows take 0.7 to 1.0 times as long
// by vectors of 64 bytes, and copies take as long by either. Non-temporal
// stores are weakly ordered: streamEnd keeps them from passing whatever tells
// another core that the output is there. It is a kernel of its own because a
// fence waits for memory, and one for each output is enough.
func stream(e *emitter) {
	e.prose("The loop stores a cache line a turn, as two vectors. Non-temporal stores do not read memory if whole lines come in one go.")
	dst, src, lines := e.param("dst"), e.param("src"), e.param("lines")
	halves := [2]reg.VecVirtual{e.vector(), e.vector()}
	e.repeat("line", lines, func() {
		e.loadLine(src, halves)
		e.ADDQ(operand.I32(64), src)
		e.sendLine(halves, dst)
	})
}

// streamLine stores one line over and over, and so needs no loads in its loop.
func streamLine(e *emitter) {
	e.prose("The loop stores a cache line a turn, as two vectors. Non-temporal stores do not read memory if whole lines come in one go.")
	dst, line, lines := e.param("dst"), e.param("line"), e.param("lines")
	halves := [2]reg.VecVirtual{e.vector(), e.vector()}
	e.loadLine(line, halves)
	e.repeat("line", lines, func() { e.sendLine(halves, dst) })
}

func (e *emitter) loadLine(line reg.GPVirtual, halves [2]reg.VecVirtual) {
	for i, half := range halves {
		e.load(operand.Mem{Base: line, Disp: 32 * i}, half)
	}
}

// sendLine stores a line at dst, which it moves on. Memory takes longer for a
// line than a turn of a loop that does no more.
func (e *emitter) sendLine(halves [2]reg.VecVirtual, dst reg.GPVirtual) {
	for i, half := range halves {
		e.VMOVNTDQ(half, operand.Mem{Base: dst, Disp: 32 * i})
	}
	e.ADDQ(operand.I32(64), dst)
}

// prefetch asks for indices before a block is streamed. While non-temporal
// stores wait for memory, the processor does not get as far as the loads of the
// next block, which would then wait.
func prefetch(e *emitter) {
	e.prose("The loop prefetches a cache line a turn, and then that of the last byte.")
	src, n := e.param("src"), e.param("n")
	last := named(e, e.GP64(), "last byte")
	e.LEAQ(operand.Mem{Base: src, Index: n, Scale: 1, Disp: -1}, last)
	e.Label("line")
	e.PREFETCHT0(operand.Mem{Base: src})
	e.ADDQ(operand.I32(64), src)
	e.CMPQ(src, last)
	e.JLS(operand.LabelRef("line"))
	e.PREFETCHT0(operand.Mem{Base: last})
}

// streamEnd orders the non-temporal stores before all later stores.
func streamEnd(e *emitter) {
	e.prose("A fence orders the stores.")
	e.SFENCE()
}
