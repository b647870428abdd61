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

// Between these two lines the README shows some lines of the report's first
// section. It has no other figures.
const (
	figuresStart = "<!-- figures: written by make pictures -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// summary returns the report in one table, and the verdict on the claim.
func (d *data) summary() string {
	own, encode, peers := d.own(), d.of(functionEncode), d.of(functionPeers)
	g := grid{append([]string{"call / yardstick", "workloads"}, own...)}
	g = append(g, against("Encode / zeroing the bytes", encode, own, (*figures.Row).Ratio, figures.Limit))
	for _, function := range d.calls() {
		name := strings.NewReplacer("OneRow", "Encode, one row", functionSmall, "Small calls").Replace(function) + " / careful Go"
		g = append(g, against(name, d.of(function), own, (*figures.Row).Ratio, figures.Go))
	}
	for _, peer := range paths(peers, append([]string{figures.Clear, figures.Go, "naive"}, own...)...) {
		g = append(g, against("Encode / "+barName(peer), peers, own, d.ownRatio, peer))
	}
	even := d.evenness(own)
	text := d.where() + ". Each figure is a ratio of speeds, above 1 where this library is faster: the geometric mean over the workloads, with the least and the most in parentheses."
	if len(even) > 0 {
		text += "\nA step is the ratio of the speeds at two neighboring depths, the higher over the lower. Between depths, speed counts the bytes read and written, because shallow rows have many bytes of indices. A hot call writes the same buffer each time; in rotation, a call writes the next of several buffers, which the second-level cache does not hold."
	}
	text += "\n\n" + append(g, even...).String()
	if len(peers) > 0 {
		text += verdict(peers, paths(peers)[0])
	}
	return text
}

// brief returns the part of the summary that the README shows.
func (d *data) brief() string {
	return d.where() + ".\nEach figure is a ratio of speeds, above 1 where this library is faster: the\ngeometric mean over the workloads, with the least and the most in parentheses.\n\n" + d.briefly().String()
}

// machines returns a table of the brief figures of each machine's best path, or
// "" if there is only one machine.
func (d *data) machines() string {
	if len(d.beside) == 0 {
		return ""
	}
	g := grid{{"call / yardstick"}}
	for _, m := range append([]*data{d}, d.beside...) {
		middle, _ := m.spread()
		lines := append(m.briefly(), []string{"Repetitions differ by", "", fmt.Sprintf("%.0f%%", 100*middle)})
		g[0] = append(g[0], m.processor()+", "+lines[0][2]+m.at())
		for _, line := range lines[1:] {
			i := slices.IndexFunc(g, func(old []string) bool { return old[0] == line[0] })
			if i < 0 {
				i = len(g)
				g = append(g, []string{line[0]})
			}
			for len(g[i]) < len(g[0])-1 { // machines that did not measure this line
				g[i] = append(g[i], "")
			}
			g[i] = append(g[i], line[2])
		}
	}
	for i := range g {
		for len(g[i]) < len(g[0]) {
			g[i] = append(g[i], "")
		}
	}
	return "\n## Machines\n\n" + g.String() + `
Before commit 3dfcfb9 careful Go was slower than it need have been: it filled cell by cell where Off is not zero. Ratios to it that were
measured earlier are too high. On a Skylake-SP, ordinary vector stores write outputs beyond the last-level cache up to 1.3 times as fast as
what zeroes the bytes here, so that ratios to that are too high by as much.
`
}

// at returns the commit that was measured, or "" if that is not known.
func (d *data) at() string {
	if commit := d.config["commit"]; commit != "" {
		return ", commit " + commit
	}
	return ""
}

// briefly returns the table of brief.
func (d *data) briefly() grid {
	own, encode, peers := d.own(), d.of(functionEncode), d.of(functionPeers)
	g := grid{append([]string{"call / yardstick", "workloads"}, own...)}
	add := func(name string, rows figures.Rows, ratio func(r *figures.Row, path, other string) float64, other string) {
		if len(rows) > 0 {
			g = append(g, against(name, rows, own, ratio, other))
		}
	}
	var others figures.Rows
	for _, function := range d.calls() {
		if function != functionEncode && function != functionOneRow && function != functionSmall {
			others = append(others, d.of(function)...)
		}
	}
	add("Encode / zeroing the bytes", encode, (*figures.Row).Ratio, figures.Limit)
	add("Encode / careful Go", encode, (*figures.Row).Ratio, figures.Go)
	add("Every other call / careful Go", others, (*figures.Row).Ratio, figures.Go)
	add("Small calls / careful Go", d.of(functionSmall), (*figures.Row).Ratio, figures.Go)
	if slices.Contains(paths(peers), "onnxruntime") {
		add("Encode / ONNX Runtime", peers, d.ownRatio, "onnxruntime")
	}
	return g
}

// own returns the library's paths, the best one first.
func (d *data) own() []string {
	return paths(d.of(functionEncode), figures.Clear, figures.Limit, figures.Go)
}

// ownRatio returns how many times as fast a path of the library is as a peer:
// in the benchmark of the peers or, if the path is not in it, by the path's
// median in the Encode benchmark, which runs at another time.
func (d *data) ownRatio(r *figures.Row, path, peer string) float64 {
	if v := r.Ratio(path, peer); !math.IsNaN(v) {
		return v
	}
	return d.rows.Row(functionEncode, r.Workload).Speed(path) / r.Speed(peer)
}

// against returns a line of the summary: how many times as fast as other each
// path is.
func against(name string, rows figures.Rows, own []string, ratio func(r *figures.Row, path, other string) float64, other string) []string {
	return digest(name, own, func(path string) (all []float64) {
		for _, r := range rows {
			if v := ratio(r, path, other); !math.IsNaN(v) {
				all = append(all, v)
			}
		}
		return all
	})
}

// evenness returns the lines on how little the speed depends on depth, on
// alignment and on small sizes, as far as they were measured.
func (d *data) evenness(own []string) (g grid) {
	if sweep := d.of(functionSweep); steps(sweep) != "" {
		g = append(g, digest("Largest step over depth", own, func(path string) []float64 {
			if path == pathGeneric {
				return nil // it has no thresholds
			}
			return largestSteps(sweep, path)
		}))
	}
	for _, way := range []struct{ function, name string }{{functionSweep, "hot"}, {functionRing, "in rotation"}} {
		rows := d.of(way.function)
		if len(sweptTypes(rows)) == 0 {
			continue
		}
		if way.function == functionSweep {
			g = append(g, digest(fmt.Sprintf("Slowest of depths %d to %d / fastest depth, hot", shallow, deep), own, func(path string) []float64 { return leastOverBest(rows, path) }))
		}
		g = append(g, digest("Least ratio to careful Go over depths, "+way.name, own, func(path string) []float64 { return leastOverGo(rows, path) }))
	}
	g = append(g, smallCalls(d.of(functionSmall), own)...)
	if rows := d.of(functionAlignment); len(rows) > 0 {
		g = append(g, digest("Least / most over alignments", own, func(path string) []float64 { return leastOverMost(rows, path) }))
	}
	return g
}

// kib is the number of bytes of output below which a small call is compared
// with the loop in nanoseconds, and from which on in speed.
const kib = 1 << 10

// smallCalls returns the two lines on the worst small calls.
func smallCalls(rows figures.Rows, own []string) (g grid) {
	if len(rows) == 0 {
		return nil
	}
	excess, least := []string{"Small calls below 1 KiB, most ns above careful Go", ""}, []string{"Small calls from 1 KiB on, least ratio to careful Go", ""}
	var below, above int // workloads, on the path that has most of them
	for _, path := range own {
		most, lowest := math.Inf(-1), math.Inf(1)
		small, larger := 0, 0
		for _, r := range rows {
			ratio := r.Ratio(path, figures.Go)
			switch {
			case math.IsNaN(ratio):
			case r.Bytes < kib:
				small++
				most = max(most, (1/ratio-1)*r.Bytes/r.Speed(figures.Go)) // GB/s are bytes per nanosecond
			default:
				larger++
				lowest = min(lowest, ratio)
			}
		}
		below, above = max(below, small), max(above, larger)
		excess, least = append(excess, number(most)), append(least, number(lowest))
	}
	excess[1], least[1] = strconv.Itoa(below), strconv.Itoa(above)
	return grid{excess, least}
}

// digest returns a line of the summary: the geometric mean of each path's
// figures, with the least and the most.
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

// where describes the machine in one line.
func (d *data) where() string {
	c := d.config
	return fmt.Sprintf("%s, %s CPUs, %s/%s, %s, commit %s", d.processor(), c["cpus"], c["goos"], c["goarch"], c["goversion"], c["commit"])
}

// processor returns the name of the processor, by family and model if the data
// has them.
func (d *data) processor() string {
	if name := d.config["processor"]; name != "" {
		return name
	}
	return d.config["cpu"]
}

// inReadme returns readme with the summary between its two marks.
func inReadme(readme []byte, summary string) ([]byte, error) {
	before, rest, found := bytes.Cut(readme, []byte(figuresStart))
	_, after, closed := bytes.Cut(rest, []byte(figuresEnd))
	if !found || !closed {
		return nil, errors.New("the README lacks the marks between which its figures stand")
	}
	return slices.Concat(before, []byte(figuresStart+"\n"+strings.TrimSpace(summary)+"\n\n"+figuresEnd), after), nil
}
