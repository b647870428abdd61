// Command palette splits a paletted picture, such as a segmentation map, into
// one mask per class and draws them side by side.
//
//	go run ./palette palette/testdata/norway.png planes.png
//
// A paletted picture is an array of class numbers. onehot.Encode, with Inner
// set to the number of pixels, writes one plane of pixels for each class. On is
// 255, so that a plane is the memory of an image.Alpha, which image/draw takes
// as a mask.
//
// testdata/norway.png is the flag of Norway, drawn in the proportions that its
// law gives: 6:1:2:1:12 by 6:1:2:1:6.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif"
	"image/png"
	"io"
	"log"
	"math"
	"os"

	"github.com/go-onehot/onehot"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: palette IN.png|IN.gif OUT.png")
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, in, out string) error {
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	classes, ok := img.(*image.Paletted)
	if !ok || classes.Rect.Empty() {
		return fmt.Errorf("%s: %T of %v is no picture with a palette", in, img, img.Bounds())
	}
	masks, err := planes(classes)
	if err != nil {
		return err
	}
	for class, mask := range masks {
		r, g, b, _ := classes.Palette[class].RGBA()
		fmt.Fprintf(w, "class %3d  #%02x%02x%02x  %d pixels\n", class, r>>8, g>>8, b>>8, area(mask))
	}
	var file bytes.Buffer
	if err := png.Encode(&file, sheet(masks, classes.Palette)); err != nil {
		return err
	}
	return os.WriteFile(out, file.Bytes(), 0o644)
}

// planes returns one mask per color of the palette. The rows of img may lie
// further apart than they are wide, as those of a SubImage do. The pixels
// between them are encoded too, which costs less than copying the rows
// together, and the masks have the Stride of img.
func planes(img *image.Paletted) ([]*image.Alpha, error) {
	pixels := img.Stride*(img.Rect.Dy()-1) + img.Rect.Dx()
	cells := make([]uint8, len(img.Palette)*pixels)
	spec := onehot.Spec[uint8]{Depth: len(img.Palette), On: 255, Inner: pixels}
	if _, err := onehot.Encode(cells, img.Pix[:pixels], spec); err != nil {
		return nil, err
	}
	masks := make([]*image.Alpha, len(img.Palette))
	for class := range masks {
		masks[class] = &image.Alpha{Pix: cells[class*pixels:][:pixels], Stride: img.Stride, Rect: img.Rect}
	}
	return masks, nil
}

func area(mask *image.Alpha) (pixels int) {
	for y := range mask.Rect.Dy() {
		pixels += bytes.Count(mask.Pix[y*mask.Stride:][:mask.Rect.Dx()], []byte{255})
	}
	return pixels
}

// sheet draws each mask in the color of its class on gray, in a grid that is
// about as high as it is wide.
func sheet(masks []*image.Alpha, colors color.Palette) image.Image {
	const gap = 8
	cols := int(math.Ceil(math.Sqrt(float64(len(masks)))))
	tile := masks[0].Rect.Size().Add(image.Pt(gap, gap))
	dst := image.NewRGBA(image.Rect(0, 0, cols*tile.X+gap, (len(masks)+cols-1)/cols*tile.Y+gap))
	draw.Draw(dst, dst.Rect, image.NewUniform(color.Gray{0x80}), image.Point{}, draw.Src)
	for i, mask := range masks {
		at := image.Pt(gap+i%cols*tile.X, gap+i/cols*tile.Y)
		draw.DrawMask(dst, image.Rectangle{at, at.Add(mask.Rect.Size())}, image.NewUniform(colors[i]), image.Point{}, mask, mask.Rect.Min, draw.Over)
	}
	return dst
}
