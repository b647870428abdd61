package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// shiftMark stands in a workload's name before the bytes by which its output is
// shifted.
const shiftMark = "/shift="

// A shifted is the speed of one path on one shape over all shifts: at none, at
// the worst and at the best.
type shifted struct {
	aligned, least, most float64 // aligned is NaN if no shift of 0 was measured
	worst, best          string  // the shifts of least and most
}

// shapes are those whose output was shifted, as the benchmark names them.
func shapes(rows []*row) (all []string) {
	for _, r := range rows {
		if shape, _, ok := strings.Cut(r.workload, shiftMark); ok && !slices.Contains(all, shape) {
			all = append(all, shape)
		}
	}
	return all
}

// overShifts is that of the rows, false if the path was not measured on the
// shape.
func overShifts(rows []*row, shape, path string) (s shifted, ok bool) {
	s = shifted{aligned: math.NaN(), least: math.Inf(1)}
	for _, r := range rows {
		shift, found := strings.CutPrefix(r.workload, shape+shiftMark)
		v := r.speed(path)
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

// leastOverMost is that of a path for each shape.
func leastOverMost(rows []*row, path string) (all []float64) {
	for _, shape := range shapes(rows) {
		if s, ok := overShifts(rows, shape, path); ok {
			all = append(all, s.least/s.most)
		}
	}
	return all
}

// alignment is the section on shifted outputs, "" if there are none.
func alignment(rows []*row) string {
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

`+"`EncodeRaw`"+` to an output that begins so many bytes after the start of a cache line, uint8 indices, GB/s.

%s`, g)
}
