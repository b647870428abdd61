package main

import "fmt"

// lightSets is a store per index. It needs no vectors; it is a kernel because sets are padded with indices that have no class, at places
// that no branch predictor knows: the address of such a cell is replaced by that of a spare one, without a branch.
func (f *file) lightSets(width int) {
	name := fmt.Sprintf("lightSets%d", 8*width)
	k := f.kernel(name, "dst unsafe.Pointer, stride int, classes *int32, rows, k int, on uint64, spare unsafe.Pointer", "", fmt.Sprintf(`
%s writes on to the cell of each of k classes in each row, rows stride bytes apart; what has the class -1 goes to the
spare cell instead. rows and k are not 0.

A loop over rows; in it one over classes. A class costs 7 instructions.`, name))
	k.role("row R0", "pitch R1", "in R2", "rowsLeft R3", "set R4", "value R5", "aside R6", "left R7", "class R8", "cell R9")
	k.op("MOVD", k.arg("dst"), "row")
	k.op("MOVD", k.arg("stride"), "pitch")
	k.op("MOVD", k.arg("classes"), "in")
	k.op("MOVD", k.arg("rows"), "rowsLeft")
	k.op("MOVD", k.arg("k"), "set")
	k.op("MOVD", k.arg("on"), "value")
	k.op("MOVD", k.arg("spare"), "aside")
	k.label("rows")
	k.op("MOVD", "set, left")
	k.label("classes")
	k.op("MOVW.P", "4(in), class")
	if width == 1 {
		k.op("ADD", "class, row, cell")
	} else {
		k.op("ADD", fmt.Sprintf("class<<%d, row, cell", log2(width)))
	}
	k.op("CMP", "$0, class")
	k.op("CSEL", "LT, aside, cell, cell")
	k.op(map[int]string{1: "MOVB", 2: "MOVH", 4: "MOVW", 8: "MOVD"}[width], "value, (cell)")
	k.op("SUBS", "$1, left")
	k.op("BNE", "classes")
	k.op("ADD", "pitch, row")
	k.op("SUBS", "$1, rowsLeft")
	k.op("BNE", "rows")
	k.end()
}
