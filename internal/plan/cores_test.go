package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// On the cores of Skylake's servers, rows blended within the second-level cache
// are shorter, and those beyond longer.
func TestSkylake(t *testing.T) {
	m, n := skylake(), 10_000
	for _, c := range []struct {
		name  string
		shape Shape
		want  Plan
	}{
		{"rows in the first-level cache", rowShape(n/20, rowNear/4, 4), Plan{Strategy: Rows, Block: MediumBlock}},
		{"longer ones", rowShape(n/20, rowNear/4+1, 4), Plan{Fill: FillRepeat}},
		{"rows in the second-level cache", rowShape(n/10, narrowBlend/4, 4), Plan{Strategy: Rows, Block: LargeBlock}},
		{"longer ones", rowShape(n/10, narrowBlend/4+1, 4), Plan{Fill: FillVector}},
		{"rows a little beyond", rowShape(n, narrowBlend/4, 4), Plan{Strategy: Rows, Block: LargeBlock}},
		{"longer ones", rowShape(n*3/4, narrowBlend/4+1, 4), Plan{Fill: FillRepeat}},
		{"rows beyond", rowShape(n, rowFar/4, 4), Plan{Strategy: Rows, Block: 1536}},
		{"longer ones", rowShape(n, rowFar/4+1, 4), Plan{Fill: FillRepeat}},
		{"rows beyond all caches", rowShape(100*n, blendBytes/8, 8), Plan{Strategy: Rows, Block: 960}},
		{"longer ones", rowShape(100*n, blendBytes/16+1, 16), Plan{Fill: FillVector}},
		{"small rows", rowShape(10, narrowBlend/4+1, 4), Plan{Fill: FillVector}},
		{"planes beyond all caches", planeShape(100*n, 19, 4), Plan{Strategy: Planes, Block: LargeBlock}},
	} {
		assert.Equal(t, c.want, Encode(m, &c.shape), c.name)
	}
	bits := func(n, depth int) Plan { return Bits(m, n, depth) }
	assert.Equal(t, Plan{Strategy: BitPlanes, Block: LargeBlock}, bits(100*n, bitsLarge))
	assert.Equal(t, Plan{}, bits(100*n, bitsLarge+1))
	assert.Equal(t, Plan{}, bits(n, 2*bitsDepth))
	large := m.LLC / 8 / 200 * 8 / WordBits * WordBits // indices of 200 classes
	assert.Equal(t, BitPlanes, bits(large+WordBits, 200).Strategy)
	assert.Equal(t, Scatter, bits(large-WordBits, 200).Strategy)
	for bytes, want := range map[int]Filler{
		leastRepeat - 4: FillVector, leastRepeat: FillRepeat, m.L1 + m.L1/16: FillRepeat, m.L1 + m.L1/16 + 4: FillVector,
		m.L2*5/4 - 4: FillVector, m.L2 * 5 / 4: FillRepeat, m.LLC/2 - 4: FillRepeat, m.LLC / 2: FillVector,
	} {
		fill := rowShape(1, bytes/4, 4)
		assert.Equal(t, want, Encode(m, &fill).Fill, "%d bytes", bytes)
	}
	for rows, want := range map[int]Filler{ // of denseRow bytes
		denseFar*m.L1/denseRow - 2: FillRepeat, denseFar*m.L1/denseRow + 1: FillVector, m.L2/denseRow - 1: FillVector, m.L2/denseRow + 3: FillRepeat,
	} {
		dense, sparse, sets := rowShape(rows, denseRow, 1), rowShape(rows, denseRow+1, 1), rowShape(rows/3, 3*denseRow, 1)
		assert.Equal(t, want, Encode(m, &dense).Fill, "%d rows", rows)
		assert.Equal(t, FillVector, Encode(m, &sparse).Fill, "%d longer rows", rows)
		assert.Equal(t, want, MultiHot(m, &sets, 3).Fill, "%d sets of three", rows/3)
		assert.Equal(t, FillVector, MultiHot(m, &sets, 2).Fill, "%d sets of two", rows/3)
		assert.Equal(t, want, Columns(m, &sets, 3).Fill, "%d rows of three columns", rows/3)
		assert.Equal(t, FillVector, Columns(m, &sets, 2).Fill, "%d rows of two columns", rows/3)
	}
	planes := func(count, bytes int, hasMiss bool) bool {
		return ByColumns(m, count, shortPlane, shortPlane+CacheLine, 4, bytes, hasMiss) // planes that are not crowded
	}
	assert.True(t, planes(skylakePlanes, 512<<10, false))
	assert.False(t, planes(skylakePlanes+1, 512<<10, false))
	assert.True(t, planes(skylakePlanes, 1<<20, true))
	assert.False(t, planes(skylakePlanes+1, 512<<10, true))
	ragged := func(count, bytes int, hasMiss bool) bool {
		return ByColumns(m, count, shortPlane, shortPlane+CacheLine/2, 4, bytes, hasMiss)
	}
	assert.True(t, ragged(skylakeRagged, 512<<10, false))
	assert.False(t, ragged(skylakeRagged+1, 512<<10, false))
	assert.True(t, ragged(skylakeRagged+1, m.L1, false))
	assert.True(t, ragged(skylakeMiss, 512<<10, true))
	assert.False(t, ragged(skylakeMiss+1, 512<<10, true))
	assert.True(t, ragged(skylakeMiss+1, m.L2, true))
}

