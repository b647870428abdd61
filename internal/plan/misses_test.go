package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

// The misses of deep planes are counted where it may pay to store them.
func TestCountsMisses(t *testing.T) {
	m := skylake()
	counts := func(path tier.Path, change func(*Shape)) bool {
		m.Path = path
		s := planeShape(m.repeatsFar(Classes*storeWidth)/Classes/storeWidth+1, Classes, storeWidth)
		s.Miss = true
		change(&s)
		return s.scatter(m, s.bytes(), 1, leastTile).Counts
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

// The misses of planes that the first-level cache holds are counted if planes
// without a Miss would be scattered to.
func TestSmallCountsMisses(t *testing.T) {
	eachHere(t, func(t *testing.T, path tier.Path) {
		if path == tier.GenericPath {
			assert.True(t, SmallCountsMisses(64, missPlanes+1, 1, false))
			assert.False(t, SmallCountsMisses(64, missPlanes, 1, false))
			assert.False(t, SmallCountsMisses(tier.L1/32+1, 32, 1, false))
			return
		}
		vectors, most := path != tier.NEONPath, tier.L1/64
		if tier.Zen1To4 && path == tier.AVX2Path { // then also where planes with a Miss are compared
			assert.False(t, SmallCountsMisses(100, 145, 1, false))
			assert.True(t, SmallCountsMisses(100, 146, 1, false))
			return
		}
		assert.Equal(t, vectors, SmallCountsMisses(64, min(most, Classes), 1, false))
		assert.False(t, SmallCountsMisses(64, most+1, 1, false))
		assert.False(t, SmallCountsMisses(64, Classes+1, 1, false), "no byte tells them apart")
		assert.Equal(t, vectors, SmallCountsMisses(tier.L1/4/100+1, 100, 1, false))
		assert.False(t, SmallCountsMisses(tier.L1/4/100, 100, 1, false))
		assert.False(t, SmallCountsMisses(2048, 4, 4, false), "compared without a Miss")
		n := tier.L1/2/(columnNear+4) + 1
		assert.Equal(t, tier.SkylakeServer && path == tier.AVX2Path, SmallCountsMisses(n, columnNear/4+1, 4, false))
		assert.False(t, SmallCountsMisses(n-1, columnNear/4+1, 4, false) || SmallCountsMisses(n, columnNear/4, 4, false))
		assert.True(t, SmallCountsMisses(64, missPlanes+1, 16, true) && !SmallCountsMisses(64, missPlanes, 16, true), "strings")
	})
	assert.True(t, SmallStoresMisses(10, 400, 1) && SmallStoresMisses(20, 400, 2) && SmallStoresMisses(40, 400, 4) && SmallStoresMisses(40, 400, 16))
	assert.False(t, SmallStoresMisses(11, 400, 1) || SmallStoresMisses(21, 400, 2) || SmallStoresMisses(41, 400, 4) || SmallStoresMisses(41, 400, 16))
}
