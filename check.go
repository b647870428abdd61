package onehot

import (
	"fmt"
	"math/bits"
	"slices"
	"unsafe"
)

// This file is the one place where input is checked. Everything behind it may
// assume that the cells it is told to write exist, and that no input lies in
// them.

// layout checks what does not depend on any buffer.
func (s *Spec[V]) layout(l *layout, n int) error {
	return l.set(n, s.Depth, s.Inner, s.Stride, int(unsafe.Sizeof(s.On)), s.Negative)
}

// set checks the numbers of an encoding of n indices to elements of the given
// width and makes l their layout.
func (l *layout) set(n, depth, inner, stride, width int, neg Negative) error {
	if depth < 0 || inner < 0 || stride < 0 || neg > Normalize {
		return badSpec(depth, inner, stride, neg)
	}
	l.outer, l.depth, l.inner = n, depth, max(inner, 1)
	if inner > 1 {
		if l.outer = n / inner; l.outer*inner != n {
			return fmt.Errorf("%w: %d indices are no multiple of Inner %d", ErrShape, n, inner)
		}
	}
	block, ok := product(depth, l.inner)
	if !ok {
		return fmt.Errorf("%w: Depth %d times Inner %d elements", ErrTooLarge, depth, inner)
	}
	if stride < block {
		if stride != 0 && l.outer > 1 {
			return fmt.Errorf("%w: Stride %d is below Depth*Inner %d", ErrShape, stride, block)
		}
		stride = block
	}
	l.plane, l.stride = l.inner, stride
	before, ok := product(max(l.outer-1, 0), stride)
	l.need = before + block
	if _, fits := product(l.need, width); !ok || l.need < 0 || !fits {
		return fmt.Errorf("%w: %d blocks of Stride %d, the last of %d elements, each of %d bytes",
			ErrTooLarge, l.outer, stride, block, width)
	}
	if n == 0 {
		l.need = 0
	}
	return nil
}

// badSpec names what newLayout found below zero or unknown.
func badSpec(depth, inner, stride int, neg Negative) error {
	switch {
	case depth < 0:
		return fmt.Errorf("%w: Depth %d is negative", ErrDepth, depth)
	case inner < 0:
		return fmt.Errorf("%w: Inner %d is negative", ErrShape, inner)
	case stride < 0:
		return fmt.Errorf("%w: Stride %d is negative", ErrShape, stride)
	}
	return fmt.Errorf("%w: Negative %d is neither Ignore (0) nor Normalize (1)", ErrValue, neg)
}

// product multiplies two numbers that are not negative and says whether the
// result fits an int.
func product(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && int(lo) >= 0
}

// short tells whether n indices make a plain output of at most shortCells
// elements that fits a dst of that length. The numbers that it accepts are
// right; those that it refuses may be.
func (s *Spec[V]) short(n, dst int) bool {
	return uint(n) <= shortCells && uint(s.Depth) <= shortCells && n*s.Depth <= min(dst, shortCells) &&
		s.Inner <= 1 && s.Inner >= 0 && s.Stride == 0 && s.Negative <= Normalize
}

// A span is a slice without its type, for checks.
type span struct {
	ptr  unsafe.Pointer
	len  int
	size int // bytes an element
}

func spanOf[T any](s []T) span {
	return span{unsafe.Pointer(unsafe.SliceData(s)), len(s), int(unsafe.Sizeof(*new(T)))}
}

// spanOfText relies on strings and slices both starting with their pointer.
func spanOfText[S ~string | ~[]byte](s S) span {
	return span{*(*unsafe.Pointer)(unsafe.Pointer(&s)), len(s), 1}
}

// checkBuffers checks that dst holds need elements and shares none of them
// with in.
func checkBuffers(dst span, need int, in span) error {
	if dst.len < need {
		return shortError(dst.len, need)
	}
	return checkOverlap(dst, need, in)
}

func shortError(have, need int) error {
	return fmt.Errorf("%w: dst has %d elements, the output needs %d", ErrShort, have, need)
}

// checkOverlap checks that the first need elements of dst share no byte with
// in. Touching is fine.
func checkOverlap(dst span, need int, in span) error {
	if overlaps(dst, need, in) {
		return overlapError(dst, need, in)
	}
	return nil
}

func overlaps(dst span, need int, in span) bool {
	d, i := uintptr(dst.ptr), uintptr(in.ptr)
	return d < i+uintptr(in.len*in.size) && i < d+uintptr(need*dst.size) && in.len > 0 && need > 0
}

func overlapError(dst span, need int, in span) error {
	return fmt.Errorf("%w: the %d bytes of input start %d bytes from the start of the %d bytes of output",
		ErrOverlap, in.len*in.size, int(uintptr(in.ptr)-uintptr(dst.ptr)), need*dst.size)
}

// grow returns dst with n more elements, whose contents are not defined. What
// an allocation can hold differs between platforms, and only the runtime knows:
// it panics before it has changed anything.
func grow[T any](dst []T, n int) (out []T, err error) {
	total := len(dst) + n
	if 0 <= total && total <= cap(dst) {
		return dst[:total], nil
	}
	tooLarge := func() error {
		return fmt.Errorf("%w: %d elements of %d bytes behind the %d of dst", ErrTooLarge, n, unsafe.Sizeof(*new(T)), len(dst))
	}
	if total < 0 {
		return nil, tooLarge()
	}
	defer func() {
		if recover() != nil {
			out, err = nil, tooLarge()
		}
	}()
	return slices.Grow(dst, n)[:total], nil
}
