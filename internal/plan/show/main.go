// Command show prints what the library would do for each depth and width of a
// cell, without doing any of it:
//
//	go run ./internal/plan/show -path avx2 -llc 16777216 -size 524288,134217728
//
// The first lines that it prints explain the cells of its tables. It does not
// distinguish small calls, which are written before there is a plan.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "show:", err)
		os.Exit(2)
	}
}

// indexTypes are the type names that the flag -index takes.
var indexTypes = strings.Fields("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 text")

// The depths and widths of a table.
var (
	depths = []int{1, 2, 3, 4, 8, 10, 16, 20, 32, 33, 64, 65, 100, 128, 129, 255, 256, 512, 1000, 4096, 65536, 65537}
	widths = []int{1, 2, 4, 8, 16}
)

// legend explains what describe prints.
const legend = `rows and planes are blended, so many indices at a time; scatter is a fill, and a store an index
nt: non-temporal stores; tiles: by way of a scratch, or of the end of the output; a blank: less than a row
`

// A show holds the values of the flags.
type show struct {
	out     io.Writer
	machine *plan.Machine
	index   string
	sizes   []int
	columns int
	set     int
	shape   plan.Shape // the Zero, Miss and Text of all shapes, each of which starts a cache line
}

func run(out io.Writer, args []string) error {
	s := show{out: out, machine: plan.Here()}
	flags := flag.NewFlagSet("show", flag.ContinueOnError)
	path := flags.String("path", s.machine.Path.String(), "the `path`: avx512, avx2, neon or generic")
	flags.StringVar(&s.index, "index", "int64", "the `type` of an index, or text")
	sizes := flags.String("size", "4096,524288,8388608,134217728", "`bytes` of output, comma separated")
	flags.IntVar(&s.machine.L1, "l1", s.machine.L1, "`bytes` of the first-level cache")
	flags.IntVar(&s.machine.L2, "l2", s.machine.L2, "`bytes` of the second-level cache")
	flags.IntVar(&s.machine.LLC, "llc", s.machine.LLC, "`bytes` of the last-level cache")
	flags.BoolVar(&s.machine.SkylakeServer, "skylake", s.machine.SkylakeServer, "the processor is a Skylake server, which matters to path avx2")
	flags.BoolVar(&s.machine.Intel, "intel", s.machine.Intel, "the processor is one of Intel's")
	flags.BoolVar(&s.machine.Zen1To4, "zen", s.machine.Zen1To4, "the processor is a Zen 4 or an older Zen, which matters to path avx2")
	flags.IntVar(&s.columns, "columns", 8, "columns of a table")
	flags.IntVar(&s.set, "set", 32, "indices of a set")
	off := flags.Bool("off", false, "Off is not zero")
	flags.BoolVar(&s.shape.Miss, "miss", false, "a miss has cells of its own")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.shape.Zero, s.shape.Text = !*off, s.index == "text"
	if !slices.Contains(indexTypes, s.index) {
		return fmt.Errorf("no type of index is named %q: %s", s.index, strings.Join(indexTypes, " "))
	}
	paths := []tier.Path{tier.GenericPath, tier.NEONPath, tier.AVX2Path, tier.AVX512Path}
	at := slices.IndexFunc(paths, func(p tier.Path) bool { return p.String() == *path })
	if at < 0 {
		return fmt.Errorf("no path is named %q", *path)
	}
	s.machine.Path = paths[at]
	for _, size := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of bytes", size)
		}
		s.sizes = append(s.sizes, n)
	}
	cores := ""
	switch avx2 := s.machine.Path == tier.AVX2Path; {
	case avx2 && s.machine.SkylakeServer:
		cores = " of a Skylake server"
	case s.machine.Intel && (avx2 || s.machine.Path == tier.AVX512Path):
		cores = " of an Intel processor"
	case avx2 && s.machine.Zen1To4:
		cores = " of a Zen up to Zen 4"
	}
	fmt.Fprintf(out, "path %s%s, caches of %s, %s and %s, indices %s; small calls may be over before a plan is made\n"+legend, *path, cores, bytes(s.machine.L1), bytes(s.machine.L2), bytes(s.machine.LLC), s.index)
	s.all()
	return nil
}

