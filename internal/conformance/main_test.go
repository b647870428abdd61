package conformance

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// The plans are those of other processors even on Skylake's servers, which
// would not reach non-temporal stores, and up to Zen 4, which would not write
// rows of misses again. TestSkylakeServer has those of Skylake's servers.
func TestMain(m *testing.M) {
	tier.SkylakeServer, tier.Zen1To4 = false, false
	os.Exit(pathtest.Main(m))
}

func TestPath(t *testing.T) {
	var seen []string
	pathtest.Each(t, func(t *testing.T) { seen = append(seen, onehot.Path()) })
	assert.Equal(t, pathtest.Names(), seen, "Path names the path that is forced")
}
