package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/tier"
)

// Planes that would be scattered to without a Miss are, with one, only if few
// indices are misses.
func TestFewMisses(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, shape := range [][2]int{{64, 90}, {65, 255}, {67, 256}, {100, 60}, {130, 54}, {200, 25}, {300, 80}} { // columns and planes
			for _, percent := range []int{0, 1, 3, 8, 20, 100} {
				c := layoutCase{outer: 1, inner: shape[0], depth: shape[1], miss: true, percent: percent, neg: modes[k%2], values: k % 3, seed: uint64(k)}
				checkLayout[uint8, int32](t, c)
				checkLayout[uint16, uint8](t, c)
				checkLayout[float32, int64](t, c)
				checkLayout[float64, float32](t, c)
				checkLayout[complex128, uint64](t, c)
				checkLayout[string, int16](t, c)
			}
		}
	})
}

// Cells of a miss hold Miss, at every share of misses, in rows and in planes.
func TestMiss(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := uint64(0)
		for _, percent := range []int{0, 1, 50, 100} {
			for _, depth := range []int{1, 2, 3, 4, 5, 10, 33, 130, 300} {
				for _, shape := range [][2]int{{0, 1}, {1, 1}, {7, 1}, {70, 0}, {300, 1}, {3, 5}, {1, 9}, {1, 64}, {2, 200}, {70, 2}} {
					if seed++; testing.Short() && seed%5 != 0 && seed%7 != 0 {
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

// The outputs have gaps, or sizes and depths at which strategies change.
func TestMissGapsAndSizes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, gap := range []int{1, 3, 64} {
			checkLayouts(t, layoutCase{outer: 90, depth: 7, stride: 7 + gap, miss: true, percent: 30, values: k, seed: uint64(k)})
			checkLayouts(t, layoutCase{outer: 9, depth: 7, inner: 70, stride: 490 + gap, miss: true, percent: 30, values: k, seed: uint64(k)})
			for _, inner := range []int{2, 5, 20, 63} { // fewer columns than kernels take
				checkLayouts(t, layoutCase{outer: 9, depth: 7, inner: inner, stride: 7*inner + gap, miss: true, percent: 10, neg: modes[k%2], values: k, seed: uint64(inner)})
				checkLayouts(t, layoutCase{outer: 9, depth: 7, inner: inner, miss: true, percent: 10, neg: modes[k%2], values: k, seed: uint64(inner)})
			}
		}
		for k, inner := range []int{64, 70, 100} { // boards
			checkLayouts(t, layoutCase{outer: 5, depth: 7, inner: inner, miss: true, percent: 10 * k, values: k})
			checkLayouts(t, layoutCase{outer: 500 / inner, depth: 12, inner: inner, miss: true, percent: 30})
		}
		for _, depth := range []int{255, 256, 511} { // as many classes as a byte tells apart, and more
			checkLayouts(t, layoutCase{outer: 1, depth: depth, inner: 200, miss: true, percent: 50})
			checkLayouts(t, layoutCase{outer: 100, depth: depth, miss: true, percent: 50})
		}
		for k, depth := range []int{128, 129, 192, 255} { // rows as deep as kernels take them, more than a first-level cache holds
			checkLayout[uint8, int32](t, layoutCase{outer: 600, depth: depth, miss: true, percent: 50, values: k})
			checkLayout[uint16, uint8](t, layoutCase{outer: 300, depth: depth, miss: true, percent: 1, values: k})
		}
		for k, depth := range []int{254, 255, 256, 300, 508, 509, 511} { // about as many planes as a byte tells apart, and more
			for j, inner := range []int{64, 65, 1000} {
				if testing.Short() && (k+j)%3 != 0 {
					continue
				}
				checkLayout[uint8, int32](t, layoutCase{outer: 2, depth: depth, inner: inner, miss: true, percent: 5, neg: modes[k%2]})
				checkLayout[uint8, uint16](t, layoutCase{outer: 1, depth: depth, inner: inner, miss: true, percent: 50, values: 1})
			}
		}
		for k, inner := range []int{64, 65, 100, 600} { // blocks of deep planes, whose first planes are made some columns at a time
			percent := 2 + 28*(k%2)
			checkLayout[uint8, int32](t, layoutCase{outer: 3, depth: 128, inner: inner, miss: true, percent: percent, values: k})
			checkLayout[float64, uint8](t, layoutCase{outer: 2, depth: 200 + k, inner: inner, miss: true, percent: percent, neg: modes[k%2], values: k})
			checkLayout[float32, int64](t, layoutCase{outer: 2, depth: 250, inner: inner, stride: 250*inner + k, miss: true, percent: percent, values: k})
			checkLayout[float32, int8](t, layoutCase{outer: 2, depth: 250, inner: inner, plane: inner + k, miss: true, percent: percent, values: k})
			checkLayout[complex128, int16](t, layoutCase{outer: 2, depth: 100, inner: inner, plane: inner + k, miss: true, percent: percent, values: k})
		}
		if !testing.Short() {
			checkLayout[uint16, int32](t, layoutCase{outer: 1, depth: 300, inner: 64_064, miss: true, percent: 1})
			checkLayout[float32, int16](t, layoutCase{outer: 2, depth: 1020, inner: 4096, miss: true, percent: 1})
			checkLayout[float32, int64](t, layoutCase{outer: 1, depth: 1021, inner: 8192, miss: true, percent: 1})
			checkLayout[uint8, int32](t, layoutCase{outer: 400_000, depth: 100, miss: true, percent: 1})
			checkLayout[float32, uint8](t, layoutCase{outer: 1, depth: 20, inner: 600_000, miss: true, percent: 1})
			checkLayout[float32, int64](t, layoutCase{outer: 9, depth: 1_000_000, miss: true, percent: 40})
			checkLayout[float32, int64](t, layoutCase{outer: 9, depth: 1_000_000, miss: true, percent: 40, values: 1})
			checkLayout[uint16, uint16](t, layoutCase{outer: 20_000, depth: 1_000, miss: true, percent: 1, values: 2})
		}
	})
}

// Non-temporal stores write planes in one group and in several, and rows
// shorter and longer than a tile. EncodeParallel has no route for small calls.
func TestMissStreamed(t *testing.T) {
	defer tier.ForceLLC(1 << 14)()
	pathtest.Each(t, func(t *testing.T) { share.With(share.All, func() { missStreamed(t) }) })
}

func missStreamed(t *testing.T) {
	for k, depth := range []int{7, 126, 127, 128, 130, 252, 253, 255, 256, 300, 511} {
		if testing.Short() && k%3 != 1 {
			continue
		}
		for _, percent := range []int{0, 1, 50} {
			checkLayout[uint8, int32](t, layoutCase{outer: 2, depth: depth, inner: 640, miss: true, percent: percent, neg: modes[k%2]})
			checkLayout[float32, uint16](t, layoutCase{outer: 1, depth: depth, inner: 1000, miss: true, percent: percent, values: 1})
			checkLayout[uint8, uint16](t, layoutCase{outer: 3, depth: depth, inner: 100, miss: true, percent: percent})
			checkLayout[uint16, int16](t, layoutCase{outer: 1, depth: depth, inner: 1280, miss: true, percent: percent})
			checkLayout[uint16, float32](t, layoutCase{outer: 200, depth: depth, miss: true, percent: percent, values: k})
		}
	}
	for k, depth := range []int{20, 120, 255} { // crowded planes a little longer than a block of their wide classes
		checkLayout[float32, int32](t, layoutCase{outer: 3, depth: depth, inner: 1028, miss: true, percent: 1, values: k})
		checkLayout[float64, uint8](t, layoutCase{outer: 3, depth: depth, inner: 514, miss: true, percent: 1, values: k})
		checkLayout[complex128, int16](t, layoutCase{outer: 3, depth: depth, inner: 257, miss: true, percent: 1, values: k})
	}
	for k, depth := range []int{10, 33, 255, 300} { // planes of few columns
		checkLayout[float32, int32](t, layoutCase{outer: 500, depth: depth, inner: 3 + k, miss: true, percent: 20, values: k})
		checkLayout[uint8, uint16](t, layoutCase{outer: 300, depth: depth, inner: 50 + k, miss: true, percent: 2, values: k})
	}
	for k, depth := range []int{4096, 4097, 10_000} {
		checkLayout[float32, int32](t, layoutCase{outer: 20, depth: depth, miss: true, percent: 40, values: k})
		checkLayout[uint8, uint16](t, layoutCase{outer: 20, depth: depth, miss: true, percent: 40, values: k})
	}
}

// A column's miss fills the cells of its own column.
func TestMissOfColumns(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, percent := range []int{1, 50, 99, 100, onlyMisses} { // a column whose classes are made span by span
			checkMissColumns[uint8, int16](t, 700, []int{2, 2, 150, 2, 2, 2, 2, 2, 2, 2, 2, 2}, percent, 3*k)
			checkMissColumns[float32, int32](t, 700, []int{140, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, percent, 3*k)
		}
		many := slices.Concat(slices.Repeat([]int{128}, 7), slices.Repeat([]int{2, 3}, 30)) // for 700 rows there is room for the classes of some columns only
		for k, percent := range []int{1, 50, 100} {
			checkMissColumns[uint8, int16](t, 700, many, percent, 3*k)
			checkMissColumns[float32, uint8](t, 150, many, percent, 3*k)
		}
		for _, rows := range []int{1, 3, 20, 63} {
			for _, depths := range [][]int{{1, 2}, {4, 0, 7}, {2, 2, 2, 2, 2, 2, 2, 2}, {1000, 24}} { // and rows of whole pages
				for k, percent := range []int{1, 50, 50, 100} {
					checkMissColumns[uint8, uint8](t, rows, depths, percent, 3*k)
					checkMissColumns[float32, int64](t, rows, depths, percent, 3*k)
					checkMissColumns[string, int8](t, rows, depths, percent, 3*k)
				}
			}
		}
		seed := 0
		for k, rows := range []int{0, 1, 5, 100, 400, 1100, 1200, 70, 80, 400} { // every third without gaps
			for _, depths := range [][]int{{3}, {1, 2}, {4, 0, 7}, {70, 3, 130}, {2, 2, 2, 2, 2, 2, 2, 2}, {200, 60}, {3, 255, 2}, {256, 5}} {
				for _, percent := range []int{0, 1, 50, 100} {
					if seed++; testing.Short() && seed%5 != 0 {
						continue
					}
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

// onlyMisses, as a percentage, makes every index a miss: those that drawn draws
// at 100 may have a class.
const onlyMisses = 101

func checkMissColumns[V onehot.Value, I onehot.Index](t testing.TB, rows int, depths []int, percent, k int) {
	width, wantMisses, neg := widthOf(depths), 0, modes[k%2]
	stride := width + k%3
	s := layoutSpec[V](layoutCase{miss: true, stride: stride, values: k, neg: neg})
	length := max(rows-1, 0)*stride + width
	want, got := newArena[V](length, k), newArena[V](length, k)
	r := rand.New(rand.NewPCG(uint64(k), 2))
	var columns [][]I
	first := 0
	for _, depth := range depths {
		column := drawn[I](r, rows, depth, percent)
		if percent == onlyMisses {
			for r := range column {
				column[r] = I(depth)
			}
		}
		classes, misses := definedClasses(column, depth, neg)
		wantMisses += misses
		columns = append(columns, column)
		own := s
		own.Depth = depth
		definedFrom(want.dst()[first:], classes, own)
		first += depth
	}
	if stride == width && k/6%2 == 0 {
		s.Stride = 0
	} else {
		s.Plane = k % 2
	}
	misses, err := onehot.EncodeColumns(got.dst(), columns, depths, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T, %d rows of %v", s, columns, rows, depths) })
}

// One of many columns has a miss. Only its cells change, even after column 64.
func TestMissOfOneColumn(t *testing.T) {
	const rows, count, depth = 200, 80, 3
	pathtest.Each(t, func(t *testing.T) {
		for _, column := range []int{0, 5, 63, 64, 70, count - 1} {
			columns, depths := make([][]int8, count), make([]int, count)
			for c := range columns {
				columns[c], depths[c] = make([]int8, rows), depth
			}
			columns[column][rows/2] = -1
			miss := uint8(7)
			dst := make([]uint8, rows*count*depth)
			misses, err := onehot.EncodeColumns(dst, columns, depths, onehot.Spec[uint8]{On: 1, Miss: &miss})
			require.NoError(t, err)
			require.Equal(t, 1, misses)
			want := []uint8{1, 0, 0}
			for cell := 0; cell < len(dst); cell += depth {
				if cell == (rows/2*count+column)*depth {
					require.Equal(t, []uint8{miss, miss, miss}, dst[cell:][:depth])
				} else if !assert.Equal(t, want, dst[cell:][:depth], "column %d, cell %d", column, cell) {
					return
				}
			}
		}
	})
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

		for _, rare := range []int{1, 4, 25} { // planes of few misses, and of many
			const columns, depth = 100, 60
			planes, classes := make([]float32, columns*depth), make([]uint8, columns)
			for k := range classes {
				classes[k] = uint8(k%depth + depth*((k%(100/rare))/(100/rare-1)))
			}
			planes[len(planes)-1] = 0.25
			misses, err := onehot.Encode(planes, classes, onehot.Spec[float32]{Depth: depth, Inner: columns, On: 1, Miss: &planes[len(planes)-1]})
			require.NoError(t, err)
			require.Equal(t, rare, misses)
			for cell, value := range planes {
				want := float32(0)
				if class := int(classes[cell%columns]); class >= depth {
					want = 0.25
				} else if class == cell/columns {
					want = 1
				}
				require.Equal(t, want, value)
			}
		}

		for _, inner := range []int{1, 6, 18} { // a few rows, blocks and planes
			miss, classes := float32(0.25), make([]int8, 18)
			for k := range classes {
				classes[k] = int8(k % 9)
			}
			want, cells := make([]float32, 18*8), make([]float32, 18*8)
			must(onehot.Encode(want, classes, onehot.Spec[float32]{Depth: 8, On: 1, Inner: inner, Miss: &miss}))
			cells[77] = miss
			misses, err := onehot.Encode(cells, classes, onehot.Spec[float32]{Depth: 8, On: 1, Inner: inner, Miss: &cells[77]})
			require.NoError(t, err)
			require.Equal(t, 2, misses)
			require.Equal(t, want, cells)
		}

		for _, at := range []int{0, 131} { // rows of which a loop writes the last two
			classes, cells := make([]int8, 66), make([]float32, 132)
			for k := range classes {
				classes[k] = int8(k % 3)
				cells[2*k], cells[2*k+1] = 9, 9
			}
			cells[at] = 0.25
			misses, err := onehot.Encode(cells, classes, onehot.Spec[float32]{Depth: 2, On: 1, Miss: &cells[at]})
			require.NoError(t, err)
			require.Equal(t, 22, misses)
			for k := range classes {
				require.Equal(t, [][]float32{{1, 0}, {0, 1}, {0.25, 0.25}}[k%3], cells[2*k:][:2])
			}
		}

		table := []float32{0, 0, 0, 0.25, 0, 0}
		misses, err := onehot.EncodeColumns(table, [][]int8{{0}, {9}}, []int{3, 3}, onehot.Spec[float32]{On: 1, Miss: &table[3]})
		require.NoError(t, err)
		require.Equal(t, 1, misses)
		require.Equal(t, []float32{1, 0, 0, 0.25, 0.25, 0.25}, table)

		texts := make([]string, 8)
		texts[0] = "miss"
		misses, err = onehot.Encode(texts, []int{1, 9, 0, 9}, onehot.Spec[string]{Depth: 2, On: "on", Off: "off", Miss: &texts[0]})
		require.NoError(t, err)
		require.Equal(t, 2, misses)
		require.Equal(t, []string{"off", "on", "miss", "miss", "on", "off", "miss", "miss"}, texts)

		for _, inner := range []int{1, 8} { // rows, planes
			miss, want, cells := float32(0.25), make([]float32, 32), make([]float32, 32)
			must(onehot.EncodeText(want, "NACGTNAC", theAlphabet, onehot.Spec[float32]{On: 1, Inner: inner, Miss: &miss}))
			cells[9] = miss
			misses, err = onehot.EncodeText(cells, "NACGTNAC", theAlphabet, onehot.Spec[float32]{On: 1, Inner: inner, Miss: &cells[9]})
			require.NoError(t, err)
			require.Equal(t, 2, misses)
			require.Equal(t, want, cells)
		}

		raw := []byte{7, 0, 0, 0, 0, 0}
		misses, err = onehot.EncodeRaw(raw, []byte{0, 9}, onehot.RawSpec{
			Index: onehot.Uint8, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3, Miss: raw[:1],
		})
		require.NoError(t, err)
		require.Equal(t, 1, misses)
		require.Equal(t, []byte{1, 0, 0, 7, 7, 7}, raw)
	})
}

// Update writes only in rows that change. A row that becomes a miss, or ceases
// to be one, is written as a whole.
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
			require.ErrorContains(t, err, fmt.Sprintf("len(Miss) is %d, Width is 2", length))
			require.Zero(t, misses)
			_, err = onehot.EncodeRawParallel(dst, []byte{9}, raw, 2)
			require.ErrorIs(t, err, onehot.ErrValue)
		}
		require.Equal(t, make([]uint8, 12), dst, "nothing was written")
	})
}

// An unsigned type names one class less: all bits set says that there is none.
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
