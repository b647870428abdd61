package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// Fills are streamed from where rows are.
func TestStreamFills(t *testing.T) {
	for _, m := range []*Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
		from := m.LLC * 9 / 16
		for _, zero := range []bool{false, true} {
			streamed := func(bytes int) bool {
				s := rowShape(bytes/ScratchBytes, ScratchBytes, 1)
				s.Zero = zero
				return Encode(m, &s).Stream
			}
			assert.True(t, streamed(from), "zero %v", zero)
			assert.False(t, streamed(from-ScratchBytes), "zero %v", zero)
		}
	}
}

// Beyond the last-level cache planes are compared, scattered to in tiles, or
// scattered to after a fill.
func TestFarPlanes(t *testing.T) {
	far := func(depth, inner, width int) Shape { // in twice the last-level cache
		s := planeShape(inner, depth, width)
		s.Outer = 64<<20/(depth*inner*width) + 1
		return s
	}
	compared, tiles, filled := Plan{Strategy: Planes, Stream: true}, Plan{Stream: true, Tiles: true}, Plan{Stream: true, Fill: FillStream}
	copied := Plan{Strategy: Planes, Stream: true, Tiles: true}
	off, miss := func(s *Shape) { s.Zero = false }, func(s *Shape) { s.Miss = true }
	both := []tier.Path{tier.AVX2Path, tier.AVX512Path}
	for _, c := range []struct {
		name  string
		paths []tier.Path
		shape Shape
		want  Plan
	}{
		{"whole lines", both, far(farPlanes, 128, 1), compared},
		{"more of them", both, far(farPlanes+1, 128, 1), tiles},
		{"more of them that are not zeros", both, with(far(farPlanes+1, 128, 1), off), compared},
		{"long planes", both, far(100, raggedRun, 1), compared},
		{"ragged ones", both[:1], far(narrowTile*1000/1024, 1000, 1), copied},
		{"longer columns", both[:1], far(narrowTile*1000/1024+1, 1000, 1), tiles},
		{"ragged ones that leave the scratch one by one", both, far(farTile*1001/1024/4, 1001, 4), copied},
		{"longer columns", both, far(farTile*1001/1024/4+1, 1001, 4), tiles},
		{"ragged ones that take many rounds", both[1:], far(farTile*70/128, 70, 1), copied},
		{"longer columns", both[1:], far(farTile*70/128+1, 70, 1), tiles},
		{"the shortest of them", both[:1], far(narrowTile/4+3, sentRun/4+1, 4), copied},
		{"shorter ones", both[:1], far(narrowTile/4+3, sentRun/4-1, 4), tiles},
		{"the longest in a scratch", both[:1], far(9, sentMost/4-1, 4), copied},
		{"longer ones", both[:1], far(9, sentMost/8+1, 8), compared},
		{"many of them", both[:1], far(farPlanes, sentMost/8-1, 8), copied},
		{"more of them", both[:1], far(farPlanes+1, sentMost/8-1, 8), filled},
		{"the longest in a scratch", both[1:], far(9, raggedRun/4-1, 4), copied},
		{"longer ones", both[1:], far(9, raggedRun/4+1, 4), compared},
		{"longer columns that are not zeros", both, with(far(farTile/4+1, 1001, 4), off), tiles},
		{"a miss in them", both, with(far(farTile/4+1, 1001, 4), miss), copied},
		{"a miss in few columns", both, with(far(leastTile, 4, 1), miss), tiles},
		{"blocks of a call of a kernel", both, far(255, 514, 4), tiles},
		{"larger blocks", both, far(255, 515, 4), filled},
		{"few columns", both, far(leastTile, 4, 1), tiles},
		{"shorter ones", both, far(leastTile-1, 4, 1), filled},
		{"smaller blocks", both, far(leastTile+2, 3, 1), filled},
		{"the longest in tiles", both, far(511, 10, 4), tiles},
		{"longer ones", both, far(512, 10, 4), filled},
		{"the longest that are not zeros", both, with(far(2047, 10, 4), off), tiles},
		{"longer ones", both, with(far(2048, 10, 4), off), filled},
		{"the deepest that are not zeros", both, with(far(KernelDepth, 128, 1), off), compared},
		{"deeper ones", both, with(far(KernelDepth+1, 128, 1), off), filled},
	} {
		for _, path := range c.paths {
			got := Encode(machine(path), &c.shape)
			got.Block, got.ByColumns = 0, false
			assert.Equal(t, c.want, got, "%s, %s", c.name, path)
		}
	}
}

// Wide sets and tables are scattered to in tiles from where fills are streamed.
func TestFarSets(t *testing.T) {
	tiles, k := Plan{Stream: true, Tiles: true}, 50
	for _, m := range []*Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
		rows := func(depth, bytes int) *Shape {
			s := rowShape(bytes/depth+1, depth, 1)
			return &s
		}
		from := m.LLC * 9 / 16
		assert.Equal(t, tiles, MultiHot(m, rows(leastSet*k, from), k))
		assert.False(t, MultiHot(m, rows(leastSet*k-1, from), k).Stream)
		assert.False(t, MultiHot(m, rows(leastSet*k, from-leastSet*k), k).Stream)
		assert.False(t, MultiHot(skylake(), rows(leastSet*k, from), k).Stream)
		table := rows(leastTable*8, 2*from)
		assert.Equal(t, Sets, Columns(m, table, 8).Strategy)
		table.Miss = true
		assert.Equal(t, tiles, Columns(m, table, 8))
		assert.Equal(t, Sets, Columns(m, table, 9).Strategy)
		assert.Equal(t, tiles, Columns(m, rows(ScratchBytes+1, from), k))
	}
}

// Blocks that are scattered to and copied take whole cache lines, unless only a
// few fit, and are no more than there are.
func TestStreamBlocks(t *testing.T) {
	m := machine(tier.AVX512Path)
	for _, c := range []struct{ outer, block, columns, want int }{
		{1 << 20, 192, 1, ScratchBytes / 192},
		{1 << 20, 201, 1, ScratchBytes / 201 &^ 63},
		{1 << 20, 201, 4, 4 * ScratchBytes / 201 &^ 63},
		{1 << 20, 1001, 1, ScratchBytes / 1001},
		{1 << 20, 201, 1 << 10, m.L2 / 2 / 201 &^ 63},
		{1 << 20, m.L2, 1, 1},
		{5, 201, 1, 5},
	} {
		assert.Equal(t, c.want, StreamBlocks(m, c.outer, c.block, c.columns), "%+v", c)
	}
}
