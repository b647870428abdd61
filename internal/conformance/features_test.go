package conformance

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/view"
)

func TestPath(t *testing.T) {
	var seen []string
	pathtest.Each(t, func(t *testing.T) { seen = append(seen, onehot.Path()) })
	assert.Equal(t, pathtest.Names(), seen, "Path names the path that is forced")
}

// AppendEncode.

func TestAppendEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		checkAppend[uint8, int64](t)
		checkAppend[bool, uint8](t)
		checkAppend[float32, float64](t)
		checkAppend[complex128, int8](t)
		checkAppend[string, int32](t)
		checkAppend[namedText, namedClass](t)
	})
}

func checkAppend[V onehot.Value, I onehot.Index](t *testing.T) {
	for _, c := range []encodeCase{
		{n: 5, depth: 3, values: 0},
		{n: 300, depth: 10, values: 1},
		{n: 300, depth: 10, values: 2, inner: 100},
		{n: 300, depth: 10, values: 3, stride: 13},
		{n: 300, depth: 7, values: 2, inner: 3, stride: 40},
		{n: 4, depth: 0, stride: 9},
		{n: 0, depth: 3, stride: 9},
	} {
		indices, s := mixed[I](1, c.n, c.depth), specOf[V](c)
		need := layoutOf(c.n, s).Need()
		want := make([]V, 3+need) // gaps are zero values
		want[0], want[1], want[2] = s.On, s.Off, s.On
		wantMisses := defined(want[3:], indices, s)
		head := slices.Clone(want[:3])

		// Without room, with room full of something else, and with no slice at all.
		roomy := newArena[V](3+need, 0)
		copy(roomy.dst(), head)
		for _, dst := range [][]V{slices.Clip(slices.Clone(head)), roomy.dst()[:3]} {
			out, misses, err := onehot.AppendEncode(dst, indices, s)
			require.NoError(t, err)
			assert.Equal(t, wantMisses, misses)
			require.True(t, sameBits(want, out), "%+v: %v and not %v", c, out, want)
			assert.True(t, sameBits(head, dst), "dst itself stays")
			if cap(dst) >= len(want) {
				assert.Equal(t, addressOf(dst), addressOf(out), "there was room")
			}
		}
		assert.True(t, sameBits(newArena[V](1, 0).all[:canaries], roomy.all[len(roomy.all)-canaries:]), "beyond what was appended")
		out, misses, err := onehot.AppendEncode(nil, indices, s)
		require.NoError(t, err)
		assert.Equal(t, wantMisses, misses)
		require.True(t, sameBits(want[3:], out))
	}
}

// EncodeParallel.

func TestEncodeParallel(t *testing.T) {
	many := 400_001
	if testing.Short() {
		many = 80_001
	}
	pathtest.Each(t, func(t *testing.T) {
		checkParallel[float32, int64](t, encodeCase{n: 3000, depth: 257, shift: 3})
		checkParallel[uint8, uint8](t, encodeCase{n: many, depth: 3, values: 1})
		checkParallel[uint8, int32](t, encodeCase{n: many, inner: many, depth: 3, values: 2, shift: 1})
		checkParallel[uint16, float32](t, encodeCase{n: 3 * (many / 5), inner: many / 5, depth: 5, values: 3})
		checkParallel[float64, int16](t, encodeCase{n: 500 * 33, inner: 33, depth: 9, stride: 300, values: 2, neg: onehot.Normalize})
		checkParallel[complex128, uint64](t, encodeCase{n: 2, depth: 40_000, values: 3})
		checkParallel[complex64, int8](t, encodeCase{n: 2 * 999, inner: 999, depth: 100})
		checkParallel[uint8, int16](t, encodeCase{n: 2 * 130, inner: 130, depth: 6001, values: 1}) // few columns, cut again
		checkParallel[float32, uint8](t, encodeCase{n: 3 * 70, inner: 70, depth: 1501, values: 2})
		checkParallel[uint16, float64](t, encodeCase{n: 7 * 401, inner: 401, depth: 301, stride: 401*301 + 7, values: 3})
		checkParallel[string, int](t, encodeCase{n: 4000, depth: 21, shift: 2})
		checkParallel[bool, float64](t, encodeCase{n: 1, depth: 2 * many})
		checkParallel[float32, int8](t, encodeCase{n: 10, depth: 4})
	})
}

