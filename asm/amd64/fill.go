package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fillPattern writes a 16-byte pattern over n bytes.
//
// The pattern starts with dst, whatever the address, so wherever a store does
// not start at a multiple of 16 bytes from dst the pattern has to be rotated. A
// VPSHUFB does that, with 16 bytes of the iota table as its control: from byte
// k on they say "take byte k+i", and the instruction itself looks at the low
// four bits only. The interior can so be stored to aligned addresses, where no
// store touches two cache lines, which is worth a factor of two for full-line
// vectors.
func fillPattern(e *emitter) {
	v := e.bytes
	unroll := 512 / v
	e.prose(fmt.Sprintf("One unaligned vector, then aligned ones, %d a round and single, then one that ends exactly at the end.", unroll))
	dst, n := e.param("dst"), e.param("n")
	pattern := named(e, e.vector(), "pattern")
	broadcastPattern(e, pattern)
	end := named(e, e.GP64(), "end")
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1}, end)
	table := named(e, e.GP64(), "iota")
	e.LEAQ(e.iota, table)

	e.Comment("The two ends, the last with the pattern rotated by its distance from dst.")
	e.store(pattern, operand.Mem{Base: dst})
	last := e.vector()
	phase := named(e, e.GP64(), "phase")
	e.LEAQ(operand.Mem{Base: n, Disp: -v}, phase)
	rotate(e, table, phase, pattern, last)
	e.store(last, operand.Mem{Base: end, Disp: -v})

	e.Comment("The interior, from the first aligned address behind dst.")
	e.MOVQ(dst, phase)
	e.ADDQ(operand.I32(v), dst)
	e.ANDQ(operand.I32(-v), dst)
	e.SUBQ(dst, phase)
	e.NEGQ(phase)
	rotate(e, table, phase, pattern, pattern)
	e.SUBQ(operand.I32(v*unroll), end)
	e.unrolled("", dst, end, v, unroll, e.JHI, e.JLS, "filled", func(disp int) { e.move(pattern, operand.Mem{Base: dst, Disp: disp}) })
}

// fillZero is fillPattern of zeros, without what a pattern takes to begin. It
// takes as long as clear where dst starts a vector, and two thirds of that
// elsewhere, since only its first and last store may touch two cache lines.
func fillZero(e *emitter) {
	v := e.bytes
	const unroll = 8
	e.prose(fmt.Sprintf("One unaligned vector, then aligned ones, %d a round and single, then one that ends exactly at the end.", unroll))
	dst, n := e.param("dst"), e.param("n")
	zero, end := named(e, e.vector(), "0"), named(e, e.GP64(), "end")
	e.zero(zero)
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1, Disp: -v * unroll}, end)
	e.store(zero, operand.Mem{Base: dst})
	e.ADDQ(operand.I32(v), dst)
	e.ANDQ(operand.I32(-v), dst)
	e.unrolled("", dst, end, v, unroll, e.JHI, e.JLS, "filled", func(disp int) { e.move(zero, operand.Mem{Base: dst, Disp: disp}) })
	e.store(zero, operand.Mem{Base: end})
}

// broadcastPattern repeats lo, hi over a vector.
func broadcastPattern(e *emitter, pattern reg.VecVirtual) {
	lo, hi := e.GP64(), e.GP64()
	e.argument("lo", lo)
	e.argument("hi", hi)
	e.VMOVQ(lo, pattern.AsX())
	e.VPINSRQ(operand.U8(1), hi, pattern.AsX(), pattern.AsX())
	if e.wide() {
		e.VSHUFI64X2(operand.U8(0), pattern, pattern, pattern)
	} else {
		e.VINSERTI128(operand.U8(1), pattern.AsX(), pattern, pattern)
	}
}

