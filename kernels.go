//go:build (amd64 || arm64) && !purego

package onehot

import (
	"math/bits"
	"unsafe"
)

// This file stands between the routes and the kernels: what kernels take for
// granted is made true here.

const (
	minText = 64 // bytes of the one for text
	minFill = 64 // bytes of a fill
)

// classesOf is the index stage for indices of any type at any address.
func classesOf(classes []int32, in *input, depth, wrap int) (misses int) {
	raceRange(in.ptr, len(classes)*in.size(), false)
	switch in.typ {
	case textIndex:
		if len(classes) >= minText {
			return classesText(&classes[0], in.ptr, len(classes), &in.alphabet.lookup, int32(min(depth, in.alphabet.Len())))
		}
		return classesStaged(classes, in, depth, wrap)
	case Float16, BFloat16:
		return classesStaged(classes, in, depth, wrap)
	case Uint32, Uint64: // they share the kernels of the signed types
		wrap = 0
	}
	return classesKernel(&classes[0], in.ptr, len(classes), in.typ, int32(depth), int32(wrap))
}

// classesStaged is classesOf for indices that a kernel has no load for.
func classesStaged(classes []int32, in *input, depth, wrap int) (misses int) {
	var s stage
	rest := *in
	for len(classes) > 0 {
		n := take(len(classes), len(s)-minClasses, minClasses)
		ready := rest.load(&s, n)
		misses += classesKernel(&classes[0], ready.ptr, n, ready.typ, int32(depth), int32(wrap))
		if classes = classes[n:]; len(classes) > 0 { // behind the last index lies other memory
			rest = rest.from(n)
		}
	}
	return misses
}

// reciprocal returns magic and shift such that e/depth is e*magic>>(16+shift)
// for the elements e of a block of rows, 2 <= depth <= 255.
func reciprocal(depth int) (magic, shift int) {
	shift = bits.Len(uint(depth-1)) - 1
	return ((1<<(16+shift) + depth - 1) / depth), shift
}

// lightSetsOf lights the cells of k classes in each row, rows stride bytes
// apart; what has no class goes to spare.
func lightSetsOf(width int, dst unsafe.Pointer, stride int, classes *int32, rows, k int, on uint64, spare unsafe.Pointer) {
	switch width {
	case 1:
		lightSets8(dst, stride, classes, rows, k, on, spare)
	case 2:
		lightSets16(dst, stride, classes, rows, k, on, spare)
	case 4:
		lightSets32(dst, stride, classes, rows, k, on, spare)
	default:
		lightSets64(dst, stride, classes, rows, k, on, spare)
	}
}

// fillRun fills a run of cells.
func fillRun[E any](dst []E, off E, f filler) {
	if f == fillGo || len(dst)*int(unsafe.Sizeof(off)) < minFill {
		fillGeneric(dst, off)
		return
	}
	ptr, left := unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*int(unsafe.Sizeof(off))
	raceRange(ptr, left, true)
	pattern := elementOf(off).repeated(int(unsafe.Sizeof(off)))
	for ; left >= clearBytes+minFill; left -= clearBytes {
		fillBytes(ptr, clearBytes, pattern, f)
		ptr = unsafe.Add(ptr, clearBytes)
	}
	fillBytes(ptr, left, pattern, f)
}

// repeated returns 16 bytes full of a value of that width.
func (e element) repeated(width int) element {
	switch width {
	case 1:
		e.lo *= 0x0101010101010101
	case 2:
		e.lo *= 0x0001000100010001
	case 4:
		e.lo *= 0x0000000100000001
	case 16:
		return e
	}
	return element{e.lo, e.lo}
}
