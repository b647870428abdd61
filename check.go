package onehot

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-onehot/onehot/internal/size"
)

// This file rejects invalid calls; text.go rejects invalid alphabets. The
// routes of small calls accept only what is plainly valid and leave the rest to
// this file. Code after it may assume that the cells it is told to write exist
// and that no input overlaps them, except that Recode may write over its
// indices.

// layout sets l to the layout of n indices, and checks all but the buffers.
func (s *Spec[V]) layout(l *layout, n int) error {
	return l.setPlanes(n, s.Depth, s.Inner, s.Plane, s.Stride, int(unsafe.Sizeof(s.On)), s.Negative)
}

// setPlanes checks the numbers of an encoding of n indices to elements of width
// bytes, and sets l to its layout.
func (l *layout) setPlanes(n, depth, inner, plane, stride, width int, neg Negative) error {
	if depth < 0 || inner < 0 || plane < 0 || stride < 0 || neg > Normalize {
		return badSpec(depth, inner, plane, stride, neg)
	}
	l.outer, l.depth, l.inner = n, depth, max(inner, 1)
	if inner > 1 {
		if l.outer = quotient(n, inner); l.outer*inner != n {
			return fmt.Errorf("%w: the number of indices, %d, is not a multiple of Inner %d", ErrShape, n, inner)
		}
	}
	l.indexStride, l.plane = l.inner, l.inner
	if depth > 1 && plane != 0 {
		if l.plane = plane; plane < l.inner {
			return fmt.Errorf("%w: Plane %d is below Inner %d", ErrShape, plane, l.inner)
		}
	}
	block, ok := size.Product(max(depth-1, 0), l.plane) // the last plane, which ends without a gap, is added below
	if depth > 0 {
		block += l.inner
	}
	if !ok || block < 0 {
		return fmt.Errorf("%w: Depth %d, Inner %d, Plane %d", ErrTooLarge, depth, l.inner, l.plane)
	}
	if err := l.setStride(stride, block, plane); err != nil {
		return err
	}
	before, ok := size.Product(max(l.outer-1, 0), l.stride)
	l.need = before + block
	if _, fits := size.Product(l.need, width); !ok || l.need < 0 || !fits {
		return fmt.Errorf("%w: Outer %d, Depth %d, Inner %d, Plane %d, Stride %d, elements of size %d", ErrTooLarge, l.outer, depth, l.inner, l.plane, l.stride, width)
	}
	if n == 0 {
		l.need = 0
	}
	return nil
}

// setStride sets the stride of a layout whose blocks span block elements. The
// stride of a single block, or of blocks without cells, does not matter: it is
// made to fit, whatever Stride is.
func (l *layout) setStride(stride, block, plane int) error {
	ok := true
	switch {
	case l.outer <= 1 || l.depth == 0:
		stride = block
	case stride == 0:
		if plane == 0 {
			plane = l.inner
		}
		if stride, ok = size.Product(l.depth, plane); ok && stride < block { // only with depth 1, for which setPlanes does not check Plane
			return fmt.Errorf("%w: Plane %d is below Inner %d", ErrShape, plane, l.inner)
		}
	}
	if !ok {
		return fmt.Errorf("%w: Depth %d times Plane %d elements", ErrTooLarge, l.depth, plane)
	}
	if l.stride = stride; stride < block {
		return fmt.Errorf("%w: Stride %d is below the %d elements of a block", ErrShape, stride, block)
	}
	return nil
}

// badSpec returns the error for a negative number or an unknown Negative.
func badSpec(depth, inner, plane, stride int, neg Negative) error {
	for i, number := range [...]int{depth, inner, plane, stride} {
		if number < 0 {
			kind, name := ErrShape, [...]string{"Depth", "Inner", "Plane", "Stride"}[i]
			if i == 0 {
				kind = ErrDepth
			}
			return fmt.Errorf("%w: %s %d is negative", kind, name, number)
		}
	}
	return fmt.Errorf("%w: Negative %d is neither Ignore (0) nor Normalize (1)", ErrValue, neg)
}

