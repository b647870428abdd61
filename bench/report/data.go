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

// These path values are yardsticks; every other one is a path of the library or
// a peer.
const (
	pathClear = figures.Clear
	pathLimit = figures.Limit
	pathGo    = figures.Go
)

// pathGeneric is the path without vectors.
const pathGeneric = "generic"

// functionPeers is the benchmark that other libraries take part in,
// functionEncode that of the same workloads on every path, and functionSweep
// the one that walks over depths, functionRing the same in rotation,
// functionSmall and functionOneRow those of calls that write little, and
// functionAlignment the one that shifts the output.
const (
	functionEncode    = "Encode"
	functionPeers     = "Peers"
	functionSweep     = "Sweep"
	functionRing      = "SweepRing"
	functionAlignment = "Alignment"
	functionSmall     = "Small"
	functionOneRow    = "OneRow"
)

// data is what a run of the benchmarks left behind.
type data struct {
	config  map[string]string // the benchmarks' own header, and the versions of what took part
	rows    []*row
	absent  []remark // whole peers, or single works of one
	answers []answer // to the probes
	beside  []*data  // of other machines
}

// A row is one workload of one benchmark: all speeds seen, by path.
type row struct {
	function, workload string
	paths              []string // in order of appearance
	speeds             map[string][]float64
	bytes              float64 // that one operation counts for
}

// A remark is why a peer is not among the results of a workload, or, without a
// workload, of any.
type remark struct{ workload, peer, why string }

// An answer is what a peer did with a probe.
type answer struct{ peer, text, probe, result string }

// The lines that are not for benchstat begin with these, and have fields
// between tabs.
const (
	absentPrefix = "# left out\t"
	answerPrefix = "# probe\t"
)

// read takes benchmark output in benchstat's format.
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

// line takes a setting or a result.
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
	row := d.row(r.Function, r.Workload)
	if _, _, ok := sweepPoint(row.workload); (row.function == functionSweep || row.function == functionRing) && !ok {
		return fmt.Errorf("%s/%s: no depth", r.Function, r.Workload)
	}
	if len(row.paths) == 0 {
		d.rows = append(d.rows, row)
	}
	if _, seen := row.speeds[r.Path]; !seen {
		row.paths = append(row.paths, r.Path)
	}
	row.speeds[r.Path] = append(row.speeds[r.Path], r.Speed)
	row.bytes = r.Bytes
	return nil
}

// row is that of a workload, empty if there is none.
func (d *data) row(function, workload string) *row {
	for _, r := range d.rows {
		if r.function == function && r.workload == workload {
			return r
		}
	}
	return &row{function: function, workload: workload, speeds: map[string][]float64{}}
}

// of are the rows of one benchmark.
func (d *data) of(function string) (rows []*row) {
	for _, r := range d.rows {
		if r.function == function {
			rows = append(rows, r)
		}
	}
	return rows
}

// calls are the benchmarks of named workloads, each of one call, in order of
// appearance: those without a section of their own.
func (d *data) calls() (all []string) {
	own := []string{functionSweep, functionRing, functionAlignment, functionPeers}
	for _, r := range d.rows {
		if !slices.Contains(all, r.function) && !slices.Contains(own, r.function) {
			all = append(all, r.function)
		}
	}
	return all
}

// paths are those of the rows, in order of appearance, without the ones that
// are named.
func paths(rows []*row, without ...string) (all []string) {
	for _, r := range rows {
		for _, p := range r.paths {
			if !slices.Contains(all, p) && !slices.Contains(without, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// why says what kept a peer from a workload: a word of the reason, "" if
// nothing is known.
func (d *data) why(workload, peer string) string {
	for _, r := range d.absent {
		if r.workload == workload && r.peer == peer {
			word, _, _ := strings.Cut(r.why, ":")
			return word
		}
	}
	return ""
}

// speed is the median of a path's repetitions in GB/s, NaN if there are none.
func (r *row) speed(path string) float64 {
	return figures.Median(r.speeds[path])
}

// repetitions is how often a series was measured, at the least and at the most.
func (d *data) repetitions() (least, most int) {
	least = math.MaxInt
	for _, r := range d.rows {
		for _, speeds := range r.speeds {
			least, most = min(least, len(speeds)), max(most, len(speeds))
		}
	}
	return least, most
}

// spread is, over all series, the median and the ninth decile of how far the
// fastest repetition lies above the slowest, as a share of the median.
func (d *data) spread() (middle, most float64) {
	var all []float64
	for _, r := range d.rows {
		for _, s := range r.speeds {
			all = append(all, (slices.Max(s)-slices.Min(s))/figures.Median(s))
		}
	}
	slices.Sort(all)
	return figures.Median(all), all[len(all)*9/10]
}
