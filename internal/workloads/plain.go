package workloads

import (
	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
)

// The careful Go loops for the other calls; that for Encode is careful.Encode.

func plainText[V onehot.Value](dst []V, text string, classes *[256]int16, depth, inner int, on, off V) {
	careful.Fill(dst, off)
	if inner == 1 {
		row := 0
		for i := range len(text) {
			if c := int(classes[text[i]]); uint(c) < uint(depth) {
				dst[row+c] = on
			}
			row += depth
		}
		return
	}
	for len(text) > 0 {
		for i := range inner {
			if c := int(classes[text[i]]); uint(c) < uint(depth) {
				dst[c*inner+i] = on
			}
		}
		text, dst = text[inner:], dst[depth*inner:]
	}
}

// plainColumns takes some rows at a time, so that they are still in the cache when the next column comes, and reads each column in
// order: all rows of a column at once, and all columns of a row at once, are both slower on one of the workloads.
func plainColumns[V onehot.Value, I onehot.Index](dst []V, columns [][]I, depths []int, width int, on, off V) {
	careful.Fill(dst, off)
	rows := len(columns[0])
	for r := 0; r < rows; r += 8 {
		start := r * width
		for c, depth := range depths {
			row := start
			for _, x := range columns[c][r:min(r+8, rows)] {
				if x := int(x); uint(x) < uint(depth) {
					dst[row+x] = on
				}
				row += width
			}
			start += depth
		}
	}
}

func plainMultiHot[V onehot.Value, I onehot.Index](dst []V, indices []I, k, depth int, on, off V) {
	careful.Fill(dst, off)
	for row := 0; len(indices) > 0; row += depth {
		for _, x := range indices[:k] {
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		indices = indices[k:]
	}
}

func plainBits[I onehot.Index](dst []uint64, indices []I, depth int) {
	clear(dst)
	words := (len(indices) + 63) / 64
	for i, x := range indices {
		if c := int(x); uint(c) < uint(depth) {
			dst[c*words+i/64] |= 1 << (i % 64)
		}
	}
}

func plainUpdate[V onehot.Value, I onehot.Index](dst []V, prev, next []I, depth int, on, off V) {
	row := 0
	for i, x := range next {
		if prev[i] != x {
			if c := int(prev[i]); uint(c) < uint(depth) {
				dst[row+c] = off
			}
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		row += depth
	}
}

func plainDecode[I onehot.Signed, V onehot.Value](dst []I, src []V, depth int, on, off V) {
	for r := range dst {
		class := -1
		for d, v := range src[r*depth : (r+1)*depth] {
			if v == off {
				continue
			}
			if v != on || class >= 0 {
				class = -1
				break
			}
			class = d
		}
		dst[r] = I(class)
	}
}
