//go:build linux

package conformance

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// Small calls with every number of indices up to 64, and some beyond, write
// rows and planes flush with both guards.
func TestGuardPagesOfSmallCalls(t *testing.T) {
	p := newPens(t, 600*66)
	pathtest.Each(t, func(t *testing.T) {
		guardSmall[uint8, int32](t, p)
		guardSmall[int16, uint8](t, p)
		guardSmall[float32, int64](t, p)
		guardSmall[float64, float32](t, p)
		guardSmall[complex128, int16](t, p)
	})
}

func guardSmall[V onehot.Value, I onehot.Index](t *testing.T, p pens) {
	many := mixed[I](uint64(view.Size[V]()), 1300, 40)
	lengths := []int{65, 66, 79, 80, 127, 128, 129, 191, 192, 193, 255, 256, 600}
	for n := range 65 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		for k, depth := range []int{0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 17, 20, 31, 32, 33, 63, 64, 65} {
			if testing.Short() && (n+k+view.Size[V]())%5 != 0 {
				continue
			}
			s := specOf[V](encodeCase{depth: depth, values: n + k, neg: modes[(n+k)%2]})
			for _, s.Inner = range []int{1, max(n, 1)} {
				guardSmallSpec(t, p, many, n, s)
			}
		}
	}
}

func guardSmallSpec[V onehot.Value, I onehot.Index](t *testing.T, p pens, many []I, n int, s onehot.Spec[V]) {
	name := ""
	what := func() string { return fmt.Sprintf("%s, %T of %T, %d indices, %+v", name, s, many, n, s) }
	for side := range 4 {
		last, lastIn := sides(side)
		dst, indices, next := penned[V](p.out, n*s.Depth, last), penned[I](p.in, n, lastIn), penned[I](p.more, n, lastIn)
		copy(indices, many)
		copy(next, many[n%7:])
		inside(t, what, func() {
			name = "Encode"
			must(onehot.Encode(dst, indices, s))
			name = "Update"
			must(onehot.Update(dst, indices, next, s))
			name = "Decode"
			must(onehot.Decode(penned[int16](p.more, n, lastIn), dst, s))
		})
		text := penned[uint8](p.more, n, lastIn)
		inside(t, what, func() {
			name = "EncodeText"
			if s.Depth > 0 {
				must(onehot.EncodeText(dst, text, theAlphabet, s))
			}
			if s.Inner > 1 {
				return
			}
			name = "MultiHot"
			for _, k := range []int{1, 3, 16} {
				rows := n / k
				must(onehot.MultiHot(penned[V](p.out, rows*s.Depth, last), penned[I](p.in, rows*k, lastIn), k, s))
			}
			name = "EncodeColumns"
			copy(next, many)
			must(onehot.EncodeColumns(dst, [][]I{indices, next, indices}, []int{s.Depth / 2, s.Depth - s.Depth/2, 0}, s))
		})
	}
}

// Every call that takes a Miss or a Plane is made with them.
func TestGuardPagesOfMissAndPlane(t *testing.T) {
	p := newPens(t, guardCells)
	pathtest.Each(t, func(t *testing.T) {
		guardMiss[uint8, uint8, int16](t, p)
		guardMiss[uint16, int32, int32](t, p)
		guardMiss[float32, int64, int](t, p)
		guardMiss[float64, float32, int16](t, p)
		guardMiss[complex128, int16, int64](t, p)
	})
}

