package conformance

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// Each test is for a mistake that an implementation of OneHot in use has made.

// peerRows are numbers of indices that reach different strategies.
var peerRows = []int{2, 70, 300}

// cellOf encodes one index many times and returns the class that is on in every
// row, or -1 if none is. It fails if rows differ or have two cells on.
func cellOf[I onehot.Index](t *testing.T, x I, depth int, neg onehot.Negative) (class int) {
	t.Helper()
	class = -2
	for _, n := range peerRows {
		for _, inner := range []int{1, n} {
			indices := make([]I, n)
			for k := range indices {
				indices[k] = x
			}
			dst := make([]uint8, n*depth)
			misses, err := onehot.Encode(dst, indices, onehot.Spec[uint8]{Depth: depth, Inner: inner, On: 1, Negative: neg})
			require.NoError(t, err)
			for o := range n / inner {
				for i := range inner {
					row := -1
					for d := range depth {
						if dst[(o*depth+d)*inner+i] != 0 {
							if row != -1 {
								require.FailNow(t, "two cells", "index %v sets classes %d and %d", x, row, d)
							}
							row = d
						}
					}
					if class == -2 {
						class = row
					}
					if class != row {
						require.Equal(t, class, row, "index %v, depth %d", x, depth)
					}
				}
			}
			if class < 0 {
				require.Equal(t, n, misses)
			} else {
				require.Zero(t, misses)
			}
		}
	}
	return class
}

// off + y*(on-off) loses 1 beside 1e8 and -0.0, and spreads Inf and NaN.
func TestPeerArithmeticOnValues(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		inf, nan, negativeZero := float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
		for _, v := range [][2]float32{{1, 1e8}, {negativeZero, 0}, {0, negativeZero}, {inf, -inf}, {1, inf}, {nan, 0}, {0, nan}, {nan, inf}, {negativeZero, negativeZero}} {
			for _, n := range peerRows {
				check := func(dst []float32, on func(k int) bool) {
					t.Helper()
					for k := range dst {
						want := v[1]
						if on(k) {
							want = v[0]
						}
						require.Equal(t, math.Float32bits(want), math.Float32bits(dst[k]), "element %d of on %v, off %v", k, v[0], v[1])
					}
				}
				s := onehot.Spec[float32]{Depth: 3, On: v[0], Off: v[1]}
				dst, indices := make([]float32, 3*n), make([]int32, n)
				first := func(k int) bool { return k%3 == 0 }

				must(onehot.Encode(dst, indices, s))
				check(dst, first)
				must(onehot.MultiHot(dst, indices, 1, s))
				check(dst, first)
				must(onehot.EncodeColumns(dst, [][]int32{indices, indices}, []int{1, 2}, s))
				check(dst, func(k int) bool { return k%3 < 2 })
				must(onehot.Encode(dst, indices, s))
				second := make([]int32, n)
				for k := range second {
					second[k] = 1
				}
				must(onehot.Update(dst, indices, second, s))
				check(dst, func(k int) bool { return k%3 == 1 })
				out, _, err := onehot.AppendEncode(nil, indices, s)
				require.NoError(t, err)
				check(out, first)
				s.Inner = n
				must(onehot.Encode(dst, indices, s))
				check(dst, func(k int) bool { return k < n })
			}
		}
	})
}

// Implementations that compute with values cannot encode bool and string.
func TestPeerBoolAndString(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		flags, words := make([]bool, 4), make([]string, 4)
		must(onehot.Encode(flags, []int8{1, 0}, onehot.Spec[bool]{Depth: 2, Off: true}))
		assert.Equal(t, []bool{true, false, false, true}, flags)
		must(onehot.Encode(words, []int8{1, 0}, onehot.Spec[string]{Depth: 2, On: "y", Off: "n"}))
		assert.Equal(t, []string{"n", "y", "y", "n"}, words)
	})
}

