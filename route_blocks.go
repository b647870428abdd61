package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file writes rows, planes and bit planes with kernels, for jobs whose
// plan says so. It takes a block of indices at a time: one kernel turns them
// into classes, a byte each, in a buffer on the stack, and another turns these
// into cells. Small calls use the same kernels in route_small.go, and rows of
// several classes have others, in route_sets.go.

// A writer runs a job through the kernels.
type writer struct {
	*job
	*plan.Plan
	classes []byte         // of the indices of a block
	wide    unsafe.Pointer // room for the classes in all bytes of their cells, if kernels may take them so
	narrow  int            // how many classes must be widened before the next use of wide
	own     int            // how many of the classes are misses with cells of their own
	out     streamer
}

// A buffer has room for a block, and for the few indices left over that the
// last block takes along.
type (
	noBuffer      [0]byte
	smallBuffer   [plan.SmallBlock + plan.Least]byte
	mediumBuffer  [plan.MediumBlock + plan.Least]byte
	largeBuffer   [plan.LargeBlock + plan.Least]byte
	shortBuffer   [plan.WideBytes / 2]byte                                        // classes of short planes, in all bytes of their cells
	wideBuffer    [plan.WideBytes + plan.Least*maxWidth]byte                      // classes in all bytes of their cells
	bitsBuffer    [2 * (plan.BitsBlock + plan.Least)]byte                         // classes, and again those of some planes (see streamBits)
	scratchBuffer [lineBytes + plan.ScratchBytes + plan.Least*plan.StreamRow]byte // the bytes that wait, a tile, and the longest rows it takes along or a line that kernels store behind it; or bit planes, or the ends of planes
)

// A lineRoom has room for a Buffer that starts at a cache line.
type lineRoom[Buffer any] struct {
	room Buffer
	_    [lineBytes - 1]byte
}

// bytes returns the bytes of the Buffer, or nil if it has none.
func (r *lineRoom[Buffer]) bytes() []byte {
	n := len(bytesOf(&r.room))
	if n == 0 { // the line may start past the room
		return nil
	}
	return bytesAt(lineIn(unsafe.Pointer(r)), n)
}

// maxWidth is the number of bytes of the widest cell.
const maxWidth = 16

// blocks runs a job with kernels, in buffers of the sizes that its plan needs.
func (j *job) blocks(p *plan.Plan) (misses int) {
	switch {
	case p.Stream && p.Strategy == plan.BitPlanes:
		return blocksIn[bitsBuffer, noBuffer, scratchBuffer](j, p)
	case p.Stream:
		return blocksIn[largeBuffer, wideBuffer, scratchBuffer](j, p)
	case p.Wide() && j.width > 1:
		return blocksIn[largeBuffer, wideBuffer, noBuffer](j, p)
	case p.Block <= plan.SmallBlock:
		return blocksIn[smallBuffer, noBuffer, noBuffer](j, p)
	case p.Block <= plan.MediumBlock:
		return blocksIn[mediumBuffer, noBuffer, noBuffer](j, p)
	}
	return blocksIn[largeBuffer, noBuffer, noBuffer](j, p)
}

// blocksIn is blocks with buffers of the given types. Go zeroes a buffer before
// its first use, which a small job would notice.
func blocksIn[Classes, Wide, Scratch any](j *job, p *plan.Plan) (misses int) {
	var (
		classes lineRoom[Classes]
		wide    lineRoom[Wide]
		scratch lineRoom[Scratch]
	)
	w := writer{job: j, Plan: p, out: streamer{scratch: scratch.bytes()}, classes: classes.bytes(), wide: unsafe.Pointer(unsafe.SliceData(wide.bytes()))}
	switch p.Strategy {
	case plan.Rows:
		misses = w.rows()
	case plan.BitPlanes:
		misses = w.bitBlocks()
	default:
		misses = w.planeBlocks()
	}
	w.out.end(w.dst)
	return misses
}

// classify sets w.classes[at:][:n] to the classes of n indices, from the given
// index on, as input.classes does.
func (w *writer) classify(at, index, n, first, limit int) (misses int) {
	in := w.in.from(index)
	return in.classes(w.classes[at:][:n], first, limit, w.wrap)
}

// prefetch asks for up to n indices from the given one on, in a job that
// streams.
func (w *writer) prefetch(index, n int) {
	if w.Stream {
		w.in.prefetch(index, n)
	}
}

// prefetch asks for up to n indices from the given one on, where
// plan.Prefetches says so.
func (in *input) prefetch(index, n int) {
	if n = min(n, in.len-index); n > 0 && plan.Prefetches(tier.Active(), in.size()) {
		prefetchOf(in.from(index).ptr, n*in.size())
	}
}

