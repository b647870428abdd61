package plan

import (
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

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

// Wide codes can be looked up in fewer entries, and any in as many as a byte
// tells apart where looking up takes no longer in a long table.
func TestLookUpMost(t *testing.T) {
	last := Classes
	for _, width := range []int{1, 2, 4, 8} {
		most := LookUpMost(tier.AVX2Path, width)
		assert.True(t, 16 <= most && most < last, "%d", width)
		last = most
		for _, p := range []tier.Path{tier.AVX512Path, tier.NEONPath, tier.GenericPath} {
			assert.Equal(t, Classes, LookUpMost(p, width), "%v", p)
		}
	}
}

func TestCountsNone(t *testing.T) {
	assert.True(t, CountsNone(tier.NEONPath, Least))
	assert.False(t, CountsNone(tier.AVX2Path, Least-1))
	assert.False(t, CountsNone(tier.GenericPath, Least))
}
