package main

// minGrouped is the least number of planes that are written in groups: fewer
// are cheaper one by one on some processors that `make cost` models.
const minGrouped = 24

// planesByColumns writes planes where the axis is not the last one. It compares
// the classes of the columns, which are in every byte of their cells, with the
// class of each plane, so that all comparisons are of bytes.
func (k *kernel) planesByColumns() {
	k.prose = `The outer loop goes over blocks, the one in it over rounds of columns whose cells take 64 bytes, and the
innermost one over planes. One VTBL a vector puts the class into every byte of its cell, for all planes, so
that each vector stored costs no more than a comparison of bytes and a select. A miss is on in no plane, so
that what a cell holds where it is not on, off or miss, is chosen once for all planes too. The last round of a
block steps back to end at the block's end.

Where off is zero bits and there are planes enough, four planes make a group. It is found once which plane of
its group a column is on in, whichever the group, and once for each group whether the column is on in it. Both
answers are masks, and the first ones have on in place of ones, so that a vector costs an AND and a quarter of
a comparison. One to four planes are written before the groups, so that these are whole.`
	k.role("block R0", "blockStep R1", "planeStep R2", "in R3", "blocksLeft R4", "columns R5", "runs R6", "class R7")
	k.role("out R8", "to R9", "left R10", "runsLeft R11", "tmp R12", "shift R13", "misses R14", "turn R15", "single R19", "groups R20", "least R21")
	k.role("key V12", "pick0 V13", "pick1 V29", "pick2 V30", "pick3 V31", "one V14", "onV V15", "offV V16", "missV V17", "noneV V18")
	k.bank("x", 4, 0)    // classes in each byte of their cells; in groups, cells
	k.bank("m", 4, 4)    // cells
	k.bank("f", 4, 8)    // off or miss: what cells hold where they are not on
	k.bank("high", 4, 4) // groups: the number of the group that a class is in
	k.bank("a", 4, 8)    // groups: on where the class is the first plane of any group; b, c and d: the second to the fourth
	k.bank("b", 4, 16)
	k.bank("c", 4, 20)
	k.bank("d", 4, 24)
	k.bank("its", 4, 28) // groups: all ones where the class is in the current group
	k.arguments("dst block", "stride blockStep", "plane planeStep", "classes in", "blocks blocksLeft", "n columns", "first least", "count runs", "missing misses", "v tmp")
	k.shift()
	k.op("VMOVI", "$1, one.B16")
	k.values("d0", "d1", "d2")
	k.op("ushl", "pick0.16b, d0.16b, d1.16b")
	k.op("MOVD", "$64, tmp")
	k.op("LSR", "shift, tmp, turn")
	k.picks()
	k.four("VORR", "offV.B16, offV.B16, f%d.B16")
	k.op("VMOVI", "$255, noneV.B16")
	k.groups()
	k.repeat("eachBlock", "blocksLeft", 1, func() {
		k.op("MOVD", "block, out")
		k.op("SUB", "turn, columns, left")
		k.label("columns64")
		k.widen()
		k.op("CBZ", "misses, compare")
		k.four("VCMEQ", "noneV.B16, x%d.B16, f%d.B16")
		k.four("VBSL", "offV.B16, missV.B16, f%d.B16")
		k.label("compare")
		k.moves("least class", "out to", "single runsLeft")
		k.repeat("eachRun", "runsLeft", 1, func() {
			k.op("VDUP", "class, key.B16")
			k.op("ADD", "$1, class")
			k.four("VCMEQ", "key.B16, x%d.B16, m%d.B16")
			k.four("VBSL", "f%d.B16, onV.B16, m%d.B16")
			k.op("VST1.P", "%s, (to)(planeStep)", list("m", 0))
		})
		k.op("CBZ", "groups, next")
		k.grouped()
		k.label("next")
		k.op("ADD", "$64, out")
		k.op("ADD", "turn, in")
		k.lastTurn("columns64", "turn", "written", func() {
			k.op("ADD", "left, in")
			k.op("LSL", "shift, left")
			k.op("ADD", "left, out")
		})
		k.label("written")
		k.op("ADD", "blockStep, block")
	})
}

