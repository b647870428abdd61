package onehot_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
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

// rawIndices returns mixed indices as bytes.
func rawIndices(typ onehot.IndexType, seed uint64, n, depth int) []byte {
	switch typ {
	case onehot.Int8:
		return bytesOf(mixed[int8](seed, n, depth))
	case onehot.Int16:
		return bytesOf(mixed[int16](seed, n, depth))
	case onehot.Int32:
		return bytesOf(mixed[int32](seed, n, depth))
	case onehot.Int64:
		return bytesOf(mixed[int64](seed, n, depth))
	case onehot.Uint8:
		return bytesOf(mixed[uint8](seed, n, depth))
	case onehot.Uint16:
		return bytesOf(mixed[uint16](seed, n, depth))
	case onehot.Uint32:
		return bytesOf(mixed[uint32](seed, n, depth))
	case onehot.Uint64:
		return bytesOf(mixed[uint64](seed, n, depth))
	case onehot.Float32:
		return bytesOf(mixed[float32](seed, n, depth))
	case onehot.Float64:
		return bytesOf(mixed[float64](seed, n, depth))
	}
	halves := make([]uint16, n)
	for k, f := range mixed[float32](seed, n, depth) {
		bits := math.Float32bits(f)
		if halves[k] = uint16(bits >> 16); typ == onehot.Float16 {
			halves[k] = halfOf(f)
		}
	}
	return bytesOf(halves)
}

// halfOf returns a float16 near f: what rounding does to it is of no interest
// here.
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

// asFloats converts half indices exactly.
func asFloats(halves []byte, value func(uint16) float64) []float64 {
	floats := make([]float64, len(halves)/2)
	for k, h := range typedCopy[uint16](halves) {
		floats[k] = value(h)
	}
	return floats
}

// typedCopy returns bytes as a slice of another type, at an address of its own.
func typedCopy[T any](b []byte) []T {
	out := make([]T, len(b)/size[T]())
	copy(bytesOf(out), b)
	return out
}

// definedRawClasses is definedClasses for bytes.
func definedRawClasses(typ onehot.IndexType, b []byte, depth int, neg onehot.Negative) ([]int, int) {
	switch typ {
	case onehot.Int8:
		return definedClasses(typedCopy[int8](b), depth, neg)
	case onehot.Int16:
		return definedClasses(typedCopy[int16](b), depth, neg)
	case onehot.Int32:
		return definedClasses(typedCopy[int32](b), depth, neg)
	case onehot.Int64:
		return definedClasses(typedCopy[int64](b), depth, neg)
	case onehot.Uint8:
		return definedClasses(typedCopy[uint8](b), depth, neg)
	case onehot.Uint16:
		return definedClasses(typedCopy[uint16](b), depth, neg)
	case onehot.Uint32:
		return definedClasses(typedCopy[uint32](b), depth, neg)
	case onehot.Uint64:
		return definedClasses(typedCopy[uint64](b), depth, neg)
	case onehot.Float16:
		return definedClasses(asFloats(b, halfValue), depth, neg)
	case onehot.BFloat16:
		return definedClasses(asFloats(b, bfloatValue), depth, neg)
	case onehot.Float32:
		return definedClasses(typedCopy[float32](b), depth, neg)
	}
	return definedClasses(typedCopy[float64](b), depth, neg)
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
	return bytesOf([]V{a}), bytesOf([]V{b})
}

// alignedBytes returns n bytes whose first one is shift bytes behind a multiple
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
		source = rawIndices(c.index, c.seed, c.n, c.depth)
	}
	indices := alignedBytes(len(source), c.indexShift)
	copy(indices, source)
	on, off := rawValues(c.width, c.values)
	classes, wantMisses := definedRawClasses(c.index, source, c.depth, c.neg)
	h := shapeOf(len(classes), specOf[uint8](c.encodeCase))

	const margin = 128
	length := h.need()*c.width + c.extra
	want, all := make([]byte, length+2*margin), alignedBytes(length+2*margin, c.shift)
	for i := range all {
		want[i], all[i] = 0xA5, 0xA5
	}
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
		copy(want[margin:], got) // in gaps they stay
	}
	for o := range h.outer {
		for d := range h.depth {
			for i := range h.inner {
				value := off
				if classes[o*h.inner+i] == d {
					value = on
				}
				copy(want[margin+(o*h.stride+d*h.inner+i)*c.width:], value)
			}
		}
	}

	what := func() string { c.indices = nil; return fmt.Sprintf("path %s: %+v", onehot.Path(), c) }
	var misses int
	var err error
	if c.workers != 0 {
		misses, err = onehot.EncodeRawParallel(got, indices, s, c.workers)
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

func TestEncodeRaw(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		seed := uint64(0)
		for _, index := range indexTypes {
			for _, width := range widths {
				for _, neg := range modes {
					for _, depth := range []int{1, 3, 10, 33, 130, 300} {
						if seed++; testing.Short() && seed%3 != 0 {
							continue
						}
						c := rawCase{index: index, width: width, encodeCase: encodeCase{n: 132, depth: depth, neg: neg, values: int(seed), seed: seed}}
						checkRaw(t, c)
						c.inner = 132
						checkRaw(t, c)
						c.inner, c.shift, c.indexShift = 66, int(seed%64), int(seed%9)
						checkRaw(t, c)
						c.inner, c.stride, c.extra = 3, 3*depth+int(seed%5), int(seed%20)
						checkRaw(t, c)
					}
				}
			}
		}
	})
}

