// Package verify checks that the committed assembly of package onehot keeps to
// the rules for kernels. It looks at what the Go assembler makes of the files,
// instruction by instruction and byte by byte, not at how they were generated.
package verify

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// An instruction is one line of the assembler's listing.
type instruction struct {
	line     int // number in the source
	at       int // offset in the function
	op       string
	operands []string
	code     []byte
}

func (i *instruction) String() string {
	return fmt.Sprintf("line %d: %s %s", i.line, i.op, strings.Join(i.operands, ", "))
}

// A kernel is one assembled function. If it is shared, it is a body that
// several kernels jump to, and known in its file only.
type kernel struct {
	name         string
	shared       bool
	flags, frame string // of its TEXT directive: flags as written, frame as the assembler understood it
	body         []instruction
}

var (
	sourceText = regexp.MustCompile(`(?m)^TEXT\s+·(\w+)(?:<>)?\(SB\), *(.*?) *\$`)
	listedText = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \(.*\)\tTEXT\t\w+\.(\w+)(<>)?\(SB\), (?:[A-Z|]+, )?(\S+)$`)
	listedCode = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \(.*:(\d+)\)\t(\S+)(?:\t(.*))?$`)
	listedHex  = regexp.MustCompile(`^\t0x[0-9a-f]+((?: [0-9a-f]{2}){1,16}) `)
)

// assemble runs the Go assembler and returns the kernels of its listing.
func assemble(goarch, file string) ([]kernel, error) {
	dir, err := os.MkdirTemp("", "verify")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	include := filepath.Join(strings.TrimSpace(string(goroot)), "pkg", "include")
	asm := exec.Command("go", "tool", "asm", "-S", "-p", "onehot", "-I", include, "-o", filepath.Join(dir, "object"), file)
	asm.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+goarch)
	out, err := asm.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", asm, err, out)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	flags := map[string]string{}
	for _, m := range sourceText.FindAllSubmatch(source, -1) {
		flags[string(m[1])] = string(m[2])
	}
	kernels := parse(out)
	for i := range kernels {
		k := &kernels[i]
		k.flags = flags[k.name]
		if len(k.body) == 0 || len(k.body[len(k.body)-1].code) == 0 {
			return nil, fmt.Errorf("the listing of %s has no code that this package can read", k.name)
		}
	}
	if len(kernels) != len(flags) {
		return nil, fmt.Errorf("%s has %d functions, its listing has %d", file, len(flags), len(kernels))
	}
	return kernels, nil
}

// parse reads a listing: for each function its instructions, then its bytes.
func parse(listing []byte) (kernels []kernel) {
	var code []byte
	inside := false
	done := func() {
		if !inside {
			return
		}
		body := kernels[len(kernels)-1].body
		for i := range body {
			end := len(code)
			if i+1 < len(body) {
				end = body[i+1].at
			}
			body[i].code = code[min(body[i].at, end):end]
		}
		code, inside = nil, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(listing)); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "\t") {
			done()
			continue
		}
		if m := listedText.FindStringSubmatch(line); m != nil {
			kernels = append(kernels, kernel{name: m[1], shared: m[2] != "", frame: m[3]})
			inside = true
		} else if m := listedCode.FindStringSubmatch(line); m != nil && inside {
			switch m[3] {
			case "FUNCDATA", "PCDATA":
				continue
			}
			at, _ := strconv.Atoi(m[1]) // digits, by the expression
			source, _ := strconv.Atoi(m[2])
			k := &kernels[len(kernels)-1]
			k.body = append(k.body, instruction{line: source, at: at, op: m[3], operands: split(m[4])})
		} else if m := listedHex.FindStringSubmatch(line); m != nil && inside {
			part, _ := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
			code = append(code, part...)
		}
	}
	done()
	return kernels
}

// split separates operands at commas outside parentheses and brackets.
func split(operands string) (out []string) {
	depth, from := 0, 0
	for i, c := range operands {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(operands[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(operands[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

var noFrame = regexp.MustCompile(`^\$0(-\d+)?$`)

// checkShape reports what no kernel of any architecture may do: have a frame,
// let the stack grow, call, push, or run on into the next function.
func checkShape(k *kernel) (faults []string) {
	report := func(format string, args ...any) { faults = append(faults, k.name+": "+fmt.Sprintf(format, args...)) }
	if !strings.Contains(k.flags, "NOSPLIT") {
		report("is not NOSPLIT: %s", k.flags)
	}
	if !noFrame.MatchString(k.frame) {
		report("has a stack frame: %s", k.frame)
	}
	for i := range k.body {
		in := &k.body[i]
		switch {
		case in.op == "CALL" || in.op == "BL" || strings.HasPrefix(in.op, "PUSH") || strings.HasPrefix(in.op, "POP") && !strings.HasPrefix(in.op, "POPCNT"):
			report("%s: a leaf without a frame calls and pushes nothing", in)
		}
	}
	if last := k.body[len(k.body)-1]; last.op != "RET" && last.op != "JMP" && last.op != "B" {
		report("%s: runs on into what stands behind it", &last)
	}
	return faults
}
