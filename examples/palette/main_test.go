package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const unit = 10 // pixels to a unit of the flag, which is 22 wide and 16 high

var (
	red   = color.RGBA{0xba, 0x0c, 0x2f, 0xff}
	white = color.RGBA{0xff, 0xff, 0xff, 0xff}
	blue  = color.RGBA{0x00, 0x20, 0x5b, 0xff}
	gray  = color.RGBA{0x80, 0x80, 0x80, 0xff}
)

// flag returns the color of a point, from the proportions in the law.
func flag(x, y int) color.RGBA {
	within := func(low, high int) bool {
		return x/unit >= low && x/unit < high || y/unit >= low && y/unit < high
	}
	switch {
	case within(7, 9):
		return blue
	case within(6, 10):
		return white
	}
	return red
}

func TestFlag(t *testing.T) {
	out := filepath.Join(t.TempDir(), "planes.png")
	var text bytes.Buffer
	require.NoError(t, run(&text, "testdata/norway.png", out))

	// Of 22*16 = 352 units the blue cross has 2*16 + 2*22 - 2*2 = 72, with its
	// white border 4*16 + 4*22 - 4*4 = 136.
	require.Equal(t, "class   0  #ba0c2f  21600 pixels\n"+
		"class   1  #ffffff  6400 pixels\n"+
		"class   2  #00205b  7200 pixels\n", text.String())

	file, err := os.Open(out)
	require.NoError(t, err)
	defer file.Close()
	got, err := png.Decode(file)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 2*220+3*8, 2*160+3*8), got.Bounds())
	for class, want := range []color.RGBA{red, white, blue} {
		left, top := 8+class%2*228, 8+class/2*168
		for y := range 160 {
			for x := range 220 {
				cell := gray
				if flag(x, y) == want {
					cell = want
				}
				require.Equal(t, cell, color.RGBAModel.Convert(got.At(left+x, top+y)), "class %d at %d, %d", class, x, y)
			}
		}
	}
}

// A crop has the Stride of the whole picture.
func TestCrop(t *testing.T) {
	file, err := os.Open("testdata/norway.png")
	require.NoError(t, err)
	defer file.Close()
	whole, err := png.Decode(file)
	require.NoError(t, err)
	crop := whole.(*image.Paletted).SubImage(image.Rect(55, 45, 123, 99)).(*image.Paletted)
	require.Greater(t, crop.Stride, crop.Rect.Dx())

	masks, err := planes(crop)
	require.NoError(t, err)
	require.Len(t, masks, 3)
	areas := make([]int, 3)
	for class, want := range []color.RGBA{red, white, blue} {
		for y := 45; y < 99; y++ {
			for x := 55; x < 123; x++ {
				on := flag(x, y) == want
				require.Equal(t, on, masks[class].AlphaAt(x, y).A == 255, "class %d at %d, %d", class, x, y)
				if on {
					areas[class]++
				}
			}
		}
		require.Equal(t, areas[class], area(masks[class]))
	}
	require.Equal(t, 68*54, areas[0]+areas[1]+areas[2])
}

func TestWrongInput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.png")
	require.ErrorIs(t, run(&bytes.Buffer{}, "testdata/missing.png", out), os.ErrNotExist)
	require.ErrorIs(t, run(&bytes.Buffer{}, "main.go", out), image.ErrFormat)

	gray := filepath.Join(t.TempDir(), "gray.png")
	file, err := os.Create(gray)
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, image.NewGray(image.Rect(0, 0, 2, 2))))
	require.NoError(t, file.Close())
	require.ErrorContains(t, run(&bytes.Buffer{}, gray, out), "no picture with a palette")
	require.NoFileExists(t, out)
}
