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
	e.eachWord(words, left, d.size, []reg.GPVirtual{cells}, func() { d.word(cells, words) })
	e.Store(d.neither(), e.Return("neither"))
	e.done()
}

// eachWord walks left >= 64 elements of every one of arrays, and words by a word for 64 of them: word writes one, for the elements at
// which the arrays stand. The last word is written for the 64 elements that end exactly at the last and shifted into place.
func (e *emitter) eachWord(words, left reg.GPVirtual, size int, arrays []reg.GPVirtual, word func()) {
	e.Label("word")
	word()
	for _, a := range arrays {
		e.ADDQ(operand.I32(64*size), a)
	}
	e.ADDQ(operand.I32(8), words)
	e.SUBQ(operand.I32(64), left)
	e.CMPQ(left, operand.I32(64))
	e.JGE(operand.LabelRef("word"))
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("counted"))
	redo, last := named(e, e.GP64(), "elements done before"), e.GP64()
	e.MOVQ(operand.I32(64), redo)
	e.SUBQ(left, redo)
	e.MOVQ(redo, reg.RCX)
	if size > 1 {
		e.SHLQ(operand.U8(bits.Len(uint(size))-1), redo)
	}
	for _, a := range arrays {
		e.SUBQ(redo, a)
	}
	word()
	e.MOVQ(operand.Mem{Base: words}, last)
	e.SHRQ(reg.CL, last)
	e.MOVQ(last, operand.Mem{Base: words})
	e.Label("counted")
}

func hitsCost(e *emitter) int {
	if e.wide() {
		return 6
	}
	return 14
}

// word writes the bits of 64 cells.
func (d *decoder) word(cells, words reg.GPVirtual) {
	d.maskWord(d.bits, words, func(i int) reg.Register { return d.compare(operand.Mem{Base: cells, Disp: i * d.size}) })
}

// maskWord writes a word of 64 bits from comparisons: compare tells, as a mask register on AVX-512 and as a byte mask in a vector on AVX2,
// which elements of the vector that starts at element i compare.
func (e *emitter) maskWord(bits int, words reg.GPVirtual, compare func(i int) reg.Register) {
	lanes := e.bytes * 8 / bits
	few := e.GP32()
	for i := 0; i < 64; {
		first, to := i, operand.Mem{Base: words, Disp: i / 8}
		k := compare(first)
		i += lanes
		if e.wide() {
			move := map[int]func(k, m operand.Op){64: e.KMOVQ, 32: e.KMOVD, 16: e.KMOVW, 8: e.KMOVB}[lanes]
			move(k, to)
			continue
		}
		x := k.(reg.VecVirtual)
		switch bits {
		case 8:
			e.VPMOVMSKB(x, few)
			e.MOVL(few, to)
		case 16: // two vectors are packed, which works within 16-byte halves
			i += lanes
			e.VPACKSSWB(compare(first+lanes).(reg.VecVirtual), x, x)
			e.VPERMQ(operand.U8(0xd8), x, x)
			e.VPMOVMSKB(x, few)
			e.MOVL(few, to)
		case 32:
			e.VMOVMSKPS(x, few)
			e.MOVB(few.As8(), to)
		case 64: // the low dwords of two vectors
			i += lanes
			e.VSHUFPS(operand.U8(0x88), compare(first+lanes).(reg.VecVirtual), x, x)
			e.VPERMQ(operand.U8(0xd8), x, x)
			e.VMOVMSKPS(x, few)
			e.MOVB(few.As8(), to)
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
