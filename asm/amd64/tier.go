package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tier is one level of the instruction set. Kernels carry its name as their suffix, and the library's dispatch
// tests exactly the extensions listed here before it calls one.
type tier struct {
	name  string
	bytes int      // of a vector; 0 where the tier has none to speak of
	isa   []string // avo's names
}

// The SSE2 and CMOV of every amd64, and SFENCE, which avo files under MMX+, need no test.
var baseline = tier{name: "", isa: []string{"SSE2", "CMOV", "MMX+"}}

var tiers = func() []tier {
	avx2 := tier{name: "AVX2", bytes: 32, isa: append([]string{"AVX", "AVX2", "POPCNT"}, baseline.isa...)}
	avx512 := tier{name: "AVX512", bytes: 64, isa: append([]string{
		"AVX512F", "AVX512BW", "AVX512VL", "AVX512DQ", "AVX512VBMI", "AVX512VBMI2",
	}, avx2.isa...)}
	return []tier{avx512, avx2}
}()

// A role is what a register means throughout a kernel.
type role struct {
	reg  reg.Register
	name string
}

// A head is what a kernel's comment says: prose, then the registers by role, known once they are allocated.
type head struct {
	tier  tier
	prose []string
	roles []role
}

// An emitter is a build context bound to a tier. Its methods that are spelled like words differ between tiers in
// the instructions they emit, the ones spelled in capitals are the instructions themselves.
type emitter struct {
	*build.Context
	tier
	heads map[string]*head
	head  *head
}

func (e *emitter) wide() bool { return e.bytes == 64 }

// kernel starts a function. doc becomes the stub's comment, prose the head comment in the assembly.
func (e *emitter) kernel(name, signature, doc string, prose ...string) {
	name += e.name
	e.Function(name)
	e.Attributes(attr.NOSPLIT)
	e.Pragma("noescape")
	e.Signature(parse(signature))
	e.Doc(wrapLines(name+" "+doc, 100)...)
	e.head = &head{tier: e.tier}
	for _, p := range prose {
		e.head.prose = append(e.head.prose, wrapLines(p, 100)...)
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

// argument loads an argument of 64 bits. avo's Load does not know pointers of package unsafe.
func (e *emitter) argument(name string, r reg.Register) {
	arg, err := e.Param(name).Resolve()
	if err != nil {
		log.Fatal(err)
	}
	e.MOVQ(arg.Addr, r)
}

// param32 loads an int32.
func (e *emitter) param32(name string) reg.GPVirtual {
	r := e.GP32()
	e.Load(e.Param(name), r)
	return r
}

// vector returns a register of the tier's full width.
func (e *emitter) vector() reg.VecVirtual {
	if e.wide() {
		return e.ZMM()
	}
	return e.YMM()
}

// half returns a register of half the tier's width.
func (e *emitter) half() reg.VecVirtual {
	if e.wide() {
		return e.YMM()
	}
	return e.XMM()
}

func (e *emitter) load(m operand.Mem, v reg.VecVirtual) {
	if e.wide() {
		e.VMOVDQU64(m, v)
	} else {
		e.VMOVDQU(m, v)
	}
}

func (e *emitter) store(v reg.VecVirtual, m operand.Mem) {
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
func (e *emitter) broadcast(bits int, r reg.GPVirtual, v reg.VecVirtual) {
	op := e.byWidth(bits, e.VPBROADCASTB, e.VPBROADCASTW, e.VPBROADCASTD, e.VPBROADCASTQ)
	if e.wide() {
		if bits == 64 {
			op(r.As64(), v)
		} else {
			op(r.As32(), v)
		}
		return
	}
	if bits == 64 {
		e.VMOVQ(r.As64(), v.AsX())
	} else {
		e.VMOVD(r.As32(), v.AsX())
	}
	op(v.AsX(), v)
}

// splat is broadcast into a new register with a role.
func (e *emitter) splat(bits int, r reg.GPVirtual, name string) reg.VecVirtual {
	v := named(e, e.vector(), name)
	e.broadcast(bits, r, v)
	return v
}

// splatConst is splat of a constant.
func (e *emitter) splatConst(bits, x int, name string) reg.VecVirtual {
	r := e.GP32()
	e.MOVL(operand.U32(uint32(x)), r)
	return e.splat(bits, r, name)
}

// choose sets out to on in the lanes where x equals y and to off in the others: by a mask register on AVX-512, by a
// byte mask in a vector on AVX2. x may be in memory. Nothing is computed from on and off, so every bit of them survives.
func (e *emitter) choose(bits int, x operand.Op, y, on, off, out reg.VecVirtual) {
	equal := e.byWidth(bits, e.VPCMPEQB, e.VPCMPEQW, e.VPCMPEQD, e.VPCMPEQQ)
	if e.wide() {
		k := e.K()
		equal(x, y, k)
		e.byWidth(bits, e.VPBLENDMB, e.VPBLENDMW, e.VPBLENDMD, e.VPBLENDMQ)(on, off, k, out)
		return
	}
	equal(x, y, out)
	e.VPBLENDVB(out, on, off, out)
}

// byWidth picks the instruction of an element width.
func (e *emitter) byWidth(bits int, b, w, d, q func(...operand.Op)) func(...operand.Op) {
	switch bits {
	case 8:
		return b
	case 16:
		return w
	case 32:
		return d
	}
	return q
}

// at is the address of element i of an array, and of the one disp elements behind it.
func at(base, i reg.Register, size, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: i, Scale: uint8(size), Disp: disp * size}
}

// sweep walks n >= step elements: unroll steps at a time, then single ones, and at last, where n is no multiple of step, the
// step that ends exactly at n and overlaps the one before. body handles the step at element i+disp. For the overlapped
// step tail runs in its place when it is not nil; redo then holds how many of its leading elements were handled before.
func (e *emitter) sweep(n reg.GPVirtual, step, unroll int, body func(i reg.GPVirtual, disp int), tail func(i, redo reg.GPVirtual)) {
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
	if tail != nil {
		e.SUBQ(last, i)
		tail(last, i)
	} else {
		body(last, 0)
	}
	e.Label("swept")
}

// wrapLines breaks prose into comment lines.
func wrapLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(fmt.Sprint(line, " ", word))
	}
	return append(lines, line)
}
