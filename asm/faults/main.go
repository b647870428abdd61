// Command faults shows that the tests find what they are for. It plants one
// fault after another in a copy of the module, runs the test that must find it,
// and fails if that test passes. A fault whose place is no longer in the source
// is a failure too. Run the command in the root of its module.
package main

import (
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
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	only := flag.String("only", "", "plant only the faults whose names match this `expression`")
	flag.Parse()
	if err := run(regexp.MustCompile(*only)); err != nil {
		log.Fatal(err)
	}
}

func run(only *regexp.Regexp) error {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree("..", dir); err != nil {
		return err
	}
	tried, missed, left := 0, 0, 0
	sound := map[string]bool{} // checks that have passed without a fault
	for _, f := range faults {
		if !only.MatchString(f.name) {
			continue
		}
		if lack := f.check.lacks(); lack != "" {
			fmt.Printf("%-50s NOT PLANTED: this machine has no %s\n", f.name, lack)
			left++
			continue
		}
		tried++
		start := time.Now()
		if err := f.try(dir, sound); err != nil {
			missed++
			fmt.Printf("%-50s MISSED: %v\n", f.name, err)
			continue
		}
		fmt.Printf("%-50s found by %-32s %3.0f s\n", f.name, f.check.name, time.Since(start).Seconds())
	}
	if tried == 0 || missed > 0 {
		return fmt.Errorf("%d of %d faults were missed", missed, tried)
	}
	fmt.Printf("all %d faults were found, %d not planted\n", tried, left)
	return nil
}

// copyTree copies the files that git tracks or would add. It leaves out the
// file of the root's tests that takes longest to compile, since it finds none
// of the faults, and files that are deleted but not yet committed.
func copyTree(root, dir string) error {
	const pipe = `git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read | tar -x -C "$0"`
	cp := exec.Command("sh", "-c", pipe, dir)
	cp.Dir = root
	if out, err := cp.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return os.Remove(filepath.Join(dir, "fuzz_test.go"))
}

// A check is a test, or a step of .ci/check, that finds faults.
type check struct {
	name    string
	dir     string // below the root
	env     []string
	command []string
	needs   []string // programs, or flags of the processor
}

const conformance = "./internal/conformance"

// on returns the check with further needs: programs, or flags of the processor.
func (c check) on(needs ...string) check {
	c.needs = append(c.needs, needs...)
	return c
}

// with returns the check with further environment variables.
func (c check) with(env ...string) check {
	c.env = append(c.env, env...)
	return c
}

// lacks returns the first need that this machine does not meet, if any.
func (c check) lacks() string {
	cpu, _ := os.ReadFile("/proc/cpuinfo")
	for _, need := range c.needs {
		_, err := exec.LookPath(need)
		if err != nil && !regexp.MustCompile(`(?m)^flags\s.*\s`+need+`(\s|$)`).Match(cpu) {
			return need
		}
	}
	return ""
}

// run runs the check and reports whether it passed.
func (c check) run(root string) (passed bool, out []byte) {
	cmd := exec.Command(c.command[0], c.command[1:]...)
	cmd.Dir = filepath.Join(root, c.dir)
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-buildvcs=false"), c.env...)
	out, err := cmd.CombinedOutput()
	return err == nil, out
}

// A fault is a change of one file that a check must find.
type fault struct {
	name, file string
	plant      func(source string) (string, error)
	check      check
	want       string // what the output of the check then contains; if empty, that the test failed or that a stray access ended it
}

// planted returns the fault's file with the fault, and the file as it is.
func (f fault) planted(root string) (with string, source []byte, err error) {
	if source, err = os.ReadFile(filepath.Join(root, f.file)); err != nil {
		return "", nil, err
	}
	with, err = f.plant(string(source))
	if err == nil && with == string(source) {
		err = errors.New("nothing is changed")
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", f.file, err)
	}
	return with, source, nil
}

// try plants the fault in the tree at root, runs the check and restores the
// file. The check must pass without the fault, which is tried once for each
// check.
func (f fault) try(root string, sound map[string]bool) error {
	if key := fmt.Sprint(f.check); !sound[key] {
		if passed, out := f.check.run(root); !passed {
			return fmt.Errorf("%s fails as it is:\n%s", f.check.name, last(out))
		}
		sound[key] = true
	}
	with, source, err := f.planted(root)
	if err != nil {
		return err
	}
	file := filepath.Join(root, f.file)
	if err := os.WriteFile(file, []byte(with), 0o644); err != nil {
		return err
	}
	passed, out := f.check.run(root)
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return err
	}
	wants := []string{f.want}
	if f.want == "" {
		wants = []string{"--- FAIL: " + f.check.name, "unexpected fault address"}
	}
	switch {
	case passed:
		return fmt.Errorf("%s passes", f.check.name)
	case !slices.ContainsFunc(wants, func(want string) bool { return bytes.Contains(out, []byte(want)) }):
		return fmt.Errorf("%s fails for another reason:\n%s", f.check.name, last(out))
	}
	return nil
}

// last returns the last lines of an output.
func last(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return "\t" + strings.Join(lines[max(0, len(lines)-20):], "\n\t")
}
