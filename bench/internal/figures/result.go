package figures

import (
	"fmt"
	"strconv"
	"strings"
)

// A Result is one result line of benchmark output.
type Result struct {
	Function, Workload, Path string
	Speed                    float64 // GB/s
	Bytes                    float64 // credited to one operation
}

// ParseResult reads a line such as
//
//	BenchmarkEncode/mnist/path=avx2-2   1000   5 ns/op   80000.00 MB/s
//
// and reports whether it is a result. It returns an error for a line that looks
// like one but has no path, workload or speed.
func ParseResult(line string) (r Result, is bool, err error) {
	fields := strings.Fields(line)
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "Benchmark") {
		return Result{}, false, nil
	}
	if _, err := strconv.Atoi(fields[1]); err != nil {
		return Result{}, false, fmt.Errorf("%s: %q is no number of iterations", fields[0], fields[1])
	}
	r.Function, r.Workload, r.Path = splitName(strings.TrimPrefix(fields[0], "Benchmark"))
	nanoseconds := 0.0
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return Result{}, false, fmt.Errorf("%s: %w", fields[0], err)
		}
		switch fields[i+1] {
		case "ns/op":
			nanoseconds = value
		case "MB/s":
			r.Speed = value / 1000
		}
	}
	if r.Path == "" || r.Workload == "" || r.Speed == 0 {
		return Result{}, false, fmt.Errorf("%s: no path, no workload or no speed", fields[0])
	}
	r.Bytes = r.Speed * nanoseconds
	return r, true, nil
}

// splitName splits the name of a benchmark into its parts, without the number
// of processors that go test appends.
func splitName(name string) (function, workload, path string) {
	if at := strings.LastIndexByte(name, '-'); at >= 0 {
		if _, err := strconv.Atoi(name[at+1:]); err == nil {
			name = name[:at]
		}
	}
	parts := strings.Split(name, "/")
	var rest []string
	for _, p := range parts[1:] {
		if after, ok := strings.CutPrefix(p, "path="); ok {
			path = after
		} else {
			rest = append(rest, p)
		}
	}
	return parts[0], strings.Join(rest, "/"), path
}

// ParseSetting reads a line such as "goos: linux", and reports whether it is a
// setting.
func ParseSetting(line string) (key, value string, is bool) {
	key, value, is = strings.Cut(line, ": ")
	if !is || key == "" || strings.ContainsAny(key, " \t/") || key[0] < 'a' || key[0] > 'z' {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}
