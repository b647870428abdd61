package onehot

import (
	"math"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// This file is the definition: what every kernel is tested against, what runs
// where there is no kernel, and what kernels leave to Go. Elements are byte
// arrays here, [4]byte for a float32, because an array of bytes may stand at any
// address and copies every bit pattern as it is; a string is itself, so that
// the garbage collector sees it written.

const (
	// clearBytes is the most that one clear or copy covers. Neither is ever
	// preempted, so a larger one would hold up a garbage collection.
	clearBytes = 256 << 10

	// seedBytes is how much of a pattern is made by doubling before copies of
	// it fill the rest: a copy from the first-level cache is the fastest.
	seedBytes = 8 << 10
)

// classOf returns the class of x and whether it is one of depth. wrap is depth
// if negative classes count from the end, and 0 if they are misses.
//
// A negative class c has c+wrap in [0, depth) exactly if it is a cell; a class of
// depth or more stays above it.
func classOf[I Index](x I, depth, wrap int) (class int64, ok bool) {
	class = integerOf(x)
	if uint64(class) >= uint64(depth) {
		class += wrapOf[I](wrap)
	}
	return class, uint64(class) < uint64(depth)
}

// integerOf returns x as an integer. Go leaves the conversion of a float that
// int64 cannot hold to the implementation, and implementations differ; hence the
// comparison before it, which NaN fails too. Those become the integer that no
// wrap makes a cell.
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

// lightGeneric writes on to the cell of each index and returns the number of
// indices that have none.
func lightGeneric[E any, I Index](dst []E, indices []I, on E, l *layout, wrap int) (misses int) {
	if l.plane == 1 {
		return lightRows(dst, indices[:l.outer], on, l.depth, l.stride, wrap)
	}
	for o := range l.outer {
		misses += lightPlanes(dst[o*l.stride:], indices[o*l.pitch:][:l.inner], on, l.depth, l.plane, wrap)
	}
	return misses
}

// lightRows is lightEach for four rows at a time, which spares most of the
// loop: nearly always all four have a class.
func lightRows[E any, I Index](dst []E, indices []I, on E, depth, stride, wrap int) (misses int) {
	row, limit := 0, uint64(depth)
	for ; len(indices) >= 4; indices = indices[4:] {
		a, b, c, d := integerOf(indices[0]), integerOf(indices[1]), integerOf(indices[2]), integerOf(indices[3])
		if uint64(a) < limit && uint64(b) < limit && uint64(c) < limit && uint64(d) < limit {
			dst[row+int(a)] = on
			row += stride
			dst[row+int(b)] = on
			row += stride
			dst[row+int(c)] = on
			row += stride
			dst[row+int(d)] = on
			row += stride
			continue
		}
		misses += lightEach(dst[row:], indices[:4], on, depth, stride, wrap)
		row += 4 * stride
	}
	if len(indices) == 0 { // row may be behind the output, and beyond an int
		return misses
	}
	return misses + lightEach(dst[row:], indices, on, depth, stride, wrap)
}

// lightEach lights a cell in each row; rows start stride elements apart. It has
// classOf taken apart: the test that nearly every index passes comes first and
// leads straight to the store.
func lightEach[E any, I Index](dst []E, indices []I, on E, depth, stride, wrap int) (misses int) {
	row, move := 0, wrapOf[I](wrap)
	for _, x := range indices {
		class := integerOf(x)
		if uint64(class) < uint64(depth) {
			dst[row+int(class)] = on
		} else if class += move; uint64(class) < uint64(depth) {
			dst[row+int(class)] = on
		} else {
			misses++
		}
		row += stride
	}
	return misses
}

// lightPlanes lights a cell in each column of planes that start plane elements
// apart, as lightEach does in rows.
func lightPlanes[E any, I Index](dst []E, indices []I, on E, depth, plane, wrap int) (misses int) {
	move := wrapOf[I](wrap)
	for i, x := range indices {
		class := integerOf(x)
		if uint64(class) < uint64(depth) {
			dst[int(class)*plane+i] = on
		} else if class += move; uint64(class) < uint64(depth) {
			dst[int(class)*plane+i] = on
		} else {
			misses++
		}
	}
	return misses
}

// lightText is lightGeneric for bytes, whose classes stand in a table.
func lightText[E any](dst []E, text []byte, table *[256]int16, on E, l *layout) (misses int) {
	if l.plane == 1 {
		return lightBytes(dst, text[:l.outer], table, on, l.depth, l.stride, 1)
	}
	for o := range l.outer {
		misses += lightBytes(dst[o*l.stride:], text[o*l.pitch:][:l.inner], table, on, l.depth, 1, l.plane)
	}
	return misses
}

// lightBytes lights a cell for each byte: bytes stand step elements apart, their
// classes plane elements.
func lightBytes[E any](dst []E, text []byte, table *[256]int16, on E, depth, step, plane int) (misses int) {
	first := 0
	for _, b := range text {
		if class := int(table[b]); uint(class) < uint(depth) {
			dst[first+class*plane] = on
		} else {
			misses++
		}
		first += step
	}
	return misses
}

// fillGeneric writes off to all of dst: clear where off is all zero bits,
// doubling copies where it is not.
func fillGeneric[E any](dst []E, off E) {
	size := int(unsafe.Sizeof(off))
	if elementOf(off) == (element{}) { // and not off == 0, which -0.0 is
		raceRange(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*size, true) // clear is not instrumented
		for ; len(dst)*size > clearBytes; dst = dst[clearBytes/size:] {
			clearPiece(dst[:clearBytes/size])
		}
		clear(dst)
		return
	}
	if len(dst) == 0 {
		return
	}
	dst[0] = off
	seed := 1
	for seed < len(dst) && seed*size < seedBytes {
		seed += copy(dst[seed:], dst[:seed])
	}
	for rest := dst[seed:]; len(rest) > 0; {
		n := min(len(rest), max(clearBytes/size, 1))
		repeatPiece(rest[:n], dst[:seed])
		rest = rest[n:]
	}
}

// clearPiece and repeatPiece are calls, so that a collection gets its moment: a
// goroutine is not stopped in clear or copy, and a loop around them has so few
// instructions of its own that it is hardly ever caught there.
//
//go:noinline
func clearPiece[E any](dst []E) { clear(dst) }

//go:noinline
func repeatPiece[E any](dst, seed []E) {
	for len(dst) > 0 {
		dst = dst[copy(dst, seed):]
	}
}

// updateGeneric moves an output from the encoding of prev to that of next. Where
// misses have cells of their own, miss is what they hold.
func updateGeneric[E any, I Index](dst []E, prev, next []I, on, off E, miss *E, l *layout, wrap int) (misses int) {
	if miss != nil {
		return updateMisses(dst, prev, next, on, off, *miss, l, wrap)
	}
	if l.plane == 1 {
		return updateRun(dst, prev, next, on, off, l.depth, l.stride, 1, wrap)
	}
	for o := range l.outer {
		from, to := o*l.pitch, o*l.pitch+l.inner
		misses += updateRun(dst[o*l.stride:], prev[from:to], next[from:to], on, off, l.depth, 1, l.plane, wrap)
	}
	return misses
}

// updateRun moves the cells of indices that stand step elements apart, their
// classes plane elements. Most indices did not change and name a class, which
// one comparison each finds out.
func updateRun[E any, I Index](dst []E, prev, next []I, on, off E, depth, step, plane, wrap int) (misses int) {
	first := 0
	for i, x := range next {
		if x != prev[i] || uint64(integerOf(x)) >= uint64(depth) {
			was, lit := classOf(prev[i], depth, wrap)
			is, ok := classOf(x, depth, wrap)
			if lit && (!ok || was != is) {
				dst[first+int(was)*plane] = off
			}
			if ok && (!lit || was != is) {
				dst[first+int(is)*plane] = on
			}
			if !ok {
				misses++
			}
		}
		first += step
	}
	return misses
}

// updateMisses is updateGeneric for misses with cells of their own: a row that
// becomes one, or ceases to be one, is written anew.
func updateMisses[E any, I Index](dst []E, prev, next []I, on, off, miss E, l *layout, wrap int) (misses int) {
	for o := range l.outer {
		for i := range l.inner {
			cells := dst[o*l.stride+i:]
			was, had := classOf(prev[o*l.pitch+i], l.depth, wrap)
			is, has := classOf(next[o*l.pitch+i], l.depth, wrap)
			if !has {
				misses++
			}
			switch {
			case had && has && was != is:
				cells[int(was)*l.plane] = off
				cells[int(is)*l.plane] = on
			case has && !had:
				writeRow(cells, off, l)
				cells[int(is)*l.plane] = on
			case had && !has:
				writeRow(cells, miss, l)
			}
		}
	}
	return misses
}

// writeRow writes v to the cells of one index.
func writeRow[E any](cells []E, v E, l *layout) {
	for d := range l.depth {
		cells[d*l.plane] = v
	}
}

// columnsGeneric fills a tile of wide rows and lights the cells of one column
// after the other in it; the indices of the first row are those at from.
func columnsGeneric[E any, I Index](dst []E, columns [][]I, from int, depths []int, on, off E, miss *E, l *layout, neg Negative) (misses int) {
	for t := tilesOf(*l, l.tileFor(int(unsafe.Sizeof(on)))); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, off, &t.part, plan.FillGo)
		column := t.part
		first := 0
		for c, indices := range columns {
			column.depth = depths[c]
			in := inputOf(indices[from+t.index:])
			misses += scatterWith(tile[first:], &in, on, miss, &column, neg.wrap(column.depth))
			first += column.depth
		}
	}
	return misses
}

