package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fillPattern writes a 16-byte pattern over n bytes.
//
// The pattern starts at dst, whatever its address, so that a store that does
// not start at a multiple of 16 bytes from dst needs a rotated pattern. A
// VPSHUFB rotates it, with 16 bytes of the iota table as its control: from byte
// k on they say "take byte k+i", and the instruction heeds only their low four
// bits. So the interior is stored to aligned addresses, where no store touches
// two cache lines. Both tiers share the kernels that fill: two stores of 32
// bytes take no longer than one of 64.
func fillPattern(e *emitter) {
	v := e.bytes
	const unroll = 16
	e.prose(fmt.Sprintf("One unaligned vector is stored at the start and one that ends exactly at the end, then aligned vectors between them, %d a round and then one by one, since aligned ones never touch two cache lines. The pattern starts at dst, so that a permute rotates it for stores that do not start at a multiple of 16 bytes from there.", unroll))
	dst, n := e.param("dst"), e.param("n")
	pattern := named(e, e.vector(), "pattern")
	broadcastPattern(e, pattern)
	end := named(e, e.GP64(), "end")
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1}, end)
	table := named(e, e.GP64(), "iota")
	e.LEAQ(e.iota, table)

	e.Comment("Both ends; the last vector has the pattern rotated by its distance from dst.")
	e.store(pattern, operand.Mem{Base: dst})
	last := e.vector()
	phase := named(e, e.GP64(), "phase")
	e.LEAQ(operand.Mem{Base: n, Disp: -v}, phase)
	rotate(e, table, phase, pattern, last)
	e.store(last, operand.Mem{Base: end, Disp: -v})

	e.Comment("The interior, from the first aligned address after dst.")
	e.MOVQ(dst, phase)
	e.ADDQ(operand.I32(v), dst)
	e.ANDQ(operand.I32(-v), dst)
	e.SUBQ(dst, phase)
	e.NEGQ(phase)
	rotate(e, table, phase, pattern, pattern)
	e.SUBQ(operand.I32(v*unroll), end)
	e.unrolled(dst, end, unroll, e.JHI, e.JLS, "filled", func(disp int) { e.move(pattern, operand.Mem{Base: dst, Disp: disp}) })
}

// fillZero is fillPattern for zeros, without setting up a pattern. Only its
// first and last store may touch two cache lines, so that it fills as fast from
// any address, which clear does not.
func fillZero(e *emitter) {
	v := e.bytes
	const unroll = 8
	e.prose(fmt.Sprintf("One unaligned vector is stored at the start, then aligned ones, which never touch two cache lines, %d a round and then one by one, then one that ends exactly at the end.", unroll))
	dst, n := e.param("dst"), e.param("n")
	zero, end := named(e, e.vector(), "0"), named(e, e.GP64(), "end")
	e.zero(zero)
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1, Disp: -v * unroll}, end)
	e.store(zero, operand.Mem{Base: dst})
	e.ADDQ(operand.I32(v), dst)
	e.ANDQ(operand.I32(-v), dst)
	e.unrolled(dst, end, unroll, e.JHI, e.JLS, "filled", func(disp int) { e.move(zero, operand.Mem{Base: dst, Disp: disp}) })
	e.store(zero, operand.Mem{Base: end})
}

// broadcastPattern repeats lo, hi in a vector.
func broadcastPattern(e *emitter, pattern reg.VecVirtual) {
	lo, hi := e.GP64(), e.GP64()
	e.argument("lo", lo)
	e.argument("hi", hi)
	e.VMOVQ(lo, pattern.AsX())
	e.VPINSRQ(operand.U8(1), hi, pattern.AsX(), pattern.AsX())
	e.VINSERTI128(operand.U8(1), pattern.AsX(), pattern, pattern)
}

// rotate sets out to the pattern as it continues phase bytes after its start.
func rotate(e *emitter, table, phase reg.GPVirtual, pattern, out reg.VecVirtual) {
	e.ANDQ(operand.I32(15), phase)
	control := e.vector()
	e.VBROADCASTI128(operand.Mem{Base: table, Index: phase, Scale: 1}, control)
	e.VPSHUFB(control, pattern, out)
}

