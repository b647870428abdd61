package main

// index is a type of indices. uint32 and uint64 go through I32 and I64 with
// wrap 0: what their upper half looks like as a signed number is no class
// either way.
type index struct {
	suffix   string
	bytes    int
	unsigned bool
	float    bool
}

var indexTypes = []index{
	{suffix: "I8", bytes: 1},
	{suffix: "U8", bytes: 1, unsigned: true},
	{suffix: "I16", bytes: 2},
	{suffix: "U16", bytes: 2, unsigned: true},
	{suffix: "I32", bytes: 4},
	{suffix: "I64", bytes: 8},
	{suffix: "F32", bytes: 4, float: true},
	{suffix: "F64", bytes: 8, float: true},
}

// classes is the index stage: 16 indices a turn of the loop become a vector of
// classes.
func (f *file) classes(from index) {
	k := f.kernel("classes", from.suffix, `A class is the smaller of x-first and x-first+wrap as unsigned numbers of 32 bits, if it is below limit. More than a byte holds becomes
255, so that one comparison of bytes is left to find the misses. 64 bits become 32 with saturation, as floats do:
both ends are misses. NaN would become 0, and is replaced before. With uint8 all is done in bytes, where an index below first comes round to
limit or more; unsigned types have no use for wrap. The last turn steps back to end at the last index; what it counts a second time is
taken off at the end.`)
	k.role("out R0", "in R1", "left R2", "again R3", "tmp R4", "wrapped R5")
	k.role("lowV V0", "wrapV V1", "topV V2", "limitV V3", "missed V4", "nanV V5", "fresh V6", "miss V7")
	k.bank("x", 4, 8)   // x-first
	k.bank("y", 4, 12)  // x-first+wrap
	k.bank("t", 8, 16)  // what was loaded, of 8 bytes
	k.bank("is", 8, 24) // lanes that hold a number
	k.arguments("classes out", "indices in", "n left", "limit tmp")
	k.op("VDUP", "tmp", "limitV.B16")
	k.arguments("first tmp")
	t := "S4"
	if from.bytes == 1 && from.unsigned {
		t = "B16"
	}
	k.op("NEG", "tmp, tmp")
	k.op("VDUP", "tmp", "lowV."+t)
	if !from.unsigned {
		k.arguments("wrap wrapped")
		k.op("ADD", "tmp, wrapped")
		k.op("VDUP", "wrapped", "wrapV.S4")
	}
	if !saturates(from) && t == "S4" {
		k.op("MOVD", "$255, tmp")
		k.op("VDUP", "tmp", "topV.S4")
	}
	if from.float {
		k.op("VMOVI", "$255", "nanV.B16")
	}
	if from.suffix == "F64" { // the least int64 becomes the least int32
		k.op("VSHL", "$63, nanV.D2", "nanV.D2")
	} else if from.float {
		k.op("VSHL", "$31, nanV.S4", "nanV.S4")
	}
	k.zero("missed")
	k.op("MOVD", "ZR", "again")
	k.turns("loop", 16, func() {
		k.loadIndices(from)
		if t == "B16" {
			k.op("VADD", "lowV.B16, x0.B16, x0.B16")
		} else {
			if !from.unsigned {
				k.add(from, "wrapV", "y")
			}
			k.add(from, "lowV", "x")
			if !from.unsigned {
				k.four("VUMIN", "y%d.S4, x%d.S4, x%d.S4")
			}
			k.toBytes(from)
		}
		k.compare("cmhs", 1, "miss", "x0", "limitV")
		k.op("VORR", "miss.B16, x0.B16, x0.B16")
		k.op("VST1.P", list("x", 0, 1), "16(out)")
		k.count("miss", "fresh", "missed")
	}, pointer{"in", log2(from.bytes)}, pointer{"out", 0})
	k.note("Take off the misses among the first `again` lanes of the last turn.")
	k.iota("x0", "tmp")
	k.op("VDUP", "again", "fresh.B16")
	k.compare("cmhi", 1, "fresh", "fresh", "x0")
	k.op("VAND", "fresh.B16, miss.B16, fresh.B16")
	k.zero("x0")
	k.count("fresh", "fresh", "x0")
	k.op("VSUB", "x0.S4, missed.S4, missed.S4")
	k.sum("missed", "tmp")
	k.op("MOVD", "tmp", k.arg("misses"))
	k.end()
}

