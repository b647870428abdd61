package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lightSets is a store per index. It needs no vectors and belongs to no tier; it is a kernel because sets are padded with indices that have
// no class, at places that no branch predictor knows: the address of such a cell is replaced by that of a spare one, without a branch.
func lightSets(e *emitter, width int) {
	e.kernel(fmt.Sprint("lightSets", width), "(dst unsafe.Pointer, stride int, classes *int32, rows, k int, on uint64, spare unsafe.Pointer)",
		"writes on to the cell of each of k classes in each row, rows stride bytes apart; what has the class -1 goes to the spare cell instead. rows and k are not 0.",
		"A loop over rows; in it one over classes. A class costs 8 instructions.")
	dst, stride, classes, rows := e.param("dst"), e.param("stride"), e.param("classes"), e.param("rows")
	k, on, spare := e.param("k"), e.param("on"), e.param("spare")
	class, cell, left := named(e, e.GP64(), "class"), named(e, e.GP64(), "its cell"), named(e, e.GP64(), "classes left")
	e.Label("row")
	e.MOVQ(k, left)
	e.Label("class")
	e.MOVLQSX(operand.Mem{Base: classes}, class)
	e.LEAQ(at(dst, class, width/8, 0), cell)
	e.TESTQ(class, class)
	e.CMOVQLT(spare, cell)
	e.byWidth(width, e.movb, e.movw, e.movl, e.movq)(on, operand.Mem{Base: cell})
	e.ADDQ(operand.I32(4), classes)
	e.DECQ(left)
	e.JNZ(operand.LabelRef("class"))
	e.ADDQ(stride, dst)
	e.DECQ(rows)
	e.JNZ(operand.LabelRef("row"))
	e.done()
}

// The stores of the low bytes of a general register.
func (e *emitter) movb(ops ...operand.Op) { e.MOVB(ops[0].(reg.GPVirtual).As8(), ops[1]) }
func (e *emitter) movw(ops ...operand.Op) { e.MOVW(ops[0].(reg.GPVirtual).As16(), ops[1]) }
func (e *emitter) movl(ops ...operand.Op) { e.MOVL(ops[0].(reg.GPVirtual).As32(), ops[1]) }
func (e *emitter) movq(ops ...operand.Op) { e.MOVQ(ops[0], ops[1]) }
