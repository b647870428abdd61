package main

// fillPattern writes a 16-byte pattern over n bytes, on which the scatter
// strategy then writes its on values.
func (k *kernel) fillPattern() {
	k.prose = `The first and the last 64 bytes are stored at any address. Between them, whole cache lines are stored at
aligned addresses, with the pattern rotated to where they start. 64 bytes cost one store of four registers and
nothing else.`
	k.role("out R0", "left R1", "line R2", "phase R3", "body R4", "end R5", "half R6")
	k.role("pattern V0", "patternq F0", "iota V1", "fifteen V2", "pick V3")
	k.bank("turned", 4, 4)
	rotate := func(by string) { // turned0 = the pattern as it continues after `by` bytes
		k.op("VDUP", "%s, pick.B16", by)
		k.op("VADD", "iota.B16, pick.B16, pick.B16")
		k.op("VAND", "fifteen.B16, pick.B16, pick.B16")
		k.op("VTBL", "pick.B16, [pattern.B16], turned0.B16")
	}
	k.arguments("dst out", "n left", "lo half")
	k.setPattern()
	k.iota("iota", "half")
	k.op("VMOVI", "$15, fifteen.B16")
	k.gap()
	k.op("FSTPQ", "(patternq, patternq), (out)")
	k.op("FSTPQ", "(patternq, patternq), 32(out)")
	k.op("ADD", "left, out, end")
	k.op("ADD", "$64, out, line")
	k.op("AND", "$~63, line")
	k.op("SUB", "out, line, phase")
	rotate("phase")
	for i := 1; i < 4; i++ {
		k.op("VORR", "turned0.B16, turned0.B16, turned%d.B16", i)
	}
	k.op("SUB", "phase, left, body")
	k.op("SUBS", "$64, body")
	k.op("BLT", "last")
	k.label("lines")
	k.op("VST1.P", "%s, 64(line)", list("turned", 0))
	k.op("SUBS", "$64, body")
	k.op("BGE", "lines")
	k.label("last")
	rotate("left")
	k.op("FSTPQ", "(turned0q, turned0q), -64(end)")
	k.op("FSTPQ", "(turned0q, turned0q), -32(end)")
}

// setPattern sets pattern to lo, which the register half has, and hi.
func (k *kernel) setPattern() {
	k.op("VMOV", "half, pattern.D[0]")
	k.op("MOVD", "%s, half", k.arg("hi"))
	k.op("VMOV", "half, pattern.D[1]")
}

// fillRuns writes a 16-byte pattern over runs with gaps between them. A call
// for each of the short runs would take as long to begin as to store.
func (k *kernel) fillRuns() {
	k.prose = `The outer loop goes over runs. In it, pairs of vectors are stored from the start of the run, and a last pair
ends where the run ends and overlaps the one before.`
	k.role("out R0", "length R1", "left R2", "apart R3", "at R4", "tail R5", "half R6")
	k.role("pattern V0", "patternq F0")
	k.arguments("dst out", "run length", "runs left", "stride apart", "lo half")
	k.setPattern()
	k.op("SUB", "$32, length")
	k.repeat("runs", "left", 1, func() {
		k.op("MOVD", "out, at")
		k.op("ADD", "length, out, tail")
		k.op("CMP", "tail, at")
		k.op("BHS", "last")
		k.label("pairs")
		k.op("FSTPQ.P", "(patternq, patternq), 32(at)")
		k.op("CMP", "tail, at")
		k.op("BLO", "pairs")
		k.label("last")
		k.op("FSTPQ", "(patternq, patternq), (tail)")
		k.op("ADD", "apart, out")
	})
}
