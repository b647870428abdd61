package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows writes shallow rows, with AVX-512. A block is 64 rows, so that depth
// vectors of bits, one for each cell, are a whole block.
//
// Cell e of a block belongs to row e/depth and is on where hot, which is class
// + row*depth, equals e: modulo 256 too, since a row has at most 128
// consecutive e, and a miss, 255, equals none of them. So a table of e/depth,
// which is the same for every block, and one permute and one compare of bytes
// make the bits of a vector; cells follow.
//
// A cell of 16 bytes is two units of 8. The table is that of twice the depth,
// and both units of a cell have the e of the first.
//
// The last block ends exactly at the last row, and starts with the first vector
// that has a cell of a row left over.
//
// What a row is where it is not on, off or miss, is a byte too, and reaches the
// vector by the same table.
//
// A block's classes are loaded before its first cell is stored, with AVX2 too:
// rows may be written over classes that end where they do.
//
// Non-temporal stores come in whole blocks, straight from the comparison, as
// those of planes do.
func rows(e *emitter, width int, family string) {
	miss := family == "rowsMiss"
	c := newCellWriter(e, width)
	c.stream = family == "rowsStream"
	last := "the last of which ends exactly at the last row; "
	if c.stream {
		last = ""
	}
	if !e.wide() {
		e.kernel(family, suffix(width), "A loop over blocks of 16 rows, "+last+"in it one over pairs of vectors, then one of what is left.")
		rowsByBytes(e, c, miss)
		return
	}
	e.kernel(family, suffix(width), "A loop over blocks, "+last+"in it one over vectors of bits.")
	r := &rowWriter{cellWriter: c, misses: miss}
	r.dst, r.classes, r.rows, r.units = e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	r.table = e.param("table")
	r.first = e.table("e of the first vector", count(e.bytes, 1))
	if width == 16 {
		e.ADDQ(r.units, r.units)
		r.first = e.table("e of the first vector", pairs(e.bytes))
	}
	r.base = named(e, e.vector(), "row*depth")
	e.load(operand.Mem{Base: r.table}, r.base)
	e.ADDQ(operand.I32(int32(e.bytes)), r.table)
	r.step = e.splatConst(8, e.bytes, "units of a vector")
	r.turns = 1
	if width == 1 && !r.stream {
		r.turns = turns
	}
	v := e.param("v")
	r.values(v)
	if miss {
		r.miss = r.value(v, 32, "miss")
		r.encode()
	}
	r.blocks()
	e.done()
}

// turns is how many vectors there are until a byte of e is what it was. Where a
// vector of bits is one of cells, that many have a hot of their own: to add to
// e would be one of four instructions that share the vector units.
const turns = 4

type rowWriter struct {
	*cellWriter
	misses                     bool
	turns                      int // vectors of a round
	dst, classes, rows         reg.GPVirtual
	units, table               reg.GPVirtual // units of a row
	base, first, step, element reg.VecVirtual

	fill reg.VecVirtual // with misses: off or miss, by row

	// With misses, and cells of several bytes: what stands for off, on and miss,
	// which half of a cell a unit is, the units that a byte stands for, and which
	// byte is that of a unit, by vector of units.
	codes       [3]reg.VecVirtual
	halves, lut reg.VecVirtual
	spread      []reg.VecVirtual
}

// count returns the numbers from 0, each as often as told.
func count(n, times int) (b []byte) {
	for i := range n {
		b = append(b, byte(i/times))
	}
	return b
}

// pairs returns the even numbers from 0, each twice.
func pairs(n int) (b []byte) {
	for i := range n {
		b = append(b, byte(i&^1))
	}
	return b
}

