//go:build !race

package onehot

import "unsafe"

func raceRange(p unsafe.Pointer, n int, write bool) {}
