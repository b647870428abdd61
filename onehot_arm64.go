//go:build !purego

package onehot

import "unsafe"

// streams tells that there are non-temporal stores. arm64 has STNP, a hint, but
// the model gives it no advantage: 2.00 cycles per 64 bytes as for ordinary
// stores on neoverse-v2, 4.00 instead of 2.00 on neoverse-n1, 8.00 for either on
// cortex-a76. (apple-m1's says 1.00, as it counts a pair as one store.) These
// cores notice long runs of whole lines themselves and do not read what such
// stores replace, and clear zeroes whole lines by DC ZVA.
const streams = false

// classesKernel runs the index stage on n >= minClasses indices.
func classesKernel(classes *int32, indices unsafe.Pointer, n int, typ IndexType, depth, wrap int32) (misses int) {
	switch typ {
	case Int8:
		return classesI8NEON(classes, indices, n, depth, wrap)
	case Uint8:
		return classesU8NEON(classes, indices, n, depth, wrap)
	case Int16:
		return classesI16NEON(classes, indices, n, depth, wrap)
	case Uint16:
		return classesU16NEON(classes, indices, n, depth, wrap)
	case Int32, Uint32:
		return classesI32NEON(classes, indices, n, depth, wrap)
	case Int64, Uint64:
		return classesI64NEON(classes, indices, n, depth, wrap)
	case Float32:
		return classesF32NEON(classes, indices, n, depth, wrap)
	}
	return classesF64NEON(classes, indices, n, depth, wrap)
}

// classesText is the index stage for n >= minText bytes; a class of limit or more
// is a miss.
func classesText(classes *int32, text unsafe.Pointer, n int, table *textTable, limit int32) (misses int) {
	return classesTextNEON(classes, text, n, unsafe.Pointer(table), table.count, limit)
}

// resizeLanes writes classes as lanes of 1, 2 or 8 bytes; those of 1 and 2
// count from first.
func resizeLanes(width int, lanes unsafe.Pointer, classes []int32, first int) {
	c, n := &classes[0], len(classes)
	switch width {
	case 1:
		narrow8NEON(lanes, c, n, int32(first))
	case 2:
		narrow16NEON(lanes, c, n, int32(first))
	default:
		widen64NEON(lanes, c, n)
	}
}

// expandLanes writes shallow rows from lanes of the element's width.
func expandLanes(width int, dst, lanes unsafe.Pointer, rows, depth int, on, off uint64) {
	const magic, shift = 0, 0 // for kernels that divide; these carry rows on from vector to vector
	switch width {
	case 1:
		expand8NEON(dst, lanes, rows, depth, on, off, magic, shift)
	case 2:
		expand16NEON(dst, lanes, rows, depth, on, off, magic, shift)
	case 4:
		expand32NEON(dst, lanes, rows, depth, on, off, magic, shift)
	default:
		expand64NEON(dst, lanes, rows, depth, on, off, magic, shift)
	}
}

// fuses tells that one kernel has both stages of a job: none has here.
func fuses(*job) bool { return false }

func expandFused(dst, indices unsafe.Pointer, rows, depth int, on, off uint64, wrap int) (misses int) {
	return 0
}

// planesOf writes n columns of count planes, stride bytes apart, from lanes of
// the element's width.
func planesOf(width int, dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64) {
	switch width {
	case 1:
		planes8NEON(dst, stride, lanes, n, first, count, on, off)
	case 2:
		planes16NEON(dst, stride, lanes, n, first, count, on, off)
	case 4:
		planes32NEON(dst, stride, lanes, n, first, count, on, off)
	default:
		planes64NEON(dst, stride, lanes, n, first, count, on, off)
	}
}

// A bitSlices is room for the slices of up to sliceLanes lanes and as many again
// as make a line of a plane, and behind each for the word that the kernel adds.
type bitSlices [8][(sliceLanes+minSlice)/8 + 8]byte

const (
	sliceLanes = 1024
	minSlice   = lineBytes * 8
)

// boardKernels tells that there are kernels for blocks of a few vectors: planes
// writes those of NEON.
const boardKernels = false

