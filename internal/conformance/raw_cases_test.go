package conformance

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/view"
)

// A rawCase is an encoding of bytes.
type rawCase struct {
	encodeCase         // shift is in bytes here, and so is extra
	index              onehot.IndexType
	width              int
	indexShift         int
	indices            []byte // mixed ones of the type if nil
	workers            int    // EncodeRawParallel if not 0
	valuesInsideOutput bool
}

var indexTypes = []onehot.IndexType{
	onehot.Int8, onehot.Int16, onehot.Int32, onehot.Int64, onehot.Uint8, onehot.Uint16, onehot.Uint32, onehot.Uint64,
	onehot.Float16, onehot.BFloat16, onehot.Float32, onehot.Float64,
}

var widths = []int{1, 2, 4, 8, 16}

// A rawType is an index type of EncodeRaw: the size of an index, a function
// that draws mixed indices as bytes, and the definition of their classes.
type rawType struct {
	size    int
	indices func(seed uint64, n, depth int) []byte
	classes func(b []byte, depth int, neg onehot.Negative) (classes []int, misses int)
}

var rawTypes = [...]rawType{
	onehot.Int8: typedRaw[int8](), onehot.Int16: typedRaw[int16](), onehot.Int32: typedRaw[int32](), onehot.Int64: typedRaw[int64](),
	onehot.Uint8: typedRaw[uint8](), onehot.Uint16: typedRaw[uint16](), onehot.Uint32: typedRaw[uint32](), onehot.Uint64: typedRaw[uint64](),
	onehot.Float16:  halfType(halfOf, oracle.Half),
	onehot.BFloat16: halfType(func(f float32) uint16 { return uint16(math.Float32bits(f) >> 16) }, oracle.BFloat),
	onehot.Float32:  typedRaw[float32](), onehot.Float64: typedRaw[float64](),
}

func typedRaw[I onehot.Index]() rawType {
	return rawType{
		size:    view.Size[I](),
		indices: func(seed uint64, n, depth int) []byte { return view.Bytes(mixed[I](seed, n, depth)) },
		classes: func(b []byte, depth int, neg onehot.Negative) ([]int, int) {
			return definedClasses(typedCopy[I](b), depth, neg)
		},
	}
}

// halfType is typedRaw for floats of 16 bits, for which Go has no type.
func halfType(half func(float32) uint16, value func(uint16) float64) rawType {
	return rawType{
		size: 2,
		indices: func(seed uint64, n, depth int) []byte {
			halves := make([]uint16, n)
			for k, f := range mixed[float32](seed, n, depth) {
				halves[k] = half(f)
			}
			return view.Bytes(halves)
		},
		classes: func(b []byte, depth int, neg onehot.Negative) ([]int, int) {
			floats := make([]float64, len(b)/2)
			for k, h := range typedCopy[uint16](b) {
				floats[k] = value(h)
			}
			return definedClasses(floats, depth, neg)
		},
	}
}

// typedCopy returns bytes as a slice of another type, at an address of its own.
func typedCopy[T any](b []byte) []T {
	out := make([]T, len(b)/view.Size[T]())
	copy(view.Bytes(out), b)
	return out
}

// halfOf returns a float16 near f. How it rounds does not matter here.
func halfOf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, exponent, fraction := uint16(bits>>16&0x8000), int(bits>>23&255)-127+15, uint16(bits>>13&1023)
	switch {
	case f != f:
		return sign | 0x7e01
	case exponent >= 31:
		return sign | 0x7c00
	case exponent <= 0:
		return sign | fraction>>2 // some subnormal
	}
	return sign | uint16(exponent)<<10 | fraction
}

// rawValues returns On and Off of a width as bytes.
func rawValues(width, k int) (on, off []byte) {
	switch width {
	case 1:
		return rawValuesOf[uint8](k)
	case 2:
		return rawValuesOf[uint16](k)
	case 4:
		return rawValuesOf[uint32](k)
	case 8:
		return rawValuesOf[uint64](k)
	}
	return rawValuesOf[complex128](k)
}

func rawValuesOf[V onehot.Value](k int) (on, off []byte) {
	a, b := valuesOf[V](k)
	return view.Bytes([]V{a}), view.Bytes([]V{b})
}

// alignedBytes returns n bytes whose first one is shift bytes after a multiple
// of 64.
func alignedBytes(n, shift int) []byte {
	b := make([]byte, n+shift+64)
	start := (64-int(addressOf(b)%64))%64 + shift
	return b[start : start+n : start+n]
}

// checkRaw compares EncodeRaw with the definition.
func checkRaw(t testing.TB, c rawCase) {
	source := c.indices
	if source == nil {
		source = rawTypes[c.index].indices(c.seed, c.n, c.depth)
	}
	indices := alignedBytes(len(source), c.indexShift)
	copy(indices, source)
	on, off := rawValues(c.width, c.values)
	classes, wantMisses := rawTypes[c.index].classes(source, c.depth, c.neg)
	h := layoutOf(len(classes), specOf[uint8](c.encodeCase))

	const margin = 128
	length := h.Need()*c.width + c.extra
	want, all := bytes.Repeat([]byte{0xA5}, length+2*margin), alignedBytes(length+2*margin, c.shift)
	copy(all, want)
	got := all[margin : margin+length]
	s := onehot.RawSpec{
		Index: c.index, Width: c.width, On: on, Off: off,
		Depth: c.depth, Inner: c.inner, Stride: c.stride, Negative: c.neg,
	}
	if c.valuesInsideOutput && length >= 2*c.width {
		s.On, s.Off = got[length/2:][:c.width], got[:c.width]
		if length/2 < c.width {
			s.On = got[c.width:][:c.width]
		}
		copy(s.On, on)
		copy(s.Off, off)
		copy(want[margin:], got) // they stay where they lie in gaps
	}
	oracle.EncodeBytes(want[margin:], classes, h, oracle.Values[[]byte]{On: on, Off: off})

	what := func() string { c.indices = nil; return fmt.Sprintf("path %s: %+v", onehot.Path(), c) }
	var misses int
	var err error
	if c.workers != 0 {
		share.With(share.All, func() { misses, err = onehot.EncodeRawParallel(got, indices, s, c.workers) })
	} else {
		misses, err = onehot.EncodeRaw(got, indices, s)
	}
	if err != nil {
		require.NoError(t, err, what())
	}
	if !bytes.Equal(want, all) {
		at := 0
		for want[at] == all[at] {
			at++
		}
		require.FailNowf(t, "wrong output", "byte %d of %d is %#x and not %#x\n%s", at-margin, length, all[at], want[at], what())
	}
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, what())
	}
	if !bytes.Equal(source, indices) {
		require.Fail(t, "the indices were written to", what())
	}
}
