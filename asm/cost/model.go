package main

import (
	"log"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// A model asks llvm-mca, and remembers what it said.
type model struct {
	triple string
	known  map[string]float64
}

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// command is llvm-mca's, for the cost of some turns.
func (m *model) command(cpu, text string, turns int) *exec.Cmd {
	mca := exec.Command(tool("llvm-mca"), "-mtriple="+m.triple, "-mcpu="+cpu, "-iterations="+strconv.Itoa(turns), "-instruction-info=0", "-resource-pressure=0")
	mca.Stdin = strings.NewReader(text)
	return mca
}

// knows reports whether there is a model of a processor.
func (m *model) knows(cpu string) bool { return m.command(cpu, "nop\n", 1).Run() == nil }

// cycles is what one turn costs once the loop has settled.
func (m *model) cycles(cpu, text string) float64 {
	const warm, turns = 50, 200
	if _, ok := m.known[cpu+text]; !ok {
		m.known[cpu+text] = (m.ask(cpu, text, warm+turns) - m.ask(cpu, text, warm)) / turns
	}
	return m.known[cpu+text]
}

// ask is what some turns cost.
func (m *model) ask(cpu, text string, turns int) float64 {
	mca := m.command(cpu, text, turns)
	found := total.FindStringSubmatch(output(mca))
	if found == nil {
		log.Fatalf("%s prints no cycles", mca)
	}
	cycles, _ := strconv.ParseFloat(found[1], 64) // which it is
	return cycles
}

// limit is what the best way to store 64 bytes costs.
func (m *model) limit(cpu, tier string) float64 {
	least := math.Inf(1)
	for _, way := range ways[tier] {
		least = min(least, m.cycles(cpu, way))
	}
	return least
}

// tool returns the path of a program of LLVM.
func tool(name string) string {
	for _, candidate := range []string{name + "-19", name + "-20", name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	log.Fatalf("cost needs %s of LLVM 19 or later in PATH, for example of the package llvm-19", name)
	return ""
}

// output is what a command prints.
func output(cmd *exec.Cmd) string {
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%s: %v\n%s", cmd, err, &complaint)
	}
	return string(out)
}