// Skylake's servers blend shorter rows, and compare fewer planes, where string
// stores fill.
func TestSkylakeByCache(t *testing.T) {
	m := skylake()
	for bytes, longest := range map[int]int{
		m.L1: rowNear, m.L1 + 1: rowNext, m.L1 * 3 / 2: rowNext, m.L1*3/2 + 1: narrowBlend, 2 * m.L2: narrowBlend, 2*m.L2 + 1: rowFar,
		m.LLC/2 - 1: rowFar, m.LLC / 2: blendBytes,
	} {
		assert.True(t, m.blendsRows(2, longest/2, bytes, false) && !m.blendsRows(2, longest/2+1, bytes, false), "%d bytes", bytes)
	}
	assert.True(t, m.blendsRows(rowMiss, 1, m.L1, true))
	assert.False(t, m.blendsRows(rowMiss+1, 1, m.L1, true))
	compared := func(column, inner, plane, bytes int, hasMiss bool) bool {
		return m.compares(column/4, inner, plane, 4, bytes, hasMiss)
	}
	for _, bytes := range []int{m.L2, 2 * m.L2} {
		assert.True(t, compared(columnFar, 1100, 1100, bytes, false), "%d bytes", bytes)
		assert.False(t, compared(columnFar+4, 1100, 1100, bytes, false), "%d bytes", bytes)
		assert.True(t, compared(columnFar+4, 1100, 1100, bytes, true), "a Miss")
		assert.True(t, compared(columnFar+4, 1024, 1024, bytes, false), "crowded")
		assert.True(t, compared(columnFar+4, 70, 71, bytes, false), "gaps")
	}
	assert.True(t, compared(columnFar+4, 1100, 1100, m.L2-1, false) && compared(columnFar+4, 1100, 1100, 2*m.L2+1, false))
	m.SkylakeServer, m.Intel = false, false
	assert.True(t, compared(columnFar+4, 1100, 1100, m.L2, false), "another processor")
}

// On Intel's processors string stores fill outputs from a quarter of the
// first-level cache on, and kernels prefetch what they write from half on.
func TestStringStoresOnIntel(t *testing.T) {
	fills := func(m *Machine, bytes int) (zero, other Filler) {
		s := rowShape(1, bytes, 1)
		zero = Encode(m, &s).Fill
		s.Zero = false
		return zero, Encode(m, &s).Fill
	}
	for _, m := range []*Machine{intel(), machine(tier.AVX512Path)} {
		zero, other := fills(m, m.L1/4-1)
		assert.Equal(t, [2]Filler{FillVector, FillVector}, [2]Filler{zero, other})
		beyond := [2]Filler{FillVector, FillVector}
		if m.Intel {
			beyond = [2]Filler{FillGo, FillRepeat}
		}
		zero, other = fills(m, m.L1/4)
		assert.Equal(t, beyond, [2]Filler{zero, other})
		zero, other = fills(m, m.L2/2)
		assert.Equal(t, beyond, [2]Filler{zero, other})
		zero, other = fills(m, m.L2/2+1)
		assert.Equal(t, [2]Filler{FillGo, FillRepeat}, [2]Filler{zero, other}, "everywhere")
	}
	eachHere(t, func(t *testing.T, path tier.Path) {
		intel := tier.Intel && !tier.SkylakeServer
		if intel {
			assert.Equal(t, path == tier.AVX2Path || path == tier.AVX512Path, RepeatsSmall(tier.L1/4, 0))
			assert.False(t, RepeatsSmall(tier.L1/4-1, 0))
		}
		assert.Equal(t, intel && path == tier.AVX512Path, PrefetchesCells(tier.L1/2))
		assert.False(t, PrefetchesCells(tier.L1/2-1))
	})
}

