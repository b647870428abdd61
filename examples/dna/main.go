// Command dna loads FASTA files as batches for a model, channels first, and
// runs a first layer over them: a convolution that finds a motif on the given
// strand.
//
//	go run ./dna -motif GGATCC dna/testdata/lambda.fa
//
// onehot.EncodeText takes the bytes of the file as they are. With Inner set to
// the length of a window, a batch has the shape [windows, 4, length], which
// convolutions read without a transpose. Aliases give lower case (soft-masked
// repeats) and RNA their bases. N is outside the alphabet and so a miss. Miss
// is what its four channels hold, 0.25 by default, so that an unknown base adds
// the average of the four bases to a score; with -unknown 0 it adds nothing.
// The last window is shorter than the others: Plane keeps its planes as far
// apart as those of the others, and the padding behind each plane is left
// alone. In a motif an N weighs nothing and stands for any base.
//
// testdata/lambda.fa is GenBank NC_001416.1, the genome of bacteriophage
// lambda.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/go-onehot/onehot/examples/internal/input"
)

func main() {
	motif := flag.String("motif", "GGATCC", "bases to look for; N is any")
	length := flag.Int("length", 4096, "bases in a window")
	windows := flag.Int("batch", 32, "windows in a batch")
	unknown := flag.Float64("unknown", 0.25, "what each channel of an unknown base holds")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: dna [-motif BASES] [-length N] [-batch N] [-unknown X] FILE.fa")
	}
	if err := run(os.Stdout, flag.Arg(0), *motif, *length, *windows, float32(*unknown)); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, path, motif string, length, windows int, unknown float32) error {
	file, err := input.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	m, err := newModel(motif, length, windows, unknown)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<30) // some files have a chromosome on a line
	var name string
	report := func() error { // called where a record ends
		if err := m.flush(); err != nil || m.bases == 0 {
			return err
		}
		fmt.Fprintf(w, "%s: %d bases, %s at %v; windows with %d misses\n", name, m.bases, motif, m.sites, m.misses)
		return nil
	}
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if header, ok := bytes.CutPrefix(line, []byte(">")); ok {
			if err := report(); err != nil {
				return err
			}
			name = string(header)
			m.reset()
		} else if err := m.add(line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return report()
}
