package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

// This file decides how Update finds the indices that changed.

const (
	// UpdateBlock is how many indices are compared at a time; Recode counts codes
	// that are none in blocks of as many, or fewer with a bitmap. Half costs 2%,
	// twice 4%. If more than one in UpdateMany of a block changed, a loop moves the
	// whole block. The first few indices of the next block are then compared alone:
	// if as many changed, the loop moves that block too. On a Zen 5 half of
	// UpdateMany costs 20 to 50%; twice costs 5%, and 300% where the processor
	// cannot guess which changed.
	UpdateBlock, UpdateMany = 1 << 10, 2

	// UpdateLeast is the fewest indices that are compared by a kernel. On a
	// Cascade Lake half costs 20% where one index in a hundred changes, 30% where
	// one in ten does and 40% where all do; twice costs 40%, 5% and -25%. It was
	// measured with AVX2 only.
	UpdateLeast = 160
)

// ComparesIndices reports whether vectors of indices are compared, for n
// indices of depth classes. Otherwise a loop compares them one by one.
func ComparesIndices(p tier.Path, n, depth int) bool {
	return p != tier.GenericPath && n >= UpdateLeast && depth <= math.MaxInt32
}
