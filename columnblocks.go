//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// This file is EncodeColumns by kernels. The bits of a block of rows are set
// column by column, a word for 64 cells of a row; then each row is written once,
// from its words.

// spreadColumns runs a job that the plan gave to spread, in buffers that suit
// it.
func spreadColumns[V Value, I Index](dst []V, columns [][]I, depths []int, on, off V, l *layout, neg Negative, p *plan) (misses int) {
	switch {
	case p.stream:
		return spreadColumnsIn[wordsBuffer, scratchBuffer](dst, columns, depths, on, off, l, neg, p)
	case BitWords(l.depth)*roundUp(l.outer) <= smallWords:
		return spreadColumnsIn[smallWordsBuffer, noBuffer](dst, columns, depths, on, off, l, neg, p)
	}
	return spreadColumnsIn[wordsBuffer, noBuffer](dst, columns, depths, on, off, l, neg, p)
}

func spreadColumnsIn[Words, Scratch any, V Value, I Index](dst []V, columns [][]I, depths []int, on, off V, l *layout, neg Negative, p *plan) (misses int) {
	var (
		words   Words
		scratch Scratch
	)
	s := spreader{layout: l, stream: p.stream, width: int(unsafe.Sizeof(on)), on: elementOf(on).lo, off: elementOf(off).lo}
	s.out.scratch = unsafe.Slice((*byte)(unsafe.Pointer(&scratch)), unsafe.Sizeof(scratch))
	ptr, planes := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(&words)
	for o := 0; o < l.outer; {
		n := take(l.outer-o, p.block, minClasses)
		misses += markColumns(planes, columns, depths, o, n, neg)
		s.rows(ptr, planes, o, n)
		o += n
	}
	if last := s.last(ptr); last < l.outer {
		rest := l.part(l.outer-last, 1)
		columnsGeneric(dst[last*l.stride:], columns, last, depths, on, off, off, &rest, neg)
	}
	return misses
}

// markColumns sets the bits of n rows from row o on, and returns their misses.
func markColumns[I Index](words unsafe.Pointer, columns [][]I, depths []int, o, n int, neg Negative) (misses int) {
	var classes [maxBlockRows + 2*minClasses]int32
	lanes, first := roundUp(n), 0
	for c, indices := range columns {
		depth := depths[c]
		in := inputOf(indices[o:])
		misses += classesOf(classes[:n], &in, depth, neg.wrap(depth))
		if depth > 0 {
			bit := first % wordBits
			marksOf(unsafe.Add(words, first/wordBits*lanes*8), lanes*8, &classes[0], lanes, bit, (bit+depth-1)/wordBits+1)
		}
		first += depth
	}
	return misses
}
