// Command arm64 writes the NEON kernels and the functions that choose among
// them.
//
// The Go assembler knows enough of NEON for most of these kernels, so they are
// native mnemonics printed by ordinary Go: loops over widths, index types and
// unrolling, with registers named by role. Names and parameters are the
// manifest's. What the assembler lacks is encoded by hand and checked by a
// test.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/go-onehot/onehot/asm/kernels"
)

func generate() *file {
	f := newFile()
	for _, from := range indexTypes {
		f.classes(from)
	}
	f.classesText()
	f.null()
	f.rows()
	f.planes()
	f.bitPlanes()
	f.marks()
	f.cells()
	for _, of := range []func(width int){f.hits, f.collect, f.changes} {
		for _, width := range widths[:4] {
			of(width)
		}
	}
	f.fillPattern()
	f.flush()
	return f
}

func dispatch() ([]byte, error) { return kernels.Dispatch("arm64 && !purego", kernels.NEON) }

func main() {
	log.SetFlags(0)
	out := flag.String("out", "onehot_arm64.s", "file for the kernels")
	to := flag.String("dispatch", "zkernels_arm64.go", "file for the functions that choose among them")
	flag.Parse()
	d, err := dispatch()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, generate().text.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*to, d, 0o644); err != nil {
		log.Fatal(err)
	}
}