// multiHotGeneric fills a tile of rows and lights the cells of k indices in
// each: rows of a set are rows that do not move on.
func multiHotGeneric[E any, I Index](dst []E, indices []I, k int, on, off E, l *layout, wrap int) (misses int) {
	for t := tilesOf(*l, l.tileFor(int(unsafe.Sizeof(on)))); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, off, &t.part, plan.FillGo)
		sets := indices[t.index*k:][:t.part.outer*k]
		for o := range t.part.outer {
			misses += lightEach(tile[o*l.stride:], sets[o*k:][:k], on, l.depth, 0, wrap)
		}
	}
	return misses
}

// bitsGeneric writes bit planes. The layout counts words: a column is the word
// of 64 indices.
func bitsGeneric[I Index](dst []uint64, indices []I, l *layout, wrap int) (misses int) {
	for t := tilesOf(*l, l.tileFor(wordBits/8)); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, 0, &t.part, plan.FillGo)
		first := t.index * wordBits
		last := min(first+t.part.inner*wordBits, len(indices))
		for i, x := range indices[first:last] {
			if class, ok := classOf(x, l.depth, wrap); ok {
				tile[int(class)*l.plane+i/wordBits] |= 1 << (i % wordBits)
			} else {
				misses++
			}
		}
	}
	return misses
}

