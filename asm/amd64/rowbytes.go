package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// rowsByBytes is rows with AVX2, which permutes within 16 bytes and has no
// masks: the classes of 16 rows are in both halves of a vector, and each byte
// of the output has its own pick of them and its own column, both from the
// table. One permute and one compare give a mask as wide as the cells, so that
// one kernel does for every width.
//
// A block is twice 16 rows, which share what is loaded of the table: two loads
// for each vector would keep the load units busy for as long as the stores.
// Where off is zero a loop of its own spares an instruction.
//
// Non-temporal stores come in whole blocks, straight from the comparison, as
// those of planes do. They keep memory as busy as those of AVX-512 would.
func rowsByBytes(e *emitter) {
	r := &byteRows{cellWriter: newCellWriter(e), misses: e.entry.Name == "rowsMiss"}
	last, zero := ", the last of which ends exactly at the last row", ", and another where off is zero"
	if r.stream {
		last, zero = "", ""
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
	if r.misses {
		r.miss = r.value(v, 32, "miss")
	}
	if !r.stream {
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
		if r.misses {
			e.alignMiddle()
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
	e.Label("written")
}

// ahead is how far behind the start of the next block memory is asked for: rows
// of a few bytes have blocks that are too short to ask in time. None costs up
// to 6%, twice up to 15% at three bytes a row.
const ahead = 512

// loop is that over the vectors of a block. A single window of 64 bytes, from
// which a Zen 5 fetches, is best for it where off is zero, without misses, and
// holds that of non-temporal stores. The others are longer: see alignMiddle.
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
		pick, out := as(r.YMM()), as(r.YMM())
		r.VPSHUFB(row, as(class), pick)
		r.VPCMPEQB(column, pick, out)
		r.VPAND(as(r.on), out, out)
		if !zero {
			r.VPXOR(as(r.off), out, out)
		}
		if r.misses { // no class has the highest bit, since depth <= 128
			r.VPBLENDVB(pick, as(r.miss), out, out)
		}
		r.put(out, operand.Mem{Base: r.dst[i], Index: r.i, Scale: 1})
	}
}
