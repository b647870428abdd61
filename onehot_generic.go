package onehot

import (
	"math"
	"unsafe"
)

// This file is the definition of every call: what the routes and the kernels
// are tested against, and what some of them leave to Go where there is little
// to write. It is plain loops over the coordinates of a cell, calls nothing but
// itself, and is right for every layout; what has to be fast is elsewhere.
// Elements are byte arrays here, [4]byte for a float32, because an array of
// bytes may stand at any address and copies every bit pattern as it is; a
// string is itself, so that the garbage collector sees it written.

// classOf returns the class of x and whether it is one of depth. wrap is depth
// if negative classes count from the end, and 0 if they are misses.
//
// A negative class c has c+wrap in [0, depth) exactly if it is a cell; a class
// of depth or more stays above it.
func classOf[I Index](x I, depth, wrap int) (class int64, ok bool) {
	class = integerOf(x)
	if uint64(class) >= uint64(depth) {
		class += wrapOf[I](wrap)
	}
	return class, uint64(class) < uint64(depth)
}

// integerOf returns x as an integer. Go leaves the conversion of a float that
// int64 cannot hold to the implementation, and implementations differ; hence
// the comparison before it, which NaN fails too. Those become the integer that
// no wrap makes a cell.
func integerOf[I Index](x I) int64 {
	if one := I(1); one/2 != 0 {
		if f := float64(x); !(f >= -0x1p63 && f < 0x1p63) {
			return math.MinInt64
		}
	}
	return int64(x)
}

// wrapOf returns what a negative class moves by. A uint64 of 2^63 and above
// looks negative as an int64 and must not move.
func wrapOf[I Index](wrap int) int64 {
	if zero := I(0); zero-1 > zero {
		return 0
	}
	return int64(wrap)
}

// encodeGeneric writes the cells of each index: on where its class is and off
// elsewhere, or miss to all of them if it has no class. It returns how many
// have none.
func encodeGeneric[E any, I Index](dst []E, indices []I, on, off, miss E, l *layout, wrap int) (misses int) {
	for o := range l.outer {
		for i := range l.inner {
			class, ok := classOf(indices[o*l.indexStride+i], l.depth, wrap)
			if !ok {
				misses++
			}
			for d := range l.depth {
				cell := &dst[o*l.stride+d*l.plane+i]
				switch {
				case !ok:
					*cell = miss
				case int64(d) == class:
					*cell = on
				default:
					*cell = off
				}
			}
		}
	}
	return misses
}

// updateGeneric moves an output from the encoding of prev to that of next and
// returns how many of next have no class. miss is off unless misses have cells
// of their own: then a row that becomes one, or ceases to be one, is rewritten.
func updateGeneric[E any, I Index](dst []E, prev, next []I, on, off, miss E, l *layout, wrap int) (misses int) {
	for o := range l.outer {
		for i := range l.inner {
			was, had := classOf(prev[o*l.indexStride+i], l.depth, wrap)
			is, has := classOf(next[o*l.indexStride+i], l.depth, wrap)
			if !has {
				misses++
			}
			if has == had && (!has || is == was) {
				continue
			}
			for d := range l.depth {
				cell, class := &dst[o*l.stride+d*l.plane+i], int64(d)
				switch {
				case !has:
					*cell = miss
				case class == is:
					*cell = on
				case !had || class == was:
					*cell = off
				}
			}
		}
	}
	return misses
}

// columnsGeneric encodes columns beside each other; the indices of the first
// row are those at from.
func columnsGeneric[E any, I Index](dst []E, columns [][]I, from int, depths []int, on, off, miss E, l *layout, neg Negative) (misses int) {
	column, first := *l, 0
	for c, indices := range columns {
		if column.depth = depths[c]; column.depth == 0 {
			misses += l.outer
			continue
		}
		misses += encodeGeneric(dst[first:], indices[from:], on, off, miss, &column, neg.wrap(column.depth))
		first += column.depth
	}
	return misses
}

// multiHotGeneric writes rows in each of which k indices set cells.
func multiHotGeneric[E any, I Index](dst []E, indices []I, k int, on, off E, l *layout, wrap int) (misses int) {
	for o := range l.outer {
		for d := range l.depth {
			dst[o*l.stride+d] = off
		}
		for _, x := range indices[o*k:][:k] {
			if class, ok := classOf(x, l.depth, wrap); ok {
				dst[o*l.stride+int(class)] = on
			} else {
				misses++
			}
		}
	}
	return misses
}

// bitsGeneric writes bit planes. The layout counts words: a column is the word
// of 64 indices.
func bitsGeneric[I Index](dst []uint64, indices []I, l *layout, wrap int) (misses int) {
	for w := range l.inner {
		for d := range l.depth {
			dst[d*l.plane+w] = 0
		}
		for i, x := range indices[w*wordBits : min((w+1)*wordBits, len(indices))] {
			if class, ok := classOf(x, l.depth, wrap); ok {
				dst[int(class)*l.plane+w] |= 1 << i
			} else {
				misses++
			}
		}
	}
	return misses
}

// expandBitsGeneric writes planes of n cells from the bits of as many planes.
func expandBitsGeneric[E any](dst []E, bits []uint64, n int, on, off E) {
	words := (n + wordBits - 1) / wordBits
	for p := range len(bits) / words {
		for i := range n {
			if bits[p*words+i/wordBits]>>(i%wordBits)&1 == 1 {
				dst[p*n+i] = on
			} else {
				dst[p*n+i] = off
			}
		}
	}
}

// decodeGeneric writes the class of each row that is one-hot and all bits set
// for the others, and returns how many those are.
func decodeGeneric[C Code, E comparable](dst []C, src []E, on, off E, l *layout) (invalid int) {
	for o := range l.outer {
		for i := range l.inner {
			class, found, valid := ^C(0), 0, true
			for d := range l.depth {
				switch src[o*l.stride+d*l.plane+i] {
				case off:
				case on:
					class = C(d)
					found++
				default:
					valid = false
				}
			}
			if found != 1 || !valid {
				class = ^C(0)
				invalid++
			}
			dst[o*l.indexStride+i] = class
		}
	}
	return invalid
}

// recodeGeneric writes the code of each index, all bits set where there is
// none, and returns how many those are.
func recodeGeneric[C Code, I Index](dst []C, indices []I, table []C, valid *Bitmap) (misses int) {
	for i, x := range indices {
		code, class := ^C(0), integerOf(x)
		switch {
		case valid != nil && valid.Bits[(valid.Offset+i)/8]>>((valid.Offset+i)%8)&1 == 0:
		case table == nil && class >= 0 && uint64(class) <= largestClass[C]():
			code = C(class)
		case table != nil && uint64(class) < uint64(len(table)):
			code = table[class]
		}
		if code == ^C(0) {
			misses++
		}
		dst[i] = code
	}
	return misses
}

// largestClass returns the largest class that I holds beside the one value that
// says that there is none: all bits set, which is -1 in a signed type.
func largestClass[I Code]() uint64 {
	none, bits := ^I(0), 8*unsafe.Sizeof(I(0))
	if none < 0 {
		return 1<<(bits-1) - 1
	}
	return uint64(none) - 1
}
