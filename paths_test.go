package onehot

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

func TestMain(m *testing.M) { os.Exit(pathtest.Main(m)) }

func TestPaths(t *testing.T) {
	paths := pathtest.Names()
	require.NotEmpty(t, paths)
	assert.Equal(t, "generic", paths[len(paths)-1], "every machine has the generic path, and it is the last resort")
	assert.Equal(t, paths[0], Path(), "a process uses the best path it has")
	for _, path := range paths {
		assert.Contains(t, []string{"avx512", "avx2", "neon", "generic"}, path)
	}
	var seen []string
	pathtest.Each(t, func(t *testing.T) { seen = append(seen, Path()) })
	assert.Equal(t, paths, seen)
	assert.Equal(t, paths[0], Path(), "the path is put back")
}

// Every route has kernels prefetch an output of half of the first-level cache
// or more, with AVX-512 on Intel's processors.
func TestPrefetchesOutput(t *testing.T) {
	defer func(was bool, l1 int) { tier.Intel, tier.L1 = was, l1 }(tier.Intel, tier.L1)
	const n, depth = 1024, 8
	dst, indices := make([]byte, n*depth), make([]uint8, n*8)
	in, out := inputOf(indices[:n]), unsafe.Pointer(unsafe.SliceData(dst))
	routes := map[string]func(v *values){
		"rows at once":   func(v *values) { rowsAtOnce(Uint8, out, in.ptr, n, depth, 1, 0, false, v) },
		"planes at once": func(v *values) { planesAtOnce(Uint8, out, in.ptr, n, depth, 1, 0, false, v) },
		"small rows":     func(v *values) { in.small(out, depth, 1, 0, 0, false, v) },
		"small planes":   func(v *values) { in.small(out, depth, 1, 0, n, false, v) },
		"small blocks":   func(v *values) { in.blendBlocks(out, n/4, depth, 1, n/4*depth, 0, true, false, v) },
		"a job": func(v *values) {
			var j job
			require.NoError(t, prepare(&j, &Spec[uint8]{Depth: depth, On: 1}, spanOf(dst), "indices", in.span()))
			j.dst, j.in = out, in
			j.run()
			v.ahead = j.ahead
		},
		"a table": func(v *values) {
			j := setsJob(t, dst, depth)
			columns := [][]uint8{indices, indices}
			table := tableColumns{(*[]byte)(unsafe.Pointer(&columns[0])), Uint8, []int{depth / 2, depth / 2}, Ignore}
			j.columnSets(&table, &plan.Plan{Strategy: plan.Sets, Block: 128})
			v.ahead = j.ahead
		},
		"sets": func(v *values) {
			j := setsJob(t, dst, depth)
			j.in = inputOf(indices)
			j.multiHotSets(8, &plan.Plan{Strategy: plan.Sets, Block: 64})
			v.ahead = j.ahead
		},
		"bits": func(v *values) {
			words := make([]uint64, n*depth/wordBits)
			e := expander{dst: out, bits: unsafe.Pointer(&words[0]), n: n, width: 1}
			e.planes(depth)
			v.ahead = e.ahead
		},
	}
	pathtest.Each(t, func(t *testing.T) {
		for name, route := range routes {
			if tier.Active() == tier.NEONPath || tier.Active() == tier.GenericPath {
				continue // the first routes are for kernels of amd64
			}
			for _, intel := range []bool{false, true} {
				for _, l1 := range []int{2 * len(dst), 2*len(dst) + 2} {
					tier.Intel, tier.L1 = intel, l1
					v := values{on: element{lo: 1}}
					route(&v)
					assert.Equal(t, intel && l1 == 2*len(dst) && tier.AVX512, v.ahead, name)
					j := setsJob(t, dst, depth)
					j.prefetches(&plan.Plan{Stream: true})
					assert.False(t, j.ahead, "non-temporal stores")
				}
			}
		}
	})
}