// classes sets dst to the classes of the first len(dst) indices, less first, or
// to none where that is not in [0, limit), and returns how many are none. dst
// has at least plan.Least bytes. Indices may have any type and any address.
// first+limit and wrap are at most plan.KernelDepth.
func (in *input) classes(dst []byte, first, limit, wrap int) (misses int) {
	race.Range(in.ptr, len(dst)*in.size(), false)
	out := unsafe.Pointer(unsafe.SliceData(dst))
	switch in.typ {
	case textIndex:
		return textOf(out, in.ptr, len(dst), unsafe.Pointer(&in.alphabet.lookup), limit)
	case Float16, BFloat16:
		return in.stagedClasses(dst, first, limit, wrap)
	case Uint8:
		if limit = min(limit, 1<<8-first); limit <= 0 {
			fillGeneric(dst, none)
			return len(dst)
		}
	case Uint32, Uint64: // these share the kernels of the signed types, but none of them is negative
		wrap = 0
	}
	return classesOf(in.typ, out, in.ptr, len(dst), first, limit, wrap)
}

// stagedClasses is classes for half floats, which no kernel loads. A stage
// holds them as float32.
func (in *input) stagedClasses(dst []byte, first, limit, wrap int) (misses int) {
	var s stage
	rest := *in
	for len(dst) > 0 {
		n := plan.Take(len(dst), len(s)-plan.Least, plan.Least)
		ready := rest.load(&s, n)
		misses += classesOf(ready.typ, unsafe.Pointer(&dst[0]), ready.ptr, n, first, limit, wrap)
		if dst = dst[n:]; len(dst) > 0 { // a pointer past the last index may be to another object
			rest = rest.from(n)
		}
	}
	return misses
}

// rows writes rows, a block at a time.
func (w *writer) rows() (misses int) {
	row := w.depth * w.width
	for o := 0; o < w.outer; {
		size, stream := w.Block, w.Stream
		if o == 0 && w.First > 0 {
			size, stream = w.First, false
		}
		n := plan.Take(w.outer-o, size, plan.Least)
		missed := w.classify(0, o, n, 0, w.depth)
		w.prefetch(o+n, size)
		if w.Tiles {
			w.blend(w.out.tile(w.dst, o*row, n*row), n, missed)
			w.out.send(w.dst, 0, n*row)
		} else {
			dst := unsafe.Add(w.dst, o*row)
			race.Range(dst, n*row, true)
			if stream {
				w.streamRows(dst, n)
			} else {
				w.blend(dst, n, missed)
			}
		}
		misses += missed
		o += n
	}
	return misses
}

// streamRows is blendRows with non-temporal stores, whose kernel takes
// multiples of plan.Least rows. Ordinary stores write the rows left over.
func (w *writer) streamRows(dst unsafe.Pointer, n int) {
	whole := n &^ (plan.Least - 1)
	rowsStreamOf(w.width, dst, unsafe.Pointer(&w.classes[0]), whole, w.depth, unsafe.Pointer(&w.values))
	if n > whole {
		last := n - plan.Least
		blendRows(w.width, unsafe.Add(dst, last*w.depth*w.width), w.classes[last:n], w.depth, 0, &w.values)
	}
}

// blend writes n rows from the first n classes of the block.
func (w *writer) blend(dst unsafe.Pointer, n, misses int) {
	blendRows(w.width, dst, w.classes[:n], w.depth, ownMisses(w.hasMiss, misses), &w.values)
}

// ownMisses returns how many misses have cells of their own: all with a Miss,
// otherwise none. It is not inlined, because it would become a conditional
// move, and a kernel without a Miss would wait for the count of misses.
//
//go:noinline
func ownMisses(hasMiss bool, misses int) int {
	if hasMiss {
		return misses
	}
	return 0
}

// blendRows writes a row for each class. misses is how many classes are none
// and have cells of their own; a few such rows may be written twice. The
// classes may lie where the rows will be if plan.OverClasses says so.
func blendRows(width int, dst unsafe.Pointer, classes []byte, depth, misses int, v *values) {
	from, n := unsafe.Pointer(unsafe.SliceData(classes)), len(classes)
	switch {
	case misses == 0:
		rowsOf(width, dst, from, n, depth, unsafe.Pointer(v))
	case !plan.Repair(tier.Active(), n, misses, depth, width, v.off == element{}):
		rowsMissOf(width, dst, from, n, depth, unsafe.Pointer(v))
	default:
		repairRows(width, dst, classes, depth, v)
	}
}

