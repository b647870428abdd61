package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// expand writes shallow rows: several rows, or a fraction of one, to a vector.
//
// A block of as many rows as a vector has lanes is exactly depth vectors of output, whatever the depth. Lane l of vector j is element
// e = j*lanes + l of the block, and belongs to row e/depth. With hot = class + row*depth, the element of the block that is on in each
// row, computed once for the block, a lane is on if hot of its row equals e: permute, compare, blend, store. Both may wrap round in the
// element's width: within a row e takes depth <= 255 consecutive values, so only the true one is congruent, and a
// miss, -1 in any width, lands on the last element of the row before.
//
// The row is a multiplication by a reciprocal and a shift. No table is read, so none competes with dst and lanes for the cache.
//
// Four shapes differ in how rows are found and picked:
//   - dwords: 32 and 64 bits. Fixed point makes the multiplication an addition.
//   - words: AVX-512, 16 bits. VPMULHUW is the division, VPERMW picks.
//   - bytes: AVX-512, 8 bits. There is no multiplication of bytes, so rows of even and odd elements are found in words; VPERMB picks.
//   - chunks: AVX2, 8 and 16 bits. VPSHUFB stays within 16 bytes, so both halves of a vector hold the same 16 bytes of rows, and a block is
//     depth chunks of 16 bytes, two to a vector; an odd depth ends in half a vector.
//
// Two loops write them. Where rows are cheap, blocks are written one after the other. Where they are not, four blocks are written side
// by side and share them; that is faster within the first-level cache and slower beyond, where four streams of stores cost more than one.
type expander interface {
	setup()                                               // constants
	start()                                               // the first vector of a block
	hot(m operand.Mem) reg.VecVirtual                     // of the rows whose lanes are at m
	rows(e reg.VecVirtual)                                // of a vector whose elements are e
	pick(hot reg.VecVirtual, out reg.VecVirtual)          // the hot element of every lane's row
	elements() (bits int, e reg.VecVirtual)               // of the current vector, and the width to compare them in
	advance()                                             // to the next vector
	shape() (rows, bytesPerDepth int, name, prose string) // of a block
}

// An expandBase is what all shapes keep.
type expandBase struct {
	*emitter
	bits         int
	iota64       operand.Mem
	depth        reg.GPVirtual
	magic, shift reg.VecVirtual
	e, row, step reg.VecVirtual
	scale        reg.VecVirtual // row*depth
}

func expand(e *emitter, bits int, iota64 operand.Mem) {
	base := &expandBase{emitter: e, bits: bits, iota64: iota64}
	var x expander = &words{expandBase: base}
	switch {
	case bits >= 32:
		x = &dwords{expandBase: base}
	case !e.wide():
		x = &chunks{expandBase: base}
	case bits == 8:
		x = &byteRows{expandBase: base}
	}
	emitExpand(e, base, x)
}

func emitExpand(e *emitter, base *expandBase, x expander) {
	rows, bytesPerDepth, name, prose := x.shape()
	e.kernel(fmt.Sprint("expand", base.bits), "(dst, lanes unsafe.Pointer, rows, depth int, on, off uint64, magic, shift int)",
		fmt.Sprintf("writes rows of depth elements, on at lanes[row] and off elsewhere. rows >= %d, 2 <= depth <= 255, shift = floor(log2(depth-1)), magic = ceil(2^(16+shift)/depth).", rows),
		fmt.Sprintf("Shape %q, blocks of %d rows. %s", name, rows, prose))
	g := &blockLoop{expandBase: base, x: x, rows: rows, bytesPerDepth: bytesPerDepth}
	g.setup()
	if _, bytes := x.(*byteRows); e.wide() && !bytes {
		g.oneStream()
	} else {
		g.fourStreams()
	}
	e.Label("expanded")
	e.done()
}

