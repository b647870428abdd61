// Command cost prints what llvm-mca says the main loop of every kernel costs,
// in cycles per 64 bytes stored.
//
// It links the tests of the root package, which call every kernel, for each
// architecture, disassembles them, and gives llvm-mca the innermost loop of
// each kernel that stores most. The result is the steady state of that loop
// with every access a cache hit: a bound on what the core can do, not a
// prediction for data beyond the first-level cache. Beside the cycles stands
// their ratio to the store limit, which is what 64 bytes of nothing but vector
// stores cost on the same model. Set-up and tails are left out. Where the loop
// stands in another one, a second line says what a turn of the outer loop adds,
// which is the cycles of its own instructions.
//
// Code that several kernels share has a line for every innermost loop that
// stores 64 bytes or more.
//
// Some kernels store in no innermost loop. The loop that stores is then priced
// with one turn of each inner loop. Others turn vectors into words, and are
// priced per 64 bytes loaded. Jumps forward are not followed, so that the price
// includes what they may skip.
//
// One model can stand for several CPUs: LLVM 19 has no model of its own for
// znver5 (it uses znver4's) and cortex-a76 (cortex-a57's). Run the command in
// the root of its module.
package main

import (
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// arch is an architecture and the CPUs to ask about. Where a column has several
// names, the first that this llvm-mca has a model for counts.
type arch struct {
	goarch, triple string
	cpus           [][]string
}

var arches = []arch{
	{"amd64", "x86_64", [][]string{{"znver5", "znver4"}, {"icelake-server"}, {"sapphirerapids"}, {"alderlake"}, {"haswell"}}},
	{"arm64", "aarch64", [][]string{{"neoverse-n1"}, {"neoverse-v2"}, {"apple-m1"}, {"cortex-a76"}}},
}

// ways has, for each tier, the code of the ways to store 64 bytes.
var ways = map[string][]string{
	"AVX2":   {"vmovdqu %ymm0, (%rdi)\nvmovdqu %ymm1, 32(%rdi)\n"},
	"AVX512": {"vmovdqu64 %zmm0, (%rdi)\n"},
	"NEON":   {"stp q0, q1, [x0]\nstp q2, q3, [x0, #32]\n", "st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0]\n"},
}

// lacks reports whether a processor does not have the tier's vectors.
func lacks(cpu, tier string) bool {
	return tier == "AVX512" && (cpu == "alderlake" || cpu == "haswell")
}

func main() {
	log.SetFlags(0)
	for _, a := range arches {
		if kernels := disassemble(a.goarch); len(kernels) > 0 {
			a.report(kernels)
		}
	}
}

// columns returns the CPUs that llvm-mca has models for.
func (a *arch) columns(m *model) (cpus []string) {
	for _, names := range a.cpus {
		if i := slices.IndexFunc(names, m.knows); i >= 0 {
			cpus = append(cpus, names[i])
		} else {
			fmt.Printf("%s knows nothing of %s: no column for it\n", tool("llvm-mca"), strings.Join(names, " or "))
		}
	}
	return cpus
}

// report prints the table of one architecture.
func (a *arch) report(kernels []kernel) {
	m := &model{a.triple, map[string]float64{}}
	cpus := a.columns(m)
	fmt.Printf("%s: cycles per 64 bytes stored by the main loop, the innermost that stores most, and times the store limit;\n"+
		"in: per 64 bytes loaded, by loops that store no vectors; around it: cycles that a turn of the loop around the main loop adds\n\n", a.goarch)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	row := func(label, tier string, cell func(cpu string) string) {
		fmt.Fprint(w, label)
		for _, cpu := range cpus {
			if lacks(cpu, tier) {
				fmt.Fprint(w, "\t-")
			} else {
				fmt.Fprint(w, "\t", cell(cpu))
			}
		}
		fmt.Fprint(w, "\t\n")
	}
	fmt.Fprintf(w, "kernel\tbytes/turn\t%s\t\n", strings.Join(cpus, "\t"))
	for _, k := range kernels {
		loops := k.mainLoops()
		switch {
		case k.goesOn != "":
			fmt.Fprintf(w, "%s\tin %s%s\t\n", k.name, k.goesOn, strings.Repeat("\t", len(cpus)))
		case len(loops) == 0:
			fmt.Fprintf(w, "%s\tno loop of vectors%s\t\n", k.name, strings.Repeat("\t", len(cpus)))
		case !k.shared:
			loops = loops[:1]
		}
		for _, l := range loops {
			label, per := fmt.Sprintf("%s\t%d", k.name, l.stored), l.stored
			if l.stored == 0 {
				label, per = fmt.Sprintf("%s\t%d in", k.name, l.loaded), l.loaded
			}
			row(label, k.tier, func(cpu string) string {
				c := m.cycles(cpu, l.text) * 64 / float64(per)
				if l.stored == 0 {
					return fmt.Sprintf("%.2f       ", c)
				}
				return fmt.Sprintf("%.2f %5.2fx", c, c/m.limit(cpu, k.tier))
			})
			if l.around != "" {
				row("around it\t", k.tier, func(cpu string) string { return fmt.Sprintf("%+.2f       ", m.cycles(cpu, l.around)) })
			}
		}
	}
	fmt.Fprintln(w)
	w.Flush()
}
