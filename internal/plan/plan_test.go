package plan

import (
	"fmt"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/tier"
)

var allPaths = []tier.Path{tier.GenericPath, tier.NEONPath, tier.AVX2Path, tier.AVX512Path}

// machine returns a machine with the caches of a processor that names none.
func machine(p tier.Path) Machine {
	return Machine{Path: p, L1: 32 << 10, L2: 1 << 20, LLC: 32 << 20}
}

// skylake returns machine(tier.AVX2Path) with the cores of Skylake's servers.
func skylake() Machine {
	m := machine(tier.AVX2Path)
	m.SkylakeServer, m.Intel = true, true
	return m
}

// zen returns machine(tier.AVX2Path) with AMD's cores up to Zen 4.
func zen() Machine {
	m := machine(tier.AVX2Path)
	m.Zen1To4 = true
	return m
}

// intel returns machine(tier.AVX512Path) with Intel's cores.
func intel() Machine {
	m := machine(tier.AVX512Path)
	m.Intel = true
	return m
}

// allMachines returns one machine for each path, and skylake, zen and intel.
func allMachines() (all []Machine) {
	for _, path := range allPaths {
		all = append(all, machine(path))
	}
	return append(all, skylake(), zen(), intel())
}

// rowShape returns a shape of n rows, and planeShape one of planes of n cells.
func rowShape(n, depth, width int) Shape {
	return Shape{Outer: n, Depth: depth, Inner: 1, Plane: 1, Stride: depth, Width: width, Zero: true}
}

func planeShape(n, depth, width int) Shape {
	return Shape{Outer: 1, Depth: depth, Inner: n, Plane: n, Stride: depth * n, Width: width, Zero: true}
}

// with returns s as change leaves it.
func with(s Shape, change func(s *Shape)) Shape {
	change(&s)
	return s
}

