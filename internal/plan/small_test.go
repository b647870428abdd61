package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// A small call is blended only if the general route would blend it.
func TestSmallIsWhatEncodeWouldDo(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		blended := 0
		for _, n := range []int{64, 100, 500, 5000} {
			for _, depth := range testDepths {
				for _, width := range []int{1, 2, 4, 8, 16} {
					for _, miss := range []bool{false, true} {
						rows, planes := rowShape(n, depth, width), planeShape(n, depth, width)
						rows.Miss, planes.Miss = miss, miss
						if SmallRows(n, depth, width, miss) != ByLoop {
							blended++
							assert.Equal(t, Rows, Encode(Here(), &rows).Strategy, "%+v", rows)
						}
						if SmallPlanes(n, n, depth, width, miss) != ByLoop {
							blended++
							assert.Equal(t, Planes, Encode(Here(), &planes).Strategy, "%+v", planes)
						}
					}
				}
			}
		}
		assert.Equal(t, path != tier.GenericPath, blended > 0)
	})
}

// The early decisions for a small call are those that the full test would make,
// on a machine with any first-level cache.
func TestSmallIsDecidedFirst(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		sure := func(hasMiss bool) int {
			switch {
			case tier.SkylakeServer:
				return skylakeNear(hasMiss)
			case hasMiss && path == tier.AVX2Path:
				return smallMiss - 1
			}
			return nearBlend
		}
		m, told := Here(), [3]int{}
		for _, n := range []int{64, 65, 100, 127, 128, 191, 192, 500, 2000} {
			for depth := 0; depth <= Classes+1; depth++ {
				for _, width := range []int{1, 2, 4, 8, 16} {
					miss := depth%3 == 0
					rows, planes, bytes, run := SmallRows(n, depth, width, miss), SmallPlanes(n, n, depth, width, miss), n*depth*width, n*width
					told[rows]++
					told[planes]++
					for _, l1 := range []int{tier.LeastL1, 32 << 10, 128 << 10} {
						m.L1 = l1
						if rows == AtOnce && depth*width <= sure(miss) {
							assert.True(t, m.blendsRows(depth, width, bytes, miss), "%d rows of %d cells of %d bytes, %+v", n, depth, width, m)
						}
						if l1 == tier.L1 || bytes <= tier.LeastL1 && !m.skylake() { // Skylake's servers have one first-level cache
							compared := path != tier.GenericPath && depth >= 2 && depth <= Classes && m.compares(depth, n, n, width, bytes, miss)
							assert.Equal(t, compared, planes != ByLoop, "%d planes of %d cells of %d bytes, %+v", depth, n, width, m)
							assert.True(t, planes != AtOnce || ByColumns(m, depth, run, run, width, bytes, miss), "%d planes of %d cells of %d bytes, %+v", depth, n, width, m)
						}
					}
				}
			}
		}
		assert.Equal(t, path != tier.GenericPath, told[AtOnce] > 0)
		assert.Positive(t, told[ByLoop])
	})
}

// A loop writes a few rows that a block leaves over, and a buffer is for more.
func TestSmallLastRows(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		over, more := AtOnce, ByKernels
		switch path {
		case tier.GenericPath:
			over, more = ByLoop, ByLoop
		case tier.NEONPath:
			over = ByKernels
		}
		for _, n := range []int{2 * Least, 2*Least + 1, 2*Least + mostLast, 3*Least - 1} {
			assert.Equal(t, over, SmallRows(n, 2, 1, false), "%d rows", n)
			assert.Equal(t, over, SmallRows(n, 3, 1, false), "%d rows of 3", n)
		}
		assert.Equal(t, more, SmallRows(2*Least+mostLast+1, 2, 1, false))
		if path == tier.AVX2Path || path == tier.AVX512Path {
			assert.Equal(t, mostLast, LastRows(path, 2*Least+mostLast, 2))
			assert.Zero(t, LastRows(path, 3*Least-1, 2))
			assert.Equal(t, 3, LastRows(path, 2*Least+3, 8))
		}
		if path == tier.AVX2Path { // a block has 32 rows, if they have no 2 bytes
			assert.Zero(t, LastRows(path, 2*Least+4, 8))
			assert.Equal(t, 1, LastRows(path, 2*Least+33, 8))
		}
	})
}

// Longer rows are scattered to only where the first-level cache holds them.
func TestSmallBeyondL1(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path != tier.AVX2Path || tier.SkylakeServer {
			return
		}
		n := tier.L1 / 128
		for _, hasMiss := range []bool{false, true} {
			assert.Equal(t, ByLoop, SmallRows(n, 128, 1, hasMiss))
			assert.NotEqual(t, ByLoop, SmallRows(n+1, 128, 1, hasMiss))
		}
	})
}

// Small planes are compared a little deeper up to Zen 4. Cells count by whole
// rounds, of 32 columns with AVX2 and of 64 with AVX-512.
func TestSmallPlanesByCores(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path != tier.AVX2Path && path != tier.AVX512Path {
			return
		}
		wide, odd := 16, 21
		switch {
		case path == tier.AVX2Path && tier.Zen1To4:
			wide, odd = 49, 159
		case path == tier.AVX2Path:
			odd = 53
		}
		assert.Equal(t, AtOnce, SmallPlanes(64, 64, wide, 8, false))
		assert.Equal(t, ByLoop, SmallPlanes(64, 64, wide+1, 8, false))
		assert.Equal(t, AtOnce, SmallPlanes(96, 96, odd, 1, false))
		assert.Equal(t, ByLoop, SmallPlanes(96, 96, odd+1, 1, false))
	})
}

