package onehot

import (
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file is the way of rows in which several cells may be on. The bits of a
// block of rows are set first, in planes of words, a word for 64 cells of a
// row; then each row is written once, from its words.

// The rooms for the words of a block, and for its classes.
type (
	wordsBuffer      [plan.SetWords]uint64
	smallWordsBuffer [plan.SmallSetWords]uint64
	missWordsBuffer  [plan.SetWords + leastMisses]uint64 // and for the misses of a block
	smallMissBuffer  [plan.SmallSetWords + leastMisses]uint64
	setsBuffer       [plan.SetBlock + plan.Least + plan.SetMost]byte
)

// roundUp returns the number of words in a plane for n rows: eight are written
// at a time.
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

// from returns the indices of a column from a row on.
func (t *tableColumns) from(column, row int) input {
	s := *(*[]byte)(unsafe.Add(unsafe.Pointer(t.first), column*int(unsafe.Sizeof(*t.first))))
	in := input{unsafe.Pointer(unsafe.SliceData(s)), len(s), t.typ, nil}
	return in.from(row)
}

// columnSets writes a table, in buffers that suit it, and returns the misses
// and the row from which the output is left to the caller.
func (j *job) columnSets(t *tableColumns, p *plan.Plan) (misses, last int) {
	switch small := BitWords(j.depth)*roundUp(j.outer) <= plan.SmallSetWords; {
	case p.Stream:
		return columnSetsIn[wordsBuffer, scratchBuffer](j, t, p)
	case j.hasMiss && small:
		return columnSetsIn[smallMissBuffer, noBuffer](j, t, p)
	case j.hasMiss:
		return columnSetsIn[missWordsBuffer, noBuffer](j, t, p)
	case small:
		return columnSetsIn[smallWordsBuffer, noBuffer](j, t, p)
	}
	return columnSetsIn[wordsBuffer, noBuffer](j, t, p)
}

func columnSetsIn[Words, Scratch any](j *job, t *tableColumns, p *plan.Plan) (misses, last int) {
	var (
		words   Words
		scratch Scratch
	)
	w := setWriter{job: j, Plan: p, out: streamer{scratch: bytesOf(&scratch)}}
	for o := 0; o < j.outer; {
		n := plan.Take(j.outer-o, p.Block, plan.Least)
		if j.hasMiss {
			misses += w.missing(t, wordsAt(unsafe.Pointer(&words), int(unsafe.Sizeof(words)/8)), o, n)
		} else {
			misses += t.mark(unsafe.Pointer(&words), o, n, nil)
			w.rows(unsafe.Pointer(&words), o, n)
		}
		o += n
	}
	w.end()
	return misses, w.last()
}

// missing writes n rows from row o on where a miss has cells of its own, and
// returns the misses. Few blocks have many: all rows are written from their
// bits, and the cells of misses again, but for the rows that are left to the
// caller.
//
//go:noinline
func (w *setWriter) missing(t *tableColumns, words []uint64, o, n int) (misses int) {
	first, rest := unsafe.Pointer(&words[0]), words[BitWords(w.depth)*roundUp(n):]
	list := missList{row: w.depth * w.width, width: w.width, misses: unsafe.Slice((*missedCells)(unsafe.Pointer(&rest[0])), len(rest))}
	misses = t.mark(first, o, n, &list)
	w.rows(first, o, n)
	to, end := unsafe.Add(w.dst, o*list.row), min(n, w.last()-o)*list.row
	pattern := w.miss.repeated(w.width)
	for list.n > 0 {
		for _, m := range list.misses[:list.n] {
			if int(m.at) < end {
				pattern.fillAny(unsafe.Add(to, m.at), int(m.bytes))
			}
		}
		if list.n = 0; list.full {
			list.full = false
			t.mark(nil, o, n, &list)
		}
	}
	return misses
}

// missedCells is the cells of a miss in a block of rows: bytes from its first
// on.
type missedCells struct{ at, bytes uint32 }

// leastMisses is for how many of them there is room at least.
const leastMisses = 2 * wordBits

// A missList lists the misses of a block, in what its words leave of their
// buffer.
type missList struct {
	row, width int
	words      [(plan.SetRows + plan.Least) / wordBits]uint64 // of a column: 1 for a miss
	misses     []missedCells
	n          int
	full       bool // there are more, from that word of that column on
	column     int
	word       int
}

// find adds the classes of a part of a column to the words, in which is left
// what no part has.
func (l *missList) find(classes []byte, first bool) {
	var part [len(l.words)]uint64
	for k, word := range missWords(classes, part[:]) {
		if !first {
			word &= l.words[k]
		}
		l.words[k] = word
	}
}

// add lists the misses of a column of n rows, whose cells stand from that bit
// of a row on.
func (l *missList) add(column, bit, depth, n int) {
	for k := l.word; k < BitWords(n); k++ {
		if l.n+wordBits > len(l.misses) {
			l.full, l.column, l.word = true, column, k
			return
		}
		for word := l.words[k]; word != 0; word &= word - 1 {
			r := k*wordBits + bits.TrailingZeros64(word)
			m := &l.misses[l.n]
			m.at, m.bytes = uint32(r*l.row+bit*l.width), uint32(depth*l.width)
			l.n++
		}
	}
	l.word = 0
}

// mark sets the bits of n rows from row o on, and returns their misses. A
// column of many classes is set span by span. With a list it lists the misses,
// until that is full; without words it goes on with that.
func (t *tableColumns) mark(words unsafe.Pointer, o, n int, list *missList) (misses int) {
	var classes [plan.SetRows + 2*plan.Least]byte
	rows, bit := roundUp(n), 0
	for c, depth := range t.depths {
		if words == nil && c < list.column {
			bit += depth
			continue
		}
		in, missed := t.from(c, o), n
		for first := 0; first < depth; first += plan.SetSpan {
			span := min(plan.SetSpan, depth-first)
			missed -= n - in.classes(classes[:n], first, span, t.neg.wrap(depth))
			if list != nil && missed > 0 {
				list.find(classes[:n], first == 0)
			}
			if words != nil {
				at := (bit + first) % wordBits
				marksOf(unsafe.Add(words, (bit+first)/wordBits*rows*8), rows*8, unsafe.Pointer(&classes), rows, at, (at+span-1)/wordBits+1)
			}
		}
		if misses += missed; list != nil && missed > 0 && depth > 0 && !list.full {
			list.add(c, bit, depth, n)
		}
		bit += depth
	}
	return misses
}

// multiHotSets writes rows of k classes, and returns the misses and the row
// from which the output is left to the caller.
func (j *job) multiHotSets(k int, p *plan.Plan) (misses, last int) {
	if p.Stream {
		return multiHotSetsIn[scratchBuffer](j, k, p)
	}
	return multiHotSetsIn[noBuffer](j, k, p)
}

func multiHotSetsIn[Scratch any](j *job, k int, p *plan.Plan) (misses, last int) {
	var (
		classes setsBuffer
		words   smallWordsBuffer
		scratch Scratch
	)
	w := setWriter{job: j, Plan: p, out: streamer{scratch: bytesOf(&scratch)}}
	for o := 0; o < j.outer; {
		n := plan.Take(j.outer-o, p.Block, (plan.Least-1)/k+1)
		in := j.in.from(o * k)
		misses += n * k
		for first := 0; first < j.depth; first += plan.SetSpan {
			span := min(plan.SetSpan, j.depth-first)
			misses -= n*k - in.classes(classes[:n*k], first, span, j.wrap)
			to := unsafe.Add(unsafe.Pointer(&words), first/wordBits*roundUp(n)*8)
			setMarksOf(to, roundUp(n)*8, unsafe.Pointer(&classes), n, k, BitWords(span))
		}
		w.rows(unsafe.Pointer(&words), o, n)
		o += n
	}
	w.end()
	return misses, w.last()
}

// rows writes the n rows of a block, from row o on, but those that are left to
// the caller. Beyond the last-level cache they go by way of the scratch.
func (w *setWriter) rows(words unsafe.Pointer, o, n int) {
	plane, row, most := roundUp(n)*8, w.depth*w.width, plan.CallBytes
	if w.Stream {
		most = plan.ScratchBytes
	}
	n = min(n, w.last()-o)
	for r := 0; r < n; {
		count := min(max(most/row, 1), n-r)
		at, from := (o+r)*row, unsafe.Add(words, r*8)
		if w.Stream {
			cellsOf(w.width, w.out.tile(w.dst, at, count*row), row, from, 8, plane, count, w.depth, unsafe.Pointer(&w.values))
			w.out.send(w.dst, count*row)
		} else {
			race.Range(unsafe.Add(w.dst, at), count*row, true)
			cellsOf(w.width, unsafe.Add(w.dst, at), row, from, 8, plane, count, w.depth, unsafe.Pointer(&w.values))
		}
		r += count
	}
}

// last is the row from which the kernel would store behind the output.
func (w *setWriter) last() int {
	if w.Stream {
		return w.outer
	}
	const behind = lineBytes - 1 // bytes that it stores behind a row
	return w.outer - min((behind-1)/(w.depth*w.width)+1, w.outer)
}

func (w *setWriter) end() {
	if w.Stream {
		w.out.flush(w.dst)
		streamEndOf()
	}
}
