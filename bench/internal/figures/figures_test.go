package figures

import (
	"math"
	"testing"
)

func TestProcessor(t *testing.T) {
	for want, info := range map[string]string{
		"Zen 4 (family 25 model 17)":                "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n",
		"Zen 3 (family 25 model 1)":                 "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n",
		"Zen 5 (family 26 model 2)":                 "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n",
		"Zen 2 (family 23 model 49)":                "vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 49\n",
		"Sapphire Rapids (family 6 model 143)":      "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R)\n",
		"Xeon (family 6 model 167)":                 "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 167\nmodel name\t: Intel(R) Xeon(R) Processor\n",
		"Sapphire Rapids (family 6 model 167)":      "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 167\nmodel name\t: Intel(R) Xeon(R) Processor\ncache size\t: 107520 KB\nflags\t\t: fpu amx_bf16 amx_tile\n",
		"Granite Rapids (family 6 model 167)":       "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 167\nflags\t\t: fpu amx_tile amx_fp16\n",
		"Core i7-7567U (family 6 model 142)":        "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 142\nmodel name\t: Intel(R) Core(TM) i7-7567U CPU @ 3.50GHz\n",
		"Intel(R) Processor (family 6 model 1)":     "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 1\nmodel name\t: Intel(R) Processor\n",
		"Some Other (family 6 model 1)":             "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 1\nmodel name\t: Some Other\n",
		"Neoverse V2 (implementer 0x41 part 0xd4f)": "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n",
		"implementer 0x99 part 0x001":               "CPU implementer\t: 0x99\nCPU part\t: 0x001\n",
		"":                                          "nothing of the kind\n",
	} {
		checkProcessor(t, info, want)
	}
}

func checkProcessor(t *testing.T, info, want string) {
	t.Helper()
	if got := Processor(info); got != want {
		t.Errorf("%q, want %q of %q", got, want, info)
	}
}

// A hypervisor may hide what Granite Rapids can do, but not its cache.
func TestProcessorByCache(t *testing.T) {
	for rest, want := range map[string]string{
		"cache size\t: 491520 KB\nflags\t\t: fpu amx_bf16 amx_tile\n":   "Granite Rapids (family 6 model 167)",
		"cache size\t: 327681 KB\nflags\t\t: fpu amx_bf16 amx_tile\n":   "Granite Rapids (family 6 model 167)",
		"cache size\t: 327680 KB\nflags\t\t: fpu amx_bf16 amx_tile\n":   "Sapphire Rapids (family 6 model 167)",
		"cache size\t: 491520 KB\nmodel name\t: Xeon\nflags\t\t: fpu\n": "Xeon (family 6 model 167)",
	} {
		checkProcessor(t, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 167\n"+rest, want)
	}
}

func TestMeans(t *testing.T) {
	if m := Median([]float64{9, 1, 2, 4}); m != 3 {
		t.Errorf("median %v, want 3", m)
	}
	if g := Geomean([]float64{2, math.NaN(), 8, math.Inf(1), 0}); math.Abs(g-4) > 1e-12 {
		t.Errorf("geometric mean %v, want 4", g)
	}
	if !math.IsNaN(Median(nil)) || !math.IsNaN(Geomean(nil)) {
		t.Error("the mean of nothing is a number")
	}
}

// A disturbance that slows both paths down in one round changes no ratio.
func TestRatio(t *testing.T) {
	r := Row{Speeds: map[string][]float64{"a": {8, 2, 9}, "b": {4, 1, 3}, "c": {4}}}
	if q := r.Ratio("a", "b"); q != 2 {
		t.Errorf("%v, want 2, the median of 8/4, 2/1 and 9/3", q)
	}
	if q := r.Ratio("a", "c"); q != 2 {
		t.Errorf("%v, want 8/4, the ratio of the medians", q)
	}
	if !math.IsNaN(r.Ratio("d", "e")) || !math.IsNaN(r.Ratio("a", "e")) {
		t.Error("the ratio of nothing is a number")
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0.125: "0.12", 9.5: "9.50", 31.25: "31.2", 163.4: "163", math.Inf(1): "-"} {
		if got := Number(v, "-"); got != want {
			t.Errorf("Number(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestParseResult(t *testing.T) {
	for line, want := range map[string]Result{
		"BenchmarkEncode/a/path=go  \t 10\t 5 ns/op\t 1500 MB/s":                         {"Encode", "a", "go", 1.5, 7.5},
		"BenchmarkSweep/u8/f32/depth=2/path=avx512-16  \t 10\t 4 ns/op\t 250000.00 MB/s": {"Sweep", "u8/f32/depth=2", "avx512", 250, 1000},
		"BenchmarkEncode/a-b/path=avx2-2 10 2 ns/op 500 MB/s 0 B/op":                     {"Encode", "a-b", "avx2", 0.5, 1},
	} {
		if got, is, err := ParseResult(line); !is || err != nil || got != want {
			t.Errorf("ParseResult(%q) = %v, %v, %v, want %v", line, got, is, err, want)
		}
	}
	for line, fails := range map[string]bool{
		"": false, "ok": false, "PASS": false, "BenchmarkEncode/a/path=go": false,
		"BenchmarkEncode/a/path=go-2 \t 10\t 5 ns/op":        true,
		"BenchmarkOther-2 10 5 ns/op 3 MB/s":                 true,
		"BenchmarkEncode/path=go 10 5 ns/op 3 MB/s":          true,
		"BenchmarkEncode/a/path=go ten 5 ns/op 3 MB/s":       true,
		"BenchmarkEncode/a/path=go 10 five ns/op 3 MB/s 1 x": true,
	} {
		if got, is, err := ParseResult(line); is || (err != nil) != fails {
			t.Errorf("ParseResult(%q) = %v, %v, %v", line, got, is, err)
		}
	}
}

func TestParseSetting(t *testing.T) {
	if key, value, is := ParseSetting("cpu: AMD EPYC: 9"); !is || key != "cpu" || value != "AMD EPYC: 9" {
		t.Errorf("%q, %q, %v", key, value, is)
	}
	for _, line := range []string{"", "PASS", "BenchmarkX: y", "no key: here", "a/b: c", ": x", "--- FAIL: x"} {
		if key, _, is := ParseSetting(line); is {
			t.Errorf("%q is a setting of %q", line, key)
		}
	}
}
