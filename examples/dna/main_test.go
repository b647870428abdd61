package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published has the restriction maps of lambda that catalogues of enzymes
// print. BamHI and EcoRI cut behind the first base of their sites.
var published = map[string][]int{
	"GGATCC": {5505, 22346, 27972, 34499, 41732},
	"GAATTC": {21226, 26104, 31747, 39168, 44972},
}

func TestRestrictionSites(t *testing.T) {
	for motif, sites := range published {
		for _, shape := range [][2]int{{4096, 32}, {100, 3}, {7, 1000}, {6, 1}, {60000, 1}} {
			var out bytes.Buffer
			require.NoError(t, run(&out, "testdata/lambda.fa", motif, shape[0], shape[1], 0.25))
			require.Contains(t, out.String(), "lambda, complete genome: 48502 bases, ")
			require.Contains(t, out.String(), fmt.Sprintf("%s at %v; ", motif, sites), "windows of %d", shape[0])
		}
	}
}

// mixed is a file of soft-masked DNA, RNA and unknown bases, in several
// records, without a line feed at its end.
const mixed = `>masked
ACGTacgt
TTAGGGttaggg
>rna yeast tRNA-Phe
GCGGAUUUAGCUCAGUUGGGAGAGCGCCAGACUGAAGAUCUGGAGGUCCUGUGUUCGAUCCACAGAAUUCGCACCA
>adapter with six unknown bases for the index
GATCGGAAGAGCACACGTCTGAACTCCAGTCACNNNNNNATCTCGTATGCCGTCTTCTGCTTG
>empty
>unknown bases alone
NNNNNNNNNNNNNNNNNNNNNNNNNNNNNN`

func TestAliasesAndMisses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mixed.fa")
	require.NoError(t, os.WriteFile(path, []byte(mixed), 0o644))
	for _, test := range []struct {
		motif string
		want  [4]string
	}{
		{"TTAGGG", [4]string{"[9 15]", "[]", "[]", "[]"}},
		{"gttcga", [4]string{"[]", "[53]", "[]", "[]"}},
		{"GUUCGA", [4]string{"[]", "[53]", "[]", "[]"}},
		{"CACA", [4]string{"[]", "[61]", "[12]", "[]"}}, // and not CACN at 31
		{"CACNNNNNNATC", [4]string{"[]", "[]", "[31]", "[]"}},
		{"TNAGNG", [4]string{"[9 15]", "[]", "[]", "[]"}},
	} {
		t.Run(test.motif, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, run(&out, path, test.motif, 100, 2, 0.25))
			require.Equal(t, fmt.Sprintf(`masked: 20 bases, %[1]s at %[2]s; windows with 0 misses
rna yeast tRNA-Phe: 76 bases, %[1]s at %[3]s; windows with 0 misses
adapter with six unknown bases for the index: 63 bases, %[1]s at %[4]s; windows with 6 misses
unknown bases alone: 30 bases, %[1]s at %[5]s; windows with 30 misses
`, test.motif, test.want[0], test.want[1], test.want[2], test.want[3]), out.String())
		})
	}
}

// For windows of any size, the sites are those that a search of the text finds.
func TestWindows(t *testing.T) {
	text := strings.Repeat("ACGGTACAACGTNNGATTACA", 20)
	for _, motif := range []string{"A", "ACG", "GATTACAACGG", "CAA", "ACAN", "NN", "TTT"} {
		var want []int
		pattern := regexp.MustCompile("^" + strings.ReplaceAll(motif, "N", "."))
		for i := range text {
			if pattern.MatchString(text[i:]) {
				want = append(want, i+1)
			}
		}
		for length := len(motif); length < 60; length++ {
			for windows := 1; windows < 5; windows++ {
				m, err := newModel(motif, length, windows, 0.25)
				require.NoError(t, err)
				for line := range slices.Chunk([]byte(text), 70) {
					require.NoError(t, m.add(line))
				}
				require.NoError(t, m.flush())
				require.Equal(t, want, m.sites, "%s in %d windows of %d", motif, windows, length)
			}
		}
	}
}

func TestWrongInput(t *testing.T) {
	require.ErrorIs(t, run(&bytes.Buffer{}, "testdata/missing.fa", "A", 10, 1, 0), os.ErrNotExist)
	require.ErrorContains(t, run(&bytes.Buffer{}, "testdata/lambda.fa", "GATTACA", 6, 1, 0), "7 bases in 1 windows of 6")
	require.Error(t, run(&bytes.Buffer{}, "testdata/lambda.fa", "", 6, 1, 0))
	require.Error(t, run(&bytes.Buffer{}, "testdata/lambda.fa", "A", 6, 0, 0))
}

// All four channels of an unknown base have the value asked for, and padding is
// zero.
func TestBatch(t *testing.T) {
	for _, unknown := range []float32{0, 0.25} {
		m, err := newModel("GA", 5, 2, unknown)
		require.NoError(t, err)
		for i := range m.batch {
			m.batch[i] = 9 // of an earlier batch
		}
		require.NoError(t, m.add([]byte("GATNACu")))
		require.NoError(t, m.flush())
		require.Equal(t, []float32{
			0, 1, 0, unknown, 1, // A
			0, 0, 0, unknown, 0, // C
			1, 0, 0, unknown, 0, // G
			0, 0, 1, unknown, 0, // T
			1, 0, 0, 0, 0,
			0, 1, 0, 0, 0,
			0, 0, 0, 0, 0,
			0, 0, 1, 0, 0,
		}, m.batch)
		require.Equal(t, 1, m.misses)
		require.Equal(t, []int{1}, m.sites)
	}
}