// setsJob returns a job of rows of cells of one byte that fill dst.
func setsJob(t *testing.T, dst []byte, depth int) (j job) {
	s := Spec[uint8]{Depth: depth, On: 1}
	require.NoError(t, s.layout(&j.layout, len(dst)/depth))
	setValues(&j, &s)
	j.dst = unsafe.Pointer(unsafe.SliceData(dst))
	return j
}

// The calls, on the path that the process has, write the same as the definition
// in onehot_generic.go.
func TestDefinitionIsWhatCallsWrite(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 400 {
		depth, inner, outer := 1+r.IntN(40), 1+r.IntN(70)*(round%2), 1+r.IntN(30)
		s := Spec[uint16]{Depth: depth, On: 1, Off: 2, Inner: inner, Negative: Negative(round / 2 % 2)}
		s.Plane = inner + r.IntN(3)*(round/4%2)
		s.Stride = depth*s.Plane + r.IntN(3)
		miss := uint16(3)
		if round/8%2 == 1 {
			s.Miss = &miss
		} else {
			miss = s.Off
		}
		prev, next := make([]int8, outer*inner), make([]int8, outer*inner)
		for k := range next {
			prev[k], next[k] = int8(r.IntN(depth+4)-2), int8(r.IntN(depth+4)-2)
		}
		var l layout
		require.NoError(t, s.layout(&l, len(next)))
		wrap := s.Negative.wrap(depth)
		blank := slices.Repeat([]uint16{9}, l.need)
		same := func(definition, call func(dst []uint16) int) {
			t.Helper()
			want, got := slices.Clone(blank), slices.Clone(blank)
			require.Equal(t, definition(want), call(got), "%+v", s)
			require.Equal(t, want, got, "%+v", s)
		}
		count := func(misses int, err error) int {
			require.NoError(t, err)
			return misses
		}

		encoded := func(dst []uint16) int { return encodeGeneric(dst, prev, s.On, s.Off, miss, &l, wrap) }
		same(encoded, func(dst []uint16) int { return count(Encode(dst, prev, s)) })
		same(func(dst []uint16) int {
			encoded(dst)
			return updateGeneric(dst, prev, next, s.On, s.Off, miss, &l, wrap)
		}, func(dst []uint16) int {
			encoded(dst)
			return count(Update(dst, prev, next, s))
		})

		encoded(blank)
		classes, wantClasses := make([]uint8, len(prev)), make([]uint8, len(prev))
		invalid := decodeGeneric(wantClasses, blank, s.On, s.Off, &l)
		require.Equal(t, invalid, count(Decode(classes, blank, s)))
		require.Equal(t, wantClasses, classes)
		if inner == 1 && s.Plane == 1 {
			definedRows(t, prev, s, &l, miss, same, count)
		}
		definedBits(t, prev, depth, s.Negative)
	}
}

// definedRows compares the calls of rows, and Recode, with their definitions.
func definedRows(t *testing.T, indices []int8, s Spec[uint16], l *layout, miss uint16, same func(definition, call func([]uint16) int), count func(int, error) int) {
	columns, depths := [][]int8{indices, indices}, []int{s.Depth / 2, s.Depth - s.Depth/2}
	same(func(dst []uint16) int {
		return columnsGeneric(dst, columns, depths, s.On, s.Off, miss, l, s.Negative)
	},
		func(dst []uint16) int { return count(EncodeColumns(dst, columns, depths, s)) })
	if s.Miss == nil {
		pairs := slices.Concat(indices, indices)
		same(func(dst []uint16) int {
			return multiHotGeneric(dst, pairs, 2, s.On, s.Off, l, s.Negative.wrap(s.Depth))
		},
			func(dst []uint16) int { return count(MultiHot(dst, pairs, 2, s)) })
	}
	var valid Bitmap
	valid.Offset = len(indices) % 11
	for k := range valid.Offset + len(indices) {
		valid.Bits = append(valid.Bits, byte(k*29))
	}
	table := []uint8{3, 1, 255, 0, 7}
	want, got := make([]uint8, len(indices)), make([]uint8, len(indices))
	misses := recodeGeneric(want, indices, table, &valid)
	require.Equal(t, misses, count(Recode(got, indices, table, &valid)))
	require.Equal(t, want, got)
}