// An index of 2^32 that is narrowed to int32 sets column 0.
func TestPeerIndexNarrowedToInt32(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{1, 5, 40, 300} {
			for _, neg := range modes {
				for _, x := range []int64{1 << 32, 1<<32 + 1, -1 << 32, 3 << 40, math.MinInt64, math.MinInt64 + 1, math.MaxInt64, 1 << 31, -1 << 31, -1<<32 - 1} {
					assert.Equal(t, -1, cellOf(t, x, depth, neg), "int64 %d", x)
				}
				for _, x := range []uint64{1 << 32, 1 << 63, 1<<63 + 1, math.MaxUint64, math.MaxUint64 - 1, math.MaxUint32, math.MaxUint32 << 32} {
					assert.Equal(t, -1, cellOf(t, x, depth, neg), "uint64 %d", x)
				}
				for _, x := range []uint32{1 << 31, math.MaxUint32, 1<<31 + 1} {
					assert.Equal(t, -1, cellOf(t, x, depth, neg), "uint32 %d", x)
				}
				for _, x := range []float64{1 << 32, 1<<32 + 1, -1 << 32, 1 << 31, 1 << 63, 1 << 64, -1 << 63, 1e300} {
					assert.Equal(t, -1, cellOf(t, x, depth, neg), "float64 %v", x)
					assert.Equal(t, -1, cellOf(t, float32(x), depth, neg), "float32 %v", x)
				}
			}
		}
	})
}

// A uint8 index that is compared in its own type sets several columns if there
// are more than 256 classes.
func TestPeerIndexComparedInItsOwnType(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{255, 256, 257, 300, 515, 1000} {
			assert.Equal(t, 0, cellOf(t, uint8(0), depth, onehot.Ignore))
			assert.Equal(t, 44, cellOf(t, uint8(44), depth, onehot.Ignore))
			assert.Equal(t, 127, cellOf(t, int8(127), depth, onehot.Ignore))
			assert.Equal(t, -1, cellOf(t, int8(-128), depth, onehot.Ignore))
			assert.Equal(t, depth-128, cellOf(t, int8(-128), depth, onehot.Normalize))
			assert.Equal(t, depth-1, cellOf(t, int8(-1), depth, onehot.Normalize))
			want := 255
			if depth == 255 {
				want = -1
			}
			assert.Equal(t, want, cellOf(t, uint8(255), depth, onehot.Normalize), "a uint8 is never negative")
		}
	})
}

// A miss that is a lane's last value must not set the column of that number.
func TestPeerMissIsNoColumn(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{254, 255, 256, 257, 510, 511, 512} {
			for _, x := range []int32{255, 256, 511, 512, -1} {
				want := int(x)
				if want >= depth {
					want = -1
				}
				assert.Equal(t, want, cellOf(t, x, depth, onehot.Ignore))
			}
		}
		if !testing.Short() {
			for _, x := range []int32{65534, 65535, 65536, -1} {
				indices := make([]int32, 70)
				for k := range indices {
					indices[k] = x
				}
				for _, inner := range []int{1, 70} {
					checkIndices[uint16](t, indices, encodeCase{depth: 65540, inner: inner})
				}
			}
		}
	})
}

// Above 2^24 two column numbers are the same float32. An index must set only
// the column of the integer that it is.
func TestPeerFloat32IndexLightsTwo(t *testing.T) {
	const depth = 1<<24 + 3
	pathtest.Each(t, func(t *testing.T) {
		if testing.Short() {
			t.Skip("16 MiB")
		}
		dst := make([]uint8, depth)
		for _, x := range []float32{1<<24 - 1, 1 << 24, 1<<24 + 2} {
			misses, err := onehot.Encode(dst, []float32{x}, onehot.Spec[uint8]{Depth: depth, On: 1})
			require.NoError(t, err)
			assert.Zero(t, misses)
			count := 0
			for _, v := range dst {
				count += int(v)
			}
			assert.Equal(t, 1, count, "index %v", x)
			assert.Equal(t, uint8(1), dst[int(x)])
		}
	})
}

// Go converts NaN to 0 on arm64, which would set column 0.
func TestPeerNaNLightsColumnZero(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, neg := range modes {
			for _, depth := range []int{1, 7, 33, 300} {
				for _, x := range []float64{math.NaN(), -math.NaN(), math.Float64frombits(0x7ff0000000000001), math.Inf(1), math.Inf(-1)} {
					assert.Equal(t, -1, cellOf(t, x, depth, neg), "%v", x)
					assert.Equal(t, -1, cellOf(t, float32(x), depth, neg), "%v", x)
				}
				for _, bits := range []uint32{0x7f800001, 0xff800001, 0x7fffffff, 0xffc00000} {
					assert.Equal(t, -1, cellOf(t, math.Float32frombits(bits), depth, neg), "%#x", bits)
				}
			}
		}
	})
}