// fourStreams writes four blocks side by side while there are as many, so that rows are found once for all of them.
func (g *blockLoop) fourStreams() {
	g.block, g.block3 = named(g.emitter, g.GP64(), "block bytes"), named(g.emitter, g.GP64(), "3*block bytes")
	g.IMUL3Q(operand.U32(uint32(g.bytesPerDepth)), g.depth, g.block)
	g.LEAQ(operand.Mem{Base: g.block, Index: g.block, Scale: 2}, g.block3)
	g.CMPQ(g.left, operand.I32(g.rows*4))
	g.JLT(operand.LabelRef("singles"))
	g.Label("four")
	g.write(4)
	g.CMPQ(g.left, operand.I32(g.rows*4))
	g.JGE(operand.LabelRef("four"))
	g.Label("singles")
	g.CMPQ(g.left, operand.I32(g.rows))
	g.JGE(operand.LabelRef("one"))
	g.TESTQ(g.left, g.left)
	g.JZ(operand.LabelRef("expanded"))
	g.rewind()
	g.Label("one")
	g.write(1)
	g.JMP(operand.LabelRef("singles"))
}

// oneStream writes block after block, in the order of addresses, which beyond the first-level cache is worth more than what
// four streams save. Elements advance in two registers in turn: one alone would be a chain of additions longer than all the
// rest. The vector that an odd depth leaves over goes first.
func (g *blockLoop) oneStream() {
	var begin, e [2]reg.VecVirtual
	for i := range e {
		begin[i], e[i] = named(g.emitter, g.vector(), fmt.Sprint("start", i)), named(g.emitter, g.vector(), fmt.Sprint("element", i))
	}
	odd, pairs := named(g.emitter, g.GP64(), "depth odd"), named(g.emitter, g.GP64(), "depth/2")
	g.x.start()
	first, firstRow := named(g.emitter, g.vector(), "first element"), named(g.emitter, g.vector(), "first row")
	g.move(g.e, first)
	g.row = firstRow
	g.x.rows(first)
	g.MOVQ(g.depth, odd)
	g.MOVQ(g.depth, pairs)
	g.SHRQ(operand.U8(1), pairs)
	g.ANDQ(operand.I32(1), odd)
	g.JZ(operand.LabelRef("even"))
	g.x.advance()
	g.Label("even")
	g.move(g.e, begin[0])
	g.x.advance()
	g.move(g.e, begin[1])
	width, _ := g.x.elements()
	g.add(width, g.step, g.step, g.step)

	g.Label("block")
	hot := named(g.emitter, g.x.hot(operand.Mem{Base: g.lanes}), "hot")
	g.move(begin[0], e[0])
	g.move(begin[1], e[1])
	g.TESTQ(odd, odd)
	g.JZ(operand.LabelRef("pairs"))
	g.row = firstRow
	g.vector1(hot, first, 0)
	g.ADDQ(operand.I32(64), g.dst)
	g.Label("pairs")
	j := named(g.emitter, g.GP64(), "pairs left")
	g.MOVQ(pairs, j)
	if w, ok := g.x.(*words); ok {
		g.TESTQ(w.deep, w.deep)
		g.JZ(operand.LabelRef("pair"))
		g.pair("deep", hot, j, e, g.x.rows)
		g.JMP(operand.LabelRef("written"))
		g.pair("pair", hot, j, e, w.shallowRows)
	} else {
		g.pair("pair", hot, j, e, g.x.rows)
	}
	g.Label("written")
	g.ADDQ(operand.I32(64), g.lanes)
	g.SUBQ(operand.I32(g.rows), g.left)
	g.CMPQ(g.left, operand.I32(g.rows))
	g.JGE(operand.LabelRef("block"))
	g.TESTQ(g.left, g.left)
	g.JZ(operand.LabelRef("expanded"))
	g.rewind()
	g.JMP(operand.LabelRef("block"))
}

// pair is the inner loop of oneStream.
func (g *blockLoop) pair(label string, hot reg.VecVirtual, j reg.GPVirtual, e [2]reg.VecVirtual, rows func(reg.VecVirtual)) {
	width, _ := g.x.elements()
	g.Label(label)
	for i := range e {
		g.row = g.vector()
		rows(e[i])
		g.vector1(hot, e[i], 64*i)
		g.add(width, g.step, e[i], e[i])
	}
	g.ADDQ(operand.I32(128), g.dst)
	g.DECQ(j)
	g.JNZ(operand.LabelRef(label))
}

