package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file writes with non-temporal stores, which send whole cache lines past
// the caches, for outputs of about half of the last-level cache or more. Other
// routes make tiles in a scratch, which a streamer sends; scatterStream makes
// its own. Kernels that stream to dst themselves are called elsewhere.

// A streamer sends tiles from a scratch to an output with non-temporal stores,
// in whole cache lines: a line that ordinary stores touch as well is read back
// from memory in between. The bytes of a tile after its last whole line wait
// in the scratch for a tile that continues there. Places are offsets from the
// first byte of the output, since a pointer kept here would escape.
type streamer struct {
	scratch []byte
	at      int // where in the output the first byte of scratch goes
	held    int // bytes that wait
}

// tile returns the place in the scratch for the n bytes that go to dst+at.
func (s *streamer) tile(dst unsafe.Pointer, at, n int) unsafe.Pointer {
	if s.at+s.held != at {
		s.flush(dst)
		s.at = at
	}
	return unsafe.Pointer(&s.scratch[s.held:][:n][0])
}

// send sends a tile of n bytes, and the bytes that waited before it.
func (s *streamer) send(dst unsafe.Pointer, n int) {
	ready := s.scratch[:s.held+n]
	sent := sendLines(unsafe.Add(dst, s.at), ready)
	s.at += sent
	s.held = copy(s.scratch, ready[sent:])
}

// flush stores the bytes that wait.
func (s *streamer) flush(dst unsafe.Pointer) {
	if s.held == 0 { // dst+at may be past the output
		return
	}
	copy(bytesAt(unsafe.Add(dst, s.at), s.held), s.scratch)
	s.held = 0
}

// sendLines copies src to dst, except for the bytes after the last whole line,
// and returns how many bytes it copied. It copies the bytes before the first
// line with ordinary stores, and the lines with non-temporal ones.
func sendLines(dst unsafe.Pointer, src []byte) (sent int) {
	head := min(int(-uintptr(dst)%lineBytes), len(src))
	copy(bytesAt(dst, head), src)
	lines := (len(src) - head) / lineBytes
	if lines > 0 {
		race.Range(unsafe.Add(dst, head), lines*lineBytes, true)
		streamOf(unsafe.Add(dst, head), unsafe.Pointer(&src[head]), lines)
	}
	return head + lines*lineBytes
}

// streamBytes is sendLines and an ordinary copy of the bytes left over.
func streamBytes(dst unsafe.Pointer, src []byte) {
	sent := sendLines(dst, src)
	copy(bytesAt(dst, len(src))[sent:], src[sent:])
}

// scatterStream scatters to as many rows at a time as fit a scratch full of
// off, sends them, and scatters off to the same cells again. A tile starts as
// far into the scratch as into a line of the output. Its bytes after the last
// whole line go with the next tile.
func scatterStream[E any](j *job, on, off E, miss *E) (misses int) {
	var buffer scratchBuffer
	size, start := int(unsafe.Sizeof(on)), int(uintptr(j.dst)%lineBytes) // start is the place of the tile in buffer
	scratch := unsafe.Slice((*E)(unsafe.Pointer(&buffer[start%size])), (len(buffer)-start%size)/size)
	fillGeneric(scratch, off)
	under := miss
	if miss != nil {
		under = &off
	}
	at, first := 0, start // at counts the bytes sent; first is the place of the next in buffer
	for t := tilesOf(j.layout, plan.Tile{Outer: plan.ScratchBytes / size / j.depth, Inner: 1}); t.next(); {
		in, tile := j.in.from(t.index), scratch[start/size:][:t.part.need]
		misses += scatterWith(tile, &in, on, miss, &t.part, j.wrap)
		ready := buffer[first : start+len(tile)*size]
		sent := sendLines(unsafe.Add(j.dst, at), ready)
		at += sent
		var rest [lineBytes]byte
		n := copy(rest[:], ready[sent:])
		scatterWith(tile, &in, off, under, &t.part, j.wrap)
		fillGeneric(scratch[:start/size], off)
		start, first = copy(buffer[:], rest[:n]), 0
	}
	if left := j.need*size - at; left > 0 {
		copy(bytesAt(unsafe.Add(j.dst, at), left), buffer[:])
	}
	streamEndOf()
	return misses
}

// streamFill fills n bytes with a pattern: with non-temporal stores, except at
// the ends.
func streamFill(p unsafe.Pointer, n int, pattern element) {
	var buffer [lineBytes + plan.SmallStore]byte // room for a line that starts anywhere in the pattern
	pattern.fill(unsafe.Pointer(&buffer), len(buffer))
	head := min(int(-uintptr(p)%lineBytes), n)
	copy(bytesAt(p, head), buffer[:])
	line, whole := buffer[head%plan.SmallStore:], head+(n-head)&^(lineBytes-1)
	for at := head; at < whole; at += plan.CallBytes {
		lines := min(whole-at, plan.CallBytes) / lineBytes
		streamLineOf(unsafe.Add(p, at), unsafe.Pointer(&line[0]), lines)
	}
	copy(bytesAt(p, n)[whole:], line)
}
