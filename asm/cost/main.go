// Command cost prints what llvm-mca says the main loop of every kernel costs,
// in cycles per 64 bytes stored.
//
// The root package is compiled for each architecture, the kernels' bytes are
// taken out of the archive and disassembled, and the innermost loop that stores
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

// tools are the programs this needs and the names they go by.
var tools = map[string][]string{"llvm-mca": {"llvm-mca-19", "llvm-mca-20", "llvm-mca"}, "llvm-mc": {"llvm-mc-19", "llvm-mc-20", "llvm-mc"}}

func tool(name string) (string, error) {
	for _, candidate := range tools[name] {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("cost needs %s of LLVM 19 or later in PATH, for example of the package llvm-19 (tried %s)", name, strings.Join(tools[name], ", "))
}

func main() {
	log.SetFlags(0)
	root := flag.String("root", "..", "directory of the package with the kernels")
	flag.Parse()
	mca, errMCA := tool("llvm-mca")
	mc, errMC := tool("llvm-mc")
	_, errGo := exec.LookPath("go")
	if err := errors.Join(errMCA, errMC, errGo); err != nil {
		log.Fatal(err)
	}
	for _, a := range arches {
		if err := a.report(*root, mca, mc); err != nil {
			log.Fatalf("%s: %v", a.goarch, err)
		}
	}
}

// report prints the table of one architecture.
func (a *arch) report(root, mca, mc string) error {
	kernels, err := a.kernels(root)
	if err != nil || len(kernels) == 0 {
		return err
	}
	var cpus []string
	for _, names := range a.cpus {
		known := func(cpu string) bool {
			_, err := cycles(mca, a.triple, cpu, "nop\n")
			return err == nil
		}
		if i := slices.IndexFunc(names, known); i >= 0 {
			cpus = append(cpus, names[i])
		} else {
			fmt.Printf("%s knows nothing of %s: no column for it\n", mca, strings.Join(names, " or "))
		}
	}
	limit := map[string]float64{} // cpu + tier -> cycles
	for _, cpu := range cpus {
		for tier, ways := range a.limits {
			if tier == "AVX512" && !a.avx512[cpu] {
				continue
			}
			for _, way := range ways {
				c, err := cycles(mca, a.triple, cpu, way)
				if err != nil {
					return err
				}
				if old, ok := limit[cpu+tier]; !ok || c < old {
					limit[cpu+tier] = c
				}
			}
		}
	}
	fmt.Printf("%s: cycles per 64 bytes stored by the main loop, the innermost that stores most, and times the store limit;\n"+
		"in: per 64 bytes loaded, by loops that store no vectors; around it: cycles that a turn of the loop around the main loop adds\n\n", a.goarch)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "kernel\tbytes/turn\t%s\t\n", strings.Join(cpus, "\t"))
	for _, k := range kernels {
		if k.goesOn != "" {
			fmt.Fprintf(w, "%s\tin %s%s\t\n", k.name, k.goesOn, strings.Repeat("\t", len(cpus)))
			continue
		}
		loops, err := mainLoops(mc, a.triple, k.code)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		if len(loops) == 0 {
			fmt.Fprintf(w, "%s\tno loop of vectors%s\t\n", k.name, strings.Repeat("\t", len(cpus)))
			continue
		}
		row := func(label string, cell func(cpu string) (string, error)) error {
			fmt.Fprint(w, label)
			for _, cpu := range cpus {
				text := "-"
				if k.tier != "AVX512" || a.avx512[cpu] {
					if text, err = cell(cpu); err != nil {
						return fmt.Errorf("%s on %s: %w", k.name, cpu, err)
					}
				}
				fmt.Fprintf(w, "\t%s", text)
			}
			fmt.Fprint(w, "\t\n")
			return nil
		}
		if !k.shared {
			loops = loops[:1]
		}
		for _, loop := range loops {
			err = row(fmt.Sprintf("%s\t%d%s", k.name, loop.bytes, loop.what), func(cpu string) (string, error) {
				c, err := cycles(mca, a.triple, cpu, loop.text)
				c *= 64 / float64(loop.bytes)
				if loop.what == loads {
					return fmt.Sprintf("%.2f       ", c), err
				}
				return fmt.Sprintf("%.2f %5.2fx", c, c/limit[cpu+k.tier]), err
			})
			if err == nil && loop.around != "" {
				err = row("around it\t", func(cpu string) (string, error) {
					c, err := cycles(mca, a.triple, cpu, loop.around)
					return fmt.Sprintf("%+.2f       ", c), err
				})
			}
			if err != nil {
				return err
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Println()
	return nil
}

// kernel is one assembled function. It may be what several kernels share, each
// of which goes on in it by a jump.
type kernel struct {
	name, tier string
	shared     bool
	goesOn     string
	code       []byte
}

var (
	textLine = regexp.MustCompile(`^TEXT \S*\.(\w+?(NEON|AVX2|AVX512))(<\d+>)?(?:\.abi0)?\(SB\)`)
	codeLine = regexp.MustCompile(`^\s+\S+:\d+\s+0x[0-9a-f]+\s+([0-9a-f]+)\s`)
	jumpLine = regexp.MustCompile(`\bR_CALL\w*:\S*\.(\w+)<\d+>\s*$`)
)

// kernels compiles the package and takes the functions of its assembly files
// apart.
func (a *arch) kernels(root string) ([]kernel, error) {
	dir, err := os.MkdirTemp("", "cost")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "package.a")
	build := exec.Command("go", "build", "-o", archive, ".")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+a.goarch, "CGO_ENABLED=0")
	if _, err := run(build, ""); err != nil {
		return nil, err
	}
	unpack := exec.Command("go", "tool", "pack", "x", archive) // each assembly file is a member of its own
	unpack.Dir = dir
	if _, err := run(unpack, ""); err != nil {
		return nil, err
	}
	objects, err := filepath.Glob(filepath.Join(dir, "*_"+a.goarch+".o"))
	if err != nil {
		return nil, err
	}
	var listing []byte
	for _, object := range objects {
		l, err := run(exec.Command("go", "tool", "objdump", object), "")
		if err != nil {
			return nil, err
		}
		listing = append(listing, l...)
	}
	var kernels []kernel
	inside := false
	for lines := bufio.NewScanner(bytes.NewReader(listing)); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "TEXT ") {
			m := textLine.FindStringSubmatch(lines.Text())
			inside = m != nil
			if inside {
				kernels = append(kernels, kernel{name: m[1], tier: m[2], shared: m[3] != ""})
			}
			continue
		}
		m := codeLine.FindStringSubmatch(lines.Text())
		if !inside || m == nil {
			continue
		}
		last := &kernels[len(kernels)-1]
		if jump := jumpLine.FindStringSubmatch(lines.Text()); jump != nil {
			last.goesOn = jump[1]
		}
		for i := 0; i+2 <= len(m[1]); i += 2 {
			at := i
			if a.goarch == "arm64" { // printed as a word, stored little endian
				at = len(m[1]) - 2 - i
			}
			b, err := strconv.ParseUint(m[1][at:at+2], 16, 8)
			if err != nil {
				return nil, err
			}
			last.code = append(last.code, byte(b))
		}
	}
	return kernels, nil
}

