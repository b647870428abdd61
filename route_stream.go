package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// A streamer sends tiles by non-temporal stores, in whole lines: a line that
// ordinary stores touch as well is read back from memory in between. What a
// tile has of the last line waits in the scratch for a tile that goes on from
// there. Places are offsets from the output's first byte: a pointer kept here
// would escape.
type streamer struct {
	scratch []byte
	at      int // where the first byte of scratch goes
	held    int // bytes that wait
}

// tile returns where to write the n bytes from dst+at on.
func (s *streamer) tile(dst unsafe.Pointer, at, n int) unsafe.Pointer {
	if s.at+s.held != at {
		s.flush(dst)
		s.at = at
	}
	return unsafe.Pointer(&s.scratch[s.held:][:n][0])
}

// send sends a tile of n bytes, and what waited for it.
func (s *streamer) send(dst unsafe.Pointer, n int) {
	ready := s.scratch[:s.held+n]
	sent := sendLines(unsafe.Add(dst, s.at), ready)
	s.at += sent
	s.held = copy(s.scratch, ready[sent:])
}

// flush stores what waits.
func (s *streamer) flush(dst unsafe.Pointer) {
	if s.held == 0 { // dst+at may be behind the output
		return
	}
	copy(bytesAt(unsafe.Add(dst, s.at), s.held), s.scratch)
	s.held = 0
}

// sendLines copies src to dst as far as it fills whole lines, and returns how
// many bytes that is: what precedes the first line by ordinary stores, the
// lines by non-temporal ones.
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

// streamBytes is sendLines and an ordinary copy of the rest.
func streamBytes(dst unsafe.Pointer, src []byte) {
	sent := sendLines(dst, src)
	copy(bytesAt(dst, len(src))[sent:], src[sent:])
}

// scatterStream takes as many rows at a time as a scratch holds, which is full
// of off: it scatters on to their cells in it, sends it, and scatters off
// again. A cell is as far from the start of the scratch as it is from that of a
// line of the output, and what a tile has of its last line goes with the next.
func scatterStream[E any](j *job, on, off E, miss *E) (misses int) {
	var buffer scratchBuffer
	size, start := int(unsafe.Sizeof(on)), int(uintptr(j.dst)%lineBytes) // of the tile
	scratch := unsafe.Slice((*E)(unsafe.Pointer(&buffer[start%size])), (len(buffer)-start%size)/size)
	fillGeneric(scratch, off)
	under := miss
	if miss != nil {
		under = &off
	}
	at, first := 0, start // bytes that were sent, where the next ones are
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

// streamFill fills n bytes with a pattern, by non-temporal stores but for the
// ends.
func streamFill(p unsafe.Pointer, n int, pattern element) {
	var buffer [lineBytes + plan.SmallStore]byte // a line, wherever in the pattern it starts
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
