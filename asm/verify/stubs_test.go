package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// checkStubs reports kernels without a declaration, declarations without a
// kernel, and declarations without //go:noescape, whose pointers would be taken
// to escape, which would move a caller's buffer to the heap.
func checkStubs(file string, kernels []kernel) (faults []string, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	declared := map[string]bool{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body != nil {
			continue
		}
		declared[f.Name.Name] = true
		if !slices.ContainsFunc(comments(f.Doc), func(c string) bool { return c == "//go:noescape" }) {
			faults = append(faults, f.Name.Name+": its declaration lacks //go:noescape")
		}
	}
	for _, k := range kernels {
		if !declared[k.name] && !k.shared {
			faults = append(faults, k.name+": is not declared")
		}
		delete(declared, k.name)
	}
	for name := range declared {
		faults = append(faults, name+": is declared and not there")
	}
	slices.Sort(faults)
	return faults, nil
}

func comments(group *ast.CommentGroup) (lines []string) {
	if group != nil {
		for _, c := range group.List {
			lines = append(lines, c.Text)
		}
	}
	return lines
}

var tested = regexp.MustCompile(`\bcpu\.X86\.(Has\w+)`)

// checkGate reports the extensions that a tier's kernels may use and for which
// the variable of the tier does not test. source is the Go file that declares
// AVX2 and AVX512.
func checkGate(source string) (faults []string) {
	asks := map[string][]string{}
	for _, tier := range []string{"AVX2", "AVX512"} {
		expression := regexp.MustCompile(`(?ms)^\t` + tier + ` = (.*?)\n(?:\n|\)|\tAVX)`).FindStringSubmatch(source)
		if expression == nil {
			faults = append(faults, fmt.Sprintf("%s is not declared as this check knows it", tier))
			continue
		}
		for _, m := range tested.FindAllStringSubmatch(expression[1], -1) {
			asks[tier] = append(asks[tier], m[1])
		}
		if tier == "AVX512" && strings.HasPrefix(expression[1], "AVX2 &&") {
			asks[tier] = append(asks[tier], asks["AVX2"]...)
		}
		for _, x := range tiers[tier] {
			if !slices.Contains(asks[tier], gates[x]) {
				faults = append(faults, fmt.Sprintf("%s does not ask for %s", tier, x))
			}
		}
	}
	return faults
}
