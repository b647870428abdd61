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
by 8 bits in each byte is transposed by swapping halves of bits, of pairs and of nibbles. Then 32 planes share the upper three bits of their
number, U, in which the complement of group has a 1 where the number has. 16 of them share one bit more, H, eight HA, and four HB; the
last two bits make the planes: 8 vector operations for 64 bytes stored. 64 classes alone are compared with each plane.`)
	k.role("out R0", "planeStep R1", "in R2", "left R3", "planes R4", "to R5", "planesLeft R6", "group R7", "tmp R8", "odds R9", "twoSteps R10")
	k.role("odd V24", "pairs V25", "U V23", "H V16", "HA V26", "HB V17", "bHB V18", "x V19", "keep V20", "key V21", "one V22")
	k.role("xq F19")
	k.bank("s", 8, 0) // the slices
	k.bank("y", 8, 8)
	k.arguments("dst out", "plane planeStep", "classes in", "n left", "count planes")
	k.op("CMP", "$64, left")
	k.op("BEQ", "single")
	k.op("VMOVI", "$0x55", "odd.B16")
	k.op("VMOVI", "$0x33", "pairs.B16")
	k.op("LSL", "$1, planeStep, twoSteps")
	k.op("SUB", "$128, left")
	k.label("loop")
	k.slices()
	k.op("MOVD", "out, to")
	k.op("ADD", "planeStep, out, odds")
	k.op("MOVD", "planes, planesLeft")
	k.op("MOVD", "$-1, group")
	k.label("eachUpper")
	for bit := 1; bit < 4; bit++ {
		k.upper("U", bit, bit == 1)
	}
	k.label("sixteen")
	k.tree()
	k.op("SUB", "$1, group")
	k.op("TBZ", "$0, group, sixteen")
	k.op("CBNZ", "planesLeft, eachUpper")
	k.op("B", "written")
	k.label("few")
	k.op("ADDS", "$4, planesLeft")
	k.op("BEQ", "written")
	k.leaves(func(x, to string) {
		k.op("VST1.P", "["+x+".B16], ("+to+")(twoSteps)")
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

// upper keeps of to what has one more bit of the number, or begins with it.
func (k *kernel) upper(to string, bit int, first bool) {
	k.op("SBFX", fmt.Sprintf("$%d, group, $1, tmp", bit))
	k.op("VDUP", "tmp", "x.D2")
	if first {
		k.op("VEOR", "x.B16", v("s", 4+bit, "B16"), to+".B16")
		return
	}
	k.op("VEOR", "x.B16", v("s", 4+bit, "B16"), "x.B16")
	k.op("VAND", "x.B16", to+".B16", to+".B16")
}

// tree writes 16 planes; where less than four are left of them it goes to few.
func (k *kernel) tree() {
	k.upper("H", 0, true)
	k.op("VAND", "U.B16, H.B16, H.B16")
	for quad := range 4 {
		if quad%2 == 0 {
			k.split(quad/2, "H", "s3", "HA")
		}
		k.split(quad%2, "HA", "s2", "HB")
		k.op("SUBS", "$4, planesLeft")
		k.op("BLT", "few")
		k.leaves(func(x, to string) { k.op("VST1.P", "["+x+".B16], ("+to+")(twoSteps)") })
	}
}

// split keeps what has a bit, or has not.
func (k *kernel) split(bit int, of, by, to string) {
	if bit != 0 {
		k.op("VAND", of+".B16", by+".B16", to+".B16")
	} else {
		k.word(0x4e601c00, "bic", "16b", to, of, by)
	}
}

// leaves gives each of the four planes that share HB to write. Even and odd
// ones have pointers of their own, so that they do not wait for each other.
func (k *kernel) leaves(write func(x, to string)) {
	k.split(1, "HB", "s1", "bHB")
	k.split(0, "HB", "s1", "HB")
	for _, half := range []string{"HB", "bHB"} {
		k.split(1, half, "s0", "x")
		k.split(0, half, "s0", half)
		write(half, "to")
		write("x", "odds")
	}
}
