package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// More planes are compared where short runs between gaps would be filled. But
// on Intel's cores see TestPlansAhead.
func TestGapsCost(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		defer func(was bool) { tier.Intel = was }(tier.Intel)
		tier.Intel = false
		m := Here()
		for n, depth := range map[int]int{70: 40, 300: 100} {
			const width = 4
			kernels := path != tier.GenericPath
			assert.Equal(t, ByLoop, SmallPlanes(n, n, depth, width, false))
			assert.False(t, PaddedPlanes(n, depth, n, width, false), "no gap")
			assert.Equal(t, kernels, PaddedPlanes(n, depth, n+1, width, false))
			assert.Equal(t, kernels, m.compares(depth, n, n+1, width, n*depth*width, false))
		}
		n := gapRun / 8
		assert.True(t, gapsCost(n, n+1, 8))
		assert.False(t, gapsCost(n+1, n+2, 8))
	})
}

// With AVX2, Intel's cores compare fewer planes that start within vectors.
func TestSkews(t *testing.T) {
	deepest := func(m *Machine, inner, bytes int, hasMiss bool) (depth int) {
		for depth < Classes && m.compares(depth+1, inner, inner, 4, bytes, hasMiss) {
			depth++
		}
		return depth
	}
	m := machine(tier.AVX2Path)
	m.Intel = true
	least, wide, other := max(m.L1/2, tier.LeastL1), intel(), machine(tier.AVX2Path)
	for _, bytes := range []int{least + 1, m.L1, m.L1 + 1, m.L2 + 1} {
		few, many := deepest(m, 1087, bytes, false), deepest(m, 1088, bytes, false)
		assert.Less(t, 4*few, 3*many, "%d bytes", bytes)
		for _, m := range []*Machine{wide, other, skylake()} {
			assert.Greater(t, 10*deepest(m, 1087, bytes, false), 9*deepest(m, 1088, bytes, false), "%d bytes, %+v", bytes, m)
		}
		assert.Greater(t, 10*deepest(m, 1087, bytes, true), 9*deepest(m, 1088, bytes, true), "a Miss")
	}
	assert.Greater(t, 10*deepest(m, 1087, least, false), 9*deepest(m, 1088, least, false))
}

func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		planes, apart, sets, close int
		want                       bool
	}{
		{8, 4096, 1, 0, true},
		{7, 4096, 3, 24, false},
		{8, 3 * 4096, 1, 0, true},
		{8, 4098, 1, 2, true},
		{8, 4094, 1, 2, true},
		{8, 4099, 1, 2, false},
		{16, 2048, 2, 0, true},
		{16, 2048, 1, 0, false},
		{15, 2048, 2, 0, false},
		{24, 1365, 3, 24, true},
		{24, 2730, 3, 24, true},
		{23, 1365, 3, 24, false},
		{24, 1365, 2, 24, false},
		{100, 1000, 3, 24, false},
	} {
		assert.Equal(t, c.want, crowded(c.planes, c.apart, c.sets, ways, c.close), "%+v", c)
	}
}

// Planes crowd up to three sets if each set has more of them than lines. On
// Skylake's servers they crowd any number of sets, four to a set or, with a
// Miss, five.
func TestCrowdedRounds(t *testing.T) {
	for _, m := range []*Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
		for _, c := range []struct {
			planes, apart int
			want          bool // by columns
		}{
			{8, 4 << 10, true}, {9, 4 << 10, false}, {17, 2 << 10, true}, {18, 2 << 10, false}, {26, 1365, true}, {27, 1365, false},
			{9, 4<<10 + 24, false}, {9, 4<<10 + 25, true}, {72, 1 << 10, true}, {144, 512, true}, {200, 409, true},
		} {
			assert.Equal(t, c.want, ByColumns(m, c.planes, 384, c.apart, 4, m.L1+1, true), "%+v, %v", c, m)
		}
	}
	for _, c := range []struct{ planes, apart int }{{36, 1 << 10}, {36, 3 << 10}, {72, 512}} { // bytes, of which AVX2 writes half a line a round
		byColumns := func(p tier.Path, planes int) bool {
			return ByColumns(machine(p), planes, 384, c.apart, 1, machine(p).L1+1, false)
		}
		assert.False(t, byColumns(tier.AVX2Path, c.planes), "%+v", c)
		assert.True(t, byColumns(tier.AVX2Path, c.planes-1), "one plane less than %+v", c)
		assert.True(t, byColumns(tier.AVX512Path, c.planes), "%+v", c)
	}
	narrow := machine(tier.AVX2Path)
	assert.True(t, ByColumns(narrow, 81, 384, 455, 1, narrow.L1+1, false), "nine sets")
	assert.True(t, ByColumns(narrow, 36, 384, 1<<10, 1, narrow.L1, false), "in the first-level cache")
	server := skylake()
	byColumns := func(planes, run, apart int, hasMiss bool) bool {
		return ByColumns(server, planes, run, apart, 4, server.L1+1, hasMiss)
	}
	for _, c := range []struct {
		planes, apart int
	}{{5, 4 << 10}, {10, 6 << 10}, {20, 1 << 10}, {40, 512}, {50, 409}} {
		assert.False(t, byColumns(c.planes/5*4, 384, c.apart, false), "%+v without a Miss", c)
		assert.False(t, byColumns(c.planes, 384, c.apart, true), "%+v", c)
		assert.True(t, byColumns(c.planes-1, 384, c.apart, true), "one plane less than %+v", c)
		assert.True(t, byColumns(c.planes, 383, c.apart, true), "short runs, %+v", c)
		assert.True(t, ByColumns(server, min(c.planes, ways), 384, c.apart, 4, server.L1, true), "%+v", c)
	}
	assert.False(t, byColumns(4, 384, 4<<10+CacheLine, false))
	assert.True(t, byColumns(4, 384, 4<<10+CacheLine+1, false))
	assert.False(t, byColumns(5, 384, 4<<10+48, true))
	assert.True(t, byColumns(5, 384, 4<<10+49, true))
	assert.False(t, crowded(100, CacheLine, 1, ways, CacheLine), "planes of a line")
}

// Up to Zen 4 a few long planes go by columns in any output.
func TestZenColumns(t *testing.T) {
	const apart = page + CacheLine // not crowded
	m := zen()
	far := m.L2*3/4 + 1
	assert.True(t, ByColumns(m, 16, 4096, apart, 4, far, false))
	assert.False(t, ByColumns(m, 17, 4096, apart, 4, far, false))
	assert.False(t, ByColumns(m, 16, 4095, apart, 4, far, false))
	assert.False(t, ByColumns(machine(tier.AVX2Path), 16, 4096, apart, 4, far, false))
	m.Path = tier.AVX512Path
	assert.False(t, ByColumns(m, 16, 4096, apart, 4, far, false))
}
