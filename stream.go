//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// streamRows is direct for output beyond the last-level cache: off comes from a
// scratch tile that is filled once, and goes past the caches.
func streamRows[E comparable](j *job, dst []E, on, off E) (misses int) {
	var buffer scratchBuffer
	scratch := unsafe.Slice((*E)(unsafe.Pointer(&buffer)), scratchBytes/int(unsafe.Sizeof(on)))
	fillGeneric(scratch, off)
	if j.depth > len(scratch)/2 {
		misses = streamDeep(j, dst, scratch, on)
	} else {
		misses = streamShallow(j, dst, scratch, on, off)
	}
	streamEnd()
	return misses
}

// streamShallow takes as many rows at a time as the scratch holds: it lights
// their cells in it, copies it out and darkens them again.
func streamShallow[E any](j *job, dst, scratch []E, on, off E) (misses int) {
	for t := tilesOf(j.layout, tile{len(scratch) / j.depth, 1}); t.next(); {
		in := j.in.from(t.index)
		misses += light(scratch, &in, on, &t.part, j.wrap)
		streamElements(dst[t.cell:], scratch[:t.part.need])
		light(scratch, &in, off, &t.part, j.wrap)
	}
	return misses
}

// streamDeep copies the scratch out as often as a row is long, and lights the
// cell in place.
func streamDeep[E any](j *job, dst, scratch []E, on E) (misses int) {
	for t := tilesOf(j.layout, tile{1, 1}); t.next(); {
		row := dst[t.cell:][:j.depth]
		for left := row; len(left) > 0; {
			n := min(len(left), len(scratch))
			streamElements(left, scratch[:n])
			left = left[n:]
		}
		in := j.in.from(t.index)
		misses += light(row, &in, on, &t.part, j.wrap)
	}
	return misses
}

// streamElements copies src past the caches to the start of dst.
func streamElements[E any](dst, src []E) {
	size := int(unsafe.Sizeof(src[0]))
	streamBytes(unsafe.Pointer(&dst[:len(src)][0]), unsafe.Slice((*byte)(unsafe.Pointer(&src[0])), len(src)*size))
}
