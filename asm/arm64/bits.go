package main

import "fmt"

// Bit planes are not compared but decoded. Bytes are cut into slices, slice k with bit k of each, so that a lane is a column of eight
// bits; the plane of a class is where the slices have the bits of its number. All planes of a range are then the leaves of a tree, each
// of whose nodes costs an AND and an AND NOT, whatever the number of lanes in a vector: 128.

// slices cuts lanes: 128 of them are a matrix of 8 by 8 bits in each byte of eight vectors, which is transposed.
func (f *file) slices() {
	k := f.kernel("slicesNEON", "slices unsafe.Pointer, apart int, lanes unsafe.Pointer, n, first int", "", `
slicesNEON cuts n bytes: bit i of slice k, which is at slices + k*apart, becomes bit k of lanes[i]-first. n >= 64 and a multiple
of 64. The 8 bytes behind each slice may be written too.

A turn loads every eighth of 128 lanes into one vector and transposes by swapping halves of bits, of pairs and of nibbles:
15 instructions for 16 bytes stored. If 64 lanes are left, they are loaded twice.`)
	k.role("out R0", "pitch R1", "in R2", "left R3", "more R4", "to R5", "tmp R6")
	k.role("firstV V24", "odd V25", "pairs V26")
	k.bank("x", 8, 0)
	k.bank("y", 8, 16)
	b := func(bank string, i int) string { return v(bank, i, "B16") }
	k.op("MOVD", k.arg("slices"), "out")
	k.op("MOVD", k.arg("apart"), "pitch")
	k.op("MOVD", k.arg("lanes"), "in")
	k.op("MOVD", k.arg("n"), "left")
	k.op("MOVD", k.arg("first"), "tmp")
	k.op("VDUP", "tmp", "firstV.B16")
	k.op("VMOVI", "$0x55", "odd.B16")
	k.op("VMOVI", "$0x33", "pairs.B16")
	k.label("loop")
	k.op("ADD", "$64, in, more")
	k.op("CMP", "$64, left")
	k.op("CSEL", "GT, more, in, more")
	k.op("VLD4", "(in)", list("y", 0, 4))
	k.op("VLD4", "(more)", list("y", 4, 4))
	for i := range 8 {
		k.op("VSUB", "firstV.B16", b("y", i), b("y", i))
	}
	each(func(i int) {
		k.op("VUZP1", b("y", 4+i), b("y", i), b("x", i))
		k.op("VUZP2", b("y", 4+i), b("y", i), b("x", 4+i))
	})
	for _, s := range []struct {
		shift int
		low   string
	}{{1, "odd"}, {2, "pairs"}, {4, ""}} {
		for i := range 8 {
			if i&s.shift == 0 {
				k.swap(b("x", i), b("x", i+s.shift), b("y", i), b("y", i+s.shift), s.shift, s.low)
			}
		}
	}
	k.op("MOVD", "out, to")
	for i := range 8 {
		k.op("VST1.P", list("x", i, 1), "(to)(pitch)")
	}
	k.op("ADD", "$16, out")
	k.op("ADD", "$128, in")
	k.op("SUBS", "$128, left")
	k.op("BGT", "loop")
	k.end()
}

// swap exchanges the high halves of each group of 2*shift bits of x with the low halves of those of y. low masks the low halves; the two
// nibbles of a byte need no mask.
func (k *kernel) swap(x, y, up, down string, shift int, low string) {
	by := fmt.Sprintf("$%d", shift)
	if low == "" {
		k.op("VORR", x, x, down)
		k.op("VSLI", by, y, x)
		k.op("VSRI", by, down, y)
		return
	}
	k.op("VSHL", by, y, up)
	k.op("VUSHR", by, x, down)
	k.op("VBIF", low+".B16", up, x)
	k.op("VBIT", low+".B16", down, y)
}

