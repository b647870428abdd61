package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// Every call that takes a Plane writes planes with gaps between them, with and
// without a Miss, and leaves the gaps as they are.
func TestPlane(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := uint64(0)
		for _, gap := range []int{0, 1, 3, 70} {
			for _, depth := range []int{0, 1, 2, 4, 5, 10, 33, 130} {
				for _, shape := range [][2]int{{0, 1}, {1, 1}, {5, 1}, {200, 1}, {3, 5}, {1, 64}, {2, 200}, {1, 1000}, {70, 2}} {
					if seed++; testing.Short() && seed%7 != 0 {
						continue
					}
					c := layoutCase{
						outer: shape[0], depth: depth, inner: shape[1], plane: shape[1] + gap, miss: seed%3 == 0, percent: 20,
						values: int(seed / 3), neg: modes[seed%2], shift: int(seed % 4), seed: seed,
					}
					checkLayouts(t, c)
					c.stride = depth*c.plane + int(seed%3)
					checkLayouts(t, c)
					c.stride = max(depth-1, 0)*c.plane + c.inner // as close as blocks may be
					checkLayouts(t, c)
				}
			}
		}
	})
}

// The outputs go beyond the caches, and EncodeParallel is one of the calls.
func TestPlaneLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large outputs")
	}
	pathtest.Each(t, func(t *testing.T) {
		checkLayout[uint8, uint8](t, layoutCase{outer: 1, depth: 20, inner: 2_000_000, plane: 2_000_005, percent: 1})
		checkLayout[float32, int32](t, layoutCase{outer: 30, depth: 40, inner: 9_000, plane: 9_016, percent: 1, shift: 1})
		checkLayout[float64, int64](t, layoutCase{outer: 500, depth: 9_000, inner: 1, plane: 2, percent: 1})
	})
}

// Calls that write only rows take no Plane other than 0 and 1.
func TestPlaneOfRows(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dst := make([]uint8, 64)
		for _, plane := range []int{math.MinInt, -1, 0, 1, 2, math.MaxInt} {
			s := onehot.Spec[uint8]{Depth: 3, On: 1, Plane: plane}
			_, err := onehot.MultiHot(dst, []int{0, 1}, 2, s)
			_, other := onehot.EncodeColumns(dst, [][]int{{0, 1}}, []int{3}, s)
			if plane == 0 || plane == 1 {
				require.NoError(t, err)
				require.NoError(t, other)
				clear(dst)
				continue
			}
			require.ErrorIs(t, err, onehot.ErrShape)
			require.ErrorIs(t, other, onehot.ErrShape)
			require.Equal(t, make([]uint8, 64), dst)
		}
	})
}

// A planeError is a call and the kind of its error.
type planeError struct {
	n, depth, inner, plane, stride, dst int
	kind                                error
}

