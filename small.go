package onehot

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file is the way of small calls, which are over before a plan would be
// made: a loop over the indices below plan.Least of them, which stands in the
// call itself where that is short, and two kernels above it. It takes what is
// plain, with a Miss or without, planes of several blocks, with a Stride or
// without, one block with its planes apart, and what else has gaps, which is
// filled and then scattered to by a loop; everything else, wrong calls too,
// goes the general way.
//
// A nanosecond is a tenth of such a call. One is what a call of a function
// costs that is not inlined; four are what a struct costs that is copied right
// after its fields were stored one by one, since the processor waits for stores
// that it has to put together. Hence few functions, and structs that are
// declared, filled and passed by their address, or literals of four fields,
// which the compiler makes where they are passed.

// plain reports whether n indices make rows, or planes of one block, without
// gaps, that fit dst elements and a single clear. What it accepts is right;
// what it refuses may be.
func (s *Spec[V]) plain(n, dst int) bool {
	return plain(n, s.Depth, s.Inner, s.Stride|s.Plane, s.Negative, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On))))
}

func plain(n, depth, inner, gaps int, neg Negative, room int) bool {
	return uint(n) < plan.SmallSide && uint(depth) < plan.SmallSide && n*depth <= room &&
		(uint(inner) <= 1 || inner == n) && gaps == 0 && neg <= Normalize
}

// fewColumns is plain of planes of fewer columns than any kernel takes,
// of any number of blocks.
func (s *Spec[V]) fewColumns(n, dst int) bool {
	return 1 < s.Inner && s.Inner < plan.Least && n%s.Inner == 0 &&
		plain(n, s.Depth, n, s.Stride|s.Plane, s.Negative, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On))))
}

// planeBytes is the bytes from one plane to the next of a plain output, or 0 if
// it is rows.
func planeBytes(inner, width int) int {
	if inner > 1 {
		return inner * width
	}
	return 0
}

// plainBlocks is plain of planes of several blocks, between which a Stride may
// leave gaps, and which may have a Miss: of texts, and of as many columns as a
// kernel takes. It returns how many they are, how far apart, and the elements
// of all.
func (s *Spec[V]) plainBlocks(n, dst int) (blocks, stride, need int) {
	depth, inner, room := s.Depth, s.Inner, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On)))
	if inner <= 1 || n < inner || depth <= 0 || uint(s.Stride) > uint(room) || !plain(n, depth, n, s.Plane, s.Negative, room) {
		return 0, 0, 0
	}
	blocks, stride = n/inner, max(s.Stride, depth*inner)
	need, fits := spanIn(room, blocks, stride, depth*inner)
	if blocks*inner != n || !fits || s.Stride > 0 && s.Stride < stride {
		return 0, 0, 0
	}
	return blocks, stride, need
}

// spanIn returns the elements that some blocks of a small call span, the last
// of which spans that many, and whether they fit the room. It reckons in 64
// bits: an int of 32 would wrap.
func spanIn(room, blocks, stride, last int) (need int, fits bool) {
	if blocks > 1 && stride > room { // so that the product is none that wraps
		return 0, false
	}
	all := int64(blocks-1)*int64(stride) + int64(last)
	return int(all), all <= int64(room)
}

// blends reports whether kernels write the rows of a small call, or the planes
// of its one block.
func blends(n, depth, width int, planes, hasMiss bool) bool {
	if planes {
		return plan.SmallPlanes(n, n, depth, width, hasMiss) != plan.ByLoop
	}
	return plan.SmallRows(n, depth, width, hasMiss) != plan.ByLoop
}

// blendSmall is Encode by kernels, with a Miss or without, of the rows of a
// plain output, or of the planes of its one block. It takes pointers, so that
// Encode need not keep the capacities of slices.
//
//go:noinline
func blendSmall[V Value, I Index](to, from unsafe.Pointer, n int, s *Spec[V], once bool) (misses int) {
	depth, size, hasMiss, wrap := s.Depth, int(unsafe.Sizeof(s.On)), s.Miss != nil, s.Negative.wrap(s.Depth)
	v, in := values{on: elementOf(s.On), off: elementOf(s.Off)}, input{from, n, indexTypeOf[I](), nil}
	if hasMiss {
		v.miss = elementOf(*s.Miss)
	}
	switch {
	case once && s.Inner > 1:
		return planesAtOnce(in.typ, to, from, n, depth, size, int(wrapOf[I](wrap)), hasMiss, &v)
	case once:
		return rowsAtOnce(in.typ, to, from, n, depth, size, int(wrapOf[I](wrap)), hasMiss, &v)
	}
	return in.small(to, depth, size, wrap, planeBytes(s.Inner, size), hasMiss, &v)
}

