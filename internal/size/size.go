// Package size computes with sizes that come from outside and may be too large.
package size

import (
	"math"
	"math/bits"
)

// MaxBytes is more bytes than any slice can have. On 64-bit machines it is the
// address space that amd64 leaves a process: make attempts a size between
// MaxBytes and the runtime's own limit, and the process dies of it.
const MaxBytes = min(math.MaxInt, 1<<47)

// Product returns the product of two numbers that are not negative, and whether
// it fits an int.
func Product(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && int(lo) >= 0
}
