package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// A layoutCase is an encoding with all that a Spec has: gaps between planes, and
// cells of their own for misses.
type layoutCase struct {
	outer, depth, inner int
	plane, stride       int // as in Spec: 0 is the usual
	miss                bool
	percent             int // of misses among the indices
	values              int // which of valuesOf
	neg                 onehot.Negative
	shift               int // of dst, in elements
	seed                uint64
}

// layoutSpec returns the Spec of a case; a Miss is a value that is neither On
// nor Off, where the type has three.
func layoutSpec[V onehot.Value](c layoutCase) onehot.Spec[V] {
	on, off := valuesOf[V](c.values)
	s := onehot.Spec[V]{Depth: c.depth, On: on, Off: off, Inner: c.inner, Stride: c.stride, Plane: c.plane, Negative: c.neg}
	if c.miss {
		miss, _ := valuesOf[V](c.values + 1)
		if size[V]() > 1 {
			_, miss = valuesOf[V](3)
			if sameBits([]V{miss}, []V{off}) {
				miss, _ = valuesOf[V](2)
			}
		}
		s.Miss = &miss
	}
	return s
}

// drawn returns indices of which about that many percent are misses.
func drawn[I onehot.Index](r *rand.Rand, n, depth, percent int) []I {
	special := specials[I](depth)
	indices := make([]I, n)
	for k := range indices {
		indices[k] = I(r.IntN(max(depth, 1)))
		if r.IntN(100) < percent {
			indices[k] = special[r.IntN(len(special))]
		}
	}
	return indices
}

