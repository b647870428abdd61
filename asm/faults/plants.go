package main

import (
	"fmt"
	"regexp"
	"slices"
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
	avx2         = "avx2"
)

// Kernels load their parameters first, in order, into whatever registers.
const (
	loadsIndices = `(\tMOVQ +indices\+8\(FP\), (\w+)\n\tMOVQ +n\+16\(FP\), (\w+)\n)(\tMOVQ +first\+24\(FP\), (\w+)\n)`
	loadsFill    = `(\tMOVQ +dst\+0\(FP\), (\w+)\n\tMOVQ +n\+8\(FP\), (\w+)\n)`
)

var (
	storePastEnd = inKernel("fillPatternAVX2", loadsFill, "${1}\tMOVB $3, ($2)($3*1)\n")
	loadPastEnd  = inKernel("classesI32AVX512", loadsIndices, "${1}\tMOVL ($2)($3*4), $5\n$4")
	aboveTier    = inKernel("fillPatternAVX2", loadsFill, "$1\tVPXORD Z9, Z9, Z9\n")
	gapTouched   = once("fillRun(dst[r*apart:][:run], off, f)", "fillRun(dst[r*apart:][:min(run+1, len(dst)-r*apart)], off, f)")
	gapCleared   = once("cells := dst[r*apart:][:run]; zero", "cells := dst[r*apart:][:min(run+1, len(dst)-r*apart)]; zero")
)

// stale changes a generated file as a forgotten generator would.
func stale(source string) (string, error) {
	return source + "\n// A line that no generator writes.\n", nil
}

// test is a test of internal/conformance with -short, testLong one without.
func test(name string) check     { return testIn(conformance, name, "-short") }
func testLong(name string) check { return testIn(conformance, name, "-v") }

// testIn is a test of a package of the root module, and testOfAsm one of the
// module of the generators.
func testIn(pkg, name string, flags ...string) check {
	run := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	command := append([]string{"go", "test", "-vet=off", "-count=1", "-run", run}, flags...)
	return check{name: name, command: append(command, pkg)}
}

func testOfAsm(pkg, name string) check {
	c := testIn(pkg, name)
	c.dir = "asm"
	return c
}

// direct is the test that calls the kernels of one family and tier directly,
// without the code of the library around them.
func direct(tier, family string) check {
	return testIn(".", "TestKernels/"+tier+"/"+family).on(map[string]string{"avx512": avx512, "avx2": avx2}[tier])
}

// directOnARM is direct for NEON.
func directOnARM(family string) check {
	return testIn(".", "TestKernels/neon/"+family, "-short", "-exec", "qemu-aarch64").on("qemu-aarch64").with("GOARCH=arm64", "CGO_ENABLED=0")
}

var (
	freshStep = check{name: ".ci/check, generated files", env: []string{"ONLY=generated files"}, command: []string{".ci/check"}}
	haswell   = testIn(conformance, "TestEncode", "-short", "-exec", "qemu-x86_64 -cpu Haswell").on("qemu-x86_64").with("CGO_ENABLED=0")
)

// races is the test that planted races of a strategy are reported.
func races(strategy string) check {
	name := "TestPlantedRaces/" + strings.ReplaceAll(strategy, " ", "_")
	return testIn(conformance, name, "-race").on("gcc").with("CGO_ENABLED=1")
}

// faults has at least one fault of each kind: in a kernel, where kernels can
// have it, and in the code around the kernels.
var faults = slices.Concat(memoryFaults, classFaults, cellFaults, readingFaults, routeFaults, callFaults, houseFaults)

// memoryFaults touch memory that belongs to somebody else.
var memoryFaults = []fault{
	{"a byte stored past the end", amd64Kernels, storePastEnd, test("TestGuardPages").on(avx2), ""},
	{"a byte stored past the end, canaries", amd64Kernels, storePastEnd, test("TestEncodeGaps").on(avx2), ""},
	{"an index loaded past the end", amd64Kernels, loadPastEnd, test("TestGuardPagesOfCalls").on(avx512), ""},
	{"a gap touched", "fill.go", gapTouched, test("TestGapPages"), ""},
	{"the end of a row of a miss not filled", "route_sets.go", once("row, depth*w.width, found)", "row, depth*w.width-1, found)"), test("TestMissOfColumns").on(avx2), ""},
	{"a gap touched, canaries", "fill.go", gapTouched, test("TestEncodeGaps"), ""},
	{"a gap between runs of zeros touched", "fill.go", gapCleared, test("TestEncodeGaps"), ""},
	{"a gap between short runs touched", "fill.go", once("unsafe.SliceData(dst)), bytes, runs,", "unsafe.SliceData(dst)), bytes+1, runs,"), test("TestEncodeGaps"), ""},
	{"vectors stored behind the last rows", "route_sets.go", once("min(room, lineBytes-1)", "(lineBytes-1)"), test("TestGuardPagesOfWideRows").on(avx2), ""},
	{"vectors stored behind the last plane", "bits.go", once("count, e.n, (planes-p-count)*row)", "count, e.n, planes*row)"), test("TestGuardPagesOfBits").on(avx2), ""},
	{"a scratch too small for what it takes along", "route_blocks.go", once("plan.ScratchBytes + plan.Least*plan.StreamRow", "plan.ScratchBytes"), test("TestStreamedRowsEndAnywhere").on(avx512), ""},
}

// classFaults are faults of the index stage.
var classFaults = []fault{
	{"a limit compared for more only", amd64Kernels, inKernel("classesU16AVX512", `(\tVPCMPUB +)\$0x05`, "${1}$$0x06"), direct("avx512", "classes"), ""},
	{"a wrap left out", amd64Kernels, inKernel("classesI32AVX512", `(\tMOVQ +wrap\+40\(FP\), (\w+)\n)`, "${1}\tXORQ $2, $2\n"), direct("avx512", "classes"), ""},
	{"a wrap left out, as users would see it", amd64Kernels, inKernel("classesI32AVX512", `(\tMOVQ +wrap\+40\(FP\), (\w+)\n)`, "${1}\tXORQ $2, $2\n"), test("TestEncodeEveryLength").on(avx512), ""},
	{"a first class added", amd64Kernels, inKernel("classesI16AVX2", `\tNEGQ +\w+\n`, ""), direct("avx2", "classes"), ""},
	{"what is below 0 packed to class 0", amd64Kernels, inKernel("classesI32AVX2", `\tVPACKSSDW `, "\tVPACKUSDW "), direct("avx2", "classes"), ""},
	{"what is below 0 left there", amd64Kernels, inKernel("classesI64AVX512", `\tVPMINUW `, "\tVPMINSW "), direct("avx512", "classes"), ""},
	{"misses of the last round counted twice", amd64Kernels, inKernel("classesI32AVX512", `\tSHRQ +CL, \w+\n`, ""), direct("avx512", "classes"), ""},
	{"misses counted twice, as users would see it", amd64Kernels, inKernel("classesI64AVX2", `\tSHRQ +CL, \w+\n`, ""), test("TestEncodeEveryLength").on(avx2), ""},
	{"a lost count of misses in a kernel", amd64Kernels, inKernel("classesU8AVX512", `^\tMOVQ +(\w+), misses\+48\(FP\)$`, "\tXORQ $1, $1\n$0"), direct("avx512", "classes"), ""},
	{"a vector of four whose misses are not counted", amd64Kernels, inKernel("classesU8AVX2", `(\tVMOVDQU +Y\d+, 64\(\w+\)\n\tPOPCNTQ +(\w+), \w+\n)`, "\tXORQ $2, $2\n$1"), direct("avx2", "classes"), ""},
	{"an index narrowed too early in a kernel", amd64Kernels, inKernel("classesI64AVX512", `^\tVMOVDQU64 +\(\w+\), Z(\d+)$`, "$0\n\tVPMOVQD Z$1, Y$1\n\tVPMOVZXDQ Y$1, Z$1"), test("TestEncodeSpecialIndices").on(avx512), ""},
	{"an index narrowed too early", "onehot_generic.go", once("\treturn int64(x)\n", "\treturn int64(int32(x))\n"), test("TestEncodeSpecialIndices"), ""},
	{"NaN to 0", "onehot_generic.go", once("\t\t\treturn math.MinInt64\n", "\t\t\treturn 0*math.MinInt64\n"), test("TestEncodeSpecialIndices"), ""},
	{"NaN to 0 in a kernel", arm64Kernels, inKernel("classesF32NEON", `WORD +\$0x[0-9a-f]+ // fcmeq v(\d+)\.4s, v(\d+)\.4s, v\d+\.4s$`, "VCMEQ V$2.S4, V$2.S4, V$1.S4"), directOnARM("classes"), ""},
	{"a lost count of misses", "route_blocks.go", once("\t\tmisses += missed\n", "\t\tmisses = missed\n"), test("TestEncodeSizes").on(avx2), ""},
	{"half of the alphabet lost", amd64Kernels, inKernel("textAVX512", `\tVPMOVB2M +Z\d+, (K\d)$`, "\tKXORQ $1, $1, $1"), direct("avx512", "text"), ""},
	{"the third row of the alphabet lost", amd64Kernels, inKernel("textAVX2", `(LEAQ +)320\(`, "${1}352("), direct("avx2", "text"), ""},
	{"a row of the alphabet left out", "text.go", once("used |= inverse", "used = inverse"), test("TestEncodeText").on(avx2), ""},
}

