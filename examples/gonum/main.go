// Command gonum fits a linear model to the columns of a CSV file. It shows how
// the mean of the target differs between categories, all else being equal.
//
//	go run ./gonum testdata/penguins.csv body_mass_g species sex flipper_length_mm
//
// Columns of numbers go into the design matrix as they are, and all others
// one-hot. onehot.EncodeColumns writes the one-hot columns side by side into
// the memory of a mat.Dense, behind the columns of numbers: it is given a slice
// of the matrix and the Stride of the whole. The first level of a column is its
// reference. The index of this level is -1, a miss, so that its cells are zero.
// Otherwise the columns of a factor would add up to the intercept, and the fit
// would have no single answer.
//
// testdata/penguins.csv is the Palmer Archipelago data of Gorman, Williams and
// Fraser (2014), in the public domain (CC0).
package main

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/go-onehot/onehot"
	"gonum.org/v1/gonum/mat"
)

func main() {
	if len(os.Args) < 4 {
		log.Fatal("usage: gonum FILE.csv TARGET COLUMN...")
	}
	terms, fitted, err := fit(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		log.Fatal(err)
	}
	for i, term := range terms {
		fmt.Printf("%-24s %10.2f\n", term, fitted.AtVec(i))
	}
}

// fit returns the terms of a model of target and their coefficients.
func fit(path, target string, columns []string) (terms []string, fitted *mat.VecDense, err error) {
	table, err := read(path, append([]string{target}, columns...))
	if err != nil {
		return nil, nil, err
	}
	y, ok := numbers(table[0])
	if !ok {
		return nil, nil, fmt.Errorf("%s is no column of numbers", target)
	}
	terms = []string{"(intercept)"}
	covariates := [][]float64{slices.Repeat([]float64{1}, len(y))}
	var levels []string
	var factors [][]int
	var depths []int
	for i, name := range columns {
		if x, ok := numbers(table[i+1]); ok {
			covariates, terms = append(covariates, x), append(terms, name)
			continue
		}
		codes, others := factor(table[i+1])
		factors, depths = append(factors, codes), append(depths, len(others))
		for _, level := range others {
			levels = append(levels, name+" "+level)
		}
	}
	design := mat.NewDense(len(y), len(terms)+len(levels), nil)
	for c, x := range covariates {
		design.SetCol(c, x)
	}
	if len(levels) > 0 {
		wide := design.Slice(0, len(y), len(terms), len(terms)+len(levels)).(*mat.Dense).RawMatrix()
		_, err = onehot.EncodeColumns(wide.Data, factors, depths, onehot.Spec[float64]{On: 1, Stride: wide.Stride})
		if err != nil {
			return nil, nil, err
		}
	}
	fitted = new(mat.VecDense)
	err = fitted.SolveVec(design, mat.NewVecDense(len(y), y))
	return append(terms, levels...), fitted, err
}

// factor returns the codes of a column of text, and the levels of the codes
// from 0 on. The code -1 is the first level in the order of the alphabet.
func factor(column []string) (codes []int, others []string) {
	levels := slices.Compact(slices.Sorted(slices.Values(column)))
	for _, level := range column {
		class, _ := slices.BinarySearch(levels, level)
		codes = append(codes, class-1)
	}
	return codes, levels[1:]
}
