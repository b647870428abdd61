package main

// null marks the slots that an Arrow validity bitmap says are null.
func (f *file) null() {
	k := f.kernel("null", "", `64 bytes a turn, from a word that is in every lane: each byte picks the byte of the word that has its bit and tests it. What is
counted is the bits that are set. 64 bytes stored cost 16 vector operations.`)
	k.role("to R0", "in R1", "left R2", "bits R3", "all R4", "tmp R5")
	k.role("word V0", "bit V1", "set V2", "sums V3")
	k.bank("pick", 4, 4)
	k.bank("x", 4, 8)
	k.bank("m", 4, 12)
	k.arguments("classes to", "words in", "n left")
	k.op("MOVD", "left, all")
	k.bitBytes("pick", "bit", "tmp")
	k.zero("sums")
	k.label("loop")
	k.op("MOVD.P", "8(in), bits")
	k.op("VDUP", "bits", "word.D2")
	k.op("VLD1", "(to)", list("x", 0, 4))
	k.four("VTBL", "pick%d.B16, [word.B16], m%d.B16")
	k.four("VCMTST", "bit.B16, m%d.B16, m%d.B16")
	each(func(i int) { k.word(0x4ee01c00, "orn", "16b", r("x", i), r("x", i), r("m", i)) })
	k.op("VST1.P", list("x", 0, 4), "64(to)")
	k.op("VADD", "m0.B16, m1.B16, set.B16")
	k.op("VADD", "m2.B16, set.B16, set.B16")
	k.op("VADD", "m3.B16, set.B16, set.B16")
	k.count("set", "set", "sums")
	k.op("SUBS", "$64, left")
	k.op("BNE", "loop")
	k.sum("sums", "tmp")
	k.op("SUB", "tmp, all")
	k.op("MOVD", "all", k.arg("nulls"))
	k.end()
}

// bitBytes sets up four vectors of bytes to test the 64 bits of a word: which
// byte of the word each picks, and its bit of that.
func (k *kernel) bitBytes(pick, bit, tmp string) {
	for v := range 4 {
		k.constant(r(pick, v), tmp, func(i int) int { return 2*v + i/8 })
	}
	k.constant(bit, tmp, func(i int) int { return 1 << (i % 8) })
}
