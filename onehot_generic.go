package onehot

import (
	"math"
	"unsafe"
)

// This file defines what every call writes, in plain loops over the coordinates
// of a cell that are right for every layout. Routes and kernels are tested
// against it, and use parts of it. It calls no route and no kernel, and is not
// fast. An element may be an array of bytes here, such as [4]byte for a
// float32, which stands at any address and copies every bit pattern as it is. A
// string is itself, so that the garbage collector sees it written.

// classOf returns the class of x and reports whether it is one of depth
// classes. wrap is depth if negative classes count from the end, and 0 if they
// are misses.
//
// Every class outside [0, depth) is moved by wrap. That takes a negative class
// into [0, depth) exactly if it has a cell, and a class of depth or more never.
func classOf[I Index](x I, depth, wrap int) (class int64, ok bool) {
	class = integerOf(x)
	if uint64(class) >= uint64(depth) {
		class += wrapOf[I](wrap)
	}
	return class, uint64(class) < uint64(depth)
}

// integerOf returns x as an integer. NaN, and a float that int64 cannot hold,
// become math.MinInt64, which no wrap makes a class. They are not converted,
// because Go leaves the result to the implementation, and implementations
// differ. NaN fails the comparison, too.
func integerOf[I Index](x I) int64 {
	if one := I(1); one/2 != 0 {
		if f := float64(x); !(f >= -0x1p63 && f < 0x1p63) {
			return math.MinInt64
		}
	}
	return int64(x)
}

// wrapOf returns how far a negative class of type I moves: not at all if I is
// unsigned, because a uint64 of 2^63 or more looks negative as an int64.
func wrapOf[I Index](wrap int) int64 {
	if zero := I(0); zero-1 > zero {
		return 0
	}
	return int64(wrap)
}

// encodeGeneric writes the cells of each index: on where its class is and off
// elsewhere, or miss to all of them if it has no class. It returns the number
// of indices that have none.
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

// updateGeneric changes an output from the encoding of prev to that of next and
// returns how many indices of next have no class. miss is off unless misses
// have cells of their own. It writes all cells of an index that becomes a miss
// or ceases to be one.
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

// columnsGeneric encodes columns side by side.
func columnsGeneric[E any, I Index](dst []E, columns [][]I, depths []int, on, off, miss E, l *layout, neg Negative) (misses int) {
	column, first := *l, 0
	for c, indices := range columns {
		if column.depth = depths[c]; column.depth == 0 {
			misses += l.outer
			continue
		}
		misses += encodeGeneric(dst[first:], indices, on, off, miss, &column, neg.wrap(column.depth))
		first += column.depth
	}
	return misses
}

// multiHotGeneric writes rows and sets the cells of k indices in each.
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

// expandBitsGeneric writes planes of n cells from bit planes of n bits, n > 0.
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

// decodeGeneric writes the class of each row that is one-hot, and all bits set
// for every other row. It returns the number of the other rows.
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

// recodeGeneric writes the code of each index, or all bits set if it has none.
// It returns the number of indices that have none.
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

// largestClass returns the largest class that I holds: any value but the one
// with all bits set, -1 in a signed type, which says that there is no class.
func largestClass[I Code]() uint64 {
	none, bits := ^I(0), 8*unsafe.Sizeof(I(0))
	if none < 0 {
		return 1<<(bits-1) - 1
	}
	return uint64(none) - 1
}
