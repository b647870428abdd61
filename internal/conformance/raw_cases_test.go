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
		return definedClasses(asFloats(b, oracle.Half), depth, neg)
	case onehot.BFloat16:
		return definedClasses(asFloats(b, oracle.BFloat), depth, neg)
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
		copy(want[margin:], got) // in gaps they stay
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
