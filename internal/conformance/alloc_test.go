//go:build !race

package conformance

// No test here runs with the race detector: memory that it is told of escapes.

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/view"
)

// requireNoAllocs fails if f allocates.
func requireNoAllocs(t *testing.T, f func()) {
	t.Helper()
	assert.Zero(t, testing.AllocsPerRun(5, f), "allocations on path %s", onehot.Path())
}

// The arguments of these calls may lie on the stack of the caller: nothing
// escapes, and nothing is allocated.
func TestNoAllocations(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		testAllocs[uint8, uint8](t)
		testAllocs[uint8, int64](t)
		testAllocs[bool, float32](t)
		testAllocs[uint16, int32](t)
		testAllocs[float32, int64](t)
		testAllocs[float32, uint16](t)
		testAllocs[float64, float64](t)
		testAllocs[complex128, int8](t)
		testAllocs[string, int16](t)
		testAllocs[namedText, namedClass](t)
	})
}

func testAllocs[V onehot.Value, I onehot.Index](t *testing.T) {
	on, off := valuesOf[V](2)
	requireNoAllocs(t, func() { // small
		dst, indices := [12]V{}, [4]I{1, 2, 3, 1}
		must(onehot.Encode(dst[:], indices[:], onehot.Spec[V]{Depth: 3, On: on, Off: off}))
	})
	miss := new(V) // on the heap, as a Miss of strings always is
	for _, inner := range []int{1, 2, 40, 400} {
		requireNoAllocs(t, func() {
			var dst [401 * 9]V
			var indices [400]I
			indices[7] = 99
			must(onehot.Encode(dst[1:], indices[:], onehot.Spec[V]{Depth: 9, On: on, Off: off, Inner: inner}))
			must(onehot.Encode(dst[1:], indices[:], onehot.Spec[V]{Depth: 9, On: on, Off: off, Inner: inner, Miss: miss}))
			must(onehot.Encode(dst[1:], indices[:min(inner, 40)], onehot.Spec[V]{Depth: 9, On: on, Off: off, Inner: inner % 400, Miss: miss}))
		})
	}
	requireNoAllocs(t, func() { // one deep row, gaps
		var dst [3000]V
		var indices [2]I
		must(onehot.Encode(dst[:], indices[:], onehot.Spec[V]{Depth: 1000, Stride: 1500, On: on, Off: off, Negative: onehot.Normalize}))
	})
	requireNoAllocs(t, func() {
		var dst [7000]V
		var indices [700]I
		must(onehot.Encode(dst[:], indices[:], onehot.Spec[V]{Depth: 10, On: on, Off: off}))
		must(onehot.Encode(dst[:], indices[:], onehot.Spec[V]{Depth: 10, On: on, Off: off, Inner: 700}))
	})
	requireNoAllocs(t, func() {
		var dst [300 * 7]V
		var prev, next [300]I
		next[9] = 3
		must(onehot.Update(dst[:], prev[:], next[:], onehot.Spec[V]{Depth: 7, On: on, Off: off}))
	})
	requireNoAllocs(t, func() {
		var dst [300 * 7]V
		var a, b [300]I
		columns, depths := [2][]I{a[:], b[:]}, [2]int{3, 4}
		must(onehot.EncodeColumns(dst[:], columns[:], depths[:], onehot.Spec[V]{On: on, Off: off}))
	})
	requireNoAllocs(t, func() {
		var dst [150 * 7]V
		var indices [300]I
		must(onehot.MultiHot(dst[:], indices[:], 2, onehot.Spec[V]{Depth: 7, On: on, Off: off}))
	})
	requireNoAllocs(t, func() {
		var dst [7 * 5]uint64
		var indices [300]I
		must(onehot.EncodeBits(dst[:], indices[:], 7, onehot.Normalize))
	})
	requireNoAllocs(t, func() {
		var dst [300]int16
		var src [300 * 7]V
		must(onehot.Decode(dst[:], src[:], onehot.Spec[V]{Depth: 7, On: on, Off: off}))
		must(onehot.Decode(dst[:], src[:], onehot.Spec[V]{Depth: 7, On: on, Off: off, Inner: 300}))
	})
	dna, err := onehot.NewAlphabet("ACGT")
	require.NoError(t, err)
	requireNoAllocs(t, func() {
		var dst [300 * 4]V
		var text [300]byte
		must(onehot.EncodeText(dst[:], text[:], dna, onehot.Spec[V]{On: on, Off: off}))
		must(onehot.EncodeText(dst[:], "GATTACA", dna, onehot.Spec[V]{On: on, Off: off, Inner: 7}))
		must(onehot.EncodeText(dst[:], text[:], dna, onehot.Spec[V]{On: on, Off: off, Inner: 300}))
	})
}

