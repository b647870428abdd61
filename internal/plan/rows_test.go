package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// With AVX-512 a larger first-level cache holds longer rows, up to what kernels
// take. Beyond the second-level cache the limits are different.
func TestRowsByCache(t *testing.T) {
	deepest := func(m *Machine, width, bytes int) (depth int) {
		for depth = MaxDepth + 1; !m.blendsRows(depth, width, bytes, false); depth-- {
		}
		return depth
	}
	for _, c := range []struct {
		path      tier.Path
		l1, bytes int
		want      [5]int // by width
	}{
		{tier.AVX512Path, 32 << 10, 1 << 20, [5]int{236, 170, 109, 64, 32}},
		{tier.AVX512Path, 48 << 10, 1 << 20, [5]int{255, 255, 128, 64, 32}},
		{tier.AVX512Path, 48 << 10, 2 << 20, [5]int{255, 128, 64, 32, 16}},
		{tier.AVX2Path, 32 << 10, 1 << 20, [5]int{208, 104, 52, 26, 13}},
		{tier.AVX2Path, 48 << 10, 2 << 20, [5]int{208, 104, 52, 26, 13}},
		{tier.NEONPath, 128 << 10, 1 << 20, [5]int{240, 128, 64, 32, 16}},
	} {
		m := machine(c.path)
		m.L1 = c.l1
		for i, want := range c.want {
			assert.Equal(t, want, deepest(m, 1<<i, c.bytes), "%s, %d bytes of cache, %d of output, cells of %d", c.path, c.l1, c.bytes, 1<<i)
		}
	}
}

// Up to Zen 4 rows are blended to a length of their own.
func TestZenRows(t *testing.T) {
	longest := func(m *Machine, bytes int, hasMiss bool) (row int) {
		for row = 8; m.blendsRows((row+4)/4, 4, bytes, hasMiss); row += 4 {
		}
		return row
	}
	m := zen()
	assert.Equal(t, 140, longest(m, m.L2/2, false))
	assert.Equal(t, 208, longest(m, m.L2/2+1, false))
	assert.Equal(t, 208, longest(m, m.L2/2, true))
	assert.Equal(t, 208, longest(m, m.L2, false))
	assert.Equal(t, 320, longest(m, m.L2+1, false))
	assert.Equal(t, 320, longest(m, m.L2+1, true))
	assert.Equal(t, StreamRow, longest(m, m.LLC/2, false))
	assert.Equal(t, 208, longest(machine(tier.AVX2Path), m.L2+1, false))
	m.Path = tier.AVX512Path // a Zen 4
	assert.Equal(t, longest(machine(tier.AVX512Path), m.L2+1, false), longest(m, m.L2+1, false))
}

// Rows of misses are written again where rows are not short and misses few.
func TestRepair(t *testing.T) {
	defer func(was bool) { tier.Zen1To4 = was }(tier.Zen1To4)
	tier.Zen1To4 = true
	assert.True(t, Repair(tier.AVX2Path, 2048, 128, 12, 4, true))
	assert.False(t, Repair(tier.AVX2Path, 2048, 1, 47, 1, true))
	assert.False(t, Repair(tier.AVX2Path, 85, 1, 48, 1, true) || !Repair(tier.AVX2Path, 86, 1, 48, 1, true))
	assert.False(t, Repair(tier.AVX2Path, 2048, 1, 48, 1, false), "the kernel for misses costs no more")
	assert.True(t, Repair(tier.AVX512Path, 2048, 1, 48, 1, false))
	tier.Zen1To4 = false
	for _, c := range []struct {
		path                       tier.Path
		rows, misses, depth, width int
		want                       bool
	}{
		{tier.AVX512Path, 2048, 128, 44, 1, true}, {tier.AVX512Path, 2048, 129, 44, 1, false}, {tier.AVX512Path, 2048, 128, 43, 1, false},
		{tier.AVX512Path, 82, 2, 200, 1, true}, {tier.AVX512Path, 81, 2, 200, 1, false}, {tier.AVX512Path, 2048, 1, 100, 2, false}, {tier.AVX512Path, 2048, 1, 40, 16, false},
		{tier.AVX2Path, 2048, 128, 8, 1, true}, {tier.AVX2Path, 2048, 128, 7, 1, false}, {tier.AVX2Path, 2048, 128, 4, 2, true},
		{tier.AVX2Path, 64, 4, 16, 4, true}, {tier.AVX2Path, 64, 5, 16, 4, false}, {tier.AVX2Path, 64, 4, 15, 4, false},
		{tier.NEONPath, 2048, 1, 100, 4, false}, // it has no kernel for that
	} {
		for _, zero := range []bool{false, true} {
			assert.Equal(t, c.want, Repair(c.path, c.rows, c.misses, c.depth, c.width, zero), "%+v", c)
		}
	}
}
