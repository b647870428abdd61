package main

import (
	"fmt"
	"regexp"
	"strings"
)

// once replaces a text that is in the source exactly once.
func once(old, new string) func(string) (string, error) {
	return func(source string) (string, error) {
		if n := strings.Count(source, old); n != 1 {
			return "", fmt.Errorf("%q is there %d times, and should be once", old, n)
		}
		return strings.Replace(source, old, new, 1), nil
	}
}

// inKernel replaces every match of an expression in the body of one kernel.
func inKernel(name, expression, replacement string) func(string) (string, error) {
	return func(source string) (string, error) {
		start := strings.Index(source, "TEXT ·"+name+"(SB)")
		if start < 0 {
			return "", fmt.Errorf("there is no kernel %s", name)
		}
		end := len(source)
		if next := strings.Index(source[start+1:], "TEXT ·"); next >= 0 {
			end = start + 1 + next
		}
		match := regexp.MustCompile(`(?m)` + expression)
		body := source[start:end]
		if !match.MatchString(body) {
			return "", fmt.Errorf("kernel %s has nothing like %s", name, expression)
		}
		return source[:start] + match.ReplaceAllString(body, replacement) + source[end:], nil
	}
}

const (
	amd64Kernels = "onehot_amd64.s"
	arm64Kernels = "onehot_arm64.s"
	avx512       = "avx512_vbmi2"
)

// Parameters are loaded first, in their order: AX classes, CX indices, BX n, or whatever registers it is.
const (
	loadsIndices = `(?s)(\tMOVQ +indices\+8\(FP\), (\w+)\n\tMOVQ +n\+16\(FP\), (\w+)\n)(\tMOVL +depth\+24\(FP\), (\w+)\n)`
	loadsFill    = `(\tMOVQ +dst\+0\(FP\), (\w+)\n\tMOVQ +n\+8\(FP\), (\w+)\n)`
)

var (
	storePastEnd  = inKernel("fillAVX512", loadsFill, "${1}\tMOVB $3, ($2)($3*1)\n")
	loadPastEnd   = inKernel("classesI32AVX512", loadsIndices, "${1}\tMOVL ($2)($3*4), $5\n$4")
	wrongTailMask = inKernel("classesI32AVX512", `\tMOVL +\$-1, (\w+)\n\tSHLL`, "\tMOVL $$-2, $1\n\tSHLL")
	lostCount     = inKernel("classesU8AVX512", `^\tMOVQ +(\w+), misses\+32\(FP\)$`, "\tXORQ $1, $1\n$0")
	narrowedEarly = inKernel("classesI64AVX512", `^\tVPMINUQ .*, Z(\d+)$`, "$0\n\tVPMOVQD Z$1, Y$1\n\tVPMOVZXDQ Y$1, Z$1")
	aboveTier     = inKernel("fillAVX2", loadsFill, "$1\tVPXORD Z9, Z9, Z9\n")
	nanIsNumber   = inKernel("classesF32NEON", `WORD +\$0x[0-9a-f]+ // fcmeq v(\d+)\.4s, v(\d+)\.4s, v\d+\.4s$`, "VCMEQ V$2.S4, V$2.S4, V$1.S4")
	nanIsZero     = once("\t\t\treturn math.MinInt64\n", "\t\t\treturn 0*math.MinInt64\n")
	narrowedInGo  = once("\treturn int64(x)\n", "\treturn int64(int32(x))\n")
	lostBlock     = once("misses += w.classify(o, n, 0)", "misses = w.classify(o, n, 0)")
	gapTouched    = once("fillRun(dst[o*l.stride+d*l.plane:][:run], off, f)", "fillRun(dst[o*l.stride+d*l.plane:][:min(run+1, len(dst)-o*l.stride-d*l.plane)], off, f)")
	unannounced   = once("raceRange(unsafe.Add(w.dst, at), size, true)\n", "raceRange(unsafe.Add(w.dst, at), 0*size, true)\n")
	oneCall       = once("clearBytes = 256 << 10", "clearBytes = 1 << 30")
)