func guardMiss[V onehot.Value, I onehot.Index, D onehot.Signed](t *testing.T, p pens) {
	many := mixed[I](uint64(view.Size[V]()), 5100, 40)
	miss, _ := valuesOf[V](3)
	for k, g := range guardShapes(bits.Len(uint(view.Size[V]()))) {
		if g.stride != 0 {
			continue
		}
		n := g.n()
		for variant := range 4 {
			plane := g.inner + []int{0, 0, 1, 5}[variant]
			s := specOf[V](encodeCase{depth: g.depth, inner: g.inner, values: k, neg: modes[k%2]})
			if s.Plane = plane; variant%2 == 1 {
				s.Miss = &miss
			}
			need := oracle.Layout{Depth: g.depth, Inner: g.inner, Plane: plane}.For(n).Need()
			if need > guardCells {
				continue
			}
			name := ""
			what := func() string {
				return fmt.Sprintf("%s, %T of %T, %+v, Plane %d, variant %d", name, s, many, g, plane, variant)
			}
			for side := range 4 {
				last, lastIn := sides(side)
				dst, indices, next := penned[V](p.out, need, last), penned[I](p.in, n, lastIn), penned[I](p.more, n, lastIn)
				copy(indices, many)
				copy(next, many[n%97:])
				inside(t, what, func() {
					name = "Encode"
					must(onehot.Encode(dst, indices, s))
					name = "Update"
					must(onehot.Update(dst, indices, next, s))
					name = "Decode"
					must(onehot.Decode(penned[D](p.more, n, lastIn), dst, s))
					name = "EncodeText"
					must(onehot.EncodeText(dst, view.Bytes(indices)[n*view.Size[I]()-n:], theAlphabet, s))
					if variant == 1 && g.inner == 1 {
						name, s.Plane = "EncodeColumns", 0
						copy(next, many)
						must(onehot.EncodeColumns(dst, [][]I{indices, next}, []int{g.depth / 2, g.depth - g.depth/2}, s))
					}
				})
			}
		}
	}
}

// ExpandBits reads and writes flush with both guards.
func TestGuardPagesOfBits(t *testing.T) {
	out, in := newPen(t, 16*600*21), newPen(t, 8*600*21)
	pathtest.Each(t, func(t *testing.T) {
		guardBits[uint8](t, out, in)
		guardBits[uint16](t, out, in)
		guardBits[float32](t, out, in)
		guardBits[float64](t, out, in)
		guardBits[complex64](t, out, in)
		guardBits[complex128](t, out, in)
	})
}

func guardBits[V onehot.Value](t *testing.T, out, in pen) {
	lengths := []int{191, 192, 193, 255, 256, 257, 320, 511, 513, 600}
	for n := 1; n < 135; n += sparse(3) {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		for _, planes := range []int{0, 1, 2, 3, 7, 20} {
			on, off := valuesOf[V](n)
			what := func() string { return fmt.Sprintf("%d planes of %d of %T", planes, n, on) }
			for side := range 4 {
				last, lastIn := sides(side)
				dst, words := penned[V](out, planes*n, last), penned[uint64](in, planes*onehot.BitWords(n), lastIn)
				for k := range words {
					words[k] = uint64(k+n) * 0x9e3779b97f4a7c15
				}
				inside(t, what, func() { must(0, onehot.ExpandBits(dst, words, n, on, off)) })
			}
		}
	}
}

// The dst of Recode and each of its inputs lie in pens of their own.
func TestGuardPagesOfRecode(t *testing.T) {
	p, bits := newPens(t, 1000), newPen(t, 1000)
	pathtest.Each(t, func(t *testing.T) {
		guardRecode[uint8, uint8](t, p, bits)
		guardRecode[int8, int64](t, p, bits)
		guardRecode[int32, int32](t, p, bits)
		guardRecode[uint16, float32](t, p, bits)
		guardRecode[int64, float64](t, p, bits)
	})
}

func guardRecode[C onehot.Code, I onehot.Index](t *testing.T, p pens, bits pen) {
	many := mixed[I](uint64(view.Size[C]()), 400, 40)
	for n := 0; n < 300; n += 1 + n/40*sparse(3) {
		for k, length := range []int{-1, 0, 1, 3, 16, 40, 100} {
			offset := (n*7 + k) % 19
			what := func() string { return fmt.Sprintf("%d %T by %d %T, offset %d", n, many, length, *new(C), offset) }
			for side := range 4 {
				last, lastIn := sides(side)
				dst, indices := penned[C](p.out, n, last), penned[I](p.in, n, lastIn)
				copy(indices, many)
				var table []C
				if length >= 0 {
					table = penned[C](p.more, length, last)
				}
				valid := onehot.Bitmap{Bits: bits.bytes((offset+n+7)/8, lastIn), Offset: offset}
				for b := range valid.Bits {
					valid.Bits[b] = []byte{0xff, 0, byte(b * 37), 0xff}[b%4]
				}
				inside(t, what, func() {
					must(onehot.Recode(dst, indices, table, nil))
					must(onehot.Recode(dst, indices, table, &valid))
				})
			}
		}
	}
}