// vector1 writes one vector of one block, whose rows are known.
func (g *blockLoop) vector1(hot, e reg.VecVirtual, disp int) {
	out := g.vector()
	width, _ := g.x.elements()
	g.x.pick(hot, out)
	g.choose(width, e, out, g.on, g.off, out)
	g.store(out, operand.Mem{Base: g.dst, Disp: disp})
}

// A blockLoop writes groups of blocks.
type blockLoop struct {
	*expandBase
	x                   expander
	rows, bytesPerDepth int
	dst, lanes, left    reg.GPVirtual
	block, block3       reg.GPVirtual // bytes of output of one block, of three
	on, off             reg.VecVirtual
}

func (g *blockLoop) setup() {
	g.dst, g.lanes, g.left, g.depth = g.param("dst"), g.param("lanes"), g.param("rows"), g.param("depth")
	g.on, g.off = g.splatParam(g.bits, "on"), g.splatParam(g.bits, "off")
	g.e, g.row = named(g.emitter, g.vector(), "element"), named(g.emitter, g.vector(), "row")
	g.scale = named(g.emitter, g.vector(), "row*depth")
	g.x.setup()
}

// rewind moves back to the last whole block of rows when fewer are left.
func (g *blockLoop) rewind() {
	back := g.GP64()
	g.Comment("Too few rows for a block: step back into the last one.")
	g.SUBQ(operand.I32(g.rows), g.left)
	g.LEAQ(operand.Mem{Base: g.lanes, Index: g.left, Scale: uint8(g.bits / 8)}, g.lanes)
	g.MOVQ(g.left, back)
	g.IMULQ(g.depth, back)
	g.LEAQ(operand.Mem{Base: g.dst, Index: back, Scale: uint8(g.bits / 8)}, g.dst)
	g.MOVQ(operand.I32(g.rows), g.left)
}

// write emits a group of blocks that share rows and elements.
func (g *blockLoop) write(blocks int) {
	label := fmt.Sprint("vectors", blocks)
	hot := make([]reg.VecVirtual, blocks)
	for u := range hot {
		hot[u] = named(g.emitter, g.x.hot(operand.Mem{Base: g.lanes, Disp: u * g.rows * g.bits / 8}), fmt.Sprint("hot", u))
	}
	g.x.start()
	j := named(g.emitter, g.GP64(), "vectors left")
	g.MOVQ(g.depth, j)
	halves := g.bytesPerDepth < g.bytes
	if halves {
		g.SHRQ(operand.U8(1), j)
	}
	g.Label(label)
	g.vectors(hot, false)
	g.x.advance()
	g.ADDQ(operand.I32(g.bytes), g.dst)
	g.DECQ(j)
	g.JNZ(operand.LabelRef(label))
	if halves {
		g.Comment("An odd depth ends in half a vector.")
		g.TESTQ(operand.U32(1), g.depth)
		g.JZ(operand.LabelRef("even" + fmt.Sprint(blocks)))
		g.vectors(hot, true)
		g.ADDQ(operand.I32(16), g.dst)
		g.Label("even" + fmt.Sprint(blocks))
	}
	if blocks == 4 {
		g.ADDQ(g.block3, g.dst)
	}
	g.ADDQ(operand.I32(blocks*g.rows*g.bits/8), g.lanes)
	g.SUBQ(operand.I32(blocks*g.rows), g.left)
}

// vectors writes the current vector, or its lower half, of each block.
func (g *blockLoop) vectors(hot []reg.VecVirtual, half bool) {
	g.x.rows(g.e)
	bits, elements := g.x.elements()
	for u := range hot {
		out := g.vector()
		g.x.pick(hot[u], out)
		g.choose(bits, elements, out, g.on, g.off, out)
		to := []operand.Mem{
			{Base: g.dst}, {Base: g.dst, Index: g.block, Scale: 1},
			{Base: g.dst, Index: g.block, Scale: 2}, {Base: g.dst, Index: g.block3, Scale: 1},
		}[u]
		if half {
			g.VMOVDQU(out.AsX(), to)
		} else {
			g.store(out, to)
		}
	}
}

