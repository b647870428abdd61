// Package figures is what the table and the report of the benchmarks have in
// common: the names of the yardsticks, medians and means, and how a number and
// a processor are written.
package figures

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// These path values are yardsticks; every other one is a path of the library or
// a peer.
const (
	Clear = "clear"
	Limit = "limit"
	Go    = "go"
)

// IsYardstick reports whether a path is one.
func IsYardstick(path string) bool { return path == Clear || path == Limit || path == Go }

// Failed reports whether a line of output says that the benchmarks failed. In a
// pipe their exit status is lost.
func Failed(line string) bool {
	return strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "panic:")
}

// Median is NaN of nothing.
func Median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s) == 0 {
		return math.NaN()
	}
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// Geomean is the geometric mean. It leaves out what is no positive number, and
// is NaN of nothing.
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

// Geomeans are those of the columns, over the rows that have a number there.
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

// Number gives about three digits, which is more than a benchmark on a busy
// machine holds, and nothing for what is no number.
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
