package workloads

import (
	"encoding/binary"
	"unsafe"
)

// fillOnes fills b with ones as fast as memory takes lines that are not all
// zero, beyond the last-level cache: by non-temporal stores where the platform
// has them. It calls none of the package's kernels, so that the limit does not
// depend on what is measured beside it.
func fillOnes(b []byte) {
	const (
		line = 64
		most = 256 << 10 // of a call, which no goroutine can be stopped inside of
	)
	head := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(b)))%line), len(b))
	fillWords(b[:head])
	for b = b[head:]; len(b) >= line; {
		n := min(len(b)&^(line-1), most)
		streamOnes(b[:n])
		b = b[n:]
	}
	fillWords(b)
}

// fillWords is fillOnes by Go.
func fillWords(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, 0x0101010101010101)
	}
	for i := range b {
		b[i] = 1
	}
}
