//go:build linux

package conformance

import (
	"fmt"
	"math/bits"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// A pen is memory between two protected pages, the guards.
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

// bytes returns n bytes right after the first guard, or right before the last.
func (p pen) bytes(n int, last bool) []byte {
	if last {
		return p.memory[len(p.memory)-n:]
	}
	return p.memory[:n:n]
}

// penned returns n elements in a pen.
func penned[T any](p pen, n int, last bool) []T {
	b := p.bytes(n*view.Size[T](), last)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// inside runs f and fails the test, rather than crashing, if f touches a guard.
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

// A guardShape is an output of outer blocks.
type guardShape struct{ outer, depth, inner, stride int }

// guardShapes returns every depth up to 130 and those around multiples of
// vectors, every Inner up to 70, long planes, and many rows, so that kernels
// are left with every remainder. In short mode there are fewer, of which each
// of the salts 0, 1 and 2 gives a third.
func guardShapes(salt int) (shapes []guardShape) {
	step := sparse(7)
	depths := []int{159, 160, 161, 191, 192, 193, 223, 224, 225, 253, 254, 255, 256, 257, 319, 320, 321, 383, 384, 385, 511, 512, 513}
	for d := 1; d <= 130; d += step {
		depths = append(depths, d)
	}
	for k, depth := range depths {
		for _, n := range []int{1 + depth%15, 16 + depth*7%48, 64 + depth*7%67} {
			shapes = append(shapes, guardShape{outer: n, depth: depth, inner: 1, stride: k / 2 % 2 * (depth + k%5)})
		}
	}
	for inner := 1; inner <= 70; inner += step {
		for _, depth := range []int{1, 2, 3, 7, 10, 33, 130} {
			shapes = append(shapes,
				guardShape{outer: 1, depth: depth, inner: inner},
				guardShape{outer: 2 + inner%3, depth: depth, inner: inner, stride: inner % 2 * (depth*inner + inner%7)})
		}
	}
	for _, inner := range []int{100, 127, 128, 129, 255, 257, 1000, 2049} {
		shapes = append(shapes, guardShape{outer: 1, depth: 1, inner: inner}, guardShape{outer: 1, depth: 5, inner: inner}, guardShape{outer: 2, depth: 9, inner: inner})
	}
	for _, depth := range []int{1, 2, 3, 4, 7, 8, 10, 16, 17, 24, 31, 32, 33, 48, 64} {
		shapes = append(shapes, guardShape{outer: 1000 + depth, depth: depth, inner: 1})
	}
	if !testing.Short() {
		return shapes
	}
	var thin []guardShape
	for k, g := range shapes {
		if (k+k/3+salt)%3 == 0 { // for each depth another of the three lengths
			thin = append(thin, g)
		}
	}
	return thin
}

// guardCells is as many cells as any guardShape needs.
const guardCells = 70_000

func (g guardShape) n() int { return g.outer * g.inner }

func (g guardShape) need() int {
	return oracle.Layout{Depth: g.depth, Inner: g.inner, Stride: max(g.stride, g.depth*g.inner)}.For(g.n()).Need()
}

// pens are for a call's output and its inputs.
type pens struct{ out, in, more pen }

func newPens(t *testing.T, cells int) pens {
	return pens{newPen(t, 16*cells), newPen(t, 8*cells), newPen(t, 8*cells)}
}

// sides says, for k from 0 to 3, whether out and in lie at the last guard.
func sides(k int) (out, in bool) { return k&1 != 0, k&2 != 0 }

// EncodeRaw takes every width with every index type, and has the kernels of
// Encode.
func TestGuardPages(t *testing.T) {
	p := newPens(t, guardCells)
	pathtest.Each(t, func(t *testing.T) {
		for _, index := range indexTypes {
			many := rawTypes[index].indices(uint64(index), 5000, 40)
			for _, width := range widths {
				for k, g := range guardShapes(int(index) + bits.Len(uint(width))) {
					s := onehot.RawSpec{Index: index, Width: width, Depth: g.depth, Inner: g.inner, Stride: g.stride, Negative: modes[k%2]}
					s.On, s.Off = rawValues(width, k)
					what := func() string { return fmt.Sprintf("index type %d, width %d, %+v", index, width, g) }
					for side := range 4 {
						last, lastIn := sides(side)
						dst, indices := p.out.bytes(g.need()*width, last), p.in.bytes(g.n()*rawTypes[index].size, lastIn)
						copy(indices, many)
						inside(t, what, func() { must(onehot.EncodeRaw(dst, indices, s)) })
					}
				}
			}
		}
	})
}

// The other calls are made with each index type and each width, but not with
// every pair: that would only repeat stages that depend on one of the two.
func TestGuardPagesOfCalls(t *testing.T) {
	p := newPens(t, guardCells)
	pathtest.Each(t, func(t *testing.T) {
		for salt, guard := range []func(*testing.T, pens, int){
			guardCalls[uint8, uint8, int8], guardCalls[uint8, int64, int64], guardCalls[uint16, int16, int32],
			guardCalls[uint16, float64, int16], guardCalls[float32, int32, int64], guardCalls[float32, uint64, int],
			guardCalls[bool, uint16, int16], guardCalls[float64, float32, int32], guardCalls[int64, int8, int64],
			guardCalls[complex64, uint32, int], guardCalls[complex128, int, int32], guardCalls[complex128, uint, int16],
		} {
			guard(t, p, salt)
		}
	})
}

func guardCalls[V onehot.Value, I onehot.Index, D onehot.Signed](t *testing.T, p pens, salt int) {
	many := mixed[I](uint64(view.Size[V]()), 5100, 40)
	for k, g := range guardShapes(salt) {
		s := specOf[V](encodeCase{depth: g.depth, inner: g.inner, stride: g.stride, values: k, neg: modes[k%2]})
		n, name := g.n(), ""
		what := func() string { return fmt.Sprintf("%s, %T of %T, %+v", name, s, many, g) }
		for side := range 4 {
			last, lastIn := sides(side)
			dst, indices, next := penned[V](p.out, g.need(), last), penned[I](p.in, n, lastIn), penned[I](p.more, n, lastIn)
			copy(indices, many)
			copy(next, many[n%97:])
			inside(t, what, func() {
				name = "Encode"
				must(onehot.Encode(dst, indices, s))
				name = "Update"
				must(onehot.Update(dst, indices, next, s))
				name = "AppendEncode"
				_, misses, err := onehot.AppendEncode(dst[:0], indices, s)
				must(misses, err)
				if name = "Decode"; view.Size[D]() > 1 || g.depth <= 128 {
					must(onehot.Decode(penned[D](p.more, n, lastIn), dst, s))
				}
				name = "EncodeBits"
				words := penned[uint64](p.out, g.depth*onehot.BitWords(n), last)
				must(onehot.EncodeBits(words, indices, g.depth, s.Negative))
				name = "EncodeText"
				text := view.Bytes(next)
				must(onehot.EncodeText(dst, text[len(text)-n:], theAlphabet, s))
				must(onehot.EncodeText(dst, text[:n], theAlphabet, s))
				if g.inner > 1 {
					return
				}
				name = "MultiHot"
				must(onehot.MultiHot(dst, indices[:n/3*3], 3, s))
				must(onehot.MultiHot(dst, indices[n-n/3*3:], 3, s))
				name = "EncodeColumns"
				copy(next, many)
				must(onehot.EncodeColumns(dst, [][]I{indices, next}, []int{g.depth / 2, g.depth - g.depth/2}, s))
			})
		}
	}
}

// The outputs go beyond the caches, and some are divided among workers.
func TestGuardPagesLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large outputs")
	}
	const bytes = 36 << 20
	p := pens{newPen(t, bytes), newPen(t, bytes), newPen(t, 1<<20)}
	pathtest.Each(t, func(t *testing.T) {
		guardLarge[uint8, uint8](t, p, bytes)
		guardLarge[float32, int64](t, p, bytes)
		guardLarge[float64, float32](t, p, bytes)
		guardLarge[complex128, int16](t, p, bytes)
	})
}