// checkLayout makes every call that takes such a Spec and compares with the
// model, gaps and what lies around dst included.
func checkLayout[V onehot.Value, I onehot.Index](t testing.TB, c layoutCase) {
	s, r := layoutSpec[V](c), rand.New(rand.NewPCG(c.seed, 1))
	n := c.outer * max(c.inner, 1)
	prev, next := drawn[I](r, n, c.depth, c.percent), drawn[I](r, n, c.depth, c.percent)
	for k := range next {
		if r.IntN(2) == 0 {
			next[k] = prev[k]
		}
	}
	classes, wantMisses := definedClasses(next, c.depth, c.neg)
	need := layoutOf(n, s).Need()
	want := newArena[V](need+3, c.shift)
	definedFrom(want.dst(), classes, s)
	call := ""
	what := func() string { return fmt.Sprintf("%s, %T of %T: %+v", call, s, next, c) }
	same := func(name string, got arena[V], misses int, err error) {
		call = name
		if err != nil || misses != wantMisses {
			require.NoError(t, err, what())
			require.Equal(t, wantMisses, misses, what())
		}
		requireSame(t, want, got, what)
	}

	got := newArena[V](need+3, c.shift)
	misses, err := onehot.Encode(got.dst(), next, s)
	same("Encode", got, misses, err)
	checkLayoutDecode(t, got.dst(), classes, s, what)

	got = newArena[V](need+3, c.shift)
	misses, err = onehot.EncodeParallel(got.dst(), next, s, 3)
	same("EncodeParallel", got, misses, err)

	got = newArena[V](need+3, c.shift)
	_, err = onehot.Encode(got.dst(), prev, s)
	require.NoError(t, err)
	misses, err = onehot.Update(got.dst(), prev, next, s)
	same("Update", got, misses, err)

	out, misses, err := onehot.AppendEncode([]V{s.On}, next, s)
	zeroed := make([]V, 1+need)
	zeroed[0] = s.On
	definedFrom(zeroed[1:], classes, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	require.True(t, sameBits(zeroed, out), "AppendEncode: %s", what())

	if !isString[V]() {
		raw := onehot.RawSpec{
			Index: rawIndexType[I](), Width: size[V](), On: bytesOf([]V{s.On}), Off: bytesOf([]V{s.Off}),
			Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Plane: s.Plane, Negative: s.Negative,
		}
		if s.Miss != nil {
			raw.Miss = bytesOf([]V{*s.Miss})
		}
		got = newArena[V](need+3, c.shift)
		misses, err = onehot.EncodeRaw(bytesOf(got.dst()), bytesOf(next), raw)
		same("EncodeRaw", got, misses, err)
	}
	checkLayoutText(t, c, s)
}

// checkLayoutDecode decodes an encoding of classes to signed and to unsigned
// ones.
func checkLayoutDecode[V onehot.Value](t testing.TB, src []V, classes []int, s onehot.Spec[V], what func() string) {
	if sameBits([]V{s.On}, []V{s.Off}) {
		return
	}
	signed, unsigned, invalid := make([]int32, len(classes)), make([]uint32, len(classes)), 0
	all := s.Depth == 1 && s.Miss != nil && sameBits([]V{*s.Miss}, []V{s.On}) // a row of On may be either
	for k, class := range classes {
		if all || class < 0 {
			class = -1
			invalid++
		}
		signed[k], unsigned[k] = int32(class), uint32(class)
	}
	got, gotInvalid := make([]int32, len(classes)), 0
	gotInvalid, err := onehot.Decode(got, src, s)
	require.NoError(t, err, what())
	require.Equal(t, invalid, gotInvalid, what())
	require.True(t, sameBits(signed, got), "Decode: %s", what())
	gotUnsigned := make([]uint32, len(classes))
	gotInvalid, err = onehot.Decode(gotUnsigned, src, s)
	require.NoError(t, err, what())
	require.Equal(t, invalid, gotInvalid, what())
	require.True(t, sameBits(unsigned, gotUnsigned), "Decode, unsigned: %s", what())
}

// checkLayoutText encodes text of which every fourth letter is a miss.
func checkLayoutText[V onehot.Value](t testing.TB, c layoutCase, s onehot.Spec[V]) {
	n, wantMisses := c.outer*max(c.inner, 1), 0
	text, classes := make([]byte, n), make([]int, n)
	for k := range text {
		class := (k*7 + k/5) % 5
		text[k] = "ACGTN"[class]
		if classes[k] = class; class == 4 || class >= c.depth {
			classes[k] = -1
			wantMisses++
		}
	}
	if c.depth == 0 { // that of the alphabet
		return
	}
	length := layoutOf(n, s).Need() + 3
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	definedFrom(want.dst(), classes, s)
	misses, err := onehot.EncodeText(got.dst(), text, theAlphabet, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	requireSame(t, want, got, func() string { return fmt.Sprintf("EncodeText, %T: %+v", s, c) })
}

func isString[V onehot.Value]() bool {
	_, ok := any(*new(V)).(string)
	return ok
}

// rawIndexType names I for EncodeRaw.
func rawIndexType[I onehot.Index]() onehot.IndexType {
	return typesByName[fmt.Sprintf("%T", I(0))]
}

// checkLayouts is checkLayout for pairs of types of which every width and every
// index type is one.
func checkLayouts(t testing.TB, c layoutCase) {
	checkLayout[uint8, int8](t, c)
	checkLayout[uint8, uint8](t, c)
	checkLayout[uint16, int16](t, c)
	checkLayout[uint16, float64](t, c)
	checkLayout[float32, int64](t, c)
	checkLayout[float32, uint16](t, c)
	checkLayout[float64, uint32](t, c)
	checkLayout[float64, int32](t, c)
	checkLayout[complex128, float32](t, c)
	checkLayout[string, uint64](t, c)
	checkLayout[bool, int](t, c)
}

// What a miss holds, at every share of misses, in rows and in planes.
func TestMiss(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := uint64(0)
		for _, percent := range []int{0, 1, 50, 100} {
			for _, depth := range []int{1, 2, 3, 4, 5, 10, 33, 130, 300} {
				for _, shape := range [][2]int{{0, 1}, {1, 1}, {7, 1}, {70, 0}, {300, 1}, {3, 5}, {1, 64}, {2, 200}, {70, 2}} {
					if seed++; testing.Short() && seed%5 != 0 {
						continue
					}
					checkLayouts(t, layoutCase{
						outer: shape[0], depth: depth, inner: shape[1], miss: true, percent: percent,
						values: int(seed / 3), neg: modes[seed%2], shift: int(seed % 4), seed: seed,
					})
				}
			}
		}
	})
}

