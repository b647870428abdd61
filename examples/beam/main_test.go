package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/stretchr/testify/require"
)

const penguins = "../testdata/penguins.csv"

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// encode runs the pipeline and returns the lines of its two files.
func encode(t *testing.T, input, column string) (rows, counts []string, misses int64) {
	dir := t.TempDir()
	misses, err := run(context.Background(), input, column, filepath.Join(dir, "rows"), filepath.Join(dir, "counts"))
	require.NoError(t, err)
	return lines(t, filepath.Join(dir, "rows")), lines(t, filepath.Join(dir, "counts")), misses
}

func lines(t *testing.T, path string) []string {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// The expected island of a line comes from the text of the line. Only the order
// of the output may differ.
func TestIsland(t *testing.T) {
	var want []string
	counts := map[string]int{}
	for _, line := range lines(t, penguins)[1:] {
		for island, cells := range map[string]string{"Biscoe": "1,0,0", "Dream": "0,1,0", "Torgersen": "0,0,1"} {
			if strings.Contains(line, ","+island+",") {
				want = append(want, line+","+cells)
				counts[island]++
			}
		}
	}
	require.Len(t, want, 344)

	rows, levels, misses := encode(t, penguins, "island")
	require.ElementsMatch(t, want, rows)
	require.ElementsMatch(t, []string{
		fmt.Sprint("Biscoe,", counts["Biscoe"]), fmt.Sprint("Dream,", counts["Dream"]), fmt.Sprint("Torgersen,", counts["Torgersen"]),
	}, levels)
	require.Zero(t, misses)
}

// Some penguins have no sex; it is the last column.
func TestMisses(t *testing.T) {
	var want []string
	var unknown int64
	for _, line := range lines(t, penguins)[1:] {
		switch {
		case strings.HasSuffix(line, ",FEMALE"):
			want = append(want, line+",1,0")
		case strings.HasSuffix(line, ",MALE"):
			want = append(want, line+",0,1")
		default:
			want = append(want, line+",0,0")
			unknown++
		}
	}
	require.NotZero(t, unknown)

	rows, _, misses := encode(t, penguins, "sex")
	require.ElementsMatch(t, want, rows)
	require.Equal(t, unknown, misses)
}

// More lines than a batch holds, in the form that spreadsheets write: quotes
// around commas, and \r\n.
func TestBatches(t *testing.T) {
	var file strings.Builder
	var want []string
	file.WriteString("number,place\r\n")
	for i := range 10_000 {
		line := fmt.Sprintf("%d,\"Place, %c\"", i, 'a'+i%4)
		file.WriteString(line + "\r\n")
		want = append(want, line+[]string{",1,0,0,0", ",0,1,0,0", ",0,0,1,0", ",0,0,0,1"}[i%4])
	}
	input := filepath.Join(t.TempDir(), "places.csv")
	require.NoError(t, os.WriteFile(input, []byte(file.String()), 0o666))

	rows, counts, misses := encode(t, input, "place")
	require.ElementsMatch(t, want, rows)
	require.ElementsMatch(t, []string{"Place, a,2500", "Place, b,2500", "Place, c,2500", "Place, d,2500"}, counts)
	require.Zero(t, misses)
}

func TestWrongInput(t *testing.T) {
	dir := t.TempDir()
	_, err := run(context.Background(), filepath.Join(dir, "missing.csv"), "island", dir+"/rows", dir+"/counts")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = run(context.Background(), penguins, "wingspan", dir+"/rows", dir+"/counts")
	require.ErrorContains(t, err, `no column "wingspan"`)

	ragged := filepath.Join(dir, "ragged.csv")
	require.NoError(t, os.WriteFile(ragged, []byte("a,b\n1,2\n3\n"), 0o666))
	_, err = run(context.Background(), ragged, "b", dir+"/rows", dir+"/counts")
	require.ErrorContains(t, err, `no column 2 in the line "3"`)
	require.NoFileExists(t, dir+"/rows")
}
