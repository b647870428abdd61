package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var step = regexp.MustCompile("(?s)\\*\\*([0-9])\\. .*?```sh\n(.*?)```")

// TestRecipe runs the recipe of CONTRIBUTING.md in a copy of the module, from
// the description of a kernel to its test, and then the rules for all kernels.
func TestRecipe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library")
	}
	copied := t.TempDir()
	sh(t, root, `cp -R -- *.go *.s go.mod go.sum Makefile asm internal onnx openvino tensor "$0"`, copied)
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	pasted, out := "", ""
	for _, m := range step.FindAllStringSubmatch(string(text), -1) {
		if number := m[1]; "2" <= number && number <= "6" {
			pasted += number
			out += sh(t, copied, m[2])
		}
	}
	if pasted != "23456" {
		t.Errorf("steps %q were found, and not 2 to 6", pasted)
	}
	for _, want := range []string{"VPSUBB", "VSUB ", "--- PASS: TestKernels"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	sh(t, copied, "go -C asm test -short ./verify")
}

// sh runs a script and returns what it prints.
func sh(t *testing.T, dir, script string, args ...string) string {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-e", "-c", script}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%s\n%v", script, out, err)
	}
	return string(out)
}
