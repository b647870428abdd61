package conformance

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
)

func TestUpdateIsEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 40; seed += uint64(sparse(5)) {
			for _, changed := range []int{0, 1, 2, 20} {
				c := encodeCase{
					n: []int{1, 24, 600}[seed%3], depth: int(seed * seed % 131), values: int(seed), neg: modes[seed/2%2], shift: int(seed % 3), seed: seed,
				}
				for _, inner := range []int{0, c.n, 12} {
					c.inner, c.stride = inner, 0
					if inner == 12 {
						if c.n < 12 {
							continue
						}
						c.stride, c.extra = c.depth*12+5, 5
					}
					checkUpdate[float32, int64](t, c, changed)
					checkUpdate[uint8, uint8](t, c, changed)
					checkUpdate[uint16, float32](t, c, changed)
					checkUpdate[complex128, uint64](t, c, changed)
					checkUpdate[string, int16](t, c, changed)
					checkUpdate[bool, int8](t, c, changed)
					checkUpdate[float64, float64](t, c, changed)
				}
			}
		}
	})
}

// Update writes at most the cells that change, and leaves foreign values in all
// others.
func TestUpdateWritesOnlyWhatChanges(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dst := []uint8{7, 7, 7, 7, 1, 7, 7, 7, 7, 1, 7, 7}
		s := onehot.Spec[uint8]{Depth: 3, On: 1, Negative: onehot.Normalize}
		misses, err := onehot.Update(dst, []int8{-3, 1, 9, -3}, []int8{0, 2, 1, 50}, s)
		require.NoError(t, err)
		assert.Equal(t, 1, misses)
		assert.Equal(t, []uint8{7, 7, 7, 7, 0, 1, 7, 1, 7, 0, 7, 7}, dst)
	})
}

// The following tests cover the borders of Update's route, which compares
// blocks of indices bit by bit. Indices that differ may have the same class.

type updateCheck func(t testing.TB, c encodeCase, changed int)

// updateChecks have every width of element and every type of index.
var updateChecks = []updateCheck{
	checkUpdate[uint8, int64], checkUpdate[uint16, uint8], checkUpdate[float32, float32], checkUpdate[float64, int32],
	checkUpdate[complex64, uint64], checkUpdate[bool, int16], checkUpdate[int16, float64], checkUpdate[uint32, int8],
	checkUpdate[int64, uint16], checkUpdate[int8, uint32], checkUpdate[complex128, float32], checkUpdate[string, float64],
}

// updateLengths lie around the fewest indices of a kernel and of the route,
// those of a block, and those that the last block takes along.
var updateLengths = []int{63, 64, 65, 100, 127, 128, plan.UpdateLeast - 1, plan.UpdateLeast, plan.UpdateLeast + 1, 1023, 1024, 1025, 1087, 1088, 1089, 2048, 2111, 2112, 2113}

func TestUpdateEveryBlock(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := 0
		for _, n := range updateLengths {
			for k, check := range updateChecks {
				for _, changed := range []int{0, 1, 3, 64, 1000} {
					if seed++; seed%(7*sparse(8)) != 0 {
						continue
					}
					c := encodeCase{n: n, depth: 1 + k%3*k, neg: modes[seed/3%2], values: seed, shift: seed % 4, seed: uint64(seed)}
					if seed%4 == 0 {
						c.stride, c.extra = c.depth+3, 1
					}
					check(t, c, changed)
				}
			}
		}
	})
}

// An index that has no class counts as a miss, whether it changed or not. The
// indices lie around the powers of two, which are negative in one type and the
// largest in another, and the depths around the limits of the types.
func TestUpdateCountsMissesThatStay(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		checkStays[int8](t)
		checkStays[uint8](t)
		checkStays[int16](t)
		checkStays[uint16](t)
		checkStays[int32](t)
		checkStays[uint64](t)
	})
}

func checkStays[I int8 | uint8 | int16 | uint16 | int32 | uint64](t *testing.T) {
	var indices []I
	for bit := range 64 {
		for next := -1; next <= 1; next++ {
			n := uint64(1)<<bit + uint64(next)
			indices = append(indices, I(n), I(-n))
		}
	}
	for _, depth := range []int{1, 127, 128, 129, 200, 255, 256, 257, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1<<16 - 1, 1 << 16} {
		s := onehot.Spec[uint8]{Depth: depth, On: 1, Negative: modes[depth%2]}
		dst := make([]uint8, len(indices)*depth)
		want, err := onehot.Encode(dst, indices, s)
		require.NoError(t, err)
		was := slices.Clone(dst)
		misses, err := onehot.Update(dst, indices, slices.Clone(indices), s)
		require.NoError(t, err)
		require.Equal(t, want, misses, "%T, depth %d", indices, depth)
		require.True(t, bytes.Equal(was, dst), "%T, depth %d", indices, depth)
	}
}

// The indices of one block of planes are in several of the blocks that are
// compared, and the other way round.
func TestUpdatePlanes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, inner := range []int{2, 3, 60, 100, 700} { // blocks that are compared start within a block of planes
			checkUpdate[uint8, int32](t, encodeCase{n: 2100, inner: inner, depth: 5 + k, seed: uint64(k)}, 150)
			checkUpdate[float32, uint8](t, encodeCase{n: 4200, inner: inner, depth: 3, stride: 3*inner + k, values: k}, 300)
			checkUpdate[float64, int16](t, encodeCase{n: 4200, inner: inner, depth: 7, stride: 7*inner + k, values: k}, 8400) // most of each block changes
		}
		seed := 0
		for _, h := range []struct{ outer, inner int }{
			{1, 64}, {1, 65}, {1, 1025}, {2, 32}, {2, 1024}, {3, 1000}, {32, 2}, {65, 3}, {30, 70}, {2, 1087}, {1100, 2}, {5, 500},
		} {
			for k, check := range updateChecks {
				for _, changed := range []int{1, 5, 200} {
					if seed++; seed%(5*sparse(8)) != 0 {
						continue
					}
					c := encodeCase{n: h.outer * h.inner, inner: h.inner, depth: 1 + k%4*3, neg: modes[seed/3%2], values: seed, shift: seed % 4, seed: uint64(seed)}
					if seed%2 == 0 {
						c.stride, c.extra = c.depth*c.inner+seed%5, 2
					}
					check(t, c, changed)
				}
			}
		}
	})
}

