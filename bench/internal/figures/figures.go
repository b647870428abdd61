// Package figures has what the table and the report of the benchmarks share:
// the names of the yardsticks, a parser of results, medians and means, and the
// formats of numbers and of the names of processors.
package figures

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// These values of path are yardsticks. Every other value is a path of the
// library or a peer.
const (
	Clear = "clear"
	Limit = "limit"
	Go    = "go"
)

// IsYardstick reports whether path is the name of a yardstick.
func IsYardstick(path string) bool { return path == Clear || path == Limit || path == Go }

// Failed reports whether a line of output says that the benchmarks failed. It
// is for output that comes through a pipe, where their exit status is lost.
func Failed(line string) bool {
	return strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "panic:")
}

// Median returns the median of v, or NaN if v is empty.
func Median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s) == 0 {
		return math.NaN()
	}
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// Geomean returns the geometric mean of the positive, finite numbers in v, or
// NaN if there are none.
func Geomean(v []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if x > 0 && !math.IsInf(x, 0) {
			sum += math.Log(x)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(n))
}

// Geomeans returns the geometric mean of each column, over the rows that have a
// number in it.
func Geomeans(rows [][]float64) []float64 {
	means := make([]float64, len(rows[0]))
	for c := range means {
		var column []float64
		for _, cells := range rows {
			column = append(column, cells[c])
		}
		means[c] = Geomean(column)
	}
	return means
}

// Number formats v with about three digits, which is more than a benchmark on a
// busy machine can reproduce. It returns nothing if v is NaN or infinite.
func Number(v float64, nothing string) string {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		return nothing
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