// fillRuns writes a 16-byte pattern over runs with gaps between them.
//
// Runs are so short that a call for each would take as long to begin as to
// store, so one call covers them all. Both tiers share the kernel of 32-byte
// vectors. Vectors of 64 bytes would touch two cache lines each, since runs
// start anywhere. A mask for the last bytes would take very long where the page
// after the run was never touched.
func fillRuns(e *emitter) {
	const unroll = 2
	e.prose("Runs of up to two vectors are two stores each, in a loop of their own, since the branches of the other loops take longer than that. For longer runs, the outer loop goes over runs, and in it, vectors are stored from the start of the run, two a round and then one by one, and a last one ends where the run ends and overlaps the one before.")
	dst, run, runs, stride := e.param("dst"), e.param("run"), e.param("runs"), e.param("stride")
	pattern := named(e, e.vector(), "pattern")
	broadcastPattern(e, pattern)
	at, end := named(e, e.GP64(), "where the next vector goes"), named(e, e.GP64(), "where the last round, then the last vector goes")
	e.CMPQ(run, operand.I32(2*e.bytes))
	e.JA(operand.LabelRef("run"))
	e.alignLoop()
	e.repeat("short", runs, func() {
		e.store(pattern, operand.Mem{Base: dst})
		e.store(pattern, operand.Mem{Base: dst, Index: run, Scale: 1, Disp: -e.bytes})
		e.ADDQ(stride, dst)
	})
	e.JMP(operand.LabelRef("filled"))
	e.repeat("run", runs, func() {
		e.MOVQ(dst, at)
		e.LEAQ(operand.Mem{Base: dst, Index: run, Scale: 1, Disp: -e.bytes * unroll}, end)
		e.unrolled(at, end, unroll, e.JAE, e.JB, "last", func(disp int) { e.store(pattern, operand.Mem{Base: at, Disp: disp}) })
		e.store(pattern, operand.Mem{Base: end})
		e.ADDQ(stride, dst)
	})
	e.Label("filled")
}

// fillRepeat writes an 8-byte pattern with the string store, which takes over
// whole cache lines without reading them first: between the second-level and
// the last-level cache nothing else keeps up with it. It needs no vector
// extension, but wants to start at a cache line.
func fillRepeat(e *emitter) {
	e.prose("Eight unaligned words reach the first cache line boundary, eight end exactly at the end, and REP STOSQ stores the words between them, as wide as it chooses. The last line is left to words: with one word and REP STOSQ in it, filling one page took 2.7 times as long on a Cascade Lake. The pattern is rotated to where each part starts.")
	dst, n := named(e, reg.RDI, "dst"), e.GP64()
	pattern, count, phase := named(e, reg.RAX, "pattern"), named(e, reg.RCX, "words, or shift"), named(e, e.GP64(), "phase")
	rotated := e.GP64()
	e.argument("dst", dst)
	e.argument("n", n)
	e.argument("pattern", pattern)
	for i := 0; i < 64; i += 8 {
		e.MOVQ(pattern, operand.Mem{Base: dst, Disp: i})
	}
	end := named(e, e.GP64(), "end")
	e.LEAQ(operand.Mem{Base: dst, Index: n, Scale: 1}, end)

	e.Comment("A word that starts k bytes after dst holds the pattern rotated right by k bytes.")
	e.LEAQ(operand.Mem{Base: n, Disp: -8}, count)
	e.SHLQ(operand.U8(3), count)
	e.MOVQ(pattern, rotated)
	e.RORQ(reg.CL, rotated)
	for i := -64; i < 0; i += 8 {
		e.MOVQ(rotated, operand.Mem{Base: end, Disp: i})
	}
	e.MOVQ(dst, phase)
	e.ADDQ(operand.I32(63), dst)
	e.ANDQ(operand.I32(-64), dst)
	e.MOVQ(dst, count)
	e.SUBQ(phase, count)
	e.SHLQ(operand.U8(3), count)
	e.RORQ(reg.CL, pattern)

	e.LEAQ(operand.Mem{Base: end, Disp: 7 - 64}, count) // up to the eight words at the end, rounded up
	e.SUBQ(dst, count)
	e.SHRQ(operand.U8(3), count)
	regs := []operand.Op{reg.RDI, reg.RCX, reg.RAX}
	e.Instruction(&ir.Instruction{Opcode: "REP", Inputs: regs})
	e.Instruction(&ir.Instruction{Opcode: "STOSQ", Inputs: regs, Outputs: regs[:2]})
}