func guardLarge[V onehot.Value, I onehot.Index](t *testing.T, p pens, bytes int) {
	for k, g := range []guardShape{
		{depth: 190 / view.Size[V](), inner: 1}, {depth: 301, inner: 1}, {depth: 20_011, inner: 1}, {depth: 301, inner: 1, stride: 303}, {depth: 57, inner: 101}, {depth: 57},
	} {
		cells := bytes/view.Size[V]() - g.stride - 300*300
		if g.inner == 0 {
			g.inner = cells / g.depth
		}
		g.outer = cells / max(g.stride, g.depth*g.inner)
		many := mixed[I](uint64(k), g.n(), g.depth)
		s := specOf[V](encodeCase{depth: g.depth, inner: g.inner, stride: g.stride, values: k})
		what := func() string { return fmt.Sprintf("%T of %T, %+v", s, many, g) }
		for side := range 4 {
			last, lastIn := sides(side)
			dst, indices := penned[V](p.out, g.need(), last), penned[I](p.in, g.n(), lastIn)
			copy(indices, many)
			inside(t, what, func() { must(onehot.Encode(dst, indices, s)) })
			if side%3 == 0 { // a fault of another goroutine ends the process
				must(onehot.EncodeParallel(dst, indices, s, 3))
			}
			if k > 0 {
				continue
			}
			depth := 1000
			words := penned[uint64](p.out, depth*onehot.BitWords(100_001), last)
			few := penned[I](p.in, 100_001, lastIn)
			inside(t, what, func() { must(onehot.EncodeBits(words, few, depth, onehot.Ignore)) })
		}
	}
}

// EncodeRaw writes flush with both guards, and at odd addresses one byte from
// them.
func TestGuardPagesRaw(t *testing.T) {
	const cells = 20_000
	out, in := newPen(t, 16*cells+64), newPen(t, 8*cells+64)
	pathtest.Each(t, func(t *testing.T) {
		for _, index := range indexTypes {
			for _, width := range widths {
				for k, depth := range []int{1, 2, 3, 5, 8, 10, 17, 33, 64, 100, 257} {
					for j, n := range []int{1, 2, 13, 67, 300, 2000} {
						if n*depth > cells || testing.Short() && (k+j+width+int(index))%3 != 0 {
							continue
						}
						on, off := rawValues(width, n)
						for side := range 2 {
							dst, indices := out.bytes(n*depth*width, side != 0), in.bytes(n*rawTypes[index].size, side != 0)
							copy(indices, rawTypes[index].indices(uint64(n), n, depth))
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
