package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// A grid is a table. As Markdown its columns also line up as plain text; all
// columns but the first are aligned as numbers.
type grid [][]string

func (g grid) String() string {
	width := make([]int, len(g[0]))
	for _, line := range g {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	put := func(line []string, fill string) {
		for i, cell := range line {
			space := strings.Repeat(fill, width[i]-utf8.RuneCountInString(cell))
			switch {
			case fill == "-" && i > 0:
				cell = cell + space + ":"
			case fill == "-":
				cell = cell + space + "-"
			case i == 0:
				cell = cell + space + " "
			default:
				cell = space + cell + " "
			}
			if fill == "-" {
				b.WriteString("|-" + cell)
			} else {
				b.WriteString("| " + cell)
			}
		}
		b.WriteString("|\n")
	}
	put(g[0], " ")
	put(make([]string, len(g[0])), "-")
	for _, line := range g[1:] {
		put(line, " ")
	}
	return b.String()
}

func number(v float64) string { return figures.Number(v, "") }

func numbers(v []float64) (s []string) {
	for _, x := range v {
		s = append(s, number(x))
	}
	return s
}

// report returns the text of REPORT.md. It links to file, the source of the
// data.
func (d *data) report(file string) string {
	var b strings.Builder
	least, most := d.repetitions()
	times := strconv.Itoa(least)
	if most != least {
		times += " to " + strconv.Itoa(most)
	}
	middle, tail := d.spread()
	fmt.Fprintf(&b, `# Figures

`+"`make report`"+` made this from [%s](%s), the output of Go's benchmarks in benchstat's format; nothing here is typed in by hand. Each
figure is the median of %s rounds, a ratio the median of the rounds' ratios. A round measures everything once, and the paths of a
workload one after the other, so that what disturbs the machine for a while disturbs all of them alike. The fastest and the slowest
repetition of a series differ by %.0f%% in the median (by %.0f%% or more in a tenth of the series): differences of that size mean nothing.

%s
## In short

%s%s
## How to read the rest

In the tables, GB/s counts the bytes of the output. It is written to memory that is already mapped, on one core except by
`+"`EncodeParallel`"+`. Three yardsticks stand beside the paths: `+"`clear`"+` zeroes the output, `+"`limit`"+` zeroes as many bytes as the call has to
read and write (beyond the last-level cache it fills the lines that are not all zero with ones instead, past the caches), and `+"`go`"+`
is the loop that a careful Go user writes for the job; where Off is not zero it copies what it has filled. A column such as
`+"`/limit`"+` is the ratio of the path's speed to that of the yardstick: 1.00 at `+"`/limit`"+` means one-hot for the price of zeroing memory.
`, file, file, times, 100*middle, 100*tail, d.machine(), d.summary(), d.machines())
	b.WriteString(d.depths())
	b.WriteString(alignment(d.of(functionAlignment)))
	b.WriteString("\n## Workloads\n")
	for _, function := range d.calls() {
		fmt.Fprintf(&b, "\n### %s\n\n%s", function, ratios(d.of(function)))
	}
	fmt.Fprintf(&b, "\n## Peers\n\n![GB/s of this library and of others for each workload](peers.svg)\n\n%s", d.peers())
	return b.String()
}

// depths returns the section on the sweep, or "" if there is none.
func (d *data) depths() string {
	sweep := d.of(functionSweep)
	if len(sweep) == 0 {
		return ""
	}
	text := `
## Over depth

![GB/s read and written over depth, for each path, clear and limit](sweep.svg)

The output has 512 KiB, On is 1 and Off 0, and the indices are uniform. Where rows are shallow, the indices take as many bytes as
the output, or more. The picture therefore counts the bytes read and written. The tables count the bytes written, so that ` + "`limit`" + `
lies below ` + "`clear`" + ` there.
`
	for _, types := range sweptTypes(sweep) {
		text += fmt.Sprintf("\n%s, GB/s:\n\n%s", typeNames.Replace(types), d.speeds(sweep, types+"/", paths(sweep)))
	}
	return text + steps(sweep)
}

// machine returns a table of what the figures were measured on.
func (d *data) machine() string {
	first := []string{"processor", "cpu", "caches", "cpus", "goos", "goarch", "goversion", "commit"}
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(d.config)), func(key string) bool { return slices.Contains(first, key) })
	g := grid{{"", ""}}
	for _, key := range append(first, rest...) {
		if value := d.config[key]; value != "" {
			g = append(g, []string{key, value})
		}
	}
	return g.String()
}

// speeds returns a table of GB/s for the rows whose workload has the prefix.
// Where there is no figure it has the reason in one word.
func (d *data) speeds(rows figures.Rows, prefix string, names []string) string {
	g := grid{append([]string{"workload"}, names...)}
	for _, r := range rows {
		name, ok := strings.CutPrefix(r.Workload, prefix)
		if !ok {
			continue
		}
		line := []string{name}
		for _, path := range names {
			line = append(line, cmp.Or(number(r.Speed(path)), d.why(r.Workload, path)))
		}
		g = append(g, line)
	}
	return g.String()
}

// ratios returns a table of one benchmark: for each path its GB/s, and the
// ratio to each yardstick.
func ratios(rows figures.Rows) string {
	yardsticks := []string{}
	for _, path := range []string{figures.Clear, figures.Limit, figures.Go} {
		if slices.Contains(paths(rows), path) {
			yardsticks = append(yardsticks, path)
		}
	}
	own := paths(rows, figures.Clear, figures.Limit, figures.Go)
	head := append([]string{"workload"}, yardsticks...)
	for _, path := range own {
		head = append(head, path)
		for _, y := range yardsticks {
			head = append(head, "/"+y)
		}
	}
	g := grid{head}
	var all [][]float64
	for _, r := range rows {
		var cells []float64
		for _, y := range yardsticks {
			cells = append(cells, r.Speed(y))
		}
		for _, path := range own {
			cells = append(cells, r.Speed(path))
			for _, y := range yardsticks {
				cells = append(cells, r.Ratio(path, y))
			}
		}
		all = append(all, cells)
		g = append(g, append([]string{r.Workload}, numbers(cells)...))
	}
	if len(all) > 1 {
		g = append(g, append([]string{"geometric mean"}, numbers(figures.Geomeans(all))...))
	}
	return g.String()
}