func TestPlaneErrors(t *testing.T) {
	const most = math.MaxInt
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range []planeError{
			{n: 4, depth: 2, inner: 4, plane: -1, dst: 30, kind: onehot.ErrShape},
			{n: 4, depth: 0, inner: 4, plane: -1, dst: 30, kind: onehot.ErrShape},
			{n: 4, depth: 2, inner: 4, plane: 3, dst: 30, kind: onehot.ErrShape},
			{n: 4, depth: 1, inner: 4, plane: 3, dst: 30},
			{n: 4, depth: 0, inner: 4, plane: 3, dst: 0},
			{n: 8, depth: 1, inner: 4, plane: 3, dst: 30, kind: onehot.ErrShape}, // Stride 0 is Depth*Plane
			{n: 8, depth: 1, inner: 4, plane: 3, stride: 4, dst: 8},
			{n: 8, depth: 2, inner: 4, plane: 6, dst: 22},
			{n: 8, depth: 2, inner: 4, plane: 6, dst: 21, kind: onehot.ErrShort},
			{n: 8, depth: 2, inner: 4, plane: 6, stride: 10, dst: 20},
			{n: 8, depth: 2, inner: 4, plane: 6, stride: 10, dst: 19, kind: onehot.ErrShort},
			{n: 8, depth: 2, inner: 4, plane: 6, stride: 9, dst: 30, kind: onehot.ErrShape},
			{n: 4, depth: 2, inner: 4, plane: 6, stride: 1, dst: 10},
			{n: 4, depth: 2, inner: 4, plane: 6, stride: 1, dst: 9, kind: onehot.ErrShort},
			{n: 4, depth: 3, inner: 4, plane: most/2 + 1, dst: 30, kind: onehot.ErrTooLarge},
			{n: 4, depth: 2, inner: 4, plane: most, dst: 30, kind: onehot.ErrTooLarge},
			{n: 4, depth: 2, inner: 4, plane: most/8 - 100, dst: 30, kind: onehot.ErrShort},
			{n: 8, depth: 2, inner: 4, plane: most/2 + 1, stride: most, dst: 30, kind: onehot.ErrTooLarge},
			{n: 8, depth: 0, inner: 4, plane: most, stride: most, dst: 0},
			{n: 8, depth: 1, inner: 4, plane: most, stride: 4, dst: 8},
			{n: 0, depth: 2, inner: 4, plane: 5, dst: 0},
		} {
			dst, indices := make([]uint8, c.dst), make([]int8, c.n)
			s := onehot.Spec[uint8]{Depth: c.depth, On: 1, Inner: c.inner, Plane: c.plane, Stride: c.stride}
			raw := onehot.RawSpec{
				Index: onehot.Int8, Width: 1, On: []byte{1}, Off: []byte{0},
				Depth: c.depth, Inner: c.inner, Plane: c.plane, Stride: c.stride,
			}
			check := func(misses int, err error) {
				t.Helper()
				require.ErrorIs(t, err, c.kind, "%+v", c)
				if c.kind != nil {
					require.Zero(t, misses)
					require.Equal(t, make([]uint8, c.dst), dst, "%+v", c)
				}
				clear(dst)
			}
			check(onehot.Encode(dst, indices, s))
			check(onehot.EncodeParallel(dst, indices, s, 2))
			check(onehot.EncodeRaw(dst, view.Bytes(indices), raw))
			check(onehot.EncodeRawParallel(dst, view.Bytes(indices), raw, 2))
			check(onehot.Update(dst, indices, indices, s))
			if c.depth > 0 {
				check(onehot.EncodeText(dst, view.Bytes(indices), theAlphabet, s))
			}
			classes := make([]int8, c.n)
			_, err := onehot.Decode(classes, dst, s)
			require.ErrorIs(t, err, c.kind, "%+v", c)
			if c.kind != nil && c.kind != onehot.ErrShort {
				_, _, err := onehot.AppendEncode(dst, indices, s)
				require.ErrorIs(t, err, c.kind, "%+v", c)
			}
		}
	})
}

// The gaps between planes must not hold the indices, although no call writes to
// them: dst is the whole span.
func TestPlaneOverlap(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		memory := make([]uint8, 40)
		s := onehot.Spec[uint8]{Depth: 3, On: 1, Inner: 4, Plane: 10}
		for at := range 40 - 4 {
			_, err := onehot.Encode(memory, memory[at:][:4], s)
			if at < 24 {
				require.ErrorIs(t, err, onehot.ErrOverlap, "indices at %d", at)
			} else {
				require.NoError(t, err, "indices at %d", at)
			}
			clear(memory)
		}
	})
}

// Reads of different lengths in one batch [N, 4, L]: each is written to its
// place, and the padding stays as it is.
func TestPlaneRaggedBatch(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		const length = 100
		batch := make([]float32, 5*4*length)
		for k := range batch {
			batch[k] = -1
		}
		want := make([]float32, len(batch))
		copy(want, batch)
		for r, n := range []int{100, 0, 1, 37, 64} {
			read := make([]byte, n)
			for i := range read {
				read[i] = "ACGT"[(i*i+r)%4]
				want[(r*4+(i*i+r)%4)*length+i] = 1
				for d := range 4 {
					if d != (i*i+r)%4 {
						want[(r*4+d)*length+i] = 0
					}
				}
			}
			_, err := onehot.EncodeText(batch[r*4*length:][:4*length], read, theAlphabet, onehot.Spec[float32]{On: 1, Inner: n, Plane: length})
			require.NoError(t, err, fmt.Sprint(n))
		}
		require.True(t, sameBits(want, batch))
	})
}
