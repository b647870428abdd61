package main

// changes looks at every index for Update and marks those that differ from the
// index before or are not below depth.
func (k *kernel) changes() {
	k.prose = `A turn takes enough integers for their masks to merge into whole vectors. The mask of an integer is the AND
of two comparisons, prev equal to next and next below depth, and the bits are stored inverted. The last turn
steps back to end at the last integer, and its bits are shifted into place. 64 bytes of next cost 20 vector
operations with integers of one byte, 18 with two bytes, and at most 17 with more.`
	k.role("out R0", "was R1", "is R2", "left R3", "again R4", "tmp R5", "word R6")
	k.role("keep V0", "depthV V1")
	k.bank("same", 4, 4)
	k.bank("x", 4, 8)
	k.bank("y", 4, 12)
	m := &marker{k, []array{{"was", "x"}, {"is", "y"}}}
	k.arguments("words out", "prev was", "next is", "n left", "depth tmp")
	k.op("VDUP", "tmp, depthV.T")
	m.setup()
	m.words(func() {
		m.vectors(func(v vector) {
			same := v.mask("same", "x")
			k.op("VCMEQ", "x%d.T, y%[1]d.T, %s.T", v.x, same)
			k.op("cmhi", "y%d.T, depthV.T, y%[1]d.T", v.x)
			k.op("VAND", "y%d.B16, %s.B16, %[2]s.B16", v.x, same)
			m.merge(v, "same", "x")
		})
		m.store("bic", "same")
	})
}
