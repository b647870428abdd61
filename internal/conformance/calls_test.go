package conformance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/share"
)

func checkParallel[V onehot.Value, I onehot.Index](t testing.TB, c encodeCase, workers ...int) {
	indices, s := indicesOf[I](c, 11, c.n, c.depth), specOf[V](c)
	need := layoutOf(c.n, s).Need()
	want := newArena[V](need, c.shift)
	wantMisses := defined(want.dst(), indices, s)
	if workers == nil {
		workers = []int{math.MinInt, -1, 0, 1, 2, 3, 7, 64, math.MaxInt}
		if testing.Short() {
			workers = []int{0, 3, math.MaxInt}
		}
	}
	for _, w := range workers {
		got := newArena[V](need, c.shift)
		share.With(share.All, func() {
			misses, err := onehot.EncodeParallel(got.dst(), indices, s, w)
			require.NoError(t, err)
			assert.Equal(t, wantMisses, misses, "%d workers, %+v", w, c)
		})
		requireSame(t, want, got, func() string { return fmt.Sprintf("%d workers, %T of %T: %+v", w, s, indices, c) })
	}
}

func checkUpdate[V onehot.Value, I onehot.Index](t testing.TB, c encodeCase, changed int) {
	s := specOf[V](c)
	prev, other := mixed[I](c.seed, c.n, c.depth), indicesOf[I](c, 1, c.n, c.depth)
	next := slices.Clone(prev)
	for k := range next {
		if changed > 0 && (k+int(c.seed%7))%changed == 0 {
			next[k] = other[k]
		}
	}
	length := layoutOf(c.n, s).Need() + c.extra
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	wantMisses := defined(want.dst(), next, s)
	defined(got.dst(), prev, s)
	misses, err := onehot.Update(got.dst(), prev, next, s)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T: %+v", s, prev, c) })
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, "path %s, %+v", onehot.Path(), c)
	}
}

// widthOf returns how many cells the columns of those depths have in a row.
func widthOf(depths []int) (width int) {
	for _, depth := range depths {
		width += depth
	}
	return width
}

func checkColumns[V onehot.Value, I onehot.Index](t testing.TB, rows int, depths []int, c encodeCase) {
	s := specOf[V](c)
	s.Inner, s.Depth = 0, 0
	width := widthOf(depths)
	if c.seed%2 == 0 {
		s.Depth = width
	}
	if c.seed%3 == 0 {
		s.Inner = 1
	}
	if s.Stride = 0; c.stride > 0 {
		s.Stride = width + c.stride
	}
	step := max(width, s.Stride)
	length := 0
	if rows > 0 && len(depths) > 0 {
		length = (rows-1)*step + width + c.extra
	}
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	columns := make([][]I, len(depths))
	wantMisses, first := 0, 0
	for k, depth := range depths {
		columns[k] = indicesOf[I](c, uint64(k), rows, depth)
		for r, x := range columns[k] {
			class, ok := definedClass(x, depth, c.neg)
			if !ok {
				wantMisses++
			}
			for d := range depth {
				value := s.Off
				if ok && d == class {
					value = s.On
				}
				want.dst()[r*step+first+d] = value
			}
		}
		first += depth
	}
	misses, err := onehot.EncodeColumns(got.dst(), columns, depths, s)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T, depths %v: %+v", s, columns, depths, c) })
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, "path %s, %+v", onehot.Path(), c)
	}
}

func checkMultiHot[V onehot.Value, I onehot.Index](t testing.TB, rows, k int, c encodeCase) {
	c.inner = int(c.seed % 2)
	s := specOf[V](c)
	indices := indicesOf[I](c, 0, rows*k, c.depth)
	length := layoutOf(rows, s).Need() + c.extra
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	classes, wantMisses := definedClasses(indices, c.depth, c.neg)
	for r := range rows {
		for d := range c.depth {
			value := s.Off
			if slices.Contains(classes[r*k:][:k], d) {
				value = s.On
			}
			want.dst()[r*max(c.stride, c.depth)+d] = value
		}
	}
	misses, err := onehot.MultiHot(got.dst(), indices, k, s)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T, k %d: %+v", s, indices, k, c) })
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, "path %s, k %d, %+v", onehot.Path(), k, c)
	}
}

func checkBits[I onehot.Index](t testing.TB, indices []I, depth int, neg onehot.Negative, extra int) {
	words := (len(indices) + 63) / 64
	require.Equal(t, words, onehot.BitWords(len(indices)))
	want, got := newArena[uint64](depth*words+extra, 0), newArena[uint64](depth*words+extra, 0)
	classes, wantMisses := definedClasses(indices, depth, neg)
	oracle.Bits(want.dst(), classes, depth)
	misses, err := onehot.EncodeBits(got.dst(), indices, depth, neg)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%d of %T, depth %d", len(indices), indices, depth) })
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, "path %s, depth %d", onehot.Path(), depth)
	}
}

func checkText[V onehot.Value](t testing.TB, text []byte, symbols string, a *onehot.Alphabet, c encodeCase) {
	s := specOf[V](c)
	full := s
	if c.depth == 0 {
		full.Depth = len(symbols)
	}
	classes, wantMisses := make([]int, len(text)), 0
	for k, b := range text {
		classes[k] = strings.IndexByte(symbols, b)
		if classes[k] < 0 || classes[k] >= full.Depth {
			classes[k] = -1
			wantMisses++
		}
	}
	length := layoutOf(len(text), full).Need() + c.extra
	want := newArena[V](length, c.shift)
	definedFrom(want.dst(), classes, full)
	for _, asString := range []bool{false, true} {
		got := newArena[V](length, c.shift)
		var misses int
		var err error
		if asString {
			misses, err = onehot.EncodeText(got.dst(), namedText(text), a, s)
		} else {
			misses, err = onehot.EncodeText(got.dst(), text, a, s)
		}
		require.NoError(t, err)
		requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %q: %+v", s, symbols, c) })
		if misses != wantMisses {
			require.Equal(t, wantMisses, misses, "path %s, %+v", onehot.Path(), c)
		}
	}
}