// groups sets up how many planes are written one by one, and how many groups of
// four after them: none where off is not zero or misses have their own value.
func (k *kernel) groups() {
	k.moves("runs single", "ZR groups")
	k.op("VMOV", "offV.D[0], tmp")
	k.op("VMOV", "offV.D[1], left")
	k.op("ORR", "left, tmp")
	k.op("ORR", "misses, tmp")
	k.op("CBNZ", "tmp, eachBlock")
	k.op("CMP", "$%d, runs", minGrouped)
	k.op("BLT", "eachBlock")
	k.op("SUB", "$1, runs, tmp")
	k.op("AND", "$3, tmp, single")
	k.op("ADD", "$1, single")
	k.op("LSR", "$2, tmp, groups")
}

// picks sets up which classes the bytes of the second to the fourth vector
// take, from the vector that has the classes of a round.
func (k *kernel) picks() {
	k.op("LSR", "$2, turn, tmp")
	k.op("VDUP", "tmp, pick3.B16")
	k.op("VADD", "pick3.B16, pick0.B16, pick1.B16")
	k.op("VADD", "pick3.B16, pick1.B16, pick2.B16")
	k.op("VADD", "pick3.B16, pick2.B16, pick3.B16")
}

// widen loads the classes of 64 bytes of cells, and not a byte more, and puts
// each into every byte of its cell.
func (k *kernel) widen() {
	k.op("CMP", "$2, shift")
	k.op("BLT", "narrow")
	k.op("BEQ", "sixteen")
	k.op("TBNZ", "$2, shift, four")
	k.op("FMOVD", "(in), x3q")
	k.op("B", "widen")
	k.label("four")
	k.op("FMOVS", "(in), x3q")
	k.op("B", "widen")
	k.label("narrow")
	k.op("CBZ", "shift, bytes")
	k.op("FLDPQ", "(in), (x0q, x2q)")
	for _, i := range []int{0, 2} {
		k.op("VTBL", "pick1.B16, [x%d.B16], x%d.B16", i, i+1)
		k.op("VTBL", "pick0.B16, [x%d.B16], x%d.B16", i, i)
	}
	k.op("B", "widened")
	k.label("bytes")
	k.op("FLDPQ", "(in), (x0q, x1q)")
	k.op("FLDPQ", "32(in), (x2q, x3q)")
	k.op("B", "widened")
	k.label("sixteen")
	k.op("FMOVQ", "(in), x3q")
	k.label("widen")
	k.four("VTBL", "pick%d.B16, [x3.B16], x%d.B16")
	k.label("widened")
}

// grouped writes all groups of planes; the first plane is that of class.
func (k *kernel) grouped() {
	k.op("VDUP", "class, key.B16")
	k.four("VSUB", "key.B16, x%d.B16, x%d.B16")
	k.four("VUSHR", "$2, x%d.B16, high%d.B16")
	k.note("The lower bit of the place in the group, odd or even, then the upper bit.")
	k.four("VCMTST", "one.B16, x%d.B16, d%d.B16")
	k.four("VAND", "onV.B16, d%d.B16, b%d.B16")
	k.four("VEOR", "onV.B16, b%d.B16, a%d.B16")
	k.op("VADD", "one.B16, one.B16, key.B16")
	k.four("VCMTST", "key.B16, x%d.B16, x%d.B16")
	k.four("VAND", "x%d.B16, b%d.B16, d%d.B16")
	k.four("VAND", "x%d.B16, a%d.B16, c%d.B16")
	k.four("VEOR", "d%d.B16, b%d.B16, b%d.B16")
	k.four("VEOR", "c%d.B16, a%d.B16, a%d.B16")
	k.zero("key")
	k.op("MOVD", "groups, runsLeft")
	k.repeat("group", "runsLeft", 1, func() {
		k.four("VCMEQ", "key.B16, high%d.B16, its%d.B16")
		k.op("VADD", "one.B16, key.B16, key.B16")
		for _, on := range []string{"a", "b", "c", "d"} {
			k.four("VAND", "its%d.B16, "+on+"%d.B16, x%d.B16")
			k.op("VST1.P", "%s, (to)(planeStep)", list("x", 0))
		}
	})
	k.four("VMOVI", "$0, f%d.B16")
	k.picks()
}
