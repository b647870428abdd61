package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file is the way of small calls, which are over before a plan would be
// made: a loop over the indices below plan.Least of them, two kernels above it.
// It takes only what is plain; everything else, wrong calls too, goes the
// general way.

// plain reports whether n indices make rows, or planes of one block, without
// gaps and without a Miss, that fit dst elements. The numbers that it accepts
// are right; those that it refuses may be.
func (s *Spec[V]) plain(n, dst int) bool {
	return uint(n) < plan.SmallSide && uint(s.Depth) < plan.SmallSide && n*s.Depth <= dst &&
		(uint(s.Inner) <= 1 || s.Inner == n) && s.Stride|s.Plane == 0 && s.Miss == nil && s.Negative <= Normalize
}

// encodeSmall writes a plain output, or reports that it is none of a small
// call.
func encodeSmall[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int, done bool) {
	n, depth, wrap := len(indices), s.Depth, s.Negative.wrap(s.Depth)
	if overlaps(spanOf(dst), n*depth, spanOf(indices)) {
		return 0, false
	}
	if n >= plan.Least && !isString[V]() && tier.Active() != tier.GenericPath {
		in := inputOf(indices)
		return blendSmall(dst, &in, s, wrap)
	}
	cells := dst[:n*depth]
	if !fillSmall(cells, s.Off) {
		return 0, false
	}
	if s.Inner > 1 {
		return scatterPlanes(cells, indices, s.On, depth, n, wrap), true
	}
	return scatterEach(cells, indices, s.On, depth, depth, wrap), true
}

// rawSmall is encodeSmall for bytes. s is checked but for its numbers.
func (s *RawSpec) rawSmall(dst, indices []byte) (misses int, done bool) {
	each := indexSizes[s.Index]
	n := len(indices) / each
	spec := Spec[byte]{Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Negative: s.Negative, Plane: s.Plane}
	if s.Miss != nil || !spec.plain(n, len(dst)/s.Width) || n*s.Depth*s.Width > plan.CallBytes || overlaps(spanOf(dst), n*s.Depth*s.Width, spanOf(indices)) {
		return 0, false
	}
	v := values{on: elementFrom(s.On), off: elementFrom(s.Off)}
	in, to, wrap := input{unsafe.Pointer(unsafe.SliceData(indices)), n, s.Index, nil}, unsafe.Pointer(unsafe.SliceData(dst)), s.Negative.wrap(s.Depth)
	if n >= plan.Least && tier.Active() != tier.GenericPath {
		if p := plan.Small(plan.Here(), n, s.Depth, s.Width, s.Inner > 1); p != plan.Scatter {
			return in.blend(to, s.Depth, s.Width, wrap, p, &v), true
		}
	}
	if n >= plan.Least || s.Inner > 1 {
		return 0, false
	}
	l := layout{outer: n, depth: s.Depth, inner: 1, plane: 1, pitch: 1, stride: s.Depth, need: n * s.Depth}
	switch s.Width {
	case 1:
		return scatterSmall[[1]byte](to, &in, &l, wrap, &v), true
	case 2:
		return scatterSmall[[2]byte](to, &in, &l, wrap, &v), true
	case 4:
		return scatterSmall[[4]byte](to, &in, &l, wrap, &v), true
	case 8:
		return scatterSmall[[8]byte](to, &in, &l, wrap, &v), true
	}
	return scatterSmall[[16]byte](to, &in, &l, wrap, &v), true
}

// scatterSmall fills and scatters cells of the width of E.
func scatterSmall[E any](dst unsafe.Pointer, in *input, l *layout, wrap int, v *values) (misses int) {
	cells := unsafe.Slice((*E)(dst), l.need)
	fillGeneric(cells, valueOf[E](v.off))
	return scatter(cells, in, valueOf[E](v.on), l, wrap)
}

// textSmall is encodeSmall for text.
func textSmall[V Value](dst []V, text []byte, a *Alphabet, s *Spec[V]) (misses int, done bool) {
	n, depth := len(text), s.Depth
	if overlaps(spanOf(dst), n*depth, spanOf(text)) {
		return 0, false
	}
	if n >= plan.Least && !isString[V]() && tier.Active() != tier.GenericPath {
		return blendSmall(dst, &input{unsafe.Pointer(unsafe.SliceData(text)), n, textIndex, a}, s, 0)
	}
	if !fillSmall(dst[:n*depth], s.Off) {
		return 0, false
	}
	if s.Inner > 1 {
		return scatterBytes(dst, text, &a.table, s.On, depth, 1, n), true
	}
	return scatterBytes(dst, text, &a.table, s.On, depth, depth, 1), true
}

