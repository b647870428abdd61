package main

import "fmt"

// marks sets the bits of one column of rows in which several cells may be on.
// The words of the same cells lie side by side, row after row.
func (k *kernel) marks() {
	k.prose = `The outer loop goes over planes, the inner one over 8 words a turn. The place of a bit is its distance from
the first bit of the plane, and becomes 64 where the bit lies in an earlier or a later plane: a shift by 64
leaves nothing of the 1. The shift heeds only the lowest byte of a lane, so that one VTBL widens the places of
two words. 64 bytes stored cost 11 vector operations.`
	k.role("run R0", "planeStep R1", "class R2", "rows R3", "from R4", "runsLeft R5", "in R6", "out R7", "left R8", "tmp R9")
	k.role("one V0", "beyond V1", "fromV V2", "x V3", "xq F3")
	k.bank("pick", 4, 4)
	k.bank("bit", 4, 8)
	k.bank("w", 4, 12)
	k.arguments("words run", "plane planeStep", "classes class", "n rows", "first from", "count runsLeft")
	k.splat(1, "one.D2")
	k.splat(64, "beyond.H8")
	for j := range 4 {
		k.constant(fmt.Sprintf("pick%d", j), "tmp", func(i int) int { return 4*j + i/8*2 })
	}
	k.op("CBZ", "from, anew")
	k.column("merge", true)
	k.op("BEQ", "done")
	k.label("anew")
	k.column("write", false)
	k.op("BNE", "anew")
	k.label("done")
}

// column sets the bits of one plane; the flags then say whether one follows.
func (k *kernel) column(label string, merge bool) {
	k.op("VDUP", "from, fromV.H8")
	k.moves("class in", "run out", "rows left")
	k.repeat(label, "left", 8, func() {
		k.op("FMOVD", "(in), xq")
		k.op("ADD", "$8, in")
		k.op("VUXTL", "x.B8, x.H8")
		k.op("VADD", "fromV.H8, x.H8, x.H8")
		k.op("VUMIN", "beyond.H8, x.H8, x.H8")
		k.four("VTBL", "pick%d.B16, [x.B16], bit%d.B16")
		k.four("ushl", "bit%d.2d, one.2d, bit%d.2d")
		if merge {
			k.op("FLDPQ", "(out), (w0q, w1q)")
			k.op("FLDPQ", "32(out), (w2q, w3q)")
			k.four("VORR", "w%d.B16, bit%d.B16, bit%d.B16")
		}
		k.op("FSTPQ", "(bit0q, bit1q), (out)")
		k.op("FSTPQ", "(bit2q, bit3q), 32(out)")
		k.op("ADD", "$64, out")
	})
	k.op("ADD", "planeStep, run")
	k.op("SUB", "$64, from")
	k.op("SUBS", "$1, runsLeft")
}
