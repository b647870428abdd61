//go:build !race

package race

import "unsafe"

// Range does nothing.
func Range(p unsafe.Pointer, n int, write bool) {}

// Runs does nothing.
func Runs(p unsafe.Pointer, apart, runs, n int, write bool) {}
