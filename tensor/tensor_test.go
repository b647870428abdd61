package tensor_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/tensor"
)

// binary16 returns the value of a binary16 by the formula of IEEE 754.
func binary16(bits int) float64 {
	sign := 1.0
	if bits>>15 == 1 {
		sign = -1
	}
	exponent, fraction := bits>>10&31, float64(bits&1023)
	switch {
	case exponent == 31 && fraction == 0:
		return math.Inf(int(sign))
	case exponent == 31:
		return math.NaN()
	case exponent == 0:
		return math.Copysign(math.Ldexp(fraction/1024, -14), sign)
	}
	return math.Copysign(math.Ldexp(1+fraction/1024, exponent-15), sign)
}

func TestFloat16(t *testing.T) {
	for b := range 1 << 16 {
		want, got := binary16(b), tensor.Float16(b).Float32()
		if math.IsNaN(want) {
			require.True(t, got != got, "%#04x is %v, want NaN", b, got)
			require.Equal(t, b>>15 == 1, math.Signbit(float64(got)), "%#04x lost its sign", b)
			continue
		}
		require.Equal(t, math.Float32bits(float32(want)), math.Float32bits(got), "%#04x is %v, want %v", b, got, want)
	}
	assert.Equal(t, uint32(0x7fc02000), math.Float32bits(tensor.Float16(0x7e01).Float32()), "a payload is kept")
}

func TestBFloat16(t *testing.T) {
	for b := range 1 << 16 {
		got := tensor.BFloat16(b).Float32()
		if got != got {
			require.True(t, b>>7&255 == 255 && b&127 != 0, "%#04x is NaN", b)
			continue
		}
		require.Equal(t, uint32(b)<<16, math.Float32bits(got))
	}
	assert.Equal(t, float32(1.5), tensor.BFloat16(0x3fc0).Float32())
	assert.Equal(t, uint32(0x7fc10000), math.Float32bits(tensor.BFloat16(0x7fc1).Float32()), "a payload is kept")
}
