package main

import "fmt"

// constant makes a vector of bytes.
func (k *kernel) constant(vector, tmp string, at func(i int) int) {
	var x [2]uint64
	for i := range 16 {
		x[i/8] |= uint64(byte(at(i))) << (i % 8 * 8)
	}
	k.op("MOVD", "$%#x, %s", x[0], tmp)
	if x[1] == x[0] {
		k.op("VDUP", "%s, %s.D2", tmp, vector)
		return
	}
	k.op("VMOV", "%s, %s.D[0]", tmp, vector)
	k.op("MOVD", "$%#x, %s", x[1], tmp)
	k.op("VMOV", "%s, %s.D[1]", tmp, vector)
}

// iota sets byte i of a vector to i.
func (k *kernel) iota(vector, tmp string) { k.constant(vector, tmp, func(i int) int { return i }) }

// zero clears a vector.
func (k *kernel) zero(vector string) { k.op("VEOR", "%s.B16, %[1]s.B16, %[1]s.B16", vector) }

// splat repeats a number in the lanes of a vector: splat(64, "beyond.H8").
func (k *kernel) splat(number int, vector string) {
	k.op("MOVD", "$%d, tmp", number)
	k.op("VDUP", "tmp, %s", vector)
}

// splats fills onV and offV with the values on and off of the kernel's width.
func (k *kernel) splats() {
	k.arguments("v tmp")
	k.op("VLD1R", "(tmp), [onV.T]")
	k.op("ADD", "$16, tmp")
	k.op("VLD1R", "(tmp), [offV.T]")
}

// values fills onV, offV and missV, registers in a row, with the cells that tmp
// points to. Their width is known at run time, 1<<shift: VTBL spreads a cell
// over its vector. place becomes the bytes' numbers, and down what USHL shifts
// them by to those of cells, or columns.
func (k *kernel) values(place, down, widen string) {
	k.op("VLD1", "(tmp), [onV.B16, offV.B16, missV.B16]")
	k.iota(place, "tmp")
	k.op("MOVD", "$-1, tmp")
	k.op("LSL", "shift, tmp, tmp")
	k.op("VDUP", "tmp, %s.B16", widen)
	k.op("bic", "%s.16b, %s.16b, %[1]s.16b", widen, place)
	for _, value := range []string{"onV", "offV", "missV"} {
		k.op("VTBL", "%s.B16, [%s.B16], %[2]s.B16", widen, value)
	}
	k.op("NEG", "shift, tmp")
	k.op("VDUP", "tmp, %s.B16", down)
}

// shift sets that role to the logarithm of the width, by way of a register.
func (k *kernel) shift(by string) {
	k.arguments("width " + by)
	k.op("RBIT", "%s, %[1]s", by)
	k.op("CLZ", "%s, shift", by)
}

// bitBytes sets up four vectors of bytes to test the 64 bits of a word: which
// byte of the word each picks, and its bit of that.
func (k *kernel) bitBytes(bit string) {
	for v := range 4 {
		k.constant(fmt.Sprintf("pick%d", v), "tmp", func(i int) int { return 2*v + i/8 })
	}
	k.constant(bit, "tmp", func(i int) int { return 1 << (i % 8) })
}

// count adds the bytes of a mask, of which none is below -8, to the four sums
// of total.
func (k *kernel) count(mask, tmp, total string) {
	k.op("saddlp", "%s.8h, %s.16b", tmp, mask)
	k.op("sadalp", "%s.4s, %s.8h", total, tmp)
}

// countM adds the bytes of the four masks in bank m to the sums of total.
func (k *kernel) countM(tmp, total string) {
	k.op("VADD", "m0.B16, m1.B16, %s.B16", tmp)
	k.op("VADD", "m2.B16, %s.B16, %[1]s.B16", tmp)
	k.op("VADD", "m3.B16, %s.B16, %[1]s.B16", tmp)
	k.count(tmp, tmp, total)
}

// sum sets tmp to the negative of the four sums of total, which it overwrites.
func (k *kernel) sum(total string) {
	k.op("VADDV", "%s.S4, %[1]s", total)
	k.op("VMOV", "%s.S[0], tmp", total)
	k.op("NEGW", "tmp, tmp")
}

// misses returns what is counted in missed, less the bytes of the mask fresh,
// which the last turn has counted a second time.
func (k *kernel) misses(spare string) {
	k.zero(spare)
	k.count("fresh", "fresh", spare)
	k.op("VSUB", "%s.S4, missed.S4, missed.S4", spare)
	k.sum("missed")
	k.op("MOVD", "tmp, %s", k.arg("misses"))
}
