package conformance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

func TestEncodeRaw(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := uint64(0)
		for _, index := range indexTypes {
			for _, width := range widths {
				for _, neg := range modes {
					for _, depth := range []int{1, 3, 10, 33, 130, 300} {
						if seed++; testing.Short() && seed%7 != 0 {
							continue
						}
						c := rawCase{index: index, width: width, encodeCase: encodeCase{n: 132, depth: depth, neg: neg, values: int(seed), seed: seed}}
						checkRaw(t, c)
						c.inner = 132
						checkRaw(t, c)
						few := c
						few.n, few.inner = 12, 12*int(seed%2)
						checkRaw(t, few)
						few.inner, few.values = 12, 0
						checkRaw(t, few)
						c.inner, c.shift, c.indexShift = 66, int(seed%64), int(seed%9)
						checkRaw(t, c)
						c.inner, c.stride, c.extra = 3, 3*depth+int(seed%5), int(seed%20)
						checkRaw(t, c)
					}
				}
			}
		}
	})
}

// Common types have a short route, whose errors have to be those of the general
// route, word for word.
func TestEncodeRawErrorsOfEveryType(t *testing.T) {
	for _, index := range indexTypes {
		for _, width := range widths {
			for _, wrong := range []struct {
				err    error
				change func(s *onehot.RawSpec)
			}{
				{onehot.ErrDepth, func(s *onehot.RawSpec) { s.Depth = -1 }},
				{onehot.ErrShape, func(s *onehot.RawSpec) { s.Inner = -1 }},
				{onehot.ErrShape, func(s *onehot.RawSpec) { s.Stride = -1 }},
				{onehot.ErrShape, func(s *onehot.RawSpec) { s.Plane = -1 }},
				{onehot.ErrValue, func(s *onehot.RawSpec) { s.Negative = 7 }},
				{onehot.ErrValue, func(s *onehot.RawSpec) { s.On = s.On[1:] }},
				{onehot.ErrValue, func(s *onehot.RawSpec) { s.Miss = s.Off[1:] }},
				{onehot.ErrShort, func(s *onehot.RawSpec) { s.Depth = 5 }},
			} {
				dst := make([]byte, 4*4*width)
				s := onehot.RawSpec{Index: index, Width: width, On: slices.Repeat([]byte{1}, width), Off: slices.Repeat([]byte{2}, width), Depth: 4}
				wrong.change(&s)
				_, err := onehot.EncodeRaw(dst, make([]byte, 4*rawTypes[index].size), s)
				require.ErrorIs(t, err, wrong.err, "%+v", s)
				require.Equal(t, make([]byte, len(dst)), dst, "%+v", s)
				_, parallel := onehot.EncodeRawParallel(dst, make([]byte, 4*rawTypes[index].size), s, 2)
				require.EqualError(t, parallel, err.Error(), "%+v", s)
			}
		}
	}
}

func TestEncodeRawEveryAlignment(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, width := range widths {
			for shift := 0; shift <= 64; shift += sparse(5) {
				for _, depth := range []int{2, 5, 16, 33, 100} {
					c := rawCase{index: onehot.Int64, width: width, encodeCase: encodeCase{n: 70, depth: depth, shift: shift, values: shift, seed: uint64(shift)}}
					c.indexShift = shift % 8
					checkRaw(t, c)
					c.inner = 35
					checkRaw(t, c)
				}
			}
		}
		for k, index := range indexTypes {
			for shift := range 9 {
				for j, n := range []int{1, 15, 64, 257, 700} {
					if testing.Short() && (k+shift+j)%4 != 0 {
						continue
					}
					c := rawCase{index: index, width: 4, indexShift: shift, encodeCase: encodeCase{n: n, depth: 10, neg: modes[n%2], seed: uint64(n)}}
					checkRaw(t, c)
					c.inner, c.shift, c.width = n, shift, 2
					checkRaw(t, c)
				}
			}
		}
	})
}