func TestEncodeRawEveryAlignment(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, width := range widths {
			for shift := 0; shift <= 64; shift += sparse(5) {
				for _, depth := range []int{2, 5, 16, 33, 100} {
					c := rawCase{index: onehot.Int64, width: width, encodeCase: encodeCase{n: 70, depth: depth, shift: shift, values: shift, seed: uint64(shift)}}
					c.indexShift = shift % 8
					checkRaw(t, c)
					c.inner = 35
					checkRaw(t, c)
				}
			}
		}
		for _, index := range indexTypes {
			for shift := range 9 {
				for _, n := range []int{1, 15, 64, 257, 700} {
					c := rawCase{index: index, width: 4, indexShift: shift, encodeCase: encodeCase{n: n, depth: 10, neg: modes[n%2], seed: uint64(n)}}
					checkRaw(t, c)
					c.inner, c.shift, c.width = n, shift, 2
					checkRaw(t, c)
				}
			}
		}
	})
}

// Outputs of many tiles, from indices that have to be staged.
func TestEncodeRawLarge(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for k, index := range indexTypes {
			for _, depth := range []int{2, 40, 1000} {
				width := widths[k%len(widths)]
				n := 200 << 10 / (depth * width)
				c := rawCase{index: index, width: width, encodeCase: encodeCase{n: n, depth: depth, shift: 3, values: k, seed: uint64(k)}, indexShift: 1}
				checkRaw(t, c)
				c.inner = n
				checkRaw(t, c)
				c.n, c.inner = 4*(n/4), max(n/4, 1)
				if c.n = 4 * c.inner; depth > 2 {
					c.stride = c.inner*depth + 5
				}
				checkRaw(t, c)
			}
		}
	})
}

// All 65536 halves.
func TestEncodeRawHalves(t *testing.T) {
	all := make([]uint16, 1<<16)
	for k := range all {
		all[k] = uint16(k)
	}
	step := sparse(37)
	eachPath(t, func(t *testing.T) {
		for _, index := range []onehot.IndexType{onehot.Float16, onehot.BFloat16} {
			for _, neg := range modes {
				for from := 0; from < len(all); from += 1024 * step {
					c := rawCase{index: index, width: 1, indices: bytesOf(all[from:][:1024]), indexShift: from / 1024 % 2}
					c.depth, c.neg = 70, neg
					checkRaw(t, c)
				}
			}
		}
	})
}

// On and Off may lie in what is overwritten.
func TestEncodeRawValuesInsideOutput(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for _, width := range widths {
			for _, n := range []int{2, 30, 3000} {
				for values := range valueKinds {
					c := rawCase{index: onehot.Int32, width: width, valuesInsideOutput: true, encodeCase: encodeCase{n: n, depth: 5, values: values, seed: 7}}
					checkRaw(t, c)
					c.inner = n
					checkRaw(t, c)
					c.workers = 3
					checkRaw(t, c)
				}
			}
		}
	})
}

func TestEncodeRawParallel(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		for k := 0; k < len(indexTypes); k += sparse(5) {
			index := indexTypes[k]
			for _, workers := range []int{-1, 2, 100} {
				width := widths[k%len(widths)]
				c := rawCase{index: index, width: width, workers: workers, encodeCase: encodeCase{n: 900 << 10 / (40 * width), depth: 40, values: k, seed: uint64(k), shift: k % 5}}
				checkRaw(t, c)
				c.inner = c.n
				checkRaw(t, c)
			}
		}
	})
}

// Encode and EncodeRaw are one operator.
func TestEncodeRawIsEncode(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		indices := mixed[float64](5, 400, 21)
		s := onehot.Spec[uint32]{Depth: 21, On: 0xdeadbeef, Off: 7, Negative: onehot.Normalize, Inner: 4}
		want := make([]uint32, 400*21)
		wantMisses, err := onehot.Encode(want, indices, s)
		require.NoError(t, err)
		got := make([]uint32, 400*21)
		misses, err := onehot.EncodeRaw(bytesOf(got), bytesOf(indices), onehot.RawSpec{
			Index: onehot.Float64, Width: 4, On: bytesOf([]uint32{s.On}), Off: bytesOf([]uint32{s.Off}),
			Depth: 21, Inner: 4, Negative: onehot.Normalize,
		})
		require.NoError(t, err)
		require.Equal(t, wantMisses, misses)
		require.True(t, slices.Equal(want, got))
	})
}
