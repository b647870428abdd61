package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// planeBlocks writes the planes of some columns of a block, or of as many whole
// blocks at a time as have few columns.
func (w *writer) planeBlocks() (misses int) {
	if size := w.group(); size < w.depth && w.hasMiss {
		var m missGroups
		m.init()
		return w.planeGroups(size, &m)
	}
	return w.planeGroups(plan.Classes, nil)
}

// group is how many planes are written at a time: as many as a byte tells apart,
// and where misses have cells of their own one less. Beyond the caches those go by
// way of the scratch, and have to fit it.
func (w *writer) group() int {
	switch {
	case !w.hasMiss || w.depth <= plan.Classes && !w.Stream || w.in.typ == textIndex:
		return plan.Classes
	case w.Stream:
		return min(plan.Classes-1, len(w.out.scratch)/(plan.Least*w.width))
	}
	return plan.Classes - 1
}

// planeGroups writes size planes at a time.
func (w *writer) planeGroups(size int, m *missGroups) (misses int) {
	for first := 0; first < w.depth; first += size {
		count := min(size, w.depth-first)
		hits := 0
		if w.inner == w.pitch && w.inner*2 <= w.Block {
			hits = w.wholeBlocks(first, count, m)
		} else {
			hits = w.columnBlocks(first, count, m)
		}
		misses -= hits
	}
	return misses + w.outer*w.inner
}

// wholeBlocks writes count planes of as many outer blocks at a time as make a
// block of indices, and returns how many indices have a class in these.
func (w *writer) wholeBlocks(first, count int, m *missGroups) (hits int) {
	most := w.Block / w.inner
	for o := 0; o < w.outer; {
		n := min(most, w.outer-o)
		hits += n*w.inner - w.classifyGroup(o*w.pitch, n*w.inner, first, count, m)
		w.blendPlanes(o*w.stride+first*w.plane, n, w.inner, count)
		o += n
	}
	return hits
}

// columnBlocks is wholeBlocks for some columns of one outer block at a time.
func (w *writer) columnBlocks(first, count int, m *missGroups) (hits int) {
	for o := range w.outer {
		for i := 0; i < w.inner; {
			n := plan.Take(w.inner-i, w.Block, plan.Least)
			if i == 0 && w.Stream {
				n = min(n, w.head(o*w.stride))
			}
			hits += n - w.classifyGroup(o*w.pitch+i, n, first, count, m)
			w.blendPlanes(o*w.stride+first*w.plane+i, 1, n, count)
			i += n
		}
	}
	return hits
}

// missGroups is what tells a miss from a class of another group of planes, which
// are one in the classes of a group.
type missGroups struct {
	present, others textTable // 0 for a class; 254 for what has none in this group
	classes         largeBuffer
	words           [len(largeBuffer{}) / wordBits]uint64 // which indices have a class
}

func (m *missGroups) init() {
	var codes [none + 1]byte
	codes[none] = none
	m.present.setCodes(codes[:])
	for c := range codes {
		codes[c] = byte(min(c, none-1))
	}
	m.others.setCodes(codes[:])
}

// classifyGroup is classify for a group of planes. With m a class of another
// group becomes 254, which is none of a group's, and only a miss is 255.
func (w *writer) classifyGroup(index, n, first, count int, m *missGroups) (misses int) {
	misses = w.classify(index, n, first, count)
	if m == nil || misses == 0 {
		return misses
	}
	words := BitWords(n)
	clear(m.words[:words])
	for other := 0; other < w.depth; other += plan.Classes {
		m.addGroup(w, index, n, other)
	}
	classes := unsafe.Pointer(&w.classes[0])
	textOf(classes, classes, n, unsafe.Pointer(&m.others), none) // again for some: 254 stays
	nullOf(classes, unsafe.Pointer(&m.words), words*wordBits)
	return misses
}

// addGroup sets the bits of those of n indices that have a class from first on.
func (m *missGroups) addGroup(w *writer, index, n, first int) {
	var bits [len(m.words)]uint64
	in, classes := w.in.from(index), unsafe.Pointer(&m.classes)
	in.classes(m.classes[:n], first, min(plan.Classes, w.depth-first), w.wrap)
	textOf(classes, classes, n, unsafe.Pointer(&m.present), none) // again for some: 0 stays
	bitPlanesOf(unsafe.Pointer(&bits), 0, classes, BitWords(n)*wordBits, 1)
	for k := range BitWords(n) {
		m.words[k] |= bits[k]
	}
}

