package main

// classes is the index stage: 16 indices a turn become a vector of classes.
func (k *kernel) classes() {
	unsigned, float := k.suffix[0] == 'U', k.suffix[0] == 'F'
	k.prose = `A turn makes 16 indices x into classes. A class is the smaller of x-first and x-first+wrap as unsigned numbers
of 16 bits, if it is below limit. What a byte cannot hold becomes 255, so that one comparison of bytes finds
the misses. Longer integers are narrowed to 16 bits with saturation, and floats are converted with it: both
ends are misses. A NaN, whose conversion gives 0, becomes the least integer. uint8 stay bytes, and one below
first comes round to limit or more; unsigned types have no use for wrap. The last turn steps back to end at
the last index, and what it counts a second time is subtracted at the end.`
	k.role("out R0", "in R1", "left R2", "again R3", "tmp R4", "wrapped R5")
	k.role("lowV V0", "wrapV V1", "topV V2", "limitV V3", "missed V4", "nanV V5", "fresh V6", "miss V7")
	k.bank("x", 4, 8)   // the numbers, in the end x-first
	k.bank("y", 2, 12)  // x-first+wrap
	k.bank("t", 8, 16)  // indices of 8 bytes as they were loaded
	k.bank("is", 8, 24) // floats: the lanes that hold a number
	k.arguments("classes out", "indices in", "n left", "limit tmp")
	k.op("VDUP", "tmp, limitV.B16")
	k.arguments("first tmp")
	k.op("NEG", "tmp, tmp")
	if k.suffix == "U8" {
		k.op("VDUP", "tmp, lowV.B16")
	} else {
		k.op("VDUP", "tmp, lowV.H8")
	}
	if !unsigned {
		k.arguments("wrap wrapped")
		k.op("ADD", "tmp, wrapped")
		k.op("VDUP", "wrapped, wrapV.H8")
	}
	if k.suffix == "I64" {
		k.splat(255, "topV.H8")
	}
	if float { // the least int32, or the least int64, which is narrowed to the least int16
		k.op("VMOVI", "$255, nanV.B16")
		k.op("VSHL", "$%d, nanV.T, nanV.T", 8*k.width-1)
	}
	k.zero("missed")
	k.op("MOVD", "ZR, again")
	k.turns(16, func() {
		k.loadIndices()
		if k.suffix == "U8" {
			k.op("VADD", "lowV.B16, x0.B16, x0.B16")
		} else {
			k.sums(unsigned)
		}
		k.op("cmhs", "miss.16b, x0.16b, limitV.16b")
		k.op("VORR", "miss.B16, x0.B16, x0.B16")
		k.op("VST1.P", "[x0.B16], 16(out)")
		k.count("miss", "fresh", "missed")
	}, pointer{"in", log2(k.width)}, pointer{"out", 0})
	k.note("Subtract the misses among the first `again` lanes of the last turn.")
	k.iota("x0", "tmp")
	k.op("VDUP", "again, fresh.B16")
	k.op("cmhi", "fresh.16b, fresh.16b, x0.16b")
	k.op("VAND", "fresh.B16, miss.B16, fresh.B16")
	k.misses("x0")
}

// sums makes 16 bytes of the numbers in x0 and x1. It takes the smaller sum of
// each, and 255 for what a byte cannot hold. Narrowing with saturation does the
// latter, except for int64, where the units that do it are busy narrowing 64
// bits.
func (k *kernel) sums(unsigned bool) {
	if !unsigned {
		k.times(2, "VADD", "wrapV.H8, x%d.H8, y%d.H8")
	}
	k.times(2, "VADD", "lowV.H8, x%d.H8, x%d.H8")
	if !unsigned {
		k.times(2, "VUMIN", "y%d.H8, x%d.H8, x%d.H8")
	}
	if k.suffix == "I64" {
		k.times(2, "VUMIN", "topV.H8, x%d.H8, x%d.H8")
		k.op("VUZP1", "x1.B16, x0.B16, x0.B16")
		return
	}
	k.op("uqxtn", "x0.8b, x0.8h")
	k.op("uqxtn2", "x0.16b, x1.8h")
}

// loadIndices loads 16 indices, into x0 and x1 as numbers of 16 bits, or into
// x0 if they stay bytes.
func (k *kernel) loadIndices() {
	switch k.width {
	case 1:
		k.op("VLD1.P", "16(in), [x0.B16]")
	case 2:
		k.op("FLDPQ.P", "32(in), (x0q, x1q)")
	case 4:
		k.op("FLDPQ.P", "32(in), (x0q, x1q)")
		k.op("FLDPQ.P", "32(in), (x2q, x3q)")
	case 8:
		for i := range 4 {
			k.op("FLDPQ.P", "32(in), %s", pair("t", 2*i))
		}
	}
	switch k.suffix {
	case "I8":
		k.op("sxtl2", "x1.8h, x0.16b")
		k.op("sxtl", "x0.8h, x0.8b")
	case "F32":
		k.four("fcmeq", "is%d.4s, x%d.4s, x%d.4s")
		k.four("fcvtzs", "x%d.4s, x%d.4s")
		k.four("VBIF", "is%d.B16, nanV.B16, x%d.B16")
	case "F64":
		k.times(8, "fcmeq", "is%d.2d, t%d.2d, t%d.2d")
		k.times(8, "fcvtzs", "t%d.2d, t%d.2d")
		k.times(8, "VBIF", "is%d.B16, nanV.B16, t%d.B16")
	}
	if k.width == 8 {
		for i := range 4 {
			k.op("sqxtn", "x%d.2s, t%d.2d", i, 2*i)
		}
		for i := range 4 {
			k.op("sqxtn2", "x%d.4s, t%d.2d", i, 2*i+1)
		}
	}
	if k.width >= 4 {
		k.op("sqxtn", "x0.4h, x0.4s")
		k.op("sqxtn2", "x0.8h, x1.4s")
		k.op("sqxtn", "x1.4h, x2.4s")
		k.op("sqxtn2", "x1.8h, x3.4s")
	}
}
