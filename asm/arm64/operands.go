package main

import (
	"fmt"
	"math/bits"
	"strings"
)

// v is register i of a bank, seen in lanes of type t.
func v(bank string, i int, t string) string { return fmt.Sprintf("%s%d.%s", bank, i, t) }

// list is registers from to from+n-1 of a bank as one operand.
func list(bank string, from, n int) string {
	s := make([]string, n)
	for i := range s {
		s[i] = v(bank, from+i, "B16")
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// pair is registers i and i+1 of a bank for FLDPQ.
func pair(bank string, i int) string { return fmt.Sprintf("(%s%dq, %s%dq)", bank, i, bank, i+1) }

// lanes is the arrangement of a whole vector in lanes of the given width in
// bytes. A cell of 16 bytes is two lanes that are alike.
var lanes = map[int]string{1: "B16", 2: "H8", 4: "S4", 8: "D2", 16: "D2"}

// widths are those of cells; integers have no more than 8 bytes.
var widths = []int{1, 2, 4, 8, 16}

// bitsOf is the suffix of a kernel for cells of that width.
func bitsOf(width int) string { return fmt.Sprint(8 * width) }

// r is register i of a bank.
func r(bank string, i int) string { return fmt.Sprintf("%s%d", bank, i) }

// log2 is the shift that multiplies by a width.
func log2(width int) int { return bits.TrailingZeros(uint(width)) }

// each emits one instruction per register of a bank of four, so that neighbours
// do not wait for each other.
func each(emit func(i int)) {
	for i := range 4 {
		emit(i)
	}
}

// four emits one instruction per register of banks of four: %d in the format is
// the register's number.
func (k *kernel) four(mnemonic, format string) { k.times(4, mnemonic, format) }

func (k *kernel) times(n int, mnemonic, format string) {
	for i := range n {
		k.op(mnemonic, strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
}
