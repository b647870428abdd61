package main

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// typeNames says the short names of workloads as Go does.
var typeNames = strings.NewReplacer("u8", "uint8", "u16", "uint16", "i32", "int32", "i64", "int64", "f32", "float32", "f64", "float64", "/", " to ")

// A curve is the speed of one path over depth.
type curve struct {
	path   string
	points plotter.XYs
}

// curves are those of the sweep on one pair of types, as "i64/f32".
func curves(rows []*row, types string) (all []curve, err error) {
	for _, path := range paths(rows) {
		c := curve{path: path}
		for _, r := range rows {
			depth, ok := strings.CutPrefix(r.workload, types+"/depth=")
			if !ok || math.IsNaN(r.speed(path)) {
				continue
			}
			x, err := strconv.Atoi(depth)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.workload, err)
			}
			c.points = append(c.points, plotter.XY{X: float64(x), Y: r.speed(path)})
		}
		all = append(all, c)
	}
	return all, nil
}

// sweptTypes are the pairs of types that the data has a sweep of.
func sweptTypes(rows []*row) (all []string) {
	for _, r := range rows {
		types, _, ok := strings.Cut(r.workload, "/depth=")
		if ok && (len(all) == 0 || all[len(all)-1] != types) {
			all = append(all, types)
		}
	}
	return all
}

// drawSweep draws speed over depth, one panel for each pair of types, on the same scale.
func drawSweep(d *data) ([]byte, error) {
	rows := d.of(functionSweep)
	if len(rows) == 0 {
		return nil, fmt.Errorf("the data has no sweep over depths")
	}
	types := sweptTypes(rows)
	top := 0.0
	var panels []*plot.Plot
	legend := plot.NewLegend()
	legend.TextStyle.Font.Size = vg.Points(11)
	legend.ThumbnailWidth = vg.Points(34)
	legend.Padding = vg.Points(4)
	legend.Top, legend.Left = true, true
	for i, t := range types {
		all, err := curves(rows, t)
		if err != nil {
			return nil, err
		}
		p := newPlot(typeNames.Replace(t))
		p.X.Label.Text = "depth (classes)"
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = powers{}
		if i == 0 {
			p.Y.Label.Text = "GB/s written"
		}
		p.Add(lines{})
		for _, c := range all {
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
	case pathGo:
		return "careful Go"
	case pathClear:
		return "clear (output)"
	case pathLimit:
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
	line.Color, line.Dashes, line.Width = l.colour, l.dashes, vg.Points(1.6)
	if l.glyph == nil {
		return line, nil, nil
	}
	points, err := plotter.NewScatter(c.points)
	if err != nil {
		return nil, nil, err
	}
	points.GlyphStyle = draw.GlyphStyle{Color: l.colour, Radius: vg.Points(2.6), Shape: l.glyph}
	return line, points, nil
}

// powers marks the powers of two, and names every other one.
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

// lines are pale ones behind the curves, at the marks of the vertical axis.
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
