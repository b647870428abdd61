package conformance

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

// The corpus in testdata/fuzz has to reach every plan. Then a fuzzer that
// starts from it, and tests, which run it too, reach every strategy.

var extendCorpus = flag.Bool("extend-corpus", false, "look for inputs that reach the plans the corpus misses, and add them")

// corpusFolder is where go test looks for the inputs of targets.
var corpusFolder = filepath.Join("testdata", "fuzz")

// machine returns a machine of which the corpus reaches every plan. Processors
// with larger caches have their thresholds elsewhere, but no other plans.
func machine() *plan.Machine {
	return &plan.Machine{Path: tier.Active(), L1: 32 << 10, L2: 1 << 20, LLC: 32 << 20}
}

// shape returns the Shape that a call passes to the plan.
func (a asked) shape() *plan.Shape {
	l := oracle.Layout{Depth: a.Depth, Inner: a.Inner, Stride: a.Stride}.For(a.N)
	if l.Outer <= 1 {
		l.Stride = max(l.Stride, l.Depth*l.Inner)
	}
	return &plan.Shape{
		Outer: l.Outer, Depth: l.Depth, Inner: l.Inner, Plane: l.Plane, Stride: l.Stride,
		Width: a.Width, Zero: a.Zero,
	}
}

// plansOf has the targets whose inputs determine a plan. Each function returns
// the name of that plan on the path that is set.
var plansOf = map[string]func(a asked) string{
	"FuzzEncode":    planOf,
	"FuzzEncodeRaw": planOf,
	"FuzzEncodeBits": func(a asked) string {
		return planName(plan.Bits(machine(), a.N, a.Depth))
	},
	"FuzzUpdate": func(a asked) string {
		s := a.shape()
		return fmt.Sprint("compares ", plan.ComparesIndices(machine().Path, s.Outer*s.Inner, s.Depth)) + blocksName(s)
	},
	"FuzzEncodeColumns": func(a asked) string {
		p := plan.Columns(machine(), a.shape(), a.K)
		p.Block = 0 // the most rows that fit: every depth has another
		return planName(p)
	},
	"FuzzMultiHot": func(a asked) string {
		p := plan.MultiHot(machine(), a.shape(), a.K)
		p.Block = 0 // every k has another
		return planName(p)
	},
	"FuzzDecode": func(a asked) string {
		s := a.shape()
		return plan.Decode(machine(), s).Strategy.String() + blocksName(s)
	},
}

func planOf(a asked) string {
	s := a.shape()
	p := plan.Encode(machine(), s)
	if p.Strategy == plan.Scatter && p.Stream && s.Inner > 1 {
		return planName(p) + ", planes"
	}
	return planName(p)
}

// planName returns a name that tells a plan from others.
func planName(p plan.Plan) string {
	name := p.Strategy.String()
	switch {
	case p.Stream && p.Tiles:
		return name + ", non-temporal, by tiles"
	case p.Stream:
		return name + ", non-temporal"
	case p.ByColumns:
		name += ", by columns"
	case p.Strategy == plan.Scatter:
		name += ", filled by " + p.Fill.String()
	}
	switch p.Block {
	case 0:
	case plan.SmallBlock, plan.MediumBlock, plan.LargeBlock:
		name += fmt.Sprintf(", blocks of %d", p.Block)
	default:
		name += ", blocks that are cut" // to what one call of a kernel, or one tile, may cover
	}
	return name
}

// blocksName names the kind of layout, which routes, not plans, tell apart.
func blocksName(s *plan.Shape) string {
	switch {
	case s.Inner == 1:
		return ", rows"
	case s.Outer == 1:
		return ", one block of planes"
	}
	return ", blocks of planes"
}

// possiblePlans asks the plan about shapes of every kind and returns all that
// it can answer on the path that is set.
func possiblePlans(target string) map[string]bool {
	plans := map[string]bool{}
	depths := []int{1, 2, 3, 4, 5, 8, 10, 17, 33, 64, 100, 127, 128, 150, 192, 255, 300, 1000, 1500, 5000, 20_000}
	inners := []int{1, 2, 7, 8, 31, 63, 64, 65, 100, 300, 1000, 3000, 20_000, 200_000}
	outers := []int{1, 2, 10, 64, 100, 500, 3000, 20_000, 200_000, 3_000_000}
	ask := plansOf[target]
	for _, depth := range depths {
		for _, inner := range inners {
			for _, outer := range outers {
				if cells := outer * inner * depth; cells > 64<<20 && (target != "FuzzEncodeBits" || cells > 256<<20) {
					continue
				}
				for _, width := range widths {
					for k := range 4 { // without gaps and with, Off zero and not
						a := asked{Width: width, N: outer * inner, Depth: depth, Inner: inner, Stride: k / 2 * (depth*inner + 3), Zero: k%2 == 0}
						if target == "FuzzEncodeColumns" || target == "FuzzMultiHot" { // inner is the number of indices of a row
							a.N, a.Inner, a.K, a.Stride = outer, 1, inner, k/2*(depth+3)
						}
						plans[ask(a)] = true
					}
				}
			}
		}
	}
	return plans
}