// head is the number of columns, of a plane that starts at that cell, up to the
// start of a cache line: the ones behind can be written by whole lines.
func (w *writer) head(cell int) int {
	address := uintptr(w.dst) + uintptr(cell*w.width)
	if off := address % lineBytes; off != 0 && off%uintptr(w.width) == 0 {
		return plan.Least + int(lineBytes-off)/w.width
	}
	return w.Block
}

// blendPlanes writes n columns of some blocks from the classes of the block, to
// count planes; cell is the first in dst.
func (w *writer) blendPlanes(cell, blocks, n, count int) {
	dst, stride, plane := unsafe.Add(w.dst, cell*w.width), w.stride*w.width, w.plane*w.width
	classes, v := unsafe.Pointer(&w.classes[0]), unsafe.Pointer(&w.values)
	for b := range blocks {
		for p := range count {
			raceRange(unsafe.Add(dst, b*stride+p*plane), n*w.width, true)
		}
	}
	whole := w.Stream && (uintptr(dst)|uintptr(plane)|uintptr(stride))%lineBytes == 0 && n%plan.Least == 0
	switch {
	case w.hasMiss && whole && plan.Least*count*w.width <= len(w.out.scratch):
		w.streamMisses(dst, stride, plane, blocks, n, count)
	case w.hasMiss:
		planesMissOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	case whole:
		planesStreamOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	default:
		planesOf(w.width, dst, stride, plane, classes, blocks, n, count, v)
	}
}

// streamMisses is planesMissOf by non-temporal stores. There is no kernel for
// both: a few columns at a time go by way of the scratch.
func (w *writer) streamMisses(dst unsafe.Pointer, stride, plane, blocks, n, count int) {
	scratch, v := w.out.scratch, unsafe.Pointer(&w.values)
	step := max(plan.ScratchBytes/(count*w.width)&^(plan.Least-1), plan.Least)
	for b := range blocks {
		for i := 0; i < n; i += step {
			columns := min(step, n-i)
			run := columns * w.width
			planesMissOf(w.width, unsafe.Pointer(&scratch[0]), 0, run, unsafe.Pointer(&w.classes[b*n+i]), 1, columns, count, v)
			for p := range count {
				streamBytes(unsafe.Add(dst, b*stride+p*plane+i*w.width), scratch[p*run:][:run])
			}
		}
	}
}

// bitBlocks writes bit planes, a block of indices at a time. The layout counts
// words, the inputs are indices.
func (w *writer) bitBlocks() (misses int) {
	misses = w.in.len
	for i := 0; i < w.in.len; {
		n := plan.Take(w.in.len-i, w.Block, plan.Least)
		for first := 0; first < w.depth; first += plan.Classes {
			count := min(plan.Classes, w.depth-first)
			misses -= n - w.classify(i, n, first, count)
			w.writeBits(i/wordBits, n, first, count)
		}
		i += n
	}
	return misses
}

// writeBits writes the bits of n classes, from that word on, to count planes.
// Classes behind the last are none.
func (w *writer) writeBits(word, n, first, count int) {
	whole := BitWords(n) * wordBits
	for i := n; i < whole; i++ {
		w.classes[i] = none
	}
	classes, run, plane := unsafe.Pointer(&w.classes[0]), whole/8, w.plane*wordBits/8
	dst := unsafe.Add(w.dst, first*plane+word*wordBits/8)
	if !w.Stream {
		for p := range count {
			raceRange(unsafe.Add(dst, p*plane), run, true)
		}
		bitPlanesOf(dst, plane, classes, whole, count)
		return
	}
	scratch := unsafe.Pointer(&w.out.scratch[0])
	bitPlanesOf(scratch, run, classes, whole, count)
	for p := range count {
		streamBytes(unsafe.Add(dst, p*plane), w.out.scratch[p*run:][:run])
	}
}
