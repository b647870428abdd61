package onehot

import (
	"cmp"
	"math"
	"unsafe"
)

// This file says in plain Go what each family of kernels does: rowsGeneric is
// the model of rowsOf, whose contract is at its declaration in
// zkernels_amd64.go and its like. Tests compare each kernel with its model, and
// a path that has no such kernel runs the model. Nothing here is fast, so no
// plan chooses a family that its path lacks, except for fillZero, whose model
// is clear. Tables of alphabets are filled by a model, too, since they are made
// once.

// none is the byte that stands for the class of an index that has none.
const none = math.MaxUint8

// values holds an encoding's values in the order in which kernels read them.
type values struct {
	on, off, miss element
	ahead         bool // kernels of AVX-512 prefetch the lines that they will write
}

// putCell writes the low width bytes of e as cell i of dst.
func putCell(dst unsafe.Pointer, width, i int, e *element) {
	pattern := e.low(width).repeated(width)
	copy(bytesAt(unsafe.Add(dst, i*width), width), bytesOf(&pattern))
}

// getCell returns cell i of src, whose cells have width bytes.
func getCell(src unsafe.Pointer, width, i int) element {
	return elementFrom(bytesAt(unsafe.Add(src, i*width), width))
}

// low returns e without the bits that a cell of the given width does not have.
func (e element) low(width int) element {
	if width <= 8 {
		return element{lo: e.lo & (1<<(8*width) - 1)}
	}
	return e
}

func bytesAt(p unsafe.Pointer, n int) []byte   { return unsafe.Slice((*byte)(p), n) }
func bytesOf[T any](room *T) []byte            { return bytesAt(unsafe.Pointer(room), int(unsafe.Sizeof(*room))) }
func wordsAt(p unsafe.Pointer, n int) []uint64 { return unsafe.Slice((*uint64)(p), n) }

// choose returns on where the condition holds and off elsewhere.
func (v *values) choose(is bool) *element {
	if is {
		return &v.on
	}
	return &v.off
}

func classesGeneric(typ IndexType, classes, indices unsafe.Pointer, n, first, limit, wrap int) (misses int) {
	out, in, depth := bytesAt(classes, n), input{ptr: indices, len: n, typ: typ}, cmp.Or(wrap, math.MaxInt32)
	for i := range out {
		class, ok := in.from(i).class(depth, wrap)
		out[i] = none
		if class -= int64(first); ok && 0 <= class && class < int64(limit) {
			out[i] = byte(class)
		} else {
			misses++
		}
	}
	return misses
}

// class is classOf for the first index of in, which is no half, at any address.
func (in input) class(depth, wrap int) (class int64, ok bool) {
	x := getCell(in.ptr, in.size(), 0).lo
	switch unused := 64 - 8*in.size(); in.typ {
	case Int8, Int16, Int32, Int64:
		return classOf(int64(x<<unused)>>unused, depth, wrap)
	case Uint8, Uint16, Uint32, Uint64:
		return classOf(x, depth, wrap)
	case Float32:
		return classOf(math.Float32frombits(uint32(x)), depth, wrap)
	}
	return classOf(math.Float64frombits(x), depth, wrap)
}

func textGeneric(classes, text unsafe.Pointer, n int, table unsafe.Pointer, limit int) (misses int) {
	out, t := bytesAt(classes, n), (*textTable)(table)
	for i, b := range bytesAt(text, n) {
		if out[i] = t.classes[b]; int(out[i]) >= limit {
			out[i] = none
			misses++
		}
	}
	return misses
}

func nullGeneric(classes, words unsafe.Pointer, n int) (nulls int) {
	valid := wordsAt(words, (n+63)/64)
	for i, out := 0, bytesAt(classes, n); i < n; i++ {
		if valid[i/64]>>(i%64)&1 == 0 {
			out[i] = none
			nulls++
		}
	}
	return nulls
}

func codesGeneric(width int, dst, classes unsafe.Pointer, n int) {
	for i, class := range bytesAt(classes, n) {
		code := element{lo: uint64(class)}
		if class == none {
			code.lo = math.MaxUint64
		}
		putCell(dst, width, i, &code)
	}
}

func nonesGeneric(width int, codes unsafe.Pointer, n int) (count int) {
	all := element{math.MaxUint64, math.MaxUint64}
	for i := range n {
		if getCell(codes, width, i) == all.low(width) {
			count++
		}
	}
	return count
}

func rowsGeneric(width int, dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer) {
	for r, class := range bytesAt(classes, rows) {
		for d := range depth {
			putCell(dst, width, r*depth+d, (*values)(v).choose(int(class) == d))
		}
	}
}

func rowsMissGeneric(width int, dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer) {
	rowsGeneric(width, dst, classes, rows, depth, v)
	for r, class := range bytesAt(classes, rows) {
		for d := 0; class == none && d < depth; d++ {
			putCell(dst, width, r*depth+d, &(*values)(v).miss)
		}
	}
}

func widenGeneric(width int, dst, classes unsafe.Pointer, n int) {
	for i, class := range bytesAt(classes, n) {
		cell := bytesAt(unsafe.Add(dst, i*width), width)
		for b := range cell {
			cell[b] = class
		}
	}
}

func planesGeneric(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int) {
	comparePlanes(width, dst, stride, plane, classes, width, blocks, n, first, count, v, missing)
}

func planesByColumnsGeneric(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int) {
	comparePlanes(width, dst, stride, plane, classes, 1, blocks, n, first, count, v, missing)
}

