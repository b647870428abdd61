package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

func TestDecodeOfEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 60; seed += uint64(sparse(7)) {
			c := encodeCase{
				n: []int{1, 20, 300, 1500}[seed%4], depth: 1 + int(seed*37%127), neg: modes[seed/2%2], values: int(seed), shift: int(seed % 5), seed: seed,
			}
			for _, inner := range []int{0, c.n, 5} {
				c.inner, c.stride = inner, 0
				if inner == 5 {
					if c.n%5 != 0 {
						continue
					}
					c.stride = 5*c.depth + 3
				}
				checkDecode[int8, uint8, int8](t, c)
				checkDecode[int16, bool, uint8](t, c)
				checkDecode[int32, uint16, int64](t, c)
				checkDecode[int64, float32, float32](t, c)
				checkDecode[int, float64, int32](t, c)
				checkDecode[namedClass, complex128, uint16](t, c)
				checkDecode[int32, string, int16](t, c)
				checkDecode[int64, namedText, float64](t, c)
			}
		}
	})
}

// checkDecode encodes and decodes, and requires the classes back, or -1 for an
// index without a class.
func checkDecode[D onehot.Signed, V onehot.Value, I onehot.Index](t testing.TB, c encodeCase) {
	s, indices := specOf[V](c), indicesOf[I](c, 0, c.n, c.depth)
	src := newArena[V](layoutOf(c.n, s).Need(), c.shift)
	misses, err := onehot.Encode(src.dst(), indices, s)
	require.NoError(t, err)
	classes, _ := definedClasses(indices, c.depth, c.neg)
	want, dst := newArena[D](c.n, 0), newArena[D](c.n, 0)
	for k, class := range classes {
		want.dst()[k] = D(class)
	}
	invalid, err := onehot.Decode(dst.dst(), src.dst(), s)
	require.NoError(t, err)
	requireSame(t, want, dst, func() string { return fmt.Sprintf("%T to %T: %+v", s, want.all, c) })
	require.Equal(t, misses, invalid, "a row that is all Off is a miss there and invalid here")
}

// checkStrict damages some rows of an encoding, and requires that exactly these
// are rejected.
func checkStrict[D onehot.Signed, V onehot.Value](t *testing.T, c encodeCase, foreign V) {
	s := specOf[V](c)
	r := rand.New(rand.NewPCG(c.seed, 5))
	h := layoutOf(c.n, s)
	src := make([]V, h.Need())
	indices := make([]int32, c.n)
	for k := range indices {
		indices[k] = int32(r.IntN(c.depth))
	}
	defined(src, indices, s)
	want, invalid := make([]D, c.n), 0
	for k, class := range indices {
		want[k] = D(class)
		at := func(d int) *V { return &src[h.Cell(k, d)] }
		switch r.IntN(6) {
		case 0: // no On
			*at(int(class)) = s.Off
		case 1: // two On
			if c.depth == 1 {
				continue
			}
			*at((int(class) + 1 + r.IntN(c.depth-1)) % c.depth) = s.On
		case 2: // a foreign value beside it, or in its place
			if c.seed%2 == 0 { // such a value sends its whole block another way
				continue
			}
			*at(r.IntN(c.depth)) = foreign
		case 3: // all On
			if c.depth == 1 {
				continue
			}
			for d := range c.depth {
				*at(d) = s.On
			}
		default:
			continue
		}
		want[k] = -1
		invalid++
	}
	got := make([]D, c.n)
	n, err := onehot.Decode(got, src, s)
	require.NoError(t, err)
	if !slices.Equal(want, got) || invalid != n {
		require.Equal(t, want, got, "path %s, %T: %+v", onehot.Path(), s, c)
		require.Equal(t, invalid, n)
	}
}

