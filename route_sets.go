package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file writes rows in which several cells may be on: tables of
// EncodeColumns and rows of MultiHot whose plan is Sets. It takes a block of
// rows at a time. First it sets the bits of their cells, in planes of words: in
// each plane a row has one word, for 64 of its cells. Then it writes each row
// once, from its words. It serves neither strings nor gaps.

// The buffers for the words of a block of rows, and for its classes.
type (
	wordsBuffer       [plan.SetWords]uint64
	mediumWordsBuffer [plan.MediumSetWords]uint64
	smallWordsBuffer  [plan.SmallSetWords]uint64
	setsBuffer        [8 * plan.SetMost]byte                // eight of the largest sets, or a block of smaller ones and what it takes along
	setPlaces         [plan.SetRows + plan.Least + 3]uint16 // the misses of a column in a block of rows, and three more that placesOf may write
)

// roundUp returns the words of a plane for n rows: eight are written at a time.
func roundUp(n int) int { return (n + 7) &^ 7 }

// A setWriter turns words into rows of an output that has no gaps.
type setWriter struct {
	*job
	*plan.Plan
	out streamer
}

// tableColumns is the columns of EncodeColumns without their type.
type tableColumns struct {
	first  *[]byte // the headers of the slices, whose lengths count indices
	typ    IndexType
	depths []int
	neg    Negative
}

// tableOf erases the type of columns. There must be at least one.
func tableOf[I Index](columns [][]I, depths []int, neg Negative) tableColumns {
	return tableColumns{(*[]byte)(unsafe.Pointer(unsafe.SliceData(columns))), indexTypeOf[I](), depths, neg}
}

// from returns the indices of a column from the given row on.
func (t *tableColumns) from(column, row int) input {
	s := *(*[]byte)(unsafe.Add(unsafe.Pointer(t.first), column*int(unsafe.Sizeof(*t.first))))
	in := input{unsafe.Pointer(unsafe.SliceData(s)), len(s), t.typ, nil}
	return in.from(row)
}

// columnSets writes a table and returns the misses. The words alone choose the
// buffer: zeroing one that also has room for the classes of a Miss takes longer
// than making those classes again.
func (j *job) columnSets(t *tableColumns, p *plan.Plan) (misses int) {
	j.prefetches(p)
	switch words := BitWords(j.depth) * roundUp(j.outer); {
	case p.Stream:
		return columnSetsIn[wordsBuffer, scratchBuffer](j, t, p)
	case words <= plan.SmallSetWords:
		return columnSetsIn[smallWordsBuffer, noBuffer](j, t, p)
	case words <= plan.MediumSetWords:
		return columnSetsIn[mediumWordsBuffer, noBuffer](j, t, p)
	}
	return columnSetsIn[wordsBuffer, noBuffer](j, t, p)
}

func columnSetsIn[Words, Scratch any](j *job, t *tableColumns, p *plan.Plan) (misses int) {
	var (
		words   Words
		scratch lineRoom[Scratch]
	)
	w := setWriter{job: j, Plan: p, out: streamer{scratch: scratch.bytes()}}
	for o := 0; o < j.outer; {
		n := plan.Take(j.outer-o, p.Block, plan.Least)
		var spare []byte // room after the words for classes, until their misses are written
		if j.hasMiss {
			spare = bytesOf(&words)[BitWords(j.depth)*8*roundUp(n):]
		}
		missed, where := t.mark(unsafe.Pointer(&words), spare, o, n)
		if p.Stream {
			for c := range t.depths {
				in := t.from(c, 0)
				in.prefetch(o+n, n)
			}
		}
		w.rows(unsafe.Pointer(&words), o, n)
		if missed > 0 && j.hasMiss {
			w.rewriteMisses(t, bytesOf(&words), spare, where, o, n)
		}
		misses += missed
		o += n
	}
	w.out.end(w.dst)
	return misses
}

