//go:build race

// Package race tells the race detector of memory that it cannot see touched:
// assembly and clear are not instrumented.
package race

import (
	"runtime"
	"unsafe"
)

// Range tells of n bytes that are about to be written, or read.
func Range(p unsafe.Pointer, n int, write bool) {
	switch {
	case n <= 0:
	case write:
		runtime.RaceWriteRange(p, n)
	default:
		runtime.RaceReadRange(p, n)
	}
}

// Runs is Range for runs of n bytes, apart bytes from one to the next.
func Runs(p unsafe.Pointer, apart, runs, n int, write bool) {
	for r := range runs {
		Range(unsafe.Add(p, r*apart), n, write)
	}
}