// add adds a number of 32 bits to all indices: with those of 16 bits or less it
// widens them.
func (k *kernel) add(from index, number, to string) {
	if from.bytes > 2 {
		k.four("VADD", number+".S4, x%d.S4, "+to+"%d.S4")
		return
	}
	code, mnemonic := uint32(0x0e601000), "saddw"
	if from.unsigned {
		code, mnemonic = 0x2e601000, "uaddw"
	}
	for _, i := range []int{0, 2} {
		k.word(code|1<<30, mnemonic+"2", "4s,4s,8h", r(to, i+1), number, r("x", i))
		k.word(code, mnemonic, "4s,4s,4h", r(to, i), number, r("x", i))
	}
}

// saturates reports whether bytes are made by narrowing with saturation: not
// where the units that do so have narrowed 64 bits already.
func saturates(from index) bool { return from.suffix != "I64" }

// toBytes makes 16 bytes of x0 to x3, 255 of what is more.
func (k *kernel) toBytes(from index) {
	if !saturates(from) {
		k.four("VUMIN", "topV.S4, x%d.S4, x%d.S4")
		k.op("VUZP1", "x1.H8, x0.H8, x0.H8")
		k.op("VUZP1", "x3.H8, x2.H8, x2.H8")
		k.op("VUZP1", "x2.B16, x0.B16, x0.B16")
		return
	}
	for _, i := range []int{0, 2} {
		k.word(0x2e614800, "uqxtn", "4h,4s", r("x", i), r("x", i))
		k.word(0x6e614800, "uqxtn2", "8h,4s", r("x", i), r("x", i+1))
	}
	k.word(0x2e214800, "uqxtn", "8b,8h", "x0", "x0")
	k.word(0x6e214800, "uqxtn2", "16b,8h", "x0", "x2")
}

// loadIndices brings 16 indices into x0 to x3, 32 bits each, or 16 into x0 and
// x2, or into x0 if they stay bytes.
func (k *kernel) loadIndices(from index) {
	switch {
	case from.bytes == 1:
		k.op("VLD1.P", "16(in)", list("x", 0, 1))
		if !from.unsigned {
			k.word(0x4f08a400, "sxtl2", "8h,16b", "x2", "x0")
			k.word(0x0f08a400, "sxtl", "8h,8b", "x0", "x0")
		}
	case from.bytes == 2:
		k.op("FLDPQ.P", "32(in), (x0q, x2q)")
	case from.bytes == 4:
		k.op("FLDPQ.P", "32(in)", pair("x", 0))
		k.op("FLDPQ.P", "32(in)", pair("x", 2))
	default:
		each(func(i int) { k.op("FLDPQ.P", "32(in)", pair("t", 2*i)) })
	}
	if from.suffix == "F32" {
		each(func(i int) { k.word(0x4e20e400, "fcmeq", "4s", r("is", i), r("x", i), r("x", i)) })
		each(func(i int) { k.word(0x4ea1b800, "fcvtzs", "4s", r("x", i), r("x", i)) })
		k.four("VBIF", "is%d.B16, nanV.B16, x%d.B16")
	}
	if from.suffix == "F64" {
		for i := range 8 {
			k.word(0x4e60e400, "fcmeq", "2d", r("is", i), r("t", i), r("t", i))
		}
		for i := range 8 {
			k.word(0x4ee1b800, "fcvtzs", "2d", r("t", i), r("t", i))
		}
		k.times(8, "VBIF", "is%d.B16, nanV.B16, t%d.B16")
	}
	if from.bytes == 8 {
		each(func(i int) { k.word(0x0ea14800, "sqxtn", "2s,2d", r("x", i), r("t", 2*i)) })
		each(func(i int) { k.word(0x4ea14800, "sqxtn2", "4s,2d", r("x", i), r("t", 2*i+1)) })
	}
}
