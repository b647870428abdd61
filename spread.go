//go:build (amd64 || arm64) && !purego

package onehot

import "unsafe"

// This file is the write stage of rows in which several cells are on: a bit for
// each cell, in planes of words, becomes a cell.

// wordsBuffer has room for the words of a block: less than a first-level cache,
// which the output in progress shares.
type wordsBuffer [blockWords]uint64

// smallWordsBuffer is for small tables, which would notice that Go zeroes the
// other.
type smallWordsBuffer [smallWords]uint64

const smallWords = 512

// roundUp returns the number of words in a plane for n rows: marks writes eight
// at a time.
func roundUp(n int) int { return (n + 7) &^ 7 }

// A spreader turns words into rows of an output that has no gaps.
type spreader struct {
	*layout
	width   int
	stream  bool
	on, off uint64
	out     streamer
}

// rows writes n rows from row o on. Past the caches they go by way of the
// scratch; the others are written in place, but for the last of all.
func (s *spreader) rows(dst, words unsafe.Pointer, o, n int) {
	apart, row, most := roundUp(n)*8, s.depth*s.width, clearBytes
	if s.stream {
		most = scratchBytes
	} else {
		n = min(n, s.outer-s.near()-o)
	}
	for r := 0; r < n; {
		count := min(max(most/row, 1), n-r)
		at, from := (o+r)*row, unsafe.Add(words, r*8)
		if s.stream {
			spreadOf(s.width, s.out.tile(dst, at, count*row), row, from, apart, count, s.depth, s.on, s.off)
			s.out.send(dst, count*row)
		} else {
			raceRange(unsafe.Add(dst, at), count*row, true)
			spreadOf(s.width, unsafe.Add(dst, at), row, from, apart, count, s.depth, s.on, s.off)
		}
		r += count
	}
}

// near is the number of rows so close to the end of the output that the kernel
// would store behind it.
func (s *spreader) near() int {
	const behind = 64 - 1 // bytes that it stores behind a row
	return min((behind-1)/(s.depth*s.width)+1, s.outer)
}

// last ends the output and returns the row from which it is left to the caller.
func (s *spreader) last(dst unsafe.Pointer) int {
	if !s.stream {
		return s.outer - s.near()
	}
	s.out.flush(dst)
	streamEnd()
	return s.outer
}
