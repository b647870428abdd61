//go:build !purego

package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/tier"
)

// streams tells that there are non-temporal stores.
const streams = true

// boardKernels tells that there are kernels for blocks of a few vectors.
const boardKernels = true

// classesKernel runs the index stage of a tier on n >= 16 indices.
func classesKernel(classes *int32, indices unsafe.Pointer, n int, typ IndexType, depth, wrap int32) (misses int) {
	if tier.AVX512 {
		switch typ {
		case Int8:
			return classesI8AVX512(classes, indices, n, depth, wrap)
		case Uint8:
			return classesU8AVX512(classes, indices, n, depth, wrap)
		case Int16:
			return classesI16AVX512(classes, indices, n, depth, wrap)
		case Uint16:
			return classesU16AVX512(classes, indices, n, depth, wrap)
		case Int32, Uint32:
			return classesI32AVX512(classes, indices, n, depth, wrap)
		case Int64, Uint64:
			return classesI64AVX512(classes, indices, n, depth, wrap)
		case Float32:
			return classesF32AVX512(classes, indices, n, depth, wrap)
		}
		return classesF64AVX512(classes, indices, n, depth, wrap)
	}
	switch typ {
	case Int8:
		return classesI8AVX2(classes, indices, n, depth, wrap)
	case Uint8:
		return classesU8AVX2(classes, indices, n, depth, wrap)
	case Int16:
		return classesI16AVX2(classes, indices, n, depth, wrap)
	case Uint16:
		return classesU16AVX2(classes, indices, n, depth, wrap)
	case Int32, Uint32:
		return classesI32AVX2(classes, indices, n, depth, wrap)
	case Int64, Uint64:
		return classesI64AVX2(classes, indices, n, depth, wrap)
	case Float32:
		return classesF32AVX2(classes, indices, n, depth, wrap)
	}
	return classesF64AVX2(classes, indices, n, depth, wrap)
}

// classesText is the index stage for n >= minText bytes; a class of limit or more
// is a miss.
func classesText(classes *int32, text unsafe.Pointer, n int, table *textTable, limit int32) (misses int) {
	if tier.AVX512 {
		return classesTextAVX512(classes, text, n, unsafe.Pointer(table), table.count, limit)
	}
	return classesTextAVX2(classes, text, n, unsafe.Pointer(table), table.count, limit)
}

// resizeLanes writes classes as lanes of 1, 2 or 8 bytes; those of 1 and 2
// count from first.
func resizeLanes(width int, lanes unsafe.Pointer, classes []int32, first int) {
	c, n, from := &classes[0], len(classes), int32(first)
	switch {
	case tier.AVX512 && width == 1:
		narrow8AVX512(lanes, c, n, from)
	case tier.AVX512 && width == 2:
		narrow16AVX512(lanes, c, n, from)
	case tier.AVX512:
		widen64AVX512(lanes, c, n)
	case width == 1:
		narrow8AVX2(lanes, c, n, from)
	case width == 2:
		narrow16AVX2(lanes, c, n, from)
	default:
		widen64AVX2(lanes, c, n)
	}
}

// expandLanes writes shallow rows from lanes of the element's width.
func expandLanes(width int, dst, lanes unsafe.Pointer, rows, depth int, on, off uint64) {
	magic, shift := reciprocal(depth)
	if tier.AVX512 {
		switch width {
		case 1:
			expand8AVX512(dst, lanes, rows, depth, on, off, magic, shift)
		case 2:
			expand16AVX512(dst, lanes, rows, depth, on, off, magic, shift)
		case 4:
			expand32AVX512(dst, lanes, rows, depth, on, off, magic, shift)
		default:
			expand64AVX512(dst, lanes, rows, depth, on, off, magic, shift)
		}
		return
	}
	switch width {
	case 1:
		expand8AVX2(dst, lanes, rows, depth, on, off, magic, shift)
	case 2:
		expand16AVX2(dst, lanes, rows, depth, on, off, magic, shift)
	case 4:
		expand32AVX2(dst, lanes, rows, depth, on, off, magic, shift)
	default:
		expand64AVX2(dst, lanes, rows, depth, on, off, magic, shift)
	}
}

// fuses tells that one kernel has both stages of a job: int64 labels to rows of
// float32, or what else has 4 bytes, whose depth divides a vector. At 16 the
// rows outweigh the classes, and its two streams of output cost more than the
// one of expand.
func fuses(j *job) bool {
	return j.width == 4 && (j.in.typ == Int64 || j.in.typ == Uint64) &&
		(j.depth == 2 || j.depth == 4 || j.depth == 8)
}

