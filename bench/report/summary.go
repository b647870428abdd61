package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// The README shows the report's first section between these two lines, and no other figure.
const (
	figuresStart = "<!-- figures: written by make pictures -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// summary is the report in one table, and what it says of the claim.
func (d *data) summary() string {
	own, encode, peers := d.own(), d.of(functionEncode), d.of(functionPeers)
	g := grid{append([]string{"call / yardstick", "workloads"}, own...)}
	g = append(g, against("Encode / zeroing the bytes", encode, own, (*row).speed, pathLimit))
	for _, function := range d.calls() {
		name := strings.Replace(function, "OneRow", "Encode, one row", 1) + " / careful Go"
		g = append(g, against(name, d.of(function), own, (*row).speed, pathGo))
	}
	for _, peer := range paths(peers, append([]string{pathClear, pathGo, "naive"}, own...)...) {
		g = append(g, against("Encode / "+barName(peer), peers, own, d.ownSpeed, peer))
	}
	even := d.evenness(own)
	text := d.where() + ". Each figure is the geometric mean over the workloads, and beside it stand the least and the most."
	if len(even) > 0 {
		text += "\nA step is the quotient of the speeds at two neighbouring depths, the higher over the lower."
	}
	text += "\n\n" + append(g, even...).String()
	if len(peers) > 0 {
		text += verdict(peers, paths(peers)[0])
	}
	return text
}

// own are the library's paths, the best one first.
func (d *data) own() []string {
	return paths(d.of(functionEncode), pathClear, pathLimit, pathGo)
}

// ownSpeed is how fast a path of the library is on a workload that peers are measured on: in their benchmark, or in its own.
func (d *data) ownSpeed(r *row, path string) float64 {
	if v := r.speed(path); !math.IsNaN(v) {
		return v
	}
	return d.row(functionEncode, r.workload).speed(path)
}

// against is a line of the summary: how often the speed of something fits into that of each path.
func against(name string, rows []*row, own []string, speed func(*row, string) float64, other string) []string {
	return digest(name, own, func(path string) (all []float64) {
		for _, r := range rows {
			if v := speed(r, path) / r.speed(other); !math.IsNaN(v) {
				all = append(all, v)
			}
		}
		return all
	})
}

// evenness are the lines on how little the speed hangs on depth and on alignment, each if it was measured.
func (d *data) evenness(own []string) (g grid) {
	if sweep := d.of(functionSweep); steps(sweep) != "" {
		g = append(g, digest("Largest step over depth", own, func(path string) []float64 {
			if path == pathGeneric {
				return nil // it has no thresholds
			}
			return largestSteps(sweep, path)
		}))
	}
	if rows := d.of(functionAlignment); len(rows) > 0 {
		g = append(g, digest("Least / most over alignments", own, func(path string) []float64 { return leastOverMost(rows, path) }))
	}
	return g
}

// digest is a line of the summary: the mean of each path's figures, and beside it the least and the most.
func digest(name string, own []string, measured func(path string) []float64) []string {
	line, workloads := []string{name, ""}, 0
	for _, path := range own {
		all := measured(path)
		workloads = max(workloads, len(all))
		switch len(all) {
		case 0:
			line = append(line, "")
		case 1:
			line = append(line, number(all[0]))
		default:
			line = append(line, fmt.Sprintf("%s (%s … %s)", number(figures.Geomean(all)), number(slices.Min(all)), number(slices.Max(all))))
		}
	}
	line[1] = strconv.Itoa(workloads)
	return line
}

// where names the machine in a line.
func (d *data) where() string {
	c := d.config
	name := c["processor"]
	if name == "" {
		name = c["cpu"]
	}
	return fmt.Sprintf("%s, %s CPUs, %s/%s, %s, commit %s", name, c["cpus"], c["goos"], c["goarch"], c["goversion"], c["commit"])
}

// inReadme puts the summary between the marks of a README.
func inReadme(readme []byte, summary string) ([]byte, error) {
	before, rest, found := bytes.Cut(readme, []byte(figuresStart))
	_, after, closed := bytes.Cut(rest, []byte(figuresEnd))
	if !found || !closed {
		return nil, errors.New("the README lacks the marks between which its figures stand")
	}
	return slices.Concat(before, []byte(figuresStart+"\n"+strings.TrimSpace(summary)+"\n\n"+figuresEnd), after), nil
}
