package main

import (
	"io"
	"strings"
	"testing"
)

const sample = `goos: linux
cpu: some machine
BenchmarkEncode/mnist/labels/path=avx2-2         	    1000	     30000 ns/op	 80000.00 MB/s	       0 B/op
BenchmarkEncode/mnist/labels/path=avx2-2         	    1000	     90000 ns/op	 20000.00 MB/s
BenchmarkEncode/mnist/labels/path=avx2-2         	    1000	     60000 ns/op	 40000.00 MB/s
BenchmarkEncode/mnist/labels/path=generic-2      	    1000	     60000 ns/op	 12000.00 MB/s
BenchmarkEncode/mnist/labels/path=go-2           	    1000	     60000 ns/op	 10000.00 MB/s
BenchmarkEncode/mnist/labels/path=clear-2        	    1000	     60000 ns/op	 80000.00 MB/s
BenchmarkEncode/mnist/labels/path=limit-2        	    1000	     60000 ns/op	 50000.00 MB/s
BenchmarkEncode/depth=7/path=avx2-2              	    1000	     60000 ns/op	160000.00 MB/s
BenchmarkEncode/depth=7/path=clear-2             	    1000	     60000 ns/op	 80000.00 MB/s
BenchmarkOneRow/depth=10/path=avx2-2             	    1000	      4 ns/op	 10000.00 MB/s
PASS
ok  	github.com/go-onehot/onehot	1.234s
`

func TestTable(t *testing.T) {
	var out, progress strings.Builder
	if err := run(strings.NewReader(sample), &out, &progress); err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(out.String(), "\n") {
		rows = append(rows, strings.Fields(line))
	}
	want := [][]string{
		{"mnist/labels", "80.0", "10.0", "|", "40.0", "0.50", "0.80", "4.00", "|", "12.0", "0.15", "0.24", "1.20"},
		{"depth=7", "80.0", "-", "|", "160", "2.00", "-", "-", "|", "-", "-", "-", "-"},
		{"geomean", "of", "2", "80.0", "10.0", "|", "80.0", "1.00", "0.80", "4.00", "|", "12.0", "0.15", "0.24", "1.20"},
		{"depth=10", "-", "-", "|", "10.0", "-", "-", "-", "|", "-", "-", "-", "-"},
		{"geomean", "of", "all", "3", "80.0", "10.0", "|", "40.0", "1.00", "0.80", "4.00", "|", "12.0", "0.15", "0.24", "1.20"},
	}
	for _, w := range want {
		found := false
		for _, r := range rows {
			found = found || strings.Join(r, " ") == strings.Join(w, " ")
		}
		if !found {
			t.Errorf("no line %q in\n%s", w, out.String())
		}
	}
	for _, line := range []string{"cpu: some machine", "Encode/mnist/labels:  avx2 40.0  generic 12.0  go 10.0  clear 80.0 GB/s", "OneRow/depth=10:"} {
		if !strings.Contains(progress.String(), line) {
			t.Errorf("progress lacks %q:\n%s", line, progress.String())
		}
	}
}

func TestColumnsAlign(t *testing.T) {
	var out strings.Builder
	if err := run(strings.NewReader(sample), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	bar := -1
	for _, line := range strings.Split(out.String(), "\n") {
		at := strings.Index(line, "|")
		if at < 0 {
			continue
		}
		if bar >= 0 && at != bar {
			t.Errorf("column bar at %d, before at %d: %q", at, bar, line)
		}
		bar = at
	}
}

func TestBadEnd(t *testing.T) {
	whole := sample[:strings.Index(sample, "PASS")]
	for name, in := range map[string]string{
		"empty":     "",
		"truncated": whole,
		"failed":    whole + "--- FAIL: BenchmarkEncode\nFAIL\n",
		"no result": "PASS\nok\n",
		"panic":     whole + "panic: something\n",
	} {
		if err := run(strings.NewReader(in), io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
