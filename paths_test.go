package onehot_test

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
)

// ranPaths are the paths that eachPath has run a test body on.
var ranPaths = map[string]bool{}

// eachPath runs f once on every path of this machine, with that path forced, as
// a subtest of its own.
func eachPath(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, path := range onehot.Paths() {
		t.Run("path="+path, func(t *testing.T) {
			onehot.WithPath(path, func() {
				require.Equal(t, path, onehot.Path(), "the path was not forced")
				ranPaths[path] = true
				f(t)
			})
		})
	}
}

// fuzzPaths is eachPath for fuzz targets, which are too many for subtests.
func fuzzPaths(f func()) {
	for _, path := range onehot.Paths() {
		onehot.WithPath(path, f)
	}
}

// TestMain fails a run of all tests in which a path that
// ONEHOT_REQUIRE_PATHS=avx512,avx2,neon,generic names did not run: a skipped
// path would otherwise look like a passed one.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400) // thousands of small outputs: most of the time went into collecting them
	code := m.Run()
	if flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == "" {
		for _, path := range missingPaths(os.Getenv("ONEHOT_REQUIRE_PATHS")) {
			fmt.Fprintf(os.Stderr, "required path %q did not run; this machine ran %v\n", path, onehot.Paths())
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// missingPaths returns those of a comma separated list that did not run.
func missingPaths(required string) (missing []string) {
	for _, path := range strings.Split(required, ",") {
		if path = strings.TrimSpace(path); path != "" && !ranPaths[path] {
			missing = append(missing, path)
		}
	}
	return missing
}

func TestPaths(t *testing.T) {
	// go test remembers a result for the variables that tests have read, and for
	// no others: these two decide which paths run, and which have to.
	_, _ = os.Getenv("ONEHOT_REQUIRE_PATHS"), os.Getenv("GODEBUG")

	paths := onehot.Paths()
	require.NotEmpty(t, paths)
	assert.Equal(t, "generic", paths[len(paths)-1], "every machine has the generic path, and it is the last resort")
	assert.Equal(t, paths[0], onehot.Path(), "a process uses the best path it has")
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(paths))), len(paths), "a path is listed once")
	for _, path := range paths {
		assert.Contains(t, []string{"avx512", "avx2", "neon", "generic"}, path)
	}

	var seen []string
	eachPath(t, func(t *testing.T) { seen = append(seen, onehot.Path()) })
	assert.Equal(t, paths, seen)
	assert.Equal(t, paths[0], onehot.Path(), "the path is put back")
	assert.Empty(t, missingPaths(strings.Join(paths, ", ")))
	assert.Empty(t, missingPaths(""))
	assert.Equal(t, []string{"abacus"}, missingPaths("generic,abacus"))
}
