package conformance

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// A layoutCase is an encoding with all that a Spec has, gaps between planes and
// a Miss included.
type layoutCase struct {
	outer, depth, inner int
	plane, stride       int // as in Spec: 0 is the default
	miss                bool
	percent             int // of misses among the indices
	values              int // which of valuesOf
	neg                 onehot.Negative
	shift               int // of dst, in elements
	seed                uint64
	raw                 []byte // the first indices, bit by bit
}

// layoutSpec returns the Spec of a case. A Miss differs from On and Off, except
// that for elements of one byte it may be Off.
func layoutSpec[V onehot.Value](c layoutCase) onehot.Spec[V] {
	on, off := valuesOf[V](c.values)
	s := onehot.Spec[V]{Depth: c.depth, On: on, Off: off, Inner: c.inner, Stride: c.stride, Plane: c.plane, Negative: c.neg}
	if c.miss {
		miss, _ := valuesOf[V](c.values + 1)
		if view.Size[V]() > 1 {
			_, miss = valuesOf[V](3)
			if sameBits([]V{miss}, []V{off}) {
				miss, _ = valuesOf[V](2)
			}
		}
		s.Miss = &miss
	}
	return s
}

// drawn returns indices of which about percent in 100 are special: mostly
// misses.
func drawn[I onehot.Index](r *rand.Rand, n, depth, percent int) []I {
	special := specials[I](depth)
	indices := roomFor[I](n)
	for k := range indices {
		indices[k] = I(r.IntN(max(depth, 1)))
		if r.IntN(100) < percent {
			indices[k] = special[r.IntN(len(special))]
		}
	}
	return indices
}