func TestDecodeIsStrict(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := range uint64(50) {
			c := encodeCase{n: []int{1, 8, 120, 600}[seed%4], depth: 1 + int(seed*29%126), values: int(seed), seed: seed}
			for _, inner := range []int{0, c.n, max(c.n/4, 1)} {
				if c.inner, c.stride = inner, 0; seed%3 == 0 {
					c.stride = max(inner, 1)*c.depth + 2
				}
				checkStrict[int8, uint8](t, c, 0x77)
				checkStrict[int16, uint16](t, c, 0x7777)
				checkStrict[int32](t, c, math.Float32frombits(0x7fc00000)) // a NaN, but another one
				checkStrict[int64](t, c, math.Copysign(0.5, -1))
				checkStrict[int](t, c, complex(1, 1))
				checkStrict[int16](t, c, "of")
			}
		}
	})
}

func TestDecodeBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		nan, zero := math.NaN(), math.Copysign(0, -1)
		dst := make([]int8, 5)
		invalid, err := onehot.Decode(dst, []float64{
			0, nan, 0,
			nan, 0, 0,
			0, math.Float64frombits(math.Float64bits(nan) ^ 2), 0, // not that NaN
			nan, zero, 0, // -0.0 is not 0.0
			0, 0, 0,
		}, onehot.Spec[float64]{Depth: 3, On: nan})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0, -1, -1, -1}, dst)
		assert.Equal(t, 3, invalid)

		// 0.0 and -0.0 make a pair.
		invalid, err = onehot.Decode(dst[:2], []float64{0, zero, zero, 0, 0, zero}, onehot.Spec[float64]{Depth: 3, On: zero})
		require.NoError(t, err)
		assert.Equal(t, []int8{-1, 2}, dst[:2])
		assert.Equal(t, 1, invalid)

		// The same with an Off of NaN.
		invalid, err = onehot.Decode(dst[:2], []float64{nan, 1, 1, nan}, onehot.Spec[float64]{Depth: 2, On: 1, Off: nan})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0}, dst[:2])
		assert.Zero(t, invalid)

		// Strings are equal by content, wherever they lie.
		on := strings.Clone("yes")
		invalid, err = onehot.Decode(dst[:3], []string{"", "yes", strings.Clone("yes"), "", "ye", ""}, onehot.Spec[string]{Depth: 2, On: on})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0, -1}, dst[:3])
		assert.Equal(t, 1, invalid)

		// 128 classes are the most that an int8 names.
		src := make([]uint8, 256)
		src[127], src[128] = 1, 1
		invalid, err = onehot.Decode(dst[:2], src, onehot.Spec[uint8]{Depth: 128, On: 1})
		require.NoError(t, err)
		assert.Equal(t, []int8{127, 0}, dst[:2])
		assert.Zero(t, invalid)
	})
}

// Cells in gaps, and after the last row, are not looked at and not changed.
func TestDecodeGaps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		src := []uint8{0, 1, 0, 1, 1, 1, 0, 0, 1, 1}
		before := slices.Clone(src)
		dst := []int16{7, 7, 7}
		invalid, err := onehot.Decode(dst[:2], src, onehot.Spec[uint8]{Depth: 3, Stride: 6, On: 1})
		require.NoError(t, err)
		assert.Equal(t, []int16{1, 2, 7}, dst)
		assert.Zero(t, invalid)
		assert.Equal(t, before, src)
	})
}

// definedDecode is Decode by its definition: it looks at each row as a whole.
func definedDecode[I onehot.Signed, V onehot.Value](dst []I, src []V, s onehot.Spec[V]) (invalid int) {
	h, same := layoutOf(len(dst), s), sameCells[V]()
	for k := range dst {
		class, ons, strange := -1, 0, false
		for d := range h.Depth {
			at := h.Cell(k, d)
			switch v := &src[at]; {
			case same(v, &s.On):
				ons++
				class = d
			case !same(v, &s.Off):
				strange = true
			}
		}
		if ons != 1 || strange {
			class = -1
			invalid++
		}
		dst[k] = I(class)
	}
	return invalid
}

// A damage says how many rows in 1000 have no cell on, have a second cell on,
// or hold a foreign value.
type damage struct{ empty, twice, foreign int }

