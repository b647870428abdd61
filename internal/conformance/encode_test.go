package conformance

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// pairsWith returns the pairs of the given value types and index types. An
// empty list means all types.
func pairsWith(values, indices []string) (out []pair) {
	for _, p := range pairs {
		if (len(values) == 0 || slices.Contains(values, p.value)) && (len(indices) == 0 || slices.Contains(indices, p.index)) {
			out = append(out, p)
		}
	}
	return out
}

// sparse returns the step of a sweep: 1, or the given step in short mode.
func sparse(step int) int {
	if testing.Short() {
		return step
	}
	return 1
}

func TestEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, p := range pairs {
			seed := uint64(k)
			for _, neg := range modes {
				for _, depth := range []int{1, 2, 5, 10, 33, 130, 300} {
					if seed++; testing.Short() && seed%5 != 0 {
						continue
					}
					c := encodeCase{n: 140, depth: depth, neg: neg, values: int(seed), shift: int(seed % 5), seed: seed}
					p.encode(t, c) // the last axis
					c.inner = 140
					p.encode(t, c) // the first
					c.inner = 35
					p.encode(t, c) // one in the middle
					c.inner, c.stride, c.extra = 7, 7*depth+1+int(seed%9), 3
					p.encode(t, c) // and with gaps
				}
			}
		}
	})
}

// Every special index is encoded alone, and with others in larger outputs.
func TestEncodeSpecialIndices(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		testSpecials[int8](t)
		testSpecials[int16](t)
		testSpecials[int32](t)
		testSpecials[int64](t)
		testSpecials[uint8](t)
		testSpecials[uint16](t)
		testSpecials[uint32](t)
		testSpecials[uint64](t)
		testSpecials[int](t)
		testSpecials[uint](t)
		testSpecials[float32](t)
		testSpecials[float64](t)
	})
}

func testSpecials[I onehot.Index](t *testing.T) {
	for _, depth := range []int{0, 1, 3, 16, 127, 128, 200, 256, 1000} {
		special := specials[I](depth)
		for _, neg := range modes {
			for k := range special {
				checkIndices[float32](t, special[k:k+1], encodeCase{depth: depth, neg: neg})
			}
			checkIndices[uint8](t, special, encodeCase{depth: depth, neg: neg, values: 2})
			many := slices.Repeat(special, 128/len(special)+1)
			checkIndices[uint8](t, many, encodeCase{depth: depth, neg: neg, values: 2})
			checkIndices[float64](t, many, encodeCase{depth: depth, neg: neg, inner: len(many), values: 2})
		}
	}
}

func TestEncodeEveryDepth(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith(nil, []string{"uint8", "int64", "float32"}) {
			for depth := 0; depth <= 130; depth += sparse(7) {
				for _, n := range []int{1, 3, 8, 17, 33, 65, 130} {
					p.encode(t, encodeCase{n: n, depth: depth, neg: modes[(n+depth)%2], values: n, shift: depth % 4, seed: uint64(depth)})
				}
			}
		}
		for _, depth := range []int{129, 160, 191, 192, 193, 254, 255, 256, 257} { // around the depth that a byte tells apart
			for _, n := range []int{64, 70, 200} {
				c := encodeCase{n: n, depth: depth, neg: modes[(n+depth)%2], values: n, shift: depth % 4}
				checkEncode[uint8, int32](t, c)
				checkEncode[uint16, uint8](t, c)
			}
		}
	})
}

// Outputs of some 40 KiB, more than a tile, for the strategies that only large
// ones reach.
func TestEncodeEveryDepthInTiles(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, value := range []struct {
			name  string
			width int
		}{{"uint8", 1}, {"uint16", 2}, {"float32", 4}, {"float64", 8}, {"complex128", 16}} {
			for _, p := range pairsWith([]string{value.name}, []string{"uint8", "int64"}) {
				check := func(depth int) {
					n := 40<<10/(depth*value.width) + depth%7
					p.encode(t, encodeCase{n: n, depth: depth, values: depth, shift: depth % 3, seed: uint64(depth)})
				}
				for depth := 1; depth <= 130; depth += sparse(9) {
					check(depth)
				}
				for _, depth := range []int{131, 140, 141, 191, 192, 208, 209, 240, 241, 255, 256} { // the deepest rows that kernels write
					check(depth)
				}
			}
		}
	})
}

func TestEncodeEveryLength(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith([]string{"uint8", "float32"}, nil) {
			for n := 0; n <= 200; n += sparse(9) {
				p.encode(t, encodeCase{n: n, depth: 10, neg: modes[n%2], values: n, seed: uint64(n)})
				p.encode(t, encodeCase{n: n, depth: 100, neg: modes[n/2%2], values: n, seed: uint64(n)})
				if n > 0 {
					p.encode(t, encodeCase{n: n, inner: n, depth: 5, neg: modes[n/2%2], values: n, seed: uint64(n)})
				}
			}
		}
	})
}

