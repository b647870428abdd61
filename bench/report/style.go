package main

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// A look is how a path or a peer appears in every picture: a color that people
// with any kind of color vision can tell from the others (after Okabe and Ito)
// and, for lines, a dash and a glyph, so that nothing depends on color alone.
type look struct {
	color  color.Color
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}

var (
	blue       = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	sky        = color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	green      = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	yellow     = color.RGBA{0xd9, 0xc9, 0x0c, 0xff} // darker than the palette's, to be visible on white
	orange     = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	vermillion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	purple     = color.RGBA{0xcc, 0x79, 0xa7, 0xff}
	black      = color.RGBA{0x22, 0x22, 0x22, 0xff}
	gray       = color.RGBA{0x88, 0x88, 0x88, 0xff}
	pale       = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
)

var looks = map[string]look{
	"avx512":        {blue, nil, draw.CircleGlyph{}},
	"avx2":          {sky, nil, draw.SquareGlyph{}},
	"neon":          {blue, nil, draw.CircleGlyph{}},
	"generic":       {green, nil, draw.TriangleGlyph{}},
	figures.Go:      {orange, dashed(5, 3), draw.PyramidGlyph{}},
	figures.Clear:   {black, dashed(7, 3), nil},
	figures.Limit:   {gray, dashed(2, 2), nil},
	"naive":         {yellow, nil, nil},
	"onnxruntime":   {vermillion, nil, nil},
	"gomlx":         {purple, nil, nil},
	"numpy-eye":     {gray, nil, nil},
	"numpy-put":     {gray, nil, nil},
	"torch-one_hot": {green, nil, nil},
	"torch-scatter": {green, nil, nil},
}

func dashed(points ...float64) (d []vg.Length) {
	for _, p := range points {
		d = append(d, vg.Points(p))
	}
	return d
}

func lookOf(path string) look {
	if l, ok := looks[path]; ok {
		return l
	}
	return look{color: black, glyph: draw.CrossGlyph{}}
}

func init() { plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"} }

// newPlot returns a plot with the text sizes that all pictures share.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = vg.Points(12)
	p.Title.Padding = vg.Points(4)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = vg.Points(11)
		axis.Tick.Label.Font.Size = vg.Points(10)
		axis.LineStyle.Color, axis.Tick.Color = gray, gray
	}
	return p
}

// picture lets paint draw on a white canvas of that size, and returns the
// result as SVG.
func picture(w, h vg.Length, paint func(draw.Canvas)) []byte {
	c := vgsvg.New(w, h)
	dc := draw.New(c)
	dc.FillPolygon(color.White, []vg.Point{{}, {X: w}, {X: w, Y: h}, {Y: h}})
	paint(dc)
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		panic(err) // writing to a buffer cannot fail
	}
	// A reader may not have this font; Arial has the same widths.
	return bytes.ReplaceAll(out.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
}