// missPlaces has room for the places of the most misses that plan.Repair lets
// through, and for the three more that placesOf may write.
type missPlaces [len(largeBuffer{})/plan.RepairOften + 3]uint16

// repairRows writes all rows as if there were no Miss, then the rows of misses
// again. It is a function of its own because Go zeroes its buffer.
//
//go:noinline
func repairRows(width int, dst unsafe.Pointer, classes []byte, depth int, v *values) {
	var places missPlaces
	at, from, n := unsafe.Pointer(&places), unsafe.Pointer(unsafe.SliceData(classes)), len(classes)
	misses := placesOf(at, from, n) // first, since the rows may overwrite the classes
	rowsOf(width, dst, from, n, depth, unsafe.Pointer(v))
	pattern, row := v.miss.repeated(width), depth*width
	if row < plan.LeastRun {
		pattern.fillAt(dst, row, row, places[:misses])
		return
	}
	fillPlacesOf(dst, row, at, misses, pattern.lo, pattern.hi)
}

// planeBlocks writes planes in groups of plan.Classes, as many as a byte tells
// apart. It writes a group for a block of indices at a time: for some columns
// of one outer block, or for several outer blocks of few columns.
func (w *writer) planeBlocks() (misses int) {
	misses = w.outer * w.inner
	for first := 0; first < w.depth; first += plan.Classes {
		count := min(plan.Classes, w.depth-first)
		if w.inner == w.indexStride && (w.inner*2 <= w.Block || w.Tiles) {
			misses -= w.wholeBlocks(first, count)
		} else {
			misses -= w.columnBlocks(first, count)
		}
	}
	return misses
}

// wholeBlocks writes the planes of count classes from first on, for as many
// outer blocks at a time as make a block of indices. It returns how many
// indices have one of these classes.
func (w *writer) wholeBlocks(first, count int) (hits int) {
	most := w.Block / w.inner
	for o := 0; o < w.outer; {
		n := min(most, w.outer-o)
		hits += n*w.inner - w.classifyGroup(0, o*w.indexStride, n*w.inner, first, count)
		w.prefetch((o+n)*w.indexStride, n*w.inner)
		if w.Tiles {
			for b := range n {
				w.tilePlanes((o+b)*w.stride+first*w.plane, b*w.inner, count)
			}
		} else {
			w.blendPlanes(o*w.stride+first*w.plane, n, w.inner, count)
		}
		o += n
	}
	return hits
}

// tilePlanes writes count whole planes of one outer block by way of the
// scratch. Their first cell in dst is cell, whose class is w.classes[index].
// Long planes are sent one by one, so that each can start a cache line.
func (w *writer) tilePlanes(cell, index, count int) {
	run := w.inner * w.width
	apart, together := run, plan.ScratchBytes/run
	if plan.SendsPlanes(tier.Active(), run) {
		apart, together = (run+lineBytes-1)&^(lineBytes-1), 1
	}
	most := plan.ScratchBytes / apart
	for first := 0; first < count; first += most {
		n := min(most, count-first)
		w.planes(w.out.tile(w.dst, cell*w.width+first*run, n*run), 0, apart, index, 1, w.inner, first, n)
		for p := 0; p < n; p += together {
			w.out.send(w.dst, p*apart, min(together, n-p)*run)
		}
	}
}

// columnBlocks is wholeBlocks for some columns of one outer block at a time.
func (w *writer) columnBlocks(first, count int) (hits int) {
	stream := w.Stream && uintptr(w.dst)%uintptr(w.width) == 0 // so that a line starts with a whole cell
	for o := range w.outer {
		for i := 0; i < w.inner; {
			n := plan.Take(w.inner-i, w.Block, plan.Least)
			index, cell := o*w.indexStride+i, o*w.stride+first*w.plane+i
			more, next := i+n < w.inner, index+n
			if !more {
				next = (o + 1) * w.indexStride
			}
			hits += n - w.classifyGroup(0, index, n, first, count)
			w.prefetch(next, n)
			switch {
			case stream && more:
				own := w.own
				w.classifyGroup(n, index+n, plan.Least, first, count)
				w.own += own
				w.streamColumns(cell, n, count, i == 0, plan.Least)
			case stream:
				w.streamColumns(cell, n, count, i == 0, 0)
			default:
				w.blendPlanes(cell, 1, n, count)
			}
			i += n
		}
	}
	return hits
}