// corpusOf reads the committed inputs of a target.
func corpusOf(t *testing.T, target string) (inputs [][]byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpusFolder, target, "*"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, quoted, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		input, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(quoted, "[]byte("), ")"))
		require.NoError(t, err, file)
		inputs = append(inputs, []byte(input))
	}
	return inputs
}

// reached returns the plan of an input on the path that is set, or "" if
// nothing is planned.
func reached(target string, input []byte) string {
	a, ok := askedBy(target, input)
	if !ok || a.N == 0 || a.Depth == 0 {
		return ""
	}
	return plansOf[target](a)
}

func TestCorpusReachesEveryPlan(t *testing.T) {
	for _, target := range slices.Sorted(maps.Keys(plansOf)) {
		t.Run(target, func(t *testing.T) {
			corpus := corpusOf(t, target)
			if *extendCorpus {
				corpus = extend(t, target, corpus)
			}
			pathtest.All(func() {
				count := map[string]int{}
				for _, input := range corpus {
					count[reached(target, input)]++
				}
				for _, p := range slices.Sorted(maps.Keys(possiblePlans(target))) {
					t.Logf("%3d inputs on path %s: %s", count[p], onehot.Path(), p)
					assert.Positive(t, count[p], "no input of testdata/fuzz/%s on path %s reaches %q: go test -run %s ./internal/conformance -extend-corpus adds one",
						target, onehot.Path(), p, t.Name())
				}
			})
		})
	}
}

// The inputs of some target can ask for every strategy.
func TestEveryStrategyIsPlanned(t *testing.T) {
	planned := map[string]bool{}
	pathtest.All(func() {
		for target := range plansOf {
			for p := range possiblePlans(target) {
				name, _, _ := strings.Cut(p, ",")
				planned[name] = true
			}
		}
	})
	for s := range plan.Strategies {
		name := plan.Strategy(s).String()
		if tier.Available()[0] == tier.GenericPath && plan.Strategy(s) != plan.Scatter || tier.NEON && plan.Strategy(s) == plan.Sets {
			continue
		}
		assert.True(t, planned[name], name)
	}
}

// extend draws inputs until every plan of every path is reached, adds to the
// corpus those that reach a plan first, and returns all.
func extend(t *testing.T, target string, corpus [][]byte) [][]byte {
	missing := map[string]bool{}
	pathtest.All(func() {
		for p := range possiblePlans(target) {
			missing[onehot.Path()+": "+p] = true
		}
	})
	news := func(input []byte) (found bool) {
		pathtest.All(func() {
			p := onehot.Path() + ": " + reached(target, input)
			found = found || missing[p]
			delete(missing, p)
		})
		return found
	}
	for _, input := range corpus {
		news(input)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000_000 {
		input := make([]byte, 40) // more bytes than any target reads as numbers
		for k := range input {
			input[k] = byte(r.Uint32())
		}
		if input[0] = 0; r.IntN(8) == 0 {
			input[2] = beyondCaches
		}
		if len(missing) == 0 {
			break
		}
		if !news(input) {
			continue
		}
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", input)
		file := filepath.Join(corpusFolder, target, fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16])
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		corpus = append(corpus, input)
	}
	return corpus
}

// A block of bit planes, with the indices that the last one takes along, fits
// the scratch buffer that non-temporal stores copy from. A kernel that wrote
// after the buffer would change the stack and no output.
func TestBlocksOfBitPlanesFit(t *testing.T) {
	pathtest.All(func() {
		for depth := 1; depth <= 1100; depth++ {
			p := plan.Bits(machine(), machine().LLC*8/depth, depth)
			if p.Stream && (p.Block < plan.Least || (p.Block+plan.Least)/8 > plan.ScratchBytes) {
				t.Fatalf("path %s, depth %d: blocks of %d indices do not fit", onehot.Path(), depth, p.Block)
			}
		}
	})
}
