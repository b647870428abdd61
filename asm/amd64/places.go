package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// certain is how many places are stored for every word, even if it has fewer.
// Where one index in a hundred is a miss, a branch on whether a word has any
// would be mispredicted about half of the time, which costs as much as four
// words.
const certain = 3

// places is the first part of a repair: it notes the rows of misses before
// their classes are overwritten. fillPlaces is the second.
func places(e *emitter) {
	e.prose("Each round compares 64 classes with 255, which makes a word of bits. The last word ends exactly at n, and the bits that it repeats are cleared. " +
		fmt.Sprintf("For every word %d places are stored, and as many are kept as the word has bits that are set, so that no branch asks whether there are any. If there are more, an inner loop stores the rest.", certain))
	to, classes, n := e.param("places"), e.param("classes"), e.param("n")
	none := e.nones()
	i, last, start := named(e, e.GP64(), "i"), named(e, e.GP64(), "last word's i"), named(e, e.GP64(), "first place")
	e.XORL(i.As32(), i.As32())
	e.LEAQ(operand.Mem{Base: n, Disp: -64}, last)
	e.MOVQ(to, start)
	word := named(e, e.GP64(), "word")
	load := func() {
		high := e.GP64()
		for h, half := range []reg.GPVirtual{word, high} {
			equal := e.vector()
			e.VPCMPEQB(at(classes, i, 1, 32*h), none, equal)
			e.VPMOVMSKB(equal, half.As32())
		}
		e.SHLQ(operand.U8(32), high)
		e.ORQ(high, word)
	}
	place := func(k int) { // leaves the zero flag set after the last bit
		p := e.GP64()
		e.TZCNTQ(word, p)
		e.ADDQ(i, p)
		e.MOVW(p.As16(), operand.Mem{Base: to, Disp: 2 * k})
		e.BLSRQ(word, word)
	}
	next := named(e, e.GP64(), "end of the word's places")

	e.Label("round")
	load()
	e.Label("found")
	e.POPCNTQ(word, next)
	e.LEAQ(operand.Mem{Base: to, Index: next, Scale: 2}, next)
	for k := range certain {
		place(k)
	}
	e.JZ(operand.LabelRef("kept"))
	e.Label("more")
	e.ADDQ(operand.I32(2), to)
	place(certain - 1)
	e.JNZ(operand.LabelRef("more"))
	e.Label("kept")
	e.MOVQ(next, to)
	e.ADDQ(operand.I32(64), i)
	e.CMPQ(i, last)
	e.JLE(operand.LabelRef("round"))
	e.CMPQ(i, n)
	e.JEQ(operand.LabelRef("all"))

	e.Comment("The classes after the last whole word.")
	e.MOVQ(i, reg.RCX)
	e.SUBQ(last, reg.RCX)
	e.MOVQ(last, i)
	load()
	e.SHRQ(reg.CL, word)
	e.SHLQ(reg.CL, word)
	e.JMP(operand.LabelRef("found"))
	e.Label("all")
	e.SUBQ(start, to)
	e.SHRQ(operand.U8(1), to)
	e.Store(to, e.Return("count"))
}

// fillPlaces is fillRuns for some of the runs of an output that has no gaps.
func fillPlaces(e *emitter) {
	e.prose("The outer loop goes over runs, the inner one over vectors from the start of the run. A last vector ends where the run ends and overlaps the one before.")
	dst, run, from, count := e.param("dst"), e.param("run"), e.param("places"), e.param("count")
	pattern := named(e, e.vector(), "pattern")
	broadcastPattern(e, pattern)
	to, end, rest := named(e, e.GP64(), "where the next vector goes"), named(e, e.GP64(), "where the last vector goes"), named(e, e.GP64(), "distance from the first vector to the last")
	e.LEAQ(operand.Mem{Base: run, Disp: -e.bytes}, rest)
	e.repeat("run", count, func() {
		e.MOVWQZX(operand.Mem{Base: from}, to)
		e.ADDQ(operand.I32(2), from)
		e.IMULQ(run, to)
		e.ADDQ(dst, to)
		e.LEAQ(operand.Mem{Base: to, Index: rest, Scale: 1}, end)
		e.Label("vector")
		e.store(pattern, operand.Mem{Base: to})
		e.ADDQ(operand.I32(int32(e.bytes)), to)
		e.CMPQ(to, end)
		e.JB(operand.LabelRef("vector"))
		e.store(pattern, operand.Mem{Base: end})
	})
}
