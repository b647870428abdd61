package main

import (
	"fmt"
	"strings"
)

// A pointer moves by 1<<shift bytes for each one that a loop takes off left.
type pointer struct {
	role  string
	shift int
}

// turns is a loop that takes step off left a turn. The last turn starts over
// from where it ends exactly at the end: pointers step back, and again, if
// there is a register of that name, is by how many. body moves the pointers on.
func (k *kernel) turns(label string, step int, body func(), pointers ...pointer) {
	k.op("SUB", fmt.Sprintf("$%d, left", step))
	k.label(label)
	body()
	k.op("SUBS", fmt.Sprintf("$%d, left", step))
	k.op("BGE", label)
	k.op("CMN", fmt.Sprintf("$%d, left", step))
	k.op("BEQ", label+"Done")
	if _, ok := k.number["again"]; ok {
		k.op("NEG", "left, again")
	}
	for _, p := range pointers {
		k.op("ADD", shifted("left", p.shift)+", "+p.role)
	}
	k.op("MOVD", "ZR, left")
	k.op("B", label)
	k.label(label + "Done")
}

// shifted is a register as an operand, times a power of two.
func shifted(register string, by int) string {
	if by == 0 {
		return register
	}
	return fmt.Sprintf("%s<<%d", register, by)
}

// arguments loads parameters: "dst out", "n left".
func (k *kernel) arguments(pairs ...string) {
	for _, p := range pairs {
		param, role, _ := strings.Cut(p, " ")
		k.op("MOVD", k.arg(param), role)
	}
}

// splats fills vectors with the values on, off and, if it is named, miss.
func (k *kernel) splats(width int, tmp string, vectors ...string) {
	k.op("MOVD", k.arg("v"), tmp)
	for i, vector := range vectors {
		if i > 0 {
			k.op("ADD", "$16, "+tmp)
		}
		if width == 16 {
			k.op("VLD1", "("+tmp+")", "["+vector+".B16]")
		} else {
			k.op("VLD1R", "("+tmp+")", "["+vector+"."+lanes[width]+"]")
		}
	}
}

// values fills onV, offV and missV, registers in a row, with the cells that tmp
// points to. Their width is known at run time, 1<<shift: VTBL spreads a cell
// over its vector. place becomes the bytes' numbers, and down what USHL shifts
// them by to those of cells.
func (k *kernel) values(tmp, place, down, widen string) {
	k.op("VLD1", "("+tmp+")", "[onV.B16, offV.B16, missV.B16]")
	k.iota(place, tmp)
	k.op("MOVD", "$-1", tmp)
	k.op("LSL", "shift, "+tmp+", "+tmp)
	k.op("VDUP", tmp, widen+".B16")
	k.word(0x4e601c00, "bic", "16b", widen, place, widen)
	for _, value := range []string{"onV", "offV", "missV"} {
		k.op("VTBL", widen+".B16, ["+value+".B16], "+value+".B16")
	}
	k.op("NEG", "shift, "+tmp)
	k.op("VDUP", tmp, down+".B16")
}

// cellOf sets to to the cell, or the column, that each byte's number in place
// belongs to.
func (k *kernel) cellOf(to, place, down string) {
	k.word(0x6e204400, "ushl", "16b", to, place, down)
}

// constant makes a vector of bytes.
func (k *kernel) constant(vector, tmp string, at func(i int) int) {
	var x [2]uint64
	for i := range 16 {
		x[i/8] |= uint64(byte(at(i))) << (i % 8 * 8)
	}
	for half := range x {
		if half == 1 && x[1] == x[0] {
			k.op("VDUP", tmp, vector+".D2")
			return
		}
		k.op("MOVD", fmt.Sprintf("$%#x", x[half]), tmp)
		if x[1] != x[0] {
			k.op("VMOV", tmp, fmt.Sprintf("%s.D[%d]", vector, half))
		}
	}
}

// iota sets byte i of a vector to i.
func (k *kernel) iota(vector, tmp string) { k.constant(vector, tmp, func(i int) int { return i }) }

// zero clears a vector.
func (k *kernel) zero(vector string) { k.op("VEOR", vector+".B16", vector+".B16", vector+".B16") }

// compare emits one of the comparisons of unsigned numbers, a >= b or a > b.
func (k *kernel) compare(mnemonic string, width int, to, a, b string) {
	code := map[string]uint32{"cmhs": 0x6e203c00, "cmhi": 0x6e203400}[mnemonic]
	k.word(code|uint32(log2(width))<<22, mnemonic, map[int]string{1: "16b", 2: "8h", 4: "4s", 8: "2d"}[width], to, a, b)
}

// count adds the bytes of a mask, of which none is below -8, to the four sums
// of total.
func (k *kernel) count(mask, tmp, total string) {
	k.word(0x4e202800, "saddlp", "8h,16b", tmp, mask)
	k.word(0x4e606800, "sadalp", "4s,8h", total, tmp)
}

// sum is the negative of the four sums of total, which it overwrites.
func (k *kernel) sum(total, to string) {
	k.op("VADDV", total+".S4", total)
	k.op("VMOV", total+".S[0]", to)
	k.op("NEGW", to+", "+to)
}
