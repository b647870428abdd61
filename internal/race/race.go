//go:build race

// Package race tells the race detector about memory accesses that it cannot
// see: assembly and clear are not instrumented.
package race

import (
	"runtime"
	"unsafe"
)

// Range reports that n bytes are about to be written, or read.
func Range(p unsafe.Pointer, n int, write bool) {
	switch {
	case n <= 0:
	case write:
		runtime.RaceWriteRange(p, n)
	default:
		runtime.RaceReadRange(p, n)
	}
}

// Runs is Range for runs of n bytes whose starts are apart bytes apart.
func Runs(p unsafe.Pointer, apart, runs, n int, write bool) {
	for r := range runs {
		Range(unsafe.Add(p, r*apart), n, write)
	}
}