// expandFused writes shallow rows from int64 indices.
func expandFused(dst, indices unsafe.Pointer, rows, depth int, on, off uint64, wrap int) (misses int) {
	if tier.AVX512 {
		return expandI64by32AVX512(dst, indices, rows, depth, on, off, wrap)
	}
	return expandI64by32AVX2(dst, indices, rows, depth, on, off, wrap)
}

// planesOf writes n columns of count planes, stride bytes apart, from lanes of
// the element's width.
func planesOf(width int, dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64) {
	if tier.AVX512 {
		switch width {
		case 1:
			planes8AVX512(dst, stride, lanes, n, first, count, on, off)
		case 2:
			planes16AVX512(dst, stride, lanes, n, first, count, on, off)
		case 4:
			planes32AVX512(dst, stride, lanes, n, first, count, on, off)
		default:
			planes64AVX512(dst, stride, lanes, n, first, count, on, off)
		}
		return
	}
	switch width {
	case 1:
		planes8AVX2(dst, stride, lanes, n, first, count, on, off)
	case 2:
		planes16AVX2(dst, stride, lanes, n, first, count, on, off)
	case 4:
		planes32AVX2(dst, stride, lanes, n, first, count, on, off)
	default:
		planes64AVX2(dst, stride, lanes, n, first, count, on, off)
	}
}

// boardsOf writes blocks, stride bytes apart, of count planes of n columns, apart
// bytes apart, from lanes of the element's width.
func boardsOf(width int, dst unsafe.Pointer, stride, apart int, lanes unsafe.Pointer, blocks, n, first, count int, on, off uint64) {
	if tier.AVX512 {
		switch width {
		case 1:
			boards8AVX512(dst, stride, apart, lanes, blocks, n, first, count, on, off)
		case 2:
			boards16AVX512(dst, stride, apart, lanes, blocks, n, first, count, on, off)
		case 4:
			boards32AVX512(dst, stride, apart, lanes, blocks, n, first, count, on, off)
		default:
			boards64AVX512(dst, stride, apart, lanes, blocks, n, first, count, on, off)
		}
		return
	}
	switch width {
	case 1:
		boards8AVX2(dst, stride, apart, lanes, blocks, n, first, count, on, off)
	case 2:
		boards16AVX2(dst, stride, apart, lanes, blocks, n, first, count, on, off)
	case 4:
		boards32AVX2(dst, stride, apart, lanes, blocks, n, first, count, on, off)
	default:
		boards64AVX2(dst, stride, apart, lanes, blocks, n, first, count, on, off)
	}
}

// bitsOf writes n bits of count planes, stride bytes apart, from lanes of a
// byte; n is a multiple of 64.
func bitsOf(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int) {
	if tier.AVX512 {
		bitsAVX512(dst, stride, lanes, n, first, count)
	} else {
		bitsAVX2(dst, stride, lanes, n, first, count)
	}
}

// hitsOf sets a bit of words for each of n >= 64 cells that is on, and returns 0
// if all the others are off.
func hitsOf(width int, words, cells unsafe.Pointer, n int, on, off uint64) (neither int) {
	if tier.AVX512 {
		switch width {
		case 1:
			return hits8AVX512(words, cells, n, on, off)
		case 2:
			return hits16AVX512(words, cells, n, on, off)
		case 4:
			return hits32AVX512(words, cells, n, on, off)
		}
		return hits64AVX512(words, cells, n, on, off)
	}
	switch width {
	case 1:
		return hits8AVX2(words, cells, n, on, off)
	case 2:
		return hits16AVX2(words, cells, n, on, off)
	case 4:
		return hits32AVX2(words, cells, n, on, off)
	}
	return hits64AVX2(words, cells, n, on, off)
}

// collectOf gives the lanes of n columns the class of each of count planes,
// stride bytes apart, in which the column is on, and returns how many cells are,
// or -1 if one is neither on nor off.
func collectOf(width int, lanes, cells unsafe.Pointer, stride, n, first, count int, on, off uint64) (hits int) {
	if tier.AVX512 {
		switch width {
		case 1:
			return collect8AVX512(lanes, cells, stride, n, first, count, on, off)
		case 2:
			return collect16AVX512(lanes, cells, stride, n, first, count, on, off)
		case 4:
			return collect32AVX512(lanes, cells, stride, n, first, count, on, off)
		}
		return collect64AVX512(lanes, cells, stride, n, first, count, on, off)
	}
	switch width {
	case 1:
		return collect8AVX2(lanes, cells, stride, n, first, count, on, off)
	case 2:
		return collect16AVX2(lanes, cells, stride, n, first, count, on, off)
	case 4:
		return collect32AVX2(lanes, cells, stride, n, first, count, on, off)
	}
	return collect64AVX2(lanes, cells, stride, n, first, count, on, off)
}