// rewriteMisses writes the cells of misses again, in n rows from row o on and
// in the columns whose bit is set in where. room is the memory of the words,
// which are no longer needed; where and spare are those of mark.
func (w *setWriter) rewriteMisses(t *tableColumns, room, spare []byte, where uint64, o, n int) {
	var places setPlaces
	bit, row, pattern := 0, w.depth*w.width, w.miss.repeated(w.width)
	for c, depth := range t.depths {
		var classes []byte
		classes, spare = keep(spare, depth, n)
		if where>>(c%wordBits)&1 != 0 && depth != 0 {
			if classes == nil {
				classes = t.remake(room, c, o, n)
			}
			found := places[:places.find(classes)]
			pattern.fillAt(unsafe.Add(w.dst, o*row+bit*w.width), row, depth*w.width, found)
		}
		bit += depth
	}
}

// keep takes room for the classes of n rows of a column from spare and returns
// it and the rest of spare. classes is nil if spare is too small, or if the
// column has more than plan.SetSpan classes.
func keep(spare []byte, depth, n int) (classes, rest []byte) {
	if rows := roundUp(n); depth <= plan.SetSpan && rows <= len(spare) {
		return spare[:n], spare[rows:]
	}
	return nil, spare
}

// remake makes the classes of n rows of a column again, in room. Where the
// column has several spans, only the classes that are none are right: they are
// none in every span.
func (t *tableColumns) remake(room []byte, column, o, n int) []byte {
	in, depth, classes, part := t.from(column, o), t.depths[column], room[:n], room[n:][:n]
	wrap := t.neg.wrap(depth)
	in.classes(classes, 0, min(plan.SetSpan, depth), wrap)
	for first := plan.SetSpan; first < depth; first += plan.SetSpan {
		in.classes(part, first, min(plan.SetSpan, depth-first), wrap)
		for i := range classes {
			classes[i] &= part[i] // none is all bits
		}
	}
	return classes
}

// find lists the places of classes that are none and returns their number.
func (p *setPlaces) find(classes []byte) (count int) {
	from := unsafe.Pointer(unsafe.SliceData(classes))
	if tier.AVX2 {
		return placesOf(unsafe.Pointer(p), from, len(classes))
	}
	var words [len(p)/wordBits + 1]uint64
	v := values{on: element{lo: none}}
	hitsOf(1, unsafe.Pointer(&words), from, len(classes), unsafe.Pointer(&v))
	for k, word := range words {
		for ; word != 0; word &= word - 1 {
			p[count] = uint16(k*wordBits + bits.TrailingZeros64(word))
			count++
		}
	}
	return count
}

// mark sets the bits of n rows from row o on, span by span in columns of many
// classes. It returns the number of misses and, in where, bit c%64 for each
// column c that has any. It leaves the classes in the parts of spare that keep
// takes.
func (t *tableColumns) mark(words unsafe.Pointer, spare []byte, o, n int) (misses int, where uint64) {
	var block [plan.SetRows + plan.Least]byte
	rows, bit := roundUp(n), 0
	for c, depth := range t.depths {
		var classes []byte
		in, missed := t.from(c, o), n
		if classes, spare = keep(spare, depth, n); classes == nil {
			classes = block[:n]
		}
		for first := 0; first < depth; first += plan.SetSpan {
			span := min(plan.SetSpan, depth-first)
			missed -= n - in.classes(classes, first, span, t.neg.wrap(depth))
			at := (bit + first) % wordBits
			marksOf(unsafe.Add(words, (bit+first)/wordBits*rows*8), rows*8, unsafe.Pointer(&classes[0]), rows, at, (at+span-1)/wordBits+1)
		}
		if misses += missed; missed > 0 {
			where |= 1 << (c % wordBits)
		}
		bit += depth
	}
	return misses, where
}

// multiHotSets writes rows of k indices each, and returns the misses.
func (j *job) multiHotSets(k int, p *plan.Plan) (misses int) {
	j.prefetches(p)
	if p.Stream {
		return multiHotSetsIn[scratchBuffer](j, k, p)
	}
	return multiHotSetsIn[noBuffer](j, k, p)
}

