package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks writes a bit for each of left >= 64 elements: 1 where the byte mask
// that compare returns is set, or 0 there if inverted. compare handles the
// vector i elements from where the pointers of the arrays are. A round is one
// vector, or two where elements have 2 or 8 bytes: masks of 2 bytes are packed
// in pairs, and a vector of elements of 8 bytes makes only four bits.
func (e *emitter) masks(width int, words, left reg.GPVirtual, arrays []array, inverted bool, compare func(i int) reg.VecVirtual) {
	round := e.bytes / width
	if width == 2 || width == 8 {
		round *= 2
	}
	e.Comment("Clear the last word: the rounds may write less than all of its bits.")
	last := e.GP64()
	e.LEAQ(operand.Mem{Base: left, Disp: -1}, last)
	e.SHRQ(operand.U8(6), last)
	e.MOVQ(operand.U32(0), at(words, last, 8, 0))
	e.rounds(left, round, arrays, func() {
		few := e.GP64()
		e.pack(width, compare, few.As32())
		if inverted {
			e.XORL(operand.U32(1<<round-1), few.As32())
		}
		e.SHRQ(reg.CL, few)
		to := operand.Mem{Base: words}
		if round == 32 {
			e.MOVL(few.As32(), to)
		} else {
			e.MOVB(few.As8(), to)
		}
		e.ADDQ(operand.I32(int32(round/8)), words)
	})
}

// pack sets few to the bits of the byte masks of one or two vectors.
func (e *emitter) pack(width int, compare func(i int) reg.VecVirtual, few reg.Register) {
	x := compare(0)
	switch width {
	case 2: // packs within 16 bytes; VPERMQ restores the order
		e.VPACKSSWB(compare(16), x, x)
		e.VPERMQ(operand.U8(0xd8), x, x)
	case 8: // takes the low dwords of two vectors, within 16 bytes
		e.VSHUFPS(operand.U8(0x88), compare(4), x, x)
		e.VPERMQ(operand.U8(0xd8), x, x)
	}
	if width >= 4 {
		e.VMOVMSKPS(x, few)
	} else {
		e.VPMOVMSKB(x, few)
	}
}
