package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fusedPairs is fusedI64 for AVX2. Its index stage is that of classesI64, which packs classes to dwords: the rows of one vector of output
// are one permute away again, and those of the next one 8/depth dwords further on.
func fusedPairs(e *emitter, iota64 operand.Mem) {
	const rows, blocks = 8, 2
	e.kernel("expandI64by32", "(dst, indices unsafe.Pointer, rows, depth int, on, off uint64, wrap int) (misses int)",
		"writes rows of depth elements of 32 bits, on at the class of indices[row] and off elsewhere, and returns the number of rows without a class. rows >= 16; depth is 2, 4 or 8.",
		"Two blocks of 8 rows side by side, inner loop over the vectors of a block; then two that end exactly at the last row and count only what is new in them.",
		"64 bytes written cost 8 instructions and 4 of the inner loop; 16 indices cost 35.")
	f := &pairs{emitter: e}
	f.setup(iota64)
	e.Label("blocks")
	f.write("vectors", f.resolve(0), f.resolve(1))
	e.SUBQ(operand.I32(rows*blocks), f.left)
	e.CMPQ(f.left, operand.I32(rows*blocks))
	e.JGE(operand.LabelRef("blocks"))
	e.TESTQ(f.left, f.left)
	e.JZ(operand.LabelRef("counted"))

	e.Comment("Too few rows for two blocks: step back into the last ones.")
	back, bytes := named(e, e.GP64(), "rows again"), named(e, e.GP64(), "bytes again")
	e.MOVQ(operand.I32(rows*blocks), back)
	e.SUBQ(f.left, back)
	e.MOVQ(back, bytes)
	e.SHLQ(operand.U8(3), bytes)
	e.SUBQ(bytes, f.indices)
	e.SHRQ(operand.U8(1), bytes) // of as many rows of one element
	e.IMULQ(f.depth, bytes)
	e.SUBQ(bytes, f.dst)
	saved := e.vector()
	e.move(f.misses, saved)
	a, b := f.resolve(0), f.resolve(1)
	e.move(saved, f.misses)
	e.DECQ(back)
	f.countFrom(a, back, iota64)
	e.SUBQ(operand.I32(rows), back)
	f.countFrom(b, back, iota64)
	f.write("lastVectors", a, b)
	e.Label("counted")
	f.sum()
	e.done()
}

// pairs is a classifier with the registers of an expansion beside its own.
type pairs struct {
	*emitter
	classifier
	dst, left, depth, half    reg.GPVirtual // half: bytes of output of a block
	on, off                   reg.VecVirtual
	column, firstRow, rowStep reg.VecVirtual
}

func (f *pairs) setup(iota64 operand.Mem) {
	e := f.emitter
	f.classifier.emitter = e
	f.dst, f.indices, f.left, f.depth = e.param("dst"), e.param("indices"), e.param("rows"), e.param("depth")
	f.on, f.off, f.wrap = e.splatParam(32, "on"), e.splatParam(32, "off"), e.splatParam(32, "wrap")
	f.classifier.depth = e.splat(32, f.depth, "depth")
	f.half = named(e, e.GP64(), "block bytes")
	e.MOVQ(f.depth, f.half)
	e.SHLQ(operand.U8(5), f.half)

	f.column, f.firstRow = named(e, e.vector(), "column"), named(e, e.vector(), "first rows")
	log, count, mask := e.GP64(), e.XMM(), e.GP64()
	e.BSFQ(f.depth, log)
	e.VMOVQ(log, count)
	e.VPMOVZXBD(iota64, f.firstRow)
	e.LEAQ(operand.Mem{Base: f.depth, Disp: -1}, mask)
	e.broadcast(32, mask, f.column)
	e.VPAND(f.firstRow, f.column, f.column)
	e.VPSRLD(count, f.firstRow, f.firstRow) // row of a lane
	f.rowStep = e.splatConst(32, 8, "row step")
	e.VPSRLD(count, f.rowStep, f.rowStep)

	f.misses, f.miss = named(e, e.vector(), "misses"), named(e, e.vector(), "-1")
	e.zero(f.misses)
	e.ones(f.miss)
}

// resolve makes the classes of a block.
func (f *pairs) resolve(block int) reg.VecVirtual {
	return f.resolvePairs(operand.Mem{Base: f.indices, Disp: 64 * block})
}

// write emits two blocks of rows.
func (f *pairs) write(label string, a, b reg.VecVirtual) {
	e := f.emitter
	row, left := named(e, e.vector(), "row"), named(e, e.GP64(), "vectors left")
	e.move(f.firstRow, row)
	e.MOVQ(f.depth, left)
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
	e.VPADDD(f.rowStep, row, row)
	e.ADDQ(operand.I32(32), f.dst)
	e.DECQ(left)
	e.JNZ(operand.LabelRef(label))
	e.ADDQ(f.half, f.dst)
	e.ADDQ(operand.I32(128), f.indices)
}
