package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// rows writes shallow rows, with AVX-512. A block is 64 rows, so that depth
// vectors of bits, one for each cell, are a whole block.
//
// Cell e of a block belongs to row e/depth and is on where hot, which is class
// + row*depth, equals e: modulo 256 too, since a row has at most 255
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
func rows(e *emitter) {
	if !e.wide() {
		rowsByBytes(e)
		return
	}
	e.prose("A loop over blocks, the last of which ends exactly at the last row; in it one over vectors of bits.")
	r := &rowWriter{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	r.dst, r.classes, r.rows, r.units = e.param("dst"), e.param("classes"), e.param("rows"), e.param("depth")
	r.table = e.param("table")
	r.first = e.table("e of the first vector", count(e.bytes, 1))
	if r.width == 16 {
		e.ADDQ(r.units, r.units)
		r.first = e.table("e of the first vector", pairs(e.bytes))
	}
	r.base = named(e, e.vector(), "row*depth")
	e.load(operand.Mem{Base: r.table}, r.base)
	named(e, r.units, "units of a block")
	e.SHLQ(operand.U8(6), r.units)
	e.LEAQ(operand.Mem{Base: r.table, Index: r.units, Scale: 1, Disp: e.bytes}, r.table)
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	r.step = e.splatConst(8, e.bytes, "units of a vector")
	r.turns = 1
	if r.width == 1 {
		r.turns = turns
	}
	v := e.param("v")
	r.values(v)
	if r.misses {
		r.miss = r.value(v, 32, "miss")
		r.none = e.nones()
		r.encode()
	}
	r.blocks()
}

// turns is how many vectors there are until a byte of e is what it was. Where a
// vector of bits is one of cells, that many have a hot of their own: to add to
// e would be one of four instructions that share the vector units.
const turns = 4

type rowWriter struct {
	*cellWriter
	misses                     bool
	turns                      int           // vectors of a round
	dst, table                 reg.GPVirtual // where those of a block end
	classes, rows              reg.GPVirtual
	units, i                   reg.GPVirtual // units of a block
	base, first, step, element reg.VecVirtual

	none, fill reg.VecVirtual // with misses: 255s, and off or miss by row

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
	least := named(e, e.GP64(), "where i starts")
	r.i = named(e, e.GP64(), "i, from below 0")
	e.MOVQ(r.units, least)
	e.NEGQ(least)
	e.SUBQ(operand.I32(block), r.rows)
	if r.turns == turns {
		e.move(r.first, r.element)
	}
	e.Label("block")
	e.MOVQ(least, r.i)
	if r.turns < turns {
		e.move(r.first, r.element)
	}
	e.Label("start")
	e.load(operand.Mem{Base: r.classes}, class)
	missed := e.K()
	if r.misses {
		e.VPCMPEQB(r.none, class, missed)
	}
	if r.width == 16 {
		e.VPADDB(class, class, class)
	}
	e.VPADDB(r.base, class, hot[0])
	for i := range r.turns - 1 {
		e.VPSUBB(r.step, hot[i], hot[i+1])
	}
	if r.misses {
		r.fill = named(e, e.vector(), "off or miss")
		e.VPBLENDMB(r.codes[2], r.codes[0], missed, r.fill)
	}
	e.Label("vector")
	for _, hot := range hot[:r.turns-1] {
		r.vector(hot)
		e.ADDQ(operand.I32(int32(e.bytes)), r.i)
		e.JZ(operand.LabelRef("rows"))
	}
	r.vector(hot[r.turns-1])
	if r.turns < turns {
		e.VPADDB(r.step, r.element, r.element)
	}
	e.ADDQ(operand.I32(int32(e.bytes)), r.i)
	e.JNZ(operand.LabelRef("vector"))
	e.Label("rows")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.units, Scale: uint8(r.unit)}, r.dst)
	e.ADDQ(operand.I32(block), r.classes)
	e.SUBQ(operand.I32(block), r.rows)
	e.JGE(operand.LabelRef("block"))
	e.leftOver(block, r.classes, r.rows, r.units, block, "a block that ends where the rows end, without its first vectors.")
	e.LEAQ(operand.Mem{Base: r.dst, Index: r.rows, Scale: uint8(r.unit)}, r.dst)
	e.NEGQ(r.rows)
	e.ANDQ(operand.I32(-64), r.rows)
	e.broadcast(8, r.rows, r.element)
	e.VPADDB(r.first, r.element, r.element)
	e.LEAQ(operand.Mem{Base: least, Index: r.rows, Scale: 1}, r.i)
	e.XORL(r.rows.As32(), r.rows.As32())
	e.JMP(operand.LabelRef("start"))
	e.Label("written")
}

