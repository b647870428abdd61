package workloads

import (
	"encoding/binary"
	"unsafe"
)

// fillOnes fills b with ones, by non-temporal stores where the platform has
// them. Beyond the last-level cache this is as fast as memory takes lines that
// are not all zero, except on Skylake's servers, where ordinary stores are up
// to 1.3 times as fast. It calls no kernel of the library, so that the limit
// does not depend on the code that is measured beside it.
func fillOnes(b []byte) {
	const (
		line = 64
		most = 256 << 10 // of one call, inside of which a goroutine cannot be stopped
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

// fillWords is fillOnes in Go.
func fillWords(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, 0x0101010101010101)
	}
	for i := range b {
		b[i] = 1
	}
}
