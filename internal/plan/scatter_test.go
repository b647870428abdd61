package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

func TestTilesCoverSomething(t *testing.T) {
	for _, m := range allMachines() {
		for _, n := range testCounts {
			for _, depth := range testDepths {
				for _, s := range []Shape{rowShape(n, depth, 4), planeShape(n, depth, 4)} {
					for _, stores := range []int{0, 1, 8} { // 0 to a table without columns
						tile := TileOf(m, &s, stores)
						assert.True(t, tile.Outer >= 1 && tile.Inner >= 1 && tile.Inner <= s.Inner, "%+v of %+v, %d stores", tile, s, stores)
					}
				}
			}
		}
	}
}

// What lies between rows takes room in a cache, too: their lines do. Rows with
// gaps have a quarter of the cache.
func TestTilesCountGaps(t *testing.T) {
	m := machine(tier.AVX512Path)
	s := rowShape(1<<20, 2, 4)
	rows := func(stride int) int {
		s.Stride = stride
		return TileOf(m, &s, 1).Outer
	}
	assert.Equal(t, m.L2/8, rows(2))
	assert.InDelta(t, m.L2/4/16, rows(4), CacheLine, "a gap as long as the row")
	assert.InDelta(t, m.L2/4/(8+CacheLine), rows(1000), CacheLine, "a line more for each row")
	planes := planeShape(100, 50, 4)
	planes.Outer, planes.Plane, planes.Stride = 1000, 200, 50*200
	assert.InDelta(t, m.L2/4/(50*(400+CacheLine)), TileOf(m, &planes, 1).Outer, 1)
}

// On Skylake's servers tiles fit the first-level cache if stores are close.
func TestTilesNear(t *testing.T) {
	m := skylake()
	tile := func(bytes, row, stores int) int {
		s := rowShape(bytes/row, row, 1)
		return TileOf(m, &s, stores).Outer * row
	}
	near, least := m.L1*3/4, m.L2
	assert.Equal(t, near, tile(least, 128, 1))
	assert.Equal(t, near, tile(least, 512, 4), "rows of four stores")
	assert.Less(t, near, tile(least-128, 128, 1), "filled by vectors")
	assert.Equal(t, near, tile(m.LLC, 128, 1))
	assert.Less(t, near, tile(least, 256, 1), "stores too far from each other")
	assert.Equal(t, near, tile(4*m.L2, 256, 1))
	assert.Less(t, near, tile(m.LLC/2, 256, 1), "filled by vectors")
	assert.Less(t, near, tile(4*m.L2, 512, 1))
	blocks := func(outer, inner int) Tile {
		s := planeShape(inner, 100, 1)
		s.Outer = outer
		return TileOf(m, &s, 1)
	}
	assert.Equal(t, Tile{m.L1 * 3 / 4 / 6400, 64}, blocks(1000, 64))
	assert.Equal(t, Tile{1, planeRun}, blocks(1, m.LLC/50), "a large block is cut to columns")
	m.SkylakeServer = false
	assert.Less(t, near, tile(4*m.L2, 128, 1))
}
