package main

// The kernels of Decode compare cells with on and with off. A cell that is
// neither spoils its whole block, which the caller then decodes in Go. What
// remains to be found is where the cells that are on lie.

// hits turns cells into bits, a word for 64 cells.
func (k *kernel) hits() {
	k.prose = `A turn takes enough cells for their masks to merge into whole vectors. A cell is compared with on and with
off, and the masks of on become bits. The last turn steps back to end at the last cell, and its bits are
shifted into place. known keeps the lanes in which every cell was on or off. 64 bytes read cost 24 vector
operations with cells of one byte, 20 with two bytes, and at most 17 with more.`
	k.role("out R0", "in R1", "left R2", "again R3", "tmp R4", "word R5")
	k.role("onV V0", "offV V1", "known V2", "keep V3")
	k.bank("hit", 4, 4)
	k.bank("other", 4, 8)
	k.bank("x", 4, 12)
	k.bank("is", 4, 16)
	m := &marker{k, []array{{"in", "x"}}}
	k.arguments("words out", "cells in", "n left")
	k.splats()
	m.setup()
	k.op("VMOVI", "$255, known.B16")
	m.words(func() {
		m.vectors(func(v vector) {
			k.op("VCMEQ", "onV.T, x%d.T, %s.T", v.x, v.mask("hit", "is"))
			k.op("VCMEQ", "offV.T, x%d.T, %s.T", v.x, v.mask("other", "x"))
			m.merge(v, "hit", "is")
			m.merge(v, "other", "x")
			if v.place == m.group()-1 {
				k.op("VORR", "hit%d.B16, other%[1]d.B16, other%[1]d.B16", v.group)
			}
		})
		for n := m.groups() / 2; n > 0; n /= 2 {
			for i := range n {
				k.op("VAND", "other%d.B16, other%d.B16, other%[2]d.B16", i+n, i)
			}
		}
		k.op("VAND", "other0.B16, known.B16, known.B16")
		m.store("and", "hit")
	})
	k.op("VMOV", "known.D[0], tmp")
	k.op("VMOV", "known.D[1], word")
	k.op("AND", "word, tmp")
	k.op("MVN", "tmp, tmp")
	k.op("MOVD", "tmp, %s", k.arg("neither"))
}

// segmentBytes is how much of a run is counted before the lanes are added up:
// no lane may count to 256, the vectors after the last whole turn included.
const segmentBytes = 60 * 64

// collect is the inverse of planes: each lane takes the class of every plane in
// which its column is on. Two planes may claim a column; the number of all
// cells that are on tells the caller.
func (k *kernel) collect() {
	k.prose = `The outer loop goes over runs, and the one in it over segments that cannot overflow the counts of a lane. A
segment is read by 64 bytes a turn and then vector by vector. The last vector ends at the end of the run, and
counts only what is new. The number of cells that were on or off tells in the end whether all of them were, so
that no register has to collect the others. 64 bytes read cost 20 vector operations.`
	k.role("lane R0", "cell R1", "planeStep R2", "bytes R3", "class R4", "planesLeft R5", "in R6", "out R7", "left R8", "part R9", "tmp R10")
	k.role("onCount R11", "offCount R12", "total R13")
	k.role("onV V0", "offV V1", "classV V2", "fresh V3", "onSum V4", "offSum V5", "counted V6")
	k.bank("x", 4, 8)
	k.bank("old", 4, 12)
	k.bank("is", 4, 16)
	k.arguments("lanes lane", "cells cell", "plane planeStep", "n bytes", "first class", "count planesLeft")
	k.splats()
	k.op("MUL", "bytes, planesLeft, total")
	if k.width > 1 {
		k.op("LSL", "$%d, bytes", log2(k.width))
	}
	k.op("NEG", "bytes, tmp")
	k.op("AND", "$15, tmp")
	k.op("VDUP", "tmp, fresh.B16")
	k.iota("onSum", "tmp")
	k.op("cmhs", "fresh.16b, onSum.16b, fresh.16b")
	k.moves("ZR onCount", "ZR offCount")
	k.repeat("eachPlane", "planesLeft", 1, func() {
		k.op("VDUP", "class, classV.T")
		k.moves("cell in", "lane out", "bytes left")
		k.segments()
		k.op("ADD", "planeStep, cell")
		k.op("ADD", "$1, class")
	})
	k.op("ADD", "onCount, offCount")
	k.op("MOVD", "$-1, tmp")
	k.op("CMP", "total, offCount")
	k.op("CSEL", "EQ, onCount, tmp, onCount")
	k.op("MOVD", "onCount, %s", k.arg("hits"))
}

