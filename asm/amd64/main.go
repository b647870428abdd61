// Command amd64 writes the kernels of package onehot for amd64, AVX2 and
// AVX-512 from one description.
package main

import (
	"flag"
	"fmt"
	"go/types"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

func main() {
	flags := flag.NewFlagSet("amd64", flag.ExitOnError) // avo has claimed the global one
	out := flags.String("out", "onehot_amd64.s", "assembly `file`")
	dispatch := flags.String("dispatch", "zkernels_amd64.go", "`file` of declarations and switches")
	noasm := flags.String("noasm", "zkernels_noasm.go", "`file` of the same for platforms without kernels")
	flags.Parse(os.Args[1:])

	e := &emitter{Context: build.NewContext(), heads: map[string]*head{}, tables: map[string]operand.Mem{}, described: map[string]bool{}}
	e.ConstraintExpr("!purego")
	iota64 := tables(e)
	for _, e.tier = range tiers {
		emitTier(e, iota64)
	}
	e.tier = baseline
	fillString(e)
	streamEnd(e)
	write(*dispatch, "amd64 && !purego", kernels.AVX512, kernels.AVX2, kernels.Baseline)
	write(*noasm, "(!amd64 && !arm64) || purego")

	config := printer.Config{Argv: []string{"make", "asm"}, Pkg: "onehot"}
	os.Exit(build.Main(&build.Config{ErrOut: os.Stderr, Passes: []pass.Interface{
		pass.Compile,
		pass.FunctionPass(e.gate),
		pass.FunctionPass(e.legend),
		&pass.Output{Writer: create(*out), Printer: printer.NewGoAsm(config)},
	}}, e.Context))
}

// write writes the dispatch of a platform.
func write(name, constraint string, tiers ...string) {
	source, err := kernels.Dispatch(constraint, tiers...)
	if err == nil {
		err = os.WriteFile(name, source, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func emitTier(e *emitter, iota64 operand.Mem) {
	for _, t := range indexTypes {
		classes(e, t)
	}
	text(e)
	null(e)
	for _, family := range []string{"rows", "rowsMiss", "rowsStream"} {
		for _, width := range widths {
			if !e.wide() || family != "rowsStream" {
				rows(e, width, family)
			}
		}
	}
	for _, width := range widths {
		planes(e, width, "planes")
		planesByColumns(e, width)
		if !e.wide() {
			planes(e, width, "planesStream")
		}
	}
	bitPlanes(e)
	marks(e)
	setMarks(e)
	for _, width := range widths {
		cells(e, width)
	}
	for _, bits := range []int{8, 16, 32, 64} {
		hits(e, bits)
		collect(e, bits)
		changes(e, bits)
	}
	fillPattern(e, iota64)
	if !e.wide() {
		stream(e)
	}
}

// tables emits the one constant that all kernels share: the bytes 0, 1, … 63.
// Every iota of wider elements is widened from it, and 16 of its bytes from k
// on are the VPSHUFB control that rotates a 16-byte pattern by k.
func tables(e *emitter) operand.Mem {
	m := e.StaticGlobal("iota")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := 0; i < 64; i += 8 {
		x := uint64(0)
		for b := 7; b >= 0; b-- {
			x = x<<8 | uint64(i+b)
		}
		e.AddDatum(i, operand.U64(x))
	}
	return m
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
		physical := r.reg
		if reg.ToPhysical(physical) == nil {
			p := fn.Allocation.LookupRegister(physical)
			if p == nil {
				continue // this variant does without
			}
			physical = p
		}
		if text := physical.Asm() + " " + r.name; !slices.Contains(roles, text) {
			roles = append(roles, text)
		}
	}
	lines := append(slices.Clone(h.prose), kernels.Wrap(strings.Join(roles, ", ")+".", 100)...)
	fn.Nodes = slices.Insert(fn.Nodes, 0, ir.Node(ir.NewComment(lines...)))
	return nil
}

// parse reads a signature in which unsafe is imported, which avo by itself
// offers only to a package that exists.
func parse(signature string) *gotypes.Signature {
	pkg := types.NewPackage("github.com/go-onehot/onehot", "onehot")
	pkg.Scope().Insert(types.NewPkgName(0, pkg, "unsafe", types.Unsafe))
	s, err := gotypes.ParseSignatureInPackage(pkg, "func"+signature)
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func create(name string) io.WriteCloser {
	f, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	return f
}
