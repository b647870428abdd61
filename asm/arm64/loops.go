package main

import "fmt"

// A pointer moves by 1<<shift bytes for each element that a loop has done.
type pointer struct {
	role  string
	shift int
}

// turns emits a loop that subtracts step from left a turn. The last turn ends
// exactly at the last element: before it the pointers step back, and again, if
// a register has that role, becomes the number of elements that it repeats.
// body moves the pointers on.
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

// lastTurn closes a loop that subtracts step from left, which starts one step
// low. If fewer than step elements remain, back steps back for one more turn.
func (k *kernel) lastTurn(label, step, done string, back func()) {
	k.op("SUBS", "%s, left", step)
	k.op("BGE", "%s", label)
	k.op("CMN", "%s, left", step)
	k.op("BEQ", "%s", done)
	back()
	k.op("MOVD", "ZR, left")
	k.op("B", "%s", label)
}

// whole emits a loop that subtracts step from counter while as many remain, and
// then jumps to done if none do; what handles the rest follows, at few. On
// entry the flags are those of the first subtraction, which the caller has
// done.
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

// repeat emits a loop that subtracts step from counter until it is 0.
func (k *kernel) repeat(label, counter string, step int, body func()) {
	k.label(label)
	body()
	k.op("SUBS", "$%d, %s", step, counter)
	k.op("BNE", "%s", label)
}

// part sets part to the smaller of left and most, and subtracts it from left.
func (k *kernel) part(left, most, part string) {
	k.op("CMP", "%s, %s", most, left)
	k.op("CSEL", "LT, %s, %s, %s", left, most, part)
	k.op("SUB", "%s, %s", part, left)
}