// blocks emits the loops.
func (r *rowWriter) blocks() {
	e := r.emitter
	const block = 64
	class, hot := e.vector(), []reg.VecVirtual{named(e, e.vector(), "hot, class + row*depth")}
	for range r.turns - 1 {
		hot = append(hot, named(e, e.vector(), "hot less 64 a vector"))
	}
	r.element = named(e, e.vector(), "e")
	entry, left := named(e, e.GP64(), "entry"), named(e, e.GP64(), "vectors left")
	e.Label("block")
	e.MOVQ(r.table, entry)
	e.MOVQ(r.units, left)
	e.move(r.first, r.element)
	e.Label("start")
	e.load(operand.Mem{Base: r.classes}, class)
	if r.width == 16 {
		e.VPADDB(class, class, class)
	}
	e.VPADDB(r.base, class, hot[0])
	for i := range r.turns - 1 {
		e.VPSUBB(r.step, hot[i], hot[i+1])
	}
	if r.misses { // no class has the highest bit, since depth <= 128
		missed := e.K()
		e.VPMOVB2M(class, missed)
		r.fill = named(e, e.vector(), "off or miss")
		e.VPBLENDMB(r.codes[2], r.codes[0], missed, r.fill)
	}
	e.Label("vector")
	for _, hot := range hot[:r.turns-1] {
		r.vector(entry, hot)
		e.DECQ(left)
		e.JZ(operand.LabelRef("rows"))
	}
	r.vector(entry, hot[r.turns-1])
	if r.turns < turns {
		e.VPADDB(r.step, r.element, r.element)
	}
	e.DECQ(left)
	e.JNZ(operand.LabelRef("vector"))
	e.Label("rows")
	e.ADDQ(operand.I32(block), r.classes)
	e.SUBQ(operand.I32(block), r.rows)
	if r.stream {
		e.JNZ(operand.LabelRef("block"))
		return
	}
	e.CMPQ(r.rows, operand.I32(block))
	e.JGE(operand.LabelRef("block"))
	e.TESTQ(r.rows, r.rows)
	e.JZ(operand.LabelRef("written"))

	e.Comment("Rows left over: a block that ends where the rows end, without its first vectors.")
	skip, disp := named(e, e.GP64(), "vectors to skip"), e.GP64()
	e.SUBQ(operand.I32(block), r.rows)
	e.ADDQ(r.rows, r.classes)
	e.IMULQ(r.units, r.rows) // less than 0 from here on
	e.MOVQ(r.rows, skip)
	e.NEGQ(skip)
	e.SHRQ(operand.U8(6), skip)
	e.MOVQ(r.units, left)
	e.SUBQ(skip, left)
	e.SHLQ(operand.U8(6), skip) // units from here on
	e.LEAQ(operand.Mem{Base: r.table, Index: skip, Scale: 1}, entry)
	e.broadcast(8, skip, r.element)
	e.VPADDB(r.first, r.element, r.element)
	e.LEAQ(operand.Mem{Base: r.rows, Index: skip, Scale: 1}, disp)
	e.LEAQ(operand.Mem{Base: r.dst, Index: disp, Scale: uint8(r.unit)}, r.dst)
	e.MOVQ(operand.I32(block), r.rows)
	e.JMP(operand.LabelRef("start"))
	e.Label("written")
}

// encode prepares for misses: bytes say which of three values a unit has. Bytes
// are their own codes.
func (r *rowWriter) encode() {
	e, per := r.emitter, r.width/r.unit // units of a cell
	if r.codes = [3]reg.VecVirtual{r.off, r.on, r.miss}; r.width == 1 {
		return
	}
	r.lut = named(e, e.vector(), "off, on, miss")
	e.move(r.off, r.lut)
	for i, x := range []reg.VecVirtual{r.on, r.miss} {
		lanes, k := e.GP64(), e.K()
		e.MOVQ(operand.I32(int32((1<<per-1)<<((i+1)*per))), lanes)
		e.KMOVQ(lanes, k)
		r.blend(x, r.lut, k, r.lut)
	}
	r.codes = [3]reg.VecVirtual{named(e, e.vector(), "code of off"), e.splatConst(8, per, "code of on"), e.splatConst(8, 0x80|2*per, "code of miss")}
	e.zero(r.codes[0])
	if per > 1 {
		r.codes[1], r.halves = e.table("codes of on", []byte{2, 3}), e.table("halves", []byte{0, 1})
	}
	first := make([]byte, e.bytes)
	for i := range r.lanes {
		first[i*r.unit] = byte(i)
	}
	r.spread = []reg.VecVirtual{e.table("bytes of units", first)}
	lanes := e.splatConst(8, r.lanes, "units of a vector of them")
	for i := 1; i < r.unit; i++ {
		next := named(e, e.vector(), "bytes of further units")
		e.VPADDB(lanes, r.spread[i-1], next)
		r.spread = append(r.spread, next)
	}
}

// vector writes the cells of one vector of bits.
func (r *rowWriter) vector(entry reg.GPVirtual, hot reg.VecVirtual) {
	e := r.emitter
	row, pick, on := e.vector(), e.vector(), e.K()
	e.load(operand.Mem{Base: entry}, row)
	e.VPERMB(hot, row, pick)
	e.VPCMPEQB(pick, r.element, on)
	if r.misses {
		e.VPERMB(r.fill, row, pick)
		r.writeCodes(on, pick, operand.Mem{Base: r.dst})
	} else {
		r.write(on, operand.Mem{Base: r.dst})
	}
	e.ADDQ(operand.I32(int32(e.bytes)), entry)
	e.ADDQ(operand.I32(int32(e.bytes*r.unit)), r.dst)
}

