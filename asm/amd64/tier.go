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

	"github.com/go-onehot/onehot/asm/kernels"
)

// A tier is one level of the instruction set. Kernels carry its name as their
// suffix, and the library's dispatch tests exactly the extensions listed here
// before it calls one.
type tier struct {
	name  string
	bytes int      // of a vector; 0 where the tier has none to speak of
	isa   []string // avo's names
}

var (
	// The SSE2 and CMOV of every amd64, and SFENCE and PREFETCHT0, which avo files
	// under MMX+, need no test.
	baseline = tier{kernels.Baseline, 0, []string{"SSE2", "CMOV", "MMX+"}}
	avx2     = tier{kernels.AVX2, 32, append([]string{"AVX", "AVX2", "BMI", "POPCNT"}, baseline.isa...)}
	avx512   = tier{kernels.AVX512, 64, append([]string{"AVX512F", "AVX512BW", "AVX512VL", "AVX512DQ", "AVX512VBMI", "AVX512VBMI2", "BMI2"}, avx2.isa...)}
)

func (e *emitter) wide() bool { return e.bytes == 64 }

// align starts what follows at a multiple of so many bytes. avo does not know
// the directive.
func (e *emitter) align(bytes int) {
	e.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U8(bytes)}})
}

// alignMiddle starts what follows in the middle of 64 bytes, which is what a
// Zen 5 fetches at a time. A loop of 70 to 80 bytes is in two such windows
// wherever it starts, and takes 1.2 to 1.7 times as long if it starts where a
// window does. What precedes must jump over the padding.
func (e *emitter) alignMiddle() {
	const nops = 0x9090909090909090
	e.align(64)
	for range 32 / 8 {
		e.Instruction(&ir.Instruction{Opcode: "QUAD", Operands: []operand.Op{operand.U64(nops)}})
	}
}

// vector returns a register of the tier's full width.
func (e *emitter) vector() reg.VecVirtual {
	if e.wide() {
		return e.ZMM()
	}
	return e.YMM()
}

// load and store move a vector to or from any address, move to an aligned one
// or from register to register.
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

// ones sets every bit.
func (e *emitter) ones(v reg.VecVirtual) {
	if e.wide() {
		e.VPTERNLOGD(operand.U8(0xff), v, v, v)
	} else {
		e.VPCMPEQD(v, v, v)
	}
}

// nones returns a register full of what stands for no class.
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

// or sets out to the bits of x or y; x may be in memory.
func (e *emitter) or(x operand.Op, y, out reg.VecVirtual) {
	if e.wide() {
		e.VPORQ(x, y, out)
	} else {
		e.VPOR(x, y, out)
	}
}

// and sets out to the bits of x and y.
func (e *emitter) and(x, y, out reg.VecVirtual) {
	if e.wide() {
		e.VPANDQ(x, y, out)
	} else {
		e.VPAND(x, y, out)
	}
}

// broadcast repeats the low bits of a general register in every lane: AVX2 can
// only from the low lane of a vector.
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

// splat is broadcast into a new register with a role.
func (e *emitter) splat(width int, r reg.GPVirtual, name string) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.broadcast(width, r, v)
	return v
}

// splatConst is splat of a constant.
func (e *emitter) splatConst(width, x int, name string) reg.VecVirtual {
	r := e.GP32()
	e.MOVL(operand.U32(uint32(x)), r)
	return e.splat(width, r, name)
}

// byWidth picks the instruction of elements of so many bits.
func (e *emitter) byWidth(width int, b, w, d, q func(...operand.Op)) func(...operand.Op) {
	return []func(...operand.Op){b, w, d, q}[log2(width/8)]
}

// at is the address of element i of an array, and of the one disp elements
// behind it.
func at(base, i reg.Register, size, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: uint8(size), Disp: disp * size}
}

func log2(x int) uint8 { return uint8(bits.Len(uint(x)) - 1) }

// table loads constant bytes into a register; fewer than a vector's are
// repeated.
func (e *emitter) table(name string, content []byte) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.load(e.tableIn(content), v)
	return v
}

// tableIn is table in memory.
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

// constant emits bytes, a multiple of 8.
func (e *emitter) constant(name, content string) operand.Mem {
	m := e.StaticGlobal(name)
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for word := range slices.Chunk([]byte(content), 8) {
		e.AppendDatum(operand.U64(binary.LittleEndian.Uint64(word)))
	}
	return m
}
