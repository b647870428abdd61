package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file writes small calls with kernels: rows, and the planes of one block
// or of a few. Encode and small.go check these calls and choose them. Go zeroes
// a buffer of classes before its first use, which a small call notices. Hence
// buffers have several sizes, and classes lie where cells will be if they can.
// Larger calls have a plan and go by route_blocks.go.

// rowsAtOnce writes rows for which plan.SmallRows says AtOnce and plan.LastRows
// is 0. It calls one kernel for each stage and does nothing else that a small
// call would notice. The classes lie where the rows will end. wrap must be 0
// for unsigned indices.
func rowsAtOnce(typ IndexType, dst, indices unsafe.Pointer, n, depth, width, wrap int, hasMiss bool, v *values) (misses int) {
	race.Range(dst, n*depth*width, true)
	race.Range(indices, n*indexSizes[typ], false)
	classes := unsafe.Add(dst, n*(depth*width-1))
	v.ahead = plan.PrefetchesCells(n * depth * width)
	misses = classesOf(typ, classes, indices, n, 0, depth, wrap)
	if hasMiss {
		blendRows(width, dst, bytesAt(classes, n), depth, misses, v)
	} else {
		rowsOf(width, dst, classes, n, depth, unsafe.Pointer(v))
	}
	return misses
}

// planesAtOnce is rowsAtOnce for the planes of one block, if fitsAtOnce holds.
func planesAtOnce(typ IndexType, dst, indices unsafe.Pointer, n, depth, width, wrap int, hasMiss bool, v *values) (misses int) {
	race.Range(dst, n*depth*width, true)
	race.Range(indices, n*indexSizes[typ], false)
	classes := unsafe.Add(dst, n*(depth*width-1))
	if !plan.OverPlanes(n, n) {
		var room lineRoom[smallBuffer]
		classes = lineIn(unsafe.Pointer(&room))
	}
	v.ahead = plan.PrefetchesCells(n * depth * width)
	misses = classesOf(typ, classes, indices, n, 0, depth, wrap)
	planesByColumnsOf(width, dst, 0, n*width, classes, 1, n, 0, depth, unsafe.Pointer(v), ownMisses(hasMiss, misses))
	return misses
}

// fitsAtOnce reports whether planesAtOnce has room for the classes of n
// indices, in its output or in a small buffer.
func fitsAtOnce(n int) bool { return n <= len(smallBuffer{}) || plan.OverPlanes(n, n) }

// small writes rows, or the planes of one block. plane is the bytes from one
// plane to the next, or 0 for rows; hasMiss says that a miss has cells of its
// own. Rows of plan.AlignRows bytes or more in all that start within a cache
// line are written in two parts: a short one, and one that starts a line.
func (in *input) small(dst unsafe.Pointer, depth, width, wrap, plane int, hasMiss bool, v *values) (misses int) {
	row := depth * width
	v.ahead = v.ahead || plan.PrefetchesCells(in.len*row) // a part does as all rows do
	if plane == 0 && in.len*row >= plan.AlignRows {
		if first, _ := plan.ToLine(int(uintptr(dst)%lineBytes), row); first > 0 && in.len >= first+plan.Least {
			head, rest := *in, in.from(first)
			head.len = first
			return head.small(dst, depth, width, wrap, 0, hasMiss, v) + rest.small(unsafe.Add(dst, first*row), depth, width, wrap, 0, hasMiss, v)
		}
	}
	if plane > 0 {
		race.Runs(dst, plane, depth, in.len*width, true)
	} else {
		race.Range(dst, in.len*row, true)
	}
	if plane > 0 && !plan.ByColumns(plan.Here(), depth, in.len*width, plane, width, plane*depth, hasMiss) {
		return in.wideBlocks(dst, in.len, depth, width, plane, 0, wrap, hasMiss, v)
	}
	switch {
	case plane == 0 && plan.OverClasses(tier.Active(), in.len, row):
		return in.smallBlock(dst, 0, depth, width, wrap, hasMiss, unsafe.Add(dst, in.len*(row-1)), v)
	case plane > 0 && plan.OverPlanes(in.len, in.len):
		return in.smallBlock(dst, plane, depth, width, wrap, hasMiss, unsafe.Add(dst, (depth-1)*plane+in.len*(width-1)), v)
	}
	if in.len >= plan.MediumBlock+plan.Least {
		if plane == 0 {
			if size := plan.OverLater(tier.Active(), in.len, row); size > 0 {
				return in.smallRows(dst, depth, width, wrap, size, hasMiss, v)
			}
		}
		return smallBlocks[largeBuffer](in, dst, plane, depth, width, wrap, hasMiss, v)
	}
	if in.len >= plan.SmallBlock+plan.Least {
		return smallBlocks[mediumBuffer](in, dst, plane, depth, width, wrap, hasMiss, v)
	}
	var room lineRoom[smallBuffer]
	return in.smallBlock(dst, plane, depth, width, wrap, hasMiss, lineIn(unsafe.Pointer(&room)), v)
}

// smallRows writes rows, size at a time, without a buffer, which Go would zero.
// The classes of each block lie where the last rows will be, in the same lines
// for each. Rows never overwrite classes that are still to be read, since a row
// is longer than a class and blocks before the last are whole. If there are two
// blocks, the first has its classes where the second starts: rows of a few
// bytes then take 0.97 of the time.
func (in *input) smallRows(dst unsafe.Pointer, depth, width, wrap, size int, hasMiss bool, v *values) (misses int) {
	row := depth * width
	spare := unsafe.Add(dst, in.len*row-size)
	if spare = unsafe.Add(spare, -(uintptr(spare) % lineBytes)); in.len <= 2*size {
		spare = unsafe.Add(dst, size*row)
	}
	for i := 0; i < in.len; i += size {
		block, to := in.from(i), unsafe.Add(dst, i*row)
		n, classes := min(block.len, size), spare
		if n == block.len {
			classes = unsafe.Add(to, n*(row-1))
		}
		block.len = n
		misses += block.smallBlock(to, 0, depth, width, wrap, hasMiss, classes, v)
	}
	return misses
}

