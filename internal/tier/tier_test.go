package tier

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestForce(t *testing.T) {
	was := Active()
	paths := Available()
	require.NotEmpty(t, paths)
	assert.Equal(t, was, paths[0], "a process uses the best path it has")
	assert.Equal(t, GenericPath, paths[len(paths)-1], "every machine has the generic path, and it is the last resort")
	before := was
	for _, p := range paths {
		assert.Equal(t, before, Force(p))
		assert.Equal(t, p, Active())
		assert.Equal(t, p >= AVX2Path, AVX2, "AVX-512 has all that AVX2 has")
		before = p
	}
	Force(was)
	assert.Equal(t, was, Active())
	assert.Equal(t, paths, Available(), "a forced path takes none away")
	for _, p := range []Path{NEONPath, AVX512Path} { // no machine has both
		if p > was || p == NEONPath && was != NEONPath {
			assert.PanicsWithValue(t, "tier: no path "+p.String()+" on this machine", func() { Force(p) })
		}
	}
}

func TestPathNames(t *testing.T) {
	for p, want := range map[Path]string{GenericPath: "generic", NEONPath: "neon", AVX2Path: "avx2", AVX512Path: "avx512"} {
		assert.Equal(t, want, p.String())
	}
}

func TestCachesOfThisMachine(t *testing.T) {
	assert.GreaterOrEqual(t, L1, 16<<10)
	assert.Less(t, L1, L2)
	assert.LessOrEqual(t, L2, LLC)
	t.Log(L1, L2, LLC)
}
