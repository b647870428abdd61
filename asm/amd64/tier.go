package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
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

// The SSE2 and CMOV of every amd64, and SFENCE, which avo files under MMX+,
// need no test.
var baseline = tier{name: "", isa: []string{"SSE2", "CMOV", "MMX+"}}

var tiers = func() []tier {
	avx2 := tier{name: "AVX2", bytes: 32, isa: append([]string{"AVX", "AVX2", "POPCNT"}, baseline.isa...)}
	avx512 := tier{name: "AVX512", bytes: 64, isa: append([]string{
		"AVX512F", "AVX512BW", "AVX512VL", "AVX512DQ", "AVX512VBMI", "AVX512VBMI2", "BMI2",
	}, avx2.isa...)}
	return []tier{avx512, avx2}
}()

// A role is what a register means throughout a kernel.
type role struct {
	reg  reg.Register
	name string
}

// A head is what a kernel's comment says: prose, then the registers by role,
// known once they are allocated.
type head struct {
	tier  tier
	prose []string
	roles []role
}

// An emitter is a build context bound to a tier. Its methods that are spelled
// like words differ between tiers in the instructions they emit, the ones
// spelled in capitals are the instructions themselves.
type emitter struct {
	*build.Context
	tier
	heads     map[string]*head
	tables    map[string]operand.Mem
	described map[string]bool
	head      *head
}

// align starts what follows at a multiple of so many bytes. avo does not know
// the directive.
func (e *emitter) align(bytes int) {
	e.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U8(bytes)}})
}

func (e *emitter) wide() bool { return e.bytes == 64 }

// kernel starts a kernel of a family: its signature and contract are the
// manifest's. prose explains the code.
func (e *emitter) kernel(family, suffix string, prose ...string) {
	f := kernels.Find(family)
	name := f.Kernel(kernels.Key{Suffix: suffix}, e.name)
	e.Function(name)
	e.Attributes(attr.NOSPLIT)
	e.Signature(parse(f.Stub(e.name)))
	e.head = &head{tier: e.tier}
	if !e.described[family+e.name] { // once for all keys
		e.described[family+e.name] = true
		for _, p := range append([]string{name + " " + f.Doc}, prose...) {
			e.head.prose = append(e.head.prose, kernels.Wrap(p, 76)...)
		}
	}
	e.heads[name] = e.head
}

// done ends a kernel.
func (e *emitter) done() {
	if e.bytes > 0 {
		e.VZEROUPPER() // the caller's code is SSE
	}
	e.RET()
}

// named records the role of a register for the head comment.
func named[R reg.Register](e *emitter, r R, name string) R {
	e.head.roles = append(e.head.roles, role{r, name})
	return r
}

// param loads an argument of 64 bits into a new general register.
func (e *emitter) param(name string) reg.GPVirtual {
	r := named(e, e.GP64(), name)
	e.argument(name, r)
	return r
}

// argument loads an argument of 64 bits. avo's Load does not know pointers of
// package unsafe.
func (e *emitter) argument(name string, r reg.Register) {
	e.MOVQ(e.inFrame(name), r)
}

// inFrame is an argument where the caller left it, for a kernel that needs it
// seldom and has no register to spare.
func (e *emitter) inFrame(name string) operand.Mem {
	arg, err := e.Param(name).Resolve()
	if err != nil {
		log.Fatal(err)
	}
	return arg.Addr
}

// vector returns a register of the tier's full width.
func (e *emitter) vector() reg.VecVirtual {
	if e.wide() {
		return e.ZMM()
	}
	return e.YMM()
}

func (e *emitter) load(m operand.Mem, v reg.VecVirtual) {
	if e.wide() {
		e.VMOVDQU64(m, v)
	} else {
		e.VMOVDQU(m, v)
	}
}

func (e *emitter) store(v reg.Register, m operand.Mem) {
	if e.wide() {
		e.VMOVDQU64(v, m)
	} else {
		e.VMOVDQU(v, m)
	}
}