// Float indices are truncated toward zero, not floored, rounded or compared.
func TestPeerFloatsTruncate(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{3, 40} {
			for x, want := range map[float64]int{0.999: 0, -0.999: 0, -0.5: 0, 0.5: 0, 1.5: 1, 2.999: 2, math.Copysign(0, -1): 0, 5e-324: 0} {
				assert.Equal(t, want, cellOf(t, x, depth, onehot.Ignore), "%v", x)
				assert.Equal(t, want, cellOf(t, float32(x), depth, onehot.Normalize), "%v", x)
			}
			assert.Equal(t, depth-1, cellOf(t, -1.999, depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, -1.999, depth, onehot.Ignore))
			assert.Equal(t, 0, cellOf(t, -float64(depth)-0.999, depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, -float32(depth)-1, depth, onehot.Normalize))
		}
	})
}

// Unsigned indices never count from the end, whatever the mode.
func TestPeerUnsignedWraps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range []int{3, 40} {
			assert.Equal(t, -1, cellOf(t, uint8(0xff), depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, uint16(0xffff), depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, uint32(0xffffffff), depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, uint64(0xffffffffffffffff), depth, onehot.Normalize))
			assert.Equal(t, -1, cellOf(t, ^uint(0), depth, onehot.Normalize))
		}
	})
}

// No call divides by a dimension that is zero.
func TestPeerDivisionByZero(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, s := range []onehot.Spec[float32]{{}, {Inner: 5}, {Depth: 3}, {Depth: 3, Inner: 4, Stride: 50}, {Stride: 3}} {
			misses, err := onehot.Encode(nil, []int8{}, s)
			require.NoError(t, err)
			assert.Zero(t, misses)
		}
		_, err := onehot.MultiHot(nil, []int8{}, 0, onehot.Spec[float32]{})
		assert.ErrorIs(t, err, onehot.ErrShape)
		misses, err := onehot.Encode(nil, make([]int8, 6), onehot.Spec[float32]{Inner: 3})
		require.NoError(t, err)
		assert.Equal(t, 6, misses)
	})
}

// Element counts that overflow, even to a small number, are errors.
func TestPeerElementCountOverflows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dst := make([]float32, 100)
		half := 1 << (bits.UintSize / 2)
		for _, s := range []onehot.Spec[float32]{
			{Depth: math.MaxInt}, {Depth: half, Inner: 6}, {Depth: math.MaxInt/2 + 1, Inner: 2}, {Depth: math.MaxInt/3 + 1, Inner: 6},
			{Depth: 1, Stride: math.MaxInt/5 + 2}, {Depth: 1, Stride: math.MaxInt / 4}, {Depth: math.MaxInt / 12},
		} {
			_, err := onehot.Encode(dst, make([]uint8, 6), s)
			if !assert.Error(t, err, "%+v", s) {
				continue
			}
			if s.Depth != half {
				assert.ErrorIs(t, err, onehot.ErrTooLarge, "%+v", s)
			}
		}
		// More than 2^32 elements are no error by themselves, where an int counts them.
		if bits.UintSize == 64 {
			_, err := onehot.Encode(dst, make([]uint8, 6), onehot.Spec[float32]{Depth: math.MaxInt >> 28})
			assert.ErrorIs(t, err, onehot.ErrShort)
		}
	})
}

// An unknown category must not become class 0 because its look-up fails.
func TestPeerUnknownCategoryIsClassZero(t *testing.T) {
	dna, err := onehot.NewAlphabet("ACGT")
	require.NoError(t, err)
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range peerRows {
			text := make([]byte, n)
			for k := range text {
				text[k] = "NX-\x00a\xff"[k%6]
			}
			for _, inner := range []int{1, n} {
				dst := make([]float32, 4*n)
				misses, err := onehot.EncodeText(dst, text, dna, onehot.Spec[float32]{On: 1, Inner: inner, Negative: onehot.Normalize})
				require.NoError(t, err)
				assert.Equal(t, n, misses)
				assert.Equal(t, make([]float32, 4*n), dst)
			}
		}
	})
}
