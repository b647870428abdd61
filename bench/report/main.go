// Report turns one file of benchmark output, in benchstat's format, into a report and its pictures.
//
//	report -data bench/report/data.txt -dir bench/report     writes REPORT.md, sweep.svg and peers.svg
//	report -peers < output                                   prints the comparison with peers
//
// What it writes depends on the data alone, so that it can be repeated byte for byte.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	file := flag.String("data", "data.txt", "benchmark output to read")
	dir := flag.String("dir", ".", "directory to write to")
	peers := flag.Bool("peers", false, "print the comparison with peers in the output on standard input, and write nothing")
	flag.Parse()
	var err error
	if *peers {
		err = printPeers(os.Stdin, os.Stdout)
	} else {
		err = write(*file, *dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func printPeers(in io.Reader, out io.Writer) error {
	d, err := read(in, "standard input")
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, d.peers())
	return err
}

func write(file, dir string) error {
	all, err := render(file)
	if err != nil {
		return err
	}
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// render makes every file of the report, by name.
func render(file string) (map[string][]byte, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	d, err := read(in, filepath.Base(file))
	if err != nil {
		return nil, err
	}
	sweep, err := drawSweep(d)
	if err != nil {
		return nil, err
	}
	peers, err := drawPeers(d)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"REPORT.md": []byte(d.report(filepath.Base(file))), "sweep.svg": sweep, "peers.svg": peers}, nil
}
