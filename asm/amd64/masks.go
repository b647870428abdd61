package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks writes a bit for each of left >= 64 elements: compare gives a byte mask
// of those, in the vector that starts i elements behind where the arrays stand,
// whose bits are 1, or 0 where inverted. A round is a vector, or two: of words,
// which are packed in pairs, and of quadwords, of which one has half a byte of
// bits.
func (e *emitter) masks(width int, words, left reg.GPVirtual, arrays []array, inverted bool, compare func(i int) reg.VecVirtual) {
	round := e.bytes / width
	if width == 2 || width == 8 {
		round *= 2
	}
	e.Comment("The last word may get less than all of its bits.")
	last := e.GP64()
	e.LEAQ(operand.Mem{Base: left, Disp: -1}, last)
	e.SHRQ(operand.U8(6), last)
	e.MOVQ(operand.U32(0), at(words, last, 8, 0))
	e.rounds(left, round, 1, arrays, func() {
		few := e.GP64()
		e.pack(width, compare, few.As32())
		if inverted {
			e.XORL(operand.U32(1<<round-1), few.As32())
		}
		e.SHRQ(reg.CL, few)
		to := operand.Mem{Base: words}
		switch round {
		case 32:
			e.MOVL(few.As32(), to)
		default:
			e.MOVB(few.As8(), to)
		}
		e.ADDQ(operand.I32(int32(round/8)), words)
	})
}

// pack makes bits of the byte masks of one or two vectors.
func (e *emitter) pack(width int, compare func(i int) reg.VecVirtual, few reg.Register) {
	x := compare(0)
	switch width {
	case 2: // which works within 16 bytes
		e.VPACKSSWB(compare(16), x, x)
		e.VPERMQ(operand.U8(0xd8), x, x)
	case 8: // the low dwords of two vectors
		e.VSHUFPS(operand.U8(0x88), compare(4), x, x)
		e.VPERMQ(operand.U8(0xd8), x, x)
	}
	if width >= 4 {
		e.VMOVMSKPS(x, few)
	} else {
		e.VPMOVMSKB(x, few)
	}
}