// decodeGeneric writes the class of each row that is one-hot and all bits set for
// the others, and returns how many those are.
func decodeGeneric[I Code, E comparable](dst []I, src []E, on, off E, l *layout) (invalid int) {
	for o := range l.outer {
		if block := src[o*l.stride:]; l.plane == 1 {
			invalid += decodeRow(&dst[o], block[:l.depth], on, off)
		} else {
			invalid += decodeColumns(dst[o*l.pitch:][:l.inner], block, on, off, l.depth, l.plane)
		}
	}
	return invalid
}

// decodeRow writes the class of a row, or all bits, and returns 1 for the
// latter.
func decodeRow[I Code, E comparable](class *I, row []E, on, off E) (invalid int) {
	*class = ^I(0)
	found := -1
	for d, v := range row {
		if v == off {
			continue
		}
		if v != on || found >= 0 {
			return 1
		}
		found = d
	}
	if *class = I(found); found < 0 {
		return 1
	}
	return 0
}

// decodeColumns writes the classes of columns, plane by plane, of a few columns
// at a time.
func decodeColumns[I Code, E comparable](classes []I, block []E, on, off E, depth, plane int) (invalid int) {
	const none, bad = -1, -2 // no On so far; more than one, or a foreign value
	var found [256]int
	for first := 0; first < len(classes); first += len(found) {
		part := classes[first:min(first+len(found), len(classes))]
		for i := range part {
			found[i] = none
		}
		for d := range depth {
			for i, v := range block[d*plane+first:][:len(part)] {
				switch {
				case v == off:
				case v == on && found[i] == none:
					found[i] = d
				default:
					found[i] = bad
				}
			}
		}
		for i, d := range found[:len(part)] {
			part[i] = I(d)
			if d < 0 {
				part[i] = ^I(0)
				invalid++
			}
		}
	}
	return invalid
}

// recodeGeneric writes the code of each index, all bits set where there is none,
// and returns how many those are.
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
