package main

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// drawPeers draws a small panel for each workload, with a bar for each peer.
// All panels have the same scale, which begins at zero.
func drawPeers(d *data) ([]byte, error) {
	rows := d.of(functionPeers)
	if len(rows) == 0 {
		return nil, fmt.Errorf("the data has no comparison with peers")
	}
	names := paths(rows)
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	top := 0.0
	for _, r := range rows {
		for _, name := range names {
			if v := r.Speed(name); v > top {
				top = v
			}
		}
	}
	const columns, first, panel, height = 3, 104, 230, 168
	lines := (len(rows) + columns - 1) / columns
	width, tall := vg.Points(first+columns*panel+8), vg.Points(float64(lines*height)+24)
	return picture(width, tall, func(c draw.Canvas) {
		for i, r := range rows {
			column, line := i%columns, i/columns
			p := newPlot(r.Workload + ", " + size(r.Bytes))
			p.Title.TextStyle.Font.Size = vg.Points(11)
			p.X.Min, p.X.Max = 0, math.Ceil(top/25)*25+25 // room for the numbers behind the bars
			p.X.Tick.Marker = plot.ConstantTicks(fifties(p.X.Max))
			p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
			p.HideY()
			if i+columns >= len(rows) {
				p.X.Label.Text = "GB/s written"
			}
			p.Add(bars{d, r, names, column == 0})
			left := vg.Points(float64(first + column*panel))
			above := vg.Points(float64(line * height))
			below := tall - above - vg.Points(height-6+extra(i+columns >= len(rows)))
			p.Draw(draw.Crop(c, left, left+vg.Points(panel-12)-width, below, -above-vg.Points(4)))
		}
		if len(rows)%columns != 0 {
			note(c, vg.Point{X: vg.Points(first + (columns-1)*panel + 10), Y: tall - vg.Points(float64((lines-1)*height+40))})
		}
	}), nil
}

// note explains the words that stand for missing bars. It takes the place of an
// unused panel.
func note(c draw.Canvas, at vg.Point) {
	style := barText()
	for i, line := range []string{
		"Longer is faster.",
		"clear: zeroing as many bytes.",
		"error: refuses indices out of range.",
		"cannot: has no way to express it.",
	} {
		c.FillText(style, vg.Point{X: at.X, Y: at.Y - vg.Points(float64(15*i))}, line)
	}
}

func barText() text.Style {
	f := plot.DefaultFont
	f.Size = vg.Points(9.5)
	return text.Style{Font: f, Handler: plot.DefaultTextHandler, Color: black, YAlign: text.YCenter}
}

// extra returns the height of the label of an axis. Panels with a label get
// that much more, so that their bars are as high as those of the others.
func extra(labelled bool) float64 {
	if labelled {
		return 17
	}
	return 0
}

// size formats a number of bytes in kB or MB.
func size(bytes float64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.0f kB", bytes/1e3)
	}
	return fmt.Sprintf("%.3g MB", bytes/1e6)
}

// fifties returns a tick for every 50 GB/s up to top.
func fifties(top float64) (ticks []plot.Tick) {
	for v := 0.0; v <= top; v += 50 {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
	}
	return ticks
}

// rank sorts the yardstick first, this library second, and the others behind
// them.
func rank(path string) int {
	switch path {
	case figures.Clear:
		return 0
	case "avx512", "avx2", "neon", "generic":
		return 1
	}
	return 2
}

// bars draws a row of the comparison as bars from top to bottom, each with its
// number, or with the reason why there is none.
type bars struct {
	data  *data
	row   *figures.Row
	names []string
	named bool // the names of the peers stand left of the bars
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := barText()
	for i, name := range b.names {
		middle := y(float64(len(b.names) - 1 - i))
		half := (y(1) - y(0)) * 0.38
		if b.named {
			left := style
			left.XAlign = text.XRight
			c.FillText(left, vg.Point{X: c.Min.X - vg.Points(11), Y: middle}, barName(name))
		}
		speed := b.row.Speed(name)
		if math.IsNaN(speed) {
			none := style
			none.Color = color.Color(gray)
			c.FillText(none, vg.Point{X: x(0) + vg.Points(4), Y: middle}, b.data.why(b.row.Workload, name))
			continue
		}
		c.FillPolygon(lookOf(name).color, []vg.Point{
			{X: x(0), Y: middle - half}, {X: x(speed), Y: middle - half}, {X: x(speed), Y: middle + half}, {X: x(0), Y: middle + half},
		})
		c.FillText(style, vg.Point{X: x(speed) + vg.Points(3), Y: middle}, number(speed))
	}
}

func barName(path string) string {
	switch path {
	case figures.Go:
		return "careful Go"
	case "naive":
		return "naive Go"
	case "avx512", "avx2", "neon", "generic":
		return "onehot " + path
	case "onnxruntime":
		return "ONNX Runtime"
	}
	return path
}