// iota loads the lane numbers of a width.
func (b *expandBase) iota(bits int, v reg.VecVirtual) {
	switch bits {
	case 8:
		b.load(b.iota64, v)
	case 16:
		b.VPMOVZXBW(b.iota64, v)
	case 32:
		b.VPMOVZXBD(b.iota64, v)
	case 64:
		b.VPMOVZXBQ(b.iota64, v)
	}
}

// add adds lanes of a width.
func (b *expandBase) add(bits int, x operand.Op, y, out reg.VecVirtual) {
	b.byWidth(bits, b.VPADDB, b.VPADDW, b.VPADDD, b.VPADDQ)(x, y, out)
}

func (b *expandBase) start()                          { b.iota(b.bits, b.e) }
func (b *expandBase) advance()                        { b.add(b.bits, b.step, b.e, b.e) }
func (b *expandBase) elements() (int, reg.VecVirtual) { return b.bits, b.e }

// reciprocal loads magic and the shift, as the count of a vector shift.
func (b *expandBase) reciprocal() {
	b.magic = b.splatParam(16, "magic")
	r := b.GP64()
	b.argument("shift", r)
	b.shift = named(b.emitter, b.XMM(), "shift")
	b.VMOVQ(r, b.shift)
}

func (b *expandBase) hot(m operand.Mem) reg.VecVirtual {
	v := b.vector()
	b.add(b.bits, m, b.scale, v)
	return v
}

// words is the shape for 16 bits on AVX-512.
//
// Up to a depth of 45 the reciprocal without further shift, ceil(2^16/depth), is exact: it is less than depth/2^16 too large
// relative to 1, and e is below 32*depth, so that 32*depth^2 < 2^16 is enough. Shallow rows so have a loop of their own without the shift, which is
// what brings them to the speed of wider elements.
type words struct {
	*expandBase
	deep reg.GPVirtual // the shift, 0 if none is needed
}

func (w *words) shape() (int, int, string, string) {
	return 32, 64, "words", "Block after block, two vectors a round. 64 bytes written cost 6 instructions up to depth 45, 7 beyond, and 1.5 of the loop."
}

func (w *words) setup() {
	depth := w.vector()
	w.broadcast(16, w.depth, depth)
	w.iota(16, w.scale)
	w.VPMULLW(depth, w.scale, w.scale)
	w.step = w.splatConst(16, 32, "elements a vector")
	w.magic = w.splatParam(16, "magic")
	w.deep = named(w.emitter, w.GP64(), "shift")
	w.argument("shift", w.deep)
	w.dropShift()
	w.shift = named(w.emitter, w.XMM(), "shift")
	w.VMOVQ(w.deep, w.shift)
}

// dropShift replaces magic by ceil(magic/2^shift), which is ceil(2^16/depth), and shift by 0 where that is exact.
func (w *words) dropShift() {
	w.CMPQ(w.depth, operand.I32(45))
	w.JGT(operand.LabelRef("shifted"))
	magic, carry := w.GP64(), w.GP64()
	w.argument("magic", magic)
	w.MOVQ(w.deep, reg.RCX)
	w.MOVL(operand.I32(-1), carry.As32())
	w.SHLL(reg.CL, carry.As32())
	w.NOTL(carry.As32())
	w.ADDL(carry.As32(), magic.As32())
	w.SHRL(reg.CL, magic.As32())
	w.broadcast(16, magic, w.magic)
	w.XORQ(w.deep, w.deep)
	w.Label("shifted")
}

func (w *words) rows(e reg.VecVirtual) {
	w.shallowRows(e)
	w.VPSRLW(w.shift, w.row, w.row)
}

func (w *words) shallowRows(e reg.VecVirtual) { w.VPMULHUW(w.magic, e, w.row) }

func (w *words) pick(hot, out reg.VecVirtual) { w.VPERMW(hot, w.row, out) }
