package size_test

import (
	"math"
	"testing"

	"github.com/go-onehot/onehot/internal/size"
	"github.com/stretchr/testify/require"
)

func TestProduct(t *testing.T) {
	const half = math.MaxInt/2 + 1
	for _, c := range []struct {
		a, b, want int
		ok         bool
	}{
		{0, 0, 0, true},
		{0, math.MaxInt, 0, true},
		{1, math.MaxInt, math.MaxInt, true},
		{3, 5, 15, true},
		{half, 1, half, true},
		{half, 2, 0, false},                  // the sign bit
		{half, 4, 0, false},                  // wraps to 0
		{math.MaxInt, math.MaxInt, 0, false}, // wraps to 1
	} {
		for _, ab := range [][2]int{{c.a, c.b}, {c.b, c.a}} {
			got, ok := size.Product(ab[0], ab[1])
			require.Equal(t, c.ok, ok, "%d", ab)
			if ok {
				require.Equal(t, c.want, got, "%d", ab)
			}
		}
	}
}
