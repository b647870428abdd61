package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// pathGeneric is the path in pure Go.
const pathGeneric = "generic"

// The names of benchmarks that the report treats in their own way.
const (
	functionEncode    = "Encode"    // named workloads, on every path of the library
	functionPeers     = "Peers"     // some of these workloads, by other libraries
	functionSweep     = "Sweep"     // a sweep over depths
	functionRing      = "SweepRing" // the same with a ring of output buffers
	functionAlignment = "Alignment" // shifted outputs
	functionSmall     = "Small"     // small calls
	functionOneRow    = "OneRow"    // calls that write a single row
)

// data is the output of one run of the benchmarks.
type data struct {
	config  map[string]string // the header of the benchmarks, and the versions of the peers
	rows    figures.Rows
	absent  []remark // peers, or single workloads of a peer, that were left out
	answers []answer // the peers' answers to the probes
	beside  []*data  // the data of other machines
}

// A remark says why a peer has no results for a workload or, if workload is
// empty, none at all.
type remark struct{ workload, peer, why string }

// An answer is the result of a probe of a peer. text names the specification
// that decides what is right.
type answer struct{ peer, text, probe, result string }

// Lines that are not meant for benchstat begin with one of these prefixes, and
// separate their fields by tabs.
const (
	absentPrefix = "# left out\t"
	answerPrefix = "# probe\t"
)

// read parses benchmark output in benchstat's format. Its errors begin with
// name.
func read(in io.Reader, name string) (*data, error) {
	d := &data{config: map[string]string{}}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, absentPrefix):
			f := strings.Split(line, "\t")
			if len(f) != 4 {
				return nil, fmt.Errorf("%s: %q has %d fields, not 4", name, line, len(f))
			}
			if r := (remark{f[1], f[2], f[3]}); !slices.Contains(d.absent, r) {
				d.absent = append(d.absent, r)
			}
		case strings.HasPrefix(line, answerPrefix):
			f := strings.Split(line, "\t")
			if len(f) != 5 {
				return nil, fmt.Errorf("%s: %q has %d fields, not 5", name, line, len(f))
			}
			if a := (answer{f[1], f[2], f[3], f[4]}); !slices.Contains(d.answers, a) {
				d.answers = append(d.answers, a)
			}
		case figures.Failed(line):
			return nil, fmt.Errorf("%s: the benchmarks failed: %s", name, line)
		default:
			if err := d.line(line); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(d.rows) == 0 {
		return nil, fmt.Errorf("%s: no results", name)
	}
	return d, nil
}

// line adds a setting or a result to d. It skips any other line.
func (d *data) line(line string) error {
	if key, value, is := figures.ParseSetting(line); is {
		if key != "pkg" {
			d.config[key] = value
		}
		return nil
	}
	r, is, err := figures.ParseResult(line)
	if !is {
		return err
	}
	if _, _, ok := sweepPoint(r.Workload); (r.Function == functionSweep || r.Function == functionRing) && !ok {
		return fmt.Errorf("%s/%s: no depth", r.Function, r.Workload)
	}
	d.rows.Add(r)
	return nil
}

// of returns the rows of one benchmark.
func (d *data) of(function string) (rows figures.Rows) {
	for _, r := range d.rows {
		if r.Function == function {
			rows = append(rows, r)
		}
	}
	return rows
}

// calls returns the names of the benchmarks of single calls, in order of
// appearance. The other benchmarks have sections of their own.
func (d *data) calls() (all []string) {
	own := []string{functionSweep, functionRing, functionAlignment, functionPeers}
	for _, r := range d.rows {
		if !slices.Contains(all, r.Function) && !slices.Contains(own, r.Function) {
			all = append(all, r.Function)
		}
	}
	return all
}

// paths returns the paths of the rows, in order of appearance, except those in
// without.
func paths(rows figures.Rows, without ...string) (all []string) {
	for _, r := range rows {
		for _, p := range r.Paths {
			if !slices.Contains(all, p) && !slices.Contains(without, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// why returns in one word why a peer has no result for a workload, or "" if no
// reason is known.
func (d *data) why(workload, peer string) string {
	for _, r := range d.absent {
		if r.workload == workload && r.peer == peer {
			word, _, _ := strings.Cut(r.why, ":")
			return word
		}
	}
	return ""
}

// repetitions returns the least and the greatest number of measurements of a
// series.
func (d *data) repetitions() (least, most int) {
	least = math.MaxInt
	for _, r := range d.rows {
		for _, speeds := range r.Speeds {
			least, most = min(least, len(speeds)), max(most, len(speeds))
		}
	}
	return least, most
}

// spread computes for each series the difference between its fastest and its
// slowest repetition, as a share of its median. It returns the median and the
// ninth decile of these differences.
func (d *data) spread() (middle, most float64) {
	var all []float64
	for _, r := range d.rows {
		for _, s := range r.Speeds {
			all = append(all, (slices.Max(s)-slices.Min(s))/figures.Median(s))
		}
	}
	slices.Sort(all)
	return figures.Median(all), all[len(all)*9/10]
}
