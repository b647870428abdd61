package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const sample = `goversion: go1.99
goos: linux
cpu: some machine
BenchmarkEncode/a/b/path=avx2-2   	    1000	     30000 ns/op	 80000.00 MB/s
BenchmarkEncode/a/b/path=generic-2	    1000	     30000 ns/op	 4000.00 MB/s
BenchmarkEncode/a/b/path=go-2     	    1000	     30000 ns/op	 10000.00 MB/s
BenchmarkEncode/a/b/path=clear-2  	    1000	     30000 ns/op	 80000.00 MB/s
BenchmarkEncode/a/b/path=limit-2  	    1000	     30000 ns/op	 50000.00 MB/s
BenchmarkSweep/u8/f32/depth=2/path=avx2-2  	    1000	     30000 ns/op	 1000.00 MB/s
BenchmarkSweep/u8/f32/depth=4/path=avx2-2  	    1000	     30000 ns/op	 3000.00 MB/s
BenchmarkSweep/u8/f32/depth=4/path=go-2  	    1000	     30000 ns/op	 4000.00 MB/s
BenchmarkSweep/u8/f32/depth=8/path=avx2-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkSweep/u8/f32/depth=8/path=go-2  	    1000	     30000 ns/op	 1000.00 MB/s
BenchmarkSweep/u8/f32/depth=8/path=generic-2  	    1000	     30000 ns/op	 1000.00 MB/s
BenchmarkSweep/u8/f64/depth=4/path=avx2-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkSweep/u8/f64/depth=2/path=avx2-2  	    1000	     30000 ns/op	 8000.00 MB/s
BenchmarkSweep/u8/u8/depth=4/path=avx2-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkAlignment/rows_of_2/shift=0/path=avx2-2  	    1000	     30000 ns/op	 3000.00 MB/s
BenchmarkAlignment/rows_of_2/shift=1/path=avx2-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkAlignment/rows_of_2/shift=32/path=avx2-2  	    1000	     30000 ns/op	 4000.00 MB/s
BenchmarkAlignment/planes,_64_MiB/shift=1/path=avx2-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkAlignment/planes,_64_MiB/shift=1/path=generic-2  	    1000	     30000 ns/op	 1000.00 MB/s
BenchmarkSweepRing/u8/f32/depth=4/path=avx2-2  	    1000	     30000 ns/op	 5000.00 MB/s
BenchmarkSweepRing/u8/f32/depth=4/path=go-2  	    1000	     30000 ns/op	 4000.00 MB/s
BenchmarkSmall/Encode/8x10/path=avx2-2  	    1000	     40.00 ns/op	 8000.00 MB/s
BenchmarkSmall/Encode/8x10/path=go-2  	    1000	     10.00 ns/op	 32000.00 MB/s
BenchmarkSmall/Encode/64x10/path=avx2-2  	    1000	     100.0 ns/op	 25600.00 MB/s
BenchmarkSmall/Encode/64x10/path=go-2  	    1000	     50.00 ns/op	 51200.00 MB/s
onnxruntime: 9.9.9
# left out		torch	error: no interpreter
BenchmarkPeers/a/b/path=avx2-2         	    1000	     30000 ns/op	 60000.00 MB/s
# left out	a/b	gomlx	cannot: it writes 1 and 0 only
BenchmarkPeers/a/b/path=onnxruntime-2  	    1000	     30000 ns/op	 2000.00 MB/s
BenchmarkPeers/c/path=avx2-2           	    1000	     30000 ns/op	 60000.00 MB/s
BenchmarkPeers/c/path=onnxruntime-2    	    1000	     30000 ns/op	 5000.00 MB/s
BenchmarkPeers/c/path=gomlx-2          	    1000	     30000 ns/op	 1000.00 MB/s
PASS
goversion: go1.99
BenchmarkEncode/a/b/path=avx2-2   	    1000	     30000 ns/op	 20000.00 MB/s
BenchmarkEncode/a/b/path=avx2-2   	    1000	     30000 ns/op	 40000.00 MB/s
# left out	a/b	gomlx	cannot: it writes 1 and 0 only
PASS
# probe	onnxruntime	ONNX OneHot-9	a negative index is a row of off	differs: element 2
# probe	onnxruntime	ONNX OneHot-11	no indices, no rows	ok
# probe	onnxruntime	ONNX OneHot-9	a negative index is a row of off	differs: element 2
`

