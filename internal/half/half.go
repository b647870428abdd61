// Package half widens the two 16-bit float formats.
package half

import "math"

// BFloat16 returns the value of a bfloat16, the upper half of a float32.
func BFloat16(bits uint16) float32 {
	return math.Float32frombits(uint32(bits) << 16)
}

// Float16 returns the value of an IEEE 754 binary16. A NaN keeps its payload.
func Float16(bits uint16) float32 {
	const (
		fraction = 1<<10 - 1
		rebias   = (127 - 15) << 23
	)
	sign := uint32(bits>>15) << 31
	magnitude := uint32(bits&0x7fff) << 13
	switch exponent := bits >> 10 & 0x1f; exponent {
	case 0x1f: // infinities and NaN
		return math.Float32frombits(sign | magnitude | 0xff<<23)
	case 0: // zero and subnormals: the fraction counts units of 2^-24
		value := float32(bits&fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(value))
	}
	return math.Float32frombits(sign | (magnitude + rebias))
}
