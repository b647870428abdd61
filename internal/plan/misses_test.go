package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot/internal/tier"
)

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
		assert.True(t, SmallCountsMisses(64, missPlanes+1, 16, true) && !SmallCountsMisses(64, missPlanes, 16, true), "strings")
	})
	assert.True(t, StoresMisses(10, 400, 1) && StoresMisses(20, 400, 2) && StoresMisses(40, 400, 4) && StoresMisses(40, 400, 16))
	assert.False(t, StoresMisses(11, 400, 1) || StoresMisses(21, 400, 2) || StoresMisses(41, 400, 4) || StoresMisses(41, 400, 16))
}