// marksOf sets the bits of a column in count planes of n words, stride bytes
// apart.
func marksOf(words unsafe.Pointer, stride int, classes *int32, n, first, count int) {
	if tier.AVX512 {
		marksAVX512(words, stride, classes, n, first, count)
	} else {
		marksAVX2(words, stride, classes, n, first, count)
	}
}

// setMarksOf sets the bits of rows of k >= minSet classes in pairs of planes of
// words, apart bytes apart.
func setMarksOf(words unsafe.Pointer, apart int, classes *int32, rows, k, pairs int) {
	if tier.AVX512 && k >= 8 {
		setMarksAVX512(words, apart, classes, rows, k, pairs)
	} else {
		setMarksAVX2(words, apart, classes, rows, k, pairs)
	}
}

// spreadOf writes rows of cells, stride bytes apart, from planes of words that
// are apart bytes apart, and less than a vector behind each row.
func spreadOf(width int, dst unsafe.Pointer, stride int, words unsafe.Pointer, apart, rows, cells int, on, off uint64) {
	if tier.AVX512 {
		switch width {
		case 1:
			spread8AVX512(dst, stride, words, apart, rows, cells, on, off)
		case 2:
			spread16AVX512(dst, stride, words, apart, rows, cells, on, off)
		case 4:
			spread32AVX512(dst, stride, words, apart, rows, cells, on, off)
		default:
			spread64AVX512(dst, stride, words, apart, rows, cells, on, off)
		}
		return
	}
	switch width {
	case 1:
		spread8AVX2(dst, stride, words, apart, rows, cells, on, off)
	case 2:
		spread16AVX2(dst, stride, words, apart, rows, cells, on, off)
	case 4:
		spread32AVX2(dst, stride, words, apart, rows, cells, on, off)
	default:
		spread64AVX2(dst, stride, words, apart, rows, cells, on, off)
	}
}

// differOf sets a bit of words for each of n >= 64 elements in which a and b
// differ.
func differOf(width int, words, a, b unsafe.Pointer, n int) {
	if tier.AVX512 {
		switch width {
		case 1:
			differ8AVX512(words, a, b, n)
		case 2:
			differ16AVX512(words, a, b, n)
		case 4:
			differ32AVX512(words, a, b, n)
		default:
			differ64AVX512(words, a, b, n)
		}
		return
	}
	switch width {
	case 1:
		differ8AVX2(words, a, b, n)
	case 2:
		differ16AVX2(words, a, b, n)
	case 4:
		differ32AVX2(words, a, b, n)
	default:
		differ64AVX2(words, a, b, n)
	}
}

// fillBytes fills n >= minFill bytes with a 16-byte pattern.
func fillBytes(dst unsafe.Pointer, n int, pattern element, f filler) {
	switch {
	case f == fillString && pattern.lo == pattern.hi:
		fillSTOS(dst, n, pattern.lo)
	case tier.AVX512:
		fillAVX512(dst, n, pattern.lo, pattern.hi)
	default:
		fillAVX2(dst, n, pattern.lo, pattern.hi)
	}
}

// streamKernel copies lines past the caches; dst starts one.
func streamKernel(dst, src unsafe.Pointer, lines int) {
	streamAVX2(dst, src, lines)
}

// streamPlanesOf writes n columns of one plane past the caches; dst starts a
// line, and n makes whole ones.
func streamPlanesOf(width int, dst, lanes unsafe.Pointer, n, class int, on, off uint64) {
	switch width {
	case 1:
		streamPlanes8AVX2(dst, 0, lanes, n, class, 1, on, off)
	case 2:
		streamPlanes16AVX2(dst, 0, lanes, n, class, 1, on, off)
	case 4:
		streamPlanes32AVX2(dst, 0, lanes, n, class, 1, on, off)
	default:
		streamPlanes64AVX2(dst, 0, lanes, n, class, 1, on, off)
	}
}
