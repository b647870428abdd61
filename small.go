package onehot

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file serves small calls, whose output takes at most plan.CallBytes.
// Encode, EncodeRaw and EncodeText try it before the general route.
// AppendEncode hands small calls to Encode. EncodeColumns, MultiHot, Update,
// EncodeBits and Decode have small routes in their own files, which share its
// checks, and Recode has one with checks of its own. None of these routes makes
// a job or a plan, which would take longer than the smallest calls themselves,
// except for tables and sets that are written from bits and for planes with a
// Miss that no kernel writes. Fewer than plan.Least indices are scattered by a
// loop, which for rows is in Encode itself; more go through two kernels
// (route_small.go), unless a loop is faster.
//
// It serves rows and planes, with and without a Miss, a Stride or a Plane.
// Wrong calls, and all that are not small, are left to the general route, which
// checks them and returns the errors.
//
// A call of a function that is not inlined costs a tenth of a small call. A
// copy of a struct whose fields have just been stored one by one costs four
// tenths, because the processor waits for stores that it has to put together.
// Hence functions are few, and structs are filled where they are declared and
// passed by address, or are literals of four fields, which the compiler builds
// where they are passed.

// plain reports whether n indices make rows, or planes of one block, that have
// no gaps and fit both dst elements and plan.CallBytes. A call that it accepts
// is valid unless buffers overlap; a call that it refuses may be valid, too.
func (s *Spec[V]) plain(n, dst int) bool {
	return plain(n, s.Depth, s.Inner, s.Stride|s.Plane, s.Negative, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On))))
}

func plain(n, depth, inner, gaps int, neg Negative, room int) bool {
	return uint(n) < plan.SmallSide && uint(depth) < plan.SmallSide && n*depth <= room &&
		(uint(inner) <= 1 || inner == n) && gaps == 0 && neg <= Normalize
}

// tighten sets the Plane and the Stride of a small call to 0 where they leave
// no gaps, and the Stride also where there is a single block: the call then
// writes the same and may be plain. n, the number of indices, is at least 1.
// tighten reports whether it set any. Errors of such a call never name a number
// that it set.
func (s *Spec[V]) tighten(n int) bool {
	return s.Stride|s.Plane != 0 && tighten(n, s.Depth, s.Inner, &s.Stride, &s.Plane)
}

func (s *RawSpec) tighten(n int) bool {
	return s.Stride|s.Plane != 0 && tighten(n, s.Depth, s.Inner, &s.Stride, &s.Plane)
}

//go:noinline
func tighten(n, depth, inner int, stride, plane *int) (done bool) {
	if uint(*stride) > plan.CallBytes || *plane < 0 || uint(n-1) >= plan.SmallSide || uint(depth) >= plan.SmallSide || uint(inner) >= plan.SmallSide {
		return false
	}
	if inner = max(inner, 1); n*depth > plan.CallBytes || int64(n)*int64(*stride) > int64(inner)*plan.CallBytes { // ErrTooLarge may have to name them where an int has 32 bits
		return false
	}
	if *plane == inner {
		*plane, done = 0, true
	}
	if *plane == 0 && *stride > 0 && (*stride == depth*inner || n <= inner) {
		*stride, done = 0, true
	}
	return done
}

// fewColumns is plain for any number of blocks of planes that have fewer
// columns than any kernel takes.
func (s *Spec[V]) fewColumns(n, dst int) bool {
	return 1 < s.Inner && s.Inner < plan.Least &&
		plain(n, s.Depth, n, s.Stride|s.Plane, s.Negative, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On)))) &&
		uint32(n)%uint32(s.Inner) == 0 // of 32 bits: see quotient
}

// planeBytes returns the bytes from one plane to the next, or 0 for plain rows.
func planeBytes(inner, width int) int {
	if inner > 1 {
		return inner * width
	}
	return 0
}