// Update writes nearly nothing of these outputs.
func TestUpdateLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large outputs")
	}
	pathtest.Each(t, func(t *testing.T) {
		checkUpdate[uint8, int64](t, encodeCase{n: 3000, depth: 1500, values: 2, seed: 1}, 100)
		checkUpdate[float32, uint16](t, encodeCase{n: 3 * 999, inner: 999, depth: 301, stride: 999*301 + 5, values: 3, seed: 2}, 50)
	})
}

// checkUpdateWrites updates an output of foreign values and requires that only
// the cells of changed classes are written, not those of an index whose bits
// changed but whose class did not, nor those of a miss that stays one.
func checkUpdateWrites[V onehot.Value, I onehot.Index](t *testing.T, prev, next []I, c encodeCase) {
	t.Helper()
	c.n = len(next)
	s := specOf[V](c)
	h := layoutOf(c.n, s)
	want, got := newArena[V](h.Need(), c.shift), newArena[V](h.Need(), c.shift)
	before, _ := definedClasses(prev, c.depth, c.neg)
	after, wantMisses := definedClasses(next, c.depth, c.neg)
	for i := range after {
		cell := func(class int) *V { return &want.dst()[h.Cell(i, class)] }
		if before[i] != after[i] && before[i] >= 0 {
			*cell(before[i]) = s.Off
		}
		if before[i] != after[i] && after[i] >= 0 {
			*cell(after[i]) = s.On
		}
	}
	misses, err := onehot.Update(got.dst(), prev, next, s)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T: %+v", s, prev, c) })
	require.Equal(t, wantMisses, misses, "path %s, %+v", onehot.Path(), c)
}

// everyMove returns indices in which each of some becomes each of some.
func everyMove[I onehot.Index](some []I) (prev, next []I) {
	for _, x := range some {
		prev = append(prev, slices.Repeat([]I{x}, len(some))...)
		next = append(next, some...)
	}
	return prev, next
}

func TestUpdateWritesOnlyWhatChangesInBlocks(t *testing.T) {
	nan := math.NaN()
	other := math.Float64frombits(math.Float64bits(nan) ^ 1<<40)
	floats := []float64{0, math.Copysign(0, -1), -0.5, 0.5, 1.2, 1.7, 2, -1, -1.5, -2.5, 6.5, 7, -7, -8, 1e300, math.Inf(1), math.Inf(-1), nan, other, -nan}
	var singles []float32
	for _, f := range floats {
		singles = append(singles, float32(f))
	}
	pathtest.Each(t, func(t *testing.T) {
		for k, neg := range append(modes, modes...) {
			c := encodeCase{depth: 7, neg: neg, values: 2 * k, shift: k}
			for _, inner := range []int{1, 4, 20, 400} {
				if c.inner, c.stride = inner, 0; k > 1 {
					c.stride = 7*inner + 2
				}
				prev, next := everyMove(floats)
				checkUpdateWrites[float32](t, prev, next, c)
				prev32, next32 := everyMove(singles)
				checkUpdateWrites[uint8](t, prev32, next32, c)
				some8, some64 := mixed[int8](uint64(k), 20, 7), mixed[int64](uint64(k), 20, 7)
				prev8, next8 := everyMove(some8)
				checkUpdateWrites[float64](t, prev8, next8, c)
				prev64, next64 := everyMove(some64)
				checkUpdateWrites[uint16](t, prev64, next64, c)
				prevU, nextU := everyMove(mixed[uint16](uint64(k), 20, 7))
				checkUpdateWrites[complex128](t, prevU, nextU, c)
			}
		}
	})
}

// Blocks in which few indices changed lie among blocks in which many did, and
// some blocks begin like those of the other kind.
func TestUpdateManyAndFew(t *testing.T) {
	const block, look = 1024, 64
	pathtest.Each(t, func(t *testing.T) {
		for kinds := range 64 { // two bits per block: whether many changed at its beginning, and after that
			prev := make([]int32, 3*block+100)
			next := make([]int32, len(prev))
			for i := range prev {
				prev[i] = int32(i * 7 % 12)
				next[i] = prev[i]
				kind := kinds >> (i / block * 2)
				if i%block >= look {
					kind >>= 1
				}
				if kind&1 == 1 && i%8 > 0 || i%97 == 5 {
					next[i] = int32(i * 5 % 12)
				}
			}
			s := onehot.Rows[uint16](11)
			got, want := make([]uint16, len(prev)*s.Depth), make([]uint16, len(prev)*s.Depth)
			_, err := onehot.Encode(got, prev, s)
			require.NoError(t, err)
			missed, err := onehot.Encode(want, next, s)
			require.NoError(t, err)
			misses, err := onehot.Update(got, prev, next, s)
			require.NoError(t, err)
			require.Equal(t, missed, misses, "kinds %06b", kinds)
			require.True(t, slices.Equal(want, got), "kinds %06b", kinds)
		}
	})
}
