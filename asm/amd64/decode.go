package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of Decode compare cells with on and with off. A cell that is neither spoils its whole block, which the caller then decodes
// in Go: such a cell is an error in somebody's data and not worth a mask of its own. What is left is where the cells that are on lie.
type decoder struct {
	*emitter
	bits, size int
	on, off    reg.VecVirtual
	strange    reg.OpmaskVirtual // AVX-512: cells that are neither
	known      reg.VecVirtual    // AVX2: -1 in the lanes where every cell was either
}

func newDecoder(e *emitter, bits int) *decoder {
	d := &decoder{emitter: e, bits: bits, size: bits / 8}
	d.on, d.off = e.splatParam(bits, "on"), e.splatParam(bits, "off")
	if e.wide() {
		d.strange = named(e, e.K(), "neither on nor off")
		e.KXORQ(d.strange, d.strange, d.strange)
	} else {
		d.known = named(e, e.vector(), "on or off")
		e.ones(d.known)
	}
	return d
}

// compare tells which cells at m are on: by a mask register on AVX-512, by a byte mask in a vector on AVX2.
func (d *decoder) compare(m operand.Mem) reg.Register {
	equal := d.byWidth(d.bits, d.VPCMPEQB, d.VPCMPEQW, d.VPCMPEQD, d.VPCMPEQQ)
	x := d.vector()
	d.load(m, x)
	if !d.wide() {
		isOn := d.vector()
		equal(x, d.on, isOn)
		equal(x, d.off, x)
		d.VPOR(isOn, x, x)
		d.VPAND(x, d.known, d.known)
		return isOn
	}
	isOn, other := d.K(), d.K()
	equal(x, d.on, isOn)
	const unequal = operand.U8(4)
	d.byWidth(d.bits, d.VPCMPB, d.VPCMPW, d.VPCMPD, d.VPCMPQ)(unequal, x, d.off, other)
	d.KANDNQ(other, isOn, other)
	d.KORQ(other, d.strange, d.strange)
	return isOn
}

// neither gives a number that is 0 if every cell was on or off.
func (d *decoder) neither() reg.GPVirtual {
	r := d.GP64()
	if d.wide() {
		d.KMOVQ(d.strange, r)
	} else {
		d.VPMOVMSKB(d.known, r.As32())
		d.NOTL(r.As32())
	}
	return r
}

// hits turns cells into bits, a word for 64 cells, from which the caller reads rows of any depth: no row has to start or end with
// a vector.
func hits(e *emitter, width int) {
	e.kernel(fmt.Sprint("hits", width), "(words, cells unsafe.Pointer, n int, on, off uint64) (neither int)",
		"sets bit i of words to whether cells[i] is on, and the bits behind n in the last word to 0. It returns 0 if every cell is on or off, and another number if not. n >= 64.",
		fmt.Sprintf("64 cells a round, then 64 that end exactly at n, whose bits are shifted into place. 64 bytes read cost %d instructions.", hitsCost(e)))
	words, cells, left := e.param("words"), e.param("cells"), e.param("n")
	d := newDecoder(e, width)
	e.Label("word")
	d.word(cells, words)
	e.ADDQ(operand.I32(64*d.size), cells)
	e.ADDQ(operand.I32(8), words)
	e.SUBQ(operand.I32(64), left)
	e.CMPQ(left, operand.I32(64))
	e.JGE(operand.LabelRef("word"))
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("counted"))
	redo, word := named(e, e.GP64(), "cells done before"), e.GP64()
	e.MOVQ(operand.I32(64), redo)
	e.SUBQ(left, redo)
	e.MOVQ(redo, reg.RCX)
	if d.size > 1 {
		e.SHLQ(operand.U8(bits.Len(uint(d.size))-1), redo)
	}
	e.SUBQ(redo, cells)
	d.word(cells, words)
	e.MOVQ(operand.Mem{Base: words}, word)
	e.SHRQ(reg.CL, word)
	e.MOVQ(word, operand.Mem{Base: words})
	e.Label("counted")
	e.Store(d.neither(), e.Return("neither"))
	e.done()
}

func hitsCost(e *emitter) int {
	if e.wide() {
		return 6
	}
	return 14
}

