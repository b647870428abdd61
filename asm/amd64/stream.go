package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stream moves a finished tile out of the first-level cache past all caches.
//
// Output beyond the last-level cache pays for every line twice with ordinary stores: it is read for ownership before it is
// overwritten. A non-temporal store does not read, provided that whole lines come in one go; so the interior starts at a line boundary
// of dst. A ragged end is an ordinary unaligned store that overlaps the interior, and comes only where there is one: a line that is
// stored both ways is read, evicted and written once more.
// Non-temporal stores are weakly ordered: streamEnd keeps them from passing whatever tells another core that the output is there. It is
// a kernel of its own because a fence waits for memory, and once per output is enough.
func stream(e *emitter) {
	v := e.bytes
	unroll := 256 / v
	e.kernel("stream", "(dst, src unsafe.Pointer, n int)",
		"copies n >= 128 bytes from src, which should lie in the first-level cache, to dst with non-temporal stores.",
		fmt.Sprintf("The ragged start, aligned lines, %d bytes a round, single lines, the ragged end. 64 bytes written cost %d loads and %d stores.", v*unroll, 64/v, 64/v))
	dst, src, n := e.param("dst"), e.param("src"), e.param("n")
	tmp := make([]reg.VecVirtual, 64/v)
	for i := range tmp {
		tmp[i] = e.vector()
	}
	line := func(from, to operand.Mem, store func(reg.VecVirtual, operand.Mem)) {
		for i := range tmp {
			e.load(from.Offset(i*v), tmp[i])
		}
		for i := range tmp {
			store(tmp[i], to.Offset(i*v))
		}
	}
	past := func(v reg.VecVirtual, m operand.Mem) { e.VMOVNTDQ(v, m) }
	from, to := operand.Mem{Base: src}, operand.Mem{Base: dst}

	skip := named(e, e.GP64(), "bytes to the next line")
	e.MOVQ(dst, skip)
	e.NEGQ(skip)
	e.ANDQ(operand.I32(63), skip)
	e.JZ(operand.LabelRef("aligned"))
	line(from, to, e.store)
	e.Label("aligned")
	e.ADDQ(skip, dst)
	e.ADDQ(skip, src)
	e.SUBQ(skip, n)
	e.SUBQ(operand.I32(v*unroll), n)
	e.JLT(operand.LabelRef("lines"))
	e.Label("unrolled")
	for i := 0; i < v*unroll; i += 64 {
		line(from.Offset(i), to.Offset(i), past)
	}
	e.ADDQ(operand.I32(v*unroll), src)
	e.ADDQ(operand.I32(v*unroll), dst)
	e.SUBQ(operand.I32(v*unroll), n)
	e.JGE(operand.LabelRef("unrolled"))
	e.Label("lines")
	e.ADDQ(operand.I32(v*unroll-64), n)
	e.JLT(operand.LabelRef("end"))
	e.Label("single")
	line(from, to, past)
	e.ADDQ(operand.I32(64), src)
	e.ADDQ(operand.I32(64), dst)
	e.SUBQ(operand.I32(64), n)
	e.JGE(operand.LabelRef("single"))
	e.Label("end")
	e.ADDQ(operand.I32(64), n)
	e.JZ(operand.LabelRef("streamed"))
	line(from.Idx(n, 1).Offset(-64), to.Idx(n, 1).Offset(-64), e.store)
	e.Label("streamed")
	e.done()
}

// streamEnd orders the stores of stream before all that follow.
func streamEnd(e *emitter) {
	e.kernel("streamEnd", "()", "orders the non-temporal stores before it before all stores behind it.", "One fence.")
	e.SFENCE()
	e.RET()
}
