package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/go-onehot/onehot/bench/internal/figures"
)

// level is the ratio to careful Go below which a depth counts as slower. A
// higher ratio may be noise.
const level = 0.95

// kernels returns the library's paths that choose between strategies: all
// except the generic path.
func kernels(rows figures.Rows) []string {
	return paths(rows, figures.Clear, figures.Limit, figures.Go, pathGeneric)
}

// A step is the ratio of the speeds at two neighboring depths, the higher over
// the lower. The zero step says that there are no two depths.
type step struct {
	ratio    float64
	from, to int
}

// largestStep returns the largest step of points, which are in order of depth.
func largestStep(points plotter.XYs) (s step) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if q := max(a.Y/b.Y, b.Y/a.Y); q > s.ratio {
			s = step{q, int(a.X), int(b.X)}
		}
	}
	return s
}

// overGo returns the ratio of a path to careful Go, over depth.
func overGo(rows figures.Rows, types, path string) plotter.XYs {
	return overDepth(rows, types, func(r *figures.Row) float64 { return r.Ratio(path, figures.Go) })
}

// largestSteps returns the largest step of a path for each pair of types that
// has any.
func largestSteps(rows figures.Rows, path string) (all []float64) {
	for _, types := range sweptTypes(rows) {
		if s := largestStep(movedOver(rows, types, path)); s.ratio > 0 {
			all = append(all, s.ratio)
		}
	}
	return all
}

// shallow and deep bound the depths that should be as fast as any other: with
// one class there is nothing to choose, and no kernel blends rows of more
// classes than a byte tells apart.
const shallow, deep = 2, 255

// leastOverBest returns, for each pair of types, the ratio of a path's lowest
// speed from shallow to deep to its highest at any depth, in bytes read and
// written.
func leastOverBest(rows figures.Rows, path string) (all []float64) {
	for _, types := range sweptTypes(rows) {
		lowest, best := math.Inf(1), 0.0
		for _, p := range movedOver(rows, types, path) {
			if best = max(best, p.Y); shallow <= p.X && p.X <= deep {
				lowest = min(lowest, p.Y)
			}
		}
		if lowest <= best {
			all = append(all, lowest/best)
		}
	}
	return all
}

// leastOverGo returns, for each pair of types, the lowest ratio of a path to
// careful Go.
func leastOverGo(rows figures.Rows, path string) (all []float64) {
	for _, types := range sweptTypes(rows) {
		if lowest, ok := least(overGo(rows, types, path)); ok {
			all = append(all, lowest.Y)
		}
	}
	return all
}

// steps returns a table of the worst depths, for each pair of types and each
// path, or "" if there is nothing to compare.
func steps(rows figures.Rows) string {
	g := grid{{"indices to values, path", "largest step", "between depths", "least /go", "at depth"}}
	for _, types := range sweptTypes(rows) {
		for _, path := range kernels(rows) {
			s := largestStep(movedOver(rows, types, path))
			if s.ratio == 0 {
				continue
			}
			line := []string{typeNames.Replace(types) + ", " + path, number(s.ratio), fmt.Sprintf("%d, %d", s.from, s.to), "", ""}
			if worst, ok := least(overGo(rows, types, path)); ok {
				line[3], line[4] = number(worst.Y), strconv.Itoa(int(worst.X))
			}
			g = append(g, line)
		}
	}
	if len(g) == 1 {
		return ""
	}
	return `
### Steps

A step is the ratio of the speeds at two neighboring depths, the higher over the lower, in bytes read and written. Beside the largest
one stands the least ratio to careful Go. A step larger than 1.5 would show a threshold in the wrong place.

` + g.String() + slower(rows)
}

// least returns the lowest of the points, and reports whether there are any.
func least(points plotter.XYs) (lowest plotter.XY, ok bool) {
	for i, p := range points {
		if i == 0 || p.Y < lowest.Y {
			lowest = p
		}
	}
	return lowest, len(points) > 0
}

// slower returns a sentence on how many points of all sweeps a path is slower
// at than careful Go, or "" if that was not measured.
func slower(rows figures.Rows) string {
	var all []string
	for _, path := range kernels(rows) {
		below, n := 0, 0
		for _, types := range sweptTypes(rows) {
			for _, p := range overGo(rows, types, path) {
				n++
				if p.Y < level {
					below++
				}
			}
		}
		if n > 0 {
			all = append(all, fmt.Sprintf("%d of %d on %s (%.1f%%)", below, n, path, 100*float64(below)/float64(n)))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("\nDepths at which a path has less than %v times the speed of careful Go: %s.\n", level, strings.Join(all, ", "))
}
