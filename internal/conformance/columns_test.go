package conformance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

func TestEncodeColumns(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, depths := range [][]int{
			{5}, {0}, {}, {3, 0, 4}, {1, 1, 1, 1}, {2, 3}, {10, 20, 30, 40}, {200, 56}, {1000, 3, 17}, slices.Repeat([]int{4}, 40), {0, 0},
			slices.Repeat([]int{3}, 20), slices.Repeat([]int{7}, 30), // written from bits, in buffers of each size
		} {
			for _, rows := range []int{0, 1, 2, 7, 64, 120, 333, 700} {
				if testing.Short() && rows > 7 && k%3 != 0 || (rows == 120 || rows == 700) && k < 11 {
					continue
				}
				for _, neg := range modes {
					c := encodeCase{neg: neg, values: k + rows, shift: k % 4, stride: k % 3 * rows, extra: k % 2, seed: uint64(k + rows)}
					checkColumns[uint8, uint8](t, rows, depths, c)
					checkColumns[float32, int64](t, rows, depths, c)
					checkColumns[float64, int32](t, rows, depths, c)
					checkColumns[complex128, float32](t, rows, depths, c)
					checkColumns[uint16, int16](t, rows, depths, c)
					checkColumns[string, int8](t, rows, depths, c)
					checkColumns[bool, uint64](t, rows, depths, c)
				}
			}
		}
		checkColumns[float32, int32](t, 6000, []int{30, 3, 2, 11}, encodeCase{values: 2, seed: 1})
		checkColumns[uint8, int64](t, 20_000, []int{30, 1, 2}, encodeCase{values: 1, stride: 2, seed: 2})
	})
}

// With one column EncodeColumns is Encode.
func TestEncodeColumnsOfOneIsEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		indices := mixed[int16](4, 500, 9)
		s := onehot.Spec[float32]{Depth: 9, On: 1, Off: -1, Negative: onehot.Normalize}
		want, got := make([]float32, 500*9), make([]float32, 500*9)
		wantMisses, err := onehot.Encode(want, indices, s)
		require.NoError(t, err)
		misses, err := onehot.EncodeColumns(got, [][]int16{indices}, []int{9}, s)
		require.NoError(t, err)
		assert.Equal(t, wantMisses, misses)
		assert.Equal(t, want, got)
	})
}

// The following tests cover the borders of the route of tables: the rows of a
// block, those that the last block takes along, the last rows, columns that
// share a word, and tables that are left to other routes.

type columnsCheck func(t testing.TB, rows int, depths []int, c encodeCase)

// columnsChecks have every width of element and every type of index.
// columnsByWidth has one check for each of the widths 1, 2, 4 and 8.
var (
	columnsChecks = []columnsCheck{
		checkColumns[uint8, int64], checkColumns[uint16, uint8], checkColumns[float32, float32], checkColumns[float64, int32], checkColumns[complex64, uint64],
		checkColumns[bool, int16], checkColumns[int16, float64], checkColumns[uint32, int8], checkColumns[int64, uint16], checkColumns[int8, uint32],
		checkColumns[complex128, int16], checkColumns[string, float32],
	}
	columnsByWidth = columnsChecks[:4]
)

func TestEncodeColumnsEveryNumberOfRows(t *testing.T) {
	tables := [][]int{{1}, {5}, {2, 3}, {0, 3, 0, 4, 0}, {63, 1, 1}, {64}, {65, 2}, {30, 30, 30, 30}, {7, 9, 40, 2, 1, 1, 1, 3}, {0}, {0, 0}}
	pathtest.Each(t, func(t *testing.T) {
		for rows := 0; rows <= 700; rows += sparse(43) {
			depths, check := tables[rows%len(tables)], columnsChecks[rows%len(columnsChecks)]
			check(t, rows, depths, encodeCase{neg: modes[rows/2%2], values: rows, shift: rows % 5, extra: rows % 3, seed: uint64(rows)})
		}
	})
}

// Few rows are a small call, however many columns they have.
func TestEncodeColumnsOfFewRows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		k := 0
		for _, columns := range []int{63, 64, 65, 66, 300, 3000} {
			for _, rows := range []int{1, 2, 3, 5, 20, 63, 64, 65} {
				depths := slices.Repeat([]int{2, 1, 5, 0, 3}, columns/5+1)[:columns]
				if k++; testing.Short() && k%3 > 0 || rows*columns > 60_000 {
					continue
				}
				c := encodeCase{neg: modes[k%2], values: k, shift: k % 7, stride: k % 3 * 5, seed: uint64(k)}
				columnsChecks[k%len(columnsChecks)](t, rows, depths, c)
				checkMissColumns[float32, int64](t, rows, depths, 3, k)
				checkMissColumns[uint8, int8](t, rows, depths, 50, k)
			}
		}
	})
}

