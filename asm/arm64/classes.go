package main

import "fmt"

// index is a type of indices. uint32 and uint64 go through I32 and I64 with wrap 0: what their upper half looks like as a signed
// number is no class either way.
type index struct {
	suffix   string
	bytes    int
	unsigned bool
	float    bool
}

var indexTypes = []index{
	{suffix: "I8", bytes: 1},
	{suffix: "U8", bytes: 1, unsigned: true},
	{suffix: "I16", bytes: 2},
	{suffix: "U16", bytes: 2, unsigned: true},
	{suffix: "I32", bytes: 4},
	{suffix: "I64", bytes: 8},
	{suffix: "F32", bytes: 4, float: true},
	{suffix: "F64", bytes: 8, float: true},
}

// classes is the index stage: 16 indices per turn of the loop become four vectors of classes.
func (f *file) classes(from index) {
	name := "classes" + from.suffix + "NEON"
	doc := name + ` writes the class of each of n indices, -1 for a miss, and counts the misses. n >= 16, 1 <= depth.
wrap is depth to let negative indices count from the end, else 0.

A class is the smaller of x and x+wrap as unsigned numbers, if it is below depth. The last turn steps back to end at the last
index; what it counts a second time is taken off at the end.`
	switch {
	case from.float:
		doc += ` The conversion saturates, which ends as a miss; NaN would convert to 0,
so lanes that do not equal themselves are made misses.`
	case from.unsigned:
		doc += ` An unsigned index has no use for wrap.`
	case from.bytes < 4:
		doc += ` There is no widening with sign: flip the sign bit, widen, and take the bias off
while adding wrap.`
	}
	if from.bytes == 8 {
		doc += `
An index fits 32 bits exactly if its high half plus the sign bit of its low half is 0.`
	}
	k := f.kernel(name, "classes *int32, indices unsafe.Pointer, n int, depth, wrap int32", "misses int", doc)
	k.role("out R0", "in R1", "left R2", "again R3", "tmp R4")
	k.role("depthV V0", "wrapV V1", "missed V2", "biasV V3", "unbiasV V24", "place V25", "four V26", "againV V27")
	k.bank("x", 4, 4)                      // the class
	k.bank("y", 4, 8)                      // the wrapped one
	k.bank("m", 4, 12)                     // all ones where it is a miss
	k.bank("t", 8, 16)                     // what was loaded
	k.bank("is", 4, 28)                    // lanes that hold a number
	op4 := func(mnemonic, format string) { // one instruction on register i of each bank that the operands name
		each(func(i int) { k.op(mnemonic, fmt.Sprintf(format, i)) })
	}
	signedSmall := from.bytes < 4 && !from.unsigned

	k.op("MOVD", k.arg("classes"), "out")
	k.op("MOVD", k.arg("indices"), "in")
	k.op("MOVD", k.arg("n"), "left")
	k.op("MOVWU", k.arg("depth"), "tmp")
	k.op("VDUP", "tmp", "depthV.S4")
	if !from.unsigned {
		k.op("MOVWU", k.arg("wrap"), "tmp")
		if signedSmall {
			k.op("SUB", fmt.Sprintf("$%d, tmp", 128<<(8*(from.bytes-1))))
		}
		k.op("VDUP", "tmp", "wrapV.S4")
	}
	switch {
	case signedSmall:
		k.op("MOVD", fmt.Sprintf("$%d, tmp", 128<<(8*(from.bytes-1))))
		k.op("VDUP", "tmp", "biasV."+lanes[from.bytes])
		k.op("NEG", "tmp, tmp")
		k.op("VDUP", "tmp", "unbiasV.S4")
	case from.suffix == "F32":
		k.op("VMOVI", "$255", "biasV.B16")
	case from.suffix == "F64":
		k.op("VMOVI", "$128", "biasV.B16")
	}
	k.op("VEOR", "missed.B16", "missed.B16", "missed.B16")
	k.op("MOVD", "ZR", "again")
	k.op("SUB", "$16, left")

	k.label("loop")
	switch from.bytes {
	case 1:
		k.op("VLD1.P", "16(in)", list("t", 0, 1))
		if signedSmall {
			k.op("VEOR", "biasV.B16", "t0.B16", "t0.B16")
		}
		k.op("VUXTL", "t0.B8", "t1.H8")
		k.op("VUXTL2", "t0.B16", "t2.H8")
	case 2:
		k.op("FLDPQ.P", "32(in)", pair("t", 1))
		if signedSmall {
			k.op("VEOR", "biasV.B16", "t1.B16", "t1.B16")
			k.op("VEOR", "biasV.B16", "t2.B16", "t2.B16")
		}
	case 4:
		k.op("FLDPQ.P", "32(in)", pair("x", 0))
		k.op("FLDPQ.P", "32(in)", pair("x", 2))
	case 8:
		each(func(i int) { k.op("FLDPQ.P", "32(in)", pair("t", 2*i)) })
	}
	switch {
	case from.bytes < 4:
		k.op("VUXTL", "t1.H4", "x0.S4")
		k.op("VUXTL2", "t1.H8", "x1.S4")
		k.op("VUXTL", "t2.H4", "x2.S4")
		k.op("VUXTL2", "t2.H8", "x3.S4")
	case from.suffix == "F32":
		each(func(i int) { k.word(0x4e20e400, "fcmeq", "4s", r("is", i), r("x", i), r("x", i)) })
		each(func(i int) { k.word(0x4ea1b800, "fcvtzs", "4s", r("x", i), r("x", i)) })
	case from.suffix == "F64":
		for _, half := range []int{0, 4} {
			each(func(i int) { k.word(0x4e60e400, "fcmeq", "2d", r("is", i), r("t", half+i), r("t", half+i)) })
			each(func(i int) { k.word(0x4ee1b800, "fcvtzs", "2d", r("t", half+i), r("t", half+i)) })
			each(func(i int) { k.op("VBIF", v("is", i, "B16"), "biasV.B16", v("t", half+i, "B16")) })
		}
	}
	if from.bytes == 8 { // y = the high halves, 0 where the index fits
		each(func(i int) { k.op("VUZP1", v("t", 2*i+1, "S4"), v("t", 2*i, "S4"), v("x", i, "S4")) })
		each(func(i int) { k.op("VUZP2", v("t", 2*i+1, "S4"), v("t", 2*i, "S4"), v("m", i, "S4")) })
		op4("VUSRA", "$31, x%[1]d.S4, m%[1]d.S4")
	}
	if !from.unsigned {
		op4("VADD", "wrapV.S4, x%[1]d.S4, y%[1]d.S4")
		if signedSmall {
			op4("VADD", "unbiasV.S4, x%[1]d.S4, x%[1]d.S4")
		}
		op4("VUMIN", "y%[1]d.S4, x%[1]d.S4, x%[1]d.S4")
	}
	if from.bytes == 8 {
		op4("VCMTST", "m%[1]d.S4, m%[1]d.S4, m%[1]d.S4")
		op4("VORR", "m%[1]d.B16, x%[1]d.B16, x%[1]d.B16")
	}
	if from.suffix == "F32" {
		op4("VBIF", "is%[1]d.B16, biasV.B16, x%[1]d.B16")
	}
	op4("VUMAX", "depthV.S4, x%[1]d.S4, m%[1]d.S4")
	op4("VCMEQ", "x%[1]d.S4, m%[1]d.S4, m%[1]d.S4")
	op4("VORR", "m%[1]d.B16, x%[1]d.B16, x%[1]d.B16")
	k.op("VST1.P", list("x", 0, 4), "64(out)")
	k.op("VADD", "m0.S4, m1.S4, y0.S4")
	k.op("VADD", "m2.S4, m3.S4, y1.S4")
	k.op("VADD", "y0.S4, y1.S4, y0.S4")
	k.op("VSUB", "y0.S4, missed.S4, missed.S4")
	k.op("SUBS", "$16, left")
	k.op("BGE", "loop")
	k.gap()
	k.note("left is -16: all is done. Else step back by -left indices and take the 16 that end at the end.")
	k.op("CMN", "$16, left")
	k.op("BEQ", "count")
	k.op("NEG", "left, again")
	k.op("SUB", "again<<2, out")
	if from.bytes == 1 {
		k.op("SUB", "again, in")
	} else {
		k.op("SUB", fmt.Sprintf("again<<%d, in", log2(from.bytes)))
	}
	k.op("MOVD", "ZR, left")
	k.op("B", "loop")

	k.label("count")
	k.note("Take off the misses among the first `again` lanes of the last turn: places count from 1.")
	k.op("VDUP", "again", "againV.S4")
	k.op("MOVD", "$0x0000000200000001", "tmp")
	k.op("VMOV", "tmp", "place.D[0]")
	k.op("MOVD", "$0x0000000400000003", "tmp")
	k.op("VMOV", "tmp", "place.D[1]")
	k.op("MOVD", "$4", "tmp")
	k.op("VDUP", "tmp", "four.S4")
	each(func(i int) {
		k.op("VUMAX", "place.S4", "againV.S4", "y0.S4")
		k.op("VCMEQ", "againV.S4", "y0.S4", "y0.S4")
		k.op("VAND", v("m", i, "B16"), "y0.B16", "y0.B16")
		k.op("VADD", "y0.S4", "missed.S4", "missed.S4")
		if i < 3 {
			k.op("VADD", "four.S4", "place.S4", "place.S4")
		}
	})
	k.op("VUADDLV", "missed.S4", "missed")
	k.op("VMOV", "missed.D[0]", "tmp")
	k.op("MOVD", "tmp", k.arg("misses"))
	k.end()
}
