package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// arches are the architectures with assembly.
var arches = []struct {
	goarch string
	check  func(*kernel) []string
	floor  int // with fewer kernels, something was not read
}{
	{"amd64", checkAMD64, 80},
	{"arm64", checkARM64, 30},
}

// TestKernels checks every committed kernel against the rules.
func TestKernels(t *testing.T) {
	for _, a := range arches {
		t.Run(a.goarch, func(t *testing.T) {
			kernels := committed(t, a.goarch)
			if len(kernels) < a.floor {
				t.Fatalf("only %d kernels were read", len(kernels))
			}
			for _, k := range kernels {
				for _, fault := range a.check(&k) {
					t.Error(fault)
				}
			}
			faults, err := checkStubs(filepath.Join(root, "zkernels_"+a.goarch+".go"), kernels)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}

// committed returns the kernels of all assembly files of an architecture.
func committed(t *testing.T, goarch string) (kernels []kernel) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "*_"+goarch+".s"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly for %s: %v", goarch, err)
	}
	for _, file := range files {
		k, err := assemble(goarch, file)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k...)
	}
	return kernels
}

// TestGate compares the extensions that kernels may use with those for which
// the library tests.
func TestGate(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "internal", "tier", "tier_amd64.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range checkGate(string(source)) {
		t.Error(fault)
	}
	for _, feature := range []string{" && cpu.X86.HasPOPCNT", " && cpu.X86.HasBMI1", " && cpu.X86.HasAVX512VBMI2", "cpu.X86.HasAVX512DQ && ", " && cpu.X86.HasBMI2"} {
		without := strings.Replace(string(source), feature, "", 1)
		if without == string(source) {
			t.Errorf("nothing to leave out: %q", feature)
		} else if len(checkGate(without)) == 0 {
			t.Errorf("a gate without %q passes", feature)
		}
	}
}

// TestPlantedFaults checks the checks: each of these faults must be found and
// reported in the words given with it.
func TestPlantedFaults(t *testing.T) {
	for _, p := range []struct{ goarch, text, want string }{
		{"amd64", "TEXT ·fineAVX2(SB), NOSPLIT, $0-8\n\tMOVQ n+0(FP), AX\n\tVPADDD (AX)(CX*4), Y1, Y2\n\tVZEROUPPER\n\tRET\n", ""},
		{"amd64", "TEXT ·fineAVX512(SB), NOSPLIT, $0\n\tVPERMB Z1, Z2, K1, Z3\n\tVPSHLDW $8, Z1, Z2, Z3\n\tVZEROUPPER\n\tRET\n", ""},
		{"amd64", "TEXT ·fine(SB), NOSPLIT, $0\n\tTESTQ AX, AX\n\tJAE out\n\tJCS out\nout:\n\tRET\n", ""},
		{"amd64", "TEXT ·fine(SB), NOSPLIT, $0\n\tREP\n\tSTOSQ\n\tRET\n", ""},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tVPADDD Z1, Z1, Z1\n\tVZEROUPPER\n\tRET\n", "needs AVX512F"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tVPADDD Y17, Y1, Y1\n\tVZEROUPPER\n\tRET\n", "encoded with EVEX"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tVPCMPEQB X1, X2, K1\n\tRET\n", "needs AVX512"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tKMOVQ AX, K1\n\tRET\n", "needs AVX512BW"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tSHLXQ AX, BX, CX\n\tRET\n", "needs BMI2"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tLZCNTQ AX, CX\n\tRET\n", "needs LZCNT"},
		{"amd64", "TEXT ·xAVX512(SB), NOSPLIT, $0\n\tVPOPCNTB Z1, Z2\n\tVZEROUPPER\n\tRET\n", "needs AVX512BITALG"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tVPXOR X1, X1, X1\n\tRET\n", "needs AVX,"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tPSHUFB X1, X1\n\tRET\n", "needs SSSE3"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tVPADDD Y1, Y1, Y1\n\tRET\n", "no VZEROUPPER"},
		{"amd64", "TEXT ·xAVX2(SB), NOSPLIT, $0\n\tVPADDD Y1, Y1, Y1\n\tJNE out\n\tVZEROUPPER\nout:\n\tRET\n", "jumps past VZEROUPPER"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tXORQ R14, R14\n\tRET\n", "R14 belongs"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tMOVQ (R15)(AX*1), AX\n\tRET\n", "R15 belongs"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tXORQ BP, BP\n\tRET\n", "BP belongs"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tMOVQ AX, -8(SP)\n\tRET\n", "SP belongs"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $16-0\n\tRET\n", "stack frame"},
		{"amd64", "TEXT ·x(SB), $0\n\tRET\n", "not NOSPLIT"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tSTD\n\tRET\n", "direction flag"},
		{"amd64", "TEXT ·x(SB), NOSPLIT, $0\n\tXORQ AX, AX\n", "runs on"},
		{"arm64", "TEXT ·fineNEON(SB), NOSPLIT, $0-8\n\tMOVD n+0(FP), R0\n\tVADD V0.B16, V1.B16, V2.B16\n\tRET\n", ""},
		{"arm64", "TEXT ·fineNEON(SB), NOSPLIT, $0\n\tADD $0x123456789, R0, R1\n\tRET\n", ""},
		{"arm64", "TEXT ·fineNEON(SB), NOSPLIT, $0\n\tB ·restNEON<>(SB)\n\nTEXT ·restNEON<>(SB), NOSPLIT, $0\n\tRET\n", ""},
		{"arm64", "TEXT ·restNEON<>(SB), NOSPLIT, $0\n\tMOVD g, R0\n\tRET\n", "R28 is g"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tMOVD $1, R18_PLATFORM\n\tRET\n", "R18 belongs"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tADD $1, R27, R0\n\tRET\n", "R27 belongs"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tMOVD g, R0\n\tRET\n", "R28 is g"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tMOVD R29, R0\n\tRET\n", "belongs to the stack"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tMOVD R0, -8(RSP)\n\tRET\n", "belongs to the stack"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tAESE V0.B16, V1.B16\n\tRET\n", "optional"},
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $0\n\tWORD $0x04200000\n\tRET\n", "not ARMv8.0"}, // add z0.b, z0.b, z0.b of SVE
		{"arm64", "TEXT ·xNEON(SB), NOSPLIT, $32-0\n\tRET\n", "stack frame"},
	} {
		file := filepath.Join(t.TempDir(), "planted.s")
		if err := os.WriteFile(file, []byte("#include \"textflag.h\"\n"+p.text), 0o644); err != nil {
			t.Fatal(err)
		}
		kernels, err := assemble(p.goarch, file)
		if err != nil {
			t.Error(err)
			continue
		}
		var faults []string
		for _, a := range arches {
			if a.goarch == p.goarch {
				faults = a.check(&kernels[0])
			}
		}
		switch all := strings.Join(faults, "\n"); {
		case p.want == "" && all != "":
			t.Errorf("%s\nis fine, and yet: %s", p.text, all)
		case p.want != "" && !strings.Contains(all, p.want):
			t.Errorf("%s\nis not found to be %q, but: %s", p.text, p.want, all)
		}
	}
}