// multiHotSmall is encodeSmall for sets of k indices.
func multiHotSmall[V Value, I Index](dst []V, indices []I, k int, s *Spec[V]) (misses int, done bool) {
	n, depth := len(indices), s.Depth
	if uint(k-1) >= plan.SmallSide || n >= plan.Least || s.Inner > 1 {
		return 0, false
	}
	rows := int(uint32(n) / uint32(k))
	if rows*k != n || !s.plain(rows, len(dst)) || overlaps(spanOf(dst), rows*depth, spanOf(indices)) || !fillSmall(dst[:rows*depth], s.Off) {
		return 0, false
	}
	for o := range rows {
		misses += scatterEach(dst[o*depth:], indices[o*k:][:k], s.On, depth, 0, s.Negative.wrap(depth))
	}
	return misses, true
}

// columnsSmall is encodeSmall for a table.
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
	need := rows * width
	if s.Depth != 0 && s.Depth != width || uint(rows-1) >= plan.Least-1 || !s.plain(rows, len(dst)) || need > min(len(dst), plan.SmallSide) ||
		overlaps(spanOf(dst), need, spanOf(depths)) {
		return 0, false
	}
	for _, column := range columns {
		if overlaps(spanOf(dst), need, spanOf(column)) {
			return 0, false
		}
	}
	if !fillSmall(dst[:need], s.Off) {
		return 0, false
	}
	first := 0
	for c, depth := range depths {
		misses += scatterEach(dst[first:], columns[c], s.On, depth, width, s.Negative.wrap(depth))
		first += depth
	}
	return misses, true
}

// updateSmall is Update where a plain output is small.
func updateSmall[V Value, I Index](dst []V, prev, next []I, s *Spec[V]) (misses int, done bool) {
	n, depth := len(next), s.Depth
	if n >= plan.Least || len(prev) != n || !s.plain(n, len(dst)) ||
		overlaps(spanOf(dst), n*depth, spanOf(next)) || overlaps(spanOf(dst), n*depth, spanOf(prev)) {
		return 0, false
	}
	if s.Inner > 1 {
		return updateRun(dst, prev, next, s.On, s.Off, depth, 1, n, s.Negative.wrap(depth)), true
	}
	on, off, row := s.On, s.Off, 0
	for i, x := range next {
		was, is := integerOf(prev[i]), integerOf(x)
		switch {
		case uint64(was) >= uint64(depth) || uint64(is) >= uint64(depth):
			misses += updateRun(dst[row:], prev[i:i+1], next[i:i+1], on, off, depth, depth, 1, s.Negative.wrap(depth))
		case was != is:
			dst[row+int(was)] = off
			dst[row+int(is)] = on
		}
		row += depth
	}
	return misses, true
}

// decodeSmall is Decode where rows are few and plain.
func decodeSmall[C Code, V Value](dst []C, src []V, s *Spec[V]) (invalid int, done bool) {
	n, depth := len(dst), s.Depth
	if isString[V]() || s.Inner > 1 || uint(depth-1) >= plan.Least || n*depth >= plan.SmallDecode || !s.plain(n, len(src)) || sameBits(s.On, s.Off) ||
		overlaps(spanOf(dst), n, span{unsafe.Pointer(unsafe.SliceData(src)), n * depth, int(unsafe.Sizeof(s.On))}) {
		return 0, false
	}
	l := layout{outer: n, depth: depth, inner: 1, plane: 1, pitch: 1, stride: depth, need: n * depth}
	switch unsafe.Sizeof(s.On) {
	case 1:
		return decodeRows[uint8](dst, src, s, &l), true
	case 2:
		return decodeRows[uint16](dst, src, s, &l), true
	case 4:
		return decodeRows[uint32](dst, src, s, &l), true
	case 8:
		return decodeRows[uint64](dst, src, s, &l), true
	}
	return 0, false
}

// decodeRows decodes cells as the numbers that their bits are.
func decodeRows[E comparable, C Code, V Value](dst []C, src []V, s *Spec[V], l *layout) (invalid int) {
	cells := unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(src))), len(src))
	return decodeGeneric(dst, cells, valueOf[E](elementOf(s.On)), valueOf[E](elementOf(s.Off)), l)
}

// fillSmall fills cells with off, unless there are more of them than one clear
// covers.
func fillSmall[V Value](cells []V, off V) bool {
	size := int(unsafe.Sizeof(off))
	bytes := len(cells) * size
	if bytes > plan.CallBytes {
		return false
	}
	switch {
	case !isString[V]() && elementOf(off) == element{}:
		race.Range(unsafe.Pointer(unsafe.SliceData(cells)), bytes, true) // clear is not instrumented
		clear(cells)
	case bytes >= plan.Least && !isString[V]() && tier.Active() != tier.GenericPath:
		race.Range(unsafe.Pointer(unsafe.SliceData(cells)), bytes, true)
		pattern := elementOf(off).repeated(size)
		fillPatternOf(unsafe.Pointer(unsafe.SliceData(cells)), bytes, pattern.lo, pattern.hi)
	default:
		for i := range cells {
			cells[i] = off
		}
	}
	return true
}

