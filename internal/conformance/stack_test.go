//go:build !race

package conformance

import (
	"testing"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// A Miss, a table, a Bitmap and bits may also lie on the stack of the caller.
func TestStackBuffers(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		testStack[uint8, uint8](t)
		testStack[uint16, int32](t)
		testStack[float32, int64](t)
		testStack[float64, float32](t)
		testStack[complex128, int16](t)
		miss := "miss" // a Miss of strings escapes, since what it points to reaches dst
		testCalls[string, uint64](t, &miss)
		testStackCodes[uint8, uint8](t)
		testStackCodes[int8, float64](t)
		testStackCodes[int32, int32](t)
		testStackCodes[uint64, uint16](t)
	})
}

func testStack[V onehot.Value, I onehot.Index](t *testing.T) {
	on, off := valuesOf[V](2)
	requireNoAllocs(t, func() {
		miss := off
		var dst [300 * 2]V
		var prev, next [300]I
		next[3], next[7] = 1, 100
		s := onehot.Spec[V]{Depth: 2, On: on, Off: on, Miss: &miss}
		must(onehot.Encode(dst[:], prev[:], s))
		must(onehot.Encode(dst[:], next[:3], s))
		must(onehot.Update(dst[:], prev[:], next[:], s))
	})
	requireNoAllocs(t, func() {
		miss := off
		var dst [300 * 7]V
		var a, b [300]I
		a[5], b[7] = 100, 101
		columns, depths := [2][]I{a[:], b[:]}, [2]int{3, 4}
		must(onehot.EncodeColumns(dst[:], columns[:], depths[:], onehot.Spec[V]{On: on, Off: off, Miss: &miss}))
	})
	miss := off
	testCalls[V, I](t, &miss)
}

func testCalls[V onehot.Value, I onehot.Index](t *testing.T, miss *V) {
	on, off := valuesOf[V](2)
	for _, inner := range []int{1, 2, 100, 300} {
		requireNoAllocs(t, func() {
			var dst [300 * 11]V
			var prev, next [300]I
			next[3], next[7] = 2, 100
			s := onehot.Spec[V]{Depth: 7, On: on, Off: on, Miss: miss, Inner: inner}
			must(onehot.Encode(dst[:], prev[:], s))
			must(onehot.Update(dst[:], prev[:], next[:], s))
			s.Plane = inner + inner/2
			must(onehot.Encode(dst[:], next[:], s))
			must(onehot.Encode(dst[:], next[:4*inner%301/inner*inner], s))
		})
		requireNoAllocs(t, func() {
			var dst [300 * 7]V
			var classes [300]uint8
			must(onehot.Decode(classes[:], dst[:], onehot.Spec[V]{Depth: 7, On: on, Off: off, Miss: miss, Inner: inner}))
		})
	}
	requireNoAllocs(t, func() {
		var dst [300 * 7]V
		var a, b [300]I
		a[5], b[7] = 100, 101
		columns, depths := [2][]I{a[:], b[:]}, [2]int{3, 4}
		must(onehot.EncodeColumns(dst[:], columns[:], depths[:], onehot.Spec[V]{On: on, Off: off, Miss: miss}))
	})
	requireNoAllocs(t, func() {
		var dst [3 * 100]V
		bits := [6]uint64{1, 2, 3, 4, 5, 6}
		must(0, onehot.ExpandBits(dst[:], bits[:], 100, on, off))
	})
}

func testStackCodes[C onehot.Code, I onehot.Index](t *testing.T) {
	requireNoAllocs(t, func() {
		var dst [300]C
		var indices [300]I
		table, bits := [5]C{4, 3, 2, 1, 0}, [40]byte{1, 2, 3}
		must(onehot.Recode(dst[:], indices[:], nil, nil))
		must(onehot.Recode(dst[:], indices[:], table[:], nil))
		must(onehot.Recode(dst[:], indices[:], table[:], &onehot.Bitmap{Bits: bits[:], Offset: 3}))
		must(onehot.Recode(dst[:], indices[:], nil, &onehot.Bitmap{Bits: bits[:], Offset: 20}))
	})
}
