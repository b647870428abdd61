package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// shiftMark precedes, in the name of a workload, the number of bytes by which
// its output is shifted.
const shiftMark = "/shift="

// A shifted has the speeds of one path on one shape: without a shift, at the
// slowest shift and at the fastest.
type shifted struct {
	aligned, least, most float64 // aligned is NaN if no shift of 0 was measured
	worst, best          string  // the shifts at which least and most were measured
}

// shapes returns the shapes whose output was shifted, by their names in the
// benchmark.
func shapes(rows figures.Rows) (all []string) {
	for _, r := range rows {
		if shape, _, ok := strings.Cut(r.Workload, shiftMark); ok && !slices.Contains(all, shape) {
			all = append(all, shape)
		}
	}
	return all
}

// overShifts returns the speeds of a path on a shape, and reports whether there
// are any.
func overShifts(rows figures.Rows, shape, path string) (s shifted, ok bool) {
	s = shifted{aligned: math.NaN(), least: math.Inf(1)}
	for _, r := range rows {
		shift, found := strings.CutPrefix(r.Workload, shape+shiftMark)
		v := r.Speed(path)
		if !found || math.IsNaN(v) {
			continue
		}
		ok = true
		if shift == "0" {
			s.aligned = v
		}
		if v < s.least {
			s.least, s.worst = v, shift
		}
		if v > s.most {
			s.most, s.best = v, shift
		}
	}
	return s, ok
}

// leastOverMost returns, for each shape, the ratio of a path's least speed to
// its greatest.
func leastOverMost(rows figures.Rows, path string) (all []float64) {
	for _, shape := range shapes(rows) {
		if s, ok := overShifts(rows, shape, path); ok {
			all = append(all, s.least/s.most)
		}
	}
	return all
}

// alignment returns the section on shifted outputs, or "" if there are none.
func alignment(rows figures.Rows) string {
	if len(shapes(rows)) == 0 {
		return ""
	}
	g := grid{{"shape, path", "shift 0", "least", "at shift", "most", "at shift", "least/most"}}
	for _, shape := range shapes(rows) {
		for _, path := range paths(rows) {
			if s, ok := overShifts(rows, shape, path); ok {
				g = append(g, []string{
					strings.ReplaceAll(shape, "_", " ") + ", " + path, number(s.aligned),
					number(s.least), s.worst, number(s.most), s.best, number(s.least / s.most),
				})
			}
		}
	}
	return fmt.Sprintf(`
## Over alignment

GB/s of `+"`EncodeRaw`"+` with uint8 indices. The output starts that many bytes, the shift, after the start of a cache line.

%s`, g)
}