func parsed(t *testing.T, in string) *data {
	t.Helper()
	d, err := read(strings.NewReader(in), "sample")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// has fails unless text has each of the wanted lines. Runs of spaces count as
// one.
func has(t *testing.T, text string, wanted ...string) {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	for _, line := range wanted {
		if !slices.Contains(lines, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestReport(t *testing.T) {
	text := parsed(t, sample).report("sample")
	has(t, text,
		"| cpu | some machine |", "| goversion | go1.99 |", "| onnxruntime | 9.9.9 |",
		"| workload | clear | limit | go | avx2 | /clear | /limit | /go | generic | /clear | /limit | /go |",
		"| a/b | 80.0 | 50.0 | 10.0 | 40.0 | 0.50 | 0.80 | 4.00 | 4.00 | 0.05 | 0.08 | 0.40 |", // the median of three
		"uint8 to float32, GB/s:", "| depth=4 | 3.00 | 4.00 | |",
		"uint8 to float64, GB/s:", "uint8 to uint8, GB/s:",
		"| indices to values, path | largest step | between depths | least /go | at depth |",
		"| uint8 to float32, avx2 | 2.83 | 2, 4 | 0.75 | 4 |",
		"| uint8 to float64, avx2 | 4.12 | 2, 4 | | |", // in order of depth, not of appearance
		"Depths at which a path has less than 0.95 times the speed of careful Go: 1 of 2 on avx2 (50.0%).",
		"| shape, path | shift 0 | least | at shift | most | at shift | least/most |",
		"| rows of 2, avx2 | 3.00 | 2.00 | 1 | 4.00 | 32 | 0.50 |",
		"| planes, 64 MiB, generic | | 1.00 | 1 | 1.00 | 1 | 1.00 |",
		"| a/b | 60.0 | 2.00 | cannot |",
		"| a/b | 30.0 | |", "| c | 12.0 | 60.0 |", "| geometric mean | 19.0 | 60.0 |", "| a/b | 2.00 | |",
		"- torch: error: no interpreter", "- gomlx on a/b: cannot: it writes 1 and 0 only",
		"| a negative index is a row of off (ONNX OneHot-9) | differs |", "| no indices, no rows (ONNX OneHot-11) | ok |",
		"- onnxruntime: differs: element 2, where a negative index is a row of off (ONNX OneHot-9)",
		"This library is 19.0 times as fast as ONNX Runtime's CPU kernel in the geometric mean, 25 times or more on 1 of 2 workloads, and less on c (12.0).",
	)
	if n := strings.Count(text, "gomlx on a/b"); n != 1 {
		t.Errorf("a remark of two rounds stands there %d times", n)
	}
	for _, unwanted := range []string{"| uint8 to uint8, avx2", "| uint8 to float32, generic", "### Sweep", "### Alignment"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("there is %q", unwanted)
		}
	}
	if !strings.Contains(text, "1 to 3 rounds") {
		t.Error("the report does not say that series differ in length")
	}
}

// The report of data without sweeps does not mention them.
func TestReportWithoutSweeps(t *testing.T) {
	text := parsed(t, "BenchmarkEncode/a/path=avx2-2 10 5 ns/op 7 MB/s\n").report("sample")
	for _, unwanted := range []string{"depth", "alignment", "Steps", "sweep.svg"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("there is %q in\n%s", unwanted, text)
		}
	}
}

// The pairs of types in the picture come first, in its order. The others follow
// in the order of the data.
func TestSweptTypes(t *testing.T) {
	var in strings.Builder
	for _, types := range []string{"u8/f32", "u8/u8", "i32/f32", "i64/f32"} {
		fmt.Fprintf(&in, "BenchmarkSweep/%s/depth=2/path=avx2-2 10 5 ns/op 7 MB/s\n", types)
	}
	d := parsed(t, in.String())
	want := []string{"i64/f32", "u8/u8", "u8/f32", "i32/f32"}
	if got := sweptTypes(d.of(functionSweep)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	sweep, err := drawSweep(d)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, sweep, "int64 to float32")
	contains(t, sweep, "uint8 to uint8")
	if bytes.Contains(sweep, []byte("int32")) || bytes.Contains(sweep, []byte("uint8 to float32")) {
		t.Error("the picture has another pair of types")
	}
}

// The summary has a line for each yardstick, and compares peers also with paths
// that were not measured in the same benchmark.
func TestSummary(t *testing.T) {
	d := parsed(t, sample)
	has(t, d.summary(),
		"| call / yardstick | workloads | avx2 | generic |",
		"| Encode / zeroing the bytes | 1 | 0.80 | 0.08 |",
		"| Encode / careful Go | 1 | 4.00 | 0.40 |",
		"| Encode / ONNX Runtime | 2 | 19.0 (12.0 … 30.0) | 2.00 |",
		"| Encode / gomlx | 1 | 60.0 | |",
		"| Slowest of depths 2 to 255 / fastest depth, hot | 3 | 0.44 (0.24 … 1.00) | 1.00 |",
		"| Least ratio to careful Go over depths, hot | 1 | 0.75 | 1.00 |",
		"| Least ratio to careful Go over depths, in rotation | 1 | 1.25 | |",
		"| Small calls / careful Go | 2 | 0.35 (0.25 … 0.50) | |",
		"| Small calls below 1 KiB, most ns above careful Go | 1 | 30.0 | |",
		"| Small calls from 1 KiB on, least ratio to careful Go | 1 | 0.50 | |",
		"| Largest step over depth | 2 | 3.42 (2.83 … 4.12) | |",
		"| Least / most over alignments | 2 | 0.71 (0.50 … 1.00) | 1.00 |",
	)
	if !strings.Contains(d.report("sample"), d.summary()) {
		t.Error("the report lacks its summary")
	}
}

// All figures of the README stand between its marks; the text around them has
// none.
func TestReadmeHasNoOtherFigures(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(readme), figuresStart)
	_, after, _ := strings.Cut(rest, figuresEnd)
	figure := regexp.MustCompile(`(?i)\d\s*(times|%|ns\b|µs|ms\b|x\b|[GM]i?B/s)|\b\d+\.\d+\b`)
	words := regexp.MustCompile("(?s)```.*?```|Go 1\\.\\d+|-0\\.0").ReplaceAllString(before+after, "") // code, versions, and a value
	for _, found := range figure.FindAllString(words, -1) {
		t.Errorf("%q is no figure of the report: let make pictures write it", found)
	}
}

// The table of machines compares the others with the first, as far as they were
// measured.
func TestMachines(t *testing.T) {
	d := parsed(t, sample)
	if d.machines() != "" {
		t.Error("one machine stands beside itself")
	}
	d.beside = []*data{parsed(t, "processor: Zen 9 (family 99 model 1)\ncommit: abc\nBenchmarkEncode/a/path=avx512-2 10 5 ns/op 8 MB/s\nBenchmarkEncode/a/path=go-2 10 5 ns/op 2 MB/s\n")}
	has(t, d.report("sample"),
		"| call / yardstick | some machine, avx2 | Zen 9 (family 99 model 1), avx512, commit abc |",
		"| Encode / careful Go | 4.00 | 4.00 |",
		"| Encode / ONNX Runtime | 19.0 (12.0 … 30.0) | |",
		"| Repetitions differ by | 0% | 0% |",
	)
}

func TestSpread(t *testing.T) {
	var in strings.Builder
	for _, speed := range []int{80, 20, 40} {
		fmt.Fprintf(&in, "BenchmarkEncode/a/path=avx2-2 10 5 ns/op %d MB/s\nBenchmarkEncode/a/path=go-2 10 5 ns/op 7 MB/s\n", speed)
	}
	if middle, most := parsed(t, in.String()).spread(); middle != 0.75 || most != 1.5 {
		t.Errorf("spread %v, %v, want (80-20)/40 in the higher series and its half in the middle of 0 and that", middle, most)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"empty":       "",
		"no results":  "goos: linux\nPASS\n",
		"failed":      sample + "--- FAIL: BenchmarkEncode\n",
		"panic":       sample + "panic: something\n",
		"no path":     sample + "BenchmarkOther-2 10 5 ns/op 3 MB/s\n",
		"no speed":    sample + "BenchmarkEncode/a/path=go-2 10 5 ns/op\n",
		"no depth":    sample + "BenchmarkSweep/u8/u8/path=go-2 10 5 ns/op 3 MB/s\n",
		"odd depth":   sample + "BenchmarkSweep/u8/u8/depth=x/path=go-2 10 5 ns/op 3 MB/s\n",
		"torn result": sample + "BenchmarkEncode/a/path=go-2 10 5\n",
		"torn remark": sample + "# left out\ta\n",
		"torn probe":  sample + "# probe\ta\n",
		"no number":   "BenchmarkEncode/a/path=go-2 10 x ns/op\n",
	} {
		if _, err := read(strings.NewReader(in), name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSize(t *testing.T) {
	d := parsed(t, "BenchmarkEncode/a/path=go-2 10 5000000 ns/op 2000 MB/s\n")
	if got := size(d.rows[0].Bytes); got != "10 MB" {
		t.Errorf("5 ms at 2 GB/s are %s", got)
	}
	for bytes, want := range map[float64]string{98304: "98 kB", 2.4e6: "2.4 MB", 131072000: "131 MB"} {
		if got := size(bytes); got != want {
			t.Errorf("size(%v) = %s, want %s", bytes, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0.125: "0.12", 9.5: "9.50", 31.25: "31.2", 163.4: "163", math.Inf(1): "", math.NaN(): ""} {
		if got := number(v); got != want {
			t.Errorf("number(%v) = %q, want %q", v, got, want)
		}
	}
}

// The committed files are what the committed data gives, byte for byte.
func TestCommittedFilesAreFresh(t *testing.T) {
	d := committed(t)
	all, err := d.render(filepath.Base(measured(t)[0]))
	if err != nil {
		t.Fatal(err)
	}
	const readme = "../../README.md"
	old, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if all[readme], err = inReadme(old, d.brief()); err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the data give: run make pictures", name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, "README.md")
	if err := os.WriteFile(readme, []byte("a\n"+figuresStart+"old\n"+figuresEnd+"b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(measured(t), dir, readme); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	want := "a\n" + figuresStart + "\n" + strings.TrimSpace(committed(t).brief()) + "\n\n" + figuresEnd + "b\n"
	if string(got) != want {
		t.Errorf("the README is\n%s", got)
	}
	for _, name := range []string{"REPORT.md", "sweep.svg", "peers.svg"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if err := write([]string{"no such file"}, dir, ""); err == nil {
		t.Error("a missing file is no error")
	}
	if err := write(measured(t), dir, filepath.Join(dir, "REPORT.md")); err == nil {
		t.Error("a README without marks is no error")
	}
}

// No two curves share both color and dash, so that readers can tell them apart.
func TestLooksDiffer(t *testing.T) {
	for _, d := range []*data{parsed(t, sample), committed(t)} {
		seen := map[string]string{}
		for _, path := range paths(d.of(functionSweep)) {
			if _, ok := looks[path]; !ok {
				t.Errorf("path %s has no look", path)
			}
			l := lookOf(path)
			key := fmt.Sprint(l.color, l.dashes)
			if other, ok := seen[key]; ok {
				t.Errorf("%s and %s look the same", path, other)
			}
			seen[key] = path
		}
	}
}

// The pictures label everything that they show, and the units.
func TestPicturesNameWhatTheyShow(t *testing.T) {
	d := committed(t)
	sweep, err := drawSweep(d)
	if err != nil {
		t.Fatal(err)
	}
	peers, err := drawPeers(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths(d.of(functionSweep)) {
		contains(t, sweep, legendNames(path))
	}
	for _, path := range paths(d.of(functionPeers)) {
		contains(t, peers, barName(path))
	}
	for _, r := range d.of(functionPeers) {
		contains(t, peers, r.Workload+", "+size(r.Bytes))
	}
	contains(t, sweep, "depth (classes)")
	contains(t, sweep, "GB/s read and written")
	contains(t, peers, "GB/s written")
}

func contains(t *testing.T, picture []byte, label string) {
	t.Helper()
	if !bytes.Contains(picture, []byte(">"+label+"<")) {
		t.Errorf("no label %q", label)
	}
}

// measured returns the names of the committed files of data, in the order of
// the Makefile.
func measured(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no data", err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`(?m)^FIRST +\?= (\w+)$`).FindSubmatch(makefile)
	if first == nil {
		t.Fatal("the Makefile does not say whose figures come first")
	}
	slices.Reverse(files)
	at := slices.Index(files, string(first[1])+".txt")
	if at < 0 {
		t.Fatalf("there is no data of %s", first[1])
	}
	return slices.Insert(slices.Delete(files, at, at+1), 0, string(first[1])+".txt")
}

func committed(t *testing.T) *data {
	t.Helper()
	d, err := loadAll(measured(t))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestNothingToDraw(t *testing.T) {
	d := parsed(t, "BenchmarkEncode/a/path=go-2 10 5 ns/op 7 MB/s\nBenchmarkSweep/u8/f32/depth=2/path=go-2 10 5 ns/op 7 MB/s\n")
	if _, err := drawSweep(d); err == nil {
		t.Error("a picture of no sweep")
	}
	if _, err := drawPeers(d); err == nil {
		t.Error("a picture of no peers")
	}
}

func TestPrintPeers(t *testing.T) {
	var out strings.Builder
	if err := printPeers(strings.NewReader(sample), &out); err != nil {
		t.Fatal(err)
	}
	has(t, out.String(), "| c | 60.0 | 5.00 | 1.00 |")
	if err := printPeers(strings.NewReader("PASS\n"), &out); err == nil {
		t.Error("no results are no error")
	}
}
