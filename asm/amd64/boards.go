package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// boards is planes for blocks of a few vectors, such as the squares of a board. There the loop over a run of one plane is over before it
// has begun, so the loops change places: a vector of lanes stays in its register while the classes go by, and the stores step from
// plane to plane. Whole blocks are written by one call.
func boards(e *emitter, bits int) {
	size := bits / 8
	step := e.bytes / size
	const unroll = 4
	e.kernel(fmt.Sprint("boards", bits), "(dst unsafe.Pointer, stride, apart int, lanes unsafe.Pointer, blocks, n, first, count int, on, off uint64)",
		fmt.Sprintf("writes blocks, stride bytes apart, of count runs of n elements, apart bytes apart: in run p of block b, on where lanes[b*n+i] is first+p and off elsewhere. n >= %d; blocks and count are not 0.", step),
		fmt.Sprintf("A loop over blocks; in it one over vectors of %d lanes, the last of which ends exactly at n; in it one over planes, four a round, then single ones. 64 bytes written cost %d instructions and 3 of the loop for four.", step, 4*64/e.bytes))
	dst, stride, apart, lanes := e.param("dst"), e.param("stride"), e.param("apart"), e.param("lanes")
	blocks, n := e.param("blocks"), e.param("n")
	start := e.splatParam(bits, "first")
	count := e.param("count")
	on, off := e.splatParam(bits, "on"), e.splatParam(bits, "off")
	one := e.splatConst(bits, 1, "1")
	i, last := named(e, e.GP64(), "i"), named(e, e.GP64(), "last i")
	to, left, thrice := named(e, e.GP64(), "plane"), named(e, e.GP64(), "planes left"), named(e, e.GP64(), "3*apart")
	class, lane := named(e, e.vector(), "class"), named(e, e.vector(), "lanes")
	e.LEAQ(operand.Mem{Base: n, Disp: -step}, last)
	e.LEAQ(operand.Mem{Base: apart, Index: apart, Scale: 2}, thrice)
	plane := func(m operand.Mem) {
		out := e.vector()
		e.choose(bits, lane, class, on, off, out)
		e.store(out, m)
		e.byWidth(bits, e.VPADDB, e.VPADDW, e.VPADDD, e.VPADDQ)(one, class, class)
	}
	e.Label("block")
	e.XORQ(i, i)
	e.Label("vector")
	e.load(at(lanes, i, size, 0), lane)
	e.LEAQ(at(dst, i, size, 0), to)
	e.move(start, class)
	e.MOVQ(count, left)
	e.SUBQ(operand.I32(unroll), left)
	e.JLT(operand.LabelRef("few"))
	e.Label("planes")
	plane(operand.Mem{Base: to})
	plane(operand.Mem{Base: to, Index: apart, Scale: 1})
	plane(operand.Mem{Base: to, Index: apart, Scale: 2})
	plane(operand.Mem{Base: to, Index: thrice, Scale: 1})
	e.LEAQ(operand.Mem{Base: to, Index: apart, Scale: 4}, to)
	e.SUBQ(operand.I32(unroll), left)
	e.JGE(operand.LabelRef("planes"))
	e.Label("few")
	e.ADDQ(operand.I32(unroll), left)
	e.JZ(operand.LabelRef("done"))
	e.Label("single")
	plane(operand.Mem{Base: to})
	e.ADDQ(apart, to)
	e.DECQ(left)
	e.JNZ(operand.LabelRef("single"))
	e.Label("done")

	e.Comment("The next vector, or the last, or the next block.")
	e.CMPQ(i, last)
	e.JEQ(operand.LabelRef("written"))
	e.ADDQ(operand.I32(int32(step)), i)
	e.CMPQ(i, last)
	e.CMOVQGT(last, i)
	e.JMP(operand.LabelRef("vector"))
	e.Label("written")
	e.ADDQ(stride, dst)
	e.LEAQ(at(lanes, n, size, 0), lanes)
	e.DECQ(blocks)
	e.JNZ(operand.LabelRef("block"))
	e.done()
}
