package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const penguins = "../testdata/penguins.csv"

// rows returns the lines of the file below its header. None of them has quotes.
func rows(t *testing.T) []string {
	data, err := os.ReadFile(penguins)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
}

func query(t *testing.T, path string, conditions ...string) string {
	var out bytes.Buffer
	require.NoError(t, run(&out, path, conditions))
	return out.String()
}

// The study counted 58 female Gentoo penguins, 61 males and 5 of unknown sex.
func TestGentoo(t *testing.T) {
	var want strings.Builder
	want.WriteString("species=Gentoo: 124 rows\nspecies has 3 classes, and is missing in 0 rows\n" +
		"sex=FEMALE: 165 rows\nsex has 2 classes, and is missing in 11 rows\n58 of 344 rows:\n")
	for _, row := range rows(t) {
		if strings.HasPrefix(row, "Gentoo,") && strings.HasSuffix(row, ",FEMALE") {
			fmt.Fprintln(&want, row)
		}
	}
	require.Equal(t, want.String(), query(t, penguins, "species=Gentoo", "sex=FEMALE"))
	require.Contains(t, query(t, penguins, "sex=MALE", "species=Gentoo"), "\n61 of 344 rows:\n")
	require.Contains(t, query(t, penguins, "sex=MALE,FEMALE", "species=Gentoo"), "\n119 of 344 rows:\n")
}

// Every query finds the same rows as a scan of all rows, in the same order.
func TestAllQueries(t *testing.T) {
	for _, island := range []string{"Biscoe", "Dream", "Torgersen", "Dream,Torgersen", "Torgersen,Biscoe,Dream"} {
		for _, species := range []string{"Adelie", "Chinstrap", "Gentoo", "Gentoo,Chinstrap"} {
			var want strings.Builder
			count := 0
			for _, row := range rows(t) {
				cells := strings.Split(row, ",")
				if strings.Contains(species, cells[0]) && strings.Contains(island, cells[1]) {
					fmt.Fprintln(&want, row)
					count++
				}
			}
			head, body, _ := strings.Cut(query(t, penguins, "species="+species, "island="+island), " of 344 rows:\n")
			require.Equal(t, want.String(), body)
			require.True(t, strings.HasSuffix(head, fmt.Sprintf("\n%d", count)), head)
		}
	}
}

// Beyond 65536 rows a roaring bitmap has several containers. The rows are the
// minutes of a year, with their hour and its half.
func TestManyRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "minutes.csv")
	file, err := os.Create(path)
	require.NoError(t, err)
	w := csv.NewWriter(file)
	require.NoError(t, w.Write([]string{"hour", "half", "minute"}))
	for minute := range 365 * 24 * 60 {
		half := ""
		if minute%60 >= 30 {
			half = "late"
		}
		require.NoError(t, w.Write([]string{fmt.Sprint(minute / 60 % 24), half, fmt.Sprint(minute % 60)}))
	}
	w.Flush()
	require.NoError(t, file.Close())
	got := query(t, path, "hour=7,19", "half=late", "minute=29,30,59")
	require.Contains(t, got, "hour=7: 21900 rows\n")
	require.Contains(t, got, "half has 1 classes, and is missing in 262800 rows\n")
	require.Contains(t, got, "\n1460 of 525600 rows:\n7,late,30\n7,late,59\n19,late,30\n19,late,59\n7,late,30\n")
	require.Equal(t, 1460, strings.Count(got, ",late,"))
}

func TestWrongInput(t *testing.T) {
	var out bytes.Buffer
	require.ErrorIs(t, run(&out, "missing.csv", []string{"a=b"}), os.ErrNotExist)
	require.ErrorContains(t, run(&out, penguins, []string{"color=black"}), `no column "color"`)
	require.ErrorContains(t, run(&out, penguins, []string{"species=Emperor"}), `no value "Emperor" in column species`)
	empty := filepath.Join(t.TempDir(), "empty.csv")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	require.ErrorContains(t, run(&out, empty, []string{"a=b"}), "is empty")
}
