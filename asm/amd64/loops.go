package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An array is a pointer that moves over elements of size bytes.
type array struct {
	ptr  reg.GPVirtual
	size int
}

// from returns an array whose pointer, named by its role, is yet to be set.
func (e *emitter) from(role string, size int) array { return array{named(e, e.GP64(), role), size} }

// mem returns the place disp elements from where the pointer is.
func (a array) mem(disp int) operand.Mem { return operand.Mem{Base: a.ptr, Disp: disp * a.size} }

// rounds walks over left >= step elements of each array, step elements a round.
// The last round ends exactly at the last element, and may repeat some of the
// one before. body handles step elements from where the pointers of the arrays
// are. CX has how many of these were handled before.
func (e *emitter) rounds(left reg.GPVirtual, step int, arrays []array, body func()) {
	e.SUBQ(operand.I32(int32(step)), left)
	e.walk(left, step, 1, arrays, true, body)
}

// walk is rounds with a left that is lower by a step: while it is not negative,
// there is another round. aligned says whether the loop is: see alignLoop.
func (e *emitter) walk(left reg.GPVirtual, step, scale int, arrays []array, aligned bool, body func()) {
	redo := named(e, reg.RCX, "elements handled before")
	e.XORL(reg.ECX, reg.ECX)
	if aligned {
		e.alignLoop()
	}
	e.Label("round")
	body()
	e.goOn("round", left, step, arrays)
	e.Label("rest") // countRounds comes here from its unrolled rounds
	e.CMPQ(left, operand.I32(int32(-step)))
	e.JEQ(operand.LabelRef("walked"))
	for _, a := range arrays {
		e.LEAQ(operand.Mem{Base: a.ptr, Index: left, Scale: uint8(a.size)}, a.ptr)
	}
	e.MOVQ(left, redo)
	e.NEGQ(redo)
	if scale > 1 {
		e.SHLQ(operand.U8(log2(scale)), redo)
	}
	e.XORL(left.As32(), left.As32())
	e.JMP(operand.LabelRef("round"))
	e.Label("walked")
}

// goOn moves the pointers on, and jumps to label while there is another round
// of step elements. left is lower by a step.
func (e *emitter) goOn(label string, left reg.GPVirtual, step int, arrays []array) {
	for _, a := range arrays {
		e.advance(a.ptr, step*a.size)
	}
	e.advance(left, -step)
	e.JGE(operand.LabelRef(label))
}

// advance adds by to r. One byte holds -128 but not 128.
func (e *emitter) advance(r reg.GPVirtual, by int) {
	if by < 0 && by != -128 || by == 128 {
		e.SUBQ(operand.I32(int32(-by)), r)
	} else {
		e.ADDQ(operand.I32(int32(by)), r)
	}
}

// countRounds is rounds of one vector of bytes, after rounds of unroll vectors
// while enough bytes are left; an unroll above 1 is for arrays of bytes only.
// body handles the vector disp bytes from where the pointers are, and returns a
// bit for each byte. The kernel returns how many were set as that result.
func (e *emitter) countRounds(left reg.GPVirtual, result string, arrays []array, unroll int, body func(disp int) reg.GPVirtual) {
	total := named(e, e.GP64(), result)
	e.XORQ(total, total)
	if unroll > 1 {
		e.alignLoop()
		e.advance(left, -unroll*e.bytes)
		e.JLT(operand.LabelRef("few"))
		e.Label("rounds")
		for i := range unroll {
			e.count(body(i*e.bytes), total)
		}
		e.goOn("rounds", left, unroll*e.bytes, arrays)
		e.Label("few")
		e.ADDQ(operand.I32(int32((unroll-1)*e.bytes)), left)
		e.JLT(operand.LabelRef("rest"))
	} else {
		e.SUBQ(operand.I32(int32(e.bytes)), left)
	}
	e.walk(left, e.bytes, 1, arrays, true, func() { e.countNew(body(0), total) })
	e.Store(total, e.Return(result))
}

// countNew is count for the elements that no round has handled before.
func (e *emitter) countNew(bits, total reg.GPVirtual) {
	e.SHRQ(reg.CL, bits)
	e.count(bits, total)
}

// count adds the number of bits that are set to total.
func (e *emitter) count(bits, total reg.GPVirtual) {
	e.POPCNTQ(bits, bits)
	e.ADDQ(bits, total)
}

// steps walks over left elements of each array, a multiple of step: four steps
// a round, then single steps. body handles the step disp elements from
// where the pointers are. They move, because on Intel's processors an
// instruction that has an indexed address besides another source splits into
// two micro-operations. Labels start with name.
func (e *emitter) steps(name string, left reg.GPVirtual, step int, arrays []array, body func(disp int)) {
	const unroll = 4
	e.advance(left, -unroll*step)
	e.JLT(operand.LabelRef(name + "singles"))
	e.alignLoop()
	e.Label(name + "unrolled")
	for i := range unroll {
		body(i * step)
	}
	e.goOn(name+"unrolled", left, unroll*step, arrays)
	e.alignLoop()
	e.Label(name + "singles")
	e.advance(left, (unroll-1)*step)
	e.JLT(operand.LabelRef(name + "rest"))
	e.Label(name + "single")
	body(0)
	e.goOn(name+"single", left, step, arrays)
	e.Label(name + "rest")
}

// sweep is steps of a vector of bytes, at least one: if they are no whole
// vectors, one more ends exactly at the last byte and overlaps the one before.
func (e *emitter) sweep(name string, left reg.GPVirtual, arrays []array, body func(disp int)) {
	e.steps(name, left, e.bytes, arrays, body)
	e.CMPQ(left, operand.I32(int32(-e.bytes)))
	e.JEQ(operand.LabelRef(name + "swept"))
	for _, a := range arrays {
		e.ADDQ(left, a.ptr)
	}
	e.XORL(left.As32(), left.As32())
	e.JMP(operand.LabelRef(name + "single"))
	e.Label(name + "swept")
}

// unrolled moves at on by steps while it has not passed last: first by rounds
// of unroll steps, then by single steps. last is where the last round may
// start, and becomes where the last step may. body handles the step at at+disp.
// beyond and within are the jumps that are taken when at has passed last or has
// not. The label after the loops is done.
func (e *emitter) unrolled(at, last reg.GPVirtual, unroll int, beyond, within func(operand.Op), done string, body func(disp int)) {
	step := e.bytes
	loop := func(label string, steps int, done string) {
		e.CMPQ(at, last)
		beyond(operand.LabelRef(done))
		e.Label(label)
		for i := range steps {
			body(i * step)
		}
		e.ADDQ(operand.I32(int32(step*steps)), at)
		e.CMPQ(at, last)
		within(operand.LabelRef(label))
		e.Label(done)
	}
	loop("unrolled", unroll, "singles")
	e.ADDQ(operand.I32(int32(step*(unroll-1))), last)
	loop("single", 1, done)
}

// repeat emits a loop that decrements counter until it is 0.
func (e *emitter) repeat(label string, counter reg.GPVirtual, body func()) {
	e.Label(label)
	body()
	e.DECQ(counter)
	e.JNZ(operand.LabelRef(label))
}
