package conformance

import (
	"testing"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// TestEncodeBitsBorders covers the ends of words, of blocks of indices, of what
// a byte lane tells apart, and of the depth that is compared.
func TestEncodeBitsBorders(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{511, 512, 575, 576, 577, 2047, 2048, 2112, 8191, 8192, 8255, 8256, 8257, 20000} {
			checkBits(t, mixed[uint8](4, n, 19), 19, onehot.Ignore, 0)
			checkBits(t, mixed[int64](4, n, 300), 300, onehot.Normalize, 1)
		}
		for _, depth := range []int{254, 255, 256, 257, 510, 511, 1023, 1024, 1025} {
			checkBits(t, mixed[uint8](5, 200, depth), depth, onehot.Ignore, 0)
			checkBits(t, mixed[int16](5, 200, depth), depth, onehot.Normalize, 0)
			checkBits(t, mixed[float32](5, 200, depth), depth, onehot.Normalize, 0)
		}
	})
}

// TestEncodeBitsStreamed is large enough to go past the caches.
func TestEncodeBitsStreamed(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	pathtest.Each(t, func(t *testing.T) { checkBits(t, mixed[uint16](5, 1<<19+77, 300), 300, onehot.Ignore, 1) })
}