func multiHotSetsIn[Scratch any](j *job, k int, p *plan.Plan) (misses int) {
	var (
		classes setsBuffer
		words   smallWordsBuffer
		scratch lineRoom[Scratch]
	)
	w := setWriter{job: j, Plan: p, out: streamer{scratch: scratch.bytes()}}
	for o := 0; o < j.outer; {
		n := plan.Take(j.outer-o, p.Block, (plan.Least-1)/k+1)
		in := j.in.from(o * k)
		misses += n * k
		for first := 0; first < j.depth; first += plan.SetSpan {
			span := min(plan.SetSpan, j.depth-first)
			misses -= n*k - in.classes(classes[:n*k], first, span, j.wrap)
			to := unsafe.Add(unsafe.Pointer(&words), first/wordBits*roundUp(n)*8)
			setMarksOf(to, roundUp(n)*8, unsafe.Pointer(&classes), roundUp(n), k, BitWords(span))
		}
		if p.Stream {
			j.in.prefetch((o+n)*k, n*k)
		}
		w.rows(unsafe.Pointer(&words), o, n)
		o += n
	}
	w.out.end(w.dst)
	return misses
}

// rows writes the n rows of a block, from row o on. If the plan says Stream
// they go by way of the scratch, which has room for what the kernel stores
// after them.
func (w *setWriter) rows(words unsafe.Pointer, o, n int) {
	plane, row, most := roundUp(n)*8, w.depth*w.width, plan.CallBytes
	if w.Stream {
		most = plan.ScratchBytes
	}
	for r := 0; r < n; {
		count := min(max(most/row, 1), n-r)
		at, from := (o+r)*row, unsafe.Add(words, r*8)
		if w.Stream {
			cellsOf(w.width, w.out.tile(w.dst, at, count*row), row, from, 8, plane, count, w.depth, unsafe.Pointer(&w.values))
			w.out.send(w.dst, 0, count*row)
		} else {
			to := unsafe.Add(w.dst, at)
			race.Range(to, count*row, true)
			cellsWithin((w.outer-o-r-count)*row, w.width, to, from, 8, plane, count, w.depth, &w.values)
		}
		r += count
	}
}

// cellsWithin is cellsOf for rows that touch, with room for so many bytes after
// the last one, which later calls write. If a row is not a whole number of
// vectors, the kernel also stores into the rows after it, which it writes next.
// The last rows have no such room. Short ones go by way of a buffer; a long one
// is written in whole lines, of which the last ends where the row does.
func cellsWithin(room, width int, dst, words unsafe.Pointer, next, plane, rows, cells int, v *values) {
	row := cells * width
	reach := (row + lineBytes - 1) &^ (lineBytes - 1) // the most bytes of a row's vectors
	last := min((reach-1-min(room, lineBytes-1))/row, rows)
	if rows -= last; rows > 0 {
		cellsOf(width, dst, row, words, next, plane, rows, cells, unsafe.Pointer(v))
	}
	if last == 0 {
		return
	}
	dst, words = unsafe.Add(dst, rows*row), unsafe.Add(words, rows*next)
	if row < lineBytes {
		var buffer [2 * lineBytes]byte // less than a line of rows, and what the kernel stores after them
		cellsOf(width, unsafe.Pointer(&buffer), row, words, next, plane, last, cells, unsafe.Pointer(v))
		copy(bytesAt(dst, last*row), buffer[:])
		return
	}
	line := lineBytes / width
	first := cells - line
	cellsOf(width, dst, row, words, next, plane, 1, cells&^(line-1), unsafe.Pointer(v))
	word := *(*uint64)(unsafe.Add(words, first/wordBits*plane)) >> (first % wordBits)
	if more := first%wordBits + line - wordBits; more > 0 {
		word |= *(*uint64)(unsafe.Add(words, (first/wordBits+1)*plane)) << (line - more)
	}
	cellsOf(width, unsafe.Add(dst, first*width), lineBytes, unsafe.Pointer(&word), 0, 0, 1, line, unsafe.Pointer(v))
}
