// Command amd64 generates the amd64 kernels of package onehot, those of AVX2
// and of AVX-512 from one description, and the Go files that choose among the
// kernels on amd64 and stand in for them on platforms without kernels. Run it
// in the root of its module.
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
	for _, e.name = range []string{kernels.AVX512, kernels.AVX2, kernels.Baseline} {
		e.bytes = kernels.Bytes(e.name)
		for i := range kernels.Families {
			e.family(&kernels.Families[i])
		}
	}
	write("../zkernels_amd64.go", must(kernels.Dispatch("amd64 && !purego", kernels.AVX512, kernels.AVX2, kernels.Baseline)))
	write("../zkernels_noasm.go", must(kernels.Dispatch("(!amd64 && !arm64) || purego")))

	config := printer.Config{Argv: []string{"make", "asm"}, Pkg: "onehot"}
	os.Exit(build.Main(&build.Config{ErrOut: os.Stderr, Passes: []pass.Interface{
		pass.Compile,
		pass.FunctionPass(e.legend),
		&pass.Output{Writer: must(os.Create("../onehot_amd64.s")), Printer: printer.NewGoAsm(config)},
	}}, e.Context))
}

func write(name string, source []byte) {
	if err := os.WriteFile(name, source, 0o644); err != nil {
		log.Fatal(err)
	}
}

// writers has the function that writes the kernels of a family.
var writers = map[string]func(*emitter){
	"classes": classes, "text": text, "null": null, "codes": codes, "nones": nones,
	"rows": rows, "rowsMiss": rows, "rowsStream": rows,
	"widen": widen, "planes": planes, "planesByColumns": planesByColumns, "planesStream": planesStream,
	"bitPlanes": bitPlanes, "marks": marks, "setMarks": setMarks, "cells": cells,
	"hits": hits, "places": places, "collect": collect, "changes": changes,
	"fillPattern": fillPattern, "fillZero": fillZero, "fillRuns": fillRuns, "fillPlaces": fillPlaces, "fillRepeat": fillRepeat,
	"stream": stream, "streamLine": streamLine, "prefetch": prefetch, "streamEnd": streamEnd,
}