// move copies a whole register.
func (e *emitter) move(from, to reg.VecVirtual) {
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

// broadcast repeats the low bits of a general register in every lane.
func (e *emitter) broadcast(width int, r reg.GPVirtual, v reg.VecVirtual) {
	op := e.byWidth(width, e.VPBROADCASTB, e.VPBROADCASTW, e.VPBROADCASTD, e.VPBROADCASTQ)
	if e.wide() {
		if width == 64 {
			op(r.As64(), v)
		} else {
			op(r.As32(), v)
		}
		return
	}
	if width == 64 {
		e.VMOVQ(r.As64(), v.AsX())
	} else {
		e.VMOVD(r.As32(), v.AsX())
	}
	op(v.AsX(), v)
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

// byWidth picks the instruction of an element width.
func (e *emitter) byWidth(width int, b, w, d, q func(...operand.Op)) func(...operand.Op) {
	switch width {
	case 8:
		return b
	case 16:
		return w
	case 32:
		return d
	}
	return q
}

// at is the address of element i of an array, and of the one disp elements
// behind it.
func at(base, i reg.Register, size, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: uint8(size), Disp: disp * size}
}

// An array is where a pointer stands in elements of a size; 0 is none.
type array struct {
	ptr  reg.GPVirtual
	size int
}

// rounds walks left >= step elements of every one of arrays, step elements a
// round; the last round ends exactly at the last element, and overlaps the one
// before. body handles the elements at which the arrays stand; redo, in CX,
// times a scale, is how many of them were handled before.
func (e *emitter) rounds(left reg.GPVirtual, step, scale int, arrays []array, body func()) {
	redo := named(e, reg.RCX, "elements handled before")
	e.XORL(reg.ECX, reg.ECX)
	e.Label("round")
	body()
	for _, a := range arrays {
		e.ADDQ(operand.I32(int32(step*a.size)), a.ptr)
	}
	e.SUBQ(operand.I32(int32(step)), left)
	e.CMPQ(left, operand.I32(int32(step)))
	e.JGE(operand.LabelRef("round"))
	e.TESTQ(left, left)
	e.JZ(operand.LabelRef("walked"))
	e.MOVQ(operand.I32(int32(step)), redo)
	e.SUBQ(left, redo)
	back := e.GP64()
	e.MOVQ(redo, back)
	if scale > 1 {
		e.SHLQ(operand.U8(log2(scale)), redo)
	}
	scale = 1
	for _, size := range []int{1, 2, 4, 8} { // arrays of one size after the other
		for _, a := range arrays {
			if a.size != size {
				continue
			}
			if size > scale {
				e.SHLQ(operand.U8(log2(size/scale)), back)
				scale = size
			}
			e.SUBQ(back, a.ptr)
		}
	}
	e.MOVQ(operand.I32(int32(step)), left)
	e.JMP(operand.LabelRef("round"))
	e.Label("walked")
}

// countRounds is rounds of a vector of bytes each, in which body gives a bit
// for every element; the kernel returns, under that name, how many were set.
func (e *emitter) countRounds(left reg.GPVirtual, result string, arrays []array, body func() reg.GPVirtual) {
	total := named(e, e.GP64(), result)
	e.XORQ(total, total)
	e.rounds(left, e.bytes, 1, arrays, func() {
		found := body()
		e.SHRQ(reg.CL, found)
		e.POPCNTQ(found, found)
		e.ADDQ(found, total)
	})
	e.Store(total, e.Return(result))
}

func log2(x int) uint8 { return uint8(bits.Len(uint(x)) - 1) }

// table loads constant bytes into a register; fewer than a vector's are
// repeated.
func (e *emitter) table(name string, content []byte) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.load(e.constant(content), v)
	return v
}

// constant is table in memory.
func (e *emitter) constant(content []byte) operand.Mem {
	for len(content) < e.bytes {
		content = append(content, content...)
	}
	key := fmt.Sprintf("table_%x", content[:e.bytes])
	m, ok := e.tables[key]
	if !ok {
		m = e.StaticGlobal(fmt.Sprintf("table%d", len(e.tables)))
		e.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := 0; i < e.bytes; i += 8 {
			e.AddDatum(i, operand.U64(binary.LittleEndian.Uint64(content[i:])))
		}
		e.tables[key] = m
	}
	return m
}

// sweep walks n >= step elements: unroll steps at a time, then single ones, and
// at last, where n is no multiple of step, the step that ends exactly at n and
// overlaps the one before. body handles the step at element i+disp.
func (e *emitter) sweep(n reg.GPVirtual, step, unroll int, body func(i reg.GPVirtual, disp int)) {
	i, last := named(e, e.GP64(), "i"), named(e, e.GP64(), "last step's i")
	e.XORQ(i, i)
	e.LEAQ(operand.Mem{Base: n, Disp: -step * unroll}, last)
	e.CMPQ(i, last)
	e.JGT(operand.LabelRef("singles"))
	e.Label("unrolled")
	for u := 0; u < unroll; u++ {
		body(i, u*step)
	}
	e.ADDQ(operand.I32(step*unroll), i)
	e.CMPQ(i, last)
	e.JLE(operand.LabelRef("unrolled"))
	e.Label("singles")
	e.ADDQ(operand.I32(step*(unroll-1)), last)
	e.CMPQ(i, last)
	e.JGT(operand.LabelRef("ragged"))
	e.Label("single")
	body(i, 0)
	e.ADDQ(operand.I32(step), i)
	e.CMPQ(i, last)
	e.JLE(operand.LabelRef("single"))
	e.Label("ragged")
	e.CMPQ(i, n)
	e.JEQ(operand.LabelRef("swept"))
	body(last, 0)
	e.Label("swept")
}
