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
	rows  figures.Rows
}

func (t *table) add(r figures.Result) *figures.Row {
	if !figures.IsYardstick(r.Path) && !slices.Contains(t.paths, r.Path) {
		t.paths = append(t.paths, r.Path)
	}
	return t.rows.Add(r)
}

// summary returns a row on one line.
func summary(r *figures.Row, paths []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s:", r.Function, r.Workload)
	for _, path := range append(slices.Clone(paths), figures.Go, figures.Clear) {
		if speed := r.Speed(path); !math.IsNaN(speed) {
			fmt.Fprintf(&b, "  %s %s", path, number(speed))
		}
	}
	return b.String() + " GB/s"
}

// cellsOf returns the numbers of a row: the speeds of clear and go, and for
// each path its speed and its ratios.
func cellsOf(r *figures.Row, paths []string) []float64 {
	cells := []float64{r.Speed(figures.Clear), r.Speed(figures.Go)}
	for _, path := range paths {
		speed := r.Speed(path)
		cells = append(cells, speed, speed/r.Speed(figures.Clear), speed/r.Speed(figures.Limit), speed/r.Speed(figures.Go))
	}
	return cells
}

func (t *table) print(w io.Writer) {
	const column = 7
	width := len("geomean of all 000")
	for _, r := range t.rows {
		width = max(width, len(r.Workload)+2)
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
		function := t.rows[start].Function
		fmt.Fprintf(w, "\n%s\n", function)
		var section [][]float64
		for ; start < len(t.rows) && t.rows[start].Function == function; start++ {
			row := t.rows[start]
			cells := cellsOf(row, t.paths)
			section = append(section, cells)
			line("  "+row.Workload, numbers(cells))
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
