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

// sendLines copies src to dst, by non-temporal stores from the first start of a
// line on, but for what src has of the last line, and returns how much it
// copied.
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

// streamDirect is direct for output beyond the last-level cache: off comes from
// a scratch tile that is filled once, by non-temporal stores.
func streamDirect[E any](j *job, dst []E, on, off E, miss *E) (misses int) {
	var buffer scratchBuffer
	scratch := unsafe.Slice((*E)(unsafe.Pointer(&buffer)), plan.ScratchBytes/int(unsafe.Sizeof(on)))
	fillGeneric(scratch, off)
	if j.depth > len(scratch)/2 {
		misses = streamDeep(j, dst, scratch, on, off, miss)
	} else {
		misses = streamShallow(j, dst, scratch, on, off, miss)
	}
	streamEndOf()
	return misses
}

// streamShallow takes as many rows at a time as the scratch holds: it
// scatters on to their cells in it, sends it, and off again.
func streamShallow[E any](j *job, dst, scratch []E, on, off E, miss *E) (misses int) {
	under := miss
	if miss != nil {
		under = &off
	}
	for t := tilesOf(j.layout, plan.Tile{Outer: len(scratch) / j.depth, Inner: 1}); t.next(); {
		in := j.in.from(t.index)
		misses += scatterWith(scratch, &in, on, miss, nil, &t.part, j.wrap)
		streamElements(dst[t.cell:], scratch[:t.part.need])
		scatterWith(scratch, &in, off, under, nil, &t.part, j.wrap)
	}
	return misses
}

// streamDeep sends the scratch as often as a row is long, with the cell of its
// class on when its part of the row comes. To set the cell in place would wait
// for its line to come back from memory, and all later stores with it.
func streamDeep[E any](j *job, dst, scratch []E, on, off E, miss *E) (misses int) {
	var list places
	for o := range j.outer {
		in := j.in.from(o)
		missed, class := in.look(&list, 1, j.depth, j.wrap)
		ok := len(missed) == 0
		if !ok {
			class = -1
			misses++
			if miss != nil {
				fillGeneric(scratch, *miss)
			}
		}
		row := dst[o*j.stride:][:j.depth]
		for first := 0; first < len(row); first += len(scratch) {
			part := row[first:min(first+len(scratch), len(row))]
			cell := int(class) - first
			here := 0 <= cell && cell < len(part)
			if here {
				scratch[cell] = on
			}
			streamElements(part, scratch[:len(part)])
			if here {
				scratch[cell] = off
			}
		}
		if !ok && miss != nil {
			fillGeneric(scratch, off)
		}
	}
	return misses
}

// streamElements copies src to the start of dst by non-temporal stores.
func streamElements[E any](dst, src []E) {
	size := int(unsafe.Sizeof(src[0]))
	streamBytes(unsafe.Pointer(&dst[:len(src)][0]), bytesAt(unsafe.Pointer(&src[0]), len(src)*size))
}
