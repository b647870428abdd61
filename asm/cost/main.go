// Command cost prints what llvm-mca says the main loop of every kernel costs,
// in cycles per 64 bytes stored.
//
// The root package's tests, which call every kernel, are linked for each
// architecture and disassembled, and the innermost loop of a kernel that stores
// most goes to llvm-mca: the steady state of that loop with every access a
// cache hit. It is a bound on what the core can do, not a prediction for data
// beyond the first-level cache. Beside the cycles stands their ratio to the
// store limit, which is the cost of 64 bytes of nothing but vector stores on
// the same model. Set-up and tails are not in it. Where the loop stands in
// another one, a second line says what a turn of that adds: the cycles of its
// instructions less those of inner loops.
//
// Of what several kernels share, every innermost loop that stores 64 bytes or
// more has a line.
//
// Some kernels store in no innermost loop: then the loop that does is priced
// with one turn of each inner one. Others turn vectors into words: these are
// priced by 64 bytes loaded. Jumps forward are not followed, so that what they
// may leave out is paid for.
//
// A model can stand for several CPUs: LLVM 19 has none of its own for znver5
// (it takes znver4's) and cortex-a76 (cortex-a57's).
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// arch is an architecture, and the CPUs to ask about; of several names for one
// column the first that this llvm-mca models counts.
type arch struct {
	goarch, triple string
	cpus           [][]string
	avx512         map[string]bool
	limits         map[string][]string // tier suffix -> ways to store 64 bytes
}

var arches = []arch{
	{
		goarch: "amd64", triple: "x86_64",
		cpus:   [][]string{{"znver5", "znver4"}, {"icelake-server"}, {"sapphirerapids"}, {"alderlake"}, {"haswell"}},
		avx512: map[string]bool{"znver5": true, "znver4": true, "icelake-server": true, "sapphirerapids": true},
		limits: map[string][]string{
			"AVX2":   {"vmovdqu %ymm0, (%rdi)\nvmovdqu %ymm1, 32(%rdi)\n"},
			"AVX512": {"vmovdqu64 %zmm0, (%rdi)\n"},
		},
	},
	{
		goarch: "arm64", triple: "aarch64",
		cpus: [][]string{{"neoverse-n1"}, {"neoverse-v2"}, {"apple-m1"}, {"cortex-a76"}},
		limits: map[string][]string{
			"NEON": {"stp q0, q1, [x0]\nstp q2, q3, [x0, #32]\n", "st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0]\n"},
		},
	},
}

