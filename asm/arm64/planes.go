package main

import "fmt"

// planes writes the planes of one outer block with Inner > 1: plane p compares the columns' classes with p.
func (f *file) planes(width int) {
	t := lanes[width]
	name := fmt.Sprintf("planes%dNEON", 8*width)
	k := f.kernel(name, "dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64", "", fmt.Sprintf(`
%s writes count planes of n columns, stride bytes apart: column i of plane p is on
if lanes[i] == first+p, else off. n >= %d, count >= 1.

Where off is zero bits and there are planes enough, four planes make a group, and columns are taken %d at a time. A column
is asked once which plane of its group it is on in, and once per group whether that is its group: the answers are masks, on
already in one of them, so that a vector costs one AND. 64 bytes of four planes: 4 compares, 16 ANDs, 16 registers stored,
and 40 operations for the two questions to begin with. Otherwise planes are written two at a time, each as one run, so that
a load of classes serves two stores; an odd last plane is written alone. Per vector: half a load, a compare, a select.

What is left of a run is written by a step back to where it ends exactly at the end.`, name, 16/width, chunkBytes/width))
	k.role("plane R0", "pitch R1", "cols R2", "bytes R3", "class R4", "planesLeft R5")
	k.role("in R6", "outA R7", "outB R8", "left R9", "to R10", "groups R11", "groupsLeft R12")
	k.role("onV V0", "offV V1", "keyA V2", "keyB V3")
	k.role("firstV V1", "groupV V2", "oneV V3", "twoV V28") // of groups, which have no use for off
	k.bank("onA", 4, 8)                                     // on where the class is the first plane of a group, whichever; B, C, D: the second to fourth
	k.bank("onB", 4, 12)
	k.bank("onC", 4, 16)
	k.bank("onD", 4, 20)
	k.bank("high", 4, 24) // the group that the class is in
	k.bank("its", 4, 28)  // all ones where that is this group
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
	k.op(map[int]string{1: "MOVBU", 2: "MOVHU", 4: "MOVWU", 8: "MOVD"}[width], "class, left")
	k.op("MOVD", k.arg("first"), "class")
	k.grouped(width)
	k.label("pairs")
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

const (
	chunkBytes = 64 // of a plane, written at a time in groups
	minGrouped = 24 // planes: some model has fewer cheaper in pairs
)

// grouped writes all whole groups of four planes over all columns, and moves plane, class and planesLeft on.
func (k *kernel) grouped(width int) {
	t := lanes[width]
	k.op("CBNZ", "left", "pairs")
	k.op("CMP", fmt.Sprintf("$%d, planesLeft", minGrouped))
	k.op("BLT", "pairs")
	k.op("SUBS", fmt.Sprintf("$%d, bytes, left", chunkBytes))
	k.op("BLT", "pairs")
	k.op("LSR", "$2, planesLeft, groups")
	k.op("AND", "$3, planesLeft")
	k.op("MOVD", "cols, in")
	k.op("MOVD", "plane, outA")
	k.op("MOVD", "$1, to")
	k.op("VDUP", "to", "oneV."+t)
	k.op("VDUP", "class", "firstV."+t)
	k.label("chunk")
	k.op("FLDPQ.P", "32(in)", pair("x", 0))
	k.op("FLDPQ.P", "32(in)", pair("x", 2))
	each(func(i int) { k.op("VSUB", "firstV."+t, v("x", i, t), v("x", i, t)) })
	each(func(i int) { k.op("VUSHR", "$2", v("x", i, t), v("high", i, t)) })
	both := func(op, a, b, to string) {
		each(func(i int) { k.op(op, v(a, i, "B16"), v(b, i, "B16"), v(to, i, "B16")) })
	}
	k.note("Odd or even, then the other bit of the place in the group.")
	each(func(i int) { k.op("VCMTST", "oneV."+t, v("x", i, t), v("onD", i, t)) })
	each(func(i int) { k.op("VAND", "onV.B16", v("onD", i, "B16"), v("onB", i, "B16")) })
	each(func(i int) { k.op("VEOR", "onV.B16", v("onB", i, "B16"), v("onA", i, "B16")) })
	k.op("VADD", "oneV."+t, "oneV."+t, "twoV."+t)
	each(func(i int) { k.op("VCMTST", "twoV."+t, v("x", i, t), v("x", i, t)) })
	both("VAND", "x", "onB", "onD")
	both("VAND", "x", "onA", "onC")
	both("VEOR", "onD", "onB", "onB")
	both("VEOR", "onC", "onA", "onA")
	k.op("VEOR", "groupV.B16", "groupV.B16", "groupV.B16")
	k.op("MOVD", "outA, to")
	k.op("MOVD", "groups, groupsLeft")
	k.label("group")
	each(func(i int) { k.op("VCMEQ", "groupV."+t, v("high", i, t), v("its", i, t)) })
	k.op("VADD", "oneV."+t, "groupV."+t, "groupV."+t)
	for _, on := range []string{"onA", "onB", "onC", "onD"} {
		both("VAND", "its", on, "x")
		k.op("VST1.P", list("x", 0, 4), "(to)(pitch)")
	}
	k.op("SUBS", "$1, groupsLeft")
	k.op("BNE", "group")
	k.op("ADD", fmt.Sprintf("$%d, outA", chunkBytes))
	k.op("SUBS", fmt.Sprintf("$%d, left", chunkBytes))
	k.op("BGE", "chunk")
	k.op("CMN", fmt.Sprintf("$%d, left", chunkBytes))
	k.op("BEQ", "grouped")
	k.op("ADD", "left, in")
	k.op("ADD", "left, outA")
	k.op("MOVD", "ZR, left")
	k.op("B", "chunk")
	k.label("grouped")
	k.op("CBZ", "planesLeft", "done")
	k.op("ADD", "groups<<2, class")
	k.op("LSL", "$2, groups")
	k.op("MADD", "pitch, plane, groups, plane")
	k.op("VEOR", "offV.B16", "offV.B16", "offV.B16")
}
