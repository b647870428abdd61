package main

import "fmt"

// constant sets byte i of a vector to at(i).
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

// splat repeats a constant in the lanes of a vector: splat(64, "beyond.H8").
func (k *kernel) splat(number int, vector string) {
	k.op("MOVD", "$%d, tmp", number)
	k.op("VDUP", "tmp, %s", vector)
}

// splats repeats on and off in the lanes of onV and offV.
func (k *kernel) splats() {
	k.arguments("v tmp")
	k.op("VLD1R", "(tmp), [onV.T]")
	k.op("ADD", "$16, tmp")
	k.op("VLD1R", "(tmp), [offV.T]")
}

// values repeats the values that tmp points to in onV, offV and missV, which
// are consecutive. Their width is 1<<shift, and VTBL repeats a cell. place
// becomes the number of each byte, down what USHL shifts these by to give
// cells or columns, and widen the place of each byte in its cell, by which VTBL
// repeats the values.
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

// shift sets the role shift to the logarithm of width; left is overwritten.
func (k *kernel) shift() {
	k.arguments("width left")
	k.op("RBIT", "left, left")
	k.op("CLZ", "left, shift")
}

// bitBytes sets up vectors to test the 64 bits of a word: pick0 to pick3 say
// which byte of the word each byte takes, and bit which bit of that it tests.
func (k *kernel) bitBytes(bit string) {
	for v := range 4 {
		k.constant(fmt.Sprintf("pick%d", v), "tmp", func(i int) int { return 2*v + i/8 })
	}
	k.constant(bit, "tmp", func(i int) int { return 1 << (i % 8) })
}

// count adds the bytes of a mask, of which none is below -8, to total.
func (k *kernel) count(mask, tmp, total string) {
	k.op("saddlp", "%s.8h, %s.16b", tmp, mask)
	k.op("sadalp", "%s.4s, %s.8h", total, tmp)
}

// countM adds the bytes of the four masks in bank m to the four sums in total.
func (k *kernel) countM(tmp, total string) {
	k.op("VADD", "m0.B16, m1.B16, %s.B16", tmp)
	k.op("VADD", "m2.B16, %s.B16, %[1]s.B16", tmp)
	k.op("VADD", "m3.B16, %s.B16, %[1]s.B16", tmp)
	k.count(tmp, tmp, total)
}

// sum sets tmp to minus the total of the four sums, and overwrites them.
func (k *kernel) sum(total string) {
	k.op("VADDV", "%s.S4, %[1]s", total)
	k.op("VMOV", "%s.S[0], tmp", total)
	k.op("NEGW", "tmp, tmp")
}

// misses makes the kernel return what missed has counted, less the bytes of the
// mask fresh, which the last turn has counted a second time.
func (k *kernel) misses(spare string) {
	k.zero(spare)
	k.count("fresh", "fresh", spare)
	k.op("VSUB", "%s.S4, missed.S4, missed.S4", spare)
	k.sum("missed")
	k.op("MOVD", "tmp, %s", k.arg("misses"))
}