// Columns are cut wherever workers meet; no cut may show.
func TestEncodeParallelEveryCut(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for inner := 65_600; inner < 65_600+200; inner += 3 * sparse(7) {
			indices := mixed[uint8](uint64(inner), inner, 9)
			s := onehot.Spec[uint8]{Depth: 9, Inner: inner, On: 1, Off: 2}
			want, got := make([]uint8, 9*inner), make([]uint8, 9*inner)
			wantMisses := defined(want, indices, s)
			for _, workers := range []int{2, 3} {
				clear(got)
				share.With(share.All, func() {
					misses, err := onehot.EncodeParallel(got, indices, s, workers)
					require.NoError(t, err)
					require.Equal(t, wantMisses, misses)
				})
				require.True(t, slices.Equal(want, got), "inner %d, %d workers", inner, workers)
			}
		}
	})
}

// A single block has no stride, and no part of it is sized by the one given.
func TestEncodeParallelOfOneBlock(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		share.With(share.All, func() {
			for shift := bits.UintSize - 8; shift < bits.UintSize-1; shift++ {
				for _, c := range []struct{ n, depth, inner int }{{6000, 11, 6000}, {1, 66_000, 1}, {66_000, 1, 66_000}} {
					indices := mixed[int32](uint64(c.n), c.n, c.depth)
					s := onehot.Spec[float32]{Depth: c.depth, Inner: c.inner, On: 1, Stride: 1 << shift}
					want, got := make([]float32, 66_000), make([]float32, 66_000)
					wantMisses := defined(want, indices, s)
					misses, err := onehot.EncodeParallel(got, indices, s, 2)
					require.NoError(t, err)
					require.Equal(t, wantMisses, misses)
					require.True(t, slices.Equal(want, got), "%d indices, Stride 1<<%d", c.n, shift)
				}
			}
		})
	})
}

// An output that one worker writes in no time is not worth another: no
// goroutine, and nothing that would hold one.
func TestEncodeParallelOfLittle(t *testing.T) {
	indices := mixed[int64](1, 2500, 10)
	dst := make([]float32, 2500*10)
	s := onehot.Spec[float32]{Depth: 10, On: 1}
	raw := onehot.RawSpec{Index: onehot.Int64, Width: 4, On: make([]byte, 4), Off: make([]byte, 4), Depth: 10}
	pathtest.Each(t, func(t *testing.T) {
		for _, inner := range []int{1, 2500} {
			s.Inner, raw.Inner = inner, inner
			allocs := func(workers int) [2]float64 {
				return [2]float64{
					testing.AllocsPerRun(20, func() { must(onehot.EncodeParallel(dst, indices, s, workers)) }),
					testing.AllocsPerRun(20, func() { must(onehot.EncodeRawParallel(view.Bytes(dst), view.Bytes(indices), raw, workers)) }),
				}
			}
			share.With(share.Usual, func() { assert.Equal(t, allocs(1), allocs(8), "inner %d", inner) })
		}
	})
}

// Calls on memory of their own know nothing of each other.
func TestConcurrentCalls(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dna, err := onehot.NewAlphabet("ACGT")
		require.NoError(t, err)
		indices := mixed[int32](1, 2000, 12)
		s := onehot.Spec[float32]{Depth: 12, On: 1, Negative: onehot.Normalize}
		want := make([]float32, 2000*12)
		wantMisses := defined(want, indices, s)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				dst := make([]float32, 2000*12)
				for range 5 {
					clear(dst)
					misses, err := onehot.Encode(dst, indices, s)
					assert.NoError(t, err)
					assert.Equal(t, wantMisses, misses)
					assert.True(t, slices.Equal(want, dst))
					misses, err = onehot.EncodeText(dst, "GATTACA?", dna, onehot.Spec[float32]{On: 1})
					assert.NoError(t, err)
					assert.Equal(t, 1, misses)
				}
			}()
		}
		all.Wait()
	})
}

