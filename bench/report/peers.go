package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// claim is how many times as fast as ONNX Runtime this library claims to be.
const claim = 25

// peers returns the comparison with other libraries.
func (d *data) peers() string {
	var b strings.Builder
	rows := d.of(functionPeers)
	if len(rows) > 0 {
		own := paths(rows)[0] // this library runs first
		others := paths(rows, own, figures.Clear)
		b.WriteString(`The output of every peer is compared with this library's, bit for bit, before the peer is timed. A peer runs what its users would
write for the job, on one thread. Indices of a type that it does not take are converted to int64 beforehand, which is not timed.
` + "`go`" + ` is the careful loop, and ` + "`naive`" + ` the definition word for word. ONNX Runtime, numpy-put (fill and put) and torch-scatter (fill_
and scatter_) write to memory that exists already, as this library does; gomlx, numpy-eye (a row of np.eye for each index) and
torch-one_hot (whose output is int64, converted to float32) return memory of their own.

GB/s:

`)
		b.WriteString(d.speeds(rows, "", append([]string{own}, others...)))
		fmt.Fprintf(&b, "\nHow many times as fast as each peer %s is:\n\n%s", own, d.times(rows, others, own))
		b.WriteString(verdict(rows, own))
		for _, path := range paths(d.of(functionEncode), own, figures.Clear, figures.Limit, figures.Go) {
			fmt.Fprintf(&b, "\nThe same for %s, whose speeds are those of the Encode benchmark in the same rounds:\n\n%s", path, d.times(rows, others, path))
		}
	}
	b.WriteString(d.leftOut())
	b.WriteString(d.deviations())
	return b.String()
}

// times returns a table of how many times as fast as each of others a path of
// this library is.
func (d *data) times(rows figures.Rows, others []string, path string) string {
	g := grid{append([]string{"workload"}, others...)}
	var all [][]float64
	for _, r := range rows {
		var cells []float64
		for _, other := range others {
			cells = append(cells, d.ownRatio(r, path, other))
		}
		all = append(all, cells)
		g = append(g, append([]string{r.Workload}, numbers(cells)...))
	}
	g = append(g, append([]string{"geometric mean"}, numbers(figures.Geomeans(all))...))
	return g.String()
}

// verdict compares the figures with the claim about ONNX Runtime.
func verdict(rows figures.Rows, own string) string {
	const rival = "onnxruntime"
	var all []float64
	var below []string
	for _, r := range rows {
		v := r.Ratio(own, rival)
		if math.IsNaN(v) {
			continue
		}
		all = append(all, v)
		if v < claim {
			below = append(below, fmt.Sprintf("%s (%s)", r.Workload, number(v)))
		}
	}
	if len(all) == 0 {
		return ""
	}
	s := fmt.Sprintf("\nThis library is %s times as fast as ONNX Runtime's CPU kernel in the geometric mean, %d times or more on %d of %d workloads",
		number(figures.Geomean(all)), claim, len(all)-len(below), len(all))
	if len(below) > 0 {
		s += ", and less on " + strings.Join(below, ", ")
	}
	return s + ".\n"
}

// leftOut lists the peers, and the workloads of a peer, that have no figures,
// and says why.
func (d *data) leftOut() string {
	var b strings.Builder
	for _, r := range d.absent {
		if b.Len() == 0 {
			b.WriteString("\nLeft out:\n\n")
		}
		what := r.peer
		if r.workload != "" {
			what += " on " + r.workload
		}
		fmt.Fprintf(&b, "- %s: %s\n", what, r.why)
	}
	return b.String()
}

// deviations returns a table of the peers' answers to the probes, and the
// details of every answer that differs from the specification.
func (d *data) deviations() string {
	if len(d.answers) == 0 {
		return ""
	}
	var names, probes []string
	for _, a := range d.answers {
		if !slices.Contains(names, a.peer) {
			names = append(names, a.peer)
		}
		if probe := a.question(); !slices.Contains(probes, probe) {
			probes = append(probes, probe)
		}
	}
	g := grid{append([]string{"what the specification requires"}, names...)}
	for _, probe := range probes {
		line := make([]string, len(names)+1)
		line[0] = probe
		for _, a := range d.answers {
			if a.question() == probe {
				line[1+slices.Index(names, a.peer)], _, _ = strings.Cut(a.result, ":")
			}
		}
		g = append(g, line)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### Where peers differ from the operator's specification\n\n%s\nIn detail:\n\n", g)
	for _, name := range names {
		for _, result := range d.otherwise(name) {
			var asked []string
			for _, a := range d.answers {
				if a.peer == name && a.result == result {
					asked = append(asked, a.question())
				}
			}
			fmt.Fprintf(&b, "- %s: %s, where %s\n", name, result, strings.Join(asked, "; "))
		}
	}
	return b.String()
}

// otherwise returns the answers of a peer that differ from the specification.
func (d *data) otherwise(peer string) (all []string) {
	for _, a := range d.answers {
		if a.peer == peer && a.result != "ok" && !slices.Contains(all, a.result) {
			all = append(all, a.result)
		}
	}
	return all
}

func (a answer) question() string { return a.probe + " (" + a.text + ")" }
