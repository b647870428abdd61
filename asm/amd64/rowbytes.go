package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// rowsByBytes writes rows with AVX2, which permutes within 16 bytes and has no
// mask registers. Both halves of a vector hold the classes of 16 rows. The
// table says for each byte of the output which of these classes is that of its
// row, and which column the byte belongs to. One permute and one comparison
// make a mask as wide as the cells, so that one kernel does for every width.
//
// A block is two groups of 16 rows, which share what is loaded from the table:
// two loads for each vector would keep the load units busy for as long as the
// stores take. Where off is zero, a separate loop saves an instruction. Rows of
// up to 4 bytes have a loop over blocks instead: see shortBlocks.
//
// Non-temporal stores are made for whole blocks, straight from the comparison,
// as in planesStream. On a Zen 5 they keep memory as busy as those of AVX-512
// would; for Intel's processors see stream.
func rowsByBytes(e *emitter) {
	r := &byteRows{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	last, zero := ", the last of which ends exactly at the last row", "; where off is zero, another one saves an instruction"
	short := " Rows of up to 4 bytes have a loop over blocks instead, with the entries of both their vectors in registers; " +
		"if rows have 2 bytes, there is one vector to a group, and a block is four groups."
	if r.stream {
		last, zero, short = "", "", ""
	}
	e.prose("The outer loop goes over blocks of two groups of 16 rows" + last + ". The inner loop goes over vectors of both groups" + zero + ". One entry of the table serves both groups, since two loads for each vector would take as long as the stores. A permute brings to each byte of a vector the class of its row, and a comparison with the byte's column makes the mask of what is on. With that mask, an AND and an exclusive or make on or off; in rowsMiss, a blend by the highest bit of the class, which only 255 has, then puts in miss. Unless stores are non-temporal, each turn prefetches what the next block will write, for which its stores would wait." + short)
	r.dst[0], r.classes, r.rows = e.param("dst"), e.param("classes"), e.param("rows")
	r.bytes = named(e, e.GP64(), "bytes of 16 rows")
	r.table = e.param("table")
	r.byteOf = named(e, e.vector(), "each byte's place in its cell")
	e.load(operand.Mem{Base: r.table}, r.byteOf)
	e.MOVQ(operand.Mem{Base: r.table, Disp: kernels.RowTableSize}, r.bytes)
	v := e.param("v")
	r.values(v)
	if r.misses {
		r.miss = r.value(v, 32, "miss")
	}
	if r.stream {
		r.blocks()
		return
	}
	e.CMPQ(r.bytes, operand.I32(shortRows))
	e.JLE(operand.LabelRef("short"))
	r.zero = r.offIsZero()
	r.blocks()
	r.shortBlocks()
	e.Label("written")
}

type byteRows struct {
	*cellWriter
	misses         bool
	dst            [2]reg.GPVirtual // where the vectors of each group end
	classes, rows  reg.GPVirtual
	bytes          reg.GPVirtual // in 16 rows
	table, i, zero reg.GPVirtual
	next           reg.GPVirtual // where the prefetches of a block end
	class          [2]reg.VecVirtual
}

// blocks emits the loops.
func (r *byteRows) blocks() {
	e := r.e
	const block = 32
	vectors := r.bytes
	if !r.stream { // 16 rows may end with half a vector
		vectors = named(e, e.GP64(), "bytes of 16 rows that are in whole vectors")
		e.MOVQ(r.bytes, vectors)
		e.ANDQ(operand.I32(-32), vectors)
	}
	r.dst[1] = named(e, e.GP64(), "dst of the second group")
	e.ADDQ(vectors, r.dst[0])
	e.LEAQ(operand.Mem{Base: r.dst[0], Index: r.bytes, Scale: 1}, r.dst[1])
	e.LEAQ(operand.Mem{Base: r.table, Index: vectors, Scale: 2, Disp: kernels.RowTableHead}, r.table)
	r.i = named(e, e.GP64(), "i, which counts up to 0")
	for i := range r.class {
		r.class[i] = named(e, e.vector(), "classes of a group")
	}
	e.SUBQ(operand.I32(block), r.rows)
	e.Label("block")
	for i, class := range r.class {
		e.VBROADCASTI128(operand.Mem{Base: r.classes, Disp: 16 * i}, class)
	}
	if !r.stream {
		r.next = named(e, e.GP64(), fmt.Sprintf("end of the prefetches: %d bytes beyond the next block's vectors, or the end of this block's if no whole block follows", nearAhead))
		e.LEAQ(operand.Mem{Base: r.dst[1], Index: r.bytes, Scale: 2, Disp: nearAhead}, r.next)
		e.CMPQ(r.rows, operand.I32(block))
		e.CMOVQLT(r.dst[1], r.next)
	}
	e.MOVQ(vectors, r.i)
	e.NEGQ(r.i)
	if r.zero != nil {
		e.TESTQ(r.zero, r.zero)
		e.JNZ(operand.LabelRef("zero"))
	}
	// A loop that fits a window of 64 bytes, which a Zen 5 fetches at a time,
	// starts with one. Longer loops start in the middle of one: see alignMiddle.
	if r.stream {
		e.align(64)
	} else {
		e.JMP(operand.LabelRef("vector"))
		e.alignMiddle(64)
	}
	r.loop("vector", false)
	if r.zero != nil {
		e.JMP(operand.LabelRef("whole"))
		if r.misses {
			e.alignMiddle(64)
		} else {
			e.align(64)
		}
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
}

// nearAhead is how many bytes beyond its start the next block is prefetched:
// blocks of rows of a few bytes are too short to ask for it in time. With 0,
// calls take up to 6% longer. Twice of it costs up to 15% at three bytes a row.
//
// Stores of half a line that alternate between two places wait for what they
// replace. Unless they are non-temporal, each turn of a loop therefore
// prefetches a line that the next block will write, or one close behind.
// docs/kernels.md has what that gains. A prefetch never faults, but may fetch
// up to nearAhead bytes beyond the output; where no whole block follows, it
// fetches lines of the block itself instead.
const nearAhead = 512

// loop emits the loop over the vectors of a block.
func (r *byteRows) loop(label string, zero bool) {
	r.e.Label(label)
	r.vectors(reg.VecVirtual.AsY, zero)
	r.e.ADDQ(operand.I32(32), r.i)
	r.e.JNZ(operand.LabelRef(label))
}

// vectors writes a vector of each group, from the entry of the table at i. as
// takes the whole of each register or its lower 16 bytes.
func (r *byteRows) vectors(as func(reg.VecVirtual) reg.Register, zero bool) {
	entry := operand.Mem{Base: r.table, Index: r.i, Scale: 2}
	row := as(r.e.YMM())
	var column operand.Op = entry.Offset(32)
	r.e.VMOVDQU(entry, row)
	if !r.stream {
		r.e.PREFETCHT0(operand.Mem{Base: r.next, Index: r.i, Scale: 2})
		loaded := as(r.e.YMM())
		r.e.VMOVDQU(column, loaded)
		column = loaded
	}
	for i, class := range r.class {
		r.vector(as, class, row, column, zero, operand.Mem{Base: r.dst[i], Index: r.i, Scale: 1})
	}
}

// vector writes a vector whose bytes are of the given rows and columns.
func (r *byteRows) vector(as func(reg.VecVirtual) reg.Register, class reg.VecVirtual, row reg.Register, column operand.Op, zero bool, to operand.Mem) {
	pick, out := as(r.e.YMM()), as(r.e.YMM())
	r.e.VPSHUFB(row, as(class), pick)
	r.e.VPCMPEQB(column, pick, out)
	r.e.VPAND(as(r.on), out, out)
	if !zero {
		r.e.VPXOR(as(r.off), out, out)
	}
	if r.misses { // only 255 has the highest bit, since depth <= 128
		r.e.VPBLENDVB(pick, as(r.miss), out, out)
	}
	r.put(out, to)
}

// shortRows is the most bytes of 16 short rows, of up to 4 bytes each.
const shortRows = 64

// shortBlocks emits a loop for rows so short that 16 of them are one or two
// vectors: setting up a loop over vectors would take longer than the vectors.
// The table stays in registers. The second vector of a group ends where the
// group does, and may overlap the first. Where rows have 2 bytes there is only
// one, and a turn writes those of four groups instead.
func (r *byteRows) shortBlocks() {
	e := r.e
	e.Label("short")
	row, column := r.entries()
	second, later, block, step := r.shortSteps()
	e.Label("blocks")
	e.LEAQ(operand.Mem{Base: r.dst[0], Index: r.bytes, Scale: 1}, r.dst[1])
	e.SUBQ(block, r.rows)
	e.alignLoop()
	e.Label("shortblock")
	var class [2][2]reg.VecVirtual
	for g := range r.dst {
		class[0][g], class[1][g] = e.vector(), e.vector()
		e.VBROADCASTI128(operand.Mem{Base: r.classes, Disp: 16 * g}, class[0][g])
		e.VBROADCASTI128(operand.Mem{Base: r.classes, Index: later, Scale: 1, Disp: 16 * g}, class[1][g])
	}
	r.next = named(e, e.GP64(), fmt.Sprintf("what to prefetch: %d bytes beyond the next block, or this one if no whole block follows", nearAhead))
	e.LEAQ(operand.Mem{Base: r.dst[0], Index: step, Scale: 1, Disp: nearAhead}, r.next)
	e.CMPQ(r.rows, block)
	e.CMOVQLT(r.dst[0], r.next)
	for k, to := range []operand.Mem{{}, {Index: second, Scale: 1}} {
		e.PREFETCHT0(operand.Mem{Base: r.next, Disp: 64 * k})
		for g, dst := range r.dst {
			to.Base = dst
			r.vector(reg.VecVirtual.AsY, class[k][g], row[k], column[k], false, to)
		}
	}
	for _, dst := range r.dst {
		e.ADDQ(step, dst)
	}
	e.ADDQ(block, r.classes)
	e.SUBQ(block, r.rows)
	e.JGE(operand.LabelRef("shortblock"))
	e.ADDQ(r.rows, r.classes)
	e.IMULQ(r.rows, r.bytes)
	e.SARQ(operand.U8(4), r.bytes)
	e.ADDQ(r.rows, block)
	e.JZ(operand.LabelRef("written"))
	e.Comment("Rows left over: one more block, which ends where the rows end.")
	for _, dst := range r.dst {
		e.ADDQ(r.bytes, dst)
	}
	e.SUBQ(r.rows, block)
	e.XORL(r.rows.As32(), r.rows.As32())
	e.JMP(operand.LabelRef("shortblock"))
}

// entries loads the entries of the first and the last vector of 16 rows.
func (r *byteRows) entries() (row, column [2]reg.VecVirtual) {
	e := r.e
	for i, at := range []int{kernels.RowTableHead, kernels.RowTableLast} {
		row[i], column[i] = named(e, e.vector(), "row of each byte"), named(e, e.vector(), "column of each byte")
		e.VMOVDQU(operand.Mem{Base: r.table, Disp: at}, row[i])
		e.VMOVDQU(operand.Mem{Base: r.table, Disp: at + 32}, column[i])
	}
	return row, column
}

// shortSteps returns how far from the first vector of a group the second is in
// dst, how far its classes are from those of the first, and what a block has.
func (r *byteRows) shortSteps() (second, later, block, step reg.GPVirtual) {
	e := r.e
	second, later = named(e, e.GP64(), "second vector in dst"), named(e, e.GP64(), "and its classes")
	block, step = named(e, e.GP64(), "rows of a block"), named(e, e.GP64(), "bytes of a block")
	e.LEAQ(operand.Mem{Base: r.bytes, Disp: -32}, second)
	e.XORL(later.As32(), later.As32())
	e.set(block, 32)
	e.LEAQ(operand.Mem{Base: r.bytes, Index: r.bytes, Scale: 1}, step)
	e.CMPQ(r.bytes, operand.I32(32))
	e.JNE(operand.LabelRef("blocks"))
	e.Comment("Rows of 2 bytes: the second vectors are those of two more groups.")
	e.set(second, 64)
	e.set(later, 32)
	e.set(block, 64)
	e.ADDQ(step, step)
	return second, later, block, step
}