// A span describes a slice without its element type, for checks.
type span struct {
	ptr  unsafe.Pointer
	len  int
	size int // bytes an element
}

func spanOf[T any](s []T) span {
	return span{unsafe.Pointer(unsafe.SliceData(s)), len(s), int(unsafe.Sizeof(*new(T)))}
}

// checkBuffers checks that dst holds need elements and shares none of them with
// the input called name.
func checkBuffers(dst span, need int, name string, in span) error {
	if dst.len < need {
		return shortError(dst.len, need)
	}
	return checkOverlap(dst, need, name, in)
}

func shortError(have, need int) error {
	return fmt.Errorf("%w: dst has room for %d of the output's %d elements", ErrShort, have, need)
}

// checkOverlap checks that the first need elements of dst share no byte with
// the input called name. The two may touch.
func checkOverlap(dst span, need int, name string, in span) error {
	if overlaps(dst, need, in) {
		return overlapError(dst, need, name, in)
	}
	return nil
}

func overlaps(dst span, need int, in span) bool {
	d, i := uintptr(dst.ptr), uintptr(in.ptr)
	return d < i+uintptr(in.len*in.size) && i < d+uintptr(need*dst.size) && in.len > 0 && need > 0
}

func overlapError(dst span, need int, name string, in span) error {
	return fmt.Errorf("%w: the %d bytes of %s begin at offset %d of the output, which takes %d",
		ErrOverlap, in.len*in.size, name, int(uintptr(in.ptr)-uintptr(dst.ptr)), need*dst.size)
}

// checkColumns checks a call of EncodeColumns and sets l to the layout of its
// wide rows, whose depth is the sum of depths.
func checkColumns[V Value, I Index](l *layout, dst []V, columns [][]I, depths []int, s *Spec[V]) error {
	if len(columns) != len(depths) {
		return fmt.Errorf("%w: len(columns) is %d, len(depths) is %d", ErrShape, len(columns), len(depths))
	}
	total, err := s.total(depths)
	if err != nil {
		return err
	}
	rows := 0
	if len(columns) > 0 {
		rows = len(columns[0])
	}
	if err := l.setPlanes(rows, total, s.Inner, s.Plane, s.Stride, int(unsafe.Sizeof(s.On)), s.Negative); err != nil {
		return err
	}
	for c, column := range columns {
		if len(column) != rows {
			return fmt.Errorf("%w: the length of column 0 is %d, that of column %d is %d", ErrShape, rows, c, len(column))
		}
	}
	if len(dst) < l.need {
		return shortError(len(dst), l.need)
	}
	for c, column := range columns {
		if overlaps(spanOf(dst), l.need, spanOf(column)) {
			return overlapError(spanOf(dst), l.need, fmt.Sprint("column ", c), spanOf(column))
		}
	}
	return checkOverlap(spanOf(dst), l.need, "depths", spanOf(depths))
}

// total returns the sum of depths. It checks that Depth is 0 or that sum, and
// that the new axis is the last one.
func (s *Spec[V]) total(depths []int) (total int, err error) {
	if err := s.lastAxis(); err != nil {
		return 0, err
	}
	for c, depth := range depths {
		if depth < 0 {
			return 0, fmt.Errorf("%w: depth %d of column %d is negative", ErrDepth, depth, c)
		}
		if total += depth; total < 0 {
			return 0, fmt.Errorf("%w: the depths up to column %d add up to more than an int", ErrTooLarge, c)
		}
	}
	if s.Depth < 0 {
		return 0, badSpec(s.Depth, s.Inner, s.Plane, s.Stride, s.Negative)
	}
	if s.Depth > 0 && s.Depth != total {
		return 0, fmt.Errorf("%w: Depth is %d, the depths add up to %d", ErrShape, s.Depth, total)
	}
	return total, nil
}