// Update.

func TestUpdateIsEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 40; seed += uint64(sparse(5)) {
			for _, changed := range []int{0, 1, 2, 20} {
				c := encodeCase{
					n: []int{1, 24, 600}[seed%3], depth: int(seed * seed % 131), values: int(seed), neg: modes[seed/2%2], shift: int(seed % 3), seed: seed,
				}
				for _, inner := range []int{0, c.n, 12} {
					c.inner, c.stride = inner, 0
					if inner == 12 {
						if c.n < 12 {
							continue
						}
						c.stride, c.extra = c.depth*12+5, 5
					}
					checkUpdate[float32, int64](t, c, changed)
					checkUpdate[uint8, uint8](t, c, changed)
					checkUpdate[uint16, float32](t, c, changed)
					checkUpdate[complex128, uint64](t, c, changed)
					checkUpdate[string, int16](t, c, changed)
					checkUpdate[bool, int8](t, c, changed)
					checkUpdate[float64, float64](t, c, changed)
				}
			}
		}
	})
}

// Update writes at most the cells that change: it leaves foreign values where
// they are.
func TestUpdateWritesOnlyWhatChanges(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		dst := []uint8{7, 7, 7, 7, 1, 7, 7, 7, 7, 1, 7, 7}
		s := onehot.Spec[uint8]{Depth: 3, On: 1, Negative: onehot.Normalize}
		misses, err := onehot.Update(dst, []int8{-3, 1, 9, -3}, []int8{0, 2, 1, 50}, s)
		require.NoError(t, err)
		assert.Equal(t, 1, misses)
		assert.Equal(t, []uint8{7, 7, 7, 7, 0, 1, 7, 1, 7, 0, 7, 7}, dst)
	})
}

// EncodeColumns.

func TestEncodeColumns(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for k, depths := range [][]int{
			{5}, {0}, {}, {3, 0, 4}, {1, 1, 1, 1}, {2, 3}, {10, 20, 30, 40}, {200, 56}, {1000, 3, 17}, slices.Repeat([]int{4}, 40), {0, 0},
		} {
			for _, rows := range []int{0, 1, 2, 7, 64, 333} {
				if testing.Short() && rows > 7 && k%3 != 0 {
					continue
				}
				for _, neg := range modes {
					c := encodeCase{neg: neg, values: k + rows, shift: k % 4, stride: k % 3 * rows, extra: k % 2, seed: uint64(k + rows)}
					checkColumns[uint8, uint8](t, rows, depths, c)
					checkColumns[float32, int64](t, rows, depths, c)
					checkColumns[float64, int32](t, rows, depths, c)
					checkColumns[complex128, float32](t, rows, depths, c)
					checkColumns[uint16, int16](t, rows, depths, c)
					checkColumns[string, int8](t, rows, depths, c)
					checkColumns[bool, uint64](t, rows, depths, c)
				}
			}
		}
		checkColumns[float32, int32](t, 6000, []int{30, 3, 2, 11}, encodeCase{values: 2, seed: 1})
		checkColumns[uint8, int64](t, 20_000, []int{30, 1, 2}, encodeCase{values: 1, stride: 2, seed: 2})
	})
}

