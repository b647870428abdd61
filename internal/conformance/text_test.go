package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
)

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
						for _, c.inner = range []int{2, n / 2} { // blocks that touch
							checkText[float32](t, text, symbols, a, c)
							checkText[string](t, text, symbols, a, c)
						}
						c.inner, c.stride = 2, 2*max(depth, len(symbols))+1
						checkText[float64](t, text, symbols, a, c)
					}
				}
			}
		}
	})
}
