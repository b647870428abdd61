// Command arm64 generates the NEON kernels and the Go file that chooses among
// them. Run it in the root of its module.
//
// The Go assembler knows enough of NEON for most of these kernels. So the
// generator is ordinary Go that prints the assembler's own mnemonics in loops
// over widths, index types and unrolling, with registers named by their roles.
// The manifest gives the kernels their names and parameters. Instructions that
// the assembler lacks are encoded by hand, and a test checks them.
package main

import (
	"bytes"
	"log"
	"os"

	"github.com/go-onehot/onehot/asm/kernels"
)

func generate() []byte {
	f := &file{text: *bytes.NewBufferString(header), defined: map[string]string{}}
	for i := range kernels.Families {
		m := &kernels.Families[i]
		if f.family(m); m.Name == "rows" {
			f.body(m, (*kernel).rowsBody) // rowsMiss jumps to it, too
		}
	}
	f.flush()
	return f.text.Bytes()
}

// writers has the function that writes the kernels of a family.
var writers = map[string]func(*kernel){
	"classes": (*kernel).classes, "text": (*kernel).text, "null": (*kernel).null, "codes": (*kernel).codes, "nones": (*kernel).nones,
	"rows": func(k *kernel) { k.rows(0) }, "rowsMiss": func(k *kernel) { k.rows(1) }, "planesByColumns": (*kernel).planesByColumns,
	"bitPlanes": (*kernel).bitPlanes, "marks": (*kernel).marks, "cells": (*kernel).cells,
	"hits": (*kernel).hits, "collect": (*kernel).collect, "changes": (*kernel).changes,
	"fillPattern": (*kernel).fillPattern, "fillRuns": (*kernel).fillRuns,
}

// files returns all that is generated, by file name in the folder of the
// package.
func files() (map[string][]byte, error) {
	dispatch, err := kernels.Dispatch("arm64 && !purego", kernels.NEON)
	return map[string][]byte{"onehot_arm64.s": generate(), "zkernels_arm64.go": dispatch}, err
}

func main() {
	log.SetFlags(0)
	all, err := files()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range all {
		if err := os.WriteFile("../"+name, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
