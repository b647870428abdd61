package onehot

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file fills cells with one value: those of a layout, of one run, of a
// small call, or a few bytes. The routes that scatter fill with off here first.
// A plan.Filler says how, by a kernel or in Go; for a small call fillSmall
// decides. Nothing here reads an index.

// fillLayout fills the cells of a layout with off, in runs as long as can be.
func fillLayout[E any](dst []E, off E, l *layout, f plan.Filler) {
	run, runs := l.inner, l.depth
	if l.inner == l.plane {
		run, runs = l.inner*l.depth, 1
		if l.stride == run {
			fillRun(dst[:run*l.outer], off, f)
			return
		}
	}
	switch {
	case runs == 1:
		fillRuns(dst, off, run, l.outer, l.stride, f)
		return
	case run*int(unsafe.Sizeof(off)) > plan.LongestRun():
	case l.stride == l.depth*l.plane: // the planes of all blocks are equally far apart
		fillRuns(dst, off, run, runs*l.outer, l.plane, f)
		return
	case runs <= plan.FewRuns && runs < l.outer: // those of one class are, too
		for d := range runs {
			fillRuns(dst[d*l.plane:], off, run, l.outer, l.stride, f)
		}
		return
	}
	for o := range l.outer {
		fillRuns(dst[o*l.stride:], off, run, runs, l.plane, f)
	}
}

// fillRuns fills runs of run cells each, which start apart elements apart.
func fillRuns[E any](dst []E, off E, run, runs, apart int, f plan.Filler) {
	size := int(unsafe.Sizeof(off))
	switch bytes := run * size; {
	case !isString[E]() && bytes <= plan.LongestRun():
		elementOf(off).repeated(size).fillShortRuns(unsafe.Pointer(unsafe.SliceData(dst)), bytes, runs, apart*size)
	case f == plan.FillGo && bytes <= plan.SeedBytes && runs > 0: // without indices there is not even a first run
		first, zero := dst[:run], elementOf(off) == (element{})
		fillGeneric(first, off)
		for r := 1; r < runs; r++ {
			if cells := dst[r*apart:][:run]; zero {
				clearPiece(cells)
			} else {
				repeatPiece(cells, first)
			}
		}
	default:
		for r := range runs {
			fillRun(dst[r*apart:][:run], off, f)
		}
	}
}

// fillShortRuns fills runs of 1 to plan.LongestRun bytes, which start apart
// bytes apart, with e, which repeats one value.
func (e element) fillShortRuns(to unsafe.Pointer, bytes, runs, apart int) {
	if bytes >= plan.LeastRun && tier.Active() != tier.GenericPath {
		race.Runs(to, apart, runs, bytes, true)
		for first, some := 0, plan.CallBytes/bytes; first < runs; first += some {
			fillRunsOf(unsafe.Add(to, first*apart), bytes, min(runs-first, some), apart, e.lo, e.hi)
		}
		return
	}
	pattern := [4]element{e, e, e, e}
	switch {
	case bytes >= 64:
		fillPairs[[64]byte](to, &pattern, bytes, runs, apart)
	case bytes >= 32:
		fillPairs[[32]byte](to, &pattern, bytes, runs, apart)
	case bytes >= 16:
		fillPairs[[16]byte](to, &pattern, bytes, runs, apart)
	case bytes >= 8:
		fillPairs[[8]byte](to, &pattern, bytes, runs, apart)
	case bytes >= 4:
		fillPairs[[4]byte](to, &pattern, bytes, runs, apart)
	case bytes >= 2:
		fillPairs[[2]byte](to, &pattern, bytes, runs, apart)
	default:
		fillPairs[[1]byte](to, &pattern, bytes, runs, apart)
	}
}

// fillPairs is storeTwice for several runs, each of one to two units. With
// calls of storeTwice, runs of 40 bytes took 2.5 times as long.
func fillPairs[U any](to unsafe.Pointer, pattern *[4]element, bytes, runs, apart int) {
	unit := *(*U)(unsafe.Pointer(pattern))
	for r := range runs {
		first := unsafe.Add(to, r*apart)
		*(*U)(first) = unit
		*(*U)(unsafe.Add(first, bytes-int(unsafe.Sizeof(unit)))) = unit
	}
}