// lineBytes is the size of a cache line.
const lineBytes = plan.CacheLine

// lineIn returns the first address from p on that starts a cache line. Kernels
// load classes and store tiles by the line, and take longer for loads, and more
// so for stores, that cross two lines.
func lineIn(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, -uintptr(p)%lineBytes) }

// smallBlocks is small for indices that fit a Buffer, or that a large one takes
// in several blocks.
func smallBlocks[Buffer any](in *input, dst unsafe.Pointer, plane, depth, width, wrap int, hasMiss bool, v *values) (misses int) {
	var room lineRoom[Buffer]
	classes, step := lineIn(unsafe.Pointer(&room)), depth*width // step is the bytes from the cells of one index to those of the next
	if plane > 0 {
		step = width
	}
	for i := 0; i < in.len; {
		block := in.from(i)
		block.len = plan.Take(block.len, plan.LargeBlock, plan.Least)
		misses += block.smallBlock(unsafe.Add(dst, i*step), plane, depth, width, wrap, hasMiss, classes, v)
		i += block.len
	}
	return misses
}

// smallBlock writes a block by way of classes, which has room for a byte for
// each index. plane is the bytes from one plane to the next, or 0 for rows.
func (in *input) smallBlock(dst unsafe.Pointer, plane, depth, width, wrap int, hasMiss bool, classes unsafe.Pointer, v *values) (misses int) {
	misses = in.classes(bytesAt(classes, in.len), 0, depth, wrap)
	own := ownMisses(hasMiss, misses)
	switch {
	case plane > 0:
		planesByColumnsOf(width, dst, 0, plane, classes, 1, in.len, 0, depth, unsafe.Pointer(v), own)
	case own > 0:
		blendRows(width, dst, bytesAt(classes, in.len), depth, own, v)
	default:
		rowsOf(width, dst, classes, in.len, depth, unsafe.Pointer(v))
	}
	return misses
}

// blendBlocks writes the planes of a few blocks, such as boards, that start
// stride bytes apart: a few columns of all planes at a time if byColumns is
// set, otherwise plane by plane.
func (in *input) blendBlocks(to unsafe.Pointer, inner, depth, width, stride, wrap int, byColumns, hasMiss bool, v *values) (misses int) {
	plane, blocks := inner*width, quotient(in.len, inner)
	v.ahead = plan.PrefetchesCells(in.len * depth * width)
	race.Runs(to, stride, blocks, depth*plane, true)
	if !byColumns {
		return in.wideBlocks(to, inner, depth, width, plane, stride, wrap, hasMiss, v)
	}
	classes := unsafe.Add(to, (blocks-1)*stride+depth*plane-in.len)
	switch over := stride == depth*plane || in.len <= depth*plane; { // so that no class lies in a gap
	case over && plan.OverPlanes(in.len, inner):
	case in.len < plan.MediumBlock+plan.Least:
		var room lineRoom[mediumBuffer]
		classes = lineIn(unsafe.Pointer(&room))
	default:
		var room lineRoom[largeBuffer]
		classes = lineIn(unsafe.Pointer(&room))
	}
	misses = in.classes(bytesAt(classes, in.len), 0, depth, wrap)
	planesByColumnsOf(width, to, stride, plane, classes, blocks, inner, 0, depth, unsafe.Pointer(v), ownMisses(hasMiss, misses))
	return misses
}

// wideBlocks writes the planes of a few blocks plane by plane. Blocks start
// stride bytes apart, and planes plane bytes.
func (in *input) wideBlocks(to unsafe.Pointer, inner, depth, width, plane, stride, wrap int, hasMiss bool, v *values) (misses int) {
	switch {
	case width == 1:
		return wideBlocksIn[largeBuffer](in, to, inner, depth, width, plane, stride, wrap, hasMiss, v)
	case inner*width <= len(shortBuffer{}):
		return wideBlocksIn[shortBuffer](in, to, inner, depth, width, plane, stride, wrap, hasMiss, v)
	}
	return wideBlocksIn[wideBuffer](in, to, inner, depth, width, plane, stride, wrap, hasMiss, v)
}

// wideBlocksIn is wideBlocks with a Room for classes in all bytes of their
// cells. Before, they lie as single bytes where the first plane will be, unless
// cells are bytes, too. It is a function of its own because Go zeroes the Room.
//
//go:noinline
func wideBlocksIn[Room any](in *input, to unsafe.Pointer, inner, depth, width, plane, stride, wrap int, hasMiss bool, v *values) (misses int) {
	var room lineRoom[Room]
	wide := lineIn(unsafe.Pointer(&room))
	for b := range quotient(in.len, inner) {
		for i := 0; i < inner; {
			block, first := in.from(b*inner+i), unsafe.Add(to, b*stride+i*width)
			n, classes := plan.Take(inner-i, plan.WideBlock(tier.Active(), width, inner*width, hasMiss), plan.Least), wide
			if width > 1 {
				classes = first
			}
			missed := block.classes(bytesAt(classes, n), 0, depth, wrap)
			if width > 1 {
				widenOf(width, wide, classes, n)
			}
			planeByPlane(width, first, 0, plane, wide, 1, n, 0, depth, v, ownMisses(hasMiss, missed))
			misses += missed
			i += n
		}
	}
	return misses
}
