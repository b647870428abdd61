package conformance

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
)

// FuzzLayout makes every call that takes a Plane, with and without a Miss.
func FuzzLayout(f *testing.F) {
	seeds(f, 8)
	f.Add([]byte{0, 3, 200, 0, 1, 0, 1, 5, 1, 50, 3, 1, 7}) // planes beyond 255
	f.Add([]byte{4, 130, 0, 90, 0, 0, 0, 0, 3, 99, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		layout := []func(testing.TB, layoutCase){
			checkLayout[uint8, uint8], checkLayout[uint8, int32], checkLayout[uint16, int16], checkLayout[float32, int64],
			checkLayout[float32, float32], checkLayout[float64, uint16], checkLayout[complex128, float64], checkLayout[string, int8],
		}[s.byte()%8]
		c := layoutCase{depth: s.below([]int{5, 20, 300, 700}[s.byte()%4])}
		c.inner = 1 + s.below([]int{1, 3, 70, 400}[s.byte()%4])%(1<<14/(c.depth+1)+1)
		c.outer = s.below(1<<13/((c.depth+1)*c.inner) + 2)
		if s.byte()%2 == 1 {
			c.plane = c.inner + s.byte()%9
		}
		if s.byte()%2 == 1 {
			c.stride = c.depth*max(c.plane, c.inner) + s.byte()%9
		}
		c.miss, c.percent = s.byte()%4 > 0, s.byte()%101
		c.values, c.neg, c.shift, c.seed = s.byte()%valueKinds, modes[s.byte()%2], s.byte()%65, uint64(s.byte())
		c.raw = s.data
		pathtest.All(func() { layout(t, c) })
	})
}

// FuzzRecode compares Recode with its definition.
func FuzzRecode(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		recode := []func(t testing.TB, n, length, holes int, seed uint64, raw ...byte){
			checkRecode[uint8, uint8], checkRecode[uint8, int32], checkRecode[int8, uint16], checkRecode[int32, int32],
			checkRecode[int32, float32], checkRecode[uint64, float64], checkRecode[int64, uint64], checkRecode[uint16, int8],
		}[s.byte()%8]
		n, length, holes := s.below(1500), s.below([]int{2, 20, 70, 300, 3000}[s.byte()%5])-1, s.byte()%10-1
		seed := uint64(s.byte())
		pathtest.All(func() { recode(t, n, length, holes, seed, s.data...) })
	})
}

// FuzzExpandBits compares ExpandBits with a loop over the bits.
func FuzzExpandBits(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		expand := []func(t testing.TB, planes, n, values, shift int, seed uint64, raw ...byte){
			checkExpandBits[uint8], checkExpandBits[bool], checkExpandBits[uint16], checkExpandBits[float32],
			checkExpandBits[float64], checkExpandBits[int64], checkExpandBits[complex128], checkExpandBits[string],
		}[s.byte()%8]
		planes, n := s.below(20), s.below([]int{66, 300, 5000}[s.byte()%3])
		values, shift, seed := s.byte()%valueKinds, s.byte()%65, uint64(s.byte())
		pathtest.All(func() { expand(t, planes, n, values, shift, seed, s.data...) })
	})
}