// rotate sets out to the pattern as it continues phase bytes behind its start.
func rotate(e *emitter, table, phase reg.GPVirtual, pattern, out reg.VecVirtual) {
	e.ANDQ(operand.I32(15), phase)
	control := e.vector()
	if e.wide() {
		e.VBROADCASTI32X4(operand.Mem{Base: table, Index: phase, Scale: 1}, control)
	} else {
		e.VBROADCASTI128(operand.Mem{Base: table, Index: phase, Scale: 1}, control)
	}
	e.VPSHUFB(control, pattern, out)
}

// fillRuns writes a 16-byte pattern over runs with gaps between them.
//
// Runs are so short that a call for each would take as long to begin as its
// stores: one call covers them all. Both tiers share the kernel of 32-byte
// vectors. Those of 64 bytes would touch two cache lines each, since runs start
// anywhere, and a mask for the last bytes takes very long where the page behind
// the run was never touched.
func fillRuns(e *emitter) {
	const unroll = 2
	e.prose("Vectors from the start of a run, two a round and then one, and a last one that ends where the run does and overlaps the one before.")
	dst, run, runs, stride := e.param("dst"), e.param("run"), e.param("runs"), e.param("stride")
	pattern := named(e, e.vector(), "pattern")
	broadcastPattern(e, pattern)
	at, end := named(e, e.GP64(), "at"), named(e, e.GP64(), "place of the last round, or vector")
	e.repeat("run", runs, func() {
		e.MOVQ(dst, at)
		e.LEAQ(operand.Mem{Base: dst, Index: run, Scale: 1, Disp: -e.bytes * unroll}, end)
		e.unrolled("", at, end, e.bytes, unroll, e.JAE, e.JB, "last", func(disp int) { e.store(pattern, operand.Mem{Base: at, Disp: disp}) })
		e.store(pattern, operand.Mem{Base: end})
		e.ADDQ(stride, dst)
	})
}

// fillString writes an 8-byte pattern with the string store, which takes whole
// cache lines without reading them first: between the second-level and the
// last-level cache nothing else keeps up. It needs no vector extension, and it
// wants a cache line's alignment.
func fillString(e *emitter) {
	e.prose("Eight unaligned words up to the first line boundary, REP STOSQ, one word that ends exactly at the end. The string store picks its own width.")
	dst, n := named(e, reg.RDI, "dst"), e.GP64()
	pattern, count, phase := named(e, reg.RAX, "pattern"), named(e, reg.RCX, "words, shift"), named(e, e.GP64(), "phase")
	rotated := e.GP64()
	e.argument("dst", dst)
	e.argument("n", n)
	e.argument("pattern", pattern)
	for i := 0; i < 64; i += 8 {
		e.MOVQ(pattern, operand.Mem{Base: dst, Disp: i})
	}
	end := named(e, e.GP64(), "end")
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1}, end)

	e.Comment("A word that starts k bytes behind dst holds the pattern rotated right by k bytes.")
	e.LEAQ(operand.Mem{Base: n, Disp: -8}, count)
	e.SHLQ(operand.U8(3), count)
	e.MOVQ(pattern, rotated)
	e.RORQ(reg.CL, rotated)
	e.MOVQ(rotated, operand.Mem{Base: end, Disp: -8})
	e.MOVQ(dst, phase)
	e.ADDQ(operand.I32(63), dst)
	e.ANDQ(operand.I32(-64), dst)
	e.MOVQ(dst, count)
	e.SUBQ(phase, count)
	e.SHLQ(operand.U8(3), count)
	e.RORQ(reg.CL, pattern)

	e.MOVQ(end, count)
	e.SUBQ(dst, count)
	e.SHRQ(operand.U8(3), count)
	regs := []operand.Op{reg.RDI, reg.RCX, reg.RAX}
	e.Instruction(&ir.Instruction{Opcode: "REP", Inputs: regs})
	e.Instruction(&ir.Instruction{Opcode: "STOSQ", Inputs: regs, Outputs: regs[:2]})
}
