//go:build linux

package conformance

import (
	"fmt"
	"math/bits"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
	"github.com/go-onehot/onehot/internal/view"
)

// A comb is memory for the blocks of an output, with a protected page in each
// gap between two blocks. A call that touches a gap, even to write back what
// was there, faults.
type comb struct{ pen }

// newComb returns a comb for blocks of size bytes, a multiple of a page.
// Protected pages also lie before the first block and after the last.
func newComb(t *testing.T, blocks, size int) comb {
	page := syscall.Getpagesize()
	require.Zero(t, size%page)
	p := newPen(t, blocks*(size+page)-page)
	for b := 1; b < blocks; b++ {
		at := b*(size+page) - page
		require.NoError(t, syscall.Mprotect(p.memory[at:at+page], syscall.PROT_NONE))
	}
	return comb{p}
}

// A combCase is an encoding whose blocks fill pages.
type combCase struct{ blocks, size, depth, inner int }

// sameBlocks fails if a block of a comb differs from want, which has no gaps.
func sameBlocks[V onehot.Value](t *testing.T, want, got []V, cells, stride int, what func() string) {
	t.Helper()
	for o := range len(want) / cells {
		require.True(t, sameBits(want[o*cells:][:cells], got[o*stride:][:cells]), "path %s: block %d: %s", onehot.Path(), o, what())
	}
}

func TestGapPages(t *testing.T) {
	page, blocks := syscall.Getpagesize(), 70
	out := newComb(t, blocks, page)
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range []combCase{
			{depth: page, inner: 1},       // rows, deep
			{depth: page / 64, inner: 64}, // planes of a few vectors
			{depth: page / 8, inner: 8},   // planes shorter than a vector
			{depth: 2, inner: page / 2},   // two long planes
			{depth: 1, inner: page},
		} {
			// A block of c is a page of cells of one byte, or of fewer, wider cells.
			c.blocks, c.size = blocks, page
			gapCalls[uint8, int16](t, out, c)
			gapCalls[uint16, uint16](t, out, narrower(c, 2))
			gapCalls[float32, int32](t, out, narrower(c, 4))
			gapCalls[float64, int64](t, out, narrower(c, 8))
		}
	})
}

// narrower returns c for elements of the given width, with the longer of the
// two axes divided by it.
func narrower(c combCase, width int) combCase {
	if c.depth >= c.inner {
		c.depth /= width
	} else {
		c.inner /= width
	}
	return c
}

// The blocks have many pages, and together they go beyond every cache:
// non-temporal stores must not touch gaps either.
func TestGapPagesLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("a large output")
	}
	defer tier.ForceLLC(16 << 20)()
	page := syscall.Getpagesize()
	const blocks = 9
	size := 4 << 20
	out := newComb(t, blocks, size)
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range []combCase{
			{depth: size, inner: 1},
			{depth: size / page, inner: page},
			{depth: 16, inner: size / 16},
			{depth: size / 64, inner: 64},
		} {
			c.blocks, c.size = blocks, size
			gapCalls[uint8, int32](t, out, c)
			gapCalls[float32, int64](t, out, narrower(c, 4))
		}
	})
}

// gapCalls makes every call that takes a Stride on blocks with protected gaps,
// and compares with the same call on blocks without gaps.
func gapCalls[V onehot.Value, I onehot.Index](t *testing.T, out comb, c combCase) {
	page, width := syscall.Getpagesize(), view.Size[V]()
	cells := c.depth * c.inner
	if c.size/width != cells {
		require.Equal(t, c.size, cells*width, "the blocks fill their pages")
	}
	stride := (c.size + page) / width
	n := c.blocks * c.inner
	dst := penned[V](out.pen, (c.blocks-1)*stride+cells, false)
	prev, next := mixed[I](1, n, c.depth), mixed[I](2, n, c.depth)
	want := make([]V, c.blocks*cells)

	for k := range 2 {
		s := specOf[V](encodeCase{depth: c.depth, inner: c.inner, stride: stride, values: 2 * k, neg: modes[k]})
		dense := s
		dense.Stride = 0
		name := ""
		what := func() string { return fmt.Sprintf("%s, %T of %T, %+v", name, s, prev, c) }
		// same makes a call on the comb and without gaps, and compares the two.
		same := func(call string, encode func(dst []V, s onehot.Spec[V]) (int, error)) {
			t.Helper()
			name = call
			wantMisses, err := encode(want, dense)
			require.NoError(t, err, what())
			var misses int
			inside(t, what, func() { misses, err = encode(dst, s) })
			require.NoError(t, err, what())
			require.Equal(t, wantMisses, misses, what())
			sameBlocks(t, want, dst, cells, stride, what)
		}
		decodes := func() {
			t.Helper()
			name = "Decode"
			classes, wantClasses := make([]int32, n), make([]int32, n)
			wantInvalid, err := onehot.Decode(wantClasses, want, dense)
			require.NoError(t, err, what())
			var invalid int
			inside(t, what, func() { invalid, err = onehot.Decode(classes, dst, s) })
			require.NoError(t, err, what())
			require.Equal(t, wantInvalid, invalid, what())
			require.True(t, sameBits(wantClasses, classes), what())
		}

		same("Encode", func(dst []V, s onehot.Spec[V]) (int, error) { return onehot.Encode(dst, prev, s) })
		decodes()
		same("Update", func(dst []V, s onehot.Spec[V]) (int, error) { return onehot.Update(dst, prev, next, s) })
		for _, workers := range []int{2, 5} {
			same("EncodeParallel", func(dst []V, s onehot.Spec[V]) (int, error) { return onehot.EncodeParallel(dst, prev, s, workers) })
		}
		same("EncodeText", func(dst []V, s onehot.Spec[V]) (int, error) {
			return onehot.EncodeText(dst, view.Bytes(next)[:n], theAlphabet, s)
		})
		raw := func(encode func(dst, indices []byte, s onehot.RawSpec) (int, error)) func([]V, onehot.Spec[V]) (int, error) {
			return func(dst []V, s onehot.Spec[V]) (int, error) {
				return encode(view.Bytes(dst), view.Bytes(next), onehot.RawSpec{
					Index: rawIndexType[I](), Width: width, On: view.Bytes([]V{s.On}), Off: view.Bytes([]V{s.Off}),
					Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Negative: s.Negative,
				})
			}
		}
		same("EncodeRaw", raw(onehot.EncodeRaw))
		same("EncodeRawParallel", raw(func(dst, indices []byte, s onehot.RawSpec) (int, error) {
			return onehot.EncodeRawParallel(dst, indices, s, 3)
		}))
		if c.inner > 1 {
			continue
		}
		same("MultiHot", func(dst []V, s onehot.Spec[V]) (int, error) {
			return onehot.MultiHot(dst, mixed[I](3, 3*n, c.depth), 3, s)
		})
		decodes() // rows that are not one-hot
		same("EncodeColumns", func(dst []V, s onehot.Spec[V]) (int, error) {
			return onehot.EncodeColumns(dst, [][]I{prev, next, prev}, []int{c.depth / 3, 1, c.depth - c.depth/3 - 1}, s)
		})
	}
}

