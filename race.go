//go:build race

package onehot

import (
	"runtime"
	"unsafe"
)

// Assembly and clear are invisible to the race detector: these announce to it
// what is about to be read and written.

func raceRead(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceReadRange(p, n)
	}
}

func raceWrite(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceWriteRange(p, n)
	}
}