// One column is Encode.
func TestEncodeColumnsOfOneIsEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		indices := mixed[int16](4, 500, 9)
		s := onehot.Spec[float32]{Depth: 9, On: 1, Off: -1, Negative: onehot.Normalize}
		want, got := make([]float32, 500*9), make([]float32, 500*9)
		wantMisses, err := onehot.Encode(want, indices, s)
		require.NoError(t, err)
		misses, err := onehot.EncodeColumns(got, [][]int16{indices}, []int{9}, s)
		require.NoError(t, err)
		assert.Equal(t, wantMisses, misses)
		assert.Equal(t, want, got)
	})
}

// MultiHot.

func TestMultiHot(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 60; seed += uint64(sparse(7)) {
			for _, k := range []int{1, 2, 3, 8, 50} {
				c := encodeCase{depth: []int{0, 1, 2, 5, 8, 16, 60, 64, 65, 128, 300}[seed%11], values: int(seed), neg: modes[seed/2%2], shift: int(seed % 5), seed: seed}
				if seed%4 == 0 {
					c.stride, c.extra = c.depth+int(seed%7), 2
				}
				rows := []int{0, 1, 3, 40, 70}[seed%5]
				checkMultiHot[bool, int16](t, rows, k, c)
				checkMultiHot[uint8, uint8](t, rows, k, c)
				checkMultiHot[float32, int64](t, rows, k, c)
				checkMultiHot[float64, float64](t, rows, k, c)
				checkMultiHot[complex128, int32](t, rows, k, c)
				checkMultiHot[string, uint32](t, rows, k, c)
			}
		}
		checkMultiHot[uint16, int32](t, 5000, 4, encodeCase{depth: 33, values: 2, seed: 2})
	})
}

// EncodeBits.

func TestEncodeBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for n := 0; n <= 200; n += sparse(7) {
			for k, depth := range []int{0, 1, 2, 3, 8, 10, 31, 64, 127, 130, 300} {
				if testing.Short() && (n+k)%3 != 0 {
					continue
				}
				seed, neg := uint64(n+depth), modes[(n+depth)%2]
				checkBits(t, mixed[uint8](seed, n, depth), depth, neg, n%3)
				checkBits(t, mixed[int8](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int16](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint16](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int64](seed, n, depth), depth, neg, n%2)
				checkBits(t, mixed[uint64](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[int](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[uint](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[float32](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[float64](seed, n, depth), depth, neg, 0)
				checkBits(t, mixed[namedClass](seed, n, depth), depth, neg, 0)
			}
		}
		for _, n := range []int{1000, 4096, 33_333, 1<<18 + 65} {
			for _, depth := range []int{1, 4, 16, 100} {
				if testing.Short() && n*depth > 5<<20 {
					continue
				}
				checkBits(t, mixed[uint8](1, n, depth), depth, onehot.Ignore, 1)
				checkBits(t, mixed[int32](2, n, depth), depth, onehot.Normalize, 1)
			}
		}
	})
}

// A class that every index has, so that whole words are full.
func TestEncodeBitsFull(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{63, 64, 65, 1000} {
			checkBits(t, slices.Repeat([]uint8{2}, n), 4, onehot.Ignore, 0)
			checkBits(t, slices.Repeat([]int64{-1}, n), 1, onehot.Normalize, 0)
		}
	})
}

func TestBitWords(t *testing.T) {
	for n, want := range map[int]int{
		math.MinInt: 0, -1: 0, 0: 0, 1: 1, 63: 1, 64: 1, 65: 2, 128: 2, 129: 3,
		math.MaxInt: math.MaxInt/64 + 1, math.MaxInt - 63: math.MaxInt / 64, math.MaxInt - 62: math.MaxInt/64 + 1,
	} {
		assert.Equal(t, want, onehot.BitWords(n), "%d", n)
	}
}

// Alphabets.

func TestNewAlphabetErrors(t *testing.T) {
	for _, symbols := range []string{"", "AA", "ACGTA", "\x00\xff\x00", strings.Repeat("x", 257), strings.Repeat("x", 100_000)} {
		a, err := onehot.NewAlphabet(symbols)
		require.ErrorIs(t, err, onehot.ErrAlphabet, "%.10q", symbols)
		assert.Nil(t, a)
	}
	_, err := onehot.NewAlphabet("ACGTC")
	assert.ErrorContains(t, err, "1")
	assert.ErrorContains(t, err, "4")
	assert.ErrorContains(t, err, "'C'")
}