// segments collects what is left of a run, segment by segment.
func (k *kernel) segments() {
	k.label("segment")
	k.zero("onSum")
	k.zero("offSum")
	k.op("MOVD", "$%d, tmp", segmentBytes)
	k.part("left", "tmp", "part")
	k.op("SUBS", "$64, part")
	k.whole("wide", "part", 64, "few", "counts", func() { k.take(4) })
	k.op("VMOVI", "$255, counted.B16")
	k.label("vector")
	k.op("SUBS", "$16, part")
	k.op("BGE", "whole")
	k.op("ADD", "part, in")
	k.op("ADD", "part, out")
	k.op("VORR", "fresh.B16, fresh.B16, counted.B16")
	k.op("MOVD", "ZR, part")
	k.label("whole")
	k.take(1)
	k.op("CBNZ", "part, vector")
	k.label("counts")
	sums := lanes[min(k.width, 4)] // in lanes of 8 bytes the upper halves are 0
	for _, s := range []string{"on", "off"} {
		k.op("VUADDLV", "%sSum.%s, %[1]sSum", s, sums)
		k.op("VMOV", "%sSum.D[0], tmp", s)
		k.op("ADD", "tmp, %sCount", s)
	}
	k.op("CBNZ", "left, segment")
}

// take handles n vectors, 4 or 1: the lanes whose cells are on take the class,
// and the cells are counted, of a single vector only those under the mask
// counted. The loads do not move the pointers, because the model of `make cost`
// lets the next load wait for that.
func (k *kernel) take(n int) {
	if n == 1 {
		k.op("VLD1", "(in), [x0.B16]")
		k.op("VLD1", "(out), [old0.B16]")
	}
	for i := 0; i < n-1; i += 2 {
		k.op("FLDPQ", "%d(in), %s", 16*i, pair("x", i))
		k.op("FLDPQ", "%d(out), %s", 16*i, pair("old", i))
	}
	for i := range n {
		k.op("VCMEQ", "onV.T, x%d.T, is%[1]d.T", i)
		k.op("VCMEQ", "offV.T, x%d.T, x%[1]d.T", i)
	}
	k.times(n, "VBIT", "is%d.B16, classV.B16, old%d.B16")
	if n == 1 {
		k.op("VAND", "counted.B16, is0.B16, is0.B16")
		k.op("VAND", "counted.B16, x0.B16, x0.B16")
		k.op("VST1", "[old0.B16], (out)")
	}
	for i := 0; i < n-1; i += 2 {
		k.op("FSTPQ", "%s, %d(out)", pair("old", i), 16*i)
	}
	k.op("ADD", "$%d, in", 16*n)
	k.op("ADD", "$%d, out", 16*n)
	for _, counts := range []struct{ of, sum string }{{"is", "onSum"}, {"x", "offSum"}} {
		for step := n / 2; step > 0; step /= 2 {
			for i := range step {
				k.op("VADD", "%s%d.T, %[1]s%[3]d.T, %[1]s%[3]d.T", counts.of, i+step, i)
			}
		}
		k.op("VSUB", "%s0.T, %s.T, %[2]s.T", counts.of, counts.sum)
	}
}
