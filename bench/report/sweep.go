package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// typeNames replaces the short names of types, as in the names of workloads, by
// those of Go.
var typeNames = strings.NewReplacer("u8", "uint8", "u16", "uint16", "i32", "int32", "i64", "int64", "f32", "float32", "f64", "float64", "/", " to ")

// A curve is the speed of one path over depth.
type curve struct {
	path   string
	points plotter.XYs
}

// pictured are the pairs of types that the picture shows, and whose tables come
// first: the most common pair, and the one with the shortest rows.
var pictured = []string{"i64/f32", "u8/u8"}

// sweepPoint splits the name of a workload of the sweep, such as
// "i64/f32/depth=10".
func sweepPoint(workload string) (types string, depth int, ok bool) {
	types, text, ok := strings.Cut(workload, "/depth=")
	depth, err := strconv.Atoi(text)
	return types, depth, ok && err == nil
}

// traffic returns how many bytes a point of the sweep reads and writes for each
// byte that it writes: it reads one index for each row.
func traffic(workload string) float64 {
	types, depth, _ := sweepPoint(workload)
	index, value, _ := strings.Cut(types, "/")
	return 1 + bitsOf(index)/(bitsOf(value)*float64(depth))
}

// bitsOf returns the bits of a type, such as 32 for "f32", or NaN if name is no
// type.
func bitsOf(name string) float64 {
	bits, err := strconv.Atoi(strings.TrimLeft(name, "uif"))
	if err != nil {
		return math.NaN()
	}
	return float64(bits)
}

// moved returns the speed of a path at a point of the sweep, in bytes read and
// written. Clear reads nothing.
func moved(r *figures.Row, path string) float64 {
	if path == figures.Clear {
		return r.Speed(path)
	}
	return r.Speed(path) * traffic(r.Workload)
}

// overDepth returns a figure of the rows of one pair of types, in order of
// depth. It leaves out rows whose figure is NaN.
func overDepth(rows figures.Rows, types string, figure func(*figures.Row) float64) (points plotter.XYs) {
	for _, r := range rows {
		of, depth, ok := sweepPoint(r.Workload)
		if v := figure(r); ok && of == types && !math.IsNaN(v) {
			points = append(points, plotter.XY{X: float64(depth), Y: v})
		}
	}
	slices.SortFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return points
}

// movedOver returns moved over depth.
func movedOver(rows figures.Rows, types, path string) plotter.XYs {
	return overDepth(rows, types, func(r *figures.Row) float64 { return moved(r, path) })
}

// curves returns the curves of one pair of types, such as "i64/f32", in bytes
// read and written.
func curves(rows figures.Rows, types string) (all []curve) {
	for _, path := range paths(rows) {
		if points := movedOver(rows, types, path); len(points) > 0 {
			all = append(all, curve{path, points})
		}
	}
	return all
}

// sweptTypes returns the pairs of types with a sweep, those of the picture
// first.
func sweptTypes(rows figures.Rows) (all []string) {
	for _, r := range rows {
		if types, _, ok := sweepPoint(r.Workload); ok && !slices.Contains(all, types) {
			all = append(all, types)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return place(a) - place(b) })
	return all
}

// place returns the place of a pair of types in the picture, or len(pictured)
// if it has none.
func place(types string) int {
	if i := slices.Index(pictured, types); i >= 0 {
		return i
	}
	return len(pictured)
}

// drawSweep draws speed over depth, in one panel for each pair of types. All
// panels have the same scale.
func drawSweep(d *data) ([]byte, error) {
	rows := d.of(functionSweep)
	types := slices.DeleteFunc(sweptTypes(rows), func(types string) bool { return place(types) == len(pictured) })
	if len(types) == 0 {
		return nil, fmt.Errorf("the data has no sweep over depths of %s", typeNames.Replace(strings.Join(pictured, " nor ")))
	}
	top := 0.0
	var panels []*plot.Plot
	legend := plot.NewLegend()
	legend.TextStyle.Font.Size = vg.Points(11)
	legend.ThumbnailWidth = vg.Points(34)
	legend.Padding = vg.Points(4)
	legend.Top, legend.Left = true, true
	for i, t := range types {
		p := newPlot(typeNames.Replace(t))
		p.X.Label.Text = "depth (classes)"
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = powers{}
		if i == 0 {
			p.Y.Label.Text = "GB/s read and written"
		}
		p.Add(lines{})
		for _, c := range curves(rows, t) {
			line, points, err := c.plotters()
			if err != nil {
				return nil, err
			}
			p.Add(line)
			thumbs := []plot.Thumbnailer{line}
			if points != nil {
				p.Add(points)
				thumbs = append(thumbs, points)
			}
			if i == 0 {
				legend.Add(legendNames(c.path), thumbs...)
			}
			for _, xy := range c.points {
				top = max(top, xy.Y)
			}
		}
		panels = append(panels, p)
	}
	for _, p := range panels {
		p.Y.Min, p.Y.Max = 0, math.Ceil(top/25)*25
		p.Y.Tick.Marker = plot.ConstantTicks(fifties(p.Y.Max))
		p.X.Min, p.X.Max = 1.8, 4600
	}
	const panel, key = 380, 150
	width := vg.Points(float64(panel*len(panels) + key))
	return picture(width, vg.Points(340), func(c draw.Canvas) {
		c = draw.Crop(c, vg.Points(6), -vg.Points(6), vg.Points(6), -vg.Points(6))
		for i, p := range panels {
			left := vg.Points(float64(i * panel))
			p.Draw(draw.Crop(c, left, left+vg.Points(panel-14)-(c.Max.X-c.Min.X), 0, 0))
		}
		legend.Draw(draw.Crop(c, vg.Points(float64(panel*len(panels))), 0, 0, -vg.Points(24)))
	}), nil
}

func legendNames(path string) string {
	switch path {
	case figures.Go:
		return "careful Go"
	case figures.Clear:
		return "clear (output)"
	case figures.Limit:
		return "limit (all bytes)"
	}
	return path
}

func (c curve) plotters() (*plotter.Line, *plotter.Scatter, error) {
	l := lookOf(c.path)
	line, err := plotter.NewLine(c.points)
	if err != nil {
		return nil, nil, err
	}
	line.Color, line.Dashes, line.Width = l.color, l.dashes, vg.Points(1.6)
	if l.glyph == nil {
		return line, nil, nil
	}
	points, err := plotter.NewScatter(c.points)
	if err != nil {
		return nil, nil, err
	}
	points.GlyphStyle = draw.GlyphStyle{Color: l.color, Radius: vg.Points(2.6), Shape: l.glyph}
	return line, points, nil
}

// powers puts ticks at the powers of two, and labels every other one.
type powers struct{}

func (powers) Ticks(low, high float64) (ticks []plot.Tick) {
	named := true
	for v := 2.0; v <= high; v *= 2 {
		if v >= low {
			t := plot.Tick{Value: v}
			if named {
				t.Label = strconv.Itoa(int(v))
			}
			ticks = append(ticks, t)
		}
		named = !named
	}
	return ticks
}

// lines draws pale lines behind the curves, at the ticks of the vertical axis.
type lines struct{}

func (lines) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := draw.LineStyle{Color: color.Color(pale), Width: vg.Points(0.5)}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(style, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
		}
	}
}
