package verify

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gates has the field of golang.org/x/sys/cpu's X86 for each extension. An
// extension that is not here is part of every amd64 and needs no test; avo
// files SFENCE and PREFETCHT0 under MMX+.
var gates = map[string]string{
	"AVX": "HasAVX", "AVX2": "HasAVX2", "BMI": "HasBMI1", "POPCNT": "HasPOPCNT",
	"AVX512F": "HasAVX512F", "AVX512BW": "HasAVX512BW", "AVX512VL": "HasAVX512VL", "AVX512DQ": "HasAVX512DQ",
	"AVX512VBMI": "HasAVX512VBMI", "AVX512VBMI2": "HasAVX512VBMI2", "BMI2": "HasBMI2",
}

var baseline = []string{"", "SSE", "SSE2", "CMOV", "MMX+"}

// tiers has the extensions that a kernel may use by the suffix of its name;
// without a suffix it may use none.
var tiers = map[string][]string{
	"":       nil,
	"AVX2":   {"AVX", "AVX2", "BMI", "POPCNT"},
	"AVX512": {"AVX", "AVX2", "BMI", "POPCNT", "AVX512F", "AVX512BW", "AVX512VL", "AVX512DQ", "AVX512VBMI", "AVX512VBMI2", "BMI2"},
}

// tierOf returns the tier in a kernel's name.
func tierOf(name string) string {
	for _, tier := range []string{"AVX512", "AVX2"} {
		if strings.HasSuffix(name, tier) {
			return tier
		}
	}
	return ""
}

// checkAMD64 reports every rule of amd64 that a kernel breaks.
func checkAMD64(k *kernel) []string {
	faults := checkShape(k)
	tier := tierOf(k.name)
	report := func(in *instruction, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s, %s: %s", k.name, in, fmt.Sprintf(format, args...)))
	}
	for i := range k.body {
		in := &k.body[i]
		extensions, err := extensionsOf(in)
		if err != nil {
			report(in, "%v", err)
		}
		for _, x := range extensions {
			if !slices.Contains(baseline, x) && !slices.Contains(tiers[tier], x) {
				report(in, "needs %s, which tier %q does not have", x, tier)
			}
		}
		// The encoding is what the assembler chose, whatever the mnemonic. EVEX is
		// AVX-512, VEX is AVX.
		switch prefix := prefixOf(in.code); {
		case prefix == "EVEX" && tier != "AVX512", prefix == "VEX" && tier == "":
			report(in, "is encoded with %s, which tier %q does not have", prefix, tier)
		}
		for _, r := range registersOf(in) {
			switch r {
			case "SP", "BP":
				report(in, "%s belongs to the stack", r)
			case "R14", "R15":
				// R14 is g, which ABI0 wrappers restore, and R15 the global offset table, which
				// only shared objects need. A kernel that names neither need not care.
				report(in, "%s belongs to the runtime", r)
			}
		}
		if in.op == "STD" {
			report(in, "Go code relies on the direction flag")
		}
	}
	return append(faults, checkUpper(k)...)
}

// checkUpper reports each way out of a kernel with wide vectors that leaves
// their upper halves dirty, for which Go's SSE code would pay at each
// instruction.
func checkUpper(k *kernel) (faults []string) {
	wide := slices.ContainsFunc(k.body, func(in instruction) bool {
		return slices.ContainsFunc(registersOf(&in), func(r string) bool { return r[0] == 'Y' || r[0] == 'Z' })
	})
	if !wide {
		return nil
	}
	rets := map[int]bool{}
	for i := range k.body {
		if k.body[i].op != "RET" {
			continue
		}
		rets[k.body[i].at] = true
		if i == 0 || k.body[i-1].op != "VZEROUPPER" {
			faults = append(faults, fmt.Sprintf("%s, %s: no VZEROUPPER before it", k.name, &k.body[i]))
		}
	}
	for i := range k.body {
		in := &k.body[i]
		if in.op[0] != 'J' || len(in.operands) == 0 {
			continue
		}
		if to, err := strconv.Atoi(in.operands[0]); err == nil && rets[to] {
			faults = append(faults, fmt.Sprintf("%s, %s: jumps past VZEROUPPER", k.name, in))
		}
	}
	return faults
}

// prefixOf returns VEX or EVEX if an instruction has that prefix. In 64-bit
// code these first bytes have no other meaning.
func prefixOf(code []byte) string {
	if len(code) == 0 {
		return ""
	}
	switch code[0] {
	case 0x62:
		return "EVEX"
	case 0xc4, 0xc5:
		return "VEX"
	}
	return ""
}

var (
	registerName = regexp.MustCompile(`\b([ABCD][XLH]|[SD]I|[SD]IB|[SB]P|R\d+|[XYZK]\d+)\b`)
	parameter    = regexp.MustCompile(`^\w+(?:\+\d+)?\(FP\)$`)
)