// With gaps between rows, and beyond the caches.
func TestMissGapsAndSizes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, gap := range []int{1, 3, 64} {
			checkLayouts(t, layoutCase{outer: 90, depth: 7, stride: 7 + gap, miss: true, percent: 30, values: k, seed: uint64(k)})
			checkLayouts(t, layoutCase{outer: 9, depth: 7, inner: 70, stride: 490 + gap, miss: true, percent: 30, values: k, seed: uint64(k)})
		}
		for _, depth := range []int{255, 256, 511} { // as many classes as a byte tells apart, and more
			checkLayouts(t, layoutCase{outer: 1, depth: depth, inner: 200, miss: true, percent: 50})
			checkLayouts(t, layoutCase{outer: 100, depth: depth, miss: true, percent: 50})
		}
		if !testing.Short() {
			checkLayout[uint8, int32](t, layoutCase{outer: 400_000, depth: 100, miss: true, percent: 1})
			checkLayout[float32, uint8](t, layoutCase{outer: 1, depth: 20, inner: 600_000, miss: true, percent: 1})
			checkLayout[float32, int64](t, layoutCase{outer: 9, depth: 1_000_000, miss: true, percent: 40})
			checkLayout[float32, int64](t, layoutCase{outer: 9, depth: 1_000_000, miss: true, percent: 40, values: 1})
			checkLayout[uint16, uint16](t, layoutCase{outer: 20_000, depth: 1_000, miss: true, percent: 1, values: 2})
		}
	})
}

// A column's miss fills the cells of its own column.
func TestMissOfColumns(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, rows := range []int{0, 1, 5, 100, 400} {
			for _, depths := range [][]int{{3}, {1, 2}, {4, 0, 7}, {70, 3, 130}, {2, 2, 2, 2, 2, 2, 2, 2}} {
				for _, percent := range []int{0, 1, 50, 100} {
					checkMissColumns[uint8, int16](t, rows, depths, percent, k)
					checkMissColumns[uint16, uint8](t, rows, depths, percent, k)
					checkMissColumns[float32, int32](t, rows, depths, percent, k)
					checkMissColumns[float64, float32](t, rows, depths, percent, k)
					checkMissColumns[complex128, uint64](t, rows, depths, percent, k)
					checkMissColumns[string, int8](t, rows, depths, percent, k)
				}
			}
		}
	})
}

func checkMissColumns[V onehot.Value, I onehot.Index](t testing.TB, rows int, depths []int, percent, k int) {
	width, wantMisses, neg := 0, 0, modes[k%2]
	for _, depth := range depths {
		width += depth
	}
	s := layoutSpec[V](layoutCase{miss: true, stride: width + k%3, values: k, neg: neg})
	s.Plane = k % 2
	length := max(rows-1, 0)*s.Stride + width
	want, got := newArena[V](length, k), newArena[V](length, k)
	r := rand.New(rand.NewPCG(uint64(k), 2))
	var columns [][]I
	first := 0
	for _, depth := range depths {
		column := drawn[I](r, rows, depth, percent)
		classes, misses := definedClasses(column, depth, neg)
		wantMisses += misses
		columns = append(columns, column)
		own := s
		own.Depth, own.Plane = depth, 0
		definedFrom(want.dst()[first:], classes, own)
		first += depth
	}
	misses, err := onehot.EncodeColumns(got.dst(), columns, depths, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T, %d rows of %v", s, columns, rows, depths) })
}

// Miss is read before anything is written, and copied by its bits.
func TestMissInsideDst(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		const rows = 200
		s := onehot.Spec[float32]{Depth: 3, On: 1}
		indices, prev := make([]int8, rows), make([]int8, rows)
		for k := range indices {
			indices[k] = int8(k % 4)
		}
		dst := make([]float32, 3*rows)
		check := func(misses int, err error) {
			t.Helper()
			require.NoError(t, err)
			require.Equal(t, rows/4, misses)
			for k := 3; k < rows; k += 4 {
				require.Equal(t, []float32{0.25, 0.25, 0.25}, dst[3*k:][:3])
			}
		}
		prepare := func() {
			must(onehot.Encode(dst, prev, onehot.Spec[float32]{Depth: 3, On: 1}))
			dst[3] = 0.25
			s.Miss = &dst[3]
		}
		prepare()
		check(onehot.Encode(dst, indices, s))
		prepare()
		check(onehot.EncodeParallel(dst, indices, s, 2))
		prepare()
		check(onehot.EncodeColumns(dst, [][]int8{indices}, []int{3}, s))
		prepare()
		check(onehot.Update(dst, prev, indices, s))

		texts := make([]string, 8)
		texts[0] = "miss"
		misses, err := onehot.Encode(texts, []int{1, 9, 0, 9}, onehot.Spec[string]{Depth: 2, On: "on", Off: "off", Miss: &texts[0]})
		require.NoError(t, err)
		require.Equal(t, 2, misses)
		require.Equal(t, []string{"off", "on", "miss", "miss", "on", "off", "miss", "miss"}, texts)

		raw := []byte{7, 0, 0, 0, 0, 0}
		misses, err = onehot.EncodeRaw(raw, []byte{0, 9}, onehot.RawSpec{
			Index: onehot.Uint8, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3, Miss: raw[:1],
		})
		require.NoError(t, err)
		require.Equal(t, 1, misses)
		require.Equal(t, []byte{1, 0, 0, 7, 7, 7}, raw)
	})
}

