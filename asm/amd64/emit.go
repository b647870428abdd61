package main

import (
	"fmt"
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

// An emitter is a build context bound to a tier. Its methods that are spelled
// like words differ between tiers in the instructions they emit, the ones
// spelled in capitals are the instructions themselves.
type emitter struct {
	*build.Context
	tier
	entry  *kernels.Family        // of the family under way
	key    kernels.Key            // of the kernel under way
	head   *head                  // of the kernel under way
	heads  map[string]*head       // by kernel
	tables map[string]operand.Mem // by content
	iota   operand.Mem            // the bytes from 0 to 63: 16 of them from k on are the VPSHUFB control that rotates 16 bytes by k
}

// A head is what a kernel's comment says: prose, then the registers by role,
// known once they are allocated.
type head struct {
	tier  tier
	prose []string
	roles []role
}

// A role is what a register means throughout a kernel.
type role struct {
	reg  reg.Register
	name string
}

// family writes the kernels of a family of the manifest, one for each key, if
// the tier has them.
func (e *emitter) family(f *kernels.Family) {
	if !slices.Contains(f.Tiers, e.name) {
		return
	}
	e.entry = f
	for _, e.key = range f.EachKey(e.name) {
		e.kernel(writers[f.Name])
	}
}

// kernel writes a kernel, whose signature and contract are the manifest's.
func (e *emitter) kernel(write func(e *emitter)) {
	name := e.entry.Kernel(e.key, e.name)
	e.Function(name)
	e.Attributes(attr.NOSPLIT)
	e.Signature(parse(e.entry.Stub(e.key, e.name)))
	e.head = &head{tier: e.tier}
	e.heads[name] = e.head
	write(e)
	if e.bytes > 0 {
		e.VZEROUPPER() // the caller's code is SSE
	}
	e.RET()
}

// prose explains the code, in the head of the first key's, behind the contract.
func (e *emitter) prose(text string) {
	if e.key == e.entry.EachKey(e.name)[0] {
		contract := e.entry.Kernel(e.key, e.name) + " " + e.entry.Doc
		e.head.prose = append(kernels.Wrap(contract, 76), kernels.Wrap(text, 76)...)
	}
}

// parse reads a signature in which unsafe is imported, which avo by itself
// offers only to a package that exists.
func parse(signature string) *gotypes.Signature {
	pkg := types.NewPackage("github.com/go-onehot/onehot", "onehot")
	pkg.Scope().Insert(types.NewPkgName(0, pkg, "unsafe", types.Unsafe))
	return must(gotypes.ParseSignatureInPackage(pkg, "func"+signature))
}

// gate fails when a kernel uses an extension that its tier's dispatch does not
// test.
func (e *emitter) gate(fn *ir.Function) error {
	t := e.heads[fn.Name].tier
	for _, isa := range fn.ISA {
		if !slices.Contains(t.isa, isa) {
			return fmt.Errorf("%s uses %s, which tier %q does not test", fn.Name, isa, t.name)
		}
	}
	return nil
}

// legend puts the head comment in front of a kernel, with the registers that
// its roles came to lie in. Roles that are never alive at once may share one.
func (e *emitter) legend(fn *ir.Function) error {
	h := e.heads[fn.Name]
	var roles []string
	for _, r := range h.roles {
		// This variant may do without a role.
		if p := fn.Allocation.LookupRegister(r.reg); p != nil {
			if text := p.Asm() + " " + r.name; !slices.Contains(roles, text) {
				roles = append(roles, text)
			}
		}
	}
	lines := append(slices.Clone(h.prose), kernels.Wrap(strings.Join(roles, ", ")+".", 100)...)
	fn.Nodes = slices.Insert(fn.Nodes, 0, ir.Node(ir.NewComment(lines...)))
	return nil
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
	return must(e.Param(name).Resolve()).Addr
}

// must returns what there is unless something went wrong.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}