// Small tables and sets are written as the plans of all calls say, whatever the
// size of the last-level cache.
func TestSmallSetsAgree(t *testing.T) {
	eachHere(t, func(t *testing.T, _ tier.Path) {
		for _, llc := range []int{tier.LLC, 16 << 10} {
			undo := tier.ForceLLC(llc)
			for _, shape := range [][4]int{{63, 8, 10, 4}, {64, 20, 10, 4}, {100, 8, 100, 1}, {200, 2, 5, 2}, {300, 12, 40, 8}, {1000, 4, 22, 4}, {1000, 8, 300, 1}, {20_000, 8, 6, 1}, {400, 8, 80, 16}} {
				rows, k, depth, width := shape[0], shape[1], shape[2], shape[3]
				m, s := Here(), rowShape(rows, depth, width)
				agree := func(block int, small bool, p Plan) {
					t.Helper()
					switch {
					case !small:
						assert.True(t, p.Stream || rows*depth*width > tier.L2/4, "%v, %+v", shape, m)
					case block > 0:
						assert.Equal(t, Plan{Strategy: Sets, Block: block}, p, "%v, %+v", shape, m)
					default:
						assert.Equal(t, Scatter, p.Strategy, "%v, %+v", shape, m)
					}
				}
				block, small := SmallSets(rows, k, depth, width)
				agree(block, small, MultiHot(m, &s, k))
				block, small = SmallColumns(rows, k, depth, depth, width)
				agree(block, small, Columns(m, &s, k))
				block, small = SmallColumns(rows, k, depth, depth+1, width)
				assert.Zero(t, block, "gaps")
				assert.True(t, small || rows*(depth+1)*width > tier.L2/4)
			}
			undo()
		}
	})
}

// Small bit planes are compared deeper than others, since such calls begin
// sooner.
func TestSmallBits(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		deepest := map[tier.Path]int{tier.AVX512Path: 45, tier.AVX2Path: 27, tier.NEONPath: 27}[path]
		if deepest > 0 {
			assert.Equal(t, AtOnce, SmallBits(128, deepest))
			assert.Equal(t, AtOnce, SmallBits(LargeBlock, deepest))
			assert.Equal(t, ByKernels, SmallBits(LargeBlock+1, deepest))
		}
		assert.Equal(t, ByLoop, SmallBits(128, deepest+1))
		assert.Equal(t, ByLoop, SmallBits(63, 1), "too few for a kernel")
		assert.Equal(t, ByKernels, SmallBits(bitsApart+1, 1))
	})
}

// Small calls fill and scatter to shorter rows on Skylake's servers.
func TestSmallOnSkylake(t *testing.T) {
	assert.Less(t, max(smallMiss, smallRow, nearBlend, rowMiss), byteMiss, "small rows are not asked for their depth")
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path != tier.AVX2Path {
			assert.False(t, RepeatsSmall(leastRepeat, 0))
			return
		}
		near, miss, n := 71, 111, SmallBlock
		if tier.SkylakeServer {
			near, miss = 30, 47
		}
		assert.Equal(t, AtOnce, SmallRows(n, near, 1, false))
		assert.Equal(t, ByLoop, SmallRows(n, near+1, 1, false))
		assert.Equal(t, AtOnce, SmallRows(n-1, 15, 1, false))
		assert.Equal(t, ByLoop, SmallRows(n-1, 16, 1, false))
		for _, n := range []int{n - 1, n} {
			assert.Equal(t, AtOnce, SmallRows(n, miss, 1, true))
			assert.Equal(t, ByLoop, SmallRows(n, miss+1, 1, true))
		}
		if tier.Intel && !tier.SkylakeServer {
			return // see TestStringStoresOnIntel
		}
		assert.Equal(t, tier.SkylakeServer, RepeatsSmall(leastRepeat, 0))
		assert.False(t, RepeatsSmall(leastRepeat-1, 1<<10))
		assert.Equal(t, tier.SkylakeServer, RepeatsSmall(tier.L1+tier.L1/16, 0))
		assert.False(t, RepeatsSmall(tier.L1+tier.L1/16+1, 0))
		dense := denseFar * tier.L1
		assert.Equal(t, tier.SkylakeServer, RepeatsSmall(dense, dense/denseRow))
		assert.False(t, RepeatsSmall(dense, dense/denseRow-1))
		assert.False(t, RepeatsSmall(dense+1, dense))
	})
}

// A small call asks without a Machine, and gets the same answer.
func TestZeroesByKernel(t *testing.T) {
	eachHere(t, func(t *testing.T, _ tier.Path) {
		for _, bytes := range []int{SmallZero, SmallZero + 1, SmallClear, tier.L1/4 - 1, tier.L1/2 - 1, tier.L1 + 1, tier.L2 / 2, tier.L2/2 + 1} {
			if m := Here(); !RepeatsSmall(bytes, 0) {
				assert.Equal(t, bytes > SmallZero && (bytes < SmallClear || m.streams() && !m.clears(bytes)), ZeroesByKernel(bytes), bytes)
			}
		}
	})
}

// On paths with kernels, clear is the best way to zero what neither stores nor
// a kernel zero in a small call, so that no fill has to ask.
func TestClearZeroesTheRest(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path == tier.GenericPath {
			return
		}
		for bytes := 0; bytes <= CallBytes; bytes += 1 + bytes/64 {
			if !ZeroesByStores(bytes) && !RepeatsSmall(bytes, 0) && !ZeroesByKernel(bytes) {
				assert.True(t, ZeroesByClear(bytes), bytes)
			}
		}
	})
}