// leftOver starts the block that ends where the rows end, unless the last whole
// one did. It lies rows, which is negative, from where the next one would;
// rows becomes that distance in dst, where so many rows take size.
func (e *emitter) leftOver(block int, classes, rows, size reg.GPVirtual, of int, comment string) {
	e.CMPQ(rows, operand.I32(int32(-block)))
	e.JEQ(operand.LabelRef("written"))
	e.Comment("Rows left over: " + comment)
	e.ADDQ(rows, classes)
	e.IMULQ(size, rows)
	e.SARQ(operand.U8(log2(of)), rows)
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
func (r *rowWriter) vector(hot reg.VecVirtual) {
	e, to := r.emitter, operand.Mem{Base: r.dst, Index: r.i, Scale: uint8(r.unit)}
	row, pick, on := e.vector(), e.vector(), e.K()
	e.load(operand.Mem{Base: r.table, Index: r.i, Scale: 1}, row)
	e.VPERMB(hot, row, pick)
	e.VPCMPEQB(pick, r.element, on)
	if r.misses {
		e.VPERMB(r.fill, row, pick)
		r.writeCodes(on, pick, to)
	} else {
		r.write(on, to)
	}
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
	missed, codes, alternate := e.K(), e.vector(), len(r.spread) > 2
	if alternate {
		e.VPMOVB2M(fill, missed)
	}
	if r.halves != nil {
		e.or(r.halves, fill, fill)
	}
	e.VPBLENDMB(r.codes[1], fill, on, codes)
	for i, spread := range r.spread {
		out := e.vector()
		if alternate && i%2 == 0 {
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
// masks: the classes of 16 rows are in both halves of a vector, and each byte
// of the output has its own pick of them and its own column, both from the
// table. One permute and one compare give a mask as wide as the cells, so that
// one kernel does for every width.
//
// A block is twice 16 rows, which share what is loaded of the table: two loads
// for each vector would keep the load units busy for as long as the stores.
// Where off is zero a loop of its own spares an instruction of four.
//
// Non-temporal stores come in whole blocks, straight from the comparison, as
// those of planes do. They keep memory as busy as those of AVX-512 would.
func rowsByBytes(e *emitter) {
	r := &byteRows{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	last, zero := ", the last of which ends exactly at the last row", ""
	switch {
	case r.stream:
		last = ""
	case !r.misses:
		zero = ", and another where off is zero"
	}
	e.prose("A loop over blocks of twice 16 rows" + last + "; in it one over vectors of both" + zero + ".")
	r.dst[0], r.classes, r.rows = e.param("dst"), e.param("classes"), e.param("rows")
	r.bytes = named(e, e.GP64(), "bytes of 16 rows")
	r.table = e.param("table")
	r.byteOf = named(e, e.vector(), "byte of the cell")
	e.load(operand.Mem{Base: r.table}, r.byteOf)
	e.MOVQ(operand.Mem{Base: r.table, Disp: kernels.RowTableSize}, r.bytes)
	v := e.param("v")
	r.values(v)
	switch {
	case r.misses:
		r.miss = r.value(v, 32, "miss")
	case !r.stream:
		r.zero = named(e, e.GP64(), "whether off is zero")
		e.XORL(r.zero.As32(), r.zero.As32())
		e.VPTEST(r.off, r.off)
		e.SETEQ(r.zero.As8())
	}
	r.blocks()
}

type byteRows struct {
	*cellWriter
	misses         bool
	dst            [2]reg.GPVirtual // where the vectors of each 16 rows end
	classes, rows  reg.GPVirtual
	bytes          reg.GPVirtual // of 16 rows
	table, i, zero reg.GPVirtual
	next           reg.GPVirtual // ahead bytes behind the vectors of the next block
	class          [2]reg.VecVirtual
}

// blocks emits the loops.
func (r *byteRows) blocks() {
	e := r.emitter
	const block = 32
	vectors := r.bytes
	if !r.stream { // those of bytes may end with half a vector
		vectors = named(e, e.GP64(), "those in vectors")
		e.MOVQ(r.bytes, vectors)
		e.ANDQ(operand.I32(-32), vectors)
	}
	r.dst[1] = named(e, e.GP64(), "dst of the 16 rows behind")
	e.ADDQ(vectors, r.dst[0])
	e.LEAQ(operand.Mem{Base: r.dst[0], Index: r.bytes, Scale: 1}, r.dst[1])
	e.LEAQ(operand.Mem{Base: r.table, Index: vectors, Scale: 2, Disp: kernels.RowTableHead}, r.table)
	r.i = named(e, e.GP64(), "i, from below 0")
	for i := range r.class {
		r.class[i] = named(e, e.vector(), "classes")
	}
	e.SUBQ(operand.I32(block), r.rows)
	e.Label("block")
	for i, class := range r.class {
		e.VBROADCASTI128(operand.Mem{Base: r.classes, Disp: 16 * i}, class)
	}
	if !r.stream {
		r.next = named(e, e.GP64(), fmt.Sprintf("%d bytes behind the vectors of the next block, or where this one's end if no whole one follows", ahead))
		e.LEAQ(operand.Mem{Base: r.dst[1], Index: r.bytes, Scale: 2, Disp: ahead}, r.next)
		e.CMPQ(r.rows, operand.I32(block))
		e.CMOVQLT(r.dst[1], r.next)
	}
	e.MOVQ(vectors, r.i)
	e.NEGQ(r.i)
	if r.zero != nil {
		e.TESTQ(r.zero, r.zero)
		e.JNZ(operand.LabelRef("zero"))
	}
	if r.stream {
		e.align(64)
	} else {
		e.JMP(operand.LabelRef("vector"))
		e.alignMiddle()
	}
	r.loop("vector", false)
	if r.zero != nil {
		e.JMP(operand.LabelRef("whole"))
		e.align(64)
		r.loop("zero", true)
	}
	e.Label("whole")
	if !r.stream {
		e.TESTQ(operand.U32(16), r.bytes)
		e.JZ(operand.LabelRef("next"))
		r.vectors(reg.VecVirtual.AsX, false)
		e.Label("next")
	}
	for _, dst := range r.dst {
		e.LEAQ(operand.Mem{Base: dst, Index: r.bytes, Scale: 2}, dst)
	}
	e.ADDQ(operand.I32(block), r.classes)
	e.SUBQ(operand.I32(block), r.rows)
	e.JGE(operand.LabelRef("block"))
	if r.stream {
		return
	}
	e.leftOver(block, r.classes, r.rows, r.bytes, 16, "one more block, which ends where the rows end.")
	for _, dst := range r.dst {
		e.ADDQ(r.rows, dst)
	}
	e.XORL(r.rows.As32(), r.rows.As32())
	e.JMP(operand.LabelRef("block"))
	e.Label("written")
}

// ahead is how far behind the start of the next block memory is asked for: rows
// of a few bytes have blocks that are too short to ask in time. None costs up
// to 6%, twice up to 15% at three bytes a row.
const ahead = 512

// loop is that over the vectors of a block. A single window of 64 bytes, from
// which a Zen 5 fetches, is best for it where off is zero, and holds that of
// non-temporal stores. The others are longer: see alignMiddle.
//
// Unless stores are non-temporal it also asks, each turn, for a line that the
// next block will write, or one close behind. Stores of half a line, to two
// places in turn, wait for what they replace: on a Xeon (family 6, model 167)
// rows that go to the last-level cache are 1.3 to 1.7 times as fast for it,
// those that stay in the second-level cache 1.1 times. Stores of whole lines,
// by AVX-512, gain nothing there. To ask never faults, but may fetch up to
// ahead bytes behind the output; where no whole block follows it asks for lines
// of its own instead.
func (r *byteRows) loop(label string, zero bool) {
	r.Label(label)
	r.vectors(reg.VecVirtual.AsY, zero)
	r.ADDQ(operand.I32(32), r.i)
	r.JNZ(operand.LabelRef(label))
}

// vectors writes one of each 16 rows, from the entry of the table at i, as much
// of it as those registers hold.
func (r *byteRows) vectors(as func(reg.VecVirtual) reg.Register, zero bool) {
	entry := operand.Mem{Base: r.table, Index: r.i, Scale: 2}
	row := as(r.YMM())
	var column operand.Op = entry.Offset(32)
	r.VMOVDQU(entry, row)
	if !r.stream {
		r.PREFETCHT0(operand.Mem{Base: r.next, Index: r.i, Scale: 2})
		loaded := as(r.YMM())
		r.VMOVDQU(column, loaded)
		column = loaded
	}
	for i, class := range r.class {
		out, off := as(r.YMM()), as(r.off)
		r.VPSHUFB(row, as(class), out)
		if r.misses { // no class has the highest bit, since depth <= 128
			off = as(r.YMM())
			r.VPBLENDVB(out, as(r.miss), as(r.off), off)
		}
		r.VPCMPEQB(column, out, out)
		r.VPAND(as(r.on), out, out)
		if !zero {
			r.VPXOR(off, out, out)
		}
		r.put(out, operand.Mem{Base: r.dst[i], Index: r.i, Scale: 1})
	}
}
