//go:build race

package onehot

import (
	"runtime"
	"unsafe"
)

// raceRange tells the race detector of n bytes that are about to be written, or
// read: assembly and clear are invisible to it.
func raceRange(p unsafe.Pointer, n int, write bool) {
	switch {
	case n <= 0:
	case write:
		runtime.RaceWriteRange(p, n)
	default:
		runtime.RaceReadRange(p, n)
	}
}
