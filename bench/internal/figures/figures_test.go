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
		"Some Other (family 6 model 1)":             "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 1\nmodel name\t: Some Other\n",
		"Neoverse V2 (implementer 0x41 part 0xd4f)": "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n",
		"implementer 0x99 part 0x001":               "CPU implementer\t: 0x99\nCPU part\t: 0x001\n",
		"":                                          "nothing of the kind\n",
	} {
		if got := Processor(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0.125: "0.12", 9.5: "9.50", 31.25: "31.2", 163.4: "163", math.Inf(1): "-"} {
		if got := Number(v, "-"); got != want {
			t.Errorf("Number(%v) = %s, want %s", v, got, want)
		}
	}
}
