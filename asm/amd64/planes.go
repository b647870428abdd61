package main

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes writes runs of columns, class by class: the axis is not the last one,
// so that the cells of one class lie in a run. A vector of classes is compared
// with one class, which makes the bits of as many cells; the same classes,
// which stay in the first-level cache, serve every plane.
//
// Non-temporal stores come straight from the comparison: a detour through a
// tile in the first-level cache would put ordinary stores among them, each of
// which waits for those before it to reach memory.
func planes(e *emitter, width int, family string) {
	miss := strings.Contains(family, "Miss")
	e.kernel(family, suffix(width), "A loop over blocks; in it one over planes; in it one over vectors of classes, the last of which ends exactly at n.")
	c := newCellWriter(e, width)
	c.stream = strings.HasSuffix(family, "Stream")
	dst, stride, plane := e.param("dst"), e.param("stride"), e.param("plane")
	classes, blocks, n := e.param("classes"), e.param("blocks"), e.param("n")
	start, count := e.splat(8, e.param("first"), "first"), e.param("count")
	c.values(e.param("v"), miss)
	var none reg.VecVirtual
	if miss {
		none = named(e, e.vector(), "255s")
		e.ones(none)
	}
	step := e.bytes * c.unit / width // classes a round
	one := e.splatConst(8, 1, "1")
	class, run, to, from := named(e, e.vector(), "class"), named(e, e.GP64(), "run"), named(e, e.GP64(), "cell"), named(e, e.GP64(), "classes of the round")
	planesLeft, left := named(e, e.GP64(), "planes left"), named(e, e.GP64(), "cells left")
	e.Label("block")
	e.move(start, class)
	e.MOVQ(dst, run)
	e.MOVQ(count, planesLeft)
	e.Label("plane")
	e.MOVQ(run, to)
	e.MOVQ(classes, from)
	e.MOVQ(n, left)
	e.Label("round")
	x := e.vector()
	if width == 16 {
		e.doubled(operand.Mem{Base: from}, x)
	} else {
		e.load(operand.Mem{Base: from}, x)
	}
	var missed reg.Register
	if miss {
		missed = e.equal(x, none)
	}
	c.write(e.equal(x, class), missed, operand.Mem{Base: to})
	if step < 64 && width == 1 && !miss { // the loop costs as much as a vector
		second := e.vector()
		e.load(operand.Mem{Base: from, Disp: step}, second)
		c.write(e.equal(second, class), nil, operand.Mem{Base: to, Disp: step})
		step *= 2
	}
	e.ADDQ(operand.I32(int32(step)), from)
	e.ADDQ(operand.I32(int32(step*width)), to)
	e.SUBQ(operand.I32(int32(step)), left)
	e.CMPQ(left, operand.I32(int32(step)))
	e.JGE(operand.LabelRef("round"))
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("next"))
	e.SUBQ(operand.I32(int32(step)), left)
	e.ADDQ(left, from)
	if width == 16 {
		e.SHLQ(operand.U8(4), left)
		e.ADDQ(left, to)
	} else {
		e.LEAQ(operand.Mem{Base: to, Index: left, Scale: uint8(width)}, to)
	}
	e.MOVQ(operand.I32(int32(step)), left)
	e.JMP(operand.LabelRef("round"))
	e.Label("next")
	e.VPADDB(one, class, class)
	e.ADDQ(plane, run)
	e.DECQ(planesLeft)
	e.JNZ(operand.LabelRef("plane"))
	e.ADDQ(n, classes)
	e.ADDQ(stride, dst)
	e.DECQ(blocks)
	e.JNZ(operand.LabelRef("block"))
	e.done()
}

// equal compares bytes.
func (e *emitter) equal(x, y reg.VecVirtual) reg.Register {
	if e.wide() {
		k := e.K()
		e.VPCMPEQB(x, y, k)
		return k
	}
	out := e.vector()
	e.VPCMPEQB(x, y, out)
	return out
}