// plainBlocks is plain for blocks of planes that a Stride may hold apart: for
// texts, and for planes with as many columns as a kernel takes. It returns the
// number of blocks, the elements from one to the next, and those of the whole
// output, or zeros if it refuses the call.
func (s *Spec[V]) plainBlocks(n, dst int) (blocks, stride, need int) {
	depth, inner, room := s.Depth, s.Inner, min(dst, plan.CallBytes/int(unsafe.Sizeof(s.On)))
	if inner <= 1 || n < inner || depth <= 0 || uint(s.Stride) > uint(room) || !plain(n, depth, n, s.Plane, s.Negative, room) {
		return 0, 0, 0
	}
	blocks, stride = quotient(n, inner), max(s.Stride, depth*inner)
	need, fits := spanIn(room, blocks, stride, depth*inner)
	if blocks*inner != n || !fits || s.Stride > 0 && s.Stride < stride {
		return 0, 0, 0
	}
	return blocks, stride, need
}

// spanIn returns how many elements blocks span that start stride elements
// apart, the last of which spans last elements, and reports whether they fit in
// room elements. It computes in 64 bits, because an int of 32 bits could wrap.
func spanIn(room, blocks, stride, last int) (need int, fits bool) {
	if blocks > 1 && stride > room { // so that the product below cannot wrap
		return 0, false
	}
	all := int64(blocks-1)*int64(stride) + int64(last)
	return int(all), all <= int64(room)
}

// quotient returns a / b for a >= 0 and b > 0. Intel's processors before Ice
// Lake take three times as long to divide 64 bits as 32, and small calls would
// notice.
func quotient(a, b int) int {
	if uint64(a|b) <= math.MaxUint32 {
		return int(uint32(a) / uint32(b))
	}
	return a / b
}

// blends reports whether kernels write a small call of n indices, as rows or,
// if planes is set, as the planes of one block.
func blends(n, depth, width int, planes, hasMiss bool) bool {
	if planes {
		return plan.SmallPlanes(n, n, depth, width, hasMiss) != plan.ByLoop
	}
	return plan.SmallRows(n, depth, width, hasMiss) != plan.ByLoop
}

// blendSmall is Encode with kernels for a plain output that Encode does not
// write by itself: rows, with or without a Miss, and planes without one. With
// pointers Encode need not keep the capacities of slices.
//
//go:noinline
func blendSmall[V Value, I Index](to, from unsafe.Pointer, n int, s *Spec[V]) (misses int) {
	depth, size, hasMiss, wrap := s.Depth, int(unsafe.Sizeof(s.On)), s.Miss != nil, s.Negative.wrap(s.Depth)
	v, in := values{on: elementOf(s.On), off: elementOf(s.Off), miss: s.missBits()}, input{from, n, indexTypeOf[I](), nil}
	return in.small(to, depth, size, wrap, planeBytes(s.Inner, size), hasMiss, &v)
}

// lastSmall is Encode for n rows that are written over their own classes,
// except for those from first on, which a loop writes. No classes are kept in
// those.
//
//go:noinline
func lastSmall[V Value, I Index](to, from unsafe.Pointer, first, n int, s *Spec[V]) (misses int) {
	depth, size, wrap, miss := s.Depth, int(unsafe.Sizeof(s.On)), s.Negative.wrap(s.Depth), copyOf(s.Miss)
	v := values{on: elementOf(s.On), off: elementOf(s.Off), miss: s.missBits()}
	cells := unsafe.Slice(nth[V](to, first*depth), (n-first)*depth)
	if len(cells) > plan.LastLoop && v.off.lo|v.off.hi == 0 {
		clear(cells)
	} else {
		for i := range cells { // fillSmall would take longer
			cells[i] = s.Off
		}
	}
	misses = scatterRows(cells, unsafe.Slice((*I)(from), n)[first:], s.On, miss, depth, depth, wrap)
	return misses + rowsAtOnce(indexTypeOf[I](), to, from, first, depth, size, int(wrapOf[I](wrap)), miss != nil, &v)
}

