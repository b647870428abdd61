package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const penguins = "../testdata/penguins.csv"

func model(t *testing.T, path, target string, columns ...string) map[string]float64 {
	terms, fitted, err := fit(path, target, columns)
	require.NoError(t, err)
	require.Len(t, terms, fitted.Len())
	coefficients := map[string]float64{}
	for i, term := range terms {
		coefficients[term] = fitted.AtVec(i)
	}
	return coefficients
}

// The coefficients are those of R's lm(body_mass_g ~ species + sex) and lm(...
// + flipper_length_mm), to two digits, as textbooks print them.
func TestAgainstR(t *testing.T) {
	require.InDeltaMapValues(t, map[string]float64{
		"(intercept)": 3372.39, "species Chinstrap": 26.92, "species Gentoo": 1377.86, "sex MALE": 667.56,
	}, model(t, penguins, "body_mass_g", "species", "sex"), 0.005)
	require.InDeltaMapValues(t, map[string]float64{
		"(intercept)": -365.82, "species Chinstrap": -87.63, "species Gentoo": 836.26, "sex MALE": 530.38, "flipper_length_mm": 20.02,
	}, model(t, penguins, "body_mass_g", "species", "sex", "flipper_length_mm"), 0.005)
}

// With a single factor the fit gives the means of the groups.
func TestGroupMeans(t *testing.T) {
	table, err := read(penguins, []string{"body_mass_g", "species"})
	require.NoError(t, err)
	mass, ok := numbers(table[0])
	require.True(t, ok)
	sum, count := map[string]float64{}, map[string]float64{}
	for i, species := range table[1] {
		sum[species] += mass[i]
		count[species]++
	}
	got := model(t, penguins, "body_mass_g", "species")
	require.Len(t, got, 3)
	adelie := sum["Adelie"] / count["Adelie"]
	require.InDelta(t, adelie, got["(intercept)"], 1e-9)
	require.InDelta(t, sum["Chinstrap"]/count["Chinstrap"]-adelie, got["species Chinstrap"], 1e-9)
	require.InDelta(t, sum["Gentoo"]/count["Gentoo"]-adelie, got["species Gentoo"], 1e-9)
}

// The residuals of a least-squares fit add up to zero within each level of each
// factor, and so do their products with each covariate.
func TestResiduals(t *testing.T) {
	columns := []string{"culmen_depth_mm", "island", "flipper_length_mm", "sex", "species"}
	got := model(t, penguins, "body_mass_g", columns...)
	require.Len(t, got, 1+2+2+1+2)
	table, err := read(penguins, append([]string{"body_mass_g"}, columns...))
	require.NoError(t, err)
	require.Len(t, table[0], 333) // 344 penguins, 11 of unknown sex
	mass, _ := numbers(table[0])
	depth, _ := numbers(table[1])
	flipper, _ := numbers(table[3])
	sums := map[string]float64{}
	for i := range mass {
		rest := mass[i] - got["(intercept)"] - got["culmen_depth_mm"]*depth[i] - got["flipper_length_mm"]*flipper[i]
		for _, factor := range []int{2, 4, 5} {
			rest -= got[columns[factor-1]+" "+table[factor][i]] // 0 for the reference level, which has no term
		}
		for _, factor := range []int{2, 4, 5} {
			sums[table[factor][i]] += rest
		}
		sums["depth"] += rest * depth[i]
		sums["flipper"] += rest * flipper[i]
	}
	require.Len(t, sums, 3+2+3+2)
	for name, sum := range sums {
		require.Less(t, math.Abs(sum), 1e-6, name)
	}
}

func TestWrongInput(t *testing.T) {
	_, _, err := fit("../testdata/missing.csv", "y", []string{"x"})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = fit(penguins, "body_mass_g", []string{"color"})
	require.ErrorContains(t, err, `no column "color"`)
	_, _, err = fit(penguins, "species", []string{"sex"})
	require.ErrorContains(t, err, "no column of numbers")

	empty := filepath.Join(t.TempDir(), "empty.csv")
	require.NoError(t, os.WriteFile(empty, []byte("y,x\n,a\n"), 0o644))
	_, _, err = fit(empty, "y", []string{"x"})
	require.Error(t, err)
}

func TestFactor(t *testing.T) {
	codes, others := factor([]string{"b", "c", "a", "b"})
	require.Equal(t, []int{0, 1, -1, 0}, codes)
	require.Equal(t, []string{"b", "c"}, others)
}