// blendsBlocks returns how n columns of several small blocks are written, and
// whether a small call may write them at all: by kernels only where the classes
// of all fit one buffer, by a loop only without a Miss.
func blendsBlocks(n, inner, depth, width int, hasMiss bool) (way plan.SmallWay, small bool) {
	if inner >= plan.Least {
		way = plan.SmallPlanes(n, inner, depth, width, hasMiss)
	}
	if way != plan.ByLoop {
		return way, n < plan.LargeBlock+plan.Least
	}
	return plan.ByLoop, !hasMiss
}

// fewSmall is strided of what that has checked, the cells of which start with
// the first and end with the last. Blocks may touch: a Stride may be that of a
// block.
func fewSmall[V Value, I Index](cells []V, indices []I, s *Spec[V], stride int) (misses int) {
	depth, inner, wrap, miss := s.Depth, max(s.Inner, 1), s.Negative.wrap(s.Depth), s.On
	if s.Miss != nil {
		miss = *s.Miss // now: it may lie in dst
	}
	if stride == depth*inner {
		fillSmall(cells, s.Off)
	} else {
		fillRuns(cells, s.Off, depth*inner, len(indices)/inner, stride, fillerOf(s.Off, len(cells)))
	}
	switch {
	case inner > 1:
		return scatterFew(unsafe.Pointer(unsafe.SliceData(cells)), indices, s.On, miss, s.Miss != nil, depth, inner, inner, stride, wrap)
	case s.Miss != nil:
		return scatterRows(cells, indices, s.On, &miss, depth, stride, wrap)
	}
	return scatterRows(cells, indices, s.On, nil, depth, stride, wrap)
}

// blocksSmall is Encode of several blocks that kernels may take, and of blocks,
// and rows, a Stride apart.
func blocksSmall[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int, done bool) {
	if s.Inner < plan.Least {
		return strided(dst, indices, s)
	}
	var l layout
	in := inputOf(indices)
	if misses, done = beginBlocks(dst, &in, s, &l); l.need == 0 {
		return misses, done
	}
	return scatterBlocks(dst[:l.need], indices, s.On, nil, &l, s.Negative.wrap(s.Depth)), true
}

// strided is blocksSmall of rows, and of planes of few columns, with a Stride.
// Many rows that touch are left to the general way, which has kernels for them.
func strided[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int, done bool) {
	n, depth, stride, inner := len(indices), s.Depth, s.Stride, max(s.Inner, 1)
	blocks, block, room := n, depth*inner, min(len(dst), plan.CallBytes/int(unsafe.Sizeof(s.On)))
	if inner > 1 {
		blocks = n / inner
	}
	if uint(n-1) >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || blocks*inner != n || stride < block || stride > room ||
		stride == depth && n >= plan.Least || s.Inner < 0 || s.Plane != 0 || s.Negative > Normalize {
		return 0, false
	}
	need, fits := spanIn(room, blocks, stride, block)
	if !fits || overlaps(spanOf(dst), need, spanOf(indices)) {
		return 0, false
	}
	return fewSmall(dst[:need], indices, s, stride), true
}

