package onehot

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/pathtest"
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

// The definition of onehot_generic.go against the calls, on the path that the
// process has: what the kernels leave to it, and what the routes in Go do
// instead of it, is the same.
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

// definedRows is the calls that write rows.
func definedRows(t *testing.T, indices []int8, s Spec[uint16], l *layout, miss uint16, same func(definition, call func([]uint16) int), count func(int, error) int) {
	columns, depths := [][]int8{indices, indices}, []int{s.Depth / 2, s.Depth - s.Depth/2}
	same(func(dst []uint16) int {
		return columnsGeneric(dst, columns, 0, depths, s.On, s.Off, miss, l, s.Negative)
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

// definedBits is bitmaps, there and back.
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
