package main

// Bit planes are not made by comparisons but decoded. The classes are cut into
// slices, of which s0 has bit 0 of each class and s7 has bit 7, so that a bit
// of a slice is a column. The plane of a class is where the slices have the
// bits of its number. All planes are then the leaves of a tree, and each of its
// nodes costs an AND and an AND NOT for a vector of 128 columns.

// bitPlanes cuts 128 classes into slices and writes 16 bytes of every plane
// before it goes on to the next 128.
func (k *kernel) bitPlanes() {
	k.prose = `A turn handles 128 classes; the last turn steps back to end at the last class. Each of eight vectors is loaded
with every eighth class, so that the eight bytes in the same place are a matrix of 8 by 8 bits. It is
transposed by swapping bits, then pairs, then nibbles: slice s0 then has bit 0 of every class, and s7 bit 7. U
marks the classes that share the upper three bits of 32 planes, whose number's bits 4 to 7 are the complement
of group. H marks those that share one bit more, with 16 planes, HA with eight, and HB with four, and the last
two bits make the planes. That is 8 vector operations for 64 bytes stored. If there are only 64 classes, they
are compared with each plane.`
	k.role("out R0", "planeStep R1", "in R2", "left R3", "planes R4", "to R5", "planesLeft R6", "group R7", "tmp R8", "odds R9", "twoSteps R10")
	k.role("odd V24", "pairs V25", "U V23", "H V16", "HA V26", "HB V17", "bHB V18", "x V19", "keep V20", "key V21", "one V22")
	k.role("xq F19")
	k.bank("s", 8, 0) // the slices
	k.bank("y", 8, 8)
	k.arguments("dst out", "plane planeStep", "classes in", "n left", "count planes")
	k.op("CMP", "$64, left")
	k.op("BEQ", "single")
	k.op("VMOVI", "$0x55, odd.B16")
	k.op("VMOVI", "$0x33, pairs.B16")
	k.op("LSL", "$1, planeStep, twoSteps")
	k.op("SUB", "$128, left")
	k.label("loop")
	k.slices()
	k.op("MOVD", "out, to")
	k.op("ADD", "planeStep, out, odds")
	k.moves("planes planesLeft", "$-1 group")
	k.label("eachUpper")
	k.upper(1, "U")
	for bit := 2; bit < 4; bit++ {
		k.upper(bit, "x")
		k.op("VAND", "x.B16, U.B16, U.B16")
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
	k.leaves(func() {
		k.op("SUBS", "$1, planesLeft")
		k.op("BEQ", "written")
	})
	k.label("written")
	k.op("ADD", "$16, out")
	k.lastTurn("loop", "$128", "done", func() {
		k.op("SUB", "$64, in")
		k.op("SUB", "$8, out")
	})

	k.label("single")
	k.eachPlane()
	k.label("done")
}

// eachPlane compares 64 classes with the number of each plane.
func (k *kernel) eachPlane() {
	k.op("VLD1", "(in), %s", list("s", 0))
	k.constant("keep", "tmp", func(i int) int { return 1 << (i % 8) })
	k.op("VMOVI", "$1, one.B16")
	k.zero("key")
	k.repeat("word", "planes", 1, func() {
		k.four("VCMEQ", "key.B16, s%d.B16, y%d.B16")
		k.four("VAND", "keep.B16, y%d.B16, y%d.B16")
		k.op("VADDP", "y1.B16, y0.B16, y0.B16")
		k.op("VADDP", "y3.B16, y2.B16, y2.B16")
		k.op("VADDP", "y2.B16, y0.B16, y0.B16")
		k.op("VADDP", "y0.B16, y0.B16, x.B16")
		k.op("FMOVD", "xq, (out)")
		k.op("VADD", "one.B16, key.B16, key.B16")
		k.op("ADD", "planeStep, out")
	})
}

// slices cuts 128 classes into slices and moves in on.
func (k *kernel) slices() {
	k.op("VLD4.P", "64(in), %s", list("y", 0))
	k.op("VLD4.P", "64(in), %s", list("y", 4))
	for i := range 4 {
		k.op("VUZP1", "y%d.B16, y%d.B16, s%d.B16", 4+i, i, i)
		k.op("VUZP2", "y%d.B16, y%d.B16, s%d.B16", 4+i, i, 4+i)
	}
	k.swap(1, "odd")
	k.swap(2, "pairs")
	k.swap(4, "")
}

// swap takes the slices in pairs whose numbers are by apart. In every group of
// 2*by bits it exchanges the high half of the first slice with the low half of
// the second. low masks the low halves; the two nibbles of a byte need no mask.
func (k *kernel) swap(by int, low string) {
	for x := range 8 {
		y := x + by
		switch {
		case x&by != 0:
		case low == "":
			k.op("VORR", "s%d.B16, s%d.B16, y%d.B16", x, x, y)
			k.op("VSLI", "$%d, s%d.B16, s%d.B16", by, y, x)
			k.op("VSRI", "$%d, y%d.B16, s%d.B16", by, y, y)
		default:
			k.op("VSHL", "$%d, s%d.B16, y%d.B16", by, y, x)
			k.op("VUSHR", "$%d, s%d.B16, y%d.B16", by, x, y)
			k.op("VBIF", "%s.B16, y%d.B16, s%d.B16", low, x, x)
			k.op("VBIT", "%s.B16, y%d.B16, s%d.B16", low, y, y)
		}
	}
}

// upper sets to to the classes whose bit 4+bit is that of the planes' number.
func (k *kernel) upper(bit int, to string) {
	k.op("SBFX", "$%d, group, $1, tmp", bit)
	k.op("VDUP", "tmp, x.D2")
	k.op("VEOR", "x.B16, s%d.B16, %s.B16", 4+bit, to)
}

// tree writes 16 planes. It jumps to few when fewer than four are left.
func (k *kernel) tree() {
	k.upper(0, "H")
	k.op("VAND", "U.B16, H.B16, H.B16")
	for quad := range 4 {
		if quad%2 == 0 {
			k.split(quad/2, "H", "s3", "HA")
		}
		k.split(quad%2, "HA", "s2", "HB")
		k.op("SUBS", "$4, planesLeft")
		k.op("BLT", "few")
		k.leaves(func() {})
	}
}

// split keeps those classes of a vector that have the bit of a slice, if bit is
// 1, or that do not have it, if bit is 0.
func (k *kernel) split(bit int, of, by, to string) {
	if bit == 0 {
		k.op("bic", "%s.16b, %s.16b, %s.16b", to, of, by)
	} else {
		k.op("VAND", "%s.B16, %s.B16, %s.B16", of, by, to)
	}
}

// leaves writes the four planes that share HB. Even and odd planes have
// pointers of their own, so that they do not wait for each other.
func (k *kernel) leaves(written func()) {
	k.split(1, "HB", "s1", "bHB")
	k.split(0, "HB", "s1", "HB")
	for _, half := range []string{"HB", "bHB"} {
		k.split(1, half, "s0", "x")
		k.split(0, half, "s0", half)
		k.op("VST1.P", "[%s.B16], (to)(twoSteps)", half)
		written()
		k.op("VST1.P", "[x.B16], (odds)(twoSteps)")
		written()
	}
}