// writeCodes writes on, and elsewhere what the codes say. Permutes and, where
// vectors are many, blends take turns: a processor has few units for either.
func (r *rowWriter) writeCodes(on reg.Register, fill reg.VecVirtual, to operand.Mem) {
	e := r.emitter
	if r.width == 1 {
		e.VPBLENDMB(r.on, fill, on, fill)
		e.store(fill, to)
		return
	}
	missed, codes, turns := e.K(), e.vector(), len(r.spread) > 2
	if turns {
		e.VPMOVB2M(fill, missed)
	}
	if r.halves != nil {
		e.or(r.halves, fill, fill)
	}
	e.VPBLENDMB(r.codes[1], fill, on, codes)
	for i, spread := range r.spread {
		out := e.vector()
		if turns && i%2 == 0 {
			r.blend(r.on, r.off, r.shifted(on, i), out)
			r.blend(r.miss, out, r.shifted(missed, i), out)
		} else {
			e.VPERMB(codes, spread, out)
			e.byWidth(8*r.unit, nil, e.VPERMW, e.VPERMD, e.VPERMQ)(r.lut, out, out)
		}
		e.store(out, to.Offset(i*e.bytes))
	}
}

// rowsByBytes is rows with AVX2, which permutes within 16 bytes and has no
// masks: a block is 16 rows, whose classes are in both halves of a vector, and
// each byte of the output has its own pick of them and its own column, both
// from the table. One permute and one compare give a mask as wide as the cells,
// at every width.
func rowsByBytes(e *emitter, c *cellWriter, miss bool) {
	width := c.width
	dst, classes, rows, depth := e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	table := e.param("table")
	v := e.param("v")
	c.values(v)
	if miss {
		c.miss = c.value(v, 32, "miss")
	}
	class := named(e, e.vector(), "classes")
	row, entry, left := named(e, e.GP64(), "bytes of a row"), named(e, e.GP64(), "entry"), named(e, e.GP64(), "16 bytes left")
	e.MOVQ(depth, row)
	if width > 1 {
		e.SHLQ(operand.U8(log2(width)), row)
	}
	mask := func(x reg.VecVirtual, at int, half bool) reg.VecVirtual {
		m, out, cls := operand.Mem{Base: entry, Disp: 2 * at}, x, class
		on, off, missed := c.on, c.off, c.miss
		column := m.Offset(32)
		if half {
			out, cls = x.AsX().(reg.VecVirtual), class.AsX().(reg.VecVirtual)
			on, off = c.on.AsX().(reg.VecVirtual), c.off.AsX().(reg.VecVirtual)
		}
		e.VPSHUFB(m, cls, out)
		if miss { // no class has the highest bit, since depth <= 128
			fill := e.vector()
			if half {
				fill, missed = fill.AsX().(reg.VecVirtual), c.miss.AsX().(reg.VecVirtual)
			}
			e.VPBLENDVB(out, missed, off, fill)
			off = fill
		}
		e.VPCMPEQB(column, out, out)
		e.VPAND(on, out, out)
		e.VPXOR(off, out, out)
		return out
	}
	e.Label("block")
	e.VBROADCASTI128(operand.Mem{Base: classes}, class)
	e.MOVQ(table, entry)
	e.MOVQ(row, left)
	e.SUBQ(operand.I32(4), left)
	e.JLT(operand.LabelRef("few"))
	e.Label("pair")
	for at := 0; at < 64; at += 32 {
		c.put(mask(e.vector(), at, false), operand.Mem{Base: dst, Disp: at})
	}
	e.ADDQ(operand.I32(128), entry)
	e.ADDQ(operand.I32(64), dst)
	e.SUBQ(operand.I32(4), left)
	e.JGE(operand.LabelRef("pair"))
	e.Label("few")
	if width < 4 { // others are whole pairs
		e.TESTQ(operand.U32(2), left)
		e.JZ(operand.LabelRef("half"))
		c.put(mask(e.vector(), 0, false), operand.Mem{Base: dst})
		e.ADDQ(operand.I32(64), entry)
		e.ADDQ(operand.I32(32), dst)
		e.Label("half")
	}
	if width < 2 && !c.stream { // a block is whole vectors
		e.TESTQ(operand.U32(1), left)
		e.JZ(operand.LabelRef("next"))
		e.VMOVDQU(mask(e.vector(), 0, true), operand.Mem{Base: dst})
		e.ADDQ(operand.I32(16), dst)
		e.Label("next")
	}
	const block = 16
	e.ADDQ(operand.I32(block), classes)
	e.SUBQ(operand.I32(block), rows)
	if c.stream {
		e.JNZ(operand.LabelRef("block"))
		e.done()
		return
	}
	e.CMPQ(rows, operand.I32(block))
	e.JGE(operand.LabelRef("block"))
	e.TESTQ(rows, rows)
	e.JZ(operand.LabelRef("written"))
	e.Comment("Rows left over: one more block, which ends where the rows end.")
	e.SUBQ(operand.I32(block), rows)
	e.ADDQ(rows, classes)
	e.IMULQ(row, rows)
	e.ADDQ(rows, dst)
	e.MOVQ(operand.I32(block), rows)
	e.JMP(operand.LabelRef("block"))
	e.Label("written")
	e.done()
}
