package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

func TestBits(t *testing.T) {
	deepest := func(most, n int) int { return most * (n - bitsFew) / 64 / ((n+63)/64 + bitsStart) }
	for _, c := range []struct {
		path     tier.Path
		n, depth int
		want     Strategy
	}{
		{tier.AVX512Path, 10_000, deepest(bitsWide, 10_000), BitPlanes},
		{tier.AVX512Path, 10_000, deepest(bitsWide, 10_000) + 1, Scatter},
		{tier.AVX2Path, 10_000, deepest(bitsDepth, 10_000), BitPlanes},
		{tier.AVX2Path, 10_000, deepest(bitsDepth, 10_000) + 1, Scatter},
		{tier.AVX512Path, 200, deepest(bitsWide, 200), BitPlanes},
		{tier.AVX512Path, 200, deepest(bitsWide, 200) + 1, Scatter},
		{tier.AVX512Path, bitsFew, 1, Scatter},
		{tier.AVX2Path, 1 << 14, bitsCrowded, BitPlanes},
		{tier.AVX2Path, 1 << 14, bitsCrowded + 1, Scatter},
		{tier.NEONPath, 1 << 14, bitsDepth + 1, Scatter},
		{tier.AVX2Path, 1_000_000, bitsLarge, BitPlanes},
		{tier.AVX2Path, 1_000_000, bitsLarge + 1, Scatter},
		{tier.GenericPath, 10_000, 10, Scatter},
		{tier.AVX512Path, Least - 1, 10, Scatter},
		{tier.AVX512Path, 10_000, 0, Scatter},
	} {
		assert.Equal(t, c.want, Bits(machine(c.path), c.n, c.depth).Strategy, "%s, %d of depth %d", c.path, c.n, c.depth)
	}
	assert.True(t, StagesBits(bitsStaged, 512))
	assert.False(t, StagesBits(bitsStaged+1, 512))
	assert.False(t, StagesBits(bitsStaged, 500), "not crowded")
}

// Beyond the second-level cache of Intel's cores more bit planes are compared.
func TestFarBits(t *testing.T) {
	m := intel()
	for path, most := range map[tier.Path]int{tier.AVX512Path: bitsFar, tier.AVX2Path: bitsFarNarrow} {
		m.Path = path
		n := (m.L2/most + 8) / 8 * WordBits // just beyond that cache
		assert.Equal(t, BitPlanes, Bits(m, n, most).Strategy, "%v", path)
		assert.Equal(t, Scatter, Bits(m, n, most+1).Strategy, "%v", path)
		assert.Equal(t, Scatter, Bits(m, n-2*WordBits, most).Strategy, "%v", path)
		m.SkylakeServer = true
		assert.Equal(t, Scatter, Bits(m, n, most).Strategy, "%v", path)
		m.SkylakeServer = false
	}
	assert.Equal(t, Scatter, Bits(machine(tier.AVX512Path), m.L2/bitsFar*9, bitsFar).Strategy)
}

// Bit planes that share a few sets are compared where these have few lines.
func TestCrowdedBits(t *testing.T) {
	small := machine(tier.AVX2Path)
	large := machine(tier.AVX2Path)
	large.L1 += large.L1 / 2
	assert.Equal(t, BitPlanes, Bits(small, 8192*1025, bitsLarge).Strategy, "large bit planes")
	for _, m := range []*Machine{intel(), machine(tier.AVX512Path)} {
		from := m.LLC * 3 / 8
		if m.Intel {
			from *= 2
		}
		assert.True(t, Bits(m, from/8, 64).Stream)
		assert.False(t, Bits(m, from/8-WordBits, 64).Stream)
	}
	assert.Equal(t, BitPlanes, Bits(small, 8192, bitsShared).Strategy)
	assert.Equal(t, Scatter, Bits(small, 8192, bitsShared+1).Strategy)
	assert.Equal(t, Scatter, Bits(large, 8192, bitsShared).Strategy)
	small.Zen1To4 = true
	assert.Equal(t, Scatter, Bits(small, 8192, bitsShared).Strategy)
}
