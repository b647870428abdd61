//go:build linux

package onehot_test

import (
	"fmt"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
)

// A pen is memory between two pages that nobody may touch.
type pen struct{ memory []byte }

func newPen(t *testing.T, size int) pen {
	page := syscall.Getpagesize()
	size = (size + page - 1) &^ (page - 1)
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	require.NoError(t, syscall.Mprotect(m[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(m[page+size:], syscall.PROT_NONE))
	return pen{m[page : page+size]}
}

// bytes returns n bytes right behind the first guard, or right before the last.
func (p pen) bytes(n int, last bool) []byte {
	if last {
		return p.memory[len(p.memory)-n:]
	}
	return p.memory[:n:n]
}

// penned returns n elements in a pen.
func penned[T any](p pen, n int, last bool) []T {
	b := p.bytes(n*size[T](), last)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// inside runs f and fails, rather than dies, if it leaves a pen.
func inside(t *testing.T, what func() string, f func()) {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			require.FailNow(t, "a page that is none of its business", "path %s, %s: %v", onehot.Path(), what(), r)
		}
	}()
	f()
}

func TestGuardPages(t *testing.T) {
	const cells = 70_000
	out, in, more := newPen(t, 16*cells), newPen(t, 8*cells), newPen(t, 8*cells)
	eachPath(t, func(t *testing.T) {
		guardTypes[uint8, uint8](t, out, in, more, cells)
		guardTypes[uint8, int64](t, out, in, more, cells)
		guardTypes[uint16, int16](t, out, in, more, cells)
		guardTypes[float32, int32](t, out, in, more, cells)
		guardTypes[float64, float32](t, out, in, more, cells)
		guardTypes[complex128, float64](t, out, in, more, cells)
	})
}

func guardTypes[V onehot.Value, I onehot.Index](t *testing.T, out, in, more pen, cells int) {
	for depth := 1; depth <= 300; depth += 1 + depth/20*sparse(3) {
		for _, n := range []int{1, 3, 17, 64, 65, 129, 500, 4000} {
			if n*depth > cells {
				continue
			}
			for side := range 4 {
				dst := penned[V](out, n*depth, side&1 != 0)
				indices, next := penned[I](in, n, side&2 != 0), penned[I](more, n, side&2 != 0)
				copy(indices, mixed[I](uint64(n), n, depth))
				copy(next, mixed[I](uint64(n+1), n, depth))
				c := encodeCase{depth: depth, values: side, neg: modes[n%2]}
				s := specOf[V](c)
				what := func() string { return fmt.Sprintf("%T of %d %T, depth %d, side %d", s, n, indices, depth, side) }
				inside(t, what, func() {
					for _, inner := range []int{1, n} {
						s.Inner = inner
						must(onehot.Encode(dst, indices, s))
						if depth > 10 && depth%5 != 0 {
							continue
						}
						must(onehot.Update(dst, indices, next, s))
						must(onehot.Decode(penned[int64](in, n, side&2 != 0), dst, s))
						copy(indices, next)
					}
					s.Inner = 0
					if depth <= 10 || depth%5 == 0 {
						must(onehot.MultiHot(dst[:depth], indices, n, s))
						must(onehot.EncodeColumns(dst, [][]I{indices, next}, []int{depth / 2, depth - depth/2}, s))
						must(onehot.EncodeText(dst, bytesOf(indices)[:n], theAlphabet, s))
						must(onehot.EncodeText(dst, bytesOf(indices)[len(bytesOf(indices))-n:], theAlphabet, s))
						words := penned[uint64](out, depth*onehot.BitWords(n), side&1 != 0)
						must(onehot.EncodeBits(words, indices, depth, s.Negative))
					}
				})
			}
		}
	}
}

// Bytes at odd addresses: the output is flush with the last page whatever its
// length.
func TestGuardPagesRaw(t *testing.T) {
	const cells = 20_000
	out, in := newPen(t, 16*cells+64), newPen(t, 8*cells+64)
	eachPath(t, func(t *testing.T) {
		for _, index := range indexTypes {
			for _, width := range widths {
				for _, depth := range []int{1, 2, 3, 5, 8, 10, 17, 33, 64, 100, 257} {
					for _, n := range []int{1, 2, 13, 67, 300, 2000} {
						if n*depth > cells {
							continue
						}
						on, off := rawValues(width, n)
						for side := range 2 {
							dst, indices := out.bytes(n*depth*width, side != 0), in.bytes(n*indexSizes[index], side != 0)
							copy(indices, rawIndices(index, uint64(n), n, depth))
							what := func() string { return fmt.Sprintf("index type %d, width %d, %d of depth %d", index, width, n, depth) }
							inside(t, what, func() {
								for _, inner := range []int{1, n} {
									must(onehot.EncodeRaw(dst, indices, onehot.RawSpec{Index: index, Width: width, On: on, Off: off, Depth: depth, Inner: inner}))
									if side == 0 && width > 1 { // odd: one byte further
										must(onehot.EncodeRaw(out.bytes(len(dst)+1, false)[1:], indices, onehot.RawSpec{Index: index, Width: width, On: on, Off: off, Depth: depth, Inner: inner}))
									} else if width > 1 {
										must(onehot.EncodeRaw(out.bytes(len(dst)+1, true)[:len(dst)], indices, onehot.RawSpec{Index: index, Width: width, On: on, Off: off, Depth: depth, Inner: inner}))
									}
								}
							})
						}
					}
				}
			}
		}
	})
}