// How many rows a block has depends on the words of a row. The last block takes
// along up to plan.Least-1 rows more.
func TestEncodeColumnsBlockBorders(t *testing.T) {
	tables := [][]int{
		slices.Repeat([]int{2}, 40), slices.Repeat([]int{3}, 100), slices.Repeat([]int{0, 6}, 150), slices.Repeat([]int{4}, 500), slices.Repeat([]int{3}, 1000),
	}
	pathtest.Each(t, func(t *testing.T) {
		for k, depths := range tables {
			cells := widthOf(depths)
			wide := asked{Width: 1, N: 1000, Depth: cells, K: len(depths)}
			p := plan.Columns(machine(), wide.shape(), len(depths))
			if machine().Path == tier.AVX512Path || machine().Path == tier.AVX2Path {
				require.Equal(t, plan.Sets, p.Strategy, "%d columns", len(depths))
			}
			block := max(p.Block, plan.Least)
			for r, rows := range []int{62, 63, 64, 65, block, block + 1, block + 62, block + 63, block + 64, 2*block + 63, 2*block + 64, 3*block + 5} {
				if testing.Short() && (r%3 != 1 || rows*cells > 200_000) {
					continue
				}
				check := columnsByWidth[(k+r)%4]
				check(t, rows, depths, encodeCase{neg: modes[r%2], values: k + r, shift: r % 7, seed: uint64(k * r)})
			}
		}
	})
}

// The rows are shorter than a vector. The kernel stores whole vectors, for
// which there is no room after the last rows.
func TestEncodeColumnsNarrowRows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for width := 1; width <= 70; width += sparse(13) {
			for k, rows := range []int{64, 65, 100, 129} {
				c := encodeCase{neg: modes[k%2], values: k, shift: (width + k) % 8, extra: k / 2 % 2, seed: uint64(width)}
				columnsByWidth[k](t, rows, []int{width}, c)
				columnsByWidth[(width+k)%4](t, rows, []int{width / 2, 0, width - width/2}, c)
			}
		}
	})
}

// The plan leaves some tables to other routes: single columns, rows longer than
// a scratch buffer or with gaps, and strings.
func TestEncodeColumnsBordersOfThePlan(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, depths := range [][]int{
			{1024}, {1025}, {1, 2047}, {1, 2048}, slices.Repeat([]int{1024}, 8), slices.Repeat([]int{1024}, 9), slices.Repeat([]int{911}, 9),
		} {
			if !testing.Short() || k%3 == 0 {
				checkColumns[uint8, int16](t, 70+k, depths, encodeCase{values: k, seed: uint64(k)})
			}
		}
		for k, depths := range [][]int{{128}, {129}, {200, 56}, {200, 57}, slices.Repeat([]int{128}, 16), slices.Repeat([]int{128}, 17)} {
			if !testing.Short() || k%3 == 0 {
				checkColumns[float64, int32](t, 70+k, depths, encodeCase{values: k, seed: uint64(k)})
			}
		}
		// Columns of more than plan.SetSpan classes, before others and after them.
		for k, depths := range [][]int{{128, 1, 129}, {130, 3, 150}, {3, 255, 2}, {127, 129, 1, 127}} {
			for i, check := range columnsByWidth {
				check(t, 100+k+i, depths, encodeCase{neg: modes[k%2], values: k + i, shift: k, seed: uint64(k)})
			}
		}
		for k, check := range columnsChecks {
			for _, neg := range modes {
				check(t, 100+k, []int{20, 60, 9}, encodeCase{neg: neg, values: k, stride: 1 + 3*k%64, extra: k, seed: uint64(k)})
				check(t, 100+k, []int{20, 60, 9}, encodeCase{neg: neg, values: k, seed: uint64(k)})
			}
		}
	})
}

// A last column without cells starts where the output ends. Its misses make no
// address there, which the race detector's build checks.
func TestEncodeColumnsLastWithoutCells(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, columns := range []int{2, 79} {
			for _, rows := range []int{1, 3, 100, 3000} {
				lastWithoutCells(t, rows, columns, 1, 0, float32(2))
				lastWithoutCells(t, rows, columns, "on", "off", "miss")
			}
		}
	})
}

func lastWithoutCells[V onehot.Value](t *testing.T, rows, columns int, on, off, miss V) {
	table, depths := make([][]int8, columns), slices.Repeat([]int{1}, columns)
	for c := range table {
		table[c] = make([]int8, rows)
	}
	depths[columns-1] = 0
	for _, gap := range []int{0, 64} {
		width := columns - 1
		dst := make([]V, (rows-1)*(width+gap)+width)
		misses, err := onehot.EncodeColumns(dst, table, depths, onehot.Spec[V]{On: on, Off: off, Miss: &miss, Stride: width + gap})
		require.NoError(t, err)
		require.Equal(t, rows, misses)
		for r := range rows {
			require.Equal(t, slices.Repeat([]V{on}, width), dst[r*(width+gap):][:width])
		}
	}
}

// The outputs go past the caches. Their rows are shorter than a cache line, as
// long as a scratch buffer, or between the two.
func TestEncodeColumnsLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large outputs")
	}
	defer tier.ForceLLC(streamedLLC)()
	pathtest.Each(t, func(t *testing.T) {
		for k, depths := range [][]int{{6}, {50, 0, 63}, slices.Repeat([]int{128}, 16)} {
			width := widthOf(depths)
			checkColumns[float64, int16](t, streamed/8/width+1+k, depths, encodeCase{values: k, shift: k, neg: modes[k%2], seed: uint64(k)})
		}
		checkColumns[float32, uint8](t, streamed/4/(20*71)+2, slices.Repeat([]int{71}, 20), encodeCase{values: 2, shift: 3, seed: 4})
		checkColumns[uint8, uint8](t, streamed/233+1, []int{33, 200}, encodeCase{values: 3, shift: 5, neg: onehot.Normalize, seed: 1})
	})
}

// streamed is the size of an output, in bytes, whose rows non-temporal stores
// write if the last-level cache has streamedLLC bytes.
const streamed, streamedLLC = 5 << 20, 4 << 20
