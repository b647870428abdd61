package onehot_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
	"github.com/go-onehot/onehot/internal/conformance"
	"github.com/go-onehot/onehot/internal/pathtest"
)

// The corpus in testdata/fuzz has to reach every plan: a fuzzer that starts from
// it is in every strategy at once, and the tests, which run it too, are.

var extendCorpus = flag.Bool("extend-corpus", false, "look for inputs that reach the plans the corpus misses, and add them")

// plansOf are the targets whose inputs say what will be planned; each returns the
// plan of what an input asks, on the path that is set.
var plansOf = map[string]func(a conformance.Asked) string{
	"FuzzEncode":    planOf,
	"FuzzEncodeRaw": planOf,
	"FuzzEncodeBits": func(a conformance.Asked) string {
		return onehot.PlanOfBits(a.Index, a.N, a.Depth)
	},
	"FuzzUpdate": func(a conformance.Asked) string {
		return onehot.PlanOfUpdate(a.N, a.Depth, a.Inner, a.Stride)
	},
	"FuzzEncodeColumns": func(a conformance.Asked) string {
		return onehot.PlanOfColumns(a.Width, a.N, a.Depth, a.K, a.Stride)
	},
	"FuzzMultiHot": func(a conformance.Asked) string {
		return onehot.PlanOfSets(a.Width, a.N, a.Depth, a.K, a.Stride)
	},
	"FuzzDecode": func(a conformance.Asked) string {
		return onehot.PlanOfDecode(a.Width, a.N, a.Depth, a.Inner, a.Stride)
	},
}

func planOf(a conformance.Asked) string {
	return onehot.PlanOf(a.Width, a.Index, a.N, a.Depth, a.Inner, a.Stride, a.Zero)
}

// possiblePlans asks the plan about shapes of every kind and returns all that it
// can answer on the path that is set.
func possiblePlans(target string) map[string]bool {
	plans := map[string]bool{}
	depths := []int{1, 2, 3, 4, 5, 8, 10, 17, 33, 64, 100, 127, 128, 150, 192, 255, 300, 1000, 1500, 5000, 20_000}
	inners := []int{1, 2, 7, 8, 31, 63, 64, 65, 100, 300, 1000, 3000, 20_000, 200_000}
	outers := []int{1, 2, 10, 64, 100, 500, 3000, 20_000, 200_000, 3_000_000}
	for _, depth := range depths {
		for _, inner := range inners {
			for _, outer := range outers {
				n := outer * inner
				if cells := outer * inner * depth; cells > 64<<20 && (target != "FuzzEncodeBits" || cells > 256<<20) {
					continue
				}
				for _, width := range []int{1, 2, 4, 8, 16} {
					switch target {
					case "FuzzEncodeBits":
						plans[onehot.PlanOfBits(onehot.Int32, n, depth)] = true
					case "FuzzUpdate":
						plans[onehot.PlanOfUpdate(n, depth, inner, 0)] = true
					case "FuzzEncodeColumns": // inner is how many columns there are here
						plans[onehot.PlanOfColumns(width, outer, depth, min(inner, depth), 0)] = true
						plans[onehot.PlanOfColumns(width, outer, depth, min(inner, depth), depth+3)] = true
					case "FuzzMultiHot": // and k
						plans[onehot.PlanOfSets(width, outer, depth, inner, 0)] = true
						plans[onehot.PlanOfSets(width, outer, depth, inner, depth+3)] = true
					case "FuzzDecode":
						plans[onehot.PlanOfDecode(width, n, depth, inner, 0)] = true
						plans[onehot.PlanOfDecode(width, n, depth, inner, depth*inner+3)] = true
					default:
						for _, typ := range []onehot.IndexType{onehot.Uint8, onehot.Int64} {
							for k := range 4 {
								plans[onehot.PlanOf(width, typ, n, depth, inner, k/2*(depth*inner+3), k%2 == 0)] = true
							}
						}
					}
				}
			}
		}
	}
	delete(plans, "")
	return plans
}

// corpusOf reads the committed inputs of a target.
func corpusOf(t *testing.T, target string) (inputs [][]byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "fuzz", target, "*"))
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

// reached returns the plan of an input on the path that is set.
func reached(target string, input []byte) string {
	if a, ok := conformance.AskedBy(target, input); ok {
		return plansOf[target](a)
	}
	return ""
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
				for _, plan := range slices.Sorted(maps.Keys(possiblePlans(target))) {
					t.Logf("%3d inputs on path %s: %s", count[plan], onehot.Path(), plan)
					assert.Positive(t, count[plan], "no input of testdata/fuzz/%s on path %s reaches %q: go test -run %s -extend-corpus adds one",
						target, onehot.Path(), plan, t.Name())
				}
			})
		})
	}
}

// extend draws inputs until every plan of every path is reached, adds to the
// corpus those that reach a plan first, and returns all.
func extend(t *testing.T, target string, corpus [][]byte) [][]byte {
	missing := map[string]bool{}
	pathtest.All(func() {
		for plan := range possiblePlans(target) {
			missing[onehot.Path()+": "+plan] = true
		}
	})
	news := func(input []byte) (found bool) {
		pathtest.All(func() {
			plan := onehot.Path() + ": " + reached(target, input)
			found = found || missing[plan]
			delete(missing, plan)
		})
		return found
	}
	for _, input := range corpus {
		news(input)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000_000 {
		input := make([]byte, 24)
		for k := range input {
			input[k] = byte(r.Uint32())
		}
		if input[0] = 0; r.IntN(8) == 0 {
			input[2] = conformance.BeyondCaches
		}
		if len(missing) == 0 {
			break
		}
		if !news(input) {
			continue
		}
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", input)
		file := filepath.Join("testdata", "fuzz", target, fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16])
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		corpus = append(corpus, input)
	}
	return corpus
}

// The names by which plans are told apart have to be those of all strategies.
func TestStrategyNames(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "plan.go", nil, 0)
	require.NoError(t, err)
	constants := 0
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if first, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); ok && first.Name == "strategy" {
			for _, s := range g.Specs {
				constants += len(s.(*ast.ValueSpec).Names)
			}
		}
	}
	names := onehot.StrategyNames()
	assert.Positive(t, constants)
	assert.Len(t, names, constants, "plan.go has another number of strategies than strategyNames")
	assert.NotContains(t, names, "")
}
