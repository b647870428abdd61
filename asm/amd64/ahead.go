package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/go-onehot/onehot/asm/kernels"
)

// This file is about prefetching the output with AVX-512. An ordinary store
// waits until its line is in the first-level cache. The processor looks some 60
// stores ahead, which is too few if lines come from beyond the second-level
// cache. The kernels of rows, planes and cells therefore have further loops,
// which ask for each line long before they write it. The library selects them
// by a byte after the values: in less than half of the first-level cache they
// would only cost time. Planes with misses, of which planes writes few, do
// without. AVX2 has no such choice: see nearAhead. Neither has bitPlanes, whose
// only loop asks.
//
// planes asks for the same place in the next plane instead. It writes a few
// kilobytes of a plane at a time, so that what lies farAhead bytes on is often
// written much later. Nothing asks for the first plane. On a Granite Rapids, in
// the second-level cache, planes take 0.85 to 1.0 times as long as with
// farAhead, the less the narrower the cells are; beyond it they take as long.
//
// At the end of an output, or of a part of it, prefetches go up to farAhead
// bytes, a round or a few planes too far. A prefetch never faults.

// farAhead is how many bytes before its store rows and cells ask for a line. On
// a Sapphire Rapids half of it costs up to 20% where calls rotate through 16
// MiB. In a loop of stores alone, twice of it neither costs nor saves anything.
const farAhead = 2048

// wideProse returns says, which tells of what only AVX-512 does, such as these
// loops, if the kernel is of AVX-512.
func (e *emitter) wideProse(says string) string {
	if !e.wide() {
		return ""
	}
	return " " + says
}

// ifAhead jumps to label if the kernel is to prefetch what it will write.
func (e *emitter) ifAhead(v reg.GPVirtual, label string) {
	e.CMPB(operand.Mem{Base: v, Disp: kernels.Ahead}, operand.U8(0))
	e.JNE(operand.LabelRef(label))
}