// registersOf returns the registers that an instruction names, except the one
// of a parameter's place, which is in the caller's frame.
func registersOf(in *instruction) (registers []string) {
	for _, o := range in.operands {
		if !parameter.MatchString(o) {
			registers = append(registers, registerName.FindAllString(o, -1)...)
		}
	}
	return registers
}

// extensionsOf returns the extensions that an instruction needs, from avo's
// table of instructions. A listing does not say how wide a general register is,
// so every width is tried.
func extensionsOf(in *instruction) ([]string, error) {
	switch in.op {
	case "REP", "STOSQ", "STD": // avo does not know them, and every amd64 has them
		return nil, nil
	case "PCALIGN":
		return nil, nil
	case "BYTE":
		if slices.Equal(in.operands, []string{"$144"}) { // NOP, of which padding consists
			return nil, nil
		}
	}
	name := strings.ReplaceAll(in.op, ".", "_")
	choices := [][]operand.Op{nil}
	for _, o := range in.operands {
		var more [][]operand.Op
		ways := readings(in.op, o)
		if len(ways) == 0 {
			return nil, fmt.Errorf("operand %s is beyond this check", o)
		}
		for _, way := range ways {
			for _, c := range choices {
				more = append(more, append(slices.Clone(c), way))
			}
		}
		choices = more
	}
	if !reflect.ValueOf(build.NewContext()).MethodByName(name).IsValid() {
		return nil, fmt.Errorf("is no instruction that avo knows")
	}
	for _, operands := range choices {
		c := build.NewContext()
		c.Function("one")
		args := make([]reflect.Value, len(operands))
		for i, o := range operands {
			args[i] = reflect.ValueOf(o)
		}
		method := reflect.ValueOf(c).MethodByName(name)
		if !method.Type().IsVariadic() && method.Type().NumIn() != len(args) {
			continue
		}
		method.Call(args)
		if f, err := c.Result(); err == nil {
			return f.Functions()[0].Instructions()[0].ISA, nil
		}
	}
	return nil, fmt.Errorf("has no form that avo knows")
}

var (
	memory = regexp.MustCompile(`^(-?\d*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
	global = regexp.MustCompile(`^\w*\.?\w+<?>?[+-]?\d*\(SB\)$`)
)

// readings returns the operands that a text can mean.
func readings(op, text string) (ops []operand.Op) {
	switch {
	case op[0] == 'J':
		return []operand.Op{operand.LabelRef("there")}
	case text[0] == '$':
		x, err := strconv.ParseInt(text[1:], 0, 64)
		if err != nil {
			return nil
		}
		if x >= -128 && x < 256 {
			ops = append(ops, operand.U8(uint8(x)), operand.I8(int8(x)))
		}
		return append(ops, operand.I32(int32(x)), operand.U32(uint32(x)), operand.U64(uint64(x)), operand.I64(x))
	case parameter.MatchString(text):
		return []operand.Op{operand.NewParamAddr("p", 0)}
	case global.MatchString(text):
		return []operand.Op{operand.NewDataAddr(operand.NewStaticSymbol("g"), 0)}
	}
	if m := memory.FindStringSubmatch(text); m != nil {
		base := general(m[2], reg.S64)
		if base == nil {
			return nil
		}
		mem := operand.Mem{Base: base, Disp: 1}
		if m[3] != "" {
			scale, _ := strconv.Atoi(m[4]) // one digit
			index := general(m[3], reg.S64)
			if v := vector(m[3]); v != nil {
				index = v
			}
			if index == nil {
				return nil
			}
			mem.Index, mem.Scale = index, uint8(scale)
		}
		return []operand.Op{mem}
	}
	if v := vector(text); v != nil {
		return []operand.Op{v}
	}
	for _, width := range []reg.Spec{reg.S64, reg.S32, reg.S16, reg.S8L} {
		if r := general(text, width); r != nil {
			ops = append(ops, r)
		}
	}
	if r := general(strings.TrimSuffix(text, "B"), reg.S8L); r != nil { // avo calls SIB and DIB SI and DI
		ops = append(ops, r)
	}
	return ops
}

// general returns the general register of that name and width. A wide register
// shares its name with its lower parts.
func general(name string, width reg.Spec) reg.Register {
	for _, r := range reg.GeneralPurpose.Registers() {
		if r.Asm() == name && reg.GeneralPurpose.Lookup(r.PhysicalIndex(), width) == r {
			return r
		}
	}
	return nil
}

// vector returns the vector or mask register of that name.
func vector(name string) reg.Register {
	for _, family := range []*reg.Family{reg.Vector, reg.Opmask} {
		for _, r := range family.Registers() {
			if r.Asm() == name {
				return r
			}
		}
	}
	return nil
}