var damages = []damage{{}, {empty: 100}, {twice: 3}, {foreign: 3}, {empty: 300, twice: 300, foreign: 300}}

// damaged encodes random classes with errors. Gaps hold On, so that a cell read
// from one is noticed.
func damaged[V onehot.Value](r *rand.Rand, n int, s onehot.Spec[V], foreign V, harm damage) []V {
	h := layoutOf(n, s)
	src := make([]V, h.Need())
	for i := range src {
		src[i] = s.On
	}
	classes := make([]int, n)
	for k := range classes {
		classes[k] = r.IntN(h.Depth)
		if r.IntN(1000) < harm.empty {
			classes[k] = -1
		}
	}
	definedFrom(src, classes, s)
	for k := range classes {
		cell := h.Cell(k, r.IntN(h.Depth))
		if r.IntN(1000) < harm.twice {
			src[cell] = s.On
		}
		if r.IntN(1000) < harm.foreign {
			src[cell] = foreign
		}
	}
	return src
}

func checkDamaged[I onehot.Signed, V onehot.Value](t testing.TB, n int, s onehot.Spec[V], foreign V) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(s.Depth)))
	most := 2 // damages in short mode
	if s.Depth > 1<<15 {
		most = 1
	}
	for k, harm := range damages {
		if testing.Short() && (k+n+s.Depth+view.Size[V]()/3)%len(damages) >= most {
			continue
		}
		src := damaged(r, n, s, foreign, harm)
		want, dst := make([]I, n), make([]I, n+1)
		dst[n] = 77
		invalid := definedDecode(want, src, s)
		got, err := onehot.Decode(dst[:n], src, s)
		require.NoError(t, err)
		if !slices.Equal(want, dst[:n]) || invalid != got || dst[n] != 77 {
			require.Equal(t, append(want, 77), dst, "path %s: %T to %T, %+v, %+v", onehot.Path(), s.On, dst, s, harm)
			require.Equal(t, invalid, got, "path %s: %T to %T, %+v, %+v", onehot.Path(), s.On, dst, s, harm)
		}
	}
}

// checkDecodes goes through the widths of values and the types of classes.
func checkDecodes(t testing.TB, n, depth, inner, gap int) {
	t.Helper()
	stride := 0
	if gap > 0 {
		stride = depth*max(inner, 1) + gap
	}
	nan := math.Float32frombits
	checkDamaged[int16](t, n, onehot.Spec[uint8]{Depth: depth, On: 1, Off: 0xff, Inner: inner, Stride: stride}, 0)
	checkDamaged[int64](t, n, onehot.Spec[int16]{Depth: depth, On: -1, Inner: inner, Stride: stride}, 0xff)
	checkDamaged[int32](t, n, onehot.Spec[float32]{Depth: depth, On: nan(0x7fc00001), Off: nan(0x7fc00002), Inner: inner, Stride: stride}, nan(0x7fc00003))
	checkDamaged[int](t, n, onehot.Spec[float64]{Depth: depth, On: 1, Off: 0, Inner: inner, Stride: stride}, math.Copysign(0, -1))
	checkDamaged[int16](t, n, onehot.Spec[complex128]{Depth: depth, On: 1i, Off: 1, Inner: inner, Stride: stride}, 0)
	if depth <= 128 {
		checkDamaged[int8](t, n, onehot.Spec[float32]{Depth: depth, On: 1, Inner: inner, Stride: stride}, 0.5)
		checkDamaged[int8](t, n, onehot.Spec[string]{Depth: depth, On: "on", Off: "off", Inner: inner, Stride: stride}, strings.Repeat("o", 3))
	}
}

