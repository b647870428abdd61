//go:build race && (amd64 || arm64) && !purego

package onehot

import (
	"runtime"
	"unsafe"
)

// Assembly is invisible to the race detector: these announce to it what a kernel
// is about to read and to write.

func raceRead(p unsafe.Pointer, n int)  { runtime.RaceReadRange(p, n) }
func raceWrite(p unsafe.Pointer, n int) { runtime.RaceWriteRange(p, n) }
