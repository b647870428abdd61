package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// narrow resizes classes to the width of 8- or 16-bit elements, relative to a first class. Unsigned saturation is the whole trick: a
// class in reach is its offset, and everything else, a miss included, ends at the largest value, which no row or plane asks for.
// AVX-512 saturates dwords as it narrows them. AVX2 has only signed-to-unsigned packing, so a minimum goes before it, and the packing
// works within 16-byte halves, so a permute goes behind.
func narrow(e *emitter, bits int) {
	e.kernel(fmt.Sprint("narrow", bits), "(lanes unsafe.Pointer, classes *int32, n int, first int32)",
		fmt.Sprintf("sets lanes[i] to classes[i]-first as a uint%d, or to %d if it does not fit. n >= 16.", bits, 1<<bits-1),
		fmt.Sprintf("16 classes a step, four steps a round, then single ones, then one that ends exactly at n. 64 bytes written cost %d instructions.", narrowCost(e, bits)))
	lanes, classes, n := e.param("lanes"), e.param("classes"), e.param("n")
	first := e.splat(32, e.param32("first"), "first")
	var most reg.VecVirtual
	if !e.wide() {
		most = e.splatConst(32, 1<<bits-1, "largest")
	}
	e.sweep(n, 16, 4, func(i reg.GPVirtual, disp int) {
		from, to := at(classes, i, 4, disp), at(lanes, i, bits/8, disp)
		if e.wide() {
			narrowSaturating(e, bits, from, to, first)
		} else {
			narrowPacking(e, bits, from, to, first, most)
		}
	}, nil)
	e.done()
}

func narrowCost(e *emitter, bits int) int {
	switch {
	case e.wide():
		return 3 * 32 / bits
	case bits == 8:
		return 11 * 4
	}
	return 9 * 2
}

func narrowSaturating(e *emitter, bits int, from, to operand.Mem, first reg.VecVirtual) {
	x := e.vector()
	e.load(from, x)
	e.VPSUBD(first, x, x)
	if bits == 8 {
		e.VPMOVUSDB(x, to)
	} else {
		e.VPMOVUSDW(x, to)
	}
}

func narrowPacking(e *emitter, bits int, from, to operand.Mem, first, most reg.VecVirtual) {
	var x [2]reg.VecVirtual
	for j := range x {
		x[j] = e.vector()
		e.load(from.Offset(32*j), x[j])
		e.VPSUBD(first, x[j], x[j])
		e.VPMINUD(most, x[j], x[j])
	}
	e.VPACKUSDW(x[1], x[0], x[0])
	e.VPERMQ(operand.U8(0xd8), x[0], x[0])
	if bits == 16 {
		e.store(x[0], to)
		return
	}
	e.VEXTRACTI128(operand.U8(1), x[0], x[1].AsX())
	e.VPACKUSWB(x[1].AsX(), x[0].AsX(), x[0].AsX())
	e.VMOVDQU(x[0].AsX(), to)
}

// widen64 resizes classes to 64-bit elements; the sign extension keeps a miss at -1.
func widen64(e *emitter) {
	step := e.bytes / 8
	e.kernel("widen64", "(lanes unsafe.Pointer, classes *int32, n int)",
		"sets the int64 lanes[i] to classes[i]. n >= 16.",
		fmt.Sprintf("%d classes a step, four steps a round, then single ones, then one that ends exactly at n. 64 bytes written cost %d instructions.", step, 2*8/step))
	lanes, classes, n := e.param("lanes"), e.param("classes"), e.param("n")
	e.sweep(n, step, 4, func(i reg.GPVirtual, disp int) {
		x := e.vector()
		e.VPMOVSXDQ(at(classes, i, 4, disp), x)
		e.store(x, at(lanes, i, 8, disp))
	}, nil)
	e.done()
}