// cellFaults are faults of kernels that write cells.
var cellFaults = []fault{
	{"rows with a wrong step", amd64Kernels, inKernel("rows32AVX512", `(\tMOVL +)\$0x00000040`, "${1}$$0x00000041"), direct("avx512", "rows"), ""},
	{"rows with a lost last block", amd64Kernels, inKernel("rows16AVX512", `\tIMULQ +\w+, \w+\n`, ""), direct("avx512", "rows"), ""},
	{"rows with a lost last block, AVX2", amd64Kernels, inKernel("rowsAVX2", `\tIMULQ +\w+, \w+\n`, ""), direct("avx2", "rows"), ""},
	{"short rows with a lost last block, AVX2", amd64Kernels, inKernel("rowsAVX2", `(\tJGE +shortblock\n\tADDQ +\w+, \w+\n)\tIMULQ +\w+, \w+\n`, "$1"), direct("avx2", "rows"), ""},
	{"short rows whose last vector is the first", "onehot_amd64.go", once("size-register+b", "b"), direct("avx2", "rowsMiss"), ""},
	{"rows that take off for zero", amd64Kernels, inKernel("rowsAVX2", `\tSETEQ`, "\tSETNE"), direct("avx2", "rows"), ""},
	{"a wrong table of rows", "onehot_amd64.go", once("= byte(cell % depth)", "= byte(cell % (depth - 1))"), direct("avx2", "rows"), ""},
	{"rows whose misses are off", amd64Kernels, inKernel("rowsMissAVX2", `(\tVPBROADCASTQ +)32\(`, "${1}16("), direct("avx2", "rowsMiss"), ""},
	{"rows whose misses are off, as users would see it", amd64Kernels, inKernel("rowsMiss8AVX512", `(\tVPBROADCASTB +)32\(`, "${1}16("), test("TestMiss").on(avx512), ""},
	{"rows streamed to a wrong place", amd64Kernels, inKernel("rowsStreamAVX2", `(\tVMOVNTDQ +Y\d+, )\(AX\)`, "${1}(DI)"), direct("avx2", "rowsStream"), ""},
	{"lines of rows streamed to a wrong place", amd64Kernels, inKernel("rowsStream32AVX512", `(\tVMOVNTDQ +Z\d+, )64\(`, "${1}128("), direct("avx512", "rowsStream"), ""},
	{"long rows by way of the scratch", "internal/plan/rows.go", once("(s.Depth*s.Width <= StreamRow ||", "(s.Depth*s.Width <= blendBytes ||"), testIn("./internal/plan", "TestRowsByLines"), ""},
	{"rows of any length streamed by words", "internal/plan/rows.go", once("row%4 != 0 && !m.streamsLines()", "row%4 != 0 && !m.Intel"), testIn("./internal/plan", "TestRowsByLines"), ""},
	{"streamed bit planes over the first", "route_blocks.go", once("unsafe.Add(dst, (first+p)*plane)", "unsafe.Add(dst, p*plane)"), test("TestStreamedBitPlanes").on(avx2), ""},
	{"streamed rows whose last are left out", "route_blocks.go", once("if n > whole {", "if n > whole+3 {"), test("TestStreamedRowsEndAnywhere").on(avx2), ""},
	{"planes with a wrong last round", amd64Kernels, inKernel("planesAVX512", `(\nrest:\n\tCMPQ +\w+, \$-64\n\tJEQ +swept\n\tADDQ +\w+, \w+\n)\tADDQ +\w+, \w+\n`, "$1"), direct("avx512", "planes"), ""},
	{"last rows of a small call that are not cleared", "small.go", once("\t\tclear(cells)\n", "\t\t_ = cells\n"), test("TestMiss").on(avx2), ""},
	{"planes aligned away from their classes", amd64Kernels, inKernel("planesAVX512", `\tADDQ +\w+, \w+\n(\tADDQ +\w+, \w+\n\tSUBQ +\w+, \w+\n\naligned:)`, "$1"), direct("avx512", "planes"), ""},
	{"planes aligned within a cell", amd64Kernels, inKernel("planesAVX512", `(\tMOVL +)\$0x00000040, (\w+)\n\tSUBQ +\w+, \w+\n`, "${1}$$63, $2\n"), direct("avx512", "planes"), ""},
	{"planes whose misses are those of the plane itself", amd64Kernels, inKernel("planesAVX2", `\tSUBQ +plane\+16\(FP\), R\d+\n`, ""), direct("avx2", "planes"), ""},
	{"misses chosen where they should be read", amd64Kernels, inKernel("planesAVX2", `\tJLT +read\n`, ""), direct("avx2", "planes"), ""},
	{"nulls recoded by vectors as soon as other indices", "internal/plan/recode.go", once("entries == 0 && !(hasNull && p == tier.AVX2Path)", "entries == 0"), testIn("./internal/plan", "TestRecodes"), ""},
	{"a Miss of one cell taken for a class", "decode.go", once(" s.Miss != nil && depth == 1 ||", ""), test("TestDecodeMiss"), ""},
	{"zeros from within a word that end early", "fill.go", once("bytes-head", "bytes-head-1"), test("TestEncodeColumns"), ""},
	{"tiles of no cells", "small.go", once("if depth == 0 || !plain(n,", "if !plain(n,"), test("TestDepthZero"), ""},
	{"sets without cells from bits", "internal/plan/sets.go", once("rows < Least || depth == 0:", "rows < Least:"), test("TestDepthZero").on(avx2), ""},
	{"crowded planes of bytes by columns", "internal/plan/crowded.go", once("width == 1 &&", "width == 0 &&"), testIn("./internal/plan", "TestCrowdedRounds"), ""},
	{"small planes taken for crowded", "internal/plan/crowded.go", once("far >= page && ", ""), testIn("./internal/plan", "TestCrowdedRounds"), ""},
	{"tiles of less than a plane", "internal/plan/planes.go", once("s.Miss && !p.Tiles)", "s.Miss)"), testIn("./internal/plan", "TestBlocksFit"), ""},
	{"sets of one word written as two", amd64Kernels, inKernel("setMarksAVX2", `\tJEQ +onerows\n`, ""), direct("avx2", "setMarks"), ""},
	{"cells of sign bits that are -on", amd64Kernels, inKernel("cellsAVX2", `\tVPSIGND +(Y\d+, Y\d+, Y\d+)\n\tXORL`, "\tVPOR $1\n\tXORL"), direct("avx2", "cells"), ""},
	{"short rows that prefetch over each other", amd64Kernels, inKernel("cells8AVX512", `(\naheadsingle32:\n(?:\t.*\n)*?)\tADDQ +\w+, \w+\n`, "$1"), direct("avx512", "cells"), ""},
	{"codes of a block that are another's", "recode.go", once("dst, indices = dst[n:], indices[n:]", "dst, indices = dst[n:], indices[:len(indices)-n]"), test("TestRecodeBlocks").on(avx2), ""},
	{"the last columns of a first plane that is not compared", "route_blocks.go", once("\t\tif last > 0 {", "\t\tif last < 0 {"), direct("avx2", "planes"), ""},
	{"planes two classes apart", amd64Kernels, inKernel("planesAVX2", `(\tVPSUBB .*)`, "${1}\n${1}"), direct("avx2", "planes"), ""},
	{"planes of the first block only", amd64Kernels, inKernel("planesAVX512", `\tADDQ +\w+, \w+\n(\tADDQ +stride\+8\(FP\), \w+\n\tDECQ +\w+\n\tJNZ +block)`, "$1"), direct("avx512", "planes"), ""},
	{"planes whose misses are off", amd64Kernels, inKernel("planesAVX512", `(\tVPBROADCASTQ +)32\(`, "${1}16("), direct("avx512", "planes"), ""},
	{"planes whose misses are another class", amd64Kernels, inKernel("planesAVX512", `(\tVPTERNLOGD +\$)0xff`, "${1}0x00"), direct("avx512", "planes"), ""},
	{"columns without their misses, where off is zero", amd64Kernels, inKernel("planesByColumnsAVX2", `\tJNE +block\n(\tVMOVDQA .*\n)`, "$1"), direct("avx2", "planesByColumns"), ""},
	{"columns that take any off for zero", amd64Kernels, inKernel("planesByColumns16AVX2", `\tSETEQ +(\w+)`, "\tMOVL $$1, $1"), direct("avx2", "planesByColumns"), ""},
	{"classes repeated too seldom", amd64Kernels, inKernel("widenAVX2", `\tVPSRLW +.*\n`, ""), direct("avx2", "widen"), ""},
	{"codes of four bytes whose second half is the first", amd64Kernels, inKernel("codes32AVX2", `(\tVPMOVZXBD +)8\(`, "${1}("), direct("avx2", "codes"), ""},
	{"codes of none that are 255", amd64Kernels, inKernel("codes16AVX2", `\tVPOR .*\n\tVMOVDQU +(\w+), \(`, "\tVMOVDQU $1, ("), direct("avx2", "codes"), ""},
	{"codes of NEON whose masks are not widened", arm64Kernels, inKernel("codes64NEON", `\tVZIP2 +x1\.B16, x1\.B16, (x\d+)\.B16\n`, "\tVZIP2 x1.B16, x0.B16, $1.B16\n"), directOnARM("codes"), ""},
	{"planes with a part twice", amd64Kernels, inKernel("planesAVX2", `(\tVPCMPEQB +)64\(`, "${1}32("), direct("avx2", "planes"), ""},
	{"planes by columns whose misses are off", amd64Kernels, inKernel("planesByColumns16AVX512", `\tJNE +block\n`, ""), direct("avx512", "planesByColumns"), ""},
	{"planes by columns with a wrong last round", amd64Kernels, inKernel("planesByColumnsAVX2", `\tIMULQ +width\+80\(FP\), \w+\n`, ""), direct("avx2", "planesByColumns"), ""},
	{"16 bytes of a value filled by 8", "fill.go", once("f == plan.FillRepeat && pattern.lo == pattern.hi", "f == plan.FillRepeat"), test("TestSkylakeServer").on(avx2), ""},
	{"a cell that string stores of a small call leave out", "fill.go", once("fillRun(cells, off, plan.FillRepeat)", "fillRun(cells[1:], off, plan.FillRepeat)"), test("TestSkylakeServer").on(avx2), ""},
	{"any core of Intel taken for one of Skylake's servers", "internal/tier/cores_amd64.go", once("model == 0x55", "model > 0"), testIn("./internal/tier", "TestCores"), ""},
	{"a Zen 5 taken for an earlier Zen", "internal/tier/cores_amd64.go", once("family == 0x17 || family == 0x19", "family >= 0x17"), testIn("./internal/tier", "TestCores"), ""},
	{"a prefetch that reads what follows", amd64Kernels, inKernel("prefetch", `PREFETCHT0 +\((\w+)\)\n\tADDQ`, "CMPB 64($1), $$0\n\tADDQ"), direct("avx2", "prefetch"), ""},
	{"boards by columns over each other", "route_small.go", once("planesByColumnsOf(width, to, stride,", "planesByColumnsOf(width, to, 0*stride,"), test("TestEncodePlanesWithMiss").on(avx2), ""},
	{"planes of a small call apart", "route_small.go", once("planesByColumnsOf(width, dst, 0, plane,", "planesByColumnsOf(width, dst, 0, plane+width,"), test("TestEncodePlanesWithMiss").on(avx2), ""},
	{"planes streamed to a wrong place", amd64Kernels, inKernel("planesStreamAVX2", `(\tVMOVNTDQ +Y\d+, )96\(`, "${1}64("), direct("avx2", "planesStream"), ""},
	{"bit planes two classes apart", amd64Kernels, inKernel("bitPlanesAVX2", `(\tVPSUBB .*)`, "${1}\n${1}"), direct("avx2", "bitPlanes"), ""},
	{"a bit plane's word twice", amd64Kernels, inKernel("bitPlanesAVX512", `(\tVPCMPEQB +)192\(`, "${1}128("), direct("avx512", "bitPlanes"), ""},
	{"bits of a row's end that do not move on", amd64Kernels, inKernel("cells16AVX512", `\tSHRQ +\$0x20, \w+\n`, ""), direct("avx512", "cells"), ""},
	{"cells with a wrong stride", amd64Kernels, inKernel("cellsAVX2", `ADDQ( +)stride\+8\(FP\)`, "ADDQ${1}next+24(FP)"), direct("avx2", "cells"), ""},
	{"short rows of cells with a wrong stride", amd64Kernels, inKernel("cellsAVX2", `MOVQ( +)stride\+8\(FP\)`, "MOVQ${1}next+24(FP)"), direct("avx2", "cells"), ""},
	{"cells whose off counts as zero", amd64Kernels, inKernel("cellsAVX2", `\tJZ +round\n`, ""), direct("avx2", "cells"), ""},
	{"short rows of cells cut to half", amd64Kernels, inKernel("cells16AVX512", `CMPQ( +\w+), \$\+16`, "CMPQ${1}, $$+32"), direct("avx512", "cells"), ""},
	{"marks a bit off in later planes", amd64Kernels, inKernel("marksAVX512", `(\tSUBQ +)\$\+64`, "${1}$$+63"), direct("avx512", "marks"), ""},
	{"marks that forget those before", amd64Kernels, inKernel("marksAVX2", `\tVPOR +\d*\(\w+\), Y\d+, Y\d+\n`, ""), direct("avx2", "marks"), ""},
	{"the last classes of a set left out", amd64Kernels, inKernel("setMarksAVX2", `\tLEAQ +-8\(`, "\tLEAQ -9("), direct("avx2", "setMarks"), ""},
	{"a pattern that ends out of phase", amd64Kernels, inKernel("fillPatternAVX2", `\tLEAQ +-32\(`, "\tLEAQ -31("), direct("avx2", "fillPattern"), ""},
	{"zeros that end early", amd64Kernels, inKernel("fillZeroAVX2", `(\tADDQ +)\$\+224`, "${1}$$+223"), direct("avx2", "fillZero"), ""},
	{"runs with gaps that end early", amd64Kernels, inKernel("fillRunsAVX2", `\tLEAQ +-64\(`, "\tLEAQ -65("), direct("avx2", "fillRuns"), ""},
	{"short runs with gaps that end early", amd64Kernels, inKernel("fillRunsAVX2", `-32\(`, "-33("), direct("avx2", "fillRuns"), ""},
	{"places with a sign", amd64Kernels, inKernel("fillPlacesAVX2", `\tMOVWQZX `, "\tMOVWQSX "), direct("avx2", "fillPlaces"), ""},
	{"rows of misses that end early", amd64Kernels, inKernel("fillPlacesAVX2", `\tLEAQ +-32\(`, "\tLEAQ -33("), direct("avx2", "fillPlaces"), ""},
	{"string stores of few bytes", "fill.go", once("pattern.lo == pattern.hi && n >= 2*lineBytes", "pattern.lo == pattern.hi"), test("TestSkylakeServer").on(avx2), ""},
	{"a pattern by string stores out of phase", amd64Kernels, inKernel("fillRepeat", `\tRORQ +CL, DX\n`, ""), direct("avx2", "fillRepeat"), ""},
	{"a line streamed to a wrong place", amd64Kernels, inKernel("streamAVX2", `(\tVMOVNTDQ +Y\d+, )32\(`, "${1}0("), direct("avx2", "stream"), ""},
	{"a repeated line streamed to a wrong place", amd64Kernels, inKernel("streamLineAVX2", `(\tVMOVNTDQ +Y\d+, )32\(`, "${1}0("), direct("avx2", "streamLine"), ""},
	{"planes of NEON two classes apart", arm64Kernels, inKernel("planesByColumnsNEON", `\tVMOVI +\$1, one`, "\tVMOVI $$2, one"), directOnARM("planesByColumns"), ""},
}

