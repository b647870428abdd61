//go:build (amd64 || arm64) && !purego

package onehot

import (
	"testing"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// What a block may take along has room in the buffers of its route: a kernel
// that wrote behind them would change the stack, and no output.

// eachVectorPath runs f on every path that has kernels.
func eachVectorPath(f func()) {
	for _, p := range tier.Available() {
		if p != generic {
			pathtest.With(p, f)
		}
	}
}

func TestBlocksOfColumnsFit(t *testing.T) {
	var words wordsBuffer
	const classes = maxBlockRows + 2*minClasses // of markColumns
	eachVectorPath(func() {
		blocks := 0
		for depth := 1; depth <= 20_000; depth++ {
			var l layout
			if err := l.set(10_000, depth, 1, 0, 1, Ignore); err != nil {
				t.Fatal(err)
			}
			var p plan
			if p.chooseColumns(&l, 1, 100); p.strategy != spread {
				continue
			}
			blocks++
			most := roundUp(p.block + minClasses - 1)
			if p.block < minClasses || most > classes || BitWords(depth)*most > len(words) {
				t.Fatalf("depth %d: blocks of %d rows, up to %d, do not fit", depth, p.block, most)
			}
		}
		if blocks == 0 {
			t.Fatal("nothing is spread")
		}
	})
}

func TestBlocksOfSetsFit(t *testing.T) {
	var (
		words   setWordsBuffer
		classes setsBuffer
	)
	eachVectorPath(func() {
		seen := map[strategy]int{}
		for k := 1; k <= maxSet; k++ {
			for depth := 1; depth <= 9000; depth += 1 + depth/7 {
				j := job{width: 1}
				if err := j.set(10_000, depth, 1, 0, 1, Ignore); err != nil {
					t.Fatal(err)
				}
				var p plan
				p.chooseSets(&j, k)
				seen[p.strategy]++
				least := (minClasses-1)/k + 1
				most := p.block + least - 1
				fits := p.block >= least && most*k <= len(classes)
				if p.strategy == spread {
					fits = fits && k >= minSet && (BitWords(depth)+1)/2*2*roundUp(most) <= len(words)
				}
				if !fits {
					t.Fatalf("depth %d, k %d: blocks of %d rows, up to %d, do not fit", depth, k, p.block, most)
				}
			}
		}
		if seen[spread] == 0 && active() != neon || seen[lit] == 0 {
			t.Fatalf("a strategy is missing: %v", seen)
		}
	})
}