// comparePlanes models kernels of planes whose classes are apart bytes apart.
func comparePlanes(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, apart, blocks, n, first, count int, v unsafe.Pointer, missing int) {
	for b := range blocks {
		for i := range n {
			class := *(*byte)(unsafe.Add(classes, (b*n+i)*apart))
			for p := range count {
				cell := (*values)(v).choose(int(class) == first+p)
				if class == none && missing != 0 {
					cell = &(*values)(v).miss
				}
				putCell(unsafe.Add(dst, b*stride+p*plane), width, i, cell)
			}
		}
	}
}

func bitPlanesGeneric(dst unsafe.Pointer, plane int, classes unsafe.Pointer, n, count int) {
	for p := range count {
		words := wordsAt(unsafe.Add(dst, p*plane), n/64)
		clear(words)
		for i, class := range bytesAt(classes, n) {
			if int(class) == p {
				words[i/64] |= 1 << (i % 64)
			}
		}
	}
}

func marksGeneric(words unsafe.Pointer, plane int, classes unsafe.Pointer, n, first, count int) {
	for p := range count {
		out := wordsAt(unsafe.Add(words, p*plane), n)
		if p > 0 || first == 0 {
			clear(out)
		}
		for i, class := range bytesAt(classes, n) {
			if bit := int(class) + first; bit/64 == p {
				out[i] |= 1 << (bit % 64)
			}
		}
	}
}

func setMarksGeneric(words unsafe.Pointer, plane int, classes unsafe.Pointer, rows, k, count int) {
	for p := range count {
		out := wordsAt(unsafe.Add(words, p*plane), rows)
		clear(out)
		for i, class := range bytesAt(classes, rows*k) {
			if int(class)/64 == p {
				out[i/k] |= 1 << (class % 64)
			}
		}
	}
}

func cellsGeneric(width int, dst unsafe.Pointer, stride int, words unsafe.Pointer, next, plane, rows, cells int, v unsafe.Pointer) {
	for r := range rows {
		for c := range cells {
			word := *(*uint64)(unsafe.Add(words, r*next+c/64*plane))
			putCell(unsafe.Add(dst, r*stride), width, c, (*values)(v).choose(word>>(c%64)&1 == 1))
		}
	}
}

func hitsGeneric(width int, words, cells unsafe.Pointer, n int, v unsafe.Pointer) (neither int) {
	out := wordsAt(words, (n+63)/64)
	clear(out)
	for i := range n {
		switch getCell(cells, width, i) {
		case (*values)(v).on.low(width):
			out[i/64] |= 1 << (i % 64)
		case (*values)(v).off.low(width):
		default:
			neither++
		}
	}
	return neither
}

func collectGeneric(width int, lanes, cells unsafe.Pointer, plane, n, first, count int, v unsafe.Pointer) (hits int) {
	neither := false
	for p := range count {
		run := unsafe.Add(cells, p*plane)
		for i := range n {
			switch getCell(run, width, i) {
			case (*values)(v).on.low(width):
				putCell(lanes, width, i, &element{lo: uint64(first + p)})
				hits++
			case (*values)(v).off.low(width):
			default:
				neither = true
			}
		}
	}
	if neither {
		return -1
	}
	return hits
}

func changesGeneric(width int, words, prev, next unsafe.Pointer, n, depth int) {
	out := wordsAt(words, (n+63)/64)
	clear(out)
	for i := range n {
		if x := getCell(next, width, i); getCell(prev, width, i) != x || x.lo >= uint64(depth) {
			out[i/64] |= 1 << (i % 64)
		}
	}
}

func fillPatternGeneric(dst unsafe.Pointer, n int, lo, hi uint64) {
	pattern := element{lo, hi}
	for i := range bytesAt(dst, n) {
		bytesAt(dst, n)[i] = bytesAt(unsafe.Pointer(&pattern), 16)[i%16]
	}
}

func fillZeroGeneric(dst unsafe.Pointer, n int) { clear(bytesAt(dst, n)) }

func fillRunsGeneric(dst unsafe.Pointer, run, runs, stride int, lo, hi uint64) {
	for r := range runs {
		fillPatternGeneric(unsafe.Add(dst, r*stride), run, lo, hi)
	}
}

func placesGeneric(places, classes unsafe.Pointer, n int) (count int) {
	for i, class := range bytesAt(classes, n) {
		if class == none {
			*(*uint16)(unsafe.Add(places, 2*count)) = uint16(i)
			count++
		}
	}
	return count
}

func fillPlacesGeneric(dst unsafe.Pointer, run int, places unsafe.Pointer, count int, lo, hi uint64) {
	for _, place := range unsafe.Slice((*uint16)(places), count) {
		fillPatternGeneric(unsafe.Add(dst, int(place)*run), run, lo, hi)
	}
}

func fillRepeatGeneric(dst unsafe.Pointer, n int, pattern uint64) {
	fillPatternGeneric(dst, n, pattern, pattern)
}

func streamGeneric(dst, src unsafe.Pointer, lines int) {
	copy(bytesAt(dst, lines*lineBytes), bytesAt(src, lines*lineBytes))
}

func streamLineGeneric(dst, line unsafe.Pointer, lines int) {
	for i := range lines {
		copy(bytesAt(unsafe.Add(dst, i*lineBytes), lineBytes), bytesAt(line, lineBytes))
	}
}

func prefetchGeneric(src unsafe.Pointer, n int) {}

func streamEndGeneric() {}