func TestEncodeEveryInner(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith(nil, []string{"uint8", "int64"}) {
			for inner := 1; inner <= 70; inner += sparse(5) {
				for k, depth := range []int{0, 1, 2, 3, 7, 10, 33} {
					for j, outer := range []int{1, 2, 5} {
						if testing.Short() && (inner+k+j)%3 != 0 {
							continue
						}
						p.encode(t, encodeCase{n: outer * inner, depth: depth, inner: inner, neg: modes[inner%2], values: inner + depth, shift: inner % 5, seed: uint64(inner)})
					}
				}
			}
		}
	})
}

func TestEncodeLongPlanes(t *testing.T) {
	inners := []int{100, 127, 128, 129, 192, 193, 255, 1000, 4097, 9999}
	if !testing.Short() {
		inners = append(inners, 33000)
	}
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith(nil, []string{"uint8", "int64"}) {
			for _, inner := range inners {
				for _, depth := range []int{1, 3, 11} {
					for _, outer := range []int{1, 4}[:1+min(1, 1000/inner)] {
						p.encode(t, encodeCase{n: outer * inner, depth: depth, inner: inner, values: depth, shift: depth % 4, seed: uint64(inner)})
					}
				}
			}
		}
	})
}

// Planes are written one after the other, and not by columns, if L1 does not
// hold them, with AVX-512, or if they are a multiple of pages apart. Some of
// the calls are small.
func TestEncodeLargePlanes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, inner := range []int{130, 515, 1024, 2113, 4096} {
			for _, depth := range []int{7, 9, 40} {
				for _, miss := range []bool{false, true} {
					checkLayouts(t, layoutCase{outer: 1, depth: depth, inner: inner, miss: miss, percent: 10, values: k, seed: uint64(inner)})
					checkLayouts(t, layoutCase{outer: 3, depth: depth, inner: inner, miss: miss, percent: 1, neg: modes[k%2], values: k, seed: uint64(depth)})
				}
			}
		}
		checkLayouts(t, layoutCase{outer: 40, depth: 9, inner: 70, values: 1}) // by columns, in more blocks than a small call takes
	})
}

// Planes of one block or of several, and boards, with a Miss and without.
func TestEncodePlanesWithMiss(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, c := range []layoutCase{
			{outer: 1, inner: 150, depth: 111}, {outer: 1, inner: 500, depth: 33}, {outer: 1, inner: 2500, depth: 9}, {outer: 1, inner: 5000, depth: 5},
			{outer: 1, inner: 2300, depth: 113}, {outer: 30, inner: 64, depth: 12}, {outer: 7, inner: 200, depth: 16}, {outer: 3, inner: 3000, depth: 8},
		} {
			for _, miss := range []bool{false, true} {
				c.miss, c.percent, c.seed, c.stride = miss, 5, uint64(k), 0
				checkLayouts(t, c)
				c.stride = c.depth*c.inner + 5
				checkLayouts(t, c)
			}
		}
	})
}

// Values of many bytes, in planes with gaps between them.
func TestEncodeMissAndGaps(t *testing.T) {
	const inner, depth = 3000, 10
	pathtest.Each(t, func(t *testing.T) {
		for _, v := range [][2]float64{{1.0 / 7, 1.0 / 19}, {1, 0.1}, {math.Float64frombits(0x11223344 << 32), 0}} {
			on, miss := v[0], v[1]
			for _, n := range []int{inner, 600, 300, 150} { // columns of each plane, with gaps between them
				got, indices := make([]float64, inner*depth), make([]int32, n)
				for i := range indices {
					indices[i] = int32(i * 7 % (depth + 1))
				}
				_, err := onehot.Encode(got, indices, onehot.Spec[float64]{Depth: depth, Inner: n, Plane: inner, On: on, Miss: &miss})
				require.NoError(t, err)
				for i := range got {
					want, column := 0.0, i%inner
					switch {
					case column >= n: // a gap
					case int(indices[column]) == i/inner:
						want = on
					case indices[column] == depth:
						want = miss
					}
					require.Equal(t, want, got[i], "cell %d of %d columns", i, n)
				}
			}
		}
	})
}

func TestEncodeEveryAlignment(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith(nil, []string{"uint8", "int64"}) {
			for shift := 0; shift <= 64; shift += sparse(5) {
				for k, depth := range []int{2, 3, 5, 10, 16, 33, 100} {
					if testing.Short() && (shift+k)%3 != 0 {
						continue
					}
					for _, n := range []int{33, 130} {
						p.encode(t, encodeCase{n: n, depth: depth, values: depth, shift: shift, seed: uint64(shift)})
					}
					p.encode(t, encodeCase{n: 130, inner: 65, depth: depth, values: depth, shift: shift, seed: uint64(shift)})
				}
			}
		}
	})
}