// Where kernels prefetch beyond the first-level cache, more is blended: more
// tables and sets are made from bits, more planes compared, and longer rows
// blended.
func TestPlansThatPrefetch(t *testing.T) {
	ahead, plain := intel(), machine(tier.AVX512Path)
	deep := func(m *Machine, rows int) [2]Strategy {
		table, set := rowShape(rows, 600, 1), rowShape(rows, 400, 1)
		return [2]Strategy{Columns(m, &table, 20).Strategy, MultiHot(m, &set, 16).Strategy}
	}
	assert.Equal(t, [2]Strategy{Sets, Sets}, deep(ahead, 1000))
	assert.Equal(t, [2]Strategy{Scatter, Scatter}, deep(plain, 1000))
	ahead.L1 = 600 * 1000
	assert.Equal(t, [2]Strategy{Scatter, Scatter}, deep(ahead, 1000), "an output that the first-level cache holds")

	planes := func(m *Machine, inner int) Strategy {
		s := planeShape(inner, 128, 1)
		return Encode(m, &s).Strategy
	}
	ahead.L1 = plain.L1
	assert.Equal(t, Planes, planes(ahead, 1087))
	assert.Equal(t, Scatter, planes(plain, 1087))
	long := func(m *Machine, bytes int) Strategy {
		s := rowShape(bytes/400, 100, 4)
		return Encode(m, &s).Strategy
	}
	assert.Equal(t, Rows, long(ahead, 2*ahead.L2))
	assert.Equal(t, Scatter, long(plain, 2*plain.L2))
	assert.Equal(t, Scatter, long(ahead, ahead.L1))

	ahead.LLC = 1000 * 400
	assert.Equal(t, [2]Strategy{Sets, Scatter}, deep(ahead, 1000), "tables by the rule for non-temporal stores, sets by that of other processors")
}

// With AVX-512 Intel's cores blend as in the first-level cache up to a third
// beyond it.
func TestNearL1OnIntel(t *testing.T) {
	ahead, plain, narrow := intel(), machine(tier.AVX512Path), machine(tier.AVX2Path)
	narrow.Intel = true
	plain.L1, narrow.L1 = ahead.L1, ahead.L1
	third := ahead.L1*4/3 + 1
	for bytes, near := range map[int]bool{ahead.L1: true, ahead.L1 + 1: true, third - 1: true, third: false} {
		assert.Equal(t, near, ahead.nearL1(bytes), "%d bytes", bytes)
		assert.Equal(t, bytes <= ahead.L1, plain.nearL1(bytes), "%d bytes", bytes)
		assert.Equal(t, bytes <= ahead.L1, narrow.nearL1(bytes), "%d bytes", bytes)

		assert.True(t, ahead.blendsRows(nearBlend, 1, bytes, false) && ahead.blendsRows(nearMiss, 1, bytes, true))
		assert.Equal(t, !near, ahead.blendsRows(nearBlend+1, 1, bytes, false), "%d bytes", bytes)
		assert.Equal(t, !near, ahead.blendsRows(nearMiss+1, 1, bytes, true), "%d bytes", bytes)
		assert.True(t, plain.blendsRows(nearMiss+1, 1, bytes, true))

		compared := func(m *Machine, depth, inner int) bool { return m.compares(depth, inner, inner, 1, bytes, false) }
		assert.Equal(t, !near, compared(ahead, 60, 1088), "what pays with two tenths and not with three, %d bytes", bytes)
		assert.Equal(t, bytes > ahead.L1, compared(plain, 60, 1088), "%d bytes", bytes)
		assert.Equal(t, !near, compared(ahead, 200, page/2), "crowded planes, %d bytes", bytes)
		assert.Equal(t, bytes > ahead.L1, compared(plain, 200, page/2), "crowded planes, %d bytes", bytes)
	}
}

