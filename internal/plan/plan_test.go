package plan

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/tier"
)

var allPaths = []tier.Path{tier.GenericPath, tier.NEONPath, tier.AVX2Path, tier.AVX512Path}

// machine returns a machine with the caches of a processor that names none.
func machine(p tier.Path) *Machine {
	return &Machine{Path: p, L1: 32 << 10, L2: 1 << 20, LLC: 32 << 20}
}

// skylake returns machine(tier.AVX2Path) with the cores of Skylake's servers.
func skylake() *Machine {
	m := machine(tier.AVX2Path)
	m.SkylakeServer, m.Intel = true, true
	return m
}

// zen returns machine(tier.AVX2Path) with AMD's cores up to Zen 4.
func zen() *Machine {
	m := machine(tier.AVX2Path)
	m.Zen1To4 = true
	return m
}

// intel returns machine(tier.AVX512Path) with Intel's cores, whose first-level
// cache holds a block of the longest rows.
func intel() *Machine {
	m := machine(tier.AVX512Path)
	m.Intel, m.L1 = true, 48<<10
	return m
}

// allMachines returns one machine for each path, and skylake, zen and intel.
func allMachines() (all []*Machine) {
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

// Few indices are compared by a loop.
func TestComparesIndices(t *testing.T) {
	for _, m := range allMachines() {
		assert.Equal(t, m.Path != tier.GenericPath, ComparesIndices(m.Path, UpdateLeast, 10), "%+v", m)
		assert.False(t, ComparesIndices(m.Path, UpdateLeast-1, 10), "%+v", m)
		if deep := uint64(math.MaxInt32 + 1); deep <= math.MaxInt { // more than kernels tell apart
			assert.False(t, ComparesIndices(m.Path, UpdateLeast, int(deep)), "%+v", m)
		}
	}
}

// Every path reaches the strategies that it has kernels for.
func TestEveryStrategyIsReached(t *testing.T) {
	all := []Strategy{Scatter, Rows, Planes, BitPlanes, Sets, Hits}
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
		assert.Equal(t, m.streams(), fills[FillRepeat], "string stores on path %s", path)
		assert.True(t, fills[FillGo])
		for _, s := range []Strategy{Scatter, Rows, Planes, BitPlanes, Sets} {
			assert.Equal(t, m.streams() && !m.SkylakeServer, streamed[s], "%s by non-temporal stores on path %s", s, path)
		}
	}
}

var (
	testDepths = []int{1, 2, 3, 10, 33, 64, 65, 127, 128, 129, 255, 256, 1000, 4096, 70_000}
	testCounts = []int{1, 63, 64, 100, 192, 500, 5000, 100_000, 2_000_000}
)

// everyPlan makes plans of all kinds and shows each of them to see.
func everyPlan(m *Machine, see func(call string, p Plan, s Shape)) {
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
			case Scatter:
				assert.Zero(t, p.Block, what)
				ends := call == "Encode" || p.Tiles && (call == "Columns" || call == "MultiHot")
				assert.False(t, p.Stream && !ends, "no other call ends a stream: %s", what)
			}
		})
	}
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
