// Package size has the arithmetic of sizes that are given from outside and may
// be too large.
package size

import (
	"math"
	"math/bits"
)

// MaxBytes is more bytes than any slice can have. On 64-bit machines it is what
// amd64 leaves a process to address: a size between that and the runtime's own
// limit is attempted by make, and the process dies of it.
const MaxBytes = min(math.MaxInt, 1<<47)

// Product multiplies two numbers that are not negative and reports whether the
// result fits an int.
func Product(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && int(lo) >= 0
}