// Update writes only the rows that change, and those that become or cease to be
// a miss as a whole.
func TestUpdateOfMisses(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		miss := uint8(9)
		s := onehot.Spec[uint8]{Depth: 3, On: 1, Miss: &miss}
		dst := []byte("aaabbbcccdddeeefff")
		misses, err := onehot.Update(dst, []int8{0, 0, 5, 5, 1, -1}, []int8{0, 1, 5, 2, 7, 9}, s)
		require.NoError(t, err)
		require.Equal(t, 3, misses)
		assert.Equal(t, []byte{'a', 'a', 'a', 0, 1, 'b', 'c', 'c', 'c', 0, 0, 1, 9, 9, 9, 'f', 'f', 'f'}, dst)
	})
}

func TestMissErrors(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		miss := uint8(3)
		dst := make([]uint8, 12)
		s := onehot.Spec[uint8]{Depth: 3, On: 1, Miss: &miss}
		misses, err := onehot.MultiHot(dst, []int{0, 1, 9, 9}, 2, s)
		require.ErrorIs(t, err, onehot.ErrValue)
		require.Zero(t, misses)
		for _, length := range []int{0, 1, 3} {
			raw := onehot.RawSpec{Index: onehot.Uint8, Width: 2, On: []byte{1, 0}, Off: []byte{0, 0}, Depth: 3, Miss: make([]byte, length)}
			misses, err = onehot.EncodeRaw(dst, []byte{9}, raw)
			require.ErrorIs(t, err, onehot.ErrValue)
			require.ErrorContains(t, err, fmt.Sprintf("Miss has %d bytes, Width is 2", length))
			require.Zero(t, misses)
			_, err = onehot.EncodeRawParallel(dst, []byte{9}, raw, 2)
			require.ErrorIs(t, err, onehot.ErrValue)
		}
		require.Equal(t, make([]uint8, 12), dst, "nothing was written")
	})
}

// Unsigned classes have one value less: all bits set says that there is none.
func TestDecodeUnsignedDepths(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		const depth = 255
		indices := make([]uint8, 300)
		for k := range indices {
			indices[k] = uint8(k)
		}
		for _, inner := range []int{1, 300, 100} {
			s := onehot.Spec[float32]{Depth: depth, On: 1, Inner: inner}
			src := make([]float32, depth*len(indices))
			must(onehot.Encode(src, indices, s))
			got := make([]uint8, len(indices))
			invalid, err := onehot.Decode(got, src, s)
			require.NoError(t, err)
			require.Equal(t, 1, invalid, "255 is no class")
			require.Equal(t, indices, got)
		}
		s := onehot.Spec[float32]{Depth: depth + 1, On: 1}
		_, err := onehot.Decode(make([]uint8, 1), make([]float32, 256), s)
		require.ErrorIs(t, err, onehot.ErrDepth)
		s.Depth = 1<<16 - 1
		_, err = onehot.Decode(make([]uint16, 1), make([]float32, 1<<16), s)
		require.NoError(t, err)
		s.Depth = 1 << 16
		_, err = onehot.Decode(make([]uint16, 1), make([]float32, 1<<16), s)
		require.ErrorIs(t, err, onehot.ErrDepth)
		require.False(t, errors.Is(err, onehot.ErrShort))
		_, err = onehot.Decode(make([]uint64, 1), make([]float32, 1<<16), s)
		require.NoError(t, err)
	})
}