func TestEncode(t *testing.T) {
	const n = 10_000
	for _, c := range []struct {
		name  string
		path  tier.Path
		shape Shape
		want  Strategy
	}{
		{"shallow rows", tier.AVX512Path, rowShape(n, 10, 4), Rows},
		{"the longest rows", tier.AVX2Path, rowShape(n/10, narrowBlend/4, 4), Rows},
		{"the longest rows beyond the second-level cache", tier.AVX512Path, rowShape(n, farBlend/4, 4), Rows},
		{"longer rows beyond the second-level cache", tier.AVX512Path, rowShape(n, farBlend/4+1, 4), Scatter},
		{"longer rows of AVX2", tier.AVX2Path, rowShape(n/10, narrowBlend/4+1, 4), Scatter},
		{"the deepest rows that the first-level cache holds", tier.AVX512Path, rowShape(n/10, 236, 1), Rows},
		{"deeper rows", tier.AVX512Path, rowShape(n/10, 237, 1), Scatter},
		{"the longest rows within the first-level cache", tier.AVX512Path, rowShape(100, nearBlend/4, 4), Rows},
		{"longer rows there", tier.AVX512Path, rowShape(100, nearBlend/4+1, 4), Scatter},
		{"longer rows there with a miss", tier.AVX512Path, with(rowShape(70, nearBlend/4+1, 4), func(s *Shape) { s.Miss = true }), Rows},
		{"the deepest rows with a miss by AVX2", tier.AVX2Path, with(rowShape(n/10, byteMiss, 1), func(s *Shape) { s.Miss = true }), Rows},
		{"deeper rows with a miss by AVX2", tier.AVX2Path, with(rowShape(n/10, byteMiss+1, 1), func(s *Shape) { s.Miss = true }), Scatter},
		{"deeper rows", tier.AVX512Path, rowShape(n/10, MaxDepth+1, 1), Scatter},
		{"rows of more bytes", tier.AVX2Path, rowShape(n/10, narrowBlend/8+1, 8), Scatter},
		{"rows of one cell", tier.AVX512Path, rowShape(n, 1, 4), Scatter},
		{"few rows", tier.AVX512Path, rowShape(Least-1, 10, 4), Scatter},
		{"rows with gaps", tier.AVX512Path, with(rowShape(n, 10, 4), func(s *Shape) { s.Stride = 11 }), Scatter},
		{"rows with a miss", tier.NEONPath, with(rowShape(n, 10, 4), func(s *Shape) { s.Miss = true }), Rows},
		{"no kernels", tier.GenericPath, rowShape(n, 10, 4), Scatter},
		{"strings", tier.AVX512Path, with(rowShape(n, 10, 16), func(s *Shape) { s.String = true }), Scatter},
		{"planes", tier.NEONPath, planeShape(n, 10, 4), Planes},
		{"short planes", tier.NEONPath, planeShape(Least-1, 10, 4), Scatter},
		{"planes with gaps", tier.AVX2Path, with(planeShape(n, 10, 4), func(s *Shape) { s.Plane++; s.Stride += 10 }), Planes},
		{"many planes", tier.AVX2Path, planeShape(n, 250, 1), Scatter},
		{"many large planes", tier.AVX2Path, planeShape(1<<20, 250, 1), Planes},
		{"many large planes, no non-temporal stores", tier.NEONPath, planeShape(1<<20, 250, 1), Scatter},
		{"a miss in many planes", tier.AVX512Path, with(planeShape(n/10, 100, 2), func(s *Shape) { s.Miss = true }), Planes},
		{"a miss in many planes of bytes", tier.AVX512Path, with(planeShape(n/10, 100, 1), func(s *Shape) { s.Miss = true }), Planes},
		{"a miss in many planes of AVX2", tier.AVX2Path, with(planeShape(n/10, 100, 2), func(s *Shape) { s.Miss = true }), Planes},
		{"a miss in more planes", tier.AVX512Path, with(planeShape(n/10, 250, 2), func(s *Shape) { s.Miss = true }), Scatter},
		{"a miss in many large planes", tier.AVX512Path, with(planeShape(1<<18, 250, 2), func(s *Shape) { s.Miss = true }), Planes},
		{"text in more classes than a byte counts", tier.AVX512Path, with(planeShape(n, 256, 1), func(s *Shape) { s.Text = true }), Scatter},
		{"many crowded planes", tier.AVX2Path, planeShape(4096, 500, 1), Planes},
		{"as many that are not", tier.AVX2Path, planeShape(4096+64, 500, 1), Scatter},
		{"crowded planes where that was not raced", tier.NEONPath, planeShape(4096, 500, 1), Scatter},
		{"planes beyond the second-level cache", tier.AVX512Path, planeShape(n, 90, 4), Planes},
		{"more planes there", tier.AVX512Path, planeShape(n, 250, 4), Scatter},
		{"no cell", tier.AVX512Path, rowShape(n, 0, 4), Scatter},
	} {
		assert.Equal(t, c.want, Encode(machine(c.path), &c.shape).Strategy, c.name)
	}
}