// wayOfBlocks returns how several small blocks of planes, of n columns in all,
// are written, and reports whether a small call may write them: with kernels
// only if all classes fit one buffer, with a loop only without a Miss.
func wayOfBlocks(n, inner, depth, width int, hasMiss bool) (way plan.SmallWay, small bool) {
	if inner >= plan.Least {
		way = plan.SmallPlanes(n, inner, depth, width, hasMiss)
	}
	if way != plan.ByLoop {
		return way, n < plan.LargeBlock+plan.Least
	}
	return way, !hasMiss
}

// copyOf returns a copy of a Miss, which may lie in dst, or nil without one. It
// is inlined, so that the copy stays on the stack.
func copyOf[V any](miss *V) *V {
	if miss == nil {
		return nil
	}
	own := *miss
	return &own
}

// blocksSmall is Encode for several blocks of planes that kernels may take, for
// rows or blocks with a Stride, and for a Stride or a Plane that leaves no
// gaps. It reports whether it wrote them.
func blocksSmall[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int, done bool) {
	n := len(indices)
	few := n < plan.Least && s.Inner < plan.Least && s.Plane == 0 // these would notice a tightened copy of s
	switch {
	case !few && s.tighten(n): // here and not in Encode, whose smallest calls would notice one more test
		misses, err := Encode(dst, indices, *s)
		return misses, err == nil
	case s.Inner < plan.Least:
		return strided(dst, indices, s)
	}
	in := inputOf(indices)
	return wideSmall(dst, &in, s)
}

// strided is blocksSmall for rows and for planes of few columns, with a Stride.
// Many rows that touch are left to the kernels of the general route.
func strided[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int, done bool) {
	n, depth, stride, inner := len(indices), s.Depth, s.Stride, max(s.Inner, 1)
	blocks, block, room := n, depth*inner, min(len(dst), plan.CallBytes/int(unsafe.Sizeof(s.On)))
	if inner > 1 {
		blocks = quotient(n, inner)
	}
	if blocks == 1 && stride > 0 { // that of a single block does not matter, as setStride has it
		stride = block
	}
	if uint(n-1) >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || blocks*inner != n || stride < block || stride > room ||
		stride == depth && n >= plan.Least || s.Inner < 0 || s.Plane != 0 || s.Negative > Normalize {
		return 0, false
	}
	need, fits := spanIn(room, blocks, stride, block)
	if !fits || overlaps(spanOf(dst), need, spanOf(indices)) {
		return 0, false
	}
	cells, wrap, miss := dst[:need], s.Negative.wrap(depth), copyOf(s.Miss)
	if stride == block {
		fillSmall(cells, s.Off, n)
	} else {
		fillRuns(cells, s.Off, block, blocks, stride, fillerOf(s.Off, need, n))
	}
	if inner > 1 {
		return scatterFew(unsafe.Pointer(unsafe.SliceData(cells)), indices, s.On, miss, depth, inner, inner, stride, wrap), true
	}
	return scatterRows(cells, indices, s.On, miss, depth, stride, wrap), true
}

// wideSmall writes small blocks of planes by kernels, or by a loop where that
// is faster, and reports whether it did.
func wideSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, width := in.len, s.Depth, int(unsafe.Sizeof(s.On))
	blocks, stride, need := s.plainBlocks(n, len(dst))
	if need == 0 || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	way, small := wayOfBlocks(n, s.Inner, depth, width, s.Miss != nil)
	if isString[V]() {
		way, small = plan.ByLoop, s.Miss == nil
	}
	switch {
	case !small || way == plan.ByLoop && need > n*depth:
		return 0, false
	case way != plan.ByLoop:
		v := values{on: elementOf(s.On), off: elementOf(s.Off), miss: s.missBits()}
		return in.blendBlocks(unsafe.Pointer(unsafe.SliceData(dst)), s.Inner, depth, width, stride*width, s.Negative.wrap(depth), way == plan.AtOnce, s.Miss != nil, &v), true
	}
	var l layout
	l.setPlain(blocks, depth, s.Inner)
	fillSmall(dst[:n*depth], s.Off, n)
	return scatterWith(dst[:n*depth], in, s.On, nil, &l, s.Negative.wrap(depth)), true
}