// readingFaults are faults of kernels that read cells or indices.
var readingFaults = []fault{
	{"a cell that is neither, overlooked", amd64Kernels, inKernel("hits32AVX2", `\tVPAND +\w+, \w+, \w+\n`, ""), direct("avx2", "hits"), ""},
	{"hits behind the last cell", amd64Kernels, inKernel("hits8AVX2", `\tMOVQ +\$0x00000000, \(.*\n`, ""), direct("avx2", "hits"), ""},
	{"a fifth place of a word forgotten", amd64Kernels, inKernel("placesAVX2", `\tJNZ +more\n`, ""), direct("avx2", "places"), ""},
	{"a fourth place of a word forgotten", amd64Kernels, inKernel("placesAVX2", `more:\n\tADDQ +\$\+2, (\w+)`, "more:\n\tADDQ $$+0, $1"), direct("avx2", "places"), ""},
	{"places told twice", amd64Kernels, inKernel("placesAVX2", `\tSHLQ +CL, \w+\n`, ""), direct("avx2", "places"), ""},
	{"a class that does not move on", amd64Kernels, inKernel("collect16AVX2", `\tINCQ +\w+\n`, ""), direct("avx2", "collect"), ""},
	{"hits of the last round counted twice", amd64Kernels, inKernel("collect32AVX512", `\tSHRQ +CL, \w+\n`, ""), direct("avx512", "collect"), ""},
	{"an index of depth taken for a class", amd64Kernels, inKernel("changes32AVX2", `\tVPANDN +(\w+), \w+, (\w+)\n`, "\tVMOVDQA ${1}, ${2}\n"), direct("avx2", "changes"), ""},
}

