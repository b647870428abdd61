package main

import (
	"log"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A model asks llvm-mca for cycles and remembers the answers.
type model struct {
	triple string
	known  map[string]float64
}

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// command returns the call of llvm-mca that simulates that many turns.
func (m *model) command(cpu, text string, turns int) *exec.Cmd {
	mca := exec.Command(tool("llvm-mca"), "-mtriple="+m.triple, "-mcpu="+cpu, "-iterations="+strconv.Itoa(turns), "-instruction-info=0", "-resource-pressure=0")
	mca.Stdin = strings.NewReader(text)
	return mca
}

// knows reports whether llvm-mca has a model of a processor.
func (m *model) knows(cpu string) bool { return m.command(cpu, "nop\n", 1).Run() == nil }

// cycles returns what a turn costs once the loop has settled.
func (m *model) cycles(cpu, text string) float64 {
	const warm, turns = 50, 200
	if _, ok := m.known[cpu+text]; !ok {
		m.known[cpu+text] = (m.ask(cpu, text, warm+turns) - m.ask(cpu, text, warm)) / turns
	}
	return m.known[cpu+text]
}

// ask returns what that many turns cost from the start.
func (m *model) ask(cpu, text string, turns int) float64 {
	mca := m.command(cpu, text, turns)
	found := total.FindStringSubmatch(output(mca))
	if found == nil {
		log.Fatalf("%s prints no cycles", mca)
	}
	cycles, _ := strconv.ParseFloat(found[1], 64) // digits, by the expression
	return cycles
}

// limit returns what the cheapest way to store 64 bytes costs.
func (m *model) limit(cpu, tier string) float64 {
	least := math.Inf(1)
	for _, way := range ways[tier] {
		least = min(least, m.cycles(cpu, way))
	}
	return least
}

// tool returns the path of an LLVM program.
func tool(name string) string {
	for _, candidate := range []string{name + "-19", name + "-20", name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	log.Fatalf("cost needs %s of LLVM 19 or later in PATH, for example of the package llvm-19", name)
	return ""
}

// output runs a command and returns what it prints.
func output(cmd *exec.Cmd) string {
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%s: %v\n%s", cmd, err, &complaint)
	}
	return string(out)
}
