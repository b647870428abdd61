package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A kernel is one assembled function, or a body that several kernels share by
// jumping to it.
type kernel struct {
	name, tier string
	shared     bool
	goesOn     string
	text       []string
	spans      []span // its loops
}

// A span is a loop: the numbers of its first instruction and of the jump back.
type span struct{ from, to int }

func (s span) within(outer span) bool {
	return s != outer && outer.from <= s.from && s.to <= outer.to
}

var (
	symbolLine = regexp.MustCompile(`^[0-9a-f]+ <\S*/onehot\.(\w+?(NEON|AVX2|AVX512))(\.abi0)?>:$`)
	codeLine   = regexp.MustCompile(`^ *([0-9a-f]+):\s+([^<]*?)\s*(?:<\S*\.(\w+)(\+\w+)?(?:\.abi0)?>)?(?:\s+(?:#|//) .*)?$`)
	// An unconditional jump back does not count as closing a loop: it belongs to a
	// tail and is taken once.
	jump = regexp.MustCompile(`^((?:j[^m]\w*|b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+, #\w+,)\s+)0x([0-9a-f]+)$`)
)

// disassemble links the tests of the package, which need every kernel, and
// returns the functions of its assembly files.
func disassemble(goarch string) []kernel {
	binary := ".bin/kernels." + goarch
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = ".."
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+goarch, "CGO_ENABLED=0")
	output(build)
	return parse(output(exec.Command(tool("llvm-objdump"), "-d", "--no-show-raw-insn", "../"+binary)))
}

// parse returns the kernels in a listing of llvm-objdump.
func parse(listing string) (kernels []kernel) {
	var k *kernel
	var at map[string]int // address -> instruction
	for _, line := range strings.Split(listing, "\n") {
		if m := symbolLine.FindStringSubmatch(line); m != nil {
			kernels = append(kernels, kernel{name: m[1], tier: m[2], shared: m[3] == ""})
			k, at = &kernels[len(kernels)-1], map[string]int{}
			continue
		}
		m := codeLine.FindStringSubmatch(line)
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
			inst = j[1] + "0" // the target does not matter
		} else if function != "" && function != k.name && offset == "" {
			k.goesOn = function
		}
		k.text = append(k.text, inst)
	}
	return kernels
}

// A loop is assembly text and the bytes that one turn stores and loads. around
// is the rest of the loop that contains it, if any.
type loop struct {
	span
	text, around   string
	stored, loaded int
	innermost      bool
}

// loops returns the loops of a kernel.
func (k *kernel) loops() (all []loop) {
	shortest := slices.SortedFunc(slices.Values(k.spans), func(a, b span) int { return (a.to - a.from) - (b.to - b.from) })
	for _, s := range k.spans {
		l := loop{span: s, innermost: !slices.ContainsFunc(k.spans, func(o span) bool { return o.within(s) })}
		for _, inst := range k.text[s.from : s.to+1] {
			l.text += inst + "\n"
			l.stored += stored(inst)
			l.loaded += loaded(inst)
		}
		if outer := slices.IndexFunc(shortest, s.within); outer >= 0 {
			l.around = k.outside(shortest[outer])
		}
		all = append(all, l)
	}
	return all
}

// outside returns the text of a loop without the loops in it.
func (k *kernel) outside(outer span) (text string) {
	for i := outer.from; i <= outer.to; i++ {
		if !slices.ContainsFunc(k.spans, func(s span) bool { return s.within(outer) && s.from <= i && i <= s.to }) {
			text += k.text[i] + "\n"
		}
	}
	return text
}

// mainLoops returns the innermost loop that stores most, preferably one within
// another loop, since a loop that is not serves a special case such as short
// rows, followed by all other innermost loops that store 64 bytes or more. If
// no innermost loop stores, the first is the loop that stores most of all, or
// else the one that loads most.
func (k *kernel) mainLoops() []loop {
	all := k.loops()
	inner := slices.DeleteFunc(slices.Clone(all), func(l loop) bool { return !l.innermost })
	if len(inner) == 0 {
		return nil
	}
	byStores := func(a, b loop) int {
		if a.stored > 0 && b.stored > 0 && (a.around == "") != (b.around == "") {
			return len(a.around) - len(b.around)
		}
		return a.stored - b.stored
	}
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

// stored returns how many bytes an instruction stores from vector registers.
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

// loaded returns how many bytes of vectors an instruction loads.
func loaded(inst string) int {
	if m := armLoad.FindStringSubmatch(inst); m != nil {
		return 16 * len(vectorReg.FindAllString(m[2], -1))
	}
	if m := x86Load.FindStringSubmatch(inst); m != nil && !strings.Contains(inst, "broadcast") {
		return x86Bytes[m[1]]
	}
	return 0
}
