// Package docs tests the documentation: that links lead somewhere, that
// commands exist, that code compiles, and that every exported name has a
// comment and every function an example.
package docs

import (
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// texts returns the paths of the Markdown files from the repository's root.
func texts(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == ".bin") {
			return fs.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			name, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	}))
	require.Subset(t, names, []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"})
	return names
}

var (
	link = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	code = regexp.MustCompile("(?s)```.*?```")
)

func TestLinksLeadSomewhere(t *testing.T) {
	for _, name := range texts(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, name), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			} else if heading != "" && !slices.Contains(headings(read(t, target)), heading) {
				t.Errorf("%s: %s has no heading %s", name, target, heading)
			}
		}
	}
}

// headings returns the anchors of the headings of a text.
func headings(text string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(anchor, " ", "-"))
	}
	return all
}

// Every make target that a text names exists.
func TestMakeTargetsExist(t *testing.T) {
	makefile := read(t, "Makefile")
	command := regexp.MustCompile("(?m)(?:^ {4}|`)make ([a-z]+)")
	found := 0
	for _, name := range texts(t) {
		for _, m := range command.FindAllStringSubmatch(read(t, name), -1) {
			found++
			if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
				t.Errorf("%s: the Makefile has no target %s", name, m[1])
			}
		}
	}
	require.Greater(t, found, 5)
}

// Some job of the workflow runs each step of the check. Steps whose names
// depend on a platform are left out.
func TestWorkflowRunsEveryStep(t *testing.T) {
	var jobs []*regexp.Regexp
	for _, only := range regexp.MustCompile(`(?m)^ *only: (.*)$`).FindAllStringSubmatch(read(t, ".github/workflows/check.yml"), -1) {
		jobs = append(jobs, regexp.MustCompile(only[1]))
	}
	steps := regexp.MustCompile(`(?m)^\t*(?:step|tests) "([^"$]*)"`).FindAllStringSubmatch(read(t, ".ci/check"), -1)
	require.Greater(t, len(steps), 10)
	for _, step := range steps {
		if !slices.ContainsFunc(jobs, func(only *regexp.Regexp) bool { return only.MatchString(step[1]) }) {
			t.Errorf("no job runs the step %q", step[1])
		}
	}
}

// The program in the README is the example of the package, whose output is
// checked. It also runs as a file of its own.
func TestReadmeCodeIsTested(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "README.md"), -1)
	require.Len(t, blocks, 1)
	program := blocks[0][1]
	_, body, found := strings.Cut(program, "func main() {\n")
	require.True(t, found)
	require.True(t, strings.Contains(read(t, "example_test.go"), "func Example() {\n"+body), "the README's program is not its example")
	formatted, err := format.Source([]byte(program))
	require.NoError(t, err)
	require.Equal(t, string(formatted), program)
	if testing.Short() {
		return
	}

	pasted := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(pasted, []byte(program), 0o600))
	run := exec.Command("go", "run", pasted)
	run.Dir = root
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	_, want, _ := strings.Cut(body, "\t// Output:\n")
	want = strings.ReplaceAll(strings.TrimSuffix(want, "}\n"), "\t// ", "")
	require.Equal(t, want, string(out))
}

// Every exported name has a comment, and every function and method an example
// whose output is checked.
func TestExportedNamesAreExplainedAndShown(t *testing.T) {
	for _, dir := range []string{".", "tensor", "onnx", "openvino"} {
		files := token.NewFileSet()
		names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		require.NoError(t, err)
		var parsed []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
			require.NoError(t, err)
			parsed = append(parsed, f)
		}
		p, err := doc.NewFromFiles(files, parsed, "github.com/go-onehot/onehot/"+dir)
		require.NoError(t, err)
		require.NotEmpty(t, p.Doc, dir)
		functions := p.Funcs
		for _, typ := range p.Types {
			functions = slices.Concat(functions, typ.Funcs, typ.Methods)
			explained(t, dir+" "+typ.Name, typ.Doc)
			values(t, dir, slices.Concat(typ.Consts, typ.Vars))
		}
		values(t, dir, slices.Concat(p.Consts, p.Vars))
		for _, f := range functions {
			explained(t, dir+" "+f.Name, f.Doc)
			if !slices.ContainsFunc(f.Examples, func(e *doc.Example) bool { return e.Output != "" }) {
				t.Errorf("%s: %s has no example with an output", dir, f.Name)
			}
		}
	}
}

// values checks constants and variables, whose comment may be that of their
// group.
func values(t *testing.T, dir string, all []*doc.Value) {
	t.Helper()
	for _, v := range all {
		for _, spec := range v.Decl.Specs {
			own := spec.(*ast.ValueSpec)
			explained(t, dir+" "+own.Names[0].Name, v.Doc+own.Doc.Text())
		}
	}
}

func explained(t *testing.T, name, text string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s has no comment", name)
	}
}
