package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// checkARM64 reports every rule of arm64 that a kernel breaks. It reads the
// machine code alone, because the listing's registers have been through
// #define.
func checkARM64(k *kernel) []string {
	faults := checkShape(k)
	report := func(in *instruction, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s, %s: %s", k.name, in, fmt.Sprintf(format, args...)))
	}
	for i := range k.body {
		in := &k.body[i]
		for code := in.code; len(code) >= 4; code = code[4:] {
			if (in.op == "RET" || in.op == "JMP") && i == len(k.body)-1 && slices.Equal(code[:4], []byte{0, 0, 0, 0}) {
				break // padding after the end
			}
			decoded, err := arm64asm.Decode(code)
			if err != nil {
				report(in, "%x is not ARMv8.0: %v", code[:4], err)
				continue
			}
			checkDecoded(decoded, named(in, "R27"), func(format string, args ...any) { report(in, format, args...) })
		}
	}
	return faults
}

var (
	armRegister = regexp.MustCompile(`\b(?:[xw](\d+)|sp|wsp)\b`)
	// A parameter is in the caller's frame, so it is read, and a result written, at
	// an offset from SP.
	armParameter  = regexp.MustCompile(`^(?:ldr|ldrsw|ldrsh|ldrsb|ldrh|ldrb|str|strh|strb|ldur|stur) [xw]\d+, \[sp,#\d+\]$`)
	registerToken = regexp.MustCompile(`\w+`)
	optional      = regexp.MustCompile(`^(?:aes|sha\d|crc32|pmull)`)
)

// named reports whether the source of an instruction names a register.
func named(in *instruction, register string) bool {
	return slices.ContainsFunc(in.operands, func(o string) bool {
		return slices.Contains(registerToken.FindAllString(o, -1), register)
	})
}

// checkDecoded reports an optional instruction, and a register that a kernel
// may not use. R27 counts only if the source names it: the assembler itself
// uses it where a constant does not fit an instruction.
func checkDecoded(inst arm64asm.Inst, namesR27 bool, report func(format string, args ...any)) {
	text := arm64asm.GNUSyntax(inst)
	if optional.MatchString(text) {
		report("%s is optional in ARMv8.0", text)
	}
	if text == "ret" || armParameter.MatchString(text) {
		return
	}
	for _, r := range armRegister.FindAllString(text, -1) {
		switch strings.TrimLeft(r, "xw") {
		case "18":
			report("%s: R18 belongs to the platform", text)
		case "27":
			if namesR27 {
				report("%s: R27 belongs to the assembler", text)
			}
		case "28":
			report("%s: R28 is g", text)
		case "29", "30", "sp", "sp]":
			report("%s: %s belongs to the stack", text, r)
		}
	}
}