// If rows or blocks are far apart, even few indices have a span that an int of
// 32 bits cannot hold.
func TestGapsBeyondTheAddresses(t *testing.T) {
	dst := make([]uint8, 1<<18)
	a, err := onehot.NewAlphabet("ACGT")
	require.NoError(t, err)
	pathtest.Each(t, func(t *testing.T) {
		for _, s := range []onehot.Spec[uint8]{
			{Depth: 2, Stride: 1 << 18}, {Depth: 1, Inner: 2, Stride: 1 << 18}, {Depth: 1, Inner: 3, Stride: 1 << 18}, {Depth: 2, Inner: 2, Stride: 200_000},
		} {
			s.On = 1
			for _, n := range []int{16_385, 16_386, 32_766} {
				if n%max(s.Inner, 1) != 0 {
					continue
				}
				_, err := onehot.Encode(dst, make([]uint8, n), s)
				require.Error(t, err, "%d indices, %+v", n, s)
				_, err = onehot.EncodeText(dst, make([]byte, n), a, s)
				require.Error(t, err, "%d letters, %+v", n, s)
			}
		}
		require.Equal(t, make([]uint8, len(dst)), dst)
	})
}

// If an int has 32 bits, it cannot hold the place of a row after the last one.
func TestGapsOfHalfTheAddresses(t *testing.T) {
	if bits.UintSize == 64 {
		t.Skip("an int reaches much further")
	}
	const depth, stride = 10, 700_000_000
	m, err := syscall.Mmap(-1, 0, 3*stride+depth, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("no room for that: ", err)
	}
	defer func() { _ = syscall.Munmap(m) }()
	s := onehot.Spec[uint8]{Depth: depth, On: 1, Stride: stride}
	pathtest.Each(t, func(t *testing.T) {
		for _, indices := range [][]int8{{0, 3, 9, 1}, {0, 3, 10, 1}, {-1, 9, 9, 9}} {
			for _, neg := range modes {
				s.Negative = neg
				want := make([]uint8, 4*depth)
				wantMisses := defined(want, indices, onehot.Spec[uint8]{Depth: depth, On: 1, Negative: neg})
				what := func() string { return fmt.Sprint(indices, neg) }
				check := func(misses int, err error) {
					t.Helper()
					require.NoError(t, err)
					require.Equal(t, wantMisses, misses)
					sameBlocks(t, want, m, depth, stride, what)
				}
				check(onehot.Encode(m, indices, s))
				check(onehot.EncodeParallel(m, indices, s, 3))
				check(onehot.MultiHot(m, indices, 1, s))
				check(onehot.EncodeColumns(m, [][]int8{indices}, []int{depth}, s))
				check(onehot.EncodeRaw(m, view.Bytes(indices), onehot.RawSpec{
					Index: onehot.Int8, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: depth, Stride: stride, Negative: neg,
				}))
				must(onehot.Encode(m, []int8{5, 5, 5, 5}, s))
				check(onehot.Update(m, []int8{5, 5, 5, 5}, indices, s))
				classes := make([]int16, 4)
				invalid, err := onehot.Decode(classes, m, s)
				require.NoError(t, err)
				require.Equal(t, wantMisses, invalid)
			}
		}
	})
}
