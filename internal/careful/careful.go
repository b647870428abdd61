// Package careful has the loops that a careful Go user writes without this
// library, which path=go stands for in every benchmark. A loop that encodes
// clears the output, or fills it by copies, and then spends one branch and one
// store per index. The loops only check that nothing is written out of place,
// and count no misses.
package careful

import (
	"math/bits"

	"github.com/go-onehot/onehot"
)

// Fill sets all of dst to off, with clear if off is zero. Behind the first few
// elements it copies those that it has, as slices.Repeat does: a loop stores
// one element at a time.
func Fill[V onehot.Value](dst []V, off V) {
	var zero V
	if off == zero {
		clear(dst)
		return
	}
	n := min(len(dst), 64)
	for i := range dst[:n] {
		dst[i] = off
	}
	for n < len(dst) {
		n += copy(dst[n:], dst[:min(n, 4096)]) // which the caches hold
	}
}

// Encode is onehot.Encode: rows where inner is 1, planes otherwise.
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

// Apart is onehot.Encode of rows that start stride elements apart.
func Apart[V onehot.Value, I onehot.Index](dst []V, indices []I, depth, stride int, on, off V) {
	for i, x := range indices {
		row := dst[i*stride:][:depth]
		Fill(row, off)
		if c := int(x); uint(c) < uint(depth) {
			row[c] = on
		}
	}
}

// Missing is Encode, with all cells of an index that has no class set to miss.
func Missing[V onehot.Value, I onehot.Index](dst []V, indices []I, depth, inner int, on, off, miss V) {
	Fill(dst, off)
	if inner == 1 {
		row := 0
		for _, x := range indices {
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			} else {
				Fill(dst[row:][:depth], miss)
			}
			row += depth
		}
		return
	}
	for len(indices) > 0 {
		for i, x := range indices[:inner] {
			if c := int(x); uint(c) < uint(depth) {
				dst[c*inner+i] = on
				continue
			}
			for d := range depth {
				dst[d*inner+i] = miss
			}
		}
		indices, dst = indices[inner:], dst[depth*inner:]
	}
}

// Text is onehot.EncodeText, with a table of classes in which -1 means none.
func Text[V onehot.Value, S ~string | ~[]byte](dst []V, text S, classes *[256]int16, depth, inner int, on, off V) {
	Fill(dst, off)
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

// Columns is onehot.EncodeColumns, for rows of width cells. It takes eight rows
// at a time, so that they are still in the cache when the next column comes.
// Taking all rows of a column, or all columns of a row, at once is slower on
// one of the workloads.
func Columns[V onehot.Value, I onehot.Index](dst []V, columns [][]I, depths []int, width int, on, off V) {
	Fill(dst, off)
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

// MultiHot is onehot.MultiHot.
func MultiHot[V onehot.Value, I onehot.Index](dst []V, indices []I, k, depth int, on, off V) {
	Fill(dst, off)
	for row := 0; len(indices) > 0; row += depth {
		for _, x := range indices[:k] {
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		indices = indices[k:]
	}
}

// Bits is onehot.EncodeBits. The planes of many indices are often a power of
// two apart, and so share a few sets of the first-level cache. Of long planes,
// eight words of each are made elsewhere and copied.
func Bits[I onehot.Index](dst []uint64, indices []I, depth int) {
	words := (len(indices) + 63) / 64
	if words < 64 || depth > 256 {
		clear(dst)
		setBits(dst, indices, depth, words)
		return
	}
	var room [256 * 8]uint64
	for w := 0; w < words; w += 8 {
		clear(room[:depth*8])
		setBits(room[:], indices[w*64:min((w+8)*64, len(indices))], depth, 8)
		for c := range depth {
			copy(dst[c*words+w:(c+1)*words], room[c*8:][:8])
		}
	}
}

// setBits sets bit i of plane c, of so many words, where indices[i] is c.
func setBits[I onehot.Index](dst []uint64, indices []I, depth, words int) {
	for w := 0; len(indices) > 0; w++ {
		n, bit := min(64, len(indices)), uint64(1)
		for _, x := range indices[:n] {
			if c := int(x); uint(c) < uint(depth) {
				dst[c*words+w] |= bit
			}
			bit <<= 1
		}
		indices = indices[n:]
	}
}

// Expand is onehot.ExpandBits, for bits that are 0 after the last cell.
func Expand[V onehot.Value](dst []V, words []uint64, n int, on, off V) {
	Fill(dst, off)
	for first := 0; len(words) > 0; first += n {
		for i := first; i < first+n; i += 64 {
			for word := words[0]; word != 0; word &= word - 1 {
				dst[i+bits.TrailingZeros64(word)] = on
			}
			words = words[1:]
		}
	}
}

// Recode is onehot.Recode with a table. A nil valid means that every index
// counts.
func Recode[C onehot.Code, I onehot.Index](dst []C, indices []I, table []C, valid *onehot.Bitmap) {
	dst = dst[:len(indices)]
	if valid == nil {
		for i, x := range indices {
			code := ^C(0)
			if c := int(x); uint(c) < uint(len(table)) {
				code = table[c]
			}
			dst[i] = code
		}
		return
	}
	bits, offset := valid.Bits, valid.Offset
	for i, x := range indices {
		code, at := ^C(0), uint(offset+i)
		if c := int(x); uint(c) < uint(len(table)) {
			code = table[c] | (C(bits[at/8]>>(at%8)&1) - 1) // all bits set for a null, without a branch
		}
		dst[i] = code
	}
}

// Update is onehot.Update of rows: two stores where an index differs.
func Update[V onehot.Value, I onehot.Index](dst []V, prev, next []I, depth int, on, off V) {
	row := 0
	prev = prev[:len(next)]
	for i, x := range next {
		if y := prev[i]; y != x {
			if c := int(y); uint(c) < uint(depth) {
				dst[row+c] = off
			}
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		row += depth
	}
}

// Decode is onehot.Decode of rows. It leaves a row at the first cell that rules
// out a class.
func Decode[I onehot.Signed, V onehot.Value](dst []I, src []V, depth int, on, off V) {
	for r := range dst {
		row, class := src[r*depth:][:depth], -1
		if d := leading(row, off); d < depth && row[d] == on && leading(row[d+1:], off) == depth-d-1 {
			class = d
		}
		dst[r] = I(class)
	}
}

// leading returns how many elements at the start of row are off.
func leading[V onehot.Value](row []V, off V) int {
	for d, v := range row {
		if v != off {
			return d
		}
	}
	return len(row)
}