// word writes the bits of 64 cells.
func (d *decoder) word(cells, words reg.GPVirtual) {
	lanes := d.bytes / d.size
	few := d.GP32()
	for i := 0; i < 64; {
		from, to := operand.Mem{Base: cells, Disp: i * d.size}, operand.Mem{Base: words, Disp: i / 8}
		isOn := d.compare(from)
		i += lanes
		if d.wide() {
			move := map[int]func(k, m operand.Op){64: d.KMOVQ, 32: d.KMOVD, 16: d.KMOVW, 8: d.KMOVB}[lanes]
			move(isOn, to)
			continue
		}
		x := isOn.(reg.VecVirtual)
		switch d.bits {
		case 8:
			d.VPMOVMSKB(x, few)
			d.MOVL(few, to)
		case 16: // two vectors are packed, which works within 16-byte halves
			i += lanes
			d.VPACKSSWB(d.compare(from.Offset(d.bytes)).(reg.VecVirtual), x, x)
			d.VPERMQ(operand.U8(0xd8), x, x)
			d.VPMOVMSKB(x, few)
			d.MOVL(few, to)
		case 32:
			d.VMOVMSKPS(x, few)
			d.MOVB(few.As8(), to)
		case 64: // the low dwords of two vectors
			i += lanes
			d.VSHUFPS(operand.U8(0x88), d.compare(from.Offset(d.bytes)).(reg.VecVirtual), x, x)
			d.VPERMQ(operand.U8(0xd8), x, x)
			d.VMOVMSKPS(x, few)
			d.MOVB(few.As8(), to)
		}
	}
}

// collect is planes the other way round: lanes take the class of every plane in which their column is on. Two planes may claim a column;
// the count of all that are on tells the caller.
func collect(e *emitter, width int) {
	step := e.bytes * 8 / width
	e.kernel(fmt.Sprint("collect", width), "(lanes, cells unsafe.Pointer, stride int, n, first, count int, on, off uint64) (hits int)",
		fmt.Sprintf("reads count runs of n cells, stride bytes apart: where run p is on, lanes[i] becomes first+p. It returns how many cells are on, or -1 if one is neither on nor off. n >= %d.", step),
		fmt.Sprintf("A loop over runs; in it vectors of %d, two a round, then single ones, then one that ends exactly at n and counts only what is new in it. 64 bytes read cost %d instructions.", step, 11*64/e.bytes))
	lanes, cells, stride, n := e.param("lanes"), e.param("cells"), e.param("stride"), e.param("n")
	first, count := e.param("first"), e.param("count")
	d := newDecoder(e, width)
	total := named(e, e.GP64(), "bits of hits")
	e.XORQ(total, total)
	e.Label("plane")
	class := e.splat(width, first, "class")
	step64 := func(i reg.GPVirtual, disp int) reg.GPVirtual {
		isOn, old := d.compare(at(cells, i, d.size, disp)), e.vector()
		e.load(at(lanes, i, d.size, disp), old)
		found := e.GP64()
		if e.wide() {
			e.byWidth(width, e.VPBLENDMB, e.VPBLENDMW, e.VPBLENDMD, e.VPBLENDMQ)(class, old, isOn, old)
			e.KMOVQ(isOn, found)
		} else {
			e.VPBLENDVB(isOn, class, old, old)
			e.VPMOVMSKB(isOn, found.As32())
		}
		e.store(old, at(lanes, i, d.size, disp))
		return found
	}
	add := func(found reg.GPVirtual) {
		e.POPCNTQ(found, found)
		e.ADDQ(found, total)
	}
	e.sweep(n, step, 2, func(i reg.GPVirtual, disp int) { add(step64(i, disp)) }, func(i, redo reg.GPVirtual) {
		found := step64(i, 0)
		e.MOVQ(redo, reg.RCX)
		if !e.wide() && d.size > 1 { // a bit for each byte
			e.SHLQ(operand.U8(bits.Len(uint(d.size))-1), reg.RCX)
		}
		e.SHRQ(reg.CL, found)
		add(found)
	})
	e.ADDQ(stride, cells)
	e.INCQ(first)
	e.DECQ(count)
	e.JNZ(operand.LabelRef("plane"))
	if !e.wide() && d.size > 1 {
		e.SHRQ(operand.U8(bits.Len(uint(d.size))-1), total)
	}
	neither := d.neither()
	e.TESTQ(neither, neither)
	e.JZ(operand.LabelRef("known"))
	e.MOVQ(operand.I32(-1), total)
	e.Label("known")
	e.Store(total, e.Return("hits"))
	e.done()
}
