// Command arm64 writes the NEON kernels and their Go declarations.
//
// The Go assembler knows enough of NEON for most of these kernels, so they are native mnemonics printed by ordinary Go: loops over widths,
// index types and unrolling, with registers named by role. What the assembler lacks is built from what it has, a >= b is max(a, b) == a and
// narrowing is VUZP1, or where that would cost a loop its speed encoded by hand and checked by a test.
package main

import (
	"flag"
	"log"
	"os"
)

func generate() *file {
	f := newFile()
	f.fill()
	for _, from := range indexTypes {
		f.classes(from)
	}
	f.narrow(1)
	f.narrow(2)
	f.widen()
	for _, width := range []int{1, 2, 4, 8} {
		f.expand(width)
	}
	for _, width := range []int{1, 2, 4, 8} {
		f.planes(width)
	}
	f.classesText()
	f.slices()
	f.bitPlanes()
	for _, width := range []int{1, 2, 4, 8} {
		f.hits(width)
	}
	for _, width := range []int{1, 2, 4, 8} {
		f.collect(width)
	}
	f.marks()
	for _, width := range []int{1, 2, 4, 8} {
		f.lightSets(width)
	}
	for _, width := range []int{1, 2, 4, 8} {
		f.spread(width)
	}
	for _, width := range []int{1, 2, 4, 8} {
		f.differ(width)
	}
	f.flush()
	return f
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "onehot_arm64.s", "file for the kernels")
	stubs := flag.String("stubs", "stubs_arm64.go", "file for their declarations")
	flag.Parse()
	f := generate()
	if err := os.WriteFile(*out, f.text.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*stubs, f.stubs.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
