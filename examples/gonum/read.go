package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-onehot/onehot/examples/internal/input"
)

// read returns the named columns of a CSV file, without the rows that lack one
// of their values.
func read(path string, names []string) (columns [][]string, err error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows := csv.NewReader(file)
	header, err := rows.Read()
	if err != nil {
		return nil, err
	}
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("%s has no column %q, only %q", path, name, header)
		}
	}
	columns = make([][]string, len(names))
	for {
		row, err := rows.Read()
		if err == io.EOF && len(columns[0]) > 0 {
			return columns, nil
		}
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(at, func(i int) bool { return slices.Contains([]string{"", "NA", "NaN"}, row[i]) }) {
			continue
		}
		for i := range columns {
			columns[i] = append(columns[i], row[at[i]])
		}
	}
}

// numbers returns a column as numbers and reports whether all of it is numbers.
func numbers(column []string) (x []float64, ok bool) {
	x = make([]float64, len(column))
	for i, value := range column {
		var err error
		if x[i], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, false
		}
	}
	return x, true
}