// streamColumns writes n columns to count planes with non-temporal stores,
// which write whole cache lines. A plane may start anywhere within a line: the
// columns written to it are then shifted on to the next start of a line. For
// that, ahead classes follow those of the block: plan.Least or, in the last
// block, none. The columns before the first line of a plane and after its last
// are made in the scratch, for several planes at once, and copied, whole lines
// of them by non-temporal stores: a line that both kinds of stores touched
// would cost as much as ten others.
func (w *writer) streamColumns(cell, n, count int, start bool, ahead int) {
	edge, half := plan.Least*w.width, len(w.out.scratch)/2&^(lineBytes-1)
	heads, tails := w.out.scratch[:half], w.out.scratch[half:]
	skip, lines := w.linesOf(cell, n, ahead)
	together := w.plane*w.width%lineBytes == 0 // all planes start equally far into a line
	for first := 0; first < count; first += half / edge {
		planes := min(half/edge, count-first)
		if start && !(together && skip == 0) {
			w.edges(heads, 0, first, planes)
		}
		if ahead == 0 && !(together && skip+lines == n) {
			w.edges(tails, n-plan.Least, first, planes)
		}
		if together && lines > 0 {
			w.writePlanes(cell+first*w.plane+skip, skip, 1, lines, first, planes, true)
		}
		for p := range planes {
			at := cell + (first+p)*w.plane
			if !together {
				if skip, lines = w.linesOf(at, n, ahead); lines > 0 {
					w.writePlanes(at+skip, skip, 1, lines, first+p, 1, true)
				}
			}
			if start {
				copy(bytesAt(unsafe.Add(w.dst, at*w.width), skip*w.width), heads[p*edge:])
			}
			if rest := (n - skip - lines) * w.width; ahead == 0 && rest > 0 {
				streamBytes(unsafe.Add(w.dst, (at+n)*w.width-rest), tails[(p+1)*edge-rest:][:rest])
			}
		}
	}
}

// linesOf returns how many of the n columns from cell on precede the first
// start of a line, and how many streamColumns writes from there on: whole
// lines, in multiples of plan.Least.
func (w *writer) linesOf(cell, n, ahead int) (skip, columns int) {
	skip = int(-(uintptr(w.dst)+uintptr(cell*w.width))%lineBytes) / w.width
	return skip, max(min(n, n+ahead-skip)&^(plan.Least-1), 0)
}

// edges makes plan.Least columns of some planes in dst, from w.classes[at:].
func (w *writer) edges(dst []byte, at, first, planes int) {
	run := plan.Least * w.width
	planesByColumnsOf(w.width, unsafe.Pointer(&dst[0]), 0, run, unsafe.Pointer(&w.classes[at]), 1, plan.Least, first, planes, unsafe.Pointer(&w.values), w.own)
}

// classifyGroup is classify for a group of planes. It notes how many classes
// must be widened and how many misses have cells of their own.
func (w *writer) classifyGroup(at, index, n, first, count int) (misses int) {
	misses = w.classify(at, index, n, first, count)
	w.narrow = at + n
	w.own = ownMisses(w.hasMiss, misses)
	return misses
}

// blendPlanes writes n columns of some outer blocks to count planes, from
// w.classes. cell is their first cell in dst.
func (w *writer) blendPlanes(cell, blocks, n, count int) {
	start, plane, stride := uintptr(w.dst)+uintptr(cell*w.width), uintptr(w.plane*w.width), uintptr(w.stride*w.width)
	lines := (start|plane|stride)%lineBytes == 0 && n%plan.Least == 0
	w.writePlanes(cell, 0, blocks, n, 0, count, w.Stream && lines)
}

// writePlanes writes n columns of some outer blocks to the planes of count
// classes from first on, from w.classes[at:]. Each call of a kernel covers as
// many planes, or blocks, as plan.PlanesOfCall allows.
func (w *writer) writePlanes(cell, at, blocks, n, first, count int, stream bool) {
	stride, plane := w.stride*w.width, w.plane*w.width
	planes, some := plan.PlanesOfCall(count, n*w.width)
	for b := 0; b < blocks; b += some {
		for p := 0; p < count; p += planes {
			dst, here, now := unsafe.Add(w.dst, cell*w.width+b*stride+p*plane), min(some, blocks-b), min(planes, count-p)
			for b := range here {
				race.Runs(unsafe.Add(dst, b*stride), plane, now, n*w.width, true)
			}
			if stream {
				planesStreamOf(w.width, dst, stride, plane, unsafe.Pointer(&w.classes[at+b*n]), here, n, first+p, now, unsafe.Pointer(&w.values), w.own)
			} else {
				w.planes(dst, stride, plane, at+b*n, here, n, first+p, now)
			}
		}
	}
}

