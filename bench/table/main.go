// Table turns the output of the library's benchmarks into one table. It has a
// row for each workload, and for each path the GB/s and the ratios to clear
// over the output, to clear over all that must be read and written (the limit),
// and to careful Go.
//
//	go test -run '^$' -bench . | table
//	table -processor                        prints the name of the processor instead
//	table -caches                           prints the caches that the library plans for
//
// Of repetitions (-count) it takes the median. It reports a finished workload
// on standard error at once, and also every line that is not a result. The exit
// status is 1 if the benchmarks failed or did not finish.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/go-onehot/onehot/bench/internal/figures"
	"github.com/go-onehot/onehot/internal/tier"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "-processor" {
		info, err := os.ReadFile("/proc/cpuinfo")
		if err != nil {
			fmt.Fprintln(os.Stderr, "table:", err)
			os.Exit(1)
		}
		fmt.Println(figures.Processor(string(info)))
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "-caches" {
		if runtime.GOARCH != "amd64" {
			return // other processors do not tell their caches
		}
		fmt.Printf("%d KiB first-level, %d KiB second-level, %d KiB last-level\n", tier.L1>>10, tier.L2>>10, tier.LLC>>10)
		return
	}
	if err := run(os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out, progress io.Writer) error {
	var t table
	var end ending
	var current *figures.Row
	finished := func() {
		if current != nil {
			fmt.Fprintln(progress, summary(current, t.paths))
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r, is, _ := figures.ParseResult(lines.Text())
		if !is {
			end.see(lines.Text())
			fmt.Fprintln(progress, lines.Text())
			continue
		}
		row := t.add(r)
		if row != current {
			finished()
			current = row
		}
	}
	finished()
	if err := lines.Err(); err != nil {
		return err
	}
	if len(t.rows) > 0 {
		t.print(out)
	}
	return end.err(len(t.rows))
}