// definedBits compares EncodeBits and ExpandBits with their definitions.
func definedBits(t *testing.T, indices []int8, depth int, neg Negative) {
	var l layout
	n, words := len(indices), BitWords(len(indices))
	want, got := make([]uint64, depth*words), make([]uint64, depth*words)
	require.NoError(t, checkBitPlanes(&l, got, indices, depth, neg))
	misses, err := EncodeBits(got, indices, depth, neg)
	require.NoError(t, err)
	require.Equal(t, bitsGeneric(want, indices, &l, neg.wrap(depth)), misses)
	require.Equal(t, want, got)
	cells, wantCells := make([]float32, depth*n), make([]float32, depth*n)
	expandBitsGeneric(wantCells, want, n, 1, -1)
	require.NoError(t, ExpandBits(cells, got, n, 1, -1))
	require.Equal(t, wantCells, cells)
}

// The class that a loop reads from the bits of an index, and that a kernel of
// Update relies on, is that of the definition; what they do not take is looked
// at again.
func TestClassesByBits(t *testing.T) {
	t.Run("int8", testClassesByBits[int8])
	t.Run("int16", testClassesByBits[int16])
	t.Run("int32", testClassesByBits[int32])
	t.Run("int64", testClassesByBits[int64])
	t.Run("uint8", testClassesByBits[uint8])
	t.Run("uint16", testClassesByBits[uint16])
	t.Run("uint32", testClassesByBits[uint32])
	t.Run("uint64", testClassesByBits[uint64])
	t.Run("float32", testClassesByBits[float32])
	t.Run("float64", testClassesByBits[float64])
}

func testClassesByBits[I Index](t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for shift := range 31 {
		power := 1 << shift
		for _, depth := range []int{power, max(power-1, 1), power + r.IntN(power), math.MaxInt32} {
			for k := range 7 { // round both ends of the classes
				for _, end := range []float64{0, float64(depth)} {
					around := valueOf[I](element{lo: elementOf(I(end)).lo + uint64(k) - 3})
					requireClassByBits(t, around, depth)
					requireClassByBits(t, I(end+float64(k)/2), depth)
				}
				requireClassByBits(t, valueOf[I](element{lo: r.Uint64() >> r.IntN(64)}), depth)
				requireClassByBits(t, valueOf[I](element{lo: math.MaxUint64 << r.IntN(64)}), depth)
			}
		}
	}
	if shift := 32; bits.UintSize == 64 { // a class of 2^31 or more
		index := uint64(3) << 30
		requireClassByBits(t, I(index), 1<<shift)
	}
	require.True(t, mayMove[I](10, 10) || I(0)-1 > 0, "negative classes that wrap")
}

func requireClassByBits[I Index](t *testing.T, x I, depth int) {
	t.Helper()
	class, ok := classOf(x, depth, 0)
	if bits := bitsOf(x); bits < limitOf[I](depth) {
		require.True(t, ok && int64(intOf(x, bits)) == class, "%v of %d classes", x, depth)
	} else if one := I(1); !mayMove[I](depth, 0) {
		require.False(t, ok, "%v of %d classes may move", x, depth)
	} else if uint64(depth) <= 1<<31 && (one/2 == 0 || !math.Signbit(float64(x)) && float64(I(depth)) >= float64(depth)) { // floats above -1 have a class, too, and so has a depth that was rounded down
		require.False(t, ok, "%v of %d classes has to be looked at", x, depth)
	}
	if elementOf(x).lo < changeLimit[I](depth) {
		require.True(t, ok, "%v of %d classes", x, depth)
	}
}