// blendSmall writes a plain output of plan.Least indices or more by kernels.
func blendSmall[V Value](dst []V, in *input, s *Spec[V], wrap int) (misses int, done bool) {
	width := int(unsafe.Sizeof(s.On))
	p := plan.Small(plan.Here(), in.len, s.Depth, width, s.Inner > 1)
	if p == plan.Scatter {
		return 0, false
	}
	v := values{on: elementOf(s.On), off: elementOf(s.Off)}
	return in.blend(unsafe.Pointer(unsafe.SliceData(dst)), s.Depth, width, wrap, p, &v), true
}

// blend writes rows, or the planes of one block, in a buffer as small as will
// do.
func (in *input) blend(dst unsafe.Pointer, depth, width, wrap int, p plan.Strategy, v *values) (misses int) {
	race.Range(dst, in.len*depth*width, true)
	if in.len < plan.SmallBlock+plan.Least {
		var classes smallBuffer
		misses = in.classes(classes[:in.len], 0, depth, wrap)
		if p == plan.Planes {
			planesOf(width, dst, 0, in.len*width, unsafe.Pointer(&classes), 1, in.len, 0, depth, unsafe.Pointer(v))
		} else {
			rowsOf(width, dst, unsafe.Pointer(&classes), in.len, depth, unsafe.Pointer(v))
		}
		return misses
	}
	return in.blendBlocks(dst, depth, width, wrap, p, v)
}

func (in *input) blendBlocks(dst unsafe.Pointer, depth, width, wrap int, p plan.Strategy, v *values) (misses int) {
	var classes mediumBuffer
	for i := 0; i < in.len; {
		n := plan.Take(in.len-i, plan.MediumBlock, plan.Least)
		rest := in.from(i)
		misses += rest.classes(classes[:n], 0, depth, wrap)
		if p == plan.Planes {
			planesOf(width, unsafe.Add(dst, i*width), 0, in.len*width, unsafe.Pointer(&classes), 1, n, 0, depth, unsafe.Pointer(v))
		} else {
			rowsOf(width, unsafe.Add(dst, i*depth*width), unsafe.Pointer(&classes), n, depth, unsafe.Pointer(v))
		}
		i += n
	}
	return misses
}

// missSmall is encodeSmall, of text too, where a miss has cells of its own. It
// is a function of its own so that calls without a Miss have no part in what it
// costs.
//
//go:noinline
func missSmall[V Value](dst []V, in *input, s *Spec[V], wrap int) (misses int, done bool) {
	n, depth, width := in.len, s.Depth, int(unsafe.Sizeof(s.On))
	bare, miss := *s, *s.Miss // now: it may lie in dst
	bare.Miss = nil
	if !bare.plain(n, len(dst)) || overlaps(spanOf(dst), n*depth, span{in.ptr, n, in.size()}) {
		return 0, false
	}
	if n >= plan.Least && !isString[V]() && tier.Active() != tier.GenericPath {
		p := plan.Small(plan.Here(), n, depth, width, s.Inner > 1)
		if p == plan.Scatter {
			return 0, false
		}
		v := values{elementOf(s.On), elementOf(s.Off), elementOf(miss)}
		return in.blendMissing(unsafe.Pointer(unsafe.SliceData(dst)), depth, width, wrap, p, &v), true
	}
	if !fillSmall(dst[:n*depth], s.Off) {
		return 0, false
	}
	l := layout{outer: n, depth: depth, inner: 1, plane: 1, pitch: 1, stride: depth}
	if s.Inner > 1 {
		l = layout{outer: 1, depth: depth, inner: n, plane: n, pitch: n, stride: n * depth}
	}
	return scatterWith(dst, in, s.On, &miss, &l, wrap), true
}

// blendMissing is blend where a miss has cells of its own.
func (in *input) blendMissing(dst unsafe.Pointer, depth, width, wrap int, p plan.Strategy, v *values) (misses int) {
	var classes mediumBuffer
	race.Range(dst, in.len*depth*width, true)
	for i := 0; i < in.len; {
		n := plan.Take(in.len-i, plan.MediumBlock, plan.Least)
		rest := in.from(i)
		missed := rest.classes(classes[:n], 0, depth, wrap)
		switch {
		case p != plan.Planes:
			blendRows(width, unsafe.Add(dst, i*depth*width), classes[:n], depth, missed, v)
		case missed > 0:
			planesMissOf(width, unsafe.Add(dst, i*width), 0, in.len*width, unsafe.Pointer(&classes), 1, n, 0, depth, unsafe.Pointer(v))
		default:
			planesOf(width, unsafe.Add(dst, i*width), 0, in.len*width, unsafe.Pointer(&classes), 1, n, 0, depth, unsafe.Pointer(v))
		}
		misses += missed
		i += n
	}
	return misses
}