// loop is a loop as assembly text, and the bytes that one turn stores, or
// loads; around is the rest of the loop that it stands in, if any.
type loop struct {
	text, around string
	bytes        int
	what         direction
}

// direction is what the bytes of a loop are counted by.
type direction string

const (
	stores direction = ""
	loads  direction = " in"
)

var (
	encoding = regexp.MustCompile(`^\t(.*?)\s*(?:#|//) encoding: \[(.*)\]`)
	// A jump back without a condition closes no loop here: it is a tail's, taken
	// once.
	target = regexp.MustCompile(`^(?:j[^m]\w*|b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+, #\d+,)\s+#?(-?\d+)$`)
)

// mainLoops is the innermost loop that stores most, and behind it all others
// that store 64 bytes or more.
func mainLoops(mc, triple string, code []byte) ([]loop, error) {
	var hex strings.Builder
	for _, b := range code {
		fmt.Fprintf(&hex, "%#02x ", b)
	}
	listing, err := run(exec.Command(mc, "-disassemble", "-show-encoding", "-triple="+triple), hex.String())
	if err != nil {
		return nil, err
	}
	var text []string
	at := map[int]int{} // address -> instruction
	type span struct{ from, to int }
	var spans []span
	address := 0
	for lines := bufio.NewScanner(bytes.NewReader(listing)); lines.Scan(); {
		m := encoding.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		at[address] = len(text)
		next := address + strings.Count(m[2], ",") + 1
		inst := strings.TrimSpace(m[1])
		if t := target.FindStringSubmatch(strings.ReplaceAll(inst, "\t", " ")); t != nil {
			offset, err := strconv.Atoi(t[1])
			if err != nil {
				return nil, err
			}
			base := next
			if triple == "aarch64" {
				base = address
			}
			if from, ok := at[base+offset]; ok && offset < 0 {
				spans = append(spans, span{from, len(text)})
			}
		}
		text = append(text, inst)
		address = next
	}
	within := func(s, outer span) bool { return s != outer && outer.from <= s.from && s.to <= outer.to }
	innermost := func(s span) bool {
		return !slices.ContainsFunc(spans, func(other span) bool { return within(other, s) })
	}
	count := func(s span, what direction) (sum int) {
		for _, inst := range text[s.from : s.to+1] {
			if what == stores {
				sum += stored(inst)
			} else {
				sum += loaded(inst)
			}
		}
		return sum
	}
	describe := func(s span, what direction) loop {
		l := loop{text: strings.Join(text[s.from:s.to+1], "\n") + "\n", bytes: count(s, what), what: what}
		var outer *span
		for _, o := range spans {
			if within(s, o) && (outer == nil || within(o, *outer)) {
				outer = &o
			}
		}
		for i := 0; outer != nil && i <= outer.to; i++ {
			if i >= outer.from && !slices.ContainsFunc(spans, func(s span) bool { return within(s, *outer) && s.from <= i && i <= s.to }) {
				l.around += text[i] + "\n"
			}
		}
		return l
	}
	most := func(what direction, ok func(span) bool) (best span, bytes int) {
		for _, s := range spans {
			if n := count(s, what); n > bytes && ok(s) {
				best, bytes = s, n
			}
		}
		return best, bytes
	}
	best, bytes := most(stores, innermost)
	if bytes > 0 {
		loops := []loop{describe(best, stores)}
		for _, s := range spans {
			if s != best && innermost(s) && count(s, stores) >= 64 {
				loops = append(loops, describe(s, stores))
			}
		}
		return loops, nil
	}
	if best, bytes = most(stores, func(span) bool { return true }); bytes > 0 {
		return []loop{describe(best, stores)}, nil
	}
	if best, bytes = most(loads, innermost); bytes > 0 {
		return []loop{describe(best, loads)}, nil
	}
	return nil, nil
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

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// cycles is what one turn costs once the loop has settled.
func cycles(mca, triple, cpu, text string) (float64, error) {
	const warm, turns = 50, 200
	var took [2]float64
	for i, n := range []int{warm, warm + turns} {
		cmd := exec.Command(mca, "-mtriple="+triple, "-mcpu="+cpu, "-iterations="+strconv.Itoa(n), "-instruction-info=0", "-resource-pressure=0")
		out, err := run(cmd, text)
		if err != nil {
			return 0, err
		}
		m := total.FindSubmatch(out)
		if m == nil {
			return 0, fmt.Errorf("no cycles in the output of %s", mca)
		}
		if took[i], err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return 0, err
		}
	}
	return (took[1] - took[0]) / turns, nil
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
