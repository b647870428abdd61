package main

import "fmt"

// Decode's kernels compare cells with on and with off. A cell that is neither
// spoils its whole block, which the caller then decodes in Go; what is left is
// where the cells that are on lie.

// marker turns masks of cells into bits. Vectors are merged bit by bit as long
// as a lane has bits to spare, so that a vector costs one VSLI, and only then
// are lanes added up.
type marker struct {
	*kernel
	width int
	keep  string // the bits of a lane that count for its cell, lane by lane
}

// group is how many vectors merge into one: as many as a lane has bits for, and
// not more than that shows in the cost of what follows.
func (m *marker) group() int { return map[int]int{1: 1, 2: 2, 4: 8, 8: 16}[m.width] }

// groups is how many groups a turn has: one or more that make 32 or 64 bits.
func (m *marker) groups() int { return map[int]int{1: 4, 2: 4, 4: 2, 8: 1}[m.width] }

// turn is how many cells that is.
func (m *marker) turn() int { return m.groups() * m.group() * 16 / m.width }

// setup loads the constants, and clears the last word, of which a turn may
// write a part.
func (m *marker) setup(tmp string) {
	span, step := 8*m.width, m.step()
	m.constant(m.keep, tmp, func(i int) int {
		bits := 0
		for b := range 8 {
			at := i*8 + b
			if lane := at / span; at%span%step == lane%span {
				bits |= 1 << b
			}
		}
		return bits
	})
	if m.turn() < 64 {
		m.op("SUB", "$1, left, tmp")
		m.op("LSR", "$6, tmp")
		m.op("ADD", "tmp<<3, out, tmp")
		m.op("MOVD", "ZR, (tmp)")
	}
}

// step is how many bits of a lane a vector takes.
func (m *marker) step() int { return min(16/m.width, 8*m.width) }

// merge puts the mask of vector i of a group behind those before it.
func (m *marker) merge(mask, into string, i int) {
	t := lanes[m.width]
	m.op("VSLI", fmt.Sprintf("$%d", i*m.step()), mask+"."+t, into+"."+t)
}

// store writes the bits of a turn's groups, or, with bic for and, their
// complement.
func (m *marker) store(groups []string, mnemonic string) {
	t := lanes[m.width]
	for _, g := range groups {
		m.word(map[string]uint32{"and": 0x4e201c00, "bic": 0x4e601c00}[mnemonic], mnemonic, "16b", g, m.keep, g)
	}
	for n := len(groups); n > 1; n /= 2 {
		for i := range n / 2 {
			m.op("VADDP", groups[2*i+1]+"."+t, groups[2*i]+"."+t, groups[i]+"."+t)
		}
	}
	m.op("VADDP", groups[0]+"."+t, groups[0]+"."+t, groups[0]+"."+t)
	bytes := m.turn() / 8
	m.op(map[int]string{4: "FMOVS.P", 8: "FMOVD.P"}[bytes], groups[0]+"q", fmt.Sprintf("%d(out)", bytes))
}