// beginBlocks writes planes of several small blocks by kernels. Where a loop
// should scatter to them it fills them and sets l, which is zero otherwise.
func beginBlocks[V Value](dst []V, in *input, s *Spec[V], l *layout) (misses int, done bool) {
	n, depth, width := in.len, s.Depth, int(unsafe.Sizeof(s.On))
	blocks, stride, need := s.plainBlocks(n, len(dst))
	if need == 0 || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	way, small := blendsBlocks(n, s.Inner, depth, width, s.Miss != nil)
	if isString[V]() {
		way, small = plan.ByLoop, s.Miss == nil
	}
	switch {
	case !small || way == plan.ByLoop && need > n*depth:
		return 0, false
	case way != plan.ByLoop:
		v := values{on: elementOf(s.On), off: elementOf(s.Off)}
		if s.Miss != nil {
			v.miss = elementOf(*s.Miss)
		}
		return in.blendBlocks(unsafe.Pointer(unsafe.SliceData(dst)), s.Inner, depth, width, stride*width, s.Negative.wrap(depth), way == plan.AtOnce, s.Miss != nil, &v), true
	}
	l.setPlain(blocks, depth, s.Inner)
	fillSmall(dst[:n*depth], s.Off)
	return 0, false
}

// small is EncodeRaw of a plain output. s is checked but for its numbers.
func (s *RawSpec) small(dst, indices []byte) (misses int, done bool) {
	n, depth, inner, blocks := len(indices)>>bits.TrailingZeros8(uint8(indexSizes[s.Index])), s.Depth, s.Inner, 1
	if 1 < inner && inner < n {
		if blocks = n / inner; blocks*inner != n {
			return 0, false
		}
		inner = n
	}
	if !plain(n, depth, inner, s.Stride|s.Plane, s.Negative, min(len(dst), plan.CallBytes)>>bits.TrailingZeros8(uint8(s.Width))) ||
		overlaps(spanOf(dst), n*depth*s.Width, spanOf(indices)) {
		return 0, false
	}
	to, wrap, v := unsafe.Pointer(unsafe.SliceData(dst)), s.Negative.wrap(depth), values{on: elementFrom(s.On), off: elementFrom(s.Off)}
	if s.Miss != nil {
		v.miss = elementFrom(s.Miss)
	}
	in := input{unsafe.Pointer(unsafe.SliceData(indices)), n, s.Index, nil}
	if blocks > 1 {
		switch way, small := blendsBlocks(n, s.Inner, depth, s.Width, s.Miss != nil); {
		case !small:
			return 0, false
		case way != plan.ByLoop:
			return in.blendBlocks(to, s.Inner, depth, s.Width, depth*s.Inner*s.Width, wrap, way == plan.AtOnce, s.Miss != nil, &v), true
		}
	} else if n >= plan.Least && blends(n, depth, s.Width, s.Inner > 1, s.Miss != nil) {
		return in.small(to, depth, s.Width, wrap, planeBytes(s.Inner, s.Width), s.Miss != nil, &v), true
	}
	if s.Miss != nil && (n >= plan.Least || blocks > 1) || !in.typed() {
		return 0, false
	}
	var l layout
	if s.Inner <= 1 {
		blocks = n
	}
	l.setPlain(blocks, depth, max(s.Inner, 1))
	switch s.Width {
	case 1:
		return scatterRaw[[1]byte](to, &in, &l, wrap, s.Miss != nil, &v), true
	case 2:
		return scatterRaw[[2]byte](to, &in, &l, wrap, s.Miss != nil, &v), true
	case 4:
		return scatterRaw[[4]byte](to, &in, &l, wrap, s.Miss != nil, &v), true
	case 8:
		return scatterRaw[[8]byte](to, &in, &l, wrap, s.Miss != nil, &v), true
	}
	return scatterRaw[[16]byte](to, &in, &l, wrap, s.Miss != nil, &v), true
}

// setPlain makes l the layout of blocks of planes, or of rows, which are blocks
// of one column.
func (l *layout) setPlain(blocks, depth, inner int) {
	l.outer, l.depth, l.inner, l.plane, l.indexStride, l.stride, l.need = blocks, depth, inner, inner, inner, depth*inner, blocks*depth*inner
}

// scatterRaw fills the cells at dst, and scatters to them.
func scatterRaw[E any](dst unsafe.Pointer, in *input, l *layout, wrap int, hasMiss bool, v *values) (misses int) {
	var miss *E
	if own := valueOf[E](v.miss); hasMiss {
		miss = &own
	}
	cells := unsafe.Slice((*E)(dst), l.need)
	fillSmall(cells, valueOf[E](v.off))
	return scatterWith(cells, in, valueOf[E](v.on), miss, l, wrap)
}