// Outputs of many tiles, from indices that have to be staged.
func TestEncodeRawLarge(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, index := range indexTypes {
			for j, depth := range []int{2, 40, 1000} {
				if testing.Short() && (k+j)%3 != 0 {
					continue
				}
				width := widths[k%len(widths)]
				n := 200 << 10 / (depth * width)
				c := rawCase{index: index, width: width, encodeCase: encodeCase{n: n, depth: depth, shift: 3, values: k, seed: uint64(k)}, indexShift: 1}
				checkRaw(t, c)
				c.inner = n
				checkRaw(t, c)
				c.n, c.inner = 4*(n/4), max(n/4, 1)
				if c.n = 4 * c.inner; depth > 2 {
					c.stride = c.inner*depth + 5
				}
				checkRaw(t, c)
			}
		}
	})
}

// Every float16 and every bfloat16 is an index.
func TestEncodeRawHalves(t *testing.T) {
	all := make([]uint16, 1<<16)
	for k := range all {
		all[k] = uint16(k)
	}
	step := sparse(37)
	pathtest.Each(t, func(t *testing.T) {
		for _, index := range []onehot.IndexType{onehot.Float16, onehot.BFloat16} {
			for _, neg := range modes {
				for from := 0; from < len(all); from += 1024 * step {
					c := rawCase{index: index, width: 1, indices: view.Bytes(all[from:][:1024]), indexShift: from / 1024 % 2}
					c.depth, c.neg = 70, neg
					checkRaw(t, c)
				}
			}
		}
	})
}

// On and Off may lie in dst, where they are overwritten.
func TestEncodeRawValuesInsideOutput(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, width := range widths {
			for _, n := range []int{2, 30, 3000} {
				for values := range valueKinds {
					c := rawCase{index: onehot.Int32, width: width, valuesInsideOutput: true, encodeCase: encodeCase{n: n, depth: 5, values: values, seed: 7}}
					checkRaw(t, c)
					c.inner = n
					checkRaw(t, c)
					c.workers = 3
					checkRaw(t, c)
				}
			}
		}
	})
}

func TestEncodeRawParallel(t *testing.T) {
	bytes := 900 << 10
	if testing.Short() {
		bytes = 100 << 10
	}
	pathtest.Each(t, func(t *testing.T) {
		for k := 0; k < len(indexTypes); k += sparse(5) {
			index := indexTypes[k]
			for _, workers := range []int{-1, 2, 100} {
				width := widths[k%len(widths)]
				c := rawCase{index: index, width: width, workers: workers, encodeCase: encodeCase{n: bytes / (40 * width), depth: 40, values: k, seed: uint64(k), shift: k % 5}}
				checkRaw(t, c)
				c.inner = c.n
				checkRaw(t, c)
			}
		}
	})
}

// EncodeRaw writes what Encode writes.
func TestEncodeRawIsEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		indices := mixed[float64](5, 400, 21)
		s := onehot.Spec[uint32]{Depth: 21, On: 0xdeadbeef, Off: 7, Negative: onehot.Normalize, Inner: 4}
		want := make([]uint32, 400*21)
		wantMisses, err := onehot.Encode(want, indices, s)
		require.NoError(t, err)
		got := make([]uint32, 400*21)
		misses, err := onehot.EncodeRaw(view.Bytes(got), view.Bytes(indices), onehot.RawSpec{
			Index: onehot.Float64, Width: 4, On: view.Bytes([]uint32{s.On}), Off: view.Bytes([]uint32{s.Off}),
			Depth: 21, Inner: 4, Negative: onehot.Normalize,
		})
		require.NoError(t, err)
		require.Equal(t, wantMisses, misses)
		require.True(t, slices.Equal(want, got))
	})
}

// The indices, and the output, start at every place in a cache line, for every
// pair of types.
func TestEveryMisalignment(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, index := range indexTypes {
			for _, width := range widths {
				for shift := (3*k + width) % sparse(13); shift < 64; shift += sparse(13) {
					c := rawCase{index: index, width: width, indexShift: shift, encodeCase: encodeCase{
						n: 150, depth: 10, shift: (shift*5 + k + width) % 64, values: shift, neg: modes[shift%2], seed: uint64(k),
					}}
					checkRaw(t, c)
					c.inner, c.depth = 75, 3
					checkRaw(t, c)
				}
			}
		}
	})
}
