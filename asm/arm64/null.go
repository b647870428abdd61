package main

// null sets the class to 255 where an Arrow validity bitmap says null.
func (k *kernel) null() {
	k.prose = `A turn handles 64 bytes. A word of the bitmap is in both lanes of a vector: each byte picks the byte of the
word that has its bit and tests the bit. The bits that are set are counted, and their number is subtracted
from n. 64 bytes stored cost 18 vector operations.`
	k.role("to R0", "in R1", "left R2", "bits R3", "all R4", "tmp R5")
	k.role("word V0", "bit V1", "set V2", "sums V3")
	k.bank("pick", 4, 4)
	k.bank("x", 4, 8)
	k.bank("m", 4, 12)
	k.arguments("classes to", "words in", "n left")
	k.op("MOVD", "left, all")
	k.bitBytes("bit")
	k.zero("sums")
	k.repeat("loop", "left", 64, func() {
		k.op("MOVD.P", "8(in), bits")
		k.op("VDUP", "bits, word.D2")
		k.op("VLD1", "(to), %s", list("x", 0))
		k.four("VTBL", "pick%d.B16, [word.B16], m%d.B16")
		k.four("VCMTST", "bit.B16, m%d.B16, m%d.B16")
		k.four("orn", "x%d.16b, x%d.16b, m%d.16b")
		k.op("VST1.P", "%s, 64(to)", list("x", 0))
		k.countM("set", "sums")
	})
	k.sum("sums")
	k.op("SUB", "tmp, all")
	k.op("MOVD", "all, %s", k.arg("nulls"))
}