// fillRun fills one run of cells.
func fillRun[E any](dst []E, off E, f plan.Filler) {
	size := int(unsafe.Sizeof(off))
	if f == plan.FillGo || len(dst)*size < plan.Least {
		fillGeneric(dst, off)
		return
	}
	ptr, left := unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*size
	race.Range(ptr, left, true)
	pattern := elementOf(off).repeated(size)
	if f == plan.FillStream {
		streamFill(ptr, left, pattern)
		return
	}
	for left > 0 {
		n := plan.Take(left, plan.CallBytes, plan.Least)
		if f == plan.FillRepeat && pattern.lo == pattern.hi && n >= 2*lineBytes { // as many as the kernel takes
			fillRepeatOf(ptr, n, pattern.lo)
		} else {
			fillPatternOf(ptr, n, pattern.lo, pattern.hi)
		}
		if left -= n; left > 0 { // a pointer past the last element may be to another object
			ptr = unsafe.Add(ptr, n)
		}
	}
}

// fillGeneric fills dst with off in Go: by clear if all bits of off are zero,
// otherwise by copies that double.
func fillGeneric[E any](dst []E, off E) {
	size := int(unsafe.Sizeof(off))
	if elementOf(off) == (element{}) { // not off == 0, which is true of -0.0
		for ; len(dst)*size > plan.CallBytes; dst = dst[plan.CallBytes/size:] {
			clearPiece(dst[:plan.CallBytes/size])
		}
		clearPiece(dst)
		return
	}
	if len(dst) == 0 {
		return
	}
	dst[0] = off
	repeat(dst, 1)
}

// repeat fills dst with copies of its first seed elements.
func repeat[E any](dst []E, seed int) {
	size := int(unsafe.Sizeof(dst[0]))
	for seed < len(dst) && seed*size < plan.SeedBytes {
		seed += copy(dst[seed:], dst[:seed])
	}
	for rest := dst[seed:]; len(rest) > 0; {
		n := min(len(rest), max(plan.CallBytes/(seed*size), 1)*seed)
		repeatPiece(rest[:n], dst[:seed])
		rest = rest[n:]
	}
}

// clearPiece and repeatPiece are not inlined, so that a garbage collection can
// stop the goroutine at their calls. It cannot in clear or copy, and hardly
// ever in a loop around these, which has few instructions of its own.
//
// From plan.SmallClear bytes on, clear is string stores on amd64. From within a
// word of 8 bytes they take 2 to 8 times as long on a Granite Rapids, so that a
// store of its own reaches the next word.
//
//go:noinline
func clearPiece[E any](dst []E) {
	const word = 8
	to, bytes := unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*int(unsafe.Sizeof(*new(E)))
	race.Range(to, bytes, true) // clear is not instrumented
	if head := int(-uintptr(to) % word); head != 0 && bytes >= plan.SmallClear && !isString[E]() {
		*(*[word]byte)(to) = [word]byte{}
		clear(bytesAt(unsafe.Add(to, head), bytes-head))
		return
	}
	clear(dst)
}

//go:noinline
func repeatPiece[E any](dst, seed []E) {
	for len(dst) > 0 {
		dst = dst[copy(dst, seed):]
	}
}

// fillSmall fills the cells of a small call, at most plan.CallBytes, with off.
// stores is how many of them are stored afterwards.
func fillSmall[E any](cells []E, off E, stores int) {
	to, bytes, bits := unsafe.Pointer(unsafe.SliceData(cells)), len(cells)*int(unsafe.Sizeof(off)), elementOf(off)
	switch zero := !isString[E]() && bits.lo|bits.hi == 0; {
	case zero && plan.ZeroesByStores(bytes):
		zeroSmall(to, bytes)
	case !isString[E]() && plan.RepeatsSmall(bytes, stores):
		fillRun(cells, off, plan.FillRepeat)
	case zero && plan.ZeroesByKernel(bytes):
		race.Range(to, bytes, true)
		fillZeroOf(to, bytes)
	case zero:
		clearPiece(cells)
	case !isString[E]() && plan.SmallStore <= bytes && bytes <= plan.SmallPattern:
		bits.repeated(int(unsafe.Sizeof(off))).fill(to, bytes)
	case !isString[E]() && 8 <= bytes && bytes < plan.SmallStore:
		pattern := bits.repeated(int(unsafe.Sizeof(off)))
		storeTwice[[8]byte](to, bytes, &pattern)
	case !isString[E]() && bytes >= plan.Least && tier.Active() != tier.GenericPath:
		race.Range(to, bytes, true)
		pattern := bits.repeated(int(unsafe.Sizeof(off)))
		fillPatternOf(to, bytes, pattern.lo, pattern.hi)
	case len(cells) >= plan.SmallCopies:
		fillGeneric(cells, off)
	default:
		fillEach(cells, off)
	}
}

