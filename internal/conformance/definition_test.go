package conformance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot"
)

// This file is the law written a second time, slowly, and without a line of the
// package's: numbers of any size are big.Ints, and a cell is written by looking
// at its three coordinates.

// half values, decoded by the book.

// The definition itself, checked by hand.

func TestDefinedClass(t *testing.T) {
	const miss = -1
	for _, c := range []struct {
		x                 any
		depth             int
		ignore, normalize int
	}{
		{int8(0), 3, 0, 0},
		{uint8(2), 3, 2, 2},
		{int16(3), 3, miss, miss},
		{int64(-1), 3, miss, 2},
		{int32(-3), 3, miss, 0},
		{int32(-4), 3, miss, miss},
		{int64(math.MinInt64), 3, miss, miss},
		{uint64(math.MaxUint64), 3, miss, miss},
		{uint64(1) << 63, 3, miss, miss},
		{int64(1) << 32, 3, miss, miss},
		{float32(2.99), 3, 2, 2},
		{float32(-0.99), 3, 0, 0},
		{math.Copysign(0, -1), 3, 0, 0},
		{-1.0, 3, miss, 2},
		{-3.9, 3, miss, 0},
		{math.NaN(), 3, miss, miss},
		{math.Inf(1), 3, miss, miss},
		{math.Inf(-1), 3, miss, miss},
		{1e300, 3, miss, miss},
		{0, 0, miss, miss},
	} {
		ignore, _ := definedClass(c.x, c.depth, onehot.Ignore)
		normalize, ok := definedClass(c.x, c.depth, onehot.Normalize)
		assert.Equal(t, c.ignore, ignore, "%T %v", c.x, c.x)
		assert.Equal(t, c.normalize, normalize, "%T %v", c.x, c.x)
		assert.Equal(t, c.normalize != miss, ok, "%T %v", c.x, c.x)
	}
}

func TestDefined(t *testing.T) {
	dst := make([]byte, 2*14)
	for i := range dst {
		dst[i] = '.'
	}
	s := onehot.Spec[byte]{Depth: 3, Inner: 2, Stride: 8, On: '1', Off: '0', Negative: onehot.Normalize}
	assert.Equal(t, 1, defined(dst, []int{0, 2, -1, 3}, s))
	assert.Equal(t, "100001..000010..............", string(dst))
}

func TestHalfValue(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x3c00: 1, 0xc000: -2, 0x0001: 0x1p-24, 0x7bff: 65504, 0x4248: 3.140625, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		assert.Equal(t, want, halfValue(bits), "%#x", bits)
	}
	assert.True(t, math.IsNaN(halfValue(0x7e00)))
	assert.True(t, math.Signbit(halfValue(0x8000)))
	assert.Equal(t, 1.0, bfloatValue(0x3f80))
}
