package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// op emits one instruction. The operands are a format, in the Go assembler's
// order: sources first, destination last. A mnemonic in lower case is an
// instruction that the assembler lacks: see word. The lanes T of a vector stand
// for lanes of the kernel's width.
func (k *kernel) op(mnemonic, operands string, args ...any) {
	operands = fmt.Sprintf(operands, args...)
	if strings.ToLower(mnemonic) == mnemonic {
		k.word(mnemonic, operands)
		return
	}
	operands = strings.ReplaceAll(operands, ".T", "."+lanes[k.width])
	fmt.Fprintf(&k.body, "\t%-7s %s\n", mnemonic, operands)
}

// words has the encodings of vector instructions, for eight bytes.
var words = map[string]uint32{
	"and": 0x0e201c00, "bic": 0x0e601c00, "orn": 0x0ee01c00,
	"cmhi": 0x2e203400, "cmhs": 0x2e203c00, "ushl": 0x2e204400,
	"saddw": 0x0e201000, "uaddw": 0x2e201000,
	"saddlp": 0x0e202800, "sadalp": 0x0e206800,
	"sxtl": 0x0f08a400, "sqxtn": 0x0e214800, "uqxtn": 0x2e214800,
	"fcvtzs": 0x0e21b800, "fcmeq": 0x0ea0e400, // for floats, fcvtzs has size 2 or 3, and fcmeq 0 or 1
}

// arrangements are in the order of the bits that encode them: the lowest bit
// says whether the vector is a whole one, the others are the size of a lane. An
// instruction has the arrangement of its narrowest operand.
var arrangements = []string{"8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d"}

// word emits a vector instruction that the assembler has no name for, as a
// WORD. The operands are in the disassembler's order and spelling, x0.16b,
// destination first. A test compares the word with its comment.
func (k *kernel) word(mnemonic, operands string) {
	code, ok := words[strings.TrimSuffix(mnemonic, "2")] // uqxtn2 is uqxtn for a whole vector
	spelled, of := strings.Split(operands, ", "), len(arrangements)
	for i, operand := range spelled {
		name, arrangement, _ := strings.Cut(operand, ".")
		if arrangement == "T" {
			arrangement = strings.ToLower(lanes[k.width][1:] + lanes[k.width][:1])
		}
		number, err := strconv.ParseUint(strings.TrimPrefix(k.register[name], "V"), 10, 5)
		ok = ok && err == nil
		code |= uint32(number) << []int{0, 5, 16}[i]
		spelled[i] = fmt.Sprintf("v%d.%s", number, arrangement)
		of = min(of, slices.Index(arrangements, arrangement))
	}
	if !ok || of < 0 {
		panic("no word for " + mnemonic + " " + operands)
	}
	code ^= uint32(of)>>1<<22 | uint32(of)&1<<30
	fmt.Fprintf(&k.body, "\tWORD    $%#08x // %s %s\n", code, mnemonic, strings.Join(spelled, ", "))
}

// four emits one instruction for each register of banks of four, so that none
// waits for the one before; %d in the format is the number of the register.
func (k *kernel) four(mnemonic, format string) { k.times(4, mnemonic, format) }

func (k *kernel) times(n int, mnemonic, format string) {
	for i := range n {
		k.op(mnemonic, "%s", strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
}

// label emits a label, which must not be the name of a register.
func (k *kernel) label(name string) {
	if _, ok := k.register[name]; ok {
		panic("label " + name + " is a register's role")
	}
	fmt.Fprintf(&k.body, "\n%s:\n", name)
}

func (k *kernel) note(comment string) { fmt.Fprintf(&k.body, "\t// %s\n", comment) }
func (k *kernel) gap()                { k.body.WriteByte('\n') }

// arg returns the place of a parameter or result in the caller's frame.
func (k *kernel) arg(name string) string {
	at, ok := k.offset[name]
	if !ok {
		panic("no parameter " + name)
	}
	return fmt.Sprintf("%s+%d(FP)", name, at)
}

// arguments loads parameters into registers: arguments("dst out", "n left").
func (k *kernel) arguments(pairs ...string) {
	for _, p := range pairs {
		param, role, _ := strings.Cut(p, " ")
		k.op("MOVD", "%s, %s", k.arg(param), role)
	}
}

// moves sets registers to others or to constants: moves("word from", "$1 bit").
func (k *kernel) moves(pairs ...string) {
	for _, p := range pairs {
		k.op("MOVD", "%s", strings.Replace(p, " ", ", ", 1))
	}
}

// list returns four registers of a bank as one operand.
func list(bank string, from int) string {
	var s []string
	for i := range 4 {
		s = append(s, fmt.Sprintf("%s%d.B16", bank, from+i))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// pair returns registers i and i+1 of a bank as an operand of FLDPQ or FSTPQ.
func pair(bank string, i int) string { return fmt.Sprintf("(%s%dq, %s%dq)", bank, i, bank, i+1) }

// lanes has the arrangement of a whole vector for lanes of a width in bytes.
var lanes = map[int]string{1: "B16", 2: "H8", 4: "S4", 8: "D2"}

// log2 returns the shift that multiplies by a width.
func log2(width int) int { return bits.TrailingZeros(uint(width)) }