func TestNoAllocationsRaw(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, index := range indexTypes {
			for _, width := range widths {
				for _, shift := range []int{0, 1} {
					for _, n := range []int{2, 300} {
						requireNoAllocs(t, func() {
							var dst [300*16*5 + 1]byte
							var indices [300*8 + 1]byte
							on, off := [16]byte{1}, [16]byte{}
							length := (len(indices) - 1) / 300 * n
							for _, inner := range []int{1, n} {
								must(onehot.EncodeRaw(dst[shift:], indices[shift:][:length/8*rawTypes[index].size], onehot.RawSpec{
									Index: index, Width: width, On: on[:width], Off: off[:width], Depth: 5, Inner: inner,
								}))
							}
						})
					}
				}
			}
		}
	})
}

// AppendEncode allocates what append would: nothing if there is room.
func TestAppendEncodeAllocations(t *testing.T) {
	indices := make([]int64, 100)
	roomy, s := make([]float32, 0, 1000), onehot.Spec[float32]{Depth: 10, On: 1}
	pathtest.Each(t, func(t *testing.T) {
		appendTo := func(dst []float32) func() {
			return func() {
				_, misses, err := onehot.AppendEncode(dst, indices, s)
				must(misses, err)
			}
		}
		assert.Zero(t, testing.AllocsPerRun(5, appendTo(roomy)))
		assert.Positive(t, testing.AllocsPerRun(5, appendTo(nil)))
		assert.Zero(t, testing.AllocsPerRun(5, func() {
			apart := s
			apart.Depth, apart.Stride, apart.Miss = 8, 9, &roomy[:1][0]
			_, misses, err := onehot.AppendEncode(roomy[:1], indices, apart)
			must(misses, err)
		}))
	})
}

// A small output is not worth a second worker, and strings have only one: the
// call starts no goroutine and allocates nothing for one, however long dst is.
func TestEncodeParallelOfLittle(t *testing.T) {
	indices := mixed[int64](1, 2500, 10)
	dst, texts := make([]float32, share.Usual.Share/4), make([]string, share.Usual.Share/8)
	s := onehot.Spec[float32]{Depth: 10, On: 1}
	raw := onehot.RawSpec{Index: onehot.Int64, Width: 4, On: make([]byte, 4), Off: make([]byte, 4), Depth: 10}
	pathtest.Each(t, func(t *testing.T) {
		for _, inner := range []int{1, 2500} {
			s.Inner, raw.Inner = inner, inner
			share.With(share.Usual, func() {
				for _, workers := range []int{1, 8} {
					requireNoAllocs(t, func() { must(onehot.EncodeParallel(dst, indices, s, workers)) })
					requireNoAllocs(t, func() { must(onehot.EncodeRawParallel(view.Bytes(dst), view.Bytes(indices), raw, workers)) })
					requireNoAllocs(t, func() {
						must(onehot.EncodeParallel(texts, indices, onehot.Spec[string]{Depth: 10, Inner: inner, On: "on"}, workers))
					})
				}
			})
		}
	})
}