func TestAliasErrors(t *testing.T) {
	a, err := onehot.NewAlphabet("ACGT")
	require.NoError(t, err)
	require.NoError(t, a.Alias("n", "A"))
	for _, c := range [][2]string{
		{"acg", "AC"}, {"a", ""}, {"", "A"}, // lengths
		{"a", "X"}, {"aq", "AN"}, {"q", "n"}, // to no symbol: an alias is none either
		{"A", "C"}, {"A", "A"}, {"qG", "AG"}, // from a symbol
	} {
		require.ErrorIs(t, a.Alias(c[0], c[1]), onehot.ErrAlphabet, "%q", c)
	}
	assert.Equal(t, 4, a.Len())
	dst := make([]byte, 4*6)
	misses, err := onehot.EncodeText(dst, "nNaqcX", a, onehot.Spec[byte]{On: '1', Off: '0'})
	require.NoError(t, err)
	assert.Equal(t, 5, misses, "an Alias with an error changes nothing")
	assert.Equal(t, "1000"+strings.Repeat("0", 20), string(dst))

	var none *onehot.Alphabet
	assert.ErrorIs(t, none.Alias("a", "A"), onehot.ErrAlphabet)
	assert.ErrorIs(t, none.Alias("", ""), onehot.ErrAlphabet)
	assert.ErrorIs(t, new(onehot.Alphabet).Alias("a", "\x00"), onehot.ErrAlphabet)
	assert.Zero(t, none.Len())
	assert.Zero(t, new(onehot.Alphabet).Len())
}

func TestAlias(t *testing.T) {
	a, err := onehot.NewAlphabet("ACGT")
	require.NoError(t, err)
	require.NoError(t, a.Alias("acgtU", "ACGTT"))
	require.NoError(t, a.Alias("", ""))
	text := func(s string) string {
		dst := make([]byte, 4*len(s))
		_, err := onehot.EncodeText(dst, s, a, onehot.Spec[byte]{On: '1', Off: '.'})
		require.NoError(t, err)
		return string(dst)
	}
	assert.Equal(t, text("ACGTT"), text("acgtU"))
	assert.Equal(t, "1....1....1....1........", text("ACGTN-"))
	require.NoError(t, a.Alias("UU", "AC"), "an alias may move")
	assert.Equal(t, text("C"), text("U"))
}

func TestEncodeText(t *testing.T) {
	everyByte := make([]byte, 256)
	for k := range everyByte {
		everyByte[k] = byte(k * 7)
	}
	pathtest.Each(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, symbols := range []string{"A", "ACGT", "ACGTN", "abcdefghijklmnopqrstuvwxyz", string(everyByte[:129]), string(everyByte)} {
			a, err := onehot.NewAlphabet(symbols)
			require.NoError(t, err)
			require.Equal(t, len(symbols), a.Len())
			for k, n := range []int{0, 1, 2, 15, 64, 100, 257, 2000} {
				if testing.Short() && n*len(symbols) > 60_000 {
					continue
				}
				text := make([]byte, n)
				for i := range text {
					text[i] = symbols[r.IntN(len(symbols))]
					if r.IntN(5) == 0 {
						text[i] = byte(r.IntN(256))
					}
				}
				for j, depth := range []int{0, 1, len(symbols), len(symbols) + 3, len(symbols)/2 + 1} {
					if testing.Short() && (j+k+len(symbols))%3 != 0 {
						continue
					}
					// A byte is never negative: the mode makes no difference.
					c := encodeCase{depth: depth, values: k, shift: k % 3, neg: modes[k%2]}
					checkText[float32](t, text, symbols, a, c)
					c.inner = n
					checkText[uint8](t, text, symbols, a, c)
					checkText[uint16](t, text, symbols, a, c)
					c.inner = 0
					checkText[uint8](t, text, symbols, a, c)
					checkText[uint16](t, text, symbols, a, c)
					checkText[string](t, text, symbols, a, c)
					checkText[complex128](t, text, symbols, a, c)
					if n%2 == 0 {
						c.inner, c.stride = 2, 2*max(depth, len(symbols))+1
						checkText[float64](t, text, symbols, a, c)
					}
				}
			}
		}
	})
}

