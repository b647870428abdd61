package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/tier"
)

// A block of sets, with the rows that it takes along, fits its buffers in
// groups of eight rows, which is what the kernel reads and writes.
func TestSetsFit(t *testing.T) {
	for _, m := range []*Machine{machine(tier.AVX2Path), zen(), machine(tier.AVX512Path), intel()} {
		most := setWords
		switch {
		case *m == *intel():
			most = aheadWords
		case *m == *machine(tier.AVX2Path):
			most = setWords / 2
		}
		for k := SetLeast; k <= SetMost; k++ {
			for words := 1; words <= 2*aheadWords; words++ {
				s := rowShape(10_000, words*WordBits, 1)
				p := MultiHot(m, &s, k)
				if p.Strategy != Sets {
					require.True(t, k < 12*words || words > most, "%d words of %d", words, k)
					continue
				}
				rows := (p.Block + (Least-1)/k + 7) &^ 7
				require.True(t, p.Block%8 == 0 && rows*k <= 8*SetMost && rows*words <= SmallSetWords, "%d words of %d: %+v", words, k, p)
			}
		}
	}
}

// Up to Zen 4 sets of more words are written from bits.
func TestZenSets(t *testing.T) {
	strategy := func(m *Machine, rows, words, k int) Strategy {
		s := rowShape(rows, words*WordBits, 1)
		return MultiHot(m, &s, k).Strategy
	}
	assert.Equal(t, Sets, strategy(zen(), 1001, setWords, 8))
	assert.Equal(t, Scatter, strategy(zen(), 1000, setWords, 8))
	assert.Equal(t, Scatter, strategy(zen(), 1001, setWords+1, 100))
	assert.Equal(t, Scatter, strategy(machine(tier.AVX2Path), 1001, setWords, 100))
	assert.Equal(t, Sets, strategy(machine(tier.AVX2Path), 1001, setWords/2, 100))
}