// hits turns cells into bits, a word for 64 cells.
func (f *file) hits(width int) {
	t := lanes[width]
	k := f.kernel("hits", bitsOf(width), `As many cells a turn as merge into one vector. The last turn steps back to end at the last cell, and its bits are shifted into place. 64
bytes read cost 24 vector operations with cells of one byte, 20 with two, else 18.`)
	k.role("out R0", "in R1", "left R2", "again R3", "tmp R4", "word R5")
	k.role("onV V0", "offV V1", "known V2", "keep V3")
	k.bank("hit", 4, 4)
	k.bank("other", 4, 8)
	k.bank("x", 4, 12)
	k.bank("is", 4, 16)
	m := &marker{k, width, "keep"}
	k.arguments("words out", "cells in", "n left")
	k.splats(width, "tmp", "onV", "offV")
	m.setup("tmp")
	k.op("VMOVI", "$255", "known.B16")
	k.op("MOVD", "ZR", "again")
	k.turns("loop", m.turn(), func() {
		var words []string
		for g := range m.groups() {
			hit, miss := r("hit", g), r("other", g)
			words = append(words, hit)
			for i := range m.group() {
				at := g*m.group() + i
				if at%2 == 0 {
					k.op("FLDPQ", fmt.Sprintf("%d(in)", 16*at), pair("x", at%4))
				}
				x := v("x", at%4, t)
				if i == 0 {
					k.op("VCMEQ", "onV."+t, x, hit+"."+t)
					k.op("VCMEQ", "offV."+t, x, miss+"."+t)
					continue
				}
				k.op("VCMEQ", "onV."+t, x, v("is", at%4, t))
				k.op("VCMEQ", "offV."+t, x, x)
				m.merge(r("is", at%4), hit, i)
				m.merge(r("x", at%4), miss, i)
			}
			k.op("VORR", hit+".B16", miss+".B16", miss+".B16")
		}
		for n := m.groups() / 2; n > 0; n /= 2 {
			for i := range n {
				k.op("VAND", v("other", i+n, "B16"), v("other", i, "B16"), v("other", i, "B16"))
			}
		}
		k.op("VAND", "other0.B16", "known.B16", "known.B16")
		m.store(words, "and")
		k.op("ADD", fmt.Sprintf("$%d, in", m.turn()*width))
	}, pointer{"in", log2(width)})
	m.shiftLast()
	k.op("VMOV", "known.D[0]", "tmp")
	k.op("VMOV", "known.D[1]", "word")
	k.op("AND", "word, tmp")
	k.op("MVN", "tmp, tmp")
	k.op("MOVD", "tmp", k.arg("neither"))
	k.end()
}

// shiftLast puts the bits of the last turn in place, the first of which have
// been in those of the turn before if it stepped back.
func (m *marker) shiftLast() {
	bytes := m.turn() / 8
	at := fmt.Sprintf("-%d(out)", bytes)
	m.op(map[int]string{4: "MOVWU", 8: "MOVD"}[bytes], at, "word")
	m.op("LSR", "again, word")
	m.op(map[int]string{4: "MOVW", 8: "MOVD"}[bytes], "word", at)
}

// collect is planes the other way round: lanes take the class of every plane in
// which their column is on. Two planes may claim a column; the count of all
// that are on tells the caller.
func (f *file) collect(width int) {
	t := lanes[width]
	k := f.kernel("collect", bitsOf(width), `A loop over runs, in it segments that cannot overflow the counts of a lane, in these 64 bytes a turn, then vectors, the last of which ends
at the end and counts only what is new. That all cells are on or off is seen in the end by their number. 64
bytes read cost 20 vector operations.`)
	k.role("lane R0", "cell R1", "planeStep R2", "bytes R3", "class R4", "planesLeft R5", "in R6", "out R7", "left R8", "part R9", "tmp R10")
	k.role("onCount R11", "offCount R12", "total R13")
	k.role("onV V0", "offV V1", "classV V2", "fresh V3", "onSum V4", "offSum V5", "counted V6")
	k.bank("x", 4, 8)
	k.bank("old", 4, 12)
	k.bank("is", 4, 16)
	k.arguments("lanes lane", "cells cell", "plane planeStep", "n bytes", "first class", "count planesLeft")
	k.splats(width, "tmp", "onV", "offV")
	k.op("MUL", "bytes, planesLeft, total")
	if width > 1 {
		k.op("LSL", fmt.Sprintf("$%d, bytes", log2(width)))
	}
	k.op("NEG", "bytes, tmp")
	k.op("AND", "$15, tmp")
	k.op("VDUP", "tmp", "fresh.B16")
	k.iota("onSum", "tmp")
	k.compare("cmhs", 1, "fresh", "onSum", "fresh")
	k.op("MOVD", "ZR, onCount")
	k.op("MOVD", "ZR, offCount")

	k.label("eachPlane")
	k.op("VDUP", "class", "classV."+t)
	k.op("MOVD", "cell, in")
	k.op("MOVD", "lane, out")
	k.op("MOVD", "bytes, left")
	k.label("segment")
	k.zero("onSum")
	k.zero("offSum")
	k.op("MOVD", fmt.Sprintf("$%d, tmp", segmentBytes))
	k.op("CMP", "tmp, left")
	k.op("CSEL", "LT, left, tmp, part")
	k.op("SUB", "part, left")
	k.op("SUBS", "$64, part")
	k.op("BLT", "few")
	k.label("wide")
	k.take(width, 4)
	k.op("SUBS", "$64, part")
	k.op("BGE", "wide")
	k.label("few")
	k.op("ADDS", "$64, part")
	k.op("BEQ", "counts")
	k.op("VMOVI", "$255, counted.B16")
	k.label("vector")
	k.op("SUBS", "$16, part")
	k.op("BGE", "whole")
	k.op("ADD", "part, in")
	k.op("ADD", "part, out")
	k.op("VORR", "fresh.B16, fresh.B16, counted.B16")
	k.op("MOVD", "ZR, part")
	k.label("whole")
	k.take(width, 1)
	k.op("CBNZ", "part, vector")
	k.label("counts")
	sum := t
	if width == 8 { // the upper halves are 0
		sum = "S4"
	}
	for _, s := range []string{"on", "off"} {
		k.op("VUADDLV", s+"Sum."+sum, s+"Sum")
		k.op("VMOV", s+"Sum.D[0]", "tmp")
		k.op("ADD", "tmp, "+s+"Count")
	}
	k.op("CBNZ", "left", "segment")
	k.op("ADD", "planeStep, cell")
	k.op("ADD", "$1, class")
	k.op("SUBS", "$1, planesLeft")
	k.op("BNE", "eachPlane")
	k.op("ADD", "onCount, offCount")
	k.op("MOVD", "$-1, tmp")
	k.op("CMP", "total, offCount")
	k.op("CSEL", "EQ, onCount, tmp, onCount")
	k.op("MOVD", "onCount", k.arg("hits"))
	k.end()
}