// textSmall is EncodeText of a plain output.
func textSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, width := in.len, s.Depth, int(unsafe.Sizeof(s.On))
	if !s.plain(n, len(dst)) || overlaps(spanOf(dst), n*depth, in.span()) {
		var l layout
		if misses, done = beginBlocks(dst, in, s, &l); l.need == 0 {
			return misses, done
		}
		return scatterText(dst[:l.need], bytesAt(in.ptr, n), in.alphabet, s.On, nil, &l), true
	}
	if n >= plan.Least && !isString[V]() && blends(n, depth, width, s.Inner > 1, s.Miss != nil) {
		v := values{on: elementOf(s.On), off: elementOf(s.Off)}
		if s.Miss != nil {
			v.miss = elementOf(*s.Miss)
		}
		return in.small(unsafe.Pointer(unsafe.SliceData(dst)), depth, width, 0, planeBytes(s.Inner, width), s.Miss != nil, &v), true
	}
	if s.Miss != nil {
		return missOf(dst, in, s), true
	}
	// As fillSmall does, but inline: with a short text its call shows.
	if off, bytes := elementOf(s.Off), n*depth*width; !isString[V]() && off.lo|off.hi == 0 && plan.SmallStores(bytes) {
		zeroSmall(unsafe.Pointer(unsafe.SliceData(dst)), bytes)
	} else {
		fillSmall(dst[:n*depth], s.Off)
	}
	text := bytesAt(in.ptr, in.len)
	if s.Inner > 1 {
		return scatterBytes(dst, text, in.alphabet, s.On, depth, 1, n), true
	}
	return scatterBytes(dst, text, in.alphabet, s.On, depth, depth, 1), true
}

// missSmall is Encode by a loop, where a miss has cells of its own, of a plain
// output and of planes of few columns. It is a function of its own so that
// calls without a Miss have no part in what it costs. Indices keep their type
// where they, or columns, are few.
//
//go:noinline
func missSmall[V Value, I Index](to, from unsafe.Pointer, n int, s *Spec[V]) (misses int) {
	depth, inner, miss, wrap := s.Depth, s.Inner, *s.Miss, s.Negative.wrap(s.Depth) // now: a Miss may lie in dst
	cells := unsafe.Slice((*V)(to), n*depth)
	if n >= plan.Least && (inner <= 1 || inner == n) {
		return missOf(cells, &input{from, n, indexTypeOf[I](), nil}, s)
	}
	// As fillSmall does, but inline: with few columns its call shows.
	if off, bytes := elementOf(s.Off), n*depth*int(unsafe.Sizeof(miss)); !isString[V]() && off.lo|off.hi == 0 && plan.SmallZero < bytes && bytes < plan.SmallClear {
		race.Range(to, bytes, true)
		fillZeroOf(to, bytes)
	} else {
		fillSmall(cells, s.Off)
	}
	indices := unsafe.Slice((*I)(from), n)
	if inner > 1 {
		return scatterFew(to, indices, s.On, miss, true, depth, inner, inner, depth*inner, wrap)
	}
	// By calls of scatterRows, which has a loop for every four, 8 rows take 1.3
	// times as long.
	on, row, move, size := s.On, 0, wrapOf[I](wrap), int(unsafe.Sizeof(miss))
	for _, x := range indices {
		class := integerOf(x)
		if uint64(class) < uint64(depth) {
			*(*V)(unsafe.Add(to, (row+int(class))*size)) = on
		} else if class += move; uint64(class) < uint64(depth) {
			*(*V)(unsafe.Add(to, (row+int(class))*size)) = on
		} else {
			missCells(cells, row, miss, depth, 1)
			misses++
		}
		row += depth
	}
	return misses
}