func TestEncodeGaps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, p := range pairsWith(nil, []string{"uint8", "int32"}) {
			for k, gap := range []int{0, 1, 3, 16, 64, 1000} {
				for depth := 0; depth <= 40; depth += 1 + 2*sparse(2) {
					for j, inner := range []int{1, 2, 19} {
						if testing.Short() && (k+depth+j)%3 != 0 {
							continue
						}
						p.encode(t, encodeCase{
							n: inner * 23, inner: inner, depth: depth, stride: depth*inner + gap,
							neg: modes[depth%2], values: depth, shift: depth % 3, extra: gap, seed: uint64(gap),
						})
					}
				}
			}
			for gap := range 3 { // more indices than the last block has bytes to hold their classes, if cells are bytes
				p.encode(t, encodeCase{n: 64 * 23, inner: 64, depth: 2, stride: 128 + gap, neg: modes[gap%2], values: gap, extra: gap, seed: uint64(gap)})
			}
			// A single block does not use its Stride, whatever it is.
			for _, stride := range []int{1, 5, math.MaxInt} {
				p.encode(t, encodeCase{n: 1, depth: 3, stride: stride})
				p.encode(t, encodeCase{n: 40, inner: 40, depth: 3, stride: stride})
			}
		}
	})
}

// The runs between gaps, in rows and in planes, have every length around that
// of a kernel's vectors. The last outputs have many runs.
func TestRunsBetweenGaps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for cells := 1; cells <= 70; cells += 1 + sparse(3) {
			rows := layoutCase{outer: 9, depth: cells, stride: cells + 5, values: cells, shift: cells % 3, seed: uint64(cells)}
			planes := layoutCase{outer: 2, depth: 6, inner: cells, plane: cells + 3, values: cells, shift: cells % 3, seed: uint64(cells)}
			checkLayout[uint8, int16](t, rows)
			checkLayout[uint8, int16](t, planes)
			checkLayout[uint16, uint8](t, planes)
			checkLayout[complex128, int64](t, rows)
		}
		for k, depth := range []int{60, 300, 900} {
			checkLayout[float32, int32](t, layoutCase{outer: 200_000 / depth, depth: depth, stride: depth + 7, values: k})
		}
	})
}

// The outputs are about as large as those at which the strategies change.
func TestEncodeSizes(t *testing.T) {
	sizes := []int{4 << 10, 16 << 10, 64 << 10}
	if !testing.Short() {
		sizes = append(sizes, 32<<10, 256<<10, 512<<10, 2<<20)
	}
	pathtest.Each(t, func(t *testing.T) {
		for k, p := range []struct {
			pair
			width int
		}{
			{pair{encode: checkEncode[uint8, uint8]}, 1},
			{pair{encode: checkEncode[bool, int64]}, 1},
			{pair{encode: checkEncode[uint16, int32]}, 2},
			{pair{encode: checkEncode[float32, int64]}, 4},
			{pair{encode: checkEncode[float64, float32]}, 8},
			{pair{encode: checkEncode[complex128, int16]}, 16},
		} {
			for _, size := range sizes {
				for _, depth := range []int{2, 10, 100, 1000, 5000} {
					rows := size / (depth * p.width)
					for _, n := range []int{rows - 1, rows, rows + 1} {
						if n < 1 || (size > 64<<10 && (n != rows+1 || depth == 100)) {
							continue
						}
						c := encodeCase{n: n, depth: depth, values: k + depth/10, neg: modes[k%2], shift: n % 3, seed: uint64(size + n)}
						p.encode(t, c)
						c.inner = n
						p.encode(t, c)
					}
				}
			}
		}
	})
}

// Small calls of several blocks of rows keep classes where later rows will be
// written, or in a buffer if the last block leaves no room for them.
func TestEncodeSmallBlocks(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, n := range []int{2047, 2048, 2049, 2112, 4100, 10_000, 30_720, 30_721, 30_740, 32_767} {
			checkEncode[uint8, uint8](t, encodeCase{n: n, depth: 2, values: k, shift: k})
			checkEncode[uint16, int64](t, encodeCase{n: n, depth: 3, values: k, neg: modes[k%2]})
			checkLayout[uint8, int32](t, layoutCase{outer: n, depth: 2, miss: true, percent: 10 * k, values: k})
			checkLayout[uint16, uint8](t, layoutCase{outer: n / 8, depth: 30, miss: true, percent: 1, values: k})
		}
	})
}

