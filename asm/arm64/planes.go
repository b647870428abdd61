package main

import "fmt"

// planes writes the planes of one outer block with Inner > 1: plane p compares the columns' classes with p.
func (f *file) planes(width int) {
	t := lanes[width]
	name := fmt.Sprintf("planes%dNEON", 8*width)
	k := f.kernel(name, "dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64", "", fmt.Sprintf(`
%s writes count planes of n columns, stride bytes apart: column i of plane p is on
if lanes[i] == first+p, else off. n >= %d, count >= 1.

Planes are written two at a time, each as one run, so that a load of classes serves two stores; an odd last plane is
written alone. Per vector stored: half a load, a compare and a select. The last vector of a run ends exactly at its end.`, name, 16/width))
	k.role("plane R0", "pitch R1", "cols R2", "bytes R3", "class R4", "planesLeft R5")
	k.role("in R6", "outA R7", "outB R8", "left R9")
	k.role("onV V0", "offV V1", "keyA V2", "keyB V3")
	k.bank("x", 4, 4)
	k.bank("a", 4, 16)
	k.bank("b", 4, 20)

	// run writes the planes of the given sides ("AB" or "A") over all columns.
	run := func(sides string) {
		vectors := func(n int) { // n vectors of classes to n vectors of each side
			if n == 4 {
				k.op("FLDPQ.P", "32(in)", pair("x", 0))
				k.op("FLDPQ.P", "32(in)", pair("x", 2))
			} else {
				k.op("VLD1.P", "16(in)", list("x", 0, 1))
			}
			for _, s := range sides {
				bank := map[rune]string{'A': "a", 'B': "b"}[s]
				for i := range n {
					k.op("VCMEQ", v("x", i, t), fmt.Sprintf("key%c.%s", s, t), v(bank, i, t))
				}
				for i := range n {
					k.op("VBSL", "offV.B16", "onV.B16", v(bank, i, "B16"))
				}
				k.op("VST1.P", list(bank, 0, n), fmt.Sprintf("%d(out%c)", 16*n, s))
			}
		}
		l := "pair"
		if sides == "A" {
			l = "alone"
		}
		k.op("MOVD", "cols, in")
		k.op("MOVD", "plane, outA")
		k.op("VDUP", "class", "keyA."+t)
		if sides == "AB" {
			k.op("ADD", "pitch, plane, outB")
			k.op("ADD", "$1, class")
			k.op("VDUP", "class", "keyB."+t)
		}
		k.op("SUBS", "$64, bytes, left")
		k.op("BLT", l+"Short")
		k.label(l + "Wide")
		vectors(4)
		k.op("SUBS", "$64, left")
		k.op("BGE", l+"Wide")
		k.label(l + "Short")
		k.op("ADDS", "$48, left")
		k.op("BLT", l+"Last")
		k.label(l + "Vector")
		vectors(1)
		k.op("SUBS", "$16, left")
		k.op("BGE", l+"Vector")
		k.label(l + "Last")
		k.note("left is -16: all is written. Else step back and write the vector that ends at the end.")
		k.op("CMN", "$16, left")
		k.op("BEQ", l+"Done")
		k.op("ADD", "left, in")
		for _, s := range sides {
			k.op("ADD", fmt.Sprintf("left, out%c", s))
		}
		k.op("MOVD", "ZR, left")
		k.op("B", l+"Vector")
		k.label(l + "Done")
	}

	k.op("MOVD", k.arg("dst"), "plane")
	k.op("MOVD", k.arg("stride"), "pitch")
	k.op("MOVD", k.arg("lanes"), "cols")
	k.op("MOVD", k.arg("n"), "bytes")
	if width > 1 {
		k.op("LSL", fmt.Sprintf("$%d, bytes", log2(width)))
	}
	k.op("MOVD", k.arg("count"), "planesLeft")
	k.op("MOVD", k.arg("on"), "class")
	k.op("VDUP", "class", "onV."+t)
	k.op("MOVD", k.arg("off"), "class")
	k.op("VDUP", "class", "offV."+t)
	k.op("MOVD", k.arg("first"), "class")
	k.op("SUBS", "$2, planesLeft")
	k.op("BLT", "odd")
	k.label("planes")
	run("AB")
	k.op("ADD", "pitch<<1, plane")
	k.op("ADD", "$1, class")
	k.op("SUBS", "$2, planesLeft")
	k.op("BGE", "planes")
	k.label("odd")
	k.op("TBZ", "$0, planesLeft, done")
	run("A")
	k.label("done")
	k.end()
}

func log2(width int) int {
	n := 0
	for 1<<n < width {
		n++
	}
	return n
}