// small is EncodeRaw for a plain output, and for blocks of planes that touch.
// s.check must have passed; small checks the other numbers.
func (s *RawSpec) small(dst, indices []byte) (misses int, done bool) {
	n, depth, inner, blocks := len(indices)>>bits.TrailingZeros8(uint8(indexSizes[s.Index])), s.Depth, s.Inner, 1
	if 1 < inner && inner < n {
		if blocks = quotient(n, inner); blocks*inner != n {
			return 0, false
		}
		inner = n
	}
	// With Depth 0 there is no cell at which a tile could start.
	if depth == 0 || !plain(n, depth, inner, s.Stride|s.Plane, s.Negative, min(len(dst), plan.CallBytes)>>bits.TrailingZeros8(uint8(s.Width))) ||
		overlaps(spanOf(dst), n*depth*s.Width, spanOf(indices)) {
		return 0, false
	}
	to, wrap, v := unsafe.Pointer(unsafe.SliceData(dst)), s.Negative.wrap(depth), values{on: elementFrom(s.On), off: elementFrom(s.Off)}
	if s.Miss != nil {
		v.miss = elementFrom(s.Miss)
	}
	in := input{unsafe.Pointer(unsafe.SliceData(indices)), n, s.Index, nil}
	switch {
	case blocks > 1 && s.Inner >= plan.Least:
		switch way, small := wayOfBlocks(n, s.Inner, depth, s.Width, s.Miss != nil); {
		case !small:
			return 0, false
		case way != plan.ByLoop:
			return in.blendBlocks(to, s.Inner, depth, s.Width, depth*s.Inner*s.Width, wrap, way == plan.AtOnce, s.Miss != nil, &v), true
		}
	case blocks == 1 && n >= plan.Least && blends(n, depth, s.Width, s.Inner > 1, s.Miss != nil):
		return in.small(to, depth, s.Width, wrap, planeBytes(s.Inner, s.Width), s.Miss != nil, &v), true
	}
	if s.Miss != nil && s.Inner >= plan.Least {
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

// scatterRaw fills the cells at dst with off and then scatters to them.
func scatterRaw[E any](dst unsafe.Pointer, in *input, l *layout, wrap int, hasMiss bool, v *values) (misses int) {
	var miss *E
	if own := valueOf[E](v.miss); hasMiss {
		miss = &own
	}
	cells := unsafe.Slice((*E)(dst), l.need)
	fillSmall(cells, valueOf[E](v.off), in.len)
	return scatterWith(cells, in, valueOf[E](v.on), miss, l, wrap)
}

// textSmall is EncodeText for a plain output and for blocks of planes.
func textSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, width := in.len, s.Depth, int(unsafe.Sizeof(s.On))
	if !s.plain(n, len(dst)) || overlaps(spanOf(dst), n*depth, in.span()) {
		return wideSmall(dst, in, s)
	}
	if n >= plan.Least && !isString[V]() && blends(n, depth, width, s.Inner > 1, s.Miss != nil) {
		v := values{on: elementOf(s.On), off: elementOf(s.Off), miss: s.missBits()}
		return in.small(unsafe.Pointer(unsafe.SliceData(dst)), depth, width, 0, planeBytes(s.Inner, width), s.Miss != nil, &v), true
	}
	var miss V
	if s.Miss != nil {
		miss = *s.Miss // read now, since it may lie in dst
		if s.Inner > 1 && n >= plan.Least {
			return missBlock(dst[:n*depth], in, s, miss), true
		}
	}
	// This case of fillSmall is inlined: the call is noticeable with a short text.
	if off, bytes := elementOf(s.Off), n*depth*width; !isString[V]() && off.lo|off.hi == 0 && plan.ZeroesByStores(bytes) {
		zeroSmall(unsafe.Pointer(unsafe.SliceData(dst)), bytes)
	} else {
		fillSmall(dst[:n*depth], s.Off, n)
	}
	text, step, plane := bytesAt(in.ptr, in.len), depth, 1
	if s.Inner > 1 {
		step, plane = 1, n
	}
	if s.Miss != nil {
		return scatterSymbols(unsafe.Pointer(unsafe.SliceData(dst)), text, in.alphabet, s.On, miss, depth, step, plane), true
	}
	return scatterBytes(dst, text, in.alphabet, s.On, depth, step, plane), true
}

// missRest is the rest of Encode's loop over n rows, where a miss has cells of
// its own. Index i is the first miss; its row starts at element row. It is a
// function of its own so that Encode's loop calls nothing. It takes one index
// at a time: with four at a time 30 rows take 1.05 times as long where one in a
// hundred is a miss. One function for rows and planes, with a product for each
// index, takes up to 1.2 times as long.
//
//go:noinline
func missRest[V Value, I Index](to, from unsafe.Pointer, n, i, row int, s *Spec[V], miss *V) (misses int) {
	depth, wrap, on, size, limit := s.Depth, s.Negative.wrap(s.Depth), s.On, int(unsafe.Sizeof(s.On)), limitOf[I](s.Depth)
	for _, x := range unsafe.Slice((*I)(from), n)[i:] {
		if a := bitsOf(x); a < limit {
			*nth[V](to, row+intOf(x, a)) = on
		} else if class, ok := classOf(x, depth, wrap); ok {
			*nth[V](to, row+int(class)) = on
		} else {
			misses++
			missRow(unsafe.Add(to, row*size), *miss, depth)
		}
		row += depth
	}
	return misses
}

// missPlanes is Encode for one block of planes with a Miss that has as many
// columns as a kernel takes. Where plan.SmallCountsMisses says so, it looks
// whether few indices are misses, and then scatters to the planes.
//
//go:noinline
func missPlanes[V Value, I Index](to, from unsafe.Pointer, n int, s *Spec[V]) (misses int) {
	depth, size, wrap, in := s.Depth, int(unsafe.Sizeof(s.On)), s.Negative.wrap(s.Depth), input{from, n, indexTypeOf[I](), nil}
	on, off, miss := s.On, s.Off, *s.Miss // the Miss is read now, since it may lie in dst, to which outside writes
	if plan.SmallCountsMisses(n, depth, size, isString[V]()) && plan.StoresMisses(outside[V, I](to, from, n, depth, wrap), n, size) {
		fillSmall(unsafe.Slice((*V)(to), n*depth), off, n)
		return scatterPlanes(to, unsafe.Slice((*I)(from), n), on, &miss, depth, n, wrap)
	}
	if !isString[V]() {
		v := values{on: elementOf(on), off: elementOf(off), miss: elementOf(miss)}
		switch way := plan.SmallPlanes(n, n, depth, size, true); {
		case way == plan.AtOnce && fitsAtOnce(n):
			return planesAtOnce(in.typ, to, from, n, depth, size, int(wrapOf[I](wrap)), true, &v)
		case way != plan.ByLoop:
			return in.small(to, depth, size, wrap, n*size, true, &v)
		}
	}
	return missBlock(unsafe.Slice((*V)(to), n*depth), &in, s, miss)
}

// outside returns how many of n indices have no class or, where no kernel
// counts these, how many are not in [0, depth). The classes of the kernel lie
// where the last cells will be.
func outside[V Value, I Index](to, from unsafe.Pointer, n, depth, wrap int) (count int) {
	if size := int(unsafe.Sizeof(*new(V))); !isString[V]() && tier.Active() != tier.GenericPath {
		race.Range(to, n*depth*size, true)
		race.Range(from, n*int(unsafe.Sizeof(I(0))), false)
		return classesOf(indexTypeOf[I](), unsafe.Add(to, n*(depth*size-1)), from, n, 0, depth, int(wrapOf[I](wrap)))
	}
	limit := limitOf[I](depth)
	for _, x := range unsafe.Slice((*I)(from), n) {
		if bitsOf(x) >= limit {
			count++
		}
	}
	return count
}

// missBlock is Encode and EncodeText without kernels for one block of planes
// with a Miss that has as many columns as a kernel takes. miss is the value of
// s.Miss, which may lie in dst.
//
//go:noinline
func missBlock[V Value](dst []V, in *input, s *Spec[V], miss V) (misses int) {
	n, depth := in.len, s.Depth
	if depth == 0 { // there is no cell at which a tile could start
		return n
	}
	var l layout
	l.setPlain(1, depth, n)
	return directTile(dst, in, s.On, s.Off, &miss, &l, s.Negative.wrap(depth), &plan.Plan{Fill: fillerOf(s.Off, n*depth, n)})
}

// paddedSmall is Encode and EncodeText with kernels for one block whose planes
// start a Plane apart, such as a text in a padded batch.
//
//go:noinline
func paddedSmall[V Value](dst []V, in *input, s *Spec[V]) (misses int, done bool) {
	n, depth, plane, width := in.len, s.Depth, s.Plane, int(unsafe.Sizeof(s.On))
	if s.Inner != n || n < plan.Least || plane < n || plane >= plan.SmallSide || uint(depth-1) >= plan.SmallSide || s.Stride != 0 || s.Negative > Normalize ||
		isString[V]() || n*depth > plan.CallBytes/width || !plan.PaddedPlanes(n, depth, plane, width, s.Miss != nil) {
		return 0, false
	}
	need := (depth-1)*plane + n
	if need > len(dst) || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	v := values{on: elementOf(s.On), off: elementOf(s.Off), miss: s.missBits()}
	return in.small(unsafe.Pointer(unsafe.SliceData(dst)), depth, width, s.Negative.wrap(depth), plane*width, s.Miss != nil, &v), true
}

// gapsSmall is Encode and EncodeText for rows and planes of few columns that no
// function before it has served, mostly because they have gaps. It fills the
// output and then scatters to it.
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
	outer := quotient(n, inner)
	need, fits := spanIn(min(len(dst), plan.CallBytes/size), outer, stride, (depth-1)*plane+inner)
	if outer*inner != n || plane < inner || stride < depth*plane || n >= plan.Least && inner == 1 && stride == depth ||
		!fits || overlaps(spanOf(dst), need, in.span()) {
		return 0, false
	}
	on, off, miss := s.On, s.Off, copyOf(s.Miss)
	l := layout{outer: outer, depth: depth, inner: inner, plane: plane, stride: stride, indexStride: inner, need: need}
	fillLayout(dst[:need], off, &l, fillerOf(off, need, n))
	return scatterWith(dst[:need], in, on, miss, &l, s.Negative.wrap(depth)), true
}

// fillerOf returns the filler for that many cells of a small call. stores is
// how many of them are stored afterwards.
func fillerOf[V any](off V, cells, stores int) plan.Filler {
	switch bytes := cells * int(unsafe.Sizeof(off)); {
	case isString[V]() || tier.Active() == tier.GenericPath:
		return plan.FillGo
	case plan.RepeatsSmall(bytes, stores):
		return plan.FillRepeat
	case elementOf(off) == (element{}) && plan.ZeroesByClear(bytes):
		return plan.FillGo
	}
	return plan.FillVector
}