// fillEach writes off to each of a few cells. Inlined, its loop took up to 1.3
// times as long.
//
//go:noinline
func fillEach[E any](cells []E, off E) {
	for i := range cells {
		cells[i] = off
	}
}

// zeroSmall zeroes plan.SmallStore bytes or more, up to four stores at a time.
// The last stores end where the bytes do, and may overlap those before.
func zeroSmall(p unsafe.Pointer, bytes int) {
	const two, four = 2 * plan.SmallStore, 4 * plan.SmallStore
	switch {
	case bytes >= four:
		for i := 0; i < bytes-four; i += four {
			*(*[four]byte)(unsafe.Add(p, i)) = [four]byte{}
		}
		*(*[four]byte)(unsafe.Add(p, bytes-four)) = [four]byte{}
	case bytes >= two:
		*(*[two]byte)(p) = [two]byte{}
		*(*[two]byte)(unsafe.Add(p, bytes-two)) = [two]byte{}
	default:
		*(*[plan.SmallStore]byte)(p) = [plan.SmallStore]byte{}
		*(*[plan.SmallStore]byte)(unsafe.Add(p, bytes-plan.SmallStore)) = [plan.SmallStore]byte{}
	}
}

// repeated returns 16 bytes in which e repeats, a value of the given width.
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

// fill writes e, which repeats one value, to plan.SmallStore bytes or more.
func (e element) fill(p unsafe.Pointer, bytes int) {
	for i := 0; ; i = min(i+plan.SmallStore, bytes-plan.SmallStore) {
		to := (*[plan.SmallStore]byte)(unsafe.Add(p, i))
		binary.NativeEndian.PutUint64(to[:8], e.lo)
		binary.NativeEndian.PutUint64(to[8:], e.hi)
		if i == bytes-plan.SmallStore {
			return
		}
	}
}

// fillFew is fill for any number of bytes from 1 on.
func (e *element) fillFew(p unsafe.Pointer, bytes int) {
	switch {
	case bytes >= plan.SmallStore:
		e.fill(p, bytes)
	case bytes >= 8:
		storeTwice[[8]byte](p, bytes, e)
	case bytes >= 4:
		storeTwice[[4]byte](p, bytes, e)
	case bytes >= 2:
		storeTwice[[2]byte](p, bytes, e)
	default:
		storeTwice[[1]byte](p, bytes, e)
	}
}

// fillAt writes e, which repeats one value, to the runs of a list: run r starts
// r*apart bytes after first. It decides once how to store a run. Deciding for
// each run took up to twice as long.
func (e *element) fillAt(first unsafe.Pointer, apart, bytes int, runs []uint16) {
	switch {
	case bytes > plan.SmallPattern:
		for _, r := range runs {
			fillPatternOf(unsafe.Add(first, int(r)*apart), bytes, e.lo, e.hi)
		}
	case bytes > 2*plan.SmallStore:
		for _, r := range runs {
			e.fill(unsafe.Add(first, int(r)*apart), bytes)
		}
	case bytes >= 16:
		storeAt[[16]byte](first, apart, bytes, runs, e)
	case bytes >= 8:
		storeAt[[8]byte](first, apart, bytes, runs, e)
	case bytes >= 4:
		storeAt[[4]byte](first, apart, bytes, runs, e)
	case bytes >= 2:
		storeAt[[2]byte](first, apart, bytes, runs, e)
	default:
		storeAt[[1]byte](first, apart, bytes, runs, e)
	}
}

// storeAt is storeTwice for the runs of a list, as fillAt takes it.
func storeAt[U any](first unsafe.Pointer, apart, bytes int, runs []uint16, e *element) {
	for _, r := range runs {
		storeTwice[U](unsafe.Add(first, int(r)*apart), bytes, e)
	}
}

// storeTwice stores the first unit of a pattern to the start and to the end of
// n bytes, which are one to two units.
func storeTwice[U any](p unsafe.Pointer, n int, pattern *element) {
	*(*U)(p) = *(*U)(unsafe.Pointer(pattern))
	*(*U)(unsafe.Add(p, n-int(unsafe.Sizeof(*new(U))))) = *(*U)(unsafe.Pointer(pattern))
}