// missOf is missSmall of indices without their type, or of text.
//
//go:noinline
func missOf[V Value](dst []V, in *input, s *Spec[V]) (misses int) {
	n, depth, wrap, miss := in.len, s.Depth, s.Negative.wrap(s.Depth), *s.Miss
	if depth == 0 { // no cell, at which a later tile could start
		return n
	}
	var l layout
	if l.setPlain(n, depth, 1); s.Inner > 1 {
		if l.setPlain(1, depth, n); n >= plan.Least {
			return directTile(dst[:n*depth], in, s.On, s.Off, &miss, &l, wrap, fillerOf(s.Off, n*depth))
		}
	}
	fillSmall(dst[:n*depth], s.Off)
	return scatterWith(dst[:n*depth], in, s.On, &miss, &l, wrap)
}

// paddedSmall is Encode, with a Miss or without, of one block whose planes do
// not touch, such as a text in a padded batch.
//
//go:noinline
func paddedSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, plane, width := in.len, s.Depth, s.Plane, int(unsafe.Sizeof(s.On))
	if s.Inner != n || n < plan.Least || plane < n || plane >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || s.Stride != 0 || s.Negative > Normalize ||
		isString[V]() || n*depth > plan.CallBytes/width || !blends(n, depth, width, true, s.Miss != nil) {
		return 0, false
	}
	need := (depth-1)*plane + n
	if need > len(dst) || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	v := values{on: elementOf(s.On), off: elementOf(s.Off)}
	if s.Miss != nil {
		v.miss = elementOf(*s.Miss)
	}
	return in.small(unsafe.Pointer(unsafe.SliceData(dst)), depth, width, s.Negative.wrap(depth), plane*width, s.Miss != nil, &v), true
}

// columnsSmall is EncodeColumns of a small table.
func columnsSmall[V Value, I Index](dst []V, columns [][]I, depths []int, s *Spec[V]) (misses int, done bool) {
	if len(columns) != len(depths) || uint(len(columns)-1) >= plan.Least || s.Inner > 1 {
		return 0, false
	}
	rows, width := len(columns[0]), 0
	for c, depth := range depths {
		if uint(depth) >= plan.SmallSide || len(columns[c]) != rows {
			return 0, false
		}
		width += depth
	}
	need, size := rows*width, int(unsafe.Sizeof(s.On))
	if s.Depth != 0 && s.Depth != width || uint(rows-1) >= plan.SmallSide-1 || uint(width) >= plan.SmallSide || !s.plain(rows, len(dst)) ||
		need > min(len(dst), plan.CallBytes/size) || overlaps(spanOf(dst), need, spanOf(depths)) || !plan.SmallColumns(rows, len(columns), width, size) {
		return 0, false
	}
	for _, column := range columns {
		if overlaps(spanOf(dst), need, spanOf(column)) {
			return 0, false
		}
	}
	if s.Miss != nil {
		return missColumns(dst[:need], columns, depths, s, width), true
	}
	fillSmall(dst[:need], s.Off)
	if plan.ColumnRun <= rows && rows <= plan.ColumnRows(width*size) {
		return scatterTable(dst, columns, depths, s.On, width, s.Negative), true
	}
	on, first := s.On, 0
	for r := range rows { // row by row: they are few, or share places of the cache
		for c, depth := range depths {
			class := integerOf(columns[c][r])
			if uint64(class) < uint64(depth) {
				dst[first+int(class)] = on
			} else if class += wrapOf[I](s.Negative.wrap(depth)); uint64(class) < uint64(depth) {
				dst[first+int(class)] = on
			} else {
				misses++
			}
			first += depth
		}
	}
	return misses, true
}

// missColumns is columnsSmall where a miss has cells of its own. It is a
// function of its own, as missSmall is.
//
//go:noinline
func missColumns[V Value, I Index](dst []V, columns [][]I, depths []int, s *Spec[V], width int) (misses int) {
	on, miss, rows, size := s.On, *s.Miss, len(columns[0]), int(unsafe.Sizeof(s.On)) // now: a Miss may lie in dst
	some := plan.ColumnRows(width * size)
	fillSmall(dst, s.Off)
	for r := 0; r < rows; r += some {
		misses += scatterMissTable(dst[r*width:], columns, depths, on, miss, r, min(some, rows-r), width, s.Negative)
	}
	return misses
}