// all prints the tables of every call.
func (s *show) all() {
	m := s.machine
	encode := func(shape *plan.Shape) string { return describe(plan.Encode(m, shape)) }
	decode := func(shape *plan.Shape) string { return orLoop(plan.Decode(m, shape)) }
	s.tables("rows of Encode", encode, rows)
	s.tables("planes of Encode", encode, planes)
	s.tables(fmt.Sprintf("EncodeColumns, rows of %d columns", s.columns),
		func(shape *plan.Shape) string { return describe(plan.Columns(m, shape, s.columns)) }, rows)
	s.tables(fmt.Sprintf("MultiHot, sets of %d", s.set),
		func(shape *plan.Shape) string { return describe(plan.MultiHot(m, shape, s.set)) }, rows)
	s.tables("rows of Update",
		func(shape *plan.Shape) string {
			if plan.ComparesIndices(m.Path, shape.Outer, shape.Depth) {
				return "compare"
			}
			return "loop"
		}, rows)
	s.tables("rows of Decode", decode, rows)
	s.tables("planes of Decode", decode, planes)
	s.bits()
}

// rows returns the shape of n rows, and planes that of planes of n cells.
func rows(s plan.Shape, n, depth, width int) plan.Shape {
	s.Outer, s.Depth, s.Inner, s.Plane, s.Stride, s.Width = n, depth, 1, 1, depth, width
	return s
}

func planes(s plan.Shape, n, depth, width int) plan.Shape {
	s.Outer, s.Depth, s.Inner, s.Plane, s.Stride, s.Width = 1, depth, n, n, depth*n, width
	return s
}

// tables prints one table for each size of output.
func (s *show) tables(title string, of func(*plan.Shape) string, shape func(s plan.Shape, n, depth, width int) plan.Shape) {
	for _, size := range s.sizes {
		var heads []string
		for _, width := range widths {
			heads = append(heads, fmt.Sprintf("%d-byte cells", width))
		}
		s.table(fmt.Sprintf("%s, %s of output", title, bytes(size)), heads, func(depth, column int) string {
			n := size / (depth * widths[column])
			if n == 0 {
				return "" // no index
			}
			this := shape(s.shape, n, depth, widths[column])
			return of(&this)
		})
	}
}

// bits prints the plans of EncodeBits, which have no width of a cell.
func (s *show) bits() {
	var heads []string
	for _, size := range s.sizes {
		heads = append(heads, bytes(size))
	}
	s.table("EncodeBits, over the size of the output", heads, func(depth, column int) string {
		n := s.sizes[column] * 8 / depth
		if n == 0 {
			return ""
		}
		return describe(plan.Bits(s.machine, n, depth))
	})
}

// table prints a line for each depth, or for several in a row with equal cells.
func (s *show) table(title string, heads []string, cell func(depth, column int) string) {
	fmt.Fprintf(s.out, "\n%s\n", title)
	s.line("depth", pad(heads))
	first, last := 0, ""
	for i, depth := range depths {
		var cells []string
		for column := range heads {
			cells = append(cells, cell(depth, column))
		}
		line := pad(cells)
		if i > 0 && line != last {
			s.line(span(depths[first], depths[i-1]), last)
			first = i
		}
		last = line
	}
	s.line(span(depths[first], depths[len(depths)-1]), last)
}

func (s *show) line(name, cells string) {
	fmt.Fprintln(s.out, strings.TrimRight(fmt.Sprintf("%-16s%s", name, cells), " "))
}

// pad lays cells out in columns.
func pad(cells []string) (line string) {
	for _, c := range cells {
		line += fmt.Sprintf("%-23s ", c) // a space follows even the longest cell
	}
	return line
}

func span(from, to int) string {
	if to > from {
		return fmt.Sprintf("%d to %d", from, to)
	}
	return strconv.Itoa(from)
}

// orLoop is describe for calls that fill nothing.
func orLoop(p plan.Plan) string {
	if p.Strategy == plan.Scatter {
		return "loop"
	}
	return describe(p)
}

// describe returns the text of a plan for a cell of a table.
func describe(p plan.Plan) string {
	text := p.Strategy.String()
	if p.Strategy == plan.Scatter && !p.Stream {
		text += " " + p.Fill.String()
	}
	if p.Block > 0 {
		text += fmt.Sprintf(" %d", p.Block)
	}
	if p.ByColumns {
		text += " by columns"
	}
	if p.Stream {
		text += " nt"
	}
	if p.Tiles {
		text += " tiles"
	}
	return text
}

func bytes(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