// lastAxis checks that the new axis is the last one.
func (s *Spec[V]) lastAxis() error {
	if s.Inner > 1 {
		return fmt.Errorf("%w: Inner is %d, want 0 or 1", ErrShape, s.Inner)
	}
	if s.Plane < 0 || s.Plane > 1 {
		return fmt.Errorf("%w: Plane is %d, want 0 or 1", ErrShape, s.Plane)
	}
	return nil
}

// checkSets checks a call of MultiHot.
func checkSets[V Value, I Index](l *layout, dst []V, indices []I, k int, s *Spec[V]) error {
	if k <= 0 {
		return fmt.Errorf("%w: k is %d; a row takes at least one index", ErrShape, k)
	}
	if len(indices)%k != 0 {
		return fmt.Errorf("%w: the number of indices, %d, is not a multiple of k %d", ErrShape, len(indices), k)
	}
	if err := s.lastAxis(); err != nil {
		return err
	}
	if s.Miss != nil {
		return fmt.Errorf("%w: Miss is set, but the indices of a set share a row, so that no miss has cells of its own", ErrValue)
	}
	if err := s.layout(l, len(indices)/k); err != nil {
		return err
	}
	return checkBuffers(spanOf(dst), l.need, "indices", spanOf(indices))
}

func checkUpdate[V Value, I Index](l *layout, dst []V, prev, next []I, s *Spec[V]) error {
	if len(prev) != len(next) {
		return fmt.Errorf("%w: len(prev) is %d, len(next) is %d", ErrShape, len(prev), len(next))
	}
	if err := s.layout(l, len(next)); err != nil {
		return err
	}
	if err := checkBuffers(spanOf(dst), l.need, "prev", spanOf(prev)); err != nil {
		return err
	}
	return checkOverlap(spanOf(dst), l.need, "next", spanOf(next))
}

func checkDecode[I Code, V Value](l *layout, dst []I, src []V, s *Spec[V]) error {
	if err := s.layout(l, len(dst)); err != nil {
		return err
	}
	if limit := largestClass[I](); uint64(max(s.Depth-1, 0)) > limit {
		return fmt.Errorf("%w: Depth %d needs class %d; the largest class of dst's type is %d", ErrDepth, s.Depth, s.Depth-1, limit)
	}
	if sameBits(s.On, s.Off) {
		if isString[V]() {
			return fmt.Errorf("%w: On and Off are both %q", ErrValue, any(s.On))
		}
		return fmt.Errorf("%w: On and Off are both %v", ErrValue, s.On)
	}
	if len(src) < l.need {
		return fmt.Errorf("%w: len(src) is %d; decoding needs %d", ErrShort, len(src), l.need)
	}
	return checkOverlap(spanOf(dst), len(dst), "src", spanOf(src[:l.need]))
}

// check checks the fields that a RawSpec has beyond a Spec, and that bytes is a
// multiple of the index size.
func (s *RawSpec) check(bytes int) error {
	if s.Index < Int8 || s.Index > Float64 {
		return fmt.Errorf("%w: unknown IndexType %d", ErrValue, s.Index)
	}
	switch s.Width {
	case 1, 2, 4, 8, 16:
	default:
		return fmt.Errorf("%w: Width %d is none of 1, 2, 4, 8, 16", ErrValue, s.Width)
	}
	if len(s.On) != s.Width || len(s.Off) != s.Width {
		return fmt.Errorf("%w: len(On) is %d and len(Off) %d, Width is %d", ErrValue, len(s.On), len(s.Off), s.Width)
	}
	if s.Miss != nil && len(s.Miss) != s.Width {
		return fmt.Errorf("%w: len(Miss) is %d, Width is %d", ErrValue, len(s.Miss), s.Width)
	}
	if each := indexSizes[s.Index]; bytes&(each-1) != 0 { // each is a power of two
		return fmt.Errorf("%w: the bytes of indices, %d, are not a multiple of the index size %d", ErrShape, bytes, each)
	}
	return nil
}

