package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes writes the one-hot of columns, class by class: the axis is not the last one, so the elements of one class lie in a run. A
// vector of lanes is compared with one class and blended, no lane moves, and the same lanes, which stay in the first-level cache, serve
// every plane. The class is compared at the element's width, so a plane number beyond it wraps round; callers pass lanes
// that are relative to a class in reach.
func planes(e *emitter, bits int) {
	step := e.bytes * 8 / bits
	e.kernel(fmt.Sprint("planes", bits), "(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64)",
		fmt.Sprintf("writes count runs of n elements, stride bytes apart: in run p, on where lanes[i] is first+p and off elsewhere. n >= %d.", step),
		fmt.Sprintf("A loop over runs; in it vectors of %d, four a round, then single ones, then one that ends exactly at n. 64 bytes written cost %d instructions.", step, 3*64/e.bytes))
	emitPlanes(e, bits, e.store)
}

// streamPlanes is planes past the caches. Its non-temporal stores come straight from the comparison: a detour through a tile in the
// first-level cache would put ordinary stores among them, each of which waits for those before it to reach memory. They need whole
// lines, which n and the alignment of dst and stride give; what a run has besides is for planes.
func streamPlanes(e *emitter, bits int) {
	e.kernel(fmt.Sprint("streamPlanes", bits), "(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64)",
		fmt.Sprintf("is planes%d with non-temporal stores. dst and stride are multiples of 64 bytes, n is one of %d.", bits, 64*8/bits),
		fmt.Sprintf("A loop over runs; in it vectors of %d, four a round, then single ones. 64 bytes written cost %d instructions.", e.bytes*8/bits, 3*64/e.bytes))
	emitPlanes(e, bits, func(v reg.VecVirtual, m operand.Mem) { e.VMOVNTDQ(v, m) })
}

// emitPlanes emits the loops of either form.
func emitPlanes(e *emitter, bits int, store func(reg.VecVirtual, operand.Mem)) {
	size := bits / 8
	dst, stride, lanes, n := e.param("dst"), e.param("stride"), e.param("lanes"), e.param("n")
	first, count := e.param("first"), e.param("count")
	on, off := e.splatParam(bits, "on"), e.splatParam(bits, "off")
	e.Label("plane")
	class := e.splat(bits, first, "class")
	e.sweep(n, e.bytes/size, 4, func(i reg.GPVirtual, disp int) {
		out := e.vector()
		e.choose(bits, at(lanes, i, size, disp), class, on, off, out)
		store(out, at(dst, i, size, disp))
	}, nil)
	e.ADDQ(stride, dst)
	e.INCQ(first)
	e.DECQ(count)
	e.JNZ(operand.LabelRef("plane"))
	e.done()
}

// splatParam is splat of an argument.
func (e *emitter) splatParam(bits int, name string) reg.VecVirtual {
	r := e.GP64()
	e.argument(name, r)
	return e.splat(bits, r, name)
}