// bitPlanes decodes slices.
func (f *file) bitPlanes() {
	k := f.kernel("bitsNEON", "dst unsafe.Pointer, stride int, slices unsafe.Pointer, apart, n, count int", "", `
bitsNEON writes count runs of n bits, stride bytes apart: in run p, 1 where the slices, apart bytes apart, say p.
n >= 64 and a multiple of 64, 1 <= count <= 256.

64 bytes of every run are written before the next. In them 16 planes share the upper four bits of their number, H: four
vectors of where these are so. Four planes in turn share bits 2 and 3, HB, and the first two bits are a and b: 10 vector
operations for 64 bytes stored. A run of less is written 8 bytes at a time; its last 64 step back to end at its end.`)
	k.role("out R0", "pitch R1", "in R2", "slice R3", "left R4", "planes R5", "to R6", "planesLeft R7", "group R8", "tmp R9", "from R10")
	for i, bank := range []string{"a", "b", "c", "d", "H", "HB", "pB", "x"} {
		k.bank(bank, 4, 4*i)
	}
	k.op("MOVD", k.arg("dst"), "out")
	k.op("MOVD", k.arg("stride"), "pitch")
	k.op("MOVD", k.arg("slices"), "in")
	k.op("MOVD", k.arg("apart"), "slice")
	k.op("MOVD", k.arg("n"), "left")
	k.op("MOVD", k.arg("count"), "planes")
	k.op("LSR", "$3, left")
	k.op("SUBS", "$64, left")
	k.op("BLT", "short")
	k.label("chunk")
	k.tree(4, "next")
	k.label("next")
	k.op("ADD", "$64, in")
	k.op("ADD", "$64, out")
	k.op("SUBS", "$64, left")
	k.op("BGE", "chunk")
	k.op("CMN", "$64, left")
	k.op("BEQ", "done")
	k.op("ADD", "left, in")
	k.op("ADD", "left, out")
	k.op("MOVD", "ZR, left")
	k.op("B", "chunk")
	k.label("short")
	k.op("ADD", "$64, left")
	k.label("word")
	k.tree(1, "nextWord")
	k.label("nextWord")
	k.op("ADD", "$8, in")
	k.op("ADD", "$8, out")
	k.op("SUBS", "$8, left")
	k.op("BNE", "word")
	k.label("done")
	k.end()
}

// tree writes n vectors of every plane, or a word of 8 bytes where n is 1, and goes to next after the last plane.
func (k *kernel) tree(n int, next string) {
	load := func(bank string) { // the slice at from, which moves on to the next
		if n == 1 {
			k.op("FMOVD", "(from)", r(bank, 0)+"q")
			k.op("ADD", "slice, from")
			return
		}
		k.op("VLD1", "(from)", list(bank, 0, n))
		k.op("ADD", "slice, from")
	}
	and := func(a, b, to string) {
		for i := range n {
			k.op("VAND", v(a, i, "B16"), v(b, i, "B16"), v(to, i, "B16"))
		}
	}
	andNot := func(a, b, to string) {
		for i := range n {
			k.word(0x4e601c00, "bic", "16b", r(to, i), r(a, i), r(b, i))
		}
	}
	write := func(bank string) {
		if n == 1 {
			k.op("FMOVD", r(bank, 0)+"q", "(to)")
			k.op("ADD", "pitch, to")
		} else {
			k.op("VST1.P", list(bank, 0, n), "(to)(pitch)")
		}
		k.op("SUBS", "$1, planesLeft")
		k.op("BEQ", next)
	}
	group := fmt.Sprintf("group%d", n)
	k.op("MOVD", "in, from")
	for _, bank := range []string{"a", "b", "c", "d"} {
		load(bank)
	}
	k.op("MOVD", "out, to")
	k.op("MOVD", "planes, planesLeft")
	k.op("MOVD", "$-1, group")
	k.label(group)
	k.note("group is the complement of the upper four bits: a slice turned over where it has a 1 is set where it should be.")
	k.op("ADD", "slice<<2, in, from")
	for bit := range 4 {
		to := "x"
		if bit == 0 {
			to = "H"
		}
		load(to)
		k.op("SBFX", fmt.Sprintf("$%d, group, $1, tmp", bit))
		k.op("VDUP", "tmp", "pB0.D2")
		for i := range n {
			k.op("VEOR", "pB0.B16", v(to, i, "B16"), v(to, i, "B16"))
		}
		if bit > 0 {
			and("x", "H", "H")
		}
	}
	for quad := range 4 {
		choose := func(bit int) func(a, b, to string) {
			if quad>>bit&1 != 0 {
				return and
			}
			return andNot
		}
		choose(1)("H", "d", "HB")
		choose(0)("HB", "c", "HB")
		and("HB", "b", "pB")
		andNot("HB", "b", "HB")
		for _, half := range []string{"HB", "pB"} {
			and(half, "a", "x")
			andNot(half, "a", half)
			write(half)
			write("x")
		}
	}
	k.op("SUB", "$1, group")
	k.op("CBNZ", "planesLeft", group)
}