// stale changes a generated file as a forgotten generator would.
func stale(source string) (string, error) {
	return source + "\n// A line that no generator writes.\n", nil
}

var (
	kernelsOnARM = check{
		name: "TestClassesKernels", env: []string{"GOARCH=arm64", "CGO_ENABLED=0"}, needs: []string{"qemu-aarch64"},
		command: []string{"go", "test", "-count=1", "-exec", "qemu-aarch64", "-run", "^TestClassesKernels$"},
	}
	staticCheck = check{name: "asm/verify TestKernels", dir: "asm", command: []string{"go", "test", "-count=1", "-run", "^TestKernels$", "./verify"}}
	freshARM    = check{name: "asm/arm64 TestFresh", dir: "asm", command: []string{"go", "test", "-count=1", "-run", "^TestFresh$", "./arm64"}}
	freshStep   = check{name: ".ci/check, generated files", env: []string{"ONLY=generated files"}, command: []string{".ci/check"}}
	races       = check{
		name: "TestPlantedRaces", env: []string{"CGO_ENABLED=1"}, needs: []string{"gcc"},
		command: []string{"go", "test", "-race", "-count=1", "-run", "^TestPlantedRaces$/^expand$", conformance},
	}
	haswell = check{
		name: "TestEncode as Haswell", env: []string{"CGO_ENABLED=0"}, needs: []string{"qemu-x86_64"},
		command: []string{"go", "test", "-short", "-count=1", "-exec", "qemu-x86_64 -cpu Haswell", "-run", "^TestEncode$", conformance},
	}
)

// faults has one of each kind at least: in a kernel where kernels can have it, and in the code around them.
var faults = []fault{
	{"a byte stored past the end", amd64Kernels, storePastEnd, test("TestGuardPages").on(avx512), ""},
	{"a byte stored past the end, canaries", amd64Kernels, storePastEnd, test("TestEncodeGaps").on(avx512), ""},
	{"an index loaded past the end", amd64Kernels, loadPastEnd, test("TestGuardPagesOfCalls").on(avx512), ""},
	{"a wrong tail mask", amd64Kernels, wrongTailMask, test("TestClassesKernels").on(avx512), ""},
	{"a wrong tail mask, as users would see it", amd64Kernels, wrongTailMask, test("TestEncodeEveryLength").on(avx512), ""},
	{"NaN to 0", "onehot_generic.go", nanIsZero, test("TestEncodeSpecialIndices"), ""},
	{"NaN to 0 in a kernel", arm64Kernels, nanIsNumber, kernelsOnARM, ""},
	{"a lost count of misses", "blocks.go", lostBlock, test("TestEncodeEveryDepthInTiles"), ""},
	{"a lost count of misses in a kernel", amd64Kernels, lostCount, test("TestClassesKernels").on(avx512), ""},
	{"an index narrowed too early", "onehot_generic.go", narrowedInGo, test("TestEncodeSpecialIndices"), ""},
	{"an index narrowed too early in a kernel", amd64Kernels, narrowedEarly, test("TestEncodeSpecialIndices").on(avx512), ""},
	{"a gap touched", "fill.go", gapTouched, test("TestGapPages"), ""},
	{"a gap touched, canaries", "fill.go", gapTouched, test("TestEncodeGaps"), ""},
	{"a stale generated file", amd64Kernels, stale, freshStep, "FAILED"},
	{"a stale generated file of arm64", arm64Kernels, stale, freshARM, "--- FAIL: TestFresh"},
	{"a kernel above its tier", amd64Kernels, aboveTier, staticCheck, "--- FAIL: TestKernels"},
	{"a kernel above its tier, executed", amd64Kernels, aboveTier, haswell, "SIGILL"},
	{"an unannounced write", "blocks.go", unannounced, races, ""},
	{"one call over a gigabyte", "onehot_generic.go", oneCall, test("TestCollectorIsNotHeldUp", "-v"), ""},
}
