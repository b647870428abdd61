package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file writes with non-temporal stores, which send whole cache lines past
// the caches, for outputs of about half of the last-level cache or more. Other
// routes make tiles in a scratch, which a streamer sends; streamTiles makes its
// own at the end of the output. Kernels that stream directly to dst are called
// elsewhere.

// A streamer sends tiles from a scratch to an output with non-temporal stores,
// in whole cache lines: a line that ordinary stores touch as well is read back
// from memory in between. The bytes of a tile after its last whole line wait
// for a tile that continues there, at the end of the first line of the scratch.
// The tile is in the lines after it: stores across two lines would slow the
// kernels more than loads across them slow the copy. Places are offsets from
// the first byte of the output, since a pointer kept here would escape.
type streamer struct {
	scratch []byte // starts a cache line
	at      int    // where in the output the next bytes go
	held    int    // bytes that wait
}

// tile returns the place in the scratch for the n bytes that go to dst+at.
func (s *streamer) tile(dst unsafe.Pointer, at, n int) unsafe.Pointer {
	if s.at != at {
		s.flush(dst)
		s.at = at
	}
	return unsafe.Pointer(&s.scratch[lineBytes:][:n][0])
}

// send sends the n bytes of a tile that start at the given offset, and before
// them the bytes that waited. These overwrite the line before the offset, which
// has been sent.
func (s *streamer) send(dst unsafe.Pointer, offset, n int) {
	ready := s.scratch[offset:][:lineBytes+n]
	if offset > 0 {
		copy(ready, s.scratch[:lineBytes])
	}
	ready = ready[lineBytes-s.held:]
	rest := ready[sendLines(unsafe.Add(dst, s.at-s.held), ready):]
	s.at += n
	s.held = copy(s.scratch[lineBytes-len(rest):], rest)
}

// flush stores the bytes that wait.
func (s *streamer) flush(dst unsafe.Pointer) {
	if s.held == 0 { // dst+at may be past the output
		return
	}
	copy(bytesAt(unsafe.Add(dst, s.at-s.held), s.held), s.scratch[lineBytes-s.held:])
	s.held = 0
}

// end stores the bytes that wait and orders all stores, if there is a scratch.
func (s *streamer) end(dst unsafe.Pointer) {
	if s.scratch != nil {
		s.flush(dst)
		streamEndOf()
	}
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

// scatterStream fills and scatters to the output of a job without gaps.
func scatterStream[E any](dst []E, j *job, on, off E, miss *E) (misses int) {
	under := underMiss(miss, &off)
	return streamTiles(dst, &j.layout, off, 1, func(cell, index int, part layout, undo bool) int {
		in := j.in.from(index)
		if undo {
			return scatterWith(dst[cell:], &in, off, under, &part, j.wrap)
		}
		return scatterWith(dst[cell:], &in, on, miss, &part, j.wrap)
	})
}

// underMiss returns what takes the place of a Miss in a tile that is scattered
// to again: off, or nil without a Miss.
func underMiss[E any](miss, off *E) *E {
	if miss == nil {
		return nil
	}
	return off
}

// streamTiles writes an output without gaps: its last tile is filled with off
// and serves the others as a scratch, before it gets its own cells. For each
// other tile scatter stores to it, from the given cell of dst on; then it is
// sent, and scatter, with undo set, stores off to the same cells. index is the
// first index of a tile, part its layout. scatter knows dst, because what a
// function value is given escapes.
func streamTiles[E any](dst []E, l *layout, off E, columns int, scatter func(cell, index int, part layout, undo bool) (misses int)) (misses int) {
	size, block := int(unsafe.Sizeof(off)), l.depth*l.inner
	blocks := plan.StreamBlocks(plan.Here(), l.outer, block*size, columns)
	first := l.outer - blocks
	last := first * block
	scratch := dst[last:][:blocks*block]
	fillRun(scratch, off, plan.FillVector)
	for t := tilesOf(l.part(first, l.inner), plan.Tile{Outer: blocks, Inner: l.inner}); t.next(); {
		misses += scatter(last, t.index, t.part, false)
		streamBytes(unsafe.Pointer(&dst[t.cell]), bytesAt(unsafe.Pointer(&scratch[0]), t.part.need*size))
		scatter(last, t.index, t.part, true)
	}
	streamEndOf()
	return misses + scatter(last, first*l.indexStride, l.part(blocks, l.inner), false)
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