// segmentBytes is as much of a run as adds less than 256 to the count of any
// lane, and leaves room for the vectors behind the last whole turn.
const segmentBytes = 60 * 64

// take gives n vectors of lanes the class where their cells are on, and counts;
// of a single vector only what is to be counted.
func (k *kernel) take(width, n int) {
	t := lanes[width]
	if n == 4 { // without steps of pointers, which the model lets loads wait for
		for i := 0; i < n; i += 2 {
			k.op("FLDPQ", fmt.Sprintf("%d(in)", 16*i), pair("x", i))
			k.op("FLDPQ", fmt.Sprintf("%d(out)", 16*i), pair("old", i))
		}
	} else {
		k.op("VLD1", "(in)", list("x", 0, 1))
		k.op("VLD1", "(out)", list("old", 0, 1))
	}
	for i := range n {
		k.op("VCMEQ", "onV."+t, v("x", i, t), v("is", i, t))
		k.op("VCMEQ", "offV."+t, v("x", i, t), v("x", i, t))
	}
	for i := range n {
		k.op("VBIT", v("is", i, "B16"), "classV.B16", v("old", i, "B16"))
		if n == 1 {
			k.op("VAND", "counted.B16, is0.B16, is0.B16")
			k.op("VAND", "counted.B16, x0.B16, x0.B16")
		}
	}
	for i := 0; i < n; i += 2 {
		if n == 1 {
			k.op("VST1", list("old", 0, 1), "(out)")
			break
		}
		k.op("FSTPQ", pair("old", i), fmt.Sprintf("%d(out)", 16*i))
	}
	k.op("ADD", fmt.Sprintf("$%d, in", 16*n))
	k.op("ADD", fmt.Sprintf("$%d, out", 16*n))
	for i, sum := range []string{"onSum", "offSum"} {
		bank := []string{"is", "x"}[i]
		for step := n / 2; step > 0; step /= 2 {
			for i := range step {
				k.op("VADD", v(bank, i+step, t), v(bank, i, t), v(bank, i, t))
			}
		}
		k.op("VSUB", v(bank, 0, t), sum+"."+t, sum+"."+t)
	}
}
