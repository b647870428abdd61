package conformance

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// definedDecode is the inverse, by looking at each row as a whole.
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

// A damage is what keeps rows from being one-hot: of 1000 rows, how many have
// no cell on, have a second one on, or hold a foreign value.
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
	most := 2 // of them in short mode
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

// TestDecodeWidePlanes has more classes than 16 bits hold.
func TestDecodeWidePlanes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		checkDamaged[int32](t, 64, onehot.Spec[uint16]{Depth: 65535 + 7, On: 1, Inner: 64}, 2)
	})
}