// The outputs are larger than the last-level cache of most machines.
func TestEncodeHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("48 MiB")
	}
	const size = 48<<20 + 4096
	pathtest.Each(t, func(t *testing.T) {
		checkEncode[float32, int64](t, encodeCase{n: size / (4 * 129), depth: 129, shift: 1, seed: 1})
		checkEncode[float64, int32](t, encodeCase{n: size / (8 * 20), depth: 20, inner: size / (8 * 20), values: 2, seed: 2})
		checkEncode[complex128, uint8](t, encodeCase{n: size / (16 * 4), depth: 4, values: 1, seed: 3})
		checkEncode[uint16, uint16](t, encodeCase{n: size / (2 * 3000), depth: 3000, stride: 3001, values: 3, seed: 4})
	})
}

func TestEncodeNamedTypes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := range uint64(valueKinds) {
			for _, n := range []int{3, 100, 3000} {
				c := encodeCase{n: n, depth: 11, values: int(seed), neg: modes[seed%2], seed: seed}
				checkEncode[namedBool, namedClass](t, c)
				checkEncode[namedText, namedByte](t, c)
				checkEncode[namedHalf, namedReal](t, c)
				checkEncode[namedFloat, namedFloat](t, c)
				checkEncode[namedComplex, namedClass](t, c)
				checkEncode[bool, namedHalf](t, c) // a half type counts as the uint16 that it is
				checkEncode[complex64, uint](t, c)
				checkEncode[int, int](t, c)
				checkEncode[uint, int](t, c)
			}
		}
	})
}

// The output has the bits of On and Off. This test does not rely on valuesOf.
func TestEncodeValueBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{2, 300} {
			bits32 := []uint32{0, 1, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffbfffff, 0x3f800000}
			for _, on := range bits32 {
				for _, off := range bits32 {
					s := onehot.Spec[float32]{Depth: 3, On: math.Float32frombits(on), Off: math.Float32frombits(off)}
					dst := make([]float32, 3*n)
					_, err := onehot.Encode(dst, slices.Repeat([]int32{1, 7}, n/2), s)
					require.NoError(t, err)
					got := make([]uint32, len(dst))
					for k := range got {
						got[k] = binary.NativeEndian.Uint32(view.Bytes(dst[k : k+1]))
					}
					require.Equal(t, slices.Repeat([]uint32{off, on, off, off, off, off}, n/2), got)
				}
			}
			negativeZero := math.Copysign(0, -1)
			s := onehot.Spec[complex128]{Depth: 2, On: complex(0, negativeZero), Off: complex(negativeZero, 0)}
			dst := make([]complex128, 2*n)
			_, err := onehot.Encode(dst, make([]uint8, n), s)
			require.NoError(t, err)
			require.True(t, math.Signbit(imag(dst[2*n-2])) && !math.Signbit(real(dst[2*n-2])))
			require.True(t, math.Signbit(real(dst[2*n-1])) && !math.Signbit(imag(dst[2*n-1])))
		}
	})
}

// The memory that a string points to must stay alive.
func TestEncodeStringsAreKept(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dst := make([]string, 1000*7)
		_, err := onehot.Encode(dst, mixed[int8](1, 1000, 7), onehot.Spec[string]{
			Depth: 7, On: fmt.Sprint("on ", t.Name()), Off: fmt.Sprint("off ", t.Name()),
		})
		require.NoError(t, err)
		for range 4 {
			_ = make([]byte, 1<<20)
			runtime.GC()
		}
		on := 0
		for _, v := range dst {
			if v == "on "+t.Name() {
				on++
			} else {
				require.Equal(t, "off "+t.Name(), v)
			}
		}
		assert.Positive(t, on)
	})
}

// Encode writes the same over its own output.
func TestEncodeIsRepeatable(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		indices := mixed[int64](3, 500, 9)
		s := onehot.Spec[float32]{Depth: 9, On: 1, Off: 0.5}
		dst := make([]float32, 500*9)
		first, err := onehot.Encode(dst, indices, s)
		require.NoError(t, err)
		once := slices.Clone(dst)
		second, err := onehot.Encode(dst, indices, s)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, once, dst)
	})
}

// The rows of Off are exactly the misses that are counted.
func TestMissesAreRowsOfOff(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := range uint64(30) {
			depth := 1 + int(seed)*5
			indices := mixed[float32](seed, 400, depth)
			s := onehot.Spec[uint16]{Depth: depth, On: 9, Off: 4, Negative: modes[seed%2]}
			dst := make([]uint16, 400*depth)
			misses, err := onehot.Encode(dst, indices, s)
			require.NoError(t, err)
			rows, ons := 0, 0
			for r := range 400 {
				row := dst[r*depth:][:depth]
				if !slices.Contains(row, s.On) {
					rows++
				}
				for _, v := range row {
					if v == s.On {
						ons++
					}
				}
			}
			require.Equal(t, rows, misses)
			require.Equal(t, 400-misses, ons)
		}
	})
}