// decodeSmall is Decode where rows, or the planes of one block, are few and
// plain.
func decodeSmall[C Code, V Value](dst []C, src []V, s *Spec[V]) (invalid int, done bool) {
	n, depth, on, off := len(dst), s.Depth, elementOf(s.On), elementOf(s.Off)
	if isString[V]() || uint(depth-1) > math.MaxInt8 || s.Miss != nil || !s.plain(n, len(src)) || on == off ||
		overlaps(spanOf(dst), n, span{unsafe.Pointer(unsafe.SliceData(src)), n * depth, int(unsafe.Sizeof(s.On))}) {
		return 0, false
	}
	cells := unsafe.Pointer(unsafe.SliceData(src))
	if size := int(unsafe.Sizeof(s.On)); n*depth >= plan.Least {
		if s.Inner > 1 || depth > hitChunk || n*depth > plan.SmallHits {
			return 0, false
		}
		if plan.SmallDecode(size) {
			v := values{on: on, off: off}
			if invalid, done = hitsSmall(dst, cells, depth, size, &v); done {
				return invalid, true
			}
		}
	}
	switch unsafe.Sizeof(s.On) {
	case 1:
		return decodeFew(dst, cells, uint8(on.lo), uint8(off.lo), depth, s.Inner), true
	case 2:
		return decodeFew(dst, cells, uint16(on.lo), uint16(off.lo), depth, s.Inner), true
	case 4:
		return decodeFew(dst, cells, uint32(on.lo), uint32(off.lo), depth, s.Inner), true
	case 8:
		return decodeFew(dst, cells, on.lo, off.lo, depth, s.Inner), true
	}
	return 0, false
}

// hitsSmall decodes rows by a kernel, unless a cell is neither on nor off.
func hitsSmall[C Code](dst []C, src unsafe.Pointer, depth, width int, v *values) (invalid int, done bool) {
	var room smallHits
	race.Range(src, len(dst)*depth*width, false)
	if hitsOf(width, unsafe.Pointer(&room), src, len(dst)*depth, unsafe.Pointer(v)) != 0 {
		return 0, false
	}
	return readShortRows(dst, room[:], depth), true
}

// decodeFew decodes rows, or the columns of one block, from cells of that type.
func decodeFew[C Code, E comparable](dst []C, cells unsafe.Pointer, on, off E, depth, inner int) (invalid int) {
	src := unsafe.Slice((*E)(cells), len(dst)*depth)
	if inner > 1 {
		return decodeColumns(dst, src, on, off, depth, inner)
	}
	return decodeRows(dst, src, on, off, depth, depth)
}

// gapsSmall is EncodeText of rows with gaps and of planes of few columns, and
// Encode of those whose planes do not touch, or whose one block is less than a
// Stride. They are filled and then scattered to.
//
//go:noinline
func gapsSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, inner, plane, stride, size := in.len, s.Depth, max(s.Inner, 1), s.Plane, s.Stride, int(unsafe.Sizeof(s.On))
	if uint(n-1) >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || s.Inner < 0 || inner >= plan.Least || uint(plane) >= plan.SmallSide || s.Negative > Normalize {
		return 0, false
	}
	if plane == 0 {
		plane = inner
	}
	if stride == 0 {
		stride = depth * plane
	}
	outer := n / inner
	need, fits := spanIn(min(len(dst), plan.CallBytes/size), outer, stride, (depth-1)*plane+inner)
	if outer*inner != n || plane < inner || stride < depth*plane || n >= plan.Least && inner == 1 && stride == depth ||
		!fits || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	on, off, miss := s.On, s.Off, s.Miss
	if miss != nil {
		value := *miss // now: it may lie in dst
		miss = &value
	}
	l := layout{outer: outer, depth: depth, inner: inner, plane: plane, stride: stride, indexStride: inner, need: need}
	fillLayout(dst[:need], off, &l, fillerOf(off, need))
	return scatterWith(dst[:need], in, on, miss, &l, s.Negative.wrap(depth)), true
}

// fillerOf returns what fills so many cells of a small call with off.
func fillerOf[V any](off V, cells int) plan.Filler {
	if isString[V]() || tier.Active() == tier.GenericPath || elementOf(off) == (element{}) && plan.SmallClears(cells*int(unsafe.Sizeof(off))) {
		return plan.FillGo
	}
	return plan.FillVector
}
