package main

import "fmt"

// changes is the part of Update that looks at every index: hits of what is not
// alike, or not below depth.
func (f *file) changes(width int) {
	t := lanes[width]
	k := f.kernel("changes", bitsOf(width), `As many integers a turn as merge into one vector. The last turn steps back to end at the last, and its bits are shifted into place.
64 bytes of either cost 21 vector operations with integers of one byte, 19 with two, else 17.`)
	k.role("out R0", "was R1", "is R2", "left R3", "again R4", "tmp R5", "word R6")
	k.role("keep V0", "depthV V1")
	k.bank("same", 4, 4)
	k.bank("x", 4, 8)
	k.bank("y", 4, 12)
	m := &marker{k, width, "keep"}
	k.arguments("words out", "prev was", "next is", "n left", "depth tmp")
	k.op("VDUP", "tmp", "depthV."+t)
	m.setup("tmp")
	k.op("MOVD", "ZR", "again")
	k.turns("loop", m.turn(), func() {
		var words []string
		for g := range m.groups() {
			same := r("same", g)
			words = append(words, same)
			for i := range m.group() {
				at := g*m.group() + i
				if at%2 == 0 {
					k.op("FLDPQ", fmt.Sprintf("%d(was)", 16*at), pair("x", at%4))
					k.op("FLDPQ", fmt.Sprintf("%d(is)", 16*at), pair("y", at%4))
				}
				to := same
				if i > 0 {
					to = r("x", at%4)
				}
				k.op("VCMEQ", v("x", at%4, t), v("y", at%4, t), to+"."+t)
				k.compare("cmhi", width, r("y", at%4), "depthV", r("y", at%4))
				k.op("VAND", v("y", at%4, "B16"), to+".B16", to+".B16")
				if i > 0 {
					m.merge(to, same, i)
				}
			}
		}
		m.store(words, "bic")
		for _, in := range []string{"was", "is"} {
			k.op("ADD", fmt.Sprintf("$%d, %s", m.turn()*width, in))
		}
	}, pointer{"was", log2(width)}, pointer{"is", log2(width)})
	m.shiftLast()
	k.end()
}
