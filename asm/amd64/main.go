// Command amd64 writes the kernels of package onehot for amd64, AVX2 and
// AVX-512 from one description.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/go-onehot/onehot/asm/kernels"
)

func main() {
	flags := flag.NewFlagSet("amd64", flag.ExitOnError) // avo has claimed the global one
	out := flags.String("out", "onehot_amd64.s", "assembly `file`")
	dispatch := flags.String("dispatch", "zkernels_amd64.go", "`file` of declarations and switches")
	noasm := flags.String("noasm", "zkernels_noasm.go", "`file` of the same for platforms without kernels")
	flags.Parse(os.Args[1:])

	e := &emitter{Context: build.NewContext(), heads: map[string]*head{}, tables: map[string]operand.Mem{}}
	e.ConstraintExpr("!purego")
	e.iota = e.constant("iota", string(count(64, 1)))
	for _, e.tier = range tiers {
		emitTier(e)
	}
	e.tier = baseline
	fillString(e)
	streamEnd(e)
	write(*dispatch, must(kernels.Dispatch("amd64 && !purego", kernels.AVX512, kernels.AVX2, kernels.Baseline)))
	write(*noasm, must(kernels.Dispatch("(!amd64 && !arm64) || purego")))

	config := printer.Config{Argv: []string{"make", "asm"}, Pkg: "onehot"}
	os.Exit(build.Main(&build.Config{ErrOut: os.Stderr, Passes: []pass.Interface{
		pass.Compile,
		pass.FunctionPass(e.gate),
		pass.FunctionPass(e.legend),
		&pass.Output{Writer: must(os.Create(*out)), Printer: printer.NewGoAsm(config)},
	}}, e.Context))
}

func write(name string, source []byte) {
	if err := os.WriteFile(name, source, 0o644); err != nil {
		log.Fatal(err)
	}
}

func emitTier(e *emitter) {
	for _, t := range kernels.Find("classes").Keys {
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
	for _, width := range widths[:4] {
		hits(e, width)
		collect(e, width)
		changes(e, width)
	}
	fillPattern(e)
	if !e.wide() {
		stream(e)
	}
}