// Where kernels prefetch beyond the first-level cache, planes without a Miss
// are compared, many of them only in runs that are long or waste little, and
// few go by columns.
func TestPlansAhead(t *testing.T) {
	m := intel()
	least, most := m.L1*4/3+1, m.streamPlanes()-1
	for _, bytes := range []int{least, m.L2, m.L2 + 1, most} {
		for _, gap := range []int{0, 3} {
			for _, c := range []struct{ inner, width, most int }{{80, 1, 19}, {128, 1, 127}, {192, 1, 319}, {48, 4, 199}} {
				assert.True(t, m.compares(c.most, c.inner, c.inner+gap, c.width, bytes, false), "%+v, gap %d, %d bytes", c, gap, bytes)
				assert.False(t, m.compares(c.most+1, c.inner, c.inner+gap, c.width, bytes, false), "%+v, gap %d, %d bytes", c, gap, bytes)
			}
			assert.True(t, m.compares(KernelDepth, 320, 320+gap, 1, bytes, false), "gap %d, %d bytes", gap, bytes)
			assert.False(t, m.compares(KernelDepth, 320, 320+gap, 1, bytes, true), "a Miss, gap %d, %d bytes", gap, bytes)
		}
		columns := func(planes, run int, hasMiss bool) bool {
			return ByColumns(m, planes, run, 600+CacheLine/2, 1, bytes, hasMiss) // planes that are not crowded
		}
		assert.True(t, columns(aheadPlanes, farPlane+1, false), "%d bytes", bytes)
		assert.False(t, columns(aheadPlanes+1, farPlane+1, false), "%d bytes", bytes)
		assert.True(t, columns(aheadShort, farPlane, false), "%d bytes", bytes)
		assert.False(t, columns(aheadShort+1, farPlane, false), "%d bytes", bytes)
		assert.True(t, columns(aheadShort+1, farPlane, true), "a Miss, %d bytes", bytes)
	}
	assert.False(t, m.compares(KernelDepth, 320, 320, 1, most+1, false))
	assert.True(t, ByColumns(m, aheadShort+1, farPlane, 632, 1, most+1, false))
}

// With the kernels of AVX-512, streamed rows need no tile whatever their
// length, and are blended up to blendBytes, unless none starts a line or they
// have a Miss.
func TestRowsByLines(t *testing.T) {
	narrow := machine(tier.AVX2Path)
	narrow.Intel = true
	direct, tiles, scattered := Plan{Strategy: Rows, Stream: true}, Plan{Strategy: Rows, Stream: true, Tiles: true}, Plan{Stream: true, Tiles: true}
	from := func(p Plan, first int) Plan { p.First = first; return p }
	for _, c := range []struct {
		depth, width, start int
		miss                bool
		intel, others       Plan
	}{
		{depth: 7, width: 1, intel: direct, others: tiles},
		{depth: 7, width: 1, start: 1, intel: from(direct, 73), others: tiles}, // 1 + 73*7 is eight lines
		{depth: 8, width: 1, intel: direct, others: direct},
		{depth: 8, width: 1, start: 4, intel: tiles, others: tiles},
		{depth: 8, width: 1, miss: true, intel: tiles, others: tiles},
		{depth: StreamRow / 4, width: 4, start: 4, intel: tiles, others: tiles},
		{depth: StreamRow + 1, width: 1, intel: direct, others: scattered},
		{depth: StreamRow + 2, width: 1, start: 1, intel: scattered, others: scattered},
		{depth: StreamRow + 1, width: 1, miss: true, intel: scattered, others: scattered},
		{depth: blendBytes / 4, width: 4, intel: direct, others: scattered},
		{depth: blendBytes/4 + 1, width: 4, intel: scattered, others: scattered},
	} {
		for _, m := range []*Machine{intel(), machine(tier.AVX512Path), narrow} {
			s := rowShape(m.LLC/(c.depth*c.width), c.depth, c.width)
			s.Start, s.Miss = c.start, c.miss
			want, got := c.others, Encode(m, &s)
			if m.streamsLines() {
				want = c.intel
			}
			assert.Equal(t, want, Plan{Strategy: got.Strategy, Stream: got.Stream, Tiles: got.Tiles, First: got.First}, "%+v, %+v", c, m)
		}
	}
	m, neon := intel(), machine(tier.NEONPath)
	assert.True(t, m.blendsRows(blendBytes/4, 4, m.LLC/2, false))
	assert.False(t, m.blendsRows(StreamRow+1, 1, m.LLC/2, true))
	s := rowShape(neon.LLC/256, 64, 4)
	s.Miss = true
	assert.Equal(t, Rows, Encode(neon, &s).Strategy, "a path without non-temporal stores")
}
