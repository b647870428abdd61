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
// would not reach non-temporal stores, and on AMD's cores up to Zen 4, which
// would write fewer rows of misses again, nor those of Intel's other cores.
// TestSkylakeServer, TestZen and TestIntel have those.
func TestMain(m *testing.M) {
	tier.SkylakeServer, tier.Zen1To4, tier.Intel = false, false, false
	os.Exit(pathtest.Main(m))
}

func TestPath(t *testing.T) {
	var seen []string
	pathtest.Each(t, func(t *testing.T) { seen = append(seen, onehot.Path()) })
	assert.Equal(t, pathtest.Names(), seen, "Path names the path that is forced")
}
