package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An array is where a pointer stands in elements of a size.
type array struct {
	ptr  reg.GPVirtual
	size int
}

// rounds walks left >= step elements of every one of arrays, step elements a
// round; the last round ends exactly at the last element, and overlaps the one
// before. body handles the elements at which the arrays stand; redo, in CX,
// times a scale, is how many of them were handled before.
func (e *emitter) rounds(left reg.GPVirtual, step, scale int, arrays []array, body func()) {
	redo := named(e, reg.RCX, "elements handled before")
	e.XORL(reg.ECX, reg.ECX)
	e.Label("round")
	body()
	e.goOn("round", left, step, arrays)
	e.Label("rest") // of those who did other rounds before
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("walked"))
	e.MOVQ(operand.I32(int32(step)), redo)
	e.SUBQ(left, redo)
	back := e.GP64()
	e.MOVQ(redo, back)
	if scale > 1 {
		e.SHLQ(operand.U8(log2(scale)), redo)
	}
	bytes := 1 // of an element
	for _, a := range slices.SortedStableFunc(slices.Values(arrays), func(a, b array) int { return a.size - b.size }) {
		if a.size > bytes {
			e.SHLQ(operand.U8(log2(a.size/bytes)), back)
			bytes = a.size
		}
		e.SUBQ(back, a.ptr)
	}
	e.MOVQ(operand.I32(int32(step)), left)
	e.JMP(operand.LabelRef("round"))
	e.Label("walked")
}

// goOn moves on by step elements, and goes back to the label while as many are
// left.
func (e *emitter) goOn(label string, left reg.GPVirtual, step int, arrays []array) {
	for _, a := range arrays {
		e.ADDQ(operand.I32(int32(step*a.size)), a.ptr)
	}
	e.SUBQ(operand.I32(int32(step)), left)
	e.CMPQ(left, operand.I32(int32(step)))
	e.JGE(operand.LabelRef(label))
}

// countRounds is rounds of a vector of bytes each, as long as there are enough
// unroll of them at a time: only arrays of bytes may have more than one. body
// gives a bit for each byte of the vector that starts disp bytes behind where
// the arrays stand; the kernel returns, under that name, how many were set.
func (e *emitter) countRounds(left reg.GPVirtual, result string, arrays []array, unroll int, body func(disp int) reg.GPVirtual) {
	total := named(e, e.GP64(), result)
	e.XORQ(total, total)
	if unroll > 1 {
		e.CMPQ(left, operand.I32(int32(unroll*e.bytes)))
		e.JLT(operand.LabelRef("few"))
		e.Label("rounds")
		for i := range unroll {
			e.count(body(i*e.bytes), total)
		}
		e.goOn("rounds", left, unroll*e.bytes, arrays)
		e.CMPQ(left, operand.I32(int32(e.bytes)))
		e.JLT(operand.LabelRef("rest"))
		e.Label("few")
	}
	e.rounds(left, e.bytes, 1, arrays, func() { e.countNew(body(0), total) })
	e.Store(total, e.Return(result))
}

// countNew adds the bits of elements that a round has not handled before.
func (e *emitter) countNew(bits, total reg.GPVirtual) {
	e.SHRQ(reg.CL, bits)
	e.count(bits, total)
}

// count adds the bits that are set.
func (e *emitter) count(bits, total reg.GPVirtual) {
	e.POPCNTQ(bits, bits)
	e.ADDQ(bits, total)
}

// sweep walks n >= step elements: unroll steps at a time, then single ones, and
// at last, where n is no multiple of step, the step that ends exactly at n and
// overlaps the one before. body handles the step at element i+disp.
func (e *emitter) sweep(n reg.GPVirtual, step, unroll int, body func(i reg.GPVirtual, disp int)) {
	e.sweepAs("", n, step, unroll, body)
}

// sweepAs is sweep in a kernel that has several: what starts their labels tells
// them apart.
func (e *emitter) sweepAs(name string, n reg.GPVirtual, step, unroll int, body func(i reg.GPVirtual, disp int)) {
	i, last := named(e, e.GP64(), "i"), named(e, e.GP64(), "last step's i")
	e.XORQ(i, i)
	e.LEAQ(operand.Mem{Base: n, Disp: -step * unroll}, last)
	e.unrolled(name, i, last, step, unroll, e.JGT, e.JLE, "ragged", func(disp int) { body(i, disp) })
	e.CMPQ(i, n)
	e.JEQ(operand.LabelRef(name + "swept"))
	body(last, 0)
	e.Label(name + "swept")
}

// unrolled walks by steps as long as at is not beyond last, the place of the
// last round of unroll steps, which becomes that of the last step. body handles
// the step at at+disp. beyond and within are the jumps of a comparison; name is
// what labels start with.
func (e *emitter) unrolled(name string, at, last reg.GPVirtual, step, unroll int, beyond, within func(operand.Op), done string, body func(disp int)) {
	loop := func(label string, steps int, done string) {
		e.CMPQ(at, last)
		beyond(operand.LabelRef(name + done))
		e.Label(name + label)
		for i := range steps {
			body(i * step)
		}
		e.ADDQ(operand.I32(int32(step*steps)), at)
		e.CMPQ(at, last)
		within(operand.LabelRef(name + label))
		e.Label(name + done)
	}
	loop("unrolled", unroll, "singles")
	e.ADDQ(operand.I32(int32(step*(unroll-1))), last)
	loop("single", 1, done)
}

// repeat is a loop that takes 1 off counter until nothing is left.
func (e *emitter) repeat(label string, counter reg.GPVirtual, body func()) {
	e.Label(label)
	body()
	e.DECQ(counter)
	e.JNZ(operand.LabelRef(label))
}
