package conformance

import (
	"errors"
	"slices"
	"testing"

	"github.com/go-onehot/onehot/internal/workloads"
)

func TestWorkloads(t *testing.T) {
	for _, w := range slices.Concat(workloads.All(), workloads.Small()) {
		t.Run(w.String(), func(t *testing.T) {
			if limit := testLimit(); w.Bytes > limit {
				t.Skipf("%d bytes of output are left to the benchmarks", w.Bytes)
			}
			j, err := w.Build()
			if errors.Is(err, workloads.ErrNoInput) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// testLimit keeps the tests small in short mode, as under an emulator or the
// race detector.
func testLimit() int {
	if testing.Short() {
		return 2 << 20
	}
	return 48 << 20
}