// With AVX-512 a larger first-level cache holds longer rows, up to what kernels
// take. Beyond the second-level cache the limits are different.
func TestRowsByCache(t *testing.T) {
	deepest := func(m Machine, width, bytes int) (depth int) {
		for depth = MaxDepth + 1; !blendsRows(m, depth, width, bytes, false); depth-- {
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
		assert.True(t, blendsRows(m, 2, longest/2, bytes, false) && !blendsRows(m, 2, longest/2+1, bytes, false), "%d bytes", bytes)
	}
	assert.True(t, blendsRows(m, rowMiss, 1, m.L1, true))
	assert.False(t, blendsRows(m, rowMiss+1, 1, m.L1, true))
	compared := func(column, inner, plane, bytes int, hasMiss bool) bool {
		return compares(m, column/4, inner, plane, 4, bytes, hasMiss)
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

// With AVX2, Intel's cores compare fewer planes that start within vectors.
func TestSkews(t *testing.T) {
	deepest := func(m Machine, inner, bytes int, hasMiss bool) (depth int) {
		for depth < Classes && compares(m, depth+1, inner, inner, 4, bytes, hasMiss) {
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
		for _, m := range []Machine{wide, other, skylake()} {
			assert.Greater(t, 10*deepest(m, 1087, bytes, false), 9*deepest(m, 1088, bytes, false), "%d bytes, %+v", bytes, m)
		}
		assert.Greater(t, 10*deepest(m, 1087, bytes, true), 9*deepest(m, 1088, bytes, true), "a Miss")
	}
	assert.Greater(t, 10*deepest(m, 1087, least, false), 9*deepest(m, 1088, least, false))
}

// The misses of deep planes are counted where it may pay to store them.
func TestCountsMisses(t *testing.T) {
	m := skylake()
	counts := func(path tier.Path, change func(*Shape)) bool {
		m.Path = path
		s := planeShape(m.repeatsFar(Classes*storeWidth)/Classes/storeWidth+1, Classes, storeWidth)
		s.Miss = true
		change(&s)
		return scatter(m, &s, s.bytes(), 1, leastTile).Counts
	}
	assert.True(t, counts(tier.AVX2Path, func(s *Shape) { s.Text = true }))
	assert.True(t, counts(tier.AVX2Path, func(s *Shape) { s.Depth++ }))
	dense := func(s *Shape) { s.Depth, s.Inner, s.Plane = denseRow/storeWidth, m.L2/denseRow, m.L2/denseRow }
	assert.True(t, counts(tier.AVX2Path, dense))
	assert.False(t, counts(tier.AVX2Path, func(s *Shape) { dense(s); s.Depth++ }), "not dense")
	for _, path := range []tier.Path{tier.AVX512Path, tier.NEONPath, tier.GenericPath} {
		assert.False(t, counts(path, func(*Shape) {}), "path %s", path)
	}
	for what, change := range map[string]func(*Shape){
		"no Miss": func(s *Shape) { s.Miss = false }, "text": func(s *Shape) { s.Depth, s.Text = s.Depth+1, true }, "strings": func(s *Shape) { s.String = true },
		"narrow cells": func(s *Shape) { s.Width, s.Depth = s.Width/4, s.Depth*4 }, "second-level cache": func(s *Shape) { s.Depth-- },
		"last-level cache": func(s *Shape) { s.Outer = m.LLC/2/s.bytes() + 1 },
		"few columns":      func(s *Shape) { s.Inner, s.Plane, s.Depth = Least-1, Least-1, 1<<16 },
	} {
		assert.False(t, counts(tier.AVX2Path, change), what)
	}
	assert.True(t, StoresMisses(4, storeOften, 4))
	assert.False(t, StoresMisses(5, storeOften, 4))
	assert.True(t, StoresMisses(0, 64, 4))
}

// Few indices are compared by a loop.
func TestUpdate(t *testing.T) {
	for _, m := range allMachines() {
		assert.Equal(t, m.Path != tier.GenericPath, Update(m.Path, UpdateLeast, 10).Strategy == Compare, "%+v", m)
		assert.Equal(t, Plan{}, Update(m.Path, UpdateLeast-1, 10), "%+v", m)
	}
}

func TestToLine(t *testing.T) {
	for _, c := range []struct {
		start, row, rows int
		lines            bool
	}{
		{0, 10, 0, true},
		{8, 8, 71, true},
		{4, 8, 0, false},
		{24, 40, 65, true},
		{1, 3, 85, true},
		{63, 1, 65, true},
		{32, 64, 0, false},
	} {
		rows, lines := ToLine(c.start, c.row)
		assert.Equal(t, c.rows, rows, "start %d, row %d", c.start, c.row)
		assert.Equal(t, c.lines, lines, "start %d, row %d", c.start, c.row)
	}
}

// A short block comes first if the row after it then starts a cache line. It
// is shorter than AlignRows.
func TestFirstBlock(t *testing.T) {
	for _, c := range []struct {
		n, start int
		want     Plan
	}{
		{10_000, 0, Plan{Strategy: Rows, Block: LargeBlock}},
		{10_000, 8, Plan{Strategy: Rows, Block: LargeBlock, First: 67}},
		{10_000, 4, Plan{Strategy: Rows, Block: LargeBlock}},
		{1000, 8, Plan{Strategy: Rows, Block: MediumBlock}},
		{1_000_000, 0, Plan{Strategy: Rows, Stream: true, Block: LargeBlock}},
		{1_000_000, 8, Plan{Strategy: Rows, Stream: true, Block: LargeBlock, First: 67}},
		{1_000_000, 4, Plan{Strategy: Rows, Stream: true, Tiles: true, Block: 384}},
	} {
		s := rowShape(c.n, 10, 4)
		s.Start = c.start
		assert.Equal(t, c.want, Encode(machine(tier.AVX512Path), &s), "%d rows from %d on", c.n, c.start)
	}
	assert.Less(t, (2*Least-1)*blendBytes, AlignRows)
}

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
	for _, m := range []Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
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

// Fills are streamed from where rows are if Off is zero, others later.
func TestStreamFills(t *testing.T) {
	for _, m := range []Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
		for _, zero := range []bool{false, true} {
			from := m.LLC * 3 / 4
			if zero {
				from = m.LLC * 9 / 16
			}
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

// Bit planes that share a few sets are compared where these have few lines.
func TestCrowdedBits(t *testing.T) {
	small := machine(tier.AVX2Path)
	large := small
	large.L1 += large.L1 / 2
	assert.Equal(t, BitPlanes, Bits(small, 8192*1025, bitsLarge).Strategy, "large bit planes")
	for _, m := range []Machine{intel(), machine(tier.AVX512Path)} {
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

// Every path reaches the strategies that it has kernels for.
func TestEveryStrategyIsReached(t *testing.T) {
	all := []Strategy{Scatter, Rows, Planes, BitPlanes, Sets, Hits, Compare}
	require.Len(t, all, Strategies)
	for _, m := range allMachines() {
		path, want := m.Path, all
		if path == tier.GenericPath {
			want = []Strategy{Scatter}
		}
		strategies, fills, streamed := map[Strategy]bool{}, map[Filler]bool{}, map[Strategy]bool{}
		everyPlan(m, func(_ string, p Plan, _ Shape) {
			strategies[p.Strategy] = true
			if p.Strategy == Scatter {
				fills[p.Fill] = true
			}
			if p.Stream {
				streamed[p.Strategy] = true
			}
		})
		for _, s := range all {
			assert.Equal(t, slices.Contains(want, s), strategies[s], "%s on path %s", s, path)
		}
		assert.Equal(t, path != tier.GenericPath, fills[FillVector], "vectors on path %s", path)
		assert.Equal(t, streams(m), fills[FillRepeat], "string stores on path %s", path)
		assert.True(t, fills[FillGo])
		for _, s := range []Strategy{Scatter, Rows, Planes, BitPlanes, Sets} {
			assert.Equal(t, streams(m) && !m.SkylakeServer, streamed[s], "%s by non-temporal stores on path %s", s, path)
		}
	}
}

var (
	testDepths = []int{1, 2, 3, 10, 33, 64, 65, 127, 128, 129, 255, 256, 1000, 4096, 70_000}
	testCounts = []int{1, 63, 64, 100, 192, 500, 5000, 100_000, 2_000_000}
)

// everyPlan makes plans of all kinds and shows each of them to see.
func everyPlan(m Machine, see func(call string, p Plan, s Shape)) {
	for _, n := range testCounts {
		for _, depth := range testDepths {
			see("Bits", Bits(m, n, depth), rowShape(n, depth, 1))
			for _, width := range []int{1, 2, 4, 8, 16} {
				for k := range 4 {
					rows, planes := rowShape(n, depth, width), planeShape(n, depth, width)
					rows.Zero, planes.Zero, rows.Miss, planes.Miss = k%2 == 0, k%2 == 0, k/2 == 1, k/2 == 1
					see("Encode", Encode(m, &rows), rows)
					see("Encode", Encode(m, &planes), planes)
					for _, inner := range []int{65, 257, 500, 515, 1030, 1279} { // blocks
						if planes := planeShape(inner, depth, width); inner < n {
							planes.Outer, planes.Zero, planes.Miss = n/inner, k%2 == 0, k/2 == 1
							see("Encode", Encode(m, &planes), planes)
						}
					}
					for _, stores := range []int{1, 8} {
						see("Columns", Columns(m, &rows, stores), rows)
						see("MultiHot", MultiHot(m, &rows, 4*stores), rows)
					}
					see("Update", Update(m.Path, rows.Outer*rows.Inner, rows.Depth), rows)
					see("Decode", Decode(m, &rows), rows)
					see("Decode", Decode(m, &planes), planes)
				}
			}
		}
	}
}

// Every block fits its buffers, and no call of a kernel covers too much.
func TestBlocksFit(t *testing.T) {
	for _, m := range allMachines() {
		everyPlan(m, func(call string, p Plan, s Shape) {
			what := fmt.Sprintf("%s by %+v: %+v of %+v", call, m, p, s)
			switch p.Strategy {
			case Rows:
				row := s.Depth * s.Width
				assert.True(t, p.Block >= Least && p.Block%Least == 0 && p.Block <= LargeBlock, what)
				assert.LessOrEqual(t, row, blendBytes, what)
				if p.Tiles { // a block, and the rows that it takes along
					assert.LessOrEqual(t, (p.Block+Least)*row, ScratchBytes+Least*StreamRow, what)
				} else {
					assert.LessOrEqual(t, (p.Block+Least-1)*row, CallBytes, what)
				}
			case Planes:
				if call == "Encode" {
					assert.True(t, p.Block >= Least && p.Block%Least == 0 && p.Block <= LargeBlock, what)
					assert.True(t, !p.Tiles || s.Inner <= p.Block && s.Inner*s.Width <= ScratchBytes, what)
					run := (p.Block + Least) * s.Width
					planes, blocks := PlanesOfCall(min(s.Depth, Classes), run)
					assert.True(t, planes > 0 && blocks > 0 && planes*blocks*run <= CallBytes, what)
				}
			case BitPlanes:
				assert.True(t, p.Block >= Least && p.Block%WordBits == 0 && p.Block <= BitsBlock, what)
				if p.Stream {
					assert.LessOrEqual(t, (p.Block+Least)/8, ScratchBytes, what) // of a plane
				}
			case Sets:
				assert.Positive(t, p.Block, what)
				if call == "Columns" {
					assert.LessOrEqual(t, (p.Block+Least)*words(s.Depth), SetWords, what)
					assert.True(t, Least <= p.Block && p.Block <= SetRows && p.Block%8 == 0, what)
				}
			case Compare:
				assert.Equal(t, UpdateBlock, p.Block, what)
			case Scatter:
				assert.LessOrEqual(t, p.Block*s.Depth*s.Width, m.L1, what)
				ends := call == "Encode" || p.Tiles && (call == "Columns" || call == "MultiHot")
				assert.False(t, p.Stream && !ends, "no other call ends a stream: %s", what)
			}
		})
	}
}

// A block of sets, with the rows that it takes along, fits its buffers in
// groups of eight rows, which is what the kernel reads and writes.
func TestSetsFit(t *testing.T) {
	for _, m := range []Machine{machine(tier.AVX2Path), zen(), machine(tier.AVX512Path), intel()} {
		most := setWords
		switch {
		case m == intel():
			most = aheadWords
		case m == machine(tier.AVX2Path):
			most = setWords / 2
		}
		for k := SetLeast; k <= SetMost; k++ {
			for words := 1; words <= 2*aheadWords; words++ {
				s := rowShape(10_000, words*WordBits, 1)
				p := MultiHot(m, &s, k)
				if p.Strategy != Sets {
					require.True(t, k < 12*words || words > most, "%d words of %d", words, k)
					continue
				}
				rows := (p.Block + (Least-1)/k + 7) &^ 7
				require.True(t, p.Block%8 == 0 && rows*k <= 8*SetMost && rows*words <= SmallSetWords, "%d words of %d: %+v", words, k, p)
			}
		}
	}
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

// A larger output still goes by non-temporal stores if a smaller one does, and
// rows deeper than scattered rows are scattered to as well.
func TestPlansAreMonotone(t *testing.T) {
	for _, m := range allMachines() {
		path := m.Path
		for _, width := range []int{1, 2, 4, 8, 16} {
			for _, shape := range []func(n, depth, width int) Shape{rowShape, planeShape} {
				for _, depth := range testDepths {
					streamed := false
					for n := Least; n > 0 && int64(n)*int64(depth)*int64(width) <= 1<<30; n *= 2 {
						s := shape(n, depth, width)
						p := Encode(m, &s)
						assert.False(t, streamed && !p.Stream, "path %s, %+v: more, and not by non-temporal stores", path, s)
						streamed = p.Stream
					}
				}
				deep := false
				for depth := 2; depth < 2000; depth++ {
					s := shape(500, depth, width)
					s.Whole = 512 << 10
					scattered := Encode(m, &s).Strategy == Scatter
					if s.bytes() > m.L2 { // where more planes are compared
						break
					}
					assert.False(t, deep && !scattered, "path %s, %+v: deeper, and not scattered", path, s)
					deep = scattered
				}
			}
		}
	}
}

// A plan depends only on its arguments, and changes none of them.
func TestPlansArePure(t *testing.T) {
	for _, path := range allPaths {
		m, s := machine(path), planeShape(1000, 10, 4)
		before := s
		first := Encode(m, &s)
		assert.Equal(t, first, Encode(m, &s))
		assert.Equal(t, before, s)
	}
}

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

// eachHere runs a test on each path of this machine, as a server of Skylake's,
// which has no AVX-512 path, as a Zen up to Zen 4, as another processor of
// Intel's and as one of nobody's.
func eachHere(t *testing.T, test func(t *testing.T, path tier.Path)) {
	path, server, zen, intel, l1 := tier.Active(), tier.SkylakeServer, tier.Zen1To4, tier.Intel, tier.L1
	defer func() {
		tier.Force(path)
		tier.SkylakeServer, tier.Zen1To4, tier.Intel, tier.L1 = server, zen, intel, l1
	}()
	tier.L1 = 32 << 10
	for _, path := range tier.Available() {
		for _, cores := range []string{"Skylake", "Zen", "Intel", "other"} {
			if path == tier.AVX512Path && cores == "Skylake" {
				continue
			}
			tier.Force(path)
			tier.SkylakeServer, tier.Zen1To4, tier.Intel = cores == "Skylake", cores == "Zen", cores == "Intel" || cores == "Skylake"
			t.Run(fmt.Sprintf("%s, %s", path, cores), func(t *testing.T) { test(t, path) })
		}
	}
}

// Where kernels prefetch beyond the first-level cache, more is blended: more
// tables and sets are made from bits, more planes compared, and longer rows
// blended.
func TestPlansThatPrefetch(t *testing.T) {
	ahead, plain := intel(), machine(tier.AVX512Path)
	deep := func(m Machine, rows int) [2]Strategy {
		table, set := rowShape(rows, 600, 1), rowShape(rows, 400, 1)
		return [2]Strategy{Columns(m, &table, 20).Strategy, MultiHot(m, &set, 16).Strategy}
	}
	assert.Equal(t, [2]Strategy{Sets, Sets}, deep(ahead, 1000))
	assert.Equal(t, [2]Strategy{Scatter, Scatter}, deep(plain, 1000))
	ahead.L1 = 600 * 1000
	assert.Equal(t, [2]Strategy{Scatter, Scatter}, deep(ahead, 1000), "an output that the first-level cache holds")

	planes := func(m Machine, inner int) Strategy {
		s := planeShape(inner, 128, 1)
		return Encode(m, &s).Strategy
	}
	ahead.L1 = plain.L1
	assert.Equal(t, Planes, planes(ahead, 1088))
	assert.Equal(t, Scatter, planes(plain, 1088))

	long := func(m Machine, bytes int) Strategy {
		s := rowShape(bytes/400, 100, 4)
		return Encode(m, &s).Strategy
	}
	assert.Equal(t, Rows, long(ahead, 2*ahead.L2))
	assert.Equal(t, Scatter, long(plain, 2*plain.L2))
	assert.Equal(t, Scatter, long(ahead, ahead.L1))

	ahead.LLC = 1000 * 400
	assert.Equal(t, [2]Strategy{Sets, Scatter}, deep(ahead, 1000), "tables by the rule for non-temporal stores, sets by that of other processors")
}

// On Intel's processors string stores fill outputs from a quarter of the
// first-level cache on, and kernels prefetch what they write from half on.
func TestStringStoresOnIntel(t *testing.T) {
	fills := func(m Machine, bytes int) (zero, other Filler) {
		s := rowShape(Least, bytes/Least, 1)
		zero = Encode(m, &s).Fill
		s.Zero = false
		return zero, Encode(m, &s).Fill
	}
	for _, m := range []Machine{intel(), machine(tier.AVX512Path)} {
		zero, other := fills(m, m.L1/4-Least)
		assert.Equal(t, [2]Filler{FillVector, FillVector}, [2]Filler{zero, other})
		beyond := [2]Filler{FillVector, FillVector}
		if m.Intel {
			beyond = [2]Filler{FillGo, FillRepeat}
		}
		zero, other = fills(m, m.L1/4)
		assert.Equal(t, beyond, [2]Filler{zero, other})
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

// A small call asks without a Machine, and gets the same answer.
func TestZeroesByKernel(t *testing.T) {
	eachHere(t, func(t *testing.T, _ tier.Path) {
		for _, bytes := range []int{SmallZero, SmallZero + 1, SmallClear, tier.L1/4 - 1, tier.L1/2 - 1, tier.L1 + 1, tier.L2 / 2, tier.L2/2 + 1} {
			if m := Here(); !RepeatsSmall(bytes, 0) {
				assert.Equal(t, bytes > SmallZero && (bytes < SmallClear || streams(m) && !clears(m, bytes)), ZeroesByKernel(bytes), bytes)
			}
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
	for _, m := range []Machine{machine(tier.AVX2Path), machine(tier.AVX512Path)} {
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

// Up to Zen 4 rows are blended to a length of their own.
func TestZenRows(t *testing.T) {
	longest := func(m Machine, bytes int, hasMiss bool) (row int) {
		for row = 8; blendsRows(m, (row+4)/4, 4, bytes, hasMiss); row += 4 {
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

// Up to Zen 4 sets of more words are written from bits.
func TestZenSets(t *testing.T) {
	strategy := func(m Machine, rows, words, k int) Strategy {
		s := rowShape(rows, words*WordBits, 1)
		return MultiHot(m, &s, k).Strategy
	}
	assert.Equal(t, Sets, strategy(zen(), 1001, setWords, 8))
	assert.Equal(t, Scatter, strategy(zen(), 1000, setWords, 8))
	assert.Equal(t, Scatter, strategy(zen(), 1001, setWords+1, 100))
	assert.Equal(t, Scatter, strategy(machine(tier.AVX2Path), 1001, setWords, 100))
	assert.Equal(t, Sets, strategy(machine(tier.AVX2Path), 1001, setWords/2, 100))
}

// With AVX2 and a bitmap Recode takes bytes from more indices on.
func TestRecodes(t *testing.T) {
	least := func(p tier.Path, entries, width int, hasNull bool) int {
		return sort.Search(1<<12, func(n int) bool { return Recodes(p, n, max(entries, 1), entries, width, hasNull) })
	}
	for _, p := range []tier.Path{tier.AVX512Path, tier.AVX2Path, tier.NEONPath} {
		narrow, wide := Least, Least
		if p == tier.AVX2Path {
			narrow, wide = recodeBytes*2/3, recodeWide*2/3
		}
		assert.Equal(t, Least, least(p, 0, 1, false), "%v", p)
		assert.Equal(t, narrow, least(p, 0, 1, true), "%v", p)
		assert.Equal(t, wide, least(p, 0, 4, true), "%v", p)
	}
	assert.Equal(t, recodeBytes+30, least(tier.AVX512Path, 60, 1, false))
	assert.Equal(t, recodeBytes+30*recodeSlower, least(tier.AVX2Path, 60, 1, false))
	assert.Equal(t, recodeWide+60, least(tier.AVX512Path, 60, 2, false))
	assert.False(t, Recodes(tier.GenericPath, 1<<20, 1, 0, 1, false))
	assert.False(t, Recodes(tier.AVX2Path, 1<<20, Classes+1, 0, 1, false))
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

// The misses of planes that the first-level cache holds are counted if planes
// without a Miss would be scattered to.
func TestCountsSmallMisses(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path == tier.GenericPath {
			assert.True(t, CountsMisses(64, missPlanes+1, 1, false))
			assert.False(t, CountsMisses(64, missPlanes, 1, false))
			assert.False(t, CountsMisses(tier.L1/32+1, 32, 1, false))
			return
		}
		vectors, most := path != tier.NEONPath, tier.L1/64
		if tier.Zen1To4 && path == tier.AVX2Path { // then also where planes with a Miss are compared
			assert.False(t, CountsMisses(100, 145, 1, false))
			assert.True(t, CountsMisses(100, 146, 1, false))
			return
		}
		assert.Equal(t, vectors, CountsMisses(64, min(most, Classes), 1, false))
		assert.False(t, CountsMisses(64, most+1, 1, false))
		assert.False(t, CountsMisses(64, Classes+1, 1, false), "no byte tells them apart")
		assert.Equal(t, vectors, CountsMisses(tier.L1/4/100+1, 100, 1, false))
		assert.False(t, CountsMisses(tier.L1/4/100, 100, 1, false))
		assert.False(t, CountsMisses(2048, 4, 4, false), "compared without a Miss")
		n := tier.L1/2/(columnNear+4) + 1
		assert.Equal(t, tier.SkylakeServer && path == tier.AVX2Path, CountsMisses(n, columnNear/4+1, 4, false))
		assert.False(t, CountsMisses(n-1, columnNear/4+1, 4, false) || CountsMisses(n, columnNear/4, 4, false))
		assert.True(t, CountsMisses(64, missPlanes+1, 16, true) && !CountsMisses(64, missPlanes, 16, true), "strings")
	})
	assert.True(t, FewMisses(10, 400, 1) && FewMisses(20, 400, 2) && FewMisses(40, 400, 4) && FewMisses(40, 400, 16))
	assert.False(t, FewMisses(11, 400, 1) || FewMisses(21, 400, 2) || FewMisses(41, 400, 4) || FewMisses(41, 400, 16))
}

// More planes are compared where short runs between gaps would be filled.
func TestGapsCost(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		m := Here()
		for n, depth := range map[int]int{70: 40, 300: 100} {
			const width = 4
			kernels := path != tier.GenericPath
			assert.Equal(t, ByLoop, SmallPlanes(n, n, depth, width, false))
			assert.False(t, PaddedPlanes(n, depth, n, width, false), "no gap")
			assert.Equal(t, kernels, PaddedPlanes(n, depth, n+1, width, false))
			assert.Equal(t, kernels, compares(m, depth, n, n+1, width, n*depth*width, false))
		}
		n := gapRun / 8
		assert.True(t, gapsCost(n, n+1, 8))
		assert.False(t, gapsCost(n+1, n+2, 8))
	})
}

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

func TestTake(t *testing.T) {
	for _, c := range [][4]int{{1000, 128, 64, 128}, {192, 128, 64, 128}, {191, 128, 64, 191}, {128, 128, 64, 128}, {64, 128, 64, 64}} {
		assert.Equal(t, c[3], Take(c[0], c[1], c[2]), "%v", c)
	}
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
							assert.True(t, blendsRows(m, depth, width, bytes, miss), "%d rows of %d cells of %d bytes, %+v", n, depth, width, m)
						}
						if bytes <= tier.LeastL1 && (!m.skylake() || l1 == tier.L1) { // Skylake's servers have one first-level cache
							compared := path != tier.GenericPath && depth >= 2 && depth <= Classes && compares(m, depth, n, n, width, bytes, miss)
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
