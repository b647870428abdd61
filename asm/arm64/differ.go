package main

import "fmt"

// differ is the part of Update that looks at every index: hits of what is not alike.
func (f *file) differ(width int) {
	t := lanes[width]
	name := fmt.Sprintf("differ%dNEON", 8*width)
	k := f.kernel(name, "words, a, b unsafe.Pointer, n int", "", fmt.Sprintf(`
%s sets bit i of words to whether a[i] and b[i] differ, and the bits behind n in the last word to 0. n >= 64.

64 elements a turn. The last turn steps back to end at the last element, and its word is shifted into place. 64 bytes of a and 64
of b cost %d vector operations.`, name, map[int]int{1: 13, 2: 11, 4: 9, 8: 9}[width]))
	k.role("out R0", "inA R1", "inB R2", "left R3", "again R4", "tmp R5", "word R6")
	k.role("keep V0")
	k.bank("same", 4, 4)
	k.bank("x", 4, 8)
	k.bank("y", 4, 12)
	k.bank("bit", 7, 16)
	m := &marker{k, width, "keep", "bit"}
	k.op("MOVD", k.arg("words"), "out")
	k.op("MOVD", k.arg("a"), "inA")
	k.op("MOVD", k.arg("b"), "inB")
	k.op("MOVD", k.arg("n"), "left")
	m.setup("tmp")
	k.op("MOVD", "ZR", "again")
	k.op("SUB", "$64, left")
	k.label("loop")
	var words []string
	for g := range m.groups() {
		same := r("same", g)
		words = append(words, same)
		for i := range m.group() {
			at := g*m.group() + i
			if at%2 == 0 {
				k.op("FLDPQ", fmt.Sprintf("%d(inA)", 16*at), pair("x", at%4))
				k.op("FLDPQ", fmt.Sprintf("%d(inB)", 16*at), pair("y", at%4))
			}
			if i == 0 {
				k.op("VCMEQ", v("x", at%4, t), v("y", at%4, t), same+"."+t)
				continue
			}
			k.op("VCMEQ", v("x", at%4, t), v("y", at%4, t), v("x", at%4, t))
			m.merge(r("x", at%4), same, i)
		}
	}
	m.sum(words)
	k.word(0x6e205800, "mvn", "16b", "same0", "same0")
	k.op("FMOVD.P", "same0q", "8(out)")
	for _, in := range []string{"inA", "inB"} {
		k.op("ADD", fmt.Sprintf("$%d, %s", 64*width, in))
	}
	k.stepBack(width, "inA", "inB")
	k.label("marked")
	k.op("MOVD", "-8(out), word")
	k.op("LSR", "again, word")
	k.op("MOVD", "word, -8(out)")
	k.end()
}
