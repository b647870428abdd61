package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fusedI64 is both stages at once for the pair that training loops hold, int64 labels and float32 rows, where rows are so shallow that
// the buffer between the stages costs as much as the rows. Of depths that divide a vector, so that every vector asks for the same
// columns: 2, 4, 8 and 16.
//
// An index is resolved in its 64 bits, and capped to depth, which no column is. Its low dword is then the class, and sits in every other
// dword of the vector: the rows of one vector of output are one permute away, and those of the next one a few dwords further on.
func fusedI64(e *emitter, iota64 operand.Mem) {
	const rows, blocks = 8, 2
	e.kernel("expandI64by32", "(dst, indices unsafe.Pointer, rows, depth int, on, off uint64, wrap int) (misses int)",
		"writes rows of depth elements of 32 bits, on at the class of indices[row] and off elsewhere, and returns the number of rows without a class. rows >= 16; depth is 2, 4, 8 or 16.",
		"Two blocks of 8 rows side by side, inner loop over the vectors of a block; then two that end exactly at the last row and count only what is new in them.",
		"64 bytes written cost 4 instructions and 2 of the inner loop; 16 indices cost 18.")
	f := &fused{emitter: e}
	f.setup(iota64)
	e.Label("blocks")
	f.write(nil)
	e.SUBQ(operand.I32(rows*blocks), f.left)
	e.CMPQ(f.left, operand.I32(rows*blocks))
	e.JGE(operand.LabelRef("blocks"))
	e.TESTQ(f.left, f.left)
	e.JZ(operand.LabelRef("counted"))

	e.Comment("Too few rows for two blocks: step back into the last ones.")
	back, fresh := named(e, e.GP64(), "rows again"), named(e, e.GP32(), "new rows")
	e.MOVQ(operand.I32(rows*blocks), back)
	e.SUBQ(f.left, back)
	e.MOVL(operand.U32(0xffff), fresh)
	e.MOVQ(back, reg.RCX)
	e.SHLL(reg.CL, fresh)
	e.SHLQ(operand.U8(3), back)
	e.SUBQ(back, f.indices)
	e.SHRQ(operand.U8(1), back) // bytes of as many rows of one element
	e.IMULQ(f.depth, back)
	e.SUBQ(back, f.dst)
	f.write(fresh)
	e.Label("counted")
	f.sum()
	e.done()
}

type fused struct {
	*emitter
	dst, indices, left, depth, half reg.GPVirtual // half: bytes of output of a block
	on, off, wrap, limit            reg.VecVirtual
	column, first, step, misses     reg.VecVirtual
	ones                            reg.VecVirtual
}

func (f *fused) setup(iota64 operand.Mem) {
	e := f.emitter
	f.dst, f.indices, f.left, f.depth = e.param("dst"), e.param("indices"), e.param("rows"), e.param("depth")
	f.on, f.off, f.wrap = e.splatParam(32, "on"), e.splatParam(32, "off"), e.splatParam(64, "wrap")
	f.limit = e.splat(64, f.depth, "depth")
	f.half = named(e, e.GP64(), "block bytes")
	e.MOVQ(f.depth, f.half)
	e.SHLQ(operand.U8(5), f.half)

	f.column, f.first, f.step = named(e, e.vector(), "column"), named(e, e.vector(), "first rows"), named(e, e.vector(), "row step")
	log, count := e.GP64(), e.XMM()
	e.BSFQ(f.depth, log)
	e.VMOVQ(log, count)
	e.VPMOVZXBD(iota64, f.first)
	mask := e.GP64()
	e.LEAQ(operand.Mem{Base: f.depth, Disp: -1}, mask)
	e.broadcast(32, mask, f.column)
	e.VPANDD(f.first, f.column, f.column)
	e.VPSRLD(count, f.first, f.first) // row of a lane
	e.VPADDD(f.first, f.first, f.first)
	f.step = e.splatConst(32, 32, "row step")
	e.VPSRLD(count, f.step, f.step) // two dwords a row

	f.misses, f.ones = named(e, e.vector(), "misses"), named(e, e.vector(), "-1")
	e.zero(f.misses)
	e.ones(f.ones)
}

// write emits two blocks of rows. Of those that were written before, where fresh is given, no miss is counted.
func (f *fused) write(fresh reg.GPVirtual) {
	e, label := f.emitter, "vectors"
	if fresh != nil {
		label = "lastVectors"
	}
	a, b := f.resolve(0, fresh), f.resolve(1, fresh)
	row, left := named(e, e.vector(), "row"), named(e, e.GP64(), "vectors left")
	e.move(f.first, row)
	e.MOVQ(f.depth, left)
	e.SHRQ(operand.U8(1), left)
	e.Label(label)
	for i, classes := range []reg.VecVirtual{a, b} {
		out := e.vector()
		e.VPERMD(classes, row, out)
		e.choose(32, f.column, out, f.on, f.off, out)
		to := operand.Mem{Base: f.dst}
		if i == 1 {
			to = operand.Mem{Base: f.dst, Index: f.half, Scale: 1}
		}
		e.store(out, to)
	}
	e.VPADDD(f.step, row, row)
	e.ADDQ(operand.I32(64), f.dst)
	e.DECQ(left)
	e.JNZ(operand.LabelRef(label))
	e.ADDQ(f.half, f.dst)
	e.ADDQ(operand.I32(128), f.indices)
}

// resolve loads 8 indices and makes them classes, depth for a miss.
func (f *fused) resolve(block int, fresh reg.GPVirtual) reg.VecVirtual {
	e := f.emitter
	from := operand.Mem{Base: f.indices, Disp: 64 * block}
	v, missed := e.vector(), e.K()
	e.VPADDQ(from, f.wrap, v)
	e.VPMINUQ(from, v, v)
	e.VPMINUQ(f.limit, v, v)
	e.VPCMPEQQ(f.limit, v, missed)
	if fresh != nil {
		if block == 1 {
			e.SHRL(operand.U8(8), fresh)
		}
		k := e.K()
		e.KMOVW(fresh, k)
		e.KANDB(k, missed, missed)
	}
	e.VPSUBQ(f.ones, f.misses, missed, f.misses)
	return v
}

// sum returns the misses.
func (f *fused) sum() {
	e := f.emitter
	half, low := e.vector(), f.misses
	e.VEXTRACTI64X4(operand.U8(1), low, half.AsY())
	e.VPADDQ(half.AsY(), low.AsY(), low.AsY())
	e.VEXTRACTI128(operand.U8(1), low.AsY(), half.AsX())
	e.VPADDQ(half.AsX(), low.AsX(), low.AsX())
	e.VPSHUFD(operand.U8(0x4e), low.AsX(), half.AsX())
	e.VPADDQ(half.AsX(), low.AsX(), low.AsX())
	r := e.GP64()
	e.VMOVQ(low.AsX(), r)
	e.Store(r, e.ReturnIndex(0))
}
