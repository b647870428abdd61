package oracle

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The definition itself, checked by hand.

func TestClass(t *testing.T) {
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
		ignore, _ := Class(c.x, c.depth, false)
		normalize, ok := Class(c.x, c.depth, true)
		assert.Equal(t, c.ignore, ignore, "%T %v", c.x, c.x)
		assert.Equal(t, c.normalize, normalize, "%T %v", c.x, c.x)
		assert.Equal(t, c.normalize != miss, ok, "%T %v", c.x, c.x)
	}
	classes, misses := Classes([]int{0, 2, -1, 3}, 3, true)
	assert.Equal(t, []int{0, 2, 2, miss}, classes)
	assert.Equal(t, 1, misses)
}

func TestEncode(t *testing.T) {
	miss := byte('m')
	for _, c := range []struct {
		l    Layout
		miss *byte
		want string
	}{
		{Layout{Depth: 3}, nil, "100" + "001" + "001" + "000"},
		{Layout{Depth: 3}, &miss, "100" + "001" + "001" + "mmm"},
		{Layout{Depth: 3, Stride: 4}, nil, "100." + "001." + "001." + "000"},
		{Layout{Depth: 3, Inner: 2}, nil, "10" + "00" + "01" + "00" + "00" + "10"},
		{Layout{Depth: 3, Inner: 2, Stride: 8}, nil, "100001.." + "000010"},
		{Layout{Depth: 3, Inner: 2, Plane: 3}, nil, "10." + "00." + "01." + "00." + "00." + "10"},
		{Layout{Depth: 3, Inner: 2, Plane: 3, Stride: 8}, &miss, "10.00.01" + "0m.0m.1m"},
		{Layout{Depth: 3, Inner: 4}, nil, "1000" + "0000" + "0110"},
		{Layout{Depth: 0, Stride: 5}, &miss, ""},
	} {
		l := c.l.For(4)
		assert.Equal(t, len(c.want), l.Need(), "%+v", c.l)
		dst := []byte(strings.Repeat(".", 30))
		Encode(dst, []int{0, 2, 2, -1}, l, Values[byte]{'1', '0', c.miss})
		assert.Equal(t, c.want, strings.TrimRight(string(dst), "."), "%+v", c.l)

		wide, v := make([]byte, 60), Values[[]byte]{On: []byte("1\x01"), Off: []byte("0\x01")}
		if c.miss != nil {
			v.Miss = &[]byte{*c.miss, 1}
		}
		EncodeBytes(wide, []int{0, 2, 2, -1}, l, v)
		for k := range dst {
			want := [2]byte{dst[k], 1}
			if dst[k] == '.' {
				want = [2]byte{}
			}
			assert.Equal(t, want[:], wide[2*k:][:2], "%+v", c.l)
		}
	}
	assert.Zero(t, Layout{Depth: 3, Stride: 9}.For(0).Need())
	assert.Equal(t, 8+4+1, Layout{Depth: 3, Inner: 2, Stride: 8}.For(4).Cell(3, 2))
}

func TestBits(t *testing.T) {
	classes := make([]int, 65)
	classes[0], classes[1], classes[64] = 1, -1, 2
	dst := []uint64{7, 7, 7, 7, 7, 7, 7}
	Bits(dst, classes, 3)
	assert.Equal(t, []uint64{^uint64(3), 0, 1, 0, 0, 1, 7}, dst)
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x3c00: 1, 0xc000: -2, 0x0001: 0x1p-24, 0x7bff: 65504, 0x4248: 3.140625, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		assert.Equal(t, want, Half(bits), "%#x", bits)
	}
	assert.True(t, math.IsNaN(Half(0x7e00)))
	assert.True(t, math.Signbit(Half(0x8000)))
	assert.Equal(t, 1.0, BFloat(0x3f80))
}
