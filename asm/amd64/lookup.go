package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// planesByLookup writes planes in the order of planesByColumns, where off is
// zero. One VPSHUFB by the table of a plane makes a vector of its cells,
// whether on, off or miss. A comparison takes two instructions, or three where
// there are misses. The indices of a VPSHUFB serve a group of planes. A table
// has 16 bytes, so that a group has 15 planes at most: see lookupTable.
func planesByLookup(e *emitter) {
	e.prose("The outer loop goes over blocks, the one in it over rounds of columns, the last of which ends exactly at n, the next one over groups of planes, and the innermost one over the planes of a group. The classes of a round stay in registers, less the first plane of the group. The addition of 128 minus the planes of a group leaves bit 7 clear in classes that have a plane in the group, whose low bits then tell the planes apart. It saturates, so that all other classes get bit 7, for which VPSHUFB gives 0. An AND leaves the low bits, and the place of the entry of each byte of a cell. A miss becomes 255, since no group begins beyond class 111, and the AND leaves of it the place of the byte of miss.")
	p := newColumnWriter(e)
	dst, plane := e.param("dst"), e.param("plane")
	p.from = e.param("classes")
	p.picks()
	table, left := named(e, e.GP64(), "table"), named(e, e.GP64(), "planes left of the group")
	in := func(disp int) operand.Mem { return operand.Mem{Base: table, Disp: disp} }
	write := func() {
		p.restart()
		e.argument("table", table)
		masks := p.masks(in)
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
		e.alignLoop()
		e.CMPQ(p.planesLeft, left)
		e.CMOVQLT(p.planesLeft, left)
		e.SUBQ(left, p.planesLeft)
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
		e.Label("subtract")
		less := e.vector()
		e.broadcast(8, left, less)
		for _, classes := range p.kept {
			e.VPSUBB(less, classes, classes)
		}
		e.JMP(operand.LabelRef("group"))
		e.Label("first")
		e.argument("first", left)
		e.JMP(operand.LabelRef("subtract"))
		e.Label("written")
	}
	e.Label("block")
	p.columns(dst, write)
	e.DECQ(e.inFrame("blocks")) // which no register is left for
	e.JNZ(operand.LabelRef("block"))
}

// masks returns, for each vector of a round, the mask by which an AND makes
// indices of sums. Bit 7 tells a miss from a class, which is below 128.
func (p *columnWriter) masks(in func(disp int) operand.Mem) (masks []reg.VecVirtual) {
	class := p.e.vector()
	p.e.load(in(kernels.LookupClass), class)
	for _, classes := range p.kept {
		mask := named(p.e, p.e.vector(), "masks")
		p.e.VPBLENDVB(classes, in(kernels.LookupMiss), class, mask)
		masks = append(masks, mask)
	}
	return masks
}
