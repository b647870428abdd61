// Package careful is what a careful Go user writes without this library: the loop that path=go stands for in the benchmarks.
package careful

import "github.com/go-onehot/onehot"

// Fill is clear where that will do.
func Fill[V onehot.Value](dst []V, off V) {
	var zero V
	if off == zero {
		clear(dst)
		return
	}
	for i := range dst {
		dst[i] = off
	}
}

// Encode clears or fills, and then spends one branch and one store per index.
func Encode[V onehot.Value, I onehot.Index](dst []V, indices []I, depth, inner int, on, off V) {
	Fill(dst, off)
	if inner == 1 {
		row := 0
		for _, x := range indices {
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
			row += depth
		}
		return
	}
	for len(indices) > 0 {
		for i, x := range indices[:inner] {
			if c := int(x); uint(c) < uint(depth) {
				dst[c*inner+i] = on
			}
		}
		indices, dst = indices[inner:], dst[depth*inner:]
	}
}
