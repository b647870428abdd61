// Package pathtest runs test bodies on every path of this machine, and fails if
// a required path did not run.
package pathtest

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/go-onehot/onehot/internal/tier"
)

// ran has the paths on which a test body has run in this process.
var ran = map[string]bool{}

// Each runs f once on every path of this machine, with that path forced, as a
// subtest of its own.
func Each(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, p := range tier.Available() {
		t.Run("path="+p.String(), func(t *testing.T) { With(p, func() { f(t) }) })
	}
}

// All is Each for fuzz targets, whose inputs are too many for subtests.
func All(f func()) {
	for _, p := range tier.Available() {
		With(p, f)
	}
}

// With runs f with p forced.
func With(p tier.Path, f func()) {
	readVariables()
	ran[p.String()] = true
	defer tier.Force(tier.Force(p))
	f()
}

// Names returns the names of the paths of this machine, best first.
func Names() (names []string) {
	for _, p := range tier.Available() {
		names = append(names, p.String())
	}
	return names
}

// required is the environment variable that lists the paths that have to run.
const required = "ONEHOT_REQUIRE_PATHS"

// readVariables reads the environment variables that decide which paths run and
// which have to run. go test reuses a cached result unless a variable that the
// test has read is different.
func readVariables() { _, _ = os.Getenv(required), os.Getenv("GODEBUG") }

// Main runs the tests of a package, for its TestMain, and returns the exit
// code. A run of all tests fails if a path that ONEHOT_REQUIRE_PATHS lists, as
// in avx512,avx2,neon,generic, did not run: a skipped path would otherwise look
// like a passed one.
func Main(m *testing.M) (code int) {
	flag.Parse()
	debug.SetGCPercent(400) // collecting thousands of small outputs took most of the time
	code = m.Run()
	if flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == "" {
		for _, path := range Missing(os.Getenv(required)) {
			fmt.Fprintf(os.Stderr, "required path %q did not run; this machine has %v\n", path, Names())
			code = max(code, 1)
		}
	}
	return code
}

// Missing returns the paths of a comma-separated list that did not run.
func Missing(list string) (missing []string) {
	for _, path := range strings.Split(list, ",") {
		if path = strings.TrimSpace(path); path != "" && !ran[path] {
			missing = append(missing, path)
		}
	}
	return missing
}
