// Report turns one file of benchmark output, in benchstat's format, into a
// report and its pictures.
//
//	report -data bench/report/zen4.txt -dir bench/report     writes REPORT.md, sweep.svg and peers.svg
//	       -readme README.md                                 and the figures of the README
//	report -peers < output                                   prints the comparison with peers
//
// What it writes depends on the data alone, so that it can be repeated byte for
// byte.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files := flag.String("data", "zen4.txt", "benchmark output to read, one file a machine: the first in full, the others beside it")
	dir := flag.String("dir", ".", "directory to write to")
	readme := flag.String("readme", "", "file whose figures are written anew")
	peers := flag.Bool("peers", false, "print the comparison with peers in the output on standard input, and write nothing")
	flag.Parse()
	var err error
	if *peers {
		err = printPeers(os.Stdin, os.Stdout)
	} else {
		err = write(strings.Fields(*files), *dir, *readme)
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

func write(files []string, dir, readme string) error {
	d, err := loadAll(files)
	if err != nil {
		return err
	}
	all, err := d.render(filepath.Base(files[0]))
	if err != nil {
		return err
	}
	for name, content := range all {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	if readme == "" {
		return nil
	}
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	content, err := inReadme(old, d.brief())
	if err != nil {
		return err
	}
	return os.WriteFile(readme, content, 0o644)
}

// loadAll is the data of the first file, with those of the others beside it.
func loadAll(files []string) (*data, error) {
	if len(files) == 0 {
		return nil, errors.New("no file of data")
	}
	var all []*data
	for _, file := range files {
		d, err := load(file)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	all[0].beside = all[1:]
	return all[0], nil
}

func load(file string) (*data, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return read(in, filepath.Base(file))
}

// render makes every file of the report, by name. The data are those of file,
// to which the report links.
func (d *data) render(file string) (map[string][]byte, error) {
	sweep, err := drawSweep(d)
	if err != nil {
		return nil, err
	}
	peers, err := drawPeers(d)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"REPORT.md": []byte(d.report(file)), "sweep.svg": sweep, "peers.svg": peers}, nil
}
