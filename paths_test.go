package onehot_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

func TestMain(m *testing.M) { os.Exit(pathtest.Main(m)) }

func TestPaths(t *testing.T) {
	paths := pathtest.Names()
	require.NotEmpty(t, paths)
	assert.Equal(t, "generic", paths[len(paths)-1], "every machine has the generic path, and it is the last resort")
	assert.Equal(t, paths[0], onehot.Path(), "a process uses the best path it has")
	for _, path := range paths {
		assert.Contains(t, []string{"avx512", "avx2", "neon", "generic"}, path)
	}
	var seen []string
	pathtest.Each(t, func(t *testing.T) { seen = append(seen, onehot.Path()) })
	assert.Equal(t, paths, seen)
	assert.Equal(t, paths[0], onehot.Path(), "the path is put back")
}