func TestDecodeEveryDepth(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for depth := 1; depth <= 130; depth += sparse(7) {
			checkDecodes(t, 150, depth, 0, 0)
			checkDecodes(t, 10, depth, 0, 1+depth%3)
		}
		for _, depth := range []int{255, 256, 257, 1023, 1024, 1025, 2000} {
			checkDecodes(t, 5, depth, 1, 0)
			checkDecodes(t, 3, depth, 1, 5)
		}
		for _, depth := range []int{16384 + 63, 16384 + 64, 30000} {
			checkDamaged[int32](t, 5, onehot.Spec[uint8]{Depth: depth, On: 1}, 2)
		}
	})
}

func TestDecodeEveryLength(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for n := 0; n <= 140; n += sparse(7) {
			checkDecodes(t, n, 3, 0, 0)
		}
		for n := 1; n <= 40; n += sparse(7) {
			checkDecodes(t, n, 70, 0, 0)
		}
		for _, n := range []int{1637, 1638, 1644, 1645, 5000} {
			checkDecodes(t, n, 10, 0, 0)
		}
	})
}

func TestDecodeEveryInner(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for inner := 2; inner <= 140; inner += sparse(7) {
			checkDecodes(t, 3*inner, 5, inner, inner%2)
		}
		for _, inner := range []int{1024, 1087, 1088, 4096, 8191, 8192 + 64} {
			checkDecodes(t, inner, 4, inner, 0)
			checkDecodes(t, 2*inner, 3, inner, 9)
		}
		for _, depth := range []int{1, 254, 255, 256, 257, 600} {
			checkDecodes(t, 2*100, depth, 100, 0)
		}
	})
}

// TestDecodeBlocks has planes of fewer columns than kernels collect. Blocks
// become bits together, or one block fills the room or exceeds it.
func TestDecodeBlocks(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, h := range []struct{ outer, depth, inner int }{
			{35, 2, 2}, {700, 5, 3}, {400, 9, 7}, {21, 3, 63}, {130, 57, 2}, {3, 260, 63}, {4, 16384 / 32, 32}, {3, 8192, 2}, {3, 8193, 2},
		} {
			checkDecodes(t, h.outer*h.inner, h.depth, h.inner, 0)
		}
		for _, h := range []struct{ outer, depth, inner, gap int }{ // blocks apart, around the cells of one call of a kernel
			{100, 11, 5, 1}, {30, 31, 2, 3}, {30, 32, 2, 3}, {30, 33, 2, 1}, {5, 1, 63, 2}, {3, 8192, 2, 7}, {3, 8193, 2, 7},
		} {
			checkDecodes(t, h.outer*h.inner, h.depth, h.inner, h.gap)
		}
	})
}

// TestDecodeWidePlanes has more classes than 16 bits hold.
func TestDecodeWidePlanes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		checkDamaged[int32](t, 64, onehot.Spec[uint16]{Depth: 65535 + 7, On: 1, Inner: 64}, 2)
	})
}

// A row of Miss is no class, which matters where it is one cell that is on.
func TestDecodeMiss(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{1, 5, 63, 64, 200, 5000} {
			for _, depth := range []int{1, 2, 7, 60} {
				for _, miss := range []uint16{0, 1, 2} {
					checkDecodeMiss(t, n, depth, miss)
				}
			}
		}
	})
}

// checkDecodeMiss decodes the encoding of indices of which every third is a
// miss.
func checkDecodeMiss(t *testing.T, n, depth int, miss uint16) {
	indices, want, invalid := make([]int8, n), make([]int8, n), 0
	for i := range indices {
		indices[i], want[i] = int8(i%depth), int8(i%depth)
		if i%3 == 1 {
			indices[i] = -1
		}
		if i%3 == 1 || depth == 1 && miss == 1 {
			want[i] = -1
			invalid++
		}
	}
	s := onehot.Spec[uint16]{Depth: depth, On: 1, Miss: &miss}
	cells, got := make([]uint16, n*depth), make([]int8, n)
	_, err := onehot.Encode(cells, indices, s)
	require.NoError(t, err)
	count, err := onehot.Decode(got, cells, s)
	require.NoError(t, err)
	require.Equal(t, want, got, "n %d, depth %d, miss %d", n, depth, miss)
	require.Equal(t, invalid, count)
}
