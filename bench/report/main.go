// Report turns benchmark output, in benchstat's format and one file for each
// machine, into a report and its pictures.
//
//	report -data bench/report/zen4.txt -dir bench/report     writes REPORT.md, sweep.svg and peers.svg
//	       -readme README.md                                 and the figures of the README
//	report -peers < output                                   prints the comparison with peers
//
// Its output depends on the data alone and is the same, byte for byte, each
// time.
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
	files := flag.String("data", "zen4.txt", "files of benchmark output, separated by spaces, one for each machine: the report has the first in full and compares the others with it")
	dir := flag.String("dir", ".", "directory to write to")
	readme := flag.String("readme", "", "file whose figures are replaced")
	peers := flag.Bool("peers", false, "print the comparison with peers from benchmark output on standard input, and write no file")
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

// loadAll returns the data of the first file, with that of the others in
// beside.
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

// render returns the contents of every file of the report, by name. The report
// links to file, the source of its data.
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
