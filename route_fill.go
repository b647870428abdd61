package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// fillLayout fills the cells of a layout with off, in runs as long as the
// layout has them.
func fillLayout[E any](dst []E, off E, l *layout, f plan.Filler) {
	run, runs := l.inner, l.depth
	if l.inner == l.plane {
		run, runs = l.inner*l.depth, 1
		if l.stride == run {
			fillRun(dst[:run*l.outer], off, f)
			return
		}
	}
	for o := range l.outer {
		for d := range runs {
			fillRun(dst[o*l.stride+d*l.plane:][:run], off, f)
		}
	}
}

// fillRun fills a run of cells.
func fillRun[E any](dst []E, off E, f plan.Filler) {
	size := int(unsafe.Sizeof(off))
	if f == plan.FillGo || len(dst)*size < plan.Least {
		fillGeneric(dst, off)
		return
	}
	ptr, left := unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*size
	raceRange(ptr, left, true)
	pattern := elementOf(off).repeated(size)
	for left > 0 {
		n := plan.Take(left, plan.CallBytes, plan.Least)
		if f == plan.FillString && size < 16 {
			fillStringOf(ptr, n, pattern.lo)
		} else {
			fillPatternOf(ptr, n, pattern.lo, pattern.hi)
		}
		if left -= n; left > 0 { // a pointer behind the last element may be to nothing
			ptr = unsafe.Add(ptr, n)
		}
	}
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
