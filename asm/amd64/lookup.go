package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// planesByLookup writes planes in the order of planesByColumns, where off is
// zero. One VPSHUFB by the table of a plane makes a vector of its cells, be they
// on, off or miss. A comparison takes two instructions, or three where there
// are misses. The indices of a VPSHUFB serve a group of planes. A table has 16
// bytes, so that a group has 15 planes at most: see lookupTable.
func planesByLookup(e *emitter) {
	e.prose("The outer loop goes over blocks, the one in it over rounds of columns, the last of which ends exactly at n, the next one over groups of planes, and the innermost one over the planes of a group. The classes of a round stay in registers, less the first plane of the group. A saturating addition leaves bit 7 clear in those that have a plane in the group, which its low bits tell apart, and sets it in all others; for these VPSHUFB gives 0. An AND then leaves the bits that choose among the bytes of an entry, and those of the entry of each byte of a cell. Of a miss, which the addition makes 255, it leaves the place of the byte of miss.")
	p := &columnWriter{planeWriter: planeWriter{cellWriter: newCellWriter(e)}}
	dst, plane := e.param("dst"), e.param("plane")
	p.from = e.param("classes")
	p.picks()
	table, left := named(e, e.GP64(), "table"), named(e, e.GP64(), "planes left of the group")
	in := func(disp int) operand.Mem { return operand.Mem{Base: table, Disp: disp} }
	write := func() {
		p.first()
		e.argument("table", table)
		masks := p.keeps(in)
		e.CMPQ(e.inFrame("first"), operand.U8(0))
		e.JNE(operand.LabelRef("first"))
		e.Label("group")
		bias := e.vector()
		e.VPBROADCASTB(in(kernels.LookupBias), bias)
		var indices []reg.VecVirtual
		for i, classes := range p.kept {
			index := named(e, e.vector(), "indices")
			e.VPADDUSB(bias, classes, index)
			e.VPAND(masks[i], index, index)
			indices = append(indices, index)
		}
		e.MOVQ(in(kernels.LookupGroup), left)
		e.CMPQ(p.planesLeft, left)
		e.CMOVQLT(p.planesLeft, left)
		e.SUBQ(left, p.planesLeft)
		e.align(64)
		e.repeat("plane", left, func() {
			cells, out := e.vector(), e.vector()
			e.VBROADCASTI128(in(kernels.LookupPlanes), cells)
			for i, index := range indices {
				e.VPSHUFB(index, cells, out)
				e.store(out, operand.Mem{Base: p.at, Disp: i * e.bytes})
			}
			e.ADDQ(operand.I32(16), table)
			e.ADDQ(plane, p.at)
		})
		e.TESTQ(p.planesLeft, p.planesLeft)
		e.JZ(operand.LabelRef("written"))
		e.Comment("Count the classes from the first plane of the next group.")
		e.argument("table", table)
		e.MOVQ(in(kernels.LookupGroup), left)
		e.Label("less")
		less := e.vector()
		e.broadcast(8, left, less)
		for _, classes := range p.kept {
			e.VPSUBB(less, classes, classes)
		}
		e.JMP(operand.LabelRef("group"))
		e.Label("first")
		e.argument("first", left)
		e.JMP(operand.LabelRef("less"))
		e.Label("written")
	}
	e.Label("block")
	p.columns(dst, write)
	e.DECQ(e.inFrame("blocks")) // which no register is left for
	e.JNZ(operand.LabelRef("block"))
}

// keeps returns, for each vector of a round, the mask by which an AND makes
// indices of its sums. A class is below 128, so that bit 7 tells a miss from it.
func (p *columnWriter) keeps(in func(disp int) operand.Mem) (masks []reg.VecVirtual) {
	known := p.vector()
	p.load(in(kernels.LookupClass), known)
	for _, classes := range p.kept {
		mask := named(p.emitter, p.vector(), "masks")
		p.VPBLENDVB(classes, in(kernels.LookupNone), known, mask)
		masks = append(masks, mask)
	}
	return masks
}