// checkBitPlanes checks a call of EncodeBits and sets l to its layout, which
// counts words: a column is the word of 64 indices.
func checkBitPlanes[I Index](l *layout, dst []uint64, indices []I, depth int, neg Negative) error {
	words := BitWords(len(indices))
	if words == 0 && depth > 0 { // nothing is written, so no depth is too large
		depth = 0
	}
	// Checked here, so that the error has the numbers of the call: that of
	// setPlanes would have those of the layout.
	if bytes, ok := size.Product(max(depth, 0), wordBits/8*words); !ok || bytes >= size.MaxBytes {
		return fmt.Errorf("%w: Depth %d times %d words", ErrTooLarge, depth, words)
	}
	if err := l.setPlanes(words, depth, words, 0, 0, wordBits/8, neg); err != nil {
		return err
	}
	return checkBuffers(spanOf(dst), l.need, "indices", spanOf(indices))
}

// grow returns dst with n more elements, whose contents are undefined. Some
// platforms address less than size.MaxBytes: only the runtime knows how much,
// and it panics before it has changed anything.
func grow[T any](dst []T, n int) (out []T, err error) {
	total := len(dst) + n
	if 0 <= total && total <= cap(dst) {
		return dst[:total], nil
	}
	tooLarge := func() error {
		return fmt.Errorf("%w: %d elements of size %d after the %d already in dst", ErrTooLarge, n, unsafe.Sizeof(*new(T)), len(dst))
	}
	if bytes, ok := size.Product(max(total, 0), int(unsafe.Sizeof(*new(T)))); total < 0 || !ok || bytes >= size.MaxBytes {
		return nil, tooLarge()
	}
	defer func() {
		if recover() != nil {
			out, err = nil, tooLarge()
		}
	}()
	return slices.Grow(dst, n)[:total], nil
}

func checkRecode[C Code, I Index](dst []C, indices []I, table []C, valid *Bitmap) error {
	n, out, in, codes := len(indices), spanOf(dst), spanOf(indices), spanOf(table)
	switch same := out.ptr == in.ptr && out.size == in.size; {
	case len(dst) < n:
		return shortError(len(dst), n)
	case !same && overlaps(out, n, in):
		return overlapError(out, n, "indices", in)
	case overlaps(out, n, codes):
		return overlapError(out, n, "table", codes)
	case valid == nil:
		return nil
	}
	if valid.Offset < 0 {
		return fmt.Errorf("%w: Offset %d of a Bitmap is negative", ErrShape, valid.Offset)
	}
	if end := uint64(valid.Offset) + uint64(n); end > 8*uint64(len(valid.Bits)) {
		return fmt.Errorf("%w: Bits holds %d bits; Offset %d and %d indices need %d",
			ErrShort, 8*uint64(len(valid.Bits)), valid.Offset, n, end)
	}
	return checkOverlap(out, n, "Bits", spanOf(valid.Bits))
}

// checkExpandBits checks a call of ExpandBits and returns the number of planes.
func checkExpandBits[V Value](dst []V, bits []uint64, n int) (planes int, err error) {
	if n < 0 {
		return 0, fmt.Errorf("%w: n %d is negative", ErrShape, n)
	}
	if n == 0 {
		return 0, nil
	}
	words := BitWords(n)
	if planes = len(bits) / words; planes*words != len(bits) {
		return 0, fmt.Errorf("%w: len(bits) is %d, not a multiple of the words of a plane, %d for n %d", ErrShape, len(bits), words, n)
	}
	need, ok := size.Product(planes, n)
	if _, fits := size.Product(need, int(unsafe.Sizeof(*new(V)))); !ok || !fits {
		return 0, fmt.Errorf("%w: %d planes of %d cells", ErrTooLarge, planes, n)
	}
	return planes, checkBuffers(spanOf(dst), need, "bits", spanOf(bits))
}
