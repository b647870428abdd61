package main

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (e *emitter) wide() bool { return e.bytes == 64 }

// align starts what follows at a multiple of so many bytes; avo has no PCALIGN.
func (e *emitter) align(bytes int) {
	e.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U8(bytes)}})
}

// alignLoop is align for a loop of AVX2 that starts here or a few instructions
// on. Where it starts decides where the jump that closes it ends. If that jump
// crosses a multiple of 32 bytes or ends at one, the cores of Skylake decode it
// again in every round: on a Cascade Lake short loops took up to 1.3 times as
// long. TestJumps of asm/verify says whether a loop lies well; a few do only
// without this.
func (e *emitter) alignLoop() {
	if !e.wide() {
		e.align(32)
	}
}

// alignMiddle makes the next instruction start in the middle of a window of so
// many bytes. A Zen 5 fetches 64 at a time: there a loop of 70 to 80 bytes lies
// in two windows wherever it starts, and takes 1.2 to 1.7 times as long if it
// starts where a window does. The code before it must jump over the padding.
func (e *emitter) alignMiddle(window int) {
	e.align(window)
	e.Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(0x90)}})
	e.align(window / 2)
}

// vector returns a new register of the tier's full width.
func (e *emitter) vector() reg.VecVirtual {
	if e.wide() {
		return e.ZMM()
	}
	return e.YMM()
}

// load and store move a vector from or to any address. move moves it to an
// aligned address or to another register.
func (e *emitter) load(m operand.Mem, v reg.VecVirtual) { e.unaligned(m, v) }
func (e *emitter) store(v reg.Register, m operand.Mem)  { e.unaligned(v, m) }

func (e *emitter) unaligned(from, to operand.Op) {
	if e.wide() {
		e.VMOVDQU64(from, to)
	} else {
		e.VMOVDQU(from, to)
	}
}

func (e *emitter) move(from reg.VecVirtual, to operand.Op) {
	if e.wide() {
		e.VMOVDQA64(from, to)
	} else {
		e.VMOVDQA(from, to)
	}
}

// ones sets every bit of a register.
func (e *emitter) ones(v reg.VecVirtual) {
	if e.wide() {
		e.VPTERNLOGD(operand.U8(0xff), v, v, v)
	} else {
		e.VPCMPEQD(v, v, v)
	}
}

// nones returns a register that has 255, the byte of no class, in every byte.
func (e *emitter) nones() reg.VecVirtual {
	v := named(e, e.vector(), "255s")
	e.ones(v)
	return v
}

// zero clears a register.
func (e *emitter) zero(v reg.VecVirtual) {
	if e.wide() {
		e.VPXORD(v, v, v)
	} else {
		e.VPXOR(v, v, v)
	}
}

// or sets out to the bits that x or y has; x may be in memory.
func (e *emitter) or(x operand.Op, y, out reg.VecVirtual) {
	if e.wide() {
		e.VPORQ(x, y, out)
	} else {
		e.VPOR(x, y, out)
	}
}

// and sets out to the bits that x and y have.
func (e *emitter) and(x, y, out reg.VecVirtual) {
	if e.wide() {
		e.VPANDQ(x, y, out)
	} else {
		e.VPAND(x, y, out)
	}
}

// broadcast repeats the low bits of a general register, as many as width says,
// in every lane of v. AVX2 can do so only from the low lane of a vector.
func (e *emitter) broadcast(width int, r reg.GPVirtual, v reg.VecVirtual) {
	from, move := reg.Register(r.As32()), e.VMOVD
	if width == 64 {
		from, move = r.As64(), e.VMOVQ
	}
	if !e.wide() {
		move(from, v.AsX())
		from = v.AsX()
	}
	e.byWidth(width, e.VPBROADCASTB, e.VPBROADCASTW, e.VPBROADCASTD, e.VPBROADCASTQ)(from, v)
}

// splat broadcasts a general register to a new vector register that has a role.
func (e *emitter) splat(width int, r reg.GPVirtual, name string) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.broadcast(width, r, v)
	return v
}

// splatConst is splat for a constant.
func (e *emitter) splatConst(width, x int, name string) reg.VecVirtual {
	r := e.GP32()
	e.set(r, x)
	return e.splat(width, r, name)
}

// set sets a register to a constant of 32 bits. Go 1.27 assembles a MOVQ of one
// to fewer bytes than its predecessors, so that loops behind it would lie
// elsewhere; a MOVL takes the same bytes everywhere, and clears the upper half.
func (e *emitter) set(r reg.GPVirtual, x int) { e.MOVL(operand.U32(x), r.As32()) }

// byWidth returns the instruction for elements of that many bits.
func (e *emitter) byWidth(width int, b, w, d, q func(...operand.Op)) func(...operand.Op) {
	return []func(...operand.Op){b, w, d, q}[log2(width/8)]
}

// at returns the address of element i+disp of an array of elements of size
// bytes.
func at(base, i reg.Register, size, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: uint8(size), Disp: disp * size}
}

func log2(x int) uint8 { return uint8(bits.Len(uint(x)) - 1) }

// table loads constant bytes into a new register, repeated to fill a vector.
func (e *emitter) table(name string, content []byte) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.load(e.tableIn(content), v)
	return v
}

// tableIn returns the address of such bytes in memory.
func (e *emitter) tableIn(content []byte) operand.Mem {
	for len(content) < e.bytes {
		content = append(content, content...)
	}
	key := string(content[:e.bytes])
	if _, ok := e.tables[key]; !ok {
		e.tables[key] = e.constant(fmt.Sprintf("table%d", len(e.tables)), key)
	}
	return e.tables[key]
}

// constant emits read-only bytes, a multiple of 8 of them.
func (e *emitter) constant(name, content string) operand.Mem {
	m := e.StaticGlobal(name)
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for word := range slices.Chunk([]byte(content), 8) {
		e.AppendDatum(operand.U64(binary.LittleEndian.Uint64(word)))
	}
	return m
}
