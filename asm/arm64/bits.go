package main

import "fmt"

// Bit planes are not compared but decoded. Bytes are cut into slices, slice a
// with bit 0 of each, h with bit 7, so that a bit is a column; the plane of a
// class is where the slices have the bits of its number. All planes are then
// the leaves of a tree, each of whose nodes costs an AND and an AND NOT,
// whatever the number of bits in a vector: 128.

// bitPlanes cuts 128 classes and writes 16 bytes of every plane before the next
// 128.
func (f *file) bitPlanes() {
	k := f.kernel("bitPlanes", "", `128 classes a turn; the last turn steps back to end at the last class. Every eighth class is loaded into one vector, and this matrix of 8
by 8 bits in each byte is transposed by swapping halves of bits, of pairs and of nibbles. Then 16 planes share the upper four bits of their
number, H, in which the complement of group has a 1 where the number has. Four planes in turn share bits 2 and 3, HB, and the first two bits
are a and b: 10 vector operations for 64 bytes stored. 64 classes alone are compared with each plane.`)
	k.role("out R0", "planeStep R1", "in R2", "left R3", "planes R4", "to R5", "planesLeft R6", "group R7", "tmp R8")
	k.role("odd V24", "pairs V25", "H V16", "HB V17", "bHB V18", "x V19", "keep V20", "key V21", "one V22")
	k.role("xq F19")
	k.bank("s", 8, 0) // the slices
	k.bank("y", 8, 8)
	k.arguments("dst out", "plane planeStep", "classes in", "n left", "count planes")
	k.op("CMP", "$64, left")
	k.op("BEQ", "single")
	k.op("VMOVI", "$0x55", "odd.B16")
	k.op("VMOVI", "$0x33", "pairs.B16")
	k.op("SUB", "$128, left")
	k.label("loop")
	k.slices()
	k.op("MOVD", "out, to")
	k.op("MOVD", "planes, planesLeft")
	k.op("MOVD", "$-1, group")
	k.label("sixteen")
	k.tree()
	k.op("SUB", "$1, group")
	k.op("CBNZ", "planesLeft", "sixteen")
	k.op("B", "written")
	k.label("few")
	k.op("ADDS", "$4, planesLeft")
	k.op("BEQ", "written")
	k.leaves(func(x string) {
		k.op("VST1.P", "["+x+".B16], (to)(planeStep)")
		k.op("SUBS", "$1, planesLeft")
		k.op("BEQ", "written")
	})
	k.label("written")
	k.op("ADD", "$16, out")
	k.op("SUBS", "$128, left")
	k.op("BGE", "loop")
	k.op("CMN", "$128, left")
	k.op("BEQ", "done")
	k.op("SUB", "$64, in")
	k.op("SUB", "$8, out")
	k.op("MOVD", "ZR, left")
	k.op("B", "loop")

	k.label("single")
	k.op("VLD1", "(in)", list("s", 0, 4))
	k.constant("keep", "tmp", func(i int) int { return 1 << (i % 8) })
	k.op("VMOVI", "$1", "one.B16")
	k.zero("key")
	k.label("word")
	k.four("VCMEQ", "key.B16, s%d.B16, y%d.B16")
	k.four("VAND", "keep.B16, y%d.B16, y%d.B16")
	k.op("VADDP", "y1.B16, y0.B16, y0.B16")
	k.op("VADDP", "y3.B16, y2.B16, y2.B16")
	k.op("VADDP", "y2.B16, y0.B16, y0.B16")
	k.op("VADDP", "y0.B16, y0.B16, x.B16")
	k.op("FMOVD", "xq, (out)")
	k.op("VADD", "one.B16, key.B16, key.B16")
	k.op("ADD", "planeStep, out")
	k.op("SUBS", "$1, planes")
	k.op("BNE", "word")
	k.label("done")
	k.end()
}

// slices cuts 128 classes, and moves in on.
func (k *kernel) slices() {
	k.op("VLD4.P", "64(in)", list("y", 0, 4))
	k.op("VLD4.P", "64(in)", list("y", 4, 4))
	each(func(i int) {
		k.op("VUZP1", v("y", 4+i, "B16"), v("y", i, "B16"), v("s", i, "B16"))
		k.op("VUZP2", v("y", 4+i, "B16"), v("y", i, "B16"), v("s", 4+i, "B16"))
	})
	for _, s := range []struct {
		shift int
		low   string
	}{{1, "odd"}, {2, "pairs"}, {4, ""}} {
		for i := range 8 {
			if i&s.shift == 0 {
				k.swap(v("s", i, "B16"), v("s", i+s.shift, "B16"), v("y", i, "B16"), v("y", i+s.shift, "B16"), s.shift, s.low)
			}
		}
	}
}

// swap exchanges the high halves of each group of 2*shift bits of x with the
// low halves of those of y. low masks the low halves; the two nibbles of a byte
// need no mask.
func (k *kernel) swap(x, y, up, down string, shift int, low string) {
	by := fmt.Sprintf("$%d", shift)
	if low == "" {
		k.op("VORR", x, x, down)
		k.op("VSLI", by, y, x)
		k.op("VSRI", by, down, y)
		return
	}
	k.op("VSHL", by, y, up)
	k.op("VUSHR", by, x, down)
	k.op("VBIF", low+".B16", up, x)
	k.op("VBIT", low+".B16", down, y)
}

// tree writes 16 planes; where less than four are left of them it goes to few.
func (k *kernel) tree() {
	and := func(a, b, to string) { k.op("VAND", a+".B16", b+".B16", to+".B16") }
	andNot := func(a, b, to string) { k.word(0x4e601c00, "bic", "16b", to, a, b) }
	for bit := range 4 {
		to := "x"
		if bit == 0 {
			to = "H"
		}
		k.op("SBFX", fmt.Sprintf("$%d, group, $1, tmp", bit))
		k.op("VDUP", "tmp", to+".D2")
		k.op("VEOR", to+".B16", v("s", 4+bit, "B16"), to+".B16")
		if bit > 0 {
			and("x", "H", "H")
		}
	}
	for quad := range 4 {
		choose := func(bit int) func(a, b, to string) {
			if quad>>bit&1 != 0 {
				return and
			}
			return andNot
		}
		choose(1)("H", "s3", "HB")
		choose(0)("HB", "s2", "HB")
		k.op("SUBS", "$4, planesLeft")
		k.op("BLT", "few")
		k.leaves(func(x string) { k.op("VST1.P", "["+x+".B16], (to)(planeStep)") })
	}
}

// leaves gives each of the four planes that share HB to write.
func (k *kernel) leaves(write func(x string)) {
	k.op("VAND", "HB.B16, s1.B16, bHB.B16")
	k.word(0x4e601c00, "bic", "16b", "HB", "HB", "s1")
	for _, half := range []string{"HB", "bHB"} {
		k.op("VAND", half+".B16, s0.B16, x.B16")
		k.word(0x4e601c00, "bic", "16b", half, half, "s0")
		write(half)
		write("x")
	}
}
