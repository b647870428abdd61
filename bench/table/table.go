package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// ending finds out from the lines that are not results whether the benchmarks
// finished and passed. Their own exit status is lost in a pipe.
type ending struct{ passed, failed bool }

func (e *ending) see(line string) {
	switch {
	case line == "PASS":
		e.passed = true
	case figures.Failed(line):
		e.failed = true
	}
}

func (e *ending) err(rows int) error {
	switch {
	case e.failed:
		return errors.New("the benchmarks failed")
	case !e.passed:
		return errors.New("the benchmarks did not come to their end")
	case rows == 0:
		return errors.New("no results")
	}
	return nil
}

type table struct {
	paths []string // of the library, in order of appearance
	rows  []*row
}

// A row is one workload of one function, with all speeds by path.
type row struct {
	function, workload string
	speeds             map[string][]float64
}

func (t *table) add(r figures.Result) *row {
	if !figures.IsYardstick(r.Path) && !slices.Contains(t.paths, r.Path) {
		t.paths = append(t.paths, r.Path)
	}
	i := slices.IndexFunc(t.rows, func(o *row) bool { return o.function == r.Function && o.workload == r.Workload })
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &row{r.Function, r.Workload, map[string][]float64{}})
	}
	t.rows[i].speeds[r.Path] = append(t.rows[i].speeds[r.Path], r.Speed)
	return t.rows[i]
}

// speed returns the median of a path's repetitions, or NaN if there are none.
func (r *row) speed(path string) float64 {
	return figures.Median(r.speeds[path])
}

func (r *row) summary(paths []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s:", r.function, r.workload)
	for _, path := range append(slices.Clone(paths), figures.Go, figures.Clear) {
		if speed := r.speed(path); !math.IsNaN(speed) {
			fmt.Fprintf(&b, "  %s %s", path, number(speed))
		}
	}
	return b.String() + " GB/s"
}

// cells returns the numbers of a row: the speeds of clear and go, and for each
// path its speed and its ratios.
func (r *row) cells(paths []string) []float64 {
	cells := []float64{r.speed(figures.Clear), r.speed(figures.Go)}
	for _, path := range paths {
		speed := r.speed(path)
		cells = append(cells, speed, speed/r.speed(figures.Clear), speed/r.speed(figures.Limit), speed/r.speed(figures.Go))
	}
	return cells
}

func (t *table) print(w io.Writer) {
	const column = 7
	width := len("geomean of all 000")
	for _, r := range t.rows {
		width = max(width, len(r.workload)+2)
	}
	line := func(name string, cells []string) {
		fmt.Fprintf(w, "%-*s", width, name)
		for i, cell := range cells {
			if i >= 2 && (i-2)%4 == 0 {
				fmt.Fprint(w, " |")
			}
			fmt.Fprintf(w, "%*s", column, cell)
		}
		fmt.Fprintln(w)
	}

	fmt.Fprintf(w, "GB/s written, and that speed as a multiple of clear over the output, of clear over all that is read and written (limit), and of careful Go.\n\n")
	fmt.Fprintf(w, "%-*s%*s%*s", width, "", column, figures.Clear, column, figures.Go)
	heads := []string{"GB/s", "GB/s"}
	for _, path := range t.paths {
		fmt.Fprintf(w, " | %-*s", 4*column-1, path)
		heads = append(heads, "GB/s", "/clear", "/limit", "/go")
	}
	fmt.Fprintln(w)
	line("workload", heads)

	var all [][]float64
	for start := 0; start < len(t.rows); {
		function := t.rows[start].function
		fmt.Fprintf(w, "\n%s\n", function)
		var section [][]float64
		for ; start < len(t.rows) && t.rows[start].function == function; start++ {
			cells := t.rows[start].cells(t.paths)
			section = append(section, cells)
			line("  "+t.rows[start].workload, numbers(cells))
		}
		if len(section) > 1 {
			line(fmt.Sprintf("geomean of %d", len(section)), numbers(figures.Geomeans(section)))
		}
		all = append(all, section...)
	}
	fmt.Fprintln(w)
	line(fmt.Sprintf("geomean of all %d", len(all)), numbers(figures.Geomeans(all)))
}

func numbers(v []float64) []string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = number(v[i])
	}
	return s
}

func number(v float64) string { return figures.Number(v, "-") }
