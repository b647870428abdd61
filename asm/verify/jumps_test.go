package verify

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Kernels whose short loops may start anywhere, and after how many that may
// not: Skylake's servers do not stream, and in fillRuns only the loop of the
// shortest runs, the first, makes many turns.
var anywhere = map[string]int{"rowsStreamAVX2": 0, "planesStream8AVX2": 0, "fillRunsAVX2": 1}

// Instructions that a processor decodes as one with a conditional jump after
// them. No short loop closes with a narrower form of one of them.
var fused = []string{"CMPQ", "TESTQ", "ADDQ", "SUBQ", "ANDQ", "DECQ"}

// TestJumps looks at the jumps that close the short loops of AVX2. None may
// cross a multiple of 32 bytes or end at one: see alignLoop in the generator.
func TestJumps(t *testing.T) {
	jumps := 0
	for _, k := range committed(t, "amd64") {
		if !strings.HasSuffix(k.name, "AVX2") {
			continue
		}
		left, some := anywhere[k.name]
		for i := 1; i < len(k.body) && (left > 0 || !some); i++ {
			if length, ok := k.closesLoop(i); ok && length < 128 {
				jumps++
				left--
				if start, end := k.jump(i); start/32 != end/32 {
					t.Errorf("%s, %s: bytes %d to %d, of a loop of %d", k.name, &k.body[i], start, end-1, length)
				}
			}
		}
	}
	if jumps < 50 {
		t.Errorf("%d loops seen", jumps)
	}
}

// closesLoop reports whether an instruction is a conditional jump back, and of
// how many bytes the loop is.
func (k *kernel) closesLoop(i int) (length int, ok bool) {
	jump := &k.body[i]
	if !strings.HasPrefix(jump.op, "J") || jump.op == "JMP" || len(jump.operands) != 1 {
		return 0, false
	}
	to, err := strconv.Atoi(jump.operands[0])
	return jump.at + len(jump.code) - to, err == nil && to < jump.at
}

// jump returns where a jump starts and where it ends. It starts with the
// instruction before it if the processor decodes both as one.
func (k *kernel) jump(i int) (start, end int) {
	start, end = k.body[i].at, k.body[i].at+len(k.body[i].code)
	if slices.Contains(fused, k.body[i-1].op) {
		start = k.body[i-1].at
	}
	return start, end
}