// Decode.

func TestDecodeOfEncode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := uint64(0); seed < 60; seed += uint64(sparse(7)) {
			c := encodeCase{
				n: []int{1, 20, 300, 1500}[seed%4], depth: 1 + int(seed*37%127), neg: modes[seed/2%2], values: int(seed), shift: int(seed % 5), seed: seed,
			}
			for _, inner := range []int{0, c.n, 5} {
				c.inner, c.stride = inner, 0
				if inner == 5 {
					if c.n%5 != 0 {
						continue
					}
					c.stride = 5*c.depth + 3
				}
				checkDecode[int8, uint8, int8](t, c)
				checkDecode[int16, bool, uint8](t, c)
				checkDecode[int32, uint16, int64](t, c)
				checkDecode[int64, float32, float32](t, c)
				checkDecode[int, float64, int32](t, c)
				checkDecode[namedClass, complex128, uint16](t, c)
				checkDecode[int32, string, int16](t, c)
				checkDecode[int64, namedText, float64](t, c)
			}
		}
	})
}

// checkDecode encodes, decodes, and wants the classes back: -1 where there was
// none.
func checkDecode[D onehot.Signed, V onehot.Value, I onehot.Index](t testing.TB, c encodeCase) {
	s, indices := specOf[V](c), indicesOf[I](c, 0, c.n, c.depth)
	src := newArena[V](layoutOf(c.n, s).Need(), c.shift)
	misses, err := onehot.Encode(src.dst(), indices, s)
	require.NoError(t, err)
	classes, _ := definedClasses(indices, c.depth, c.neg)
	want, dst := newArena[D](c.n, 0), newArena[D](c.n, 0)
	for k, class := range classes {
		want.dst()[k] = D(class)
	}
	invalid, err := onehot.Decode(dst.dst(), src.dst(), s)
	require.NoError(t, err)
	requireSame(t, want, dst, func() string { return fmt.Sprintf("%T to %T: %+v", s, want.all, c) })
	require.Equal(t, misses, invalid, "a row that is all Off is a miss there and invalid here")
}

// checkStrict puts foreign things into an encoding, one row in some, and wants
// exactly those rows rejected.
func checkStrict[D onehot.Signed, V onehot.Value](t *testing.T, c encodeCase, foreign V) {
	s := specOf[V](c)
	r := rand.New(rand.NewPCG(c.seed, 5))
	h := layoutOf(c.n, s)
	src := make([]V, h.Need())
	indices := make([]int32, c.n)
	for k := range indices {
		indices[k] = int32(r.IntN(c.depth))
	}
	defined(src, indices, s)
	want, invalid := make([]D, c.n), 0
	for k, class := range indices {
		want[k] = D(class)
		at := func(d int) *V { return &src[h.Cell(k, d)] }
		switch r.IntN(6) {
		case 0: // no On
			*at(int(class)) = s.Off
		case 1: // two
			if c.depth == 1 {
				continue
			}
			*at((int(class) + 1 + r.IntN(c.depth-1)) % c.depth) = s.On
		case 2: // a foreign value beside it, or in its place
			if c.seed%2 == 0 { // it takes its whole block another way
				continue
			}
			*at(r.IntN(c.depth)) = foreign
		case 3: // all On
			if c.depth == 1 {
				continue
			}
			for d := range c.depth {
				*at(d) = s.On
			}
		default:
			continue
		}
		want[k] = -1
		invalid++
	}
	got := make([]D, c.n)
	n, err := onehot.Decode(got, src, s)
	require.NoError(t, err)
	if !slices.Equal(want, got) || invalid != n {
		require.Equal(t, want, got, "path %s, %T: %+v", onehot.Path(), s, c)
		require.Equal(t, invalid, n)
	}
}

