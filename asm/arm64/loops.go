package main

import "fmt"

// A pointer moves by 1<<shift bytes for each one that a loop takes off left.
type pointer struct {
	role  string
	shift int
}

// turns is a loop that takes step off left a turn. The last turn starts over
// from where it ends exactly at the end: pointers step back, and again, if
// there is a register of that name, is by how many. body moves the pointers on.
func (k *kernel) turns(step int, body func(), pointers ...pointer) {
	k.op("SUB", "$%d, left", step)
	k.label("loop")
	body()
	k.lastTurn("loop", fmt.Sprintf("$%d", step), "loopDone", func() {
		if _, ok := k.register["again"]; ok {
			k.op("NEG", "left, again")
		}
		for _, p := range pointers {
			if p.shift == 0 {
				k.op("ADD", "left, %s", p.role)
			} else {
				k.op("ADD", "left<<%d, %s", p.shift, p.role)
			}
		}
	})
	k.label("loopDone")
}

// lastTurn closes a loop that takes step off left, which is less by one step
// than there are: back is what the last turn begins with, if some but not step
// are left.
func (k *kernel) lastTurn(label, step, done string, back func()) {
	k.op("SUBS", "%s, left", step)
	k.op("BGE", "%s", label)
	k.op("CMN", "%s, left", step)
	k.op("BEQ", "%s", done)
	back()
	k.op("MOVD", "ZR, left")
	k.op("B", "%s", label)
}

// whole is a loop that takes step off counter as long as there are so many, and
// goes to done if none are left, else to few, behind it. The flags are those of
// taking the first step off.
func (k *kernel) whole(label, counter string, step int, few, done string, body func()) {
	k.op("BLT", "%s", few)
	k.label(label)
	body()
	k.op("SUBS", "$%d, %s", step, counter)
	k.op("BGE", "%s", label)
	k.label(few)
	k.op("ADDS", "$%d, %s", step, counter)
	k.op("BEQ", "%s", done)
}

// repeat is a loop that takes step off counter until nothing is left.
func (k *kernel) repeat(label, counter string, step int, body func()) {
	k.label(label)
	body()
	k.op("SUBS", "$%d, %s", step, counter)
	k.op("BNE", "%s", label)
}

// part sets part to what is left, or to most if it is more, and takes it off.
func (k *kernel) part(left, most, part string) {
	k.op("CMP", "%s, %s", most, left)
	k.op("CSEL", "LT, %s, %s, %s", left, most, part)
	k.op("SUB", "%s, %s", part, left)
}
