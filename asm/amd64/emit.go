package main

import (
	"go/types"
	"log"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// An emitter is a build context of avo for one tier. A method in lower case
// emits the instructions that its tier has for a purpose. A method in capitals
// emits the instruction of that name.
type emitter struct {
	*build.Context
	name      string                 // of the tier
	bytes     int                    // of a vector of the tier; 0 if its kernels use none
	entry     *kernels.Family        // the family whose kernels are being written
	key       kernels.Key            // of the kernel being written
	head      *head                  // of the kernel being written
	heads     map[string]*head       // by name of the kernel
	explained string                 // the text that explains the family
	tables    map[string]operand.Mem // constant tables by content
	iota      operand.Mem            // the bytes 0 to 63; the 16 from k on are the VPSHUFB control that rotates 16 bytes by k
}

// A head is the comment at the start of a kernel: prose, then what each
// register holds, which is known once registers are allocated.
type head struct {
	prose []string
	roles []role
}

// A role is what a register holds throughout a kernel.
type role struct {
	reg  reg.Register
	name string
}

// family writes the kernels of a family, one for each key, if the tier has any.
func (e *emitter) family(f *kernels.Family) {
	if !slices.Contains(f.Tiers, e.name) {
		return
	}
	e.entry = f
	for _, e.key = range f.EachKey(e.name) {
		e.kernel(writers[f.Name])
	}
}

// kernel writes a kernel as the manifest describes it; write emits its body.
func (e *emitter) kernel(write func(e *emitter)) {
	name := e.entry.Kernel(e.key, e.name)
	e.Function(name)
	e.Attributes(attr.NOSPLIT)
	e.Signature(parse(e.entry.Stub(e.key, e.name)))
	e.head = &head{}
	e.heads[name] = e.head
	write(e)
	if e.bytes > 0 {
		e.VZEROUPPER() // the caller's SSE code would be slow without it
	}
	e.RET()
}

// prose sets the head of a kernel to its contract and a text that explains the
// code. Only the first kernel of a family and tier has them; the others name
// it, and must be explained by the same text.
func (e *emitter) prose(text string) {
	first := e.entry.EachKey(e.name)[0]
	name := e.entry.Kernel(first, e.name)
	if e.key != first {
		if text != e.explained {
			log.Fatalf("%s is not explained by the text of %s", e.entry.Kernel(e.key, e.name), name)
		}
		e.head.prose = []string{"See " + name + "."}
		return
	}
	e.explained = text
	e.head.prose = append(kernels.Wrap(name+" "+e.entry.Doc, 76), kernels.Wrap(text, 76)...)
}

// parse parses a signature that may name package unsafe, which avo resolves
// only in a package that exists.
func parse(signature string) *gotypes.Signature {
	pkg := types.NewPackage("github.com/go-onehot/onehot", "onehot")
	pkg.Scope().Insert(types.NewPkgName(0, pkg, "unsafe", types.Unsafe))
	return must(gotypes.ParseSignatureInPackage(pkg, "func"+signature))
}

// legend inserts the head comment of a kernel, with the registers of each role.
// Roles that are never alive at the same time may share a register.
func (e *emitter) legend(fn *ir.Function) error {
	h := e.heads[fn.Name]
	var names []string
	registers := map[string][]string{}
	for _, r := range h.roles {
		p := fn.Allocation.LookupRegister(r.reg)
		if p == nil || slices.Contains(registers[r.name], p.Asm()) { // nil for a register that this kernel never uses
			continue
		}
		if registers[r.name] == nil {
			names = append(names, r.name)
		}
		registers[r.name] = append(registers[r.name], p.Asm())
	}
	lines := slices.Clone(h.prose)
	if len(names) > 0 {
		for i, name := range names {
			names[i] = strings.Join(registers[name], ", ") + ": " + name
		}
		lines = append(lines, kernels.Wrap(strings.Join(names, "; ")+".", 76)...)
	}
	fn.Nodes = slices.Insert(fn.Nodes, 0, ir.Node(ir.NewComment(lines...)))
	return nil
}

// named records the role of a register for the head comment.
func named[R reg.Register](e *emitter, r R, name string) R {
	e.head.roles = append(e.head.roles, role{r, name})
	return r
}

// param loads an argument of 64 bits into a new register, whose role is its
// name.
func (e *emitter) param(name string) reg.GPVirtual {
	r := named(e, e.GP64(), name)
	e.argument(name, r)
	return r
}

// argument loads an argument of 64 bits. avo's Load knows no unsafe.Pointer.
func (e *emitter) argument(name string, r reg.Register) {
	e.MOVQ(e.inFrame(name), r)
}

// inFrame returns the place of an argument in the caller's frame, for a kernel
// that needs the argument seldom and has no register to spare.
func (e *emitter) inFrame(name string) operand.Mem {
	return must(e.Param(name).Resolve()).Addr
}

// must returns x if err is nil, and exits otherwise.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}