// routeFaults are faults of the routes in Go.
var routeFaults = []fault{
	{"rows streamed from within a line", "route_blocks.go", once("size, stream = w.First, false", "size, stream = w.First, w.Stream"), test("TestStreamedRowsEndAnywhere").on(avx2), ""},
	{"a short block that does not end a line", "internal/plan/blocks.go", once("if (start+thing*size)%CacheLine == 0 {", "if (start+thing*size)%(CacheLine/4) == 0 {"), test("TestStreamedRowsEndAnywhere").on(avx512), ""},
	{"bytes that wait left behind a later plane", "route_stream.go", once("\t\tcopy(ready, s.scratch[:lineBytes])\n", ""), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"a plane of a tile sent for another", "route_blocks.go", once("w.out.send(w.dst, p*apart,", "w.out.send(w.dst, 0*apart,"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"the last lines not flushed", "route_stream.go", once("\t\ts.flush(dst)\n\t\tstreamEndOf()\n", "\t\tstreamEndOf()\n"), test("TestStreamedRowsEndAnywhere").on(avx512), ""},
	{"planes streamed to lines that they do not start", "route_blocks.go", once("(start|plane|stride)%lineBytes == 0", "(0*start|plane|stride)%lineBytes == 0"), test("TestStreamedPlanesAtOddAddresses").on(avx2), ""},
	{"a streamed plane a cell off its line", "route_blocks.go", once("w.writePlanes(at+skip, skip, 1, lines, first+p, 1, true)", "w.writePlanes(at+skip, skip+1, 1, lines, first+p, 1, true)"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"planes of later calls of the first classes", "route_blocks.go", once("at+b*n, here, n, first+p, now)", "at+b*n, here, n, first, now)"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"the last columns of a streamed plane left out", "route_blocks.go", once("ahead == 0 && rest > 0 {", "ahead == 0 && rest < 0 {"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"the first columns of all streamed planes those of one", "route_blocks.go", once("heads[p*edge:]", "heads[0*p*edge:]"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"streamed planes of a group at the edges of the one before", "route_blocks.go", once("w.edges(tails, n-plan.Least, first, planes)", "w.edges(tails, n-plan.Least, 0, planes)"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"edges of streamed planes without their misses", "route_blocks.go", once("plan.Least, first, planes, unsafe.Pointer(&w.values), w.own)", "plan.Least, first, planes, unsafe.Pointer(&w.values), w.own*(1-min(w.plane*w.width%lineBytes, 1)))"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"misses looked for among rows", "route_blocks.go", once("\tmisses := placesOf(at, from, n) // first, since the rows may overwrite the classes\n\trowsOf(width, dst, from, n, depth, unsafe.Pointer(v))\n", "\trowsOf(width, dst, from, n, depth, unsafe.Pointer(v))\n\tmisses := placesOf(at, from, n)\n"), test("TestMiss").on(avx2), ""},
	{"no room behind the last place", "route_blocks.go", once("/plan.RepairOften + 3]uint16", "/plan.RepairOften]uint16"), testIn(".", "TestMissPlaces").on(avx2), ""},
	{"rows of misses a byte too long", "route_blocks.go", once("fillPlacesOf(dst, row, at", "fillPlacesOf(dst, row+1, at"), test("TestMiss").on(avx2), ""},
	{"short rows of misses a byte too short", "route_blocks.go", once("pattern.fillAt(dst, row, row, places", "pattern.fillAt(dst, row, row-1, places"), test("TestMiss").on(avx2), ""},
	{"a row of a miss a row early", "route_scatter.go", once("missRow(unsafe.Add(to, row*size), *miss, depth)", "missRow(unsafe.Add(to, max(row-stride, 0)*size), *miss, depth)"), test("TestMiss"), ""},
	{"a miss of a small table whose last cell is off", "route_scatter.go", once("on, miss, depth, stride, neg.wrap(depth))", "on, miss, max(depth-1, 0), stride, neg.wrap(depth))"), test("TestMissOfColumns"), ""},
	{"rows of a small table with a miss all in its first places", "route_scatter.go", once("first, n := row*stride, min", "first, n := 0*row*stride, min"), test("TestMissOfColumns"), ""},
	{"a Stride of two blocks left out", "small.go", once("|| n <= inner)", "|| n <= 2*inner)"), test("TestStrideAndPlaneWithoutGaps"), ""},
	{"short texts written as if they touched", "route_scatter.go", once("i < len(text); column += gap {", "i < len(text); column += 0 * gap {"), test("TestStrideAndPlaneWithoutGaps"), ""},
	{"a raw miss of few columns that is off", "small.go", once("if own := valueOf[E](v.miss); hasMiss {", "if own := valueOf[E](v.miss); hasMiss && l.inner == 1 {"), test("TestStrideAndPlaneWithoutGaps"), ""},
	{"the second of few planes not filled", "fill.go", once("dst[d*l.plane:], off, run, l.outer, l.stride", "dst[0*d*l.plane:], off, run, l.outer, l.stride"), test("TestStrideAndPlaneWithoutGaps"), ""},
	{"a Plane left out of an error", "small.go", once("if uint(*stride) > plan.CallBytes || *plane < 0", "if *stride < 0 || *plane < 0"), test("TestEncodeErrors"), ""},
	{"a block of planes updated from its middle on", "update.go", once("cell += run - l.indexStride + l.stride", "cell += l.stride"), test("TestUpdatePlanes"), ""},
	{"misses of a few rows in the wrong columns", "columns.go", once("nth[V](cells, first)), miss, depth)", "nth[V](cells, r*stride)), miss, depth)"), test("TestMissOfColumns"), ""},
	{"a Plane with gaps left out", "small.go", once("if *plane == inner {", "if *plane >= inner {"), test("TestStrideAndPlaneWithoutGaps"), ""},
	{"no rows of sets taken for a few", "multihot.go", once("uint(rows-1) >= plan.SmallSide || ", ""), test("TestMultiHotOfNoRows"), ""},
	{"a few rows of sets written as if they touched", "multihot.go", once("k, s.On, depth, stride, s.Negative.wrap(depth)), true", "k, s.On, depth, depth, s.Negative.wrap(depth)), true"), test("TestMultiHotOfFewRowsWithStride"), ""},
	{"classes of a few rows stored a cell late", "columns.go", once("x := columns[c][r]\n\t\t\tif a := bitsOf(x); a < limitOf[I](depth) {\n\t\t\t\t*nth[V](cells, first+intOf(x, a)) = on\n\t\t\t} else if class, ok := classOf(x, depth, s.Negative.wrap(depth)); ok {\n\t\t\t\tdst[first+int(class)] = on\n\t\t\t} else {\n\t\t\t\tmisses++", "x := columns[c][r] + 1\n\t\t\tif a := bitsOf(x); a < limitOf[I](depth) {\n\t\t\t\t*nth[V](cells, first+intOf(x, a)) = on\n\t\t\t} else if class, ok := classOf(x, depth, s.Negative.wrap(depth)); ok {\n\t\t\t\tdst[first+int(class)] = on\n\t\t\t} else {\n\t\t\t\tmisses++"), test("TestEncodeColumnsOfFewRows"), ""},
	{"a Miss that a small table has filled over", "columns.go", once("on, miss, rows := s.On, *s.Miss, len(columns[0]) // the Miss is read now, since it may lie in dst\n", "on, rows := s.On, len(columns[0])\n\tfillTable(dst, s.Off, total, rows, len(columns), stride)\n\tmiss := *s.Miss\n"), test("TestMissInsideDst"), ""},
	{"a small Update with a Miss by the cells of off", "update.go", once("m.miss = *s.Miss //", "m.miss = s.Off //"), test("TestUpdateOfMisses"), ""},
	{"a small raw miss by the cells of off", "small.go", once("own := valueOf[E](v.miss)", "own := valueOf[E](v.off)"), test("TestMissInsideDst"), ""},
	{"misses of later rows written to the first", "fill.go", once("storeTwice[U](unsafe.Add(first, int(r)*apart)", "storeTwice[U](unsafe.Add(first, 0*int(r)*apart)"), test("TestMissOfColumns").on(avx2), ""},
	{"misses of long rows written to the first", "fill.go", once("e.fill(unsafe.Add(first, int(r)*apart), bytes)", "e.fill(unsafe.Add(first, 0*int(r)*apart), bytes)"), test("TestMissOfColumns").on(avx2), ""},
	{"misses of the longest rows written to the first", "fill.go", once("fillPatternOf(unsafe.Add(first, int(r)*apart), bytes", "fillPatternOf(unsafe.Add(first, 0*int(r)*apart), bytes"), test("TestMissOfColumns").on(avx2), ""},
	{"the last bytes of rows of misses left out", "fill.go", once("int(r)*apart), bytes, e)\n\t}\n}", "int(r)*apart), (bytes+1)/2, e)\n\t}\n}"), test("TestMissOfColumns").on(avx2), ""},
	{"classes of columns kept over the words", "route_sets.go", once("[BitWords(j.depth)*8*roundUp(n):]", "[(BitWords(j.depth)-1)*8*roundUp(n):]"), test("TestMissOfColumns").on(avx2), ""},
	{"classes of a column kept where those of the next are", "route_sets.go", once("return spare[:n], spare[rows:]", "return spare[:n], spare[min(rows, 8):]"), test("TestMissOfColumns").on(avx2), ""},
	{"no room behind the last place of a column", "route_sets.go", once("plan.SetRows + plan.Least + 3]uint16", "plan.SetRows - plan.Least]uint16"), test("TestMissOfColumns").on(avx2), ""},
	{"deep planes whose misses are those of other columns", "route_scatter.go", once("bytesAt(classes, len(run)), 0, l.depth, wrap) == 0", "bytesAt(unsafe.Add(classes, 1), len(run)), 0, l.depth, wrap) == 0"), test("TestMissGapsAndSizes").on(avx2), ""},
	{"deep planes whose misses have the first class", "route_scatter.go", once("len(run), none, 1,", "len(run), 0, 1,"), test("TestMissGapsAndSizes").on(avx2), ""},
	{"streamed copies of a plane but the first", "route_scatter.go", once("d < l.depth; d++ {\n\t\t\t\tstreamBytes", "d < l.depth-1; d++ {\n\t\t\t\tstreamBytes"), test("TestMissStreamed").on(avx2), ""},
	{"boards whose misses are off", "route_small.go", once("blocks, inner, 0, depth, unsafe.Pointer(v), ownMisses(hasMiss, misses))", "blocks, inner, 0, depth, unsafe.Pointer(v), 0)"), test("TestMissGapsAndSizes").on(avx2), ""},
	{"a miss left in a streamed tile", "route_stream.go", once("\treturn off\n", "\treturn miss\n"), test("TestMissStreamed").on(avx2), ""},
	{"a streamed tile whose cells stay on", "route_stream.go", once("\t\tscatter(last, t.index, t.part, true)\n", ""), test("TestStreamedDeepRows").on(avx2), ""},
	{"a streamed set whose cells stay on", "route_scatter.go", once("\t\t\t\tvalue = off\n", "\t\t\t\tvalue = on\n"), test("TestStreamedSets").on(avx2), ""},
	{"a streamed table whose cells stay on", "route_scatter.go", once("scatter(cell, index, part.outer, off, under)", "scatter(cell, index, part.outer, on, under)"), test("TestStreamedSets").on(avx2), ""},
	{"a miss left in a streamed table", "route_scatter.go", once("under := underMiss(miss, &off)\n\t\treturn streamTiles(dst, l,", "under := miss\n\t\treturn streamTiles(dst, l,"), test("TestStreamedSets").on(avx2), ""},
	{"the last streamed tile with the first indices", "route_stream.go", once("scatter(last, first*l.indexStride,", "scatter(last, 0*first*l.indexStride,"), test("TestStreamedDeepPlanes").on(avx2), ""},
	{"a streamed fill out of phase", "route_stream.go", once("buffer[head%plan.SmallStore:]", "buffer[:]"), test("TestStreamedDeepRows").on(avx2), ""},
	{"misses of a column's first classes forgotten", "route_sets.go", once("classes[i] &= part[i]", "classes[i] = part[i]"), test("TestMissOfColumns").on(avx2), ""},
	{"bits behind the last index of a small call", "bits.go", once("[whole-wordBits:], none)", "[whole:], none)"), test("TestEncodeBitsFull").on(avx2), ""},
	{"bits behind the last index", "route_blocks.go", once("fillGeneric(w.classes[n:whole], none)", "fillGeneric(w.classes[n:n], none)"), test("TestEncodeBitsFull").on(avx2), ""},
	{"planes deeper than kernels count", "internal/plan/plan.go", once("s.Depth <= KernelDepth", "s.Depth <= math.MaxInt32"), test("TestDeepestPlanes").on(avx2), ""},
	{"classes of later spans lost", "route_blocks.go", once("o*w.indexStride+i, o*w.stride+first*w.plane+i", "o*w.indexStride+i, o*w.stride+i"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"a column's bits in a wrong place", "route_sets.go", once("at := (bit + first) % wordBits", "at := (bit + first + first/100) % wordBits"), test("TestMissOfColumns").on(avx2), ""},
	{"halves scattered to the first rows over and over", "route_scatter.go", once("dst[t.cell:], &ready, on, miss,", "dst, &ready, on, miss,"), test("TestEncodeRawLarge").on(avx2), ""},
	{"rows of a small call filled with the bits of one cell", "fill.go", once("pattern := bits.repeated(int(unsafe.Sizeof(off)))\n\t\tfillPatternOf", "pattern := bits\n\t\tfillPatternOf"), test("TestEncodeRaw").on(avx2), ""},
	{"runs with gaps over the first ones", "fill.go", once("unsafe.Add(to, first*apart), bytes", "unsafe.Add(to, 0*first*apart), bytes"), testIn(".", "TestShortRunsOfSeveralCalls").on(avx2), ""},
	{"blocks of planes by columns over each other", "route_blocks.go", once("planesByColumnsOf(w.width, dst, stride,", "planesByColumnsOf(w.width, dst, 0*stride,"), test("TestEncodeLargePlanes").on(avx2), ""},
	{"planes by columns from the first on", "route_blocks.go", once("planesByColumnsOf(w.width, dst, stride, plane, classes, blocks, n, first, count,", "planesByColumnsOf(w.width, dst, stride, plane, classes, blocks, n, 0*first, count,"), test("TestStreamedPlanesOfAnyStart").on(avx2), ""},
	{"two cells of a row on, overlooked", "decode.go", once("if w == 0 || w&(w-1) != 0 {", "if w == 0 {"), test("TestDecodeIsStrict").on(avx2), ""},
	{"two cells of a column on, overlooked", "decode.go", once("hits == decoded {", "hits >= decoded {"), test("TestDecodeIsStrict").on(avx2), ""},
	{"a change behind the first word lost", "update.go", once("i := w*wordBits + bits", "i := 0*w*wordBits + bits"), test("TestUpdateEveryBlock").on(avx2), ""},
	{"few changes taken for all of a block's", "update.go", once("case look < n:", "case look < n && n < plan.Least:"), test("TestUpdateManyAndFew").on(avx2), ""},
	{"the last of many changes lost", "update.go", once("l, first, first+n)", "l, first, first+n-1)"), test("TestUpdateEveryBlock").on(avx2), ""},
	{"a change to a miss lost among others", "update.go", once("set[w] |= word & -word", "set[w] &^= word & -word"), test("TestUpdateEveryBlock").on(avx2), ""},
	{"columns that share the bits of others", "decode.go", once("bad[w] |= bit", "bad[0] |= bit"), test("TestDecodeEveryInner"), ""},
	{"blocks between gaps read where others are", "decode.go", once("h.find(j, o*j.stride,", "h.find(j, o*block,"), test("TestDecodeBlocks").on(avx2), ""},
	{"classes of columns cut short", "decode.go", once("1<<32/uint64(j.inner)+1 //", "1<<32/uint64(j.inner) //"), test("TestDecodeBlocks").on(avx2), ""},
	{"two classes of a column of a block", "decode.go", once("if to := &dst[cell-class*columns]; *to == ^C(0) {", "if to := &dst[cell-class*columns]; *to|1 != 0 {"), test("TestDecodeBlocks").on(avx2), ""},
	{"a miss among changes not counted", "update.go", once("\t\t\t\tif misses++; was < limit {\n\t\t\t\t\t*nth", "\t\t\t\tif was < limit {\n\t\t\t\t\t*nth"), test("TestUpdateEveryBlock").on(avx2), ""},
	{"a row that becomes a miss left on", "update.go", once("} else if misses++; was < limit {", "} else if misses++; was < 0*limit {"), test("TestUpdateIsEncode"), ""},
	{"a row that ceases to be a miss left off", "update.go", once("} else if is < limit {\n\t\t\t*nth[E](to, row+int(is)) = on", "} else if is < limit {\n\t\t\t*nth[E](to, row+int(is)) = off"), test("TestUpdateIsEncode"), ""},
	{"changes of later blocks moved in the first", "update.go", once("first += runs * (l.stride - l.indexStride)", "first += 0 * runs"), test("TestUpdatePlanes").on(avx2), ""},
	{"changes of later runs of planes a run early", "update.go", once("step, end := m.step, l.run(at)", "step, end := m.step, l.run(0)"), test("TestUpdatePlanes").on(avx2), ""},
	{"misses among changes a word early", "update.go", once("i := at + w*wordBits +", "i := at + max(w-1, 0)*wordBits +"), test("TestUpdateEveryBlock").on(avx2), ""},
	{"floats one class further taken for unchanged", "input.go", once("math.Float32bits(float32(depth))", "math.Float32bits(float32(depth+1))"), testIn(".", "TestClassesByBits"), ""},
	{"the last class of floats not told from its bits", "input.go", once("math.Float64bits(float64(depth))", "math.Float64bits(float64(depth-1))"), testIn(".", "TestClassesByBits"), ""},
	{"signed classes taken for unsigned ones", "update.go", once("signed := I(0)-1 < 0; {", "signed := I(0)-1 != 0 && false; {"), test("TestUpdateCountsMissesThatStay").on(avx2), ""},
	{"an unannounced write", "route_blocks.go", once("race.Range(dst, n*row, true)\n", "race.Range(dst, 0*row, true)\n"), races("expand many"), ""},
	{"an unannounced write of a small call", "route_small.go", once("race.Range(dst, in.len*row, true)\n", "race.Range(dst, 0*in.len*row, true)\n"), races("expand in blocks"), ""},
	{"an unannounced write of zeros", "onehot.go", once("race.Range(to, bytes, true) // neither", "race.Range(to, 0*bytes, true) // neither"), races("small clear"), ""},
	{"an unannounced read of a few rows", "decode.go", once("race.Range(src, len(dst)*depth*width, false)", "race.Range(src, 0*len(dst)*depth*width, false)"), races("Decode few rows"), ""},
	{"an unannounced write of few bits", "bits.go", once("race.Range(dst, depth*whole/8, true)", "race.Range(dst, 0*whole, true)"), races("EncodeBits of few"), ""},
	{"an unannounced write of bits", "route_blocks.go", once("race.Runs(dst, plane, count, run, true)\n", "race.Runs(dst, plane, count, 0*run, true)\n"), races("EncodeBits"), ""},
	{"runs with gaps cleared without a moment between", "fill.go", once("\t\t\t\tclearPiece(cells)", "\t\t\t\tclear(cells)"), testLong("TestCollectorIsNotHeldUp"), ""},
	{"one call over a gigabyte", "internal/plan/blocks.go", once("CallBytes = 512 << 10", "CallBytes = 1 << 30"), testLong("TestCollectorIsNotHeldUp"), ""},
}

// callFaults are faults of the definition and of calls.
var callFaults = []fault{
	{"depth taken for a class by the definition", "onehot_generic.go", once("return class, uint64(class) < uint64(depth)", "return class, uint64(class) <= uint64(depth)"), testIn(".", "TestDefinitionIsWhatCallsWrite"), ""},
	{"a wrap for unsigned indices", "onehot_generic.go", once("if zero := I(0); zero-1 > zero {", "if zero := I(0); zero-1 > zero && zero != 0 {"), test("TestEncodeSpecialIndices"), ""},
	{"a miss without cells written to", "columns.go", once("misses++; depth > 0 {", "misses++; depth >= 0 {"), testIn(conformance, "TestColumnWithoutCellsEndsAllocation", "-race").on("gcc").with("CGO_ENABLED=1"), "checkptr: pointer arithmetic"},
	{"misses of columns after the first 64 forgotten", "route_sets.go", once("where |= 1 << (c % wordBits)", "where |= 1 << c"), test("TestMissOfOneColumn").on(avx2), ""},
	{"a miss whose last cell is off", "route_scatter.go", once("depth&1 != 0 {\n\t\t\t\t\t*", "depth&1 > 1 {\n\t\t\t\t\t*"), test("TestMiss"), ""},
	{"columns of misses off by one, where planes are copied", "route_scatter.go", once("scatterWith(run, in, off, nil, &shared, wrap)", "scatterWith(run[1:], in, off, nil, &shared, wrap)"), test("TestMissGapsAndSizes"), ""},
	{"a Plane too short by one accepted", "check.go", once("plane < l.inner {", "plane < l.inner-1 {"), test("TestPlaneErrors"), ""},
	{"a Plane forgotten by what is needed", "check.go", once("size.Product(max(depth-1, 0), l.plane)", "size.Product(max(depth-1, 0), l.inner)"), test("TestPlaneErrors"), ""},
	{"a Plane forgotten by scatter", "route_scatter.go", once("a, on, l.depth, step, l.plane)", "a, on, l.depth, step, l.inner)"), test("TestPlaneRaggedBatch"), ""},
	{"a Miss forgotten by Update", "update.go", once("case m.hasMiss && !has:\n\t\tmissCells(unsafe.Pointer(&dst[0]), m.miss,", "case m.hasMiss && !has:\n\t\tmissCells(unsafe.Pointer(&dst[0]), m.off,"), test("TestUpdateOfMisses"), ""},
	{"a Miss left by Update", "update.go", once("case m.hasMiss && !had:", "case m.hasMiss && !had && m.plane > 1:"), test("TestMissGapsAndSizes").on(avx2), ""},
	{"Recode's bits of the first block again, without bytes", "recode.go", once("valid.from(n)", "valid.from(0*n)"), test("TestRecodeBlocks"), ""},
	{"Recode's bits of the first block again", "recode.go", once("c.valid.from(index)", "c.valid.from(0*index)"), test("TestRecodeBlocks").on(avx2), ""},
	{"Recode's codes that a byte does not hold, by bytes", "recode.go", once("&& misses > nulls {", "&& misses > nulls+1 {"), test("TestRecodeNear").on(avx2), ""},
	{"Recode's bits behind such codes again", "recode.go", once("rebased.from(done)", "rebased.from(0*done)"), test("TestRecodeNear").on(avx2), ""},
	{"Recode's codes in place without a buffer", "recode.go", once("c.in.ptr != c.dst && ", ""), test("TestRecodeBlocks").on(avx2), ""},
	{"Recode's entries that are none not counted", "recode.go", once("\t\t\tmisses += isNone(code)\n", ""), test("TestRecodeEveryIndex"), ""},
	{"Recode's entries that are none not counted, the last of four", "recode.go", once(" + isNone(fourth)", ""), test("TestRecodeEveryOffset"), ""},
	{"Recode's entries that are none counted by three of four vectors", amd64Kernels, inKernel("nones32AVX2", `^\tVPCMPEQD +96\(\w+\), .*\n`, ""), direct("avx2", "nones"), ""},
	{"Recode's entries that are none counted byte by byte", arm64Kernels, inKernel("nones64NEON", `^\tLSR +\$3, tmp\n`, ""), directOnARM("nones"), ""},
	{"Recode's entries that are none not counted by the kernel", "recode.go", once("misses += nones(dst[:n])", "misses += nones(dst[:plan.Least])"), test("TestRecodeBlocks").on(avx2), ""},
	{"Recode's wide codes that a byte does not hold, by bytes", "recode.go", once("if all > none {", "if all > none+1 {"), test("TestRecodeBlocks").on(avx2), ""},
	{"Recode's entries that are none not counted in wide codes", "recode.go", once("\t\tmisses = textOf(from, to,", "\t\ttextOf(from, to,"), test("TestRecodeBlocks").on(avx2), ""},
	{"Recode's entries that are none not looked for", "recode.go", once("holes := mayHaveHoles(table, len(indices))", "holes := len(table) > len(indices)"), test("TestRecode"), ""},
	{"Recode's floats above -1 without a table", "recode.go", once("uint64(class) <= largest {", "uint64(class-1) < largest {"), test("TestRecodeBlocks"), ""},
	{"gaps of a small table forgotten", "columns.go", once("first += stride - total", "first += 0"), test("TestEncodeColumns"), ""},
	{"staged bits over the first", "route_scatter.go", once("copy(dst[d*l.plane+word:][:n],", "copy(dst[d*l.plane:][:n],"), test("TestCrowdedPlanes"), ""},
	{"ExpandBits reads bits behind a plane", "bits.go", once("word &= 1<<(n-i) - 1", "word &= 1<<(n-i) | (1<<(n-i) - 1)"), test("TestExpandBits"), ""},
	{"ExpandBits of boards that have no room", "bits.go", once(" || planes*n > len(dst) ||", " || planes*n > len(dst)+n ||"), test("TestExpandBitsErrors"), ""},
	{"ExpandBits of boards that lie over their bits", "bits.go", once("overlaps(spanOf(dst), planes*n, spanOf(bits)) {", "overlaps(spanOf(dst), planes, spanOf(bits)) {"), test("TestExpandBitsErrors"), ""},
	{"ExpandBits with wrong bits in the last line", "route_sets.go", once(" >> (first % wordBits)", ""), test("TestExpandBits").on(avx2), ""},
	{"ExpandBits with bits of one word in a last line of two", "route_sets.go", once("wordBits; more > 0 {", "wordBits; more > wordBits {"), test("TestExpandBits").on(avx2), ""},
	{"a part of a parallel call too short", "job.go", once("return j.cut(from, from, j.part(j.outer, to-from))", "return j.cut(from, from, j.part(j.outer, max(to-from-1, 1)))"), test("TestEncodeParallelEveryCut"), ""},
	{"a parallel part with the first indices", "job.go", once("return j.cut(from*j.stride, from*j.indexStride,", "return j.cut(from*j.stride, 0*j.indexStride,"), test("TestEncodeParallel"), ""},
	{"misses of a parallel part lost", "parallel.go", once("c.misses.Add(int64(part.run()))", "c.misses.Store(int64(part.run()))"), test("TestEncodeParallel"), ""},
	{"a late helper that does not ask for a part", "parallel.go", once("int(k) < len(c.borders);", "int(k) < len(c.borders)+1;"), testIn(".", "TestLateHelperTouchesNothing"), ""},
	{"few rows without wrap", "onehot.go", once("classOf(x, depth, s.Negative.wrap(depth))", "classOf(x, depth, 0*s.Negative.wrap(depth))"), test("TestEncodeEveryLength"), ""},
	{"rows and planes at once without wrap", "onehot.go", once("int(wrapOf[I](s.Negative.wrap(depth)))", "int(wrapOf[I](0 * s.Negative.wrap(depth)))"), test("TestEncodeEveryLength").on(avx2), ""},
	{"unsigned indices at once that wrap", "onehot.go", once("int(wrapOf[I](s.Negative.wrap(depth)))", "s.Negative.wrap(depth)"), test("TestEncode").on(avx2), ""},
	{"more planes at once than there is room for", "route_small.go", once("return n <= len(smallBuffer{}) ||", "return n <= 8*len(smallBuffer{}) ||"), test("TestEncodeLongPlanes").on(avx2), ""},
	{"a column of planes at once left out", "route_small.go", once("n*width, classes, 1, n, 0, depth,", "n*width, classes, 1, n-1, 0, depth,"), test("TestEncodeEveryInner").on(avx2), ""},
	{"an unannounced write of rows at once", "route_small.go", once("race.Range(dst, n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tv.ahead", "race.Range(dst, 0*n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tv.ahead"), races("expand"), ""},
	{"an unannounced read of rows at once", "route_small.go", once("race.Range(dst, n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tv.ahead", "race.Range(dst, n*depth*width, true)\n\trace.Range(indices, 0*n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tv.ahead"), races("expand"), ""},
	{"an unannounced write of planes at once", "route_small.go", once("race.Range(dst, n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tif !plan", "race.Range(dst, 0*n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tif !plan"), races("board"), ""},
	{"an unannounced read of planes at once", "route_small.go", once("race.Range(dst, n*depth*width, true)\n\trace.Range(indices, n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tif !plan", "race.Range(dst, n*depth*width, true)\n\trace.Range(indices, 0*n*indexSizes[typ], false)\n\tclasses := unsafe.Add(dst, n*(depth*width-1))\n\tif !plan"), races("board"), ""},
	{"few rows that overlap", "onehot.go", once(" || overlaps(spanOf(dst), n*depth, spanOf(indices))", " || overlaps(spanOf(dst), n*depth-1, spanOf(indices))"), test("TestEncodeErrors"), ""},
	{"blocks of few columns as one block", "onehot.go", once("case s.Inner > 1 && s.Inner != n:", "case s.Inner > n:"), test("TestEncodeEveryInner"), ""},
	{"blocks of few columns with a Miss a cell early", "onehot.go", once("depth, s.Inner, s.Inner, depth*s.Inner,", "depth, s.Inner, s.Inner, depth*s.Inner-1,"), test("TestMiss"), ""},
	{"few columns that are no multiple of Inner", "small.go", once("uint32(n)%uint32(s.Inner) == 0 //", "uint32(n)%uint32(s.Inner) >= 0 //"), test("TestEncodeErrors"), ""},
	{"the fourth of few columns in the place of the third", "route_scatter.go", once("*nth[E](unsafe.Add(to, 3*size), intOf(z, d)*plane+i) = on\n\t\t}\n\t\tfor ; i < inner", "*nth[E](unsafe.Add(to, 2*size), intOf(z, d)*plane+i) = on\n\t\t}\n\t\tfor ; i < inner"), test("TestEncodeEveryInner"), ""},
	{"the fourth of some columns in the place of the third", "route_scatter.go", once("*nth[E](unsafe.Add(to, 3*size), intOf(z, d)*plane+i) = on\n\t\t}\n\t\tfor last", "*nth[E](unsafe.Add(to, 2*size), intOf(z, d)*plane+i) = on\n\t\t}\n\t\tfor last"), test("TestEncodeEveryInner"), ""},
	{"few rows of which a miss is a row early", "small.go", once("missRow(unsafe.Add(to, row*size)", "missRow(unsafe.Add(to, max(row-depth, 0)*size)"), test("TestMiss"), ""},
	{"few rows whose Miss is read behind the fill", "onehot.go", once("miss := copyOf(s.Miss)", "miss := s.Miss"), test("TestMissInsideDst"), ""},
	{"few columns whose Miss is read behind the fill", "onehot.go", once("miss := copyOf(s.Miss)", "miss := s.Miss\n\tif s.Inner <= 1 {\n\t\tmiss = copyOf(miss)\n\t}"), test("TestMissInsideDst"), ""},
	{"a short text whose Miss is read behind the fill", "small.go", once("in.alphabet, s.On, miss, depth, step", "in.alphabet, s.On, *s.Miss, depth, step"), test("TestMissInsideDst"), ""},
	{"a short text in planes as a row", "small.go", once("step, plane = 1, n\n", "step, plane = 1, 1\n"), test("TestEncodeText"), ""},
	{"the fourth of few rows in the place of the third", "onehot.go", once("nth[V](to, row+intOf(z, d))", "nth[V](to, row-depth+intOf(z, d))"), test("TestEncodeEveryLength"), ""},
	{"few rows that take a class too many", "onehot.go", once("limit, i := s.On, 0, limitOf[I](depth), ", "limit, i := s.On, 0, limitOf[I](depth+1), "), test("TestGuardPagesOfSmallCalls"), ""},
	{"few rows whose last bytes are not zeroed", "fill.go", once("unsafe.Add(p, bytes-four)", "unsafe.Add(p, 0*bytes)"), test("TestEncodeEveryLength"), ""},
	{"few rows zeroed behind their end", "fill.go", once("i < bytes-four; i +=", "i < bytes; i +="), test("TestEncodeEveryLength"), ""},
	{"a short text whose last byte stays", "small.go", once("\t\tzeroSmall(unsafe.Pointer(unsafe.SliceData(dst)), bytes)", "\t\tzeroSmall(unsafe.Pointer(unsafe.SliceData(dst)), bytes-1)"), test("TestEncodeText"), ""},
	{"few bytes of a pattern whose end is off", "fill.go", once("min(i+plan.SmallStore, bytes-plan.SmallStore)", "min(i+plan.SmallStore-1, bytes-plan.SmallStore)"), test("TestEncodeEveryDepth"), ""},
	{"a few bytes of which the last is not filled", "fill.go", once("storeTwice[[8]byte](to, bytes, &pattern)", "storeTwice[[8]byte](to, bytes-1, &pattern)"), test("TestEncodeEveryDepth"), ""},
	{"sets of two in one row", "route_scatter.go", once("row += stride {\n\t\tend, two :=", "row += 0 * stride {\n\t\tend, two :="), test("TestMultiHot"), ""},
	{"two of a set of six from the first one", "route_scatter.go", once("\t\t\ttwo := (*[2]I)(unsafe.Pointer(&sets[i]))", "\t\t\ttwo := (*[2]I)(unsafe.Pointer(&sets[0]))"), test("TestMultiHot"), ""},
	{"rows of one class that ignore what a negative one means", "multihot.go", once("return Encode(dst, indices, s)", "s.Negative = Ignore\n\t\treturn Encode(dst, indices, s)"), test("TestMultiHot"), ""},
	{"small bit planes that share their first word", "route_scatter.go", once("to = unsafe.Add(to, 8)", "to = unsafe.Add(to, 0)"), test("TestEncodeBits"), ""},
	{"few sets in rows too close", "multihot.go", once("k, s.On, depth, depth, s.Negative", "k, s.On, depth, depth-1, s.Negative"), test("TestMultiHot"), ""},
	{"a column that starts where the last one does", "columns.go", once("first += depth\n\t\t}\n\t\tfirst +=", "first += depth - c%2\n\t\t}\n\t\tfirst +="), test("TestEncodeColumns"), ""},
	{"a column that starts where the last one does, column by column", "route_scatter.go", once("first += depth\n\t}\n\treturn misses\n}\n\n// scatterSets", "first += depth - c%2\n\t}\n\treturn misses\n}\n\n// scatterSets"), test("TestEncodeColumns"), ""},
	{"a column with a Miss that starts where the last one does", "route_scatter.go", once("\t\t\tfirst += depth\n\t\t}\n\t}\n", "\t\t\tfirst += depth - c%2\n\t\t}\n\t}\n"), test("TestMissOfColumns"), ""},
	{"a column of a few rows that starts where the last one does", "route_scatter.go", once("\t\t\tfirst += depth\n\t\t}\n\t}\n", "\t\t\tfirst += depth - c%2\n\t\t}\n\t}\n"), test("TestEncodeColumns"), ""},
	{"the first rows of a column scattered again", "route_scatter.go", once("columns[c][from+row:][:n]", "columns[c][from+0*row:][:n]"), test("TestEncodeColumns"), ""},
	{"a decoded row whose last cell is not looked at", "decode.go", once("next < len(row) && row[next] == off;", "next < len(row) && (row[next] == off || next == len(row)-1);"), test("TestDecodeEveryLength"), ""},
	{"raw planes of a small call as rows", "small.go", once("l.setPlain(blocks, depth, max(s.Inner, 1))", "l.setPlain(n+0*blocks, depth, 1)"), test("TestEncodeRaw").on(avx2), ""},
	{"small blocks of planes but the first left out", "small.go", once("l.setPlain(blocks, depth, s.Inner)\n\tfillSmall", "l.setPlain(min(blocks, 1), depth, s.Inner)\n\tfillSmall"), test("TestEncodeEveryInner").on(avx2), ""},
	{"blocks of text but the first at its place", "route_scatter.go", once("text[o*l.indexStride:][:inner]", "text[:inner]"), test("TestEncodeText").on(avx2), ""},
	{"rows over classes that are not read yet", "internal/plan/small.go", once("if left*row >= block {", "if left*row > 0 {"), testIn(".", "TestRowsOverClasses").on(avx2), ""},
	{"rows of two bytes over classes that are not read yet", "internal/plan/small.go", once(" || row == 2", ""), testIn(".", "TestRowsOverClasses").on(avx2), ""},
	{"last rows of a small call that are not filled", "small.go", once("\t\tcells[i] = s.Off\n", "\t\t_ = i\n"), test("TestMissInsideDst").on(avx2), ""},
	{"small calls with last rows whose Miss is zero", "small.go", once("s.missBits()}\n\tcells := ", "values{}.miss}\n\tcells := "), test("TestMissInsideDst").on(avx2), ""},
	{"a small call with its planes apart", "route_small.go", once("width, dst, 0, plane, classes, 1, in.len, 0, depth,", "width, dst, 0, plane, classes, 1, in.len-1, 0, depth,"), test("TestEncodeLongPlanes").on(avx2), ""},
	{"planes apart that touch in a small call", "small.go", once("plane*width, s.Miss != nil", "n*width, s.Miss != nil"), test("TestPlaneRaggedBatch").on(avx2), ""},
	{"boards written over each other", "route_small.go", once("planesByColumnsOf(width, to, stride,", "planesByColumnsOf(width, to, 0*stride,"), test("TestEncodeEveryInner").on(avx2), ""},
	{"an unannounced write of boards", "route_small.go", once("race.Runs(to, stride, blocks, depth*plane, true)", "race.Runs(to, stride, blocks, 0*plane, true)"), races("boards"), ""},
	{"classes of a small block where its own rows will be", "route_small.go", once("spare = unsafe.Add(dst, size*row)\n", "spare = dst\n"), test("TestEncodeSmallBlocks").on(avx2), ""},
	{"classes of small blocks where the rows of the one before the last will be", "route_small.go", once("spare := unsafe.Add(dst, in.len*row-size)", "spare := unsafe.Add(dst, max(in.len*row-4*size, 2*size*row))"), test("TestEncodeSmallBlocks").on(avx2), ""},
	{"blocks of few columns but the first a block early", "route_scatter.go", once("to = unsafe.Add(to, stride*size)", "to = unsafe.Add(to, (stride-1)*size)"), test("TestEncodeEveryInner"), ""},
	{"short runs between gaps whose ends stay", "fill.go", once("bytes-int(unsafe.Sizeof(unit)))) = unit", "bytes/2-int(unsafe.Sizeof(unit))/2)) = unit"), test("TestEncodeGaps"), ""},
	{"the blocks of a small call with gaps without them", "small.go", once("miss, depth, inner, inner, stride, wrap)", "miss, depth, inner, inner, depth*inner, wrap)"), test("TestEncodeGaps"), ""},
	{"rows of a small call with gaps whose misses are on", "small.go", once("copyOf(s.Miss)\n\tif stride", "copyOf(s.Miss)\n\tif miss != nil {\n\t\tmiss = &s.On\n\t}\n\tif stride"), test("TestMissGapsAndSizes"), ""},
	{"a symbol without a class written to the first column", "route_scatter.go", once("misses++\n\t\t\tcell := column\n", "misses++\n\t\t\tcell := 0 * column\n"), test("TestMiss"), ""},
	{"a call of no classes that looks for a cell for its Miss", "small.go", once("if depth == 0 { // there is no cell", "if depth < 0 { // there is no cell"), test("TestNoErrors"), ""},
	{"a miss of planes written to the first column", "route_scatter.go", once("missColumn(unsafe.Add(to, i*size)", "missColumn(unsafe.Add(to, 0*i*size)"), test("TestMiss"), ""},
	{"the last plane of a miss without it", "route_scatter.go", once("for d := depth; d > 1; d -= 2 {\n\t\t*nth[E]", "for d := depth - 1; d > 1; d -= 2 {\n\t\t*nth[E]"), test("TestMiss"), ""},
	{"few misses of small planes that are off", "small.go", once("n), on, &miss, depth, n, wrap)", "n), on, []*V{&off, &miss}[0], depth, n, wrap)"), test("TestFewMisses"), ""},
	{"a job that does not prefetch", "job.go", once("j.ahead = !p.Stream && ", "j.ahead = false && "), testIn(".", "TestPrefetchesOutput").on(avx512), ""},
	{"small rows that do not prefetch", "route_small.go", once("v.ahead = v.ahead || plan.PrefetchesCells(in.len*row)", "v.ahead = false"), testIn(".", "TestPrefetchesOutput").on(avx512), ""},
	{"tables that do not prefetch", "route_sets.go", once("columnSets(t *tableColumns, p *plan.Plan) (misses int) {\n\tj.prefetches(p)\n", "columnSets(t *tableColumns, p *plan.Plan) (misses int) {\n"), testIn(".", "TestPrefetchesOutput").on(avx512), ""},
	{"sets that do not prefetch", "route_sets.go", once("multiHotSets(k int, p *plan.Plan) (misses int) {\n\tj.prefetches(p)\n", "multiHotSets(k int, p *plan.Plan) (misses int) {\n"), testIn(".", "TestPrefetchesOutput").on(avx512), ""},
	{"sets without room for their bits", "internal/plan/sets.go", once("words(depth) <= aheadWords && aheadSet", "aheadSet"), testIn("./internal/plan", "TestSetsFit"), ""},
	{"bits that do not prefetch", "bits.go", once("e.ahead = plan.PrefetchesCells(planes * row)", "e.ahead = false"), testIn(".", "TestPrefetchesOutput").on(avx512), ""},
	{"cells that prefetch and repeat their bits", amd64Kernels, inKernel("cells16AVX512", `(\naheadvector:\n(?:\t.*\n)*?)\tSHRQ .*\n`, "$1"), direct("avx512", "cells"), ""},
	{"cells that prefetch and repeat their bits, as users would see it", amd64Kernels, inKernel("cells32AVX512", `(\naheadvector:\n(?:\t.*\n)*?)\tSHRQ .*\n`, "$1"), test("TestIntel").on(avx512), ""},
	{"short rows of cells that prefetch and stand still", amd64Kernels, inKernel("cells8AVX512", `(\naheadsingle64:\n(?:\t.*\n)*?\tVMOVDQU64 .*\n)\tADDQ .*\n`, "$1"), test("TestIntel").on(avx512), ""},
	{"rows that prefetch and lose count", amd64Kernels, inKernel("rows32AVX512", `(\nahead:\n(?:\t.*\n)*?)\tVPADDB .*\n`, "$1"), direct("avx512", "rows"), ""},
	{"rows that prefetch and lose count, as users would see it", amd64Kernels, inKernel("rows32AVX512", `(\nahead:\n(?:\t.*\n)*?)\tVPADDB .*\n`, "$1"), test("TestIntel").on(avx512), ""},
	{"columns that prefetch and store to the next round", amd64Kernels, inKernel("planesByColumns64AVX512", `(\nplaneahead:\n(?:\t.*\n)*?\tVMOVDQU64 +\w+, )\(`, "${1}256("), test("TestIntel").on(avx512), ""},
	{"planes that prefetch and leave out a rest", amd64Kernels, inKernel("planesAVX512", `(\naheadrest:\n\tCMPQ .*\n\t)JEQ `, "${1}JMP "), test("TestIntel").on(avx512), ""},
	{"the Miss of small planes read after their classes", "small.go", once("off: elementOf(off), miss: elementOf(miss)}", "off: elementOf(off), miss: s.missBits()}"), test("TestMissInsideDst").on(avx2), ""},
	{"the Miss of small planes read after they are filled", "small.go", once("\t\treturn scatterPlanes(to", "\t\tmiss = *s.Miss\n\t\treturn scatterPlanes(to"), test("TestMissInsideDst"), ""},
	{"a miss of few columns written to the first", "route_scatter.go", once("\t\t\t\tcell := i\n", "\t\t\t\tcell := 0\n"), test("TestMiss"), ""},
	{"a large update of planes as of rows", "update.go", once("l.setPlain(1, s.Depth, n)", "l.setPlain(n, s.Depth, 1)"), test("TestUpdateIsEncode"), ""},
	{"the rows of a small call with gaps without them", "small.go", once("s.On, miss, depth, stride, wrap)", "s.On, miss, depth, depth, wrap)"), test("TestEncodeGaps"), ""},
	{"a small call with gaps beyond its output", "small.go", once("all <= int64(room)", "all <= int64(room+1)"), test("TestEncodeErrors").on(avx2), ""},
	{"a small call with gaps whose span lacks one", "small.go", once("int64(blocks-1)*int64(stride)", "int64(max(blocks-2, 0))*int64(stride)"), test("TestEncodeErrors").on(avx2), ""},
	{"a small call whose last block is lost", "route_small.go", once("unsafe.Add(dst, i*step), plane,", "unsafe.Add(dst, 0*i*step), plane,"), test("TestEncodeEveryDepthInTiles").on(avx2), ""},
	{"planes of the classes of the block before", "route_blocks.go", once("\tw.narrow = at + n\n", "\tif index == 0 {\n\t\tw.narrow = at + n\n\t}\n"), test("TestEncodeLargePlanes").on(avx2), ""},
	{"planes of a small call whose blocks start with the first", "route_small.go", once("block, first := in.from(b*inner+i)", "block, first := in.from(i)"), test("TestEncodeLargePlanes").on(avx512), ""},
	{"wide classes of a small call over the narrow ones", "route_small.go", once("\t\t\t\tclasses = first\n", "\t\t\t\tclasses = unsafe.Add(wide, 0*uintptr(first))\n"), test("TestEncodeLargePlanes").on(avx512), ""},
	{"boards over classes in a gap", "route_small.go", once("stride == depth*plane || in.len <= depth*plane", "true"), test("TestEncodeGaps").on(avx2), ""},
	{"planes over classes that are not read yet", "internal/plan/small.go", once("inner%Least == 0 && n <= LargeBlock", "inner%Least >= 0 && n <= LargeBlock"), test("TestEncodeEveryInner").on(avx2), ""},
	{"planes of a small call over each other", "route_small.go", once("unsafe.Add(to, b*stride+i*width)", "unsafe.Add(to, i*width)"), test("TestEncodeLargePlanes").on(avx512), ""},
	{"columns of a small call over each other", "route_small.go", once("unsafe.Add(to, b*stride+i*width)", "unsafe.Add(to, b*stride)"), test("TestEncodeLargePlanes").on(avx512), ""},
	{"planes of a small call that lose their misses", "route_small.go", once("\t\t\tmisses += missed\n", "\t\t\tmisses = missed\n"), test("TestEncodeLargePlanes").on(avx512), ""},
	{"rows with a miss whose classes have the highest bit", "internal/plan/rows.go", once("\t\treturn byteMiss\n", "\t\treturn byteMiss + 1\n"), direct("avx2", "rowsMiss"), ""},
	{"rows with columns beyond a byte on NEON", "internal/plan/rows.go", once("\t\treturn neonDepth\n", "\t\treturn neonDepth + 1\n"), directOnARM("rows"), ""},
	{"rows of more classes than a byte tells apart", "internal/plan/rows.go", once("\treturn MaxDepth\n", "\treturn MaxDepth + 1\n"), test("TestEncodeEveryDepth").on(avx512), ""},
	{"short rows of bytes whose misses lie two behind", amd64Kernels, inKernel("rowsMiss8AVX512", `LEAQ         -1\(R9\)\(R9`, "LEAQ         1(R9)(R9"), test("TestMiss").on(avx512), ""},
	{"wide rows with misses whose codes are not shifted", amd64Kernels, inKernel("rowsMiss32AVX512", `(VPSRLD +)\$0x10`, "${1}$$0x08"), test("TestMiss").on(avx512), ""},
	{"deep rows whose misses are off", amd64Kernels, inKernel("rowsMiss8AVX512", `(\tVPTERNLOGD +\$)0xff`, "${1}0x00"), test("TestMissGapsAndSizes").on(avx512), ""},
	{"few raw rows with on and off exchanged", "raw.go", once("order.Uint32(s.On), order.Uint32(s.Off)", "order.Uint32(s.Off), order.Uint32(s.On)"), test("TestEncodeRaw"), ""},
	{"the most common raw cells with off for on", "raw.go", once("On: order.Uint32(s.On), Negative", "On: order.Uint32(s.Off), Negative"), test("TestEncodeRaw"), ""},
	{"the most common raw cells with off as without", "raw.go", once(" && order.Uint32(s.Off) == 0 {", " {"), test("TestEncodeRaw"), ""},
	{"few raw rows with off and an Inner below 0", "raw.go", once("case !zero && uint(inner) > 1:", "case !zero && inner > 1:"), test("TestEncodeRawErrorsOfEveryType"), ""},
	{"few raw planes as rows", "raw.go", once("elementsOf[int32](indices), Spec[V]{Depth: depth, Inner: inner,", "elementsOf[int32](indices), Spec[V]{Depth: depth, Inner: min(inner, 1),"), test("TestEncodeRaw"), ""},
	{"raw cells with off as without", "raw.go", once("s.On[0], s.Off[0])", "s.On[0], s.Off[0]&0)"), test("TestEncodeRaw"), ""},
	{"tensors of most calls whose shapes differ", "internal/operator/short.go", once("dim != dst.Shape[i]", "dim != dst.Shape[0*i]"), testIn("./internal/operator", "TestShortRefusesWhatIsWrong"), ""},
	{"tensors of most calls with a depth in dst", "internal/operator/short.go", once("uint64(len(out)) || knownSlice(out, reflect.Float32).overlaps(knownSlice(d, reflect.Int64)) {", "uint64(len(out)) {"), testIn("./internal/operator", "TestShort32Overlap"), ""},
	{"an update that sets and leaves", "update.go", once("\tcase had:\n", "\tcase had && has:\n"), test("TestUpdateIsEncode"), ""},
	{"the depth of one column in dst", "columns.go", once(" || overlaps(spanOf(dst), len(dst), spanOf(depths)) || s.Depth", " || s.Depth"), test("TestEncodeColumnsErrors"), ""},
	{"misses that have not changed not counted", "update.go", once("\t\t\t\tmisses++\n\t\t\t}\n\t\t}\n\t}\n\treturn len(next), misses", "\t\t\t\tmisses += 0\n\t\t\t}\n\t\t}\n\t}\n\treturn len(next), misses"), test("TestUpdateCountsMissesThatStay"), ""},
	{"the last run between equal gaps left out", "fill.go", once("runs*l.outer, l.plane", "runs*l.outer-1, l.plane"), test("TestRunsBetweenGaps"), ""},
	{"a small update that leaves what it sets", "update.go", once("*nth[E](to, row+from) = off", "*nth[E](to, row+from) = on"), test("TestUpdateIsEncode"), ""},
}

// houseFaults are about what is generated and where it may run.
var houseFaults = []fault{
	{"a stale generated file", amd64Kernels, stale, freshStep, "FAILED"},
	{"a stale generated file of arm64", arm64Kernels, stale, testOfAsm("./arm64", "TestFresh"), ""},
	{"a kernel above its tier", amd64Kernels, aboveTier, testOfAsm("./verify", "TestKernels"), ""},
	{"a kernel above its tier, executed", amd64Kernels, aboveTier, haswell, "SIGILL"},
	{"a tier that does not ask for all it uses", "internal/tier/tier_amd64.go", once(" && cpu.X86.HasBMI2", ""), testOfAsm("./verify", "TestGate"), ""},
	{"a threshold outside the plan", "decode.go", once("j.depth > plan.HitRow ||", "j.depth > 1024 ||"), testIn("./internal/plan", "TestThresholdsStandHere"), ""},
}