// tool returns the path of a program of LLVM.
func tool(name string) (string, error) {
	candidates := []string{name + "-19", name + "-20", name}
	for _, candidate := range candidates {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("cost needs %s of LLVM 19 or later in PATH, for example of the package llvm-19 (tried %s)", name, strings.Join(candidates, ", "))
}

func main() {
	log.SetFlags(0)
	root := flag.String("root", "..", "directory of the package with the kernels")
	flag.Parse()
	mca, errMCA := tool("llvm-mca")
	objdump, errDump := tool("llvm-objdump")
	_, errGo := exec.LookPath("go")
	if err := errors.Join(errMCA, errDump, errGo); err != nil {
		log.Fatal(err)
	}
	for _, a := range arches {
		kernels, err := a.kernels(*root, objdump)
		if err == nil && len(kernels) > 0 {
			err = a.report(kernels, &model{mca, a.triple, map[string]float64{}})
		}
		if err != nil {
			log.Fatalf("%s: %v", a.goarch, err)
		}
	}
}

// report prints the table of one architecture.
func (a *arch) report(kernels []kernel, m *model) error {
	var cpus []string
	for _, names := range a.cpus {
		known := func(cpu string) bool {
			_, err := m.cycles(cpu, "nop\n")
			return err == nil
		}
		if i := slices.IndexFunc(names, known); i >= 0 {
			cpus = append(cpus, names[i])
		} else {
			fmt.Printf("%s knows nothing of %s: no column for it\n", m.mca, strings.Join(names, " or "))
		}
	}
	fmt.Printf("%s: cycles per 64 bytes stored by the main loop, the innermost that stores most, and times the store limit;\n"+
		"in: per 64 bytes loaded, by loops that store no vectors; around it: cycles that a turn of the loop around the main loop adds\n\n", a.goarch)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
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
		for _, loop := range loops {
			turn := func(cpu string) (string, error) {
				c, err := m.cycles(cpu, loop.text)
				limit, errLimit := m.limit(cpu, a.limits[k.tier])
				if loop.stored == 0 {
					return fmt.Sprintf("%.2f       ", c*64/float64(loop.loaded)), err
				}
				c *= 64 / float64(loop.stored)
				return fmt.Sprintf("%.2f %5.2fx", c, c/limit), errors.Join(err, errLimit)
			}
			around := func(cpu string) (string, error) {
				c, err := m.cycles(cpu, loop.around)
				return fmt.Sprintf("%+.2f       ", c), err
			}
			label := fmt.Sprintf("%s\t%d", k.name, loop.stored)
			if loop.stored == 0 {
				label = fmt.Sprintf("%s\t%d in", k.name, loop.loaded)
			}
			err := a.row(w, label, cpus, k.tier, turn)
			if err == nil && loop.around != "" {
				err = a.row(w, "around it\t", cpus, k.tier, around)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// row prints a line of the table, with a cell for each processor that has the
// tier.
func (a *arch) row(w *tabwriter.Writer, label string, cpus []string, tier string, cell func(cpu string) (string, error)) error {
	fmt.Fprint(w, label)
	for _, cpu := range cpus {
		text := "-"
		if tier != "AVX512" || a.avx512[cpu] {
			var err error
			if text, err = cell(cpu); err != nil {
				return fmt.Errorf("on %s: %w", cpu, err)
			}
		}
		fmt.Fprintf(w, "\t%s", text)
	}
	fmt.Fprint(w, "\t\n")
	return nil
}

// A kernel is one assembled function. It may be what several kernels share,
// each of which goes on in it by a jump.
type kernel struct {
	name, tier string
	shared     bool
	goesOn     string
	text       []string
	spans      []span // its loops
}

// A span is from the first instruction of a loop to the jump back.
type span struct{ from, to int }

var (
	symbolLine = regexp.MustCompile(`^[0-9a-f]+ <\S*/onehot\.(\w+?(NEON|AVX2|AVX512))(\.abi0)?>:$`)
	codeLine   = regexp.MustCompile(`^ *([0-9a-f]+):\s+([^<]*?)\s*(?:<\S*\.(\w+)(\+\w+)?(?:\.abi0)?>)?(?:\s+(?:#|//) .*)?$`)
	// A jump back without a condition closes no loop here: it is a tail's, taken
	// once.
	jump = regexp.MustCompile(`^((?:j[^m]\w*|b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+, #\w+,)\s+)0x([0-9a-f]+)$`)
)

// kernels links the tests of the package, which need every kernel, and takes
// the functions of its assembly files apart.
func (a *arch) kernels(root, objdump string) (kernels []kernel, err error) {
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "binary")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+a.goarch, "CGO_ENABLED=0")
	if _, err := run(build, ""); err != nil {
		return nil, err
	}
	listing, err := run(exec.Command(objdump, "-d", "--no-show-raw-insn", binary), "")
	if err != nil {
		return nil, err
	}
	var k *kernel
	var at map[string]int // address -> instruction
	for lines := bufio.NewScanner(bytes.NewReader(listing)); lines.Scan(); {
		if m := symbolLine.FindStringSubmatch(lines.Text()); m != nil {
			kernels = append(kernels, kernel{name: m[1], tier: m[2], shared: m[3] == ""})
			k, at = &kernels[len(kernels)-1], map[string]int{}
			continue
		}
		m := codeLine.FindStringSubmatch(lines.Text())
		if m == nil {
			k = nil
		}
		if k == nil {
			continue
		}
		inst, function, offset := m[2], m[3], m[4]
		at[m[1]] = len(k.text)
		if j := jump.FindStringSubmatch(inst); j != nil {
			if from, back := at[j[2]]; back {
				k.spans = append(k.spans, span{from, len(k.text)})
			}
			inst = j[1] + "0" // wherever that is
		} else if function != "" && function != k.name && offset == "" {
			k.goesOn = function
		}
		k.text = append(k.text, inst)
	}
	return kernels, nil
}

// A loop is assembly text, and the bytes that one turn stores and loads; around
// is the rest of the loop that it stands in, if any.
type loop struct {
	span
	text, around   string
	stored, loaded int
	innermost      bool
}

// loops returns the loops of a kernel.
func (k *kernel) loops() (all []loop) {
	within := func(s, outer span) bool { return s != outer && outer.from <= s.from && s.to <= outer.to }
	for _, s := range k.spans {
		l := loop{span: s, innermost: true}
		for _, inst := range k.text[s.from : s.to+1] {
			l.text += inst + "\n"
			l.stored += stored(inst)
			l.loaded += loaded(inst)
		}
		var outer *span
		for _, o := range k.spans {
			l.innermost = l.innermost && !within(o, s)
			if within(s, o) && (outer == nil || within(o, *outer)) {
				outer = &o
			}
		}
		for i := 0; outer != nil && i <= outer.to; i++ {
			inner := func(s span) bool { return within(s, *outer) && s.from <= i && i <= s.to }
			if i >= outer.from && !slices.ContainsFunc(k.spans, inner) {
				l.around += k.text[i] + "\n"
			}
		}
		all = append(all, l)
	}
	return all
}

// mainLoops returns the innermost loop that stores most, and behind it all
// others that store 64 bytes or more. If none stores, it is the loop around it
// that does, or else the one that loads most.
func (k *kernel) mainLoops() []loop {
	all := k.loops()
	inner := slices.DeleteFunc(slices.Clone(all), func(l loop) bool { return !l.innermost })
	if len(inner) == 0 {
		return nil
	}
	byStores := func(a, b loop) int { return a.stored - b.stored }
	best := slices.MaxFunc(inner, byStores)
	if best.stored == 0 {
		best = slices.MaxFunc(all, byStores)
	}
	if best.stored == 0 {
		best = slices.MaxFunc(inner, func(a, b loop) int { return a.loaded - b.loaded })
	}
	if best.stored+best.loaded == 0 {
		return nil
	}
	return append([]loop{best}, slices.DeleteFunc(inner, func(l loop) bool { return l.span == best.span || l.stored < 64 })...)
}

var (
	armLoad    = regexp.MustCompile(`^(ld[1-4]|ldp|ldur|ldr)\s+(.*)\[`)
	armStore   = regexp.MustCompile(`^(st1|stp|stur|str)\s+(.*)\[`)
	vectorReg  = regexp.MustCompile(`\b[qv]\d+`)
	x86Store   = regexp.MustCompile(`^(v\w+)\s+%([xyz])mm\d+, [^,]*\([^)]*\)(?: \{%k\d\})?$`)
	x86Load    = regexp.MustCompile(`^v\w+\s+(?:\$\d+, )?-?\w*\([^)]*\), .*%([xyz])mm\d+`)
	x86Narrow  = regexp.MustCompile(`^vpmovu?s?(wb|dw|db|qd|qw|qb)$`)
	x86Bytes   = map[string]int{"x": 16, "y": 32, "z": 64}
	laneOfName = map[byte]int{'b': 1, 'w': 2, 'd': 4, 'q': 8}
)

// stored is how many bytes an instruction stores from vector registers.
func stored(inst string) int {
	if m := armStore.FindStringSubmatch(inst); m != nil {
		return 16 * len(vectorReg.FindAllString(m[2], -1))
	}
	m := x86Store.FindStringSubmatch(inst)
	if m == nil {
		return 0
	}
	n := x86Bytes[m[2]]
	if names := x86Narrow.FindStringSubmatch(m[1]); names != nil {
		n = n * laneOfName[names[1][1]] / laneOfName[names[1][0]]
	}
	return n
}

// loaded is how many bytes of vectors an instruction loads.
func loaded(inst string) int {
	if m := armLoad.FindStringSubmatch(inst); m != nil {
		return 16 * len(vectorReg.FindAllString(m[2], -1))
	}
	if m := x86Load.FindStringSubmatch(inst); m != nil && !strings.Contains(inst, "broadcast") {
		return x86Bytes[m[1]]
	}
	return 0
}

// A model asks llvm-mca, and remembers what it said.
type model struct {
	mca, triple string
	known       map[string]float64
}

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// cycles is what one turn costs once the loop has settled.
func (m *model) cycles(cpu, text string) (float64, error) {
	const warm, turns = 50, 200
	if c, ok := m.known[cpu+text]; ok {
		return c, nil
	}
	var took [2]float64
	for i, n := range []int{warm, warm + turns} {
		cmd := exec.Command(m.mca, "-mtriple="+m.triple, "-mcpu="+cpu, "-iterations="+strconv.Itoa(n), "-instruction-info=0", "-resource-pressure=0")
		out, err := run(cmd, text)
		if err != nil {
			return 0, err
		}
		found := total.FindSubmatch(out)
		if found == nil {
			return 0, fmt.Errorf("no cycles in the output of %s", m.mca)
		}
		if took[i], err = strconv.ParseFloat(string(found[1]), 64); err != nil {
			return 0, err
		}
	}
	m.known[cpu+text] = (took[1] - took[0]) / turns
	return m.known[cpu+text], nil
}

// limit is what the best way to store 64 bytes costs.
func (m *model) limit(cpu string, ways []string) (least float64, err error) {
	least = math.Inf(1)
	for _, way := range ways {
		c, err := m.cycles(cpu, way)
		if err != nil {
			return 0, err
		}
		least = min(least, c)
	}
	return least, nil
}

// run is a command's standard output; what it wrote to standard error becomes
// part of the error.
func run(cmd *exec.Cmd, input string) ([]byte, error) {
	cmd.Stdin = strings.NewReader(input)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, complaint.Bytes())
	}
	return out, nil
}
