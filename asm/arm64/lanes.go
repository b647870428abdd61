package main

import "fmt"

// resize is the loop that narrow and widen share: 16 classes in x0..x3 per turn, stored as 16*width bytes by body.
func (k *kernel) resize(width int, body func()) {
	k.op("MOVD", k.arg("lanes"), "out")
	k.op("MOVD", k.arg("classes"), "in")
	k.op("MOVD", k.arg("n"), "left")
	k.op("SUB", "$16, left")
	k.label("loop")
	k.op("FLDPQ.P", "32(in)", pair("x", 0))
	k.op("FLDPQ.P", "32(in)", pair("x", 2))
	body()
	k.op("SUBS", "$16, left")
	k.op("BGE", "loop")
	k.gap()
	k.note("left is -16: all is done. Else step back and take the 16 that end at the end.")
	k.op("CMN", "$16, left")
	k.op("BEQ", "done")
	k.op("ADD", "left<<2, in")
	if width == 1 {
		k.op("ADD", "left, out")
	} else {
		k.op("ADD", fmt.Sprintf("left<<%d, out", log2(width)))
	}
	k.op("MOVD", "ZR, left")
	k.op("B", "loop")
	k.label("done")
	k.end()
}

// narrow makes lanes of one or two bytes of classes.
func (f *file) narrow(width int) {
	name, none := fmt.Sprintf("narrow%dNEON", 8*width), 1<<(8*width)-1
	k := f.kernel(name, "lanes unsafe.Pointer, classes *int32, n int, first int32", "", fmt.Sprintf(`
%s writes classes[i]-first as %d-bit lanes, and %d for every class outside [first, first+%d). n >= 16.

Clamp as unsigned numbers, then keep the low halves.`, name, 8*width, none, none))
	k.role("out R0", "in R1", "left R2", "tmp R3")
	k.role("firstV V0", "noneV V1")
	k.bank("x", 4, 4)
	k.op("MOVW", k.arg("first"), "tmp")
	k.op("VDUP", "tmp", "firstV.S4")
	k.op("MOVD", fmt.Sprintf("$%d", none), "tmp")
	k.op("VDUP", "tmp", "noneV.S4")
	k.resize(width, func() {
		each(func(i int) { k.op("VSUB", "firstV.S4", v("x", i, "S4"), v("x", i, "S4")) })
		each(func(i int) { k.op("VUMIN", "noneV.S4", v("x", i, "S4"), v("x", i, "S4")) })
		k.op("VUZP1", "x1.H8", "x0.H8", "x0.H8")
		k.op("VUZP1", "x3.H8", "x2.H8", "x1.H8")
		if width == 1 {
			k.op("VUZP1", "x1.B16", "x0.B16", "x0.B16")
		}
		k.op("VST1.P", list("x", 0, width), fmt.Sprintf("%d(out)", 16*width))
	})
}

// widen makes lanes of eight bytes of classes.
func (f *file) widen() {
	k := f.kernel("widen64NEON", "lanes unsafe.Pointer, classes *int32, n int", "", `
widen64NEON writes classes as 64-bit lanes with their sign. n >= 16.

The sign is x >= 2^31 as an unsigned number, and is zipped in as the high half.`)
	k.role("out R0", "in R1", "left R2", "tmp R3")
	k.role("half V0")
	k.bank("x", 4, 4)
	k.bank("sign", 4, 8)
	k.bank("y", 8, 16)
	k.op("MOVD", "$0x80000000", "tmp")
	k.op("VDUP", "tmp", "half.S4")
	k.resize(8, func() {
		each(func(i int) { k.op("VUMAX", "half.S4", v("x", i, "S4"), v("sign", i, "S4")) })
		each(func(i int) { k.op("VCMEQ", v("x", i, "S4"), v("sign", i, "S4"), v("sign", i, "S4")) })
		each(func(i int) {
			k.op("VZIP1", v("sign", i, "S4"), v("x", i, "S4"), v("y", 2*i, "S4"))
			k.op("VZIP2", v("sign", i, "S4"), v("x", i, "S4"), v("y", 2*i+1, "S4"))
		})
		k.op("VST1.P", list("y", 0, 4), "64(out)")
		k.op("VST1.P", list("y", 4, 4), "64(out)")
	})
}