// checkLayout makes every call that takes such a Spec and compares the output,
// the gaps and the memory around dst with the definition.
func checkLayout[V onehot.Value, I onehot.Index](t testing.TB, c layoutCase) {
	s, r := layoutSpec[V](c), rand.New(rand.NewPCG(c.seed, 1))
	n := c.outer * max(c.inner, 1)
	prev, next := drawn[I](r, n, c.depth, c.percent), drawn[I](r, n, c.depth, c.percent)
	copy(view.Bytes(next), c.raw)
	for k := range next {
		if r.IntN(2) == 0 {
			next[k] = prev[k]
		}
	}
	classes, wantMisses := definedClasses(next, c.depth, c.neg)
	need := layoutOf(n, s).Need()
	want := newArena[V](need+3, c.shift)
	definedFrom(want.dst(), classes, s)
	call := ""
	what := func() string { return fmt.Sprintf("%s, %T of %T: %+v", call, s, next, c) }
	same := func(name string, got arena[V], misses int, err error) {
		call = name
		if err != nil || misses != wantMisses {
			require.NoError(t, err, what())
			require.Equal(t, wantMisses, misses, what())
		}
		requireSame(t, want, got, what)
	}

	got := newArena[V](need+3, c.shift)
	misses, err := onehot.Encode(got.dst(), next, s)
	same("Encode", got, misses, err)
	checkLayoutDecode(t, got.dst(), classes, s, what)

	got = newArena[V](need+3, c.shift)
	misses, err = onehot.EncodeParallel(got.dst(), next, s, 3)
	same("EncodeParallel", got, misses, err)

	got = newArena[V](need+3, c.shift)
	_, err = onehot.Encode(got.dst(), prev, s)
	require.NoError(t, err)
	misses, err = onehot.Update(got.dst(), prev, next, s)
	same("Update", got, misses, err)

	out, misses, err := onehot.AppendEncode([]V{s.On}, next, s)
	zeroed := make([]V, 1+need)
	zeroed[0] = s.On
	definedFrom(zeroed[1:], classes, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	require.True(t, sameBits(zeroed, out), "AppendEncode: %s", what())

	if !isString[V]() {
		raw := onehot.RawSpec{
			Index: rawIndexType[I](), Width: view.Size[V](), On: view.Bytes([]V{s.On}), Off: view.Bytes([]V{s.Off}),
			Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Plane: s.Plane, Negative: s.Negative,
		}
		if s.Miss != nil {
			raw.Miss = view.Bytes([]V{*s.Miss})
		}
		got = newArena[V](need+3, c.shift)
		misses, err = onehot.EncodeRaw(view.Bytes(got.dst()), view.Bytes(next), raw)
		same("EncodeRaw", got, misses, err)
	}
	checkLayoutText(t, c, s)
}

// checkLayoutDecode decodes an encoding of classes to signed and to unsigned
// classes.
func checkLayoutDecode[V onehot.Value](t testing.TB, src []V, classes []int, s onehot.Spec[V], what func() string) {
	if sameBits([]V{s.On}, []V{s.Off}) {
		return
	}
	signed, unsigned, invalid := make([]int32, len(classes)), make([]uint32, len(classes)), 0
	all := s.Depth == 1 && s.Miss != nil && sameBits([]V{*s.Miss}, []V{s.On}) // a row of On may be the class or a miss
	for k, class := range classes {
		if all || class < 0 {
			class = -1
			invalid++
		}
		signed[k], unsigned[k] = int32(class), uint32(class)
	}
	got, gotInvalid := make([]int32, len(classes)), 0
	gotInvalid, err := onehot.Decode(got, src, s)
	require.NoError(t, err, what())
	require.Equal(t, invalid, gotInvalid, what())
	require.True(t, sameBits(signed, got), "Decode: %s", what())
	gotUnsigned := make([]uint32, len(classes))
	gotInvalid, err = onehot.Decode(gotUnsigned, src, s)
	require.NoError(t, err, what())
	require.Equal(t, invalid, gotInvalid, what())
	require.True(t, sameBits(unsigned, gotUnsigned), "Decode, unsigned: %s", what())
}

// checkLayoutText encodes text of which one letter in five is no symbol.
func checkLayoutText[V onehot.Value](t testing.TB, c layoutCase, s onehot.Spec[V]) {
	n, wantMisses := c.outer*max(c.inner, 1), 0
	text, classes := make([]byte, n), make([]int, n)
	for k := range text {
		class := (k*7 + k/5) % 5
		text[k] = "ACGTN"[class]
		if classes[k] = class; class == 4 || class >= c.depth {
			classes[k] = -1
			wantMisses++
		}
	}
	if c.depth == 0 { // which means that of the alphabet
		return
	}
	length := layoutOf(n, s).Need() + 3
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	definedFrom(want.dst(), classes, s)
	misses, err := onehot.EncodeText(got.dst(), text, theAlphabet, s)
	require.NoError(t, err)
	require.Equal(t, wantMisses, misses)
	requireSame(t, want, got, func() string { return fmt.Sprintf("EncodeText, %T: %+v", s, c) })
}

func isString[V onehot.Value]() bool {
	_, ok := any(*new(V)).(string)
	return ok
}

// rawIndexType names I for EncodeRaw.
func rawIndexType[I onehot.Index]() onehot.IndexType {
	return typesByName[fmt.Sprintf("%T", I(0))]
}

// layoutChecks has checkLayout for pairs of types that together have every
// width and every kind of index.
var layoutChecks = []func(testing.TB, layoutCase){
	checkLayout[uint8, int8], checkLayout[uint16, int16], checkLayout[float32, int64], checkLayout[float64, uint32],
	checkLayout[complex128, float32], checkLayout[string, uint64], checkLayout[bool, int], checkLayout[uint8, uint8],
	checkLayout[uint16, float64], checkLayout[float32, uint16], checkLayout[float64, int32],
}

// checkLayouts makes all of layoutChecks, or in short mode every third. Which
// ones depends on the seed and the stride.
func checkLayouts(t testing.TB, c layoutCase) {
	for k, check := range layoutChecks {
		if !testing.Short() || (k+int(c.seed)+c.stride)%3 == 0 {
			check(t, c)
		}
	}
}

// A Stride and a Plane that leave no gaps, or that a single block does not use,
// change nothing. Next to them are those that leave gaps.
func TestStrideAndPlaneWithoutGaps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		k := 0
		for _, outer := range []int{0, 1, 2, 40} {
			for _, inner := range []int{0, 3, 64} {
				for _, depth := range []int{1, 2, 10} {
					for _, plane := range []int{0, max(inner, 1), max(inner, 1) + 1} {
						block := depth * max(inner, 1)
						if depth > 1 && plane > 0 {
							block = depth * plane
						}
						for _, stride := range []int{0, 1, block, block + 1, 3 * block} {
							if stride > 0 && stride < block && outer > 1 {
								continue
							}
							if k++; k%sparse(2) == 0 {
								checkLayouts(t, layoutCase{outer: outer, depth: depth, inner: inner, plane: plane, stride: stride, miss: k%3 == 0, percent: 10 * (k % 4), values: k, neg: modes[k%2], shift: k % 5, seed: uint64(k)})
							}
						}
					}
				}
			}
		}
	})
}
