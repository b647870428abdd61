// Command amd64 writes the kernels of package onehot for amd64, AVX2 and
// AVX-512 from one description, and the functions that choose among them, there
// and on platforms without kernels. It runs in the folder of its module.
package main

import (
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/go-onehot/onehot/asm/kernels"
)

func main() {
	e := &emitter{Context: build.NewContext(), heads: map[string]*head{}, tables: map[string]operand.Mem{}}
	e.ConstraintExpr("!purego")
	e.iota = e.constant("iota", string(count(64, 1)))
	for _, e.tier = range []tier{avx512, avx2} {
		emitTier(e)
	}
	e.tier = baseline
	fillString(e)
	streamEnd(e)
	write("../zkernels_amd64.go", must(kernels.Dispatch("amd64 && !purego", kernels.AVX512, kernels.AVX2, kernels.Baseline)))
	write("../zkernels_noasm.go", must(kernels.Dispatch("(!amd64 && !arm64) || purego")))

	config := printer.Config{Argv: []string{"make", "asm"}, Pkg: "onehot"}
	os.Exit(build.Main(&build.Config{ErrOut: os.Stderr, Passes: []pass.Interface{
		pass.Compile,
		pass.FunctionPass(e.gate),
		pass.FunctionPass(e.legend),
		&pass.Output{Writer: must(os.Create("../onehot_amd64.s")), Printer: printer.NewGoAsm(config)},
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
