//go:build !purego

package onehot

import (
	"bytes"
	"unsafe"

	"github.com/go-onehot/onehot/internal/tier"
)

var ones = bytes.Repeat([]byte{1}, scratchBytes)

// fillOnes is the best fill of lines that are not all zero, beyond the
// last-level cache.
func fillOnes(b []byte) {
	for len(b) > 0 {
		n := min(len(b), len(ones))
		if tier.AVX2 {
			streamBytes(unsafe.Pointer(&b[0]), ones[:n])
		} else {
			copy(b, ones[:n])
		}
		b = b[n:]
	}
}