// planes writes planes with ordinary stores, from w.classes[at:]. It widens the
// classes first where the kernel takes them so. For cells of one byte the
// classes are wide enough as they are.
func (w *writer) planes(dst unsafe.Pointer, stride, plane, at, blocks, n, first, count int) {
	classes := unsafe.Pointer(&w.classes[at])
	if w.ByColumns {
		planesByColumnsOf(w.width, dst, stride, plane, classes, blocks, n, first, count, unsafe.Pointer(&w.values), w.own)
		return
	}
	if w.width > 1 {
		if w.narrow > 0 {
			widenOf(w.width, w.wide, unsafe.Pointer(&w.classes[0]), w.narrow)
			w.narrow = 0
		}
		classes = unsafe.Add(w.wide, at*w.width)
	}
	planeByPlane(w.width, dst, stride, plane, classes, blocks, n, first, count, &w.values, w.own)
}

// planeByPlane writes count planes from that of class first on, one after the
// other. A class is in all bytes of its cell. misses is how many of them
// are none and have cells of their own. If there are any, and plan.ReadsMisses
// says so, the first plane holds what cells are in the planes of other classes,
// off or miss, until these are written.
func planeByPlane(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v *values, misses int) {
	const read = -1
	switch last := n % plan.Least; {
	case misses == 0 || !plan.ReadsMisses(tier.Active(), n*width):
		planesOf(width, dst, stride, plane, classes, blocks, n, first, count, unsafe.Pointer(v), misses)
	case last > 0 && blocks > 1:
		for b := range blocks {
			planeByPlane(width, unsafe.Add(dst, b*stride), 0, plane, unsafe.Add(classes, b*n*width), 1, n, first, count, v, misses)
		}
	default:
		others := values{on: v.miss, off: v.off}
		planesOf(width, dst, stride, plane, classes, blocks, n, none, 1, unsafe.Pointer(&others), 0)
		if count > 1 {
			planesOf(width, unsafe.Add(dst, plane), stride, plane, classes, blocks, n, first+1, count-1, unsafe.Pointer(v), read)
		}
		planesOf(width, dst, stride, 0, classes, blocks, n-last, first, 1, unsafe.Pointer(v), read)
		if last > 0 { // the last whole lines, which overlap those before
			rest := (n - plan.Least) * width
			dst, classes = unsafe.Add(dst, rest), unsafe.Add(classes, rest)
			planesOf(width, dst, 0, 0, classes, 1, plan.Least, none, 1, unsafe.Pointer(&others), 0)
			planesOf(width, dst, 0, 0, classes, 1, plan.Least, first, 1, unsafe.Pointer(v), read)
		}
	}
}

// bitBlocks writes bit planes, a block of indices at a time. The layout counts
// words, the input indices.
func (w *writer) bitBlocks() (misses int) {
	misses = w.in.len
	for i := 0; i < w.in.len; {
		n := plan.Take(w.in.len-i, w.Block, plan.Least)
		for first := 0; first < w.depth; first += plan.Classes {
			count := min(plan.Classes, w.depth-first)
			misses -= n - w.classify(0, i, n, first, count)
			w.writeBits(i/wordBits, n, first, count)
		}
		i += n
	}
	return misses
}

// writeBits writes the bits of n classes to count planes, from the given word
// of each plane on. Classes that are missing in the last word become none.
func (w *writer) writeBits(word, n, first, count int) {
	whole := BitWords(n) * wordBits
	fillGeneric(w.classes[n:whole], none)
	run, plane := whole/8, w.plane*wordBits/8
	dst := unsafe.Add(w.dst, first*plane+word*wordBits/8)
	race.Runs(dst, plane, count, run, true)
	if w.Stream {
		w.streamBits(dst, plane, whole, count)
	} else {
		bitPlanesOf(dst, plane, unsafe.Pointer(&w.classes[0]), whole, count)
	}
}

// streamBits is writeBits by way of the scratch, for n classes in whole words.
// The scratch has room for a few planes at a time; for each such group the
// classes are renumbered from its first plane.
func (w *writer) streamBits(dst unsafe.Pointer, plane, n, count int) {
	all, scratch := input{unsafe.Pointer(&w.classes[0]), n, Uint8, nil}, unsafe.Pointer(&w.out.scratch[0])
	some, run := w.classes[len(w.classes)/2:][:n], n/8
	most := plan.ScratchBytes / run
	for first := 0; first < count; first += most {
		planes := min(most, count-first)
		all.classes(some, first, planes, 0)
		bitPlanesOf(scratch, run, unsafe.Pointer(&some[0]), n, planes)
		for p := range planes {
			streamBytes(unsafe.Add(dst, (first+p)*plane), w.out.scratch[p*run:][:run])
		}
	}
}
