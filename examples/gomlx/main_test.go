package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/stretchr/testify/require"
)

const penguins = "../testdata/penguins.csv"

var measurements = []string{"culmen_length_mm", "culmen_depth_mm", "flipper_length_mm", "body_mass_g"}

// The reference is the same model in a few lines of float64, trained on all
// rows at once. It ends at the only minimum, around which batches wander.
func TestPenguins(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, run(&text, penguins, "species", measurements))

	all, err := read(penguins, "species", measurements)
	require.NoError(t, err)
	known, unseen := all.split(5)
	standardise(known, unseen)
	predicted := reference(known, unseen)

	count := unseenSpecies(t)
	sum, wanted := 0, 0
	lines := strings.Split(text.String(), "\n")
	for class, name := range []string{"Adelie", "Chinstrap", "Gentoo"} {
		want := 0
		for i, p := range predicted {
			if int(unseen.classes[i]) == class && p == class {
				want++
			}
		}
		var species string
		var right, of int
		_, err := fmt.Sscanf(lines[class], "%s %d of %d right", &species, &right, &of)
		require.NoError(t, err, lines[class])
		require.Equal(t, name, species)
		require.Equal(t, count[name], of)
		require.InDelta(t, want, right, 1, name)
		sum, wanted = sum+right, wanted+want
	}
	require.Greater(t, float64(wanted)/float64(len(predicted)), 0.95)
	require.Equal(t, fmt.Sprintf("accuracy     %.3f", float64(sum)/float64(len(predicted))), lines[3])
}

// unseenSpecies counts the species of every fifth complete row, from the text
// of the file alone.
func unseenSpecies(t *testing.T) map[string]int {
	data, err := os.ReadFile(penguins)
	require.NoError(t, err)
	count := make(map[string]int)
	complete := 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		if strings.Contains(line, ",NaN,NaN,NaN,NaN,") {
			continue
		}
		if complete++; complete%5 == 0 {
			species, _, _ := strings.Cut(line, ",")
			count[species]++
		}
	}
	return count
}

// reference trains on known by gradient descent and returns the predicted
// classes of unseen.
func reference(known, unseen *table) (classes []int) {
	depth, columns := len(known.names), known.columns
	weights := make([]float64, depth*(columns+1)) // the last one of a class is its bias
	logits := func(t *table, row int) []float64 {
		z := make([]float64, depth)
		for class := range z {
			w := weights[class*(columns+1):][:columns+1]
			z[class] = w[columns]
			for c := range columns {
				z[class] += w[c] * float64(t.features[row*columns+c])
			}
		}
		return z
	}
	for range 3000 {
		gradient := make([]float64, len(weights))
		for row, label := range known.classes {
			z := logits(known, row)
			sum := 0.0
			for class := range z {
				z[class] = math.Exp(z[class])
				sum += z[class]
			}
			for class := range z {
				wanted := 0.1 / float64(depth)
				if class == int(label) {
					wanted += 0.9
				}
				slope := (z[class]/sum - wanted) / float64(len(known.classes))
				for c := range columns {
					gradient[class*(columns+1)+c] += slope * float64(known.features[row*columns+c])
				}
				gradient[class*(columns+1)+columns] += slope
			}
		}
		for i := range weights {
			weights[i] -= 0.5 * gradient[i]
		}
	}
	for row := range unseen.classes {
		z := logits(unseen, row)
		classes = append(classes, slices.Index(z, slices.Max(z)))
	}
	return classes
}

// A batch has rows of the table, each with the distribution of its class. The
// next batch has other rows, in the same tensors.
func TestBatches(t *testing.T) {
	features := make([]float32, 2*200)
	classes := make([]uint8, 200)
	for i := range classes {
		classes[i] = uint8(i % 4)
		features[2*i], features[2*i+1] = float32(i), float32(-i)
	}
	b := newBatches(&table{columns: 2, features: features, classes: classes, names: []string{"a", "b", "c", "d"}})
	var rows [2][]float32
	for i := range rows {
		_, inputs, labels, err := b.Yield()
		require.NoError(t, err)
		require.Same(t, b.x, inputs[0])
		require.Same(t, b.y, labels[0])
		require.Equal(t, []int{batchSize, 4}, labels[0].Shape().Dimensions)
		x, err := tensors.CopyFlatData[float32](inputs[0])
		require.NoError(t, err)
		y, err := tensors.CopyFlatData[float32](labels[0])
		require.NoError(t, err)
		for r := range batchSize {
			require.Equal(t, x[2*r], -x[2*r+1])
			for class := range 4 {
				want := 0.1 / 4
				if class == int(x[2*r])%4 {
					want = 0.9 + 0.1/4
				}
				require.InDelta(t, want, y[4*r+class], 1e-7, "row %d, class %d", r, class)
			}
		}
		rows[i] = x
	}
	require.NotEqual(t, rows[0], rows[1])
}

func TestLabelWithoutClass(t *testing.T) {
	b := newBatches(&table{columns: 1, features: []float32{0}, classes: []uint8{2}, names: []string{"a", "b"}})
	_, _, _, err := b.Yield()
	require.ErrorContains(t, err, "32 of 32 labels are none of 2 classes")
}

func TestWrongInput(t *testing.T) {
	var text bytes.Buffer
	require.ErrorIs(t, run(&text, "testdata/missing.csv", "species", measurements), os.ErrNotExist)
	require.ErrorContains(t, run(&text, penguins, "species", []string{"wingspan"}), `no column "wingspan"`)
	require.ErrorContains(t, run(&text, penguins, "species", []string{"sex"}), "invalid syntax")
	empty := filepath.Join(t.TempDir(), "empty.csv")
	require.NoError(t, os.WriteFile(empty, []byte("species\n"), 0o666))
	require.ErrorContains(t, run(&text, empty, "species", []string{"species"}), "no rows")
	require.Empty(t, text.String())
}
