//go:build !purego

package onehot

import (
	"bytes"
	"unsafe"
)

// paths returns what the processor, and GODEBUG, leave.
func paths() []path {
	switch found {
	case avx512:
		return []path{avx512, avx2, generic}
	case avx2:
		return []path{avx2, generic}
	}
	return []path{generic}
}

// found is the path of the process before a test forced another.
var found = active()

// force makes p the path of the process and returns the one before it.
func force(p path) path {
	was := active()
	useAVX512, useAVX2 = p == avx512, p >= avx2
	return was
}

var ones = bytes.Repeat([]byte{1}, scratchBytes)

// fillOnes is the best fill of lines that are not all zero, beyond the
// last-level cache.
func fillOnes(b []byte) {
	for len(b) > 0 {
		n := min(len(b), len(ones))
		if useAVX2 {
			streamBytes(unsafe.Pointer(&b[0]), ones[:n])
		} else {
			copy(b, ones[:n])
		}
		b = b[n:]
	}
}