func TestDecodeIsStrict(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for seed := range uint64(50) {
			c := encodeCase{n: []int{1, 8, 120, 600}[seed%4], depth: 1 + int(seed*29%126), values: int(seed), seed: seed}
			for _, inner := range []int{0, c.n, max(c.n/4, 1)} {
				if c.inner, c.stride = inner, 0; seed%3 == 0 {
					c.stride = max(inner, 1)*c.depth + 2
				}
				checkStrict[int8, uint8](t, c, 0x77)
				checkStrict[int16, uint16](t, c, 0x7777)
				checkStrict[int32](t, c, math.Float32frombits(0x7fc00000)) // a NaN, but another one
				checkStrict[int64](t, c, math.Copysign(0.5, -1))
				checkStrict[int](t, c, complex(1, 1))
				checkStrict[int16](t, c, "of")
			}
		}
	})
}

func TestDecodeBits(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		nan, zero := math.NaN(), math.Copysign(0, -1)
		dst := make([]int8, 5)
		invalid, err := onehot.Decode(dst, []float64{
			0, nan, 0,
			nan, 0, 0,
			0, math.Float64frombits(math.Float64bits(nan) ^ 2), 0, // not that NaN
			nan, zero, 0, // -0.0 is not 0.0
			0, 0, 0,
		}, onehot.Spec[float64]{Depth: 3, On: nan})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0, -1, -1, -1}, dst)
		assert.Equal(t, 3, invalid)

		// 0.0 and -0.0 make a pair.
		invalid, err = onehot.Decode(dst[:2], []float64{0, zero, zero, 0, 0, zero}, onehot.Spec[float64]{Depth: 3, On: zero})
		require.NoError(t, err)
		assert.Equal(t, []int8{-1, 2}, dst[:2])
		assert.Equal(t, 1, invalid)

		// The same with an Off of NaN.
		invalid, err = onehot.Decode(dst[:2], []float64{nan, 1, 1, nan}, onehot.Spec[float64]{Depth: 2, On: 1, Off: nan})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0}, dst[:2])
		assert.Zero(t, invalid)

		// Strings by content, wherever they lie.
		on := strings.Clone("yes")
		invalid, err = onehot.Decode(dst[:3], []string{"", "yes", strings.Clone("yes"), "", "ye", ""}, onehot.Spec[string]{Depth: 2, On: on})
		require.NoError(t, err)
		assert.Equal(t, []int8{1, 0, -1}, dst[:3])
		assert.Equal(t, 1, invalid)

		// 128 classes are the most that an int8 names.
		src := make([]uint8, 256)
		src[127], src[128] = 1, 1
		invalid, err = onehot.Decode(dst[:2], src, onehot.Spec[uint8]{Depth: 128, On: 1})
		require.NoError(t, err)
		assert.Equal(t, []int8{127, 0}, dst[:2])
		assert.Zero(t, invalid)
	})
}

// What lies in the gaps, and behind, is not looked at and not changed.
func TestDecodeGaps(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		src := []uint8{0, 1, 0, 1, 1, 1, 0, 0, 1, 1}
		before := slices.Clone(src)
		dst := []int16{7, 7, 7}
		invalid, err := onehot.Decode(dst[:2], src, onehot.Spec[uint8]{Depth: 3, Stride: 6, On: 1})
		require.NoError(t, err)
		assert.Equal(t, []int16{1, 2, 7}, dst)
		assert.Zero(t, invalid)
		assert.Equal(t, before, src)
	})
}

// Rows of Off are exactly those that are counted.
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