func boardsOf(width int, dst unsafe.Pointer, stride, apart int, lanes unsafe.Pointer, blocks, n, first, count int, on, off uint64) {
}

// bitsOf writes n bits of count planes, stride bytes apart, from lanes of a
// byte; n is a multiple of 64.
func bitsOf(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int) {
	var slices bitSlices
	ptr, apart := unsafe.Pointer(&slices), len(slices[0])
	for n > 0 {
		part := take(n, sliceLanes, minSlice)
		slicesNEON(ptr, apart, lanes, part, first)
		bitsNEON(dst, stride, ptr, apart, part, count)
		if n -= part; n > 0 { // behind the last lane lies other memory
			dst, lanes = unsafe.Add(dst, part/8), unsafe.Add(lanes, part)
		}
	}
}

// hitsOf sets a bit of words for each of n >= 64 cells that is on, and returns 0
// if all the others are off.
func hitsOf(width int, words, cells unsafe.Pointer, n int, on, off uint64) (neither int) {
	switch width {
	case 1:
		return hits8NEON(words, cells, n, on, off)
	case 2:
		return hits16NEON(words, cells, n, on, off)
	case 4:
		return hits32NEON(words, cells, n, on, off)
	}
	return hits64NEON(words, cells, n, on, off)
}

// collectOf gives the lanes of n columns the class of each of count planes,
// stride bytes apart, in which the column is on, and returns how many cells are,
// or -1 if one is neither on nor off.
func collectOf(width int, lanes, cells unsafe.Pointer, stride, n, first, count int, on, off uint64) (hits int) {
	switch width {
	case 1:
		return collect8NEON(lanes, cells, stride, n, first, count, on, off)
	case 2:
		return collect16NEON(lanes, cells, stride, n, first, count, on, off)
	case 4:
		return collect32NEON(lanes, cells, stride, n, first, count, on, off)
	}
	return collect64NEON(lanes, cells, stride, n, first, count, on, off)
}

// marksOf sets the bits of a column in count planes of n words, stride bytes
// apart.
func marksOf(words unsafe.Pointer, stride int, classes *int32, n, first, count int) {
	marksNEON(words, stride, classes, n, first, count)
}

// setMarksOf is never reached: no plan makes bits of sets here.
func setMarksOf(words unsafe.Pointer, apart int, classes *int32, rows, k, pairs int) {}

// spreadOf writes rows of cells, stride bytes apart, from planes of words that
// are apart bytes apart, and less than a vector behind each row.
func spreadOf(width int, dst unsafe.Pointer, stride int, words unsafe.Pointer, apart, rows, cells int, on, off uint64) {
	switch width {
	case 1:
		spread8NEON(dst, stride, words, apart, rows, cells, on, off)
	case 2:
		spread16NEON(dst, stride, words, apart, rows, cells, on, off)
	case 4:
		spread32NEON(dst, stride, words, apart, rows, cells, on, off)
	default:
		spread64NEON(dst, stride, words, apart, rows, cells, on, off)
	}
}

// differOf sets a bit of words for each of n >= 64 elements in which a and b
// differ.
func differOf(width int, words, a, b unsafe.Pointer, n int) {
	switch width {
	case 1:
		differ8NEON(words, a, b, n)
	case 2:
		differ16NEON(words, a, b, n)
	case 4:
		differ32NEON(words, a, b, n)
	default:
		differ64NEON(words, a, b, n)
	}
}

// fillBytes fills n >= minFill bytes with a 16-byte pattern.
func fillBytes(dst unsafe.Pointer, n int, pattern element, _ filler) {
	fillNEON(dst, n, pattern.lo, pattern.hi)
}

// streamKernel is never reached: no plan streams here.
func streamKernel(dst, src unsafe.Pointer, lines int) {
	copy(unsafe.Slice((*byte)(dst), lines*lineBytes), unsafe.Slice((*byte)(src), lines*lineBytes))
}

// streamPlanesOf is never reached either.
func streamPlanesOf(width int, dst, lanes unsafe.Pointer, n, class int, on, off uint64) {
	planesOf(width, dst, 0, lanes, n, class, 1, on, off)
}

// streamEnd orders what streamKernel stored before what follows.
func streamEnd() {}
