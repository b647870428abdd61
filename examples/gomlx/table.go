package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-onehot/onehot/examples/internal/input"
	"gonum.org/v1/gonum/stat"
)

// A table is a data set: features, row by row, and a class for each row.
type table struct {
	columns  int
	features []float32
	classes  []uint8
	names    []string // of the classes
}

// read reads columns of numbers from a CSV file, and the column label as
// classes. It leaves out the rows that lack a number.
func read(path, label string, columns []string) (*table, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s has no rows", path)
	}
	at := make([]int, 1+len(columns))
	for i, name := range append([]string{label}, columns...) {
		if at[i] = slices.Index(rows[0], name); at[i] < 0 {
			return nil, fmt.Errorf("%s has no column %q, only %q", path, name, rows[0])
		}
	}
	t := &table{columns: len(columns)}
	for _, row := range rows[1:] {
		if err := t.add(row, at); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// add appends the columns of a row whose places are at, the label first.
func (t *table) add(row []string, at []int) error {
	before := len(t.features)
	for _, column := range at[1:] {
		if slices.Contains([]string{"", "NA", "NaN"}, row[column]) {
			t.features = t.features[:before]
			return nil
		}
		x, err := strconv.ParseFloat(row[column], 32)
		if err != nil {
			return err
		}
		t.features = append(t.features, float32(x))
	}
	class := slices.Index(t.names, row[at[0]])
	if class < 0 {
		class = len(t.names)
		t.names = append(t.names, row[at[0]])
	}
	if class > math.MaxUint8 {
		return errors.New("more than 256 classes")
	}
	t.classes = append(t.classes, uint8(class))
	return nil
}

// split returns every nth row as the second table, and the others as the first.
func (t *table) split(n int) (others, nth *table) {
	others, nth = &table{columns: t.columns, names: t.names}, &table{columns: t.columns, names: t.names}
	for i, class := range t.classes {
		part := others
		if i%n == n-1 {
			part = nth
		}
		part.classes = append(part.classes, class)
		part.features = append(part.features, t.features[i*t.columns:][:t.columns]...)
	}
	return others, nth
}

// standardise shifts and scales every column of known to the mean 0 and, unless
// it is constant, the deviation 1. It changes unseen in the same way.
func standardise(known, unseen *table) {
	for c := range known.columns {
		column := make([]float64, len(known.classes))
		for i := range column {
			column[i] = float64(known.features[i*known.columns+c])
		}
		mean, deviation := stat.MeanStdDev(column, nil)
		if deviation == 0 {
			deviation = 1
		}
		for _, t := range []*table{known, unseen} {
			for i := range t.classes {
				x := &t.features[i*t.columns+c]
				*x = float32((float64(*x) - mean) / deviation)
			}
		}
	}
}
