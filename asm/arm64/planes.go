package main

import "fmt"

// planes writes the planes of blocks with Inner > 1: plane p compares the
// columns' classes with p.
func (f *file) planes(width int, miss bool) {
	turn := 64 / width // columns
	family, doc := "planes", `A loop over blocks, in it planes, in these 64 bytes a turn; the last turn of a run steps back to end at its end. Classes are compared as
bytes, and the mask is widened: by VZIP with itself for cells of two bytes, by VDUP for 16, and else by VTBL, each byte of a vector picking
the byte of the mask that is its cell's. Per vector: that and a select; the load and the comparison serve all vectors of a turn.`
	if miss {
		family = "planesMiss"
		doc += ` The same again for columns without a class.`
	}
	k := f.kernel(family, bitsOf(width), doc)
	k.role("block R0", "blockStep R1", "planeStep R2", "cols R3", "blocksLeft R4", "columns R5", "runs R6")
	k.role("in R7", "out R8", "left R9", "run R10", "runsLeft R11", "tmp R12")
	k.role("onV V0", "offV V1", "missV V2", "key V3", "one V4", "noneV V5")
	k.bank("pick", 4, 8)
	k.bank("x", 4, 12) // classes
	k.bank("m", 4, 16) // cells
	k.bank("y", 4, 20) // where they are miss
	// masks compares the classes with key, into masks of the cells' width.
	masks := func(key, to string) {
		switch width {
		case 1:
			k.four("VCMEQ", key+".B16, x%d.B16, "+to+"%d.B16")
		case 2:
			k.op("VCMEQ", key+".B16, x0.B16, "+to+"1.B16")
			k.op("VCMEQ", key+".B16, x1.B16, "+to+"3.B16")
			for _, i := range []int{1, 3} {
				k.op("VZIP1", v(to, i, "B16"), v(to, i, "B16"), v(to, i-1, "B16"))
				k.op("VZIP2", v(to, i, "B16"), v(to, i, "B16"), v(to, i, "B16"))
			}
		case 16:
			k.op("VCMEQ", key+".B16, x0.B16, "+to+"3.B16")
			k.four("VDUP", to+"3.B[%d], "+to+"%d.B16")
		default:
			k.op("VCMEQ", key+".B16, x0.B16, "+to+"3.B16")
			k.four("VTBL", "pick%d.B16, ["+to+"3.B16], "+to+"%d.B16")
		}
	}
	k.arguments("dst block", "stride blockStep", "plane planeStep", "classes cols", "blocks blocksLeft", "n columns", "count runs")
	if miss {
		k.splats(width, "tmp", "onV", "offV", "missV")
		k.op("VMOVI", "$255", "noneV.B16")
	} else {
		k.splats(width, "tmp", "onV", "offV")
	}
	k.op("VMOVI", "$1", "one.B16")
	if width == 4 || width == 8 {
		for j := range 4 {
			k.constant(r("pick", j), "tmp", func(i int) int { return (16*j + i) / width })
		}
	}
	k.label("eachBlock")
	k.op("MOVD", k.arg("first"), "tmp")
	k.op("VDUP", "tmp", "key.B16")
	k.op("MOVD", "block, run")
	k.op("MOVD", "runs, runsLeft")
	k.label("eachRun")
	k.op("MOVD", "cols, in")
	k.op("MOVD", "run, out")
	k.op("MOVD", "columns, left")
	k.turns("loop", turn, func() {
		switch width {
		case 1:
			k.op("FLDPQ", "(in)", pair("x", 0))
			k.op("FLDPQ", "32(in)", pair("x", 2))
		case 2:
			k.op("FLDPQ", "(in)", pair("x", 0))
		default:
			k.op(map[int]string{4: "FMOVQ", 8: "FMOVD", 16: "FMOVS"}[width], "(in), x0q")
		}
		k.op("ADD", fmt.Sprintf("$%d, in", turn))
		masks("key", "m")
		if miss {
			masks("noneV", "y")
		}
		k.four("VBSL", "offV.B16, onV.B16, m%d.B16")
		if miss {
			k.four("VBIT", "y%d.B16, missV.B16, m%d.B16")
		}
		k.op("FSTPQ", pair("m", 0), "(out)")
		k.op("FSTPQ", pair("m", 2), "32(out)")
		k.op("ADD", "$64, out")
	}, pointer{"in", 0}, pointer{"out", log2(width)})
	k.op("VADD", "one.B16, key.B16, key.B16")
	k.op("ADD", "planeStep, run")
	k.op("SUBS", "$1, runsLeft")
	k.op("BNE", "eachRun")
	k.op("ADD", "blockStep, block")
	k.op("ADD", "columns, cols")
	k.op("SUBS", "$1, blocksLeft")
	k.op("BNE", "eachBlock")
	k.end()
}
