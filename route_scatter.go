package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// This file is the strategy that needs no buffer of classes: fill a tile, then
// light the cell of each index in it, in one Go loop for both stages. It also
// gives the routines of onehot_generic.go their types back.

// direct runs a job tile by tile.
func (j *job) direct(p *plan.Plan) (misses int) {
	if j.onText != nil {
		return directAs(j, p, *j.onText, *j.offText, j.missText)
	}
	switch j.width {
	case 1:
		return directBits[[1]byte](j, p)
	case 2:
		return directBits[[2]byte](j, p)
	case 4:
		return directBits[[4]byte](j, p)
	case 8:
		return directBits[[8]byte](j, p)
	}
	return directBits[[16]byte](j, p)
}

func directBits[E any](j *job, p *plan.Plan) (misses int) {
	var miss *E
	if j.hasMiss {
		bits := valueOf[E](j.miss)
		miss = &bits
	}
	return directAs(j, p, valueOf[E](j.on), valueOf[E](j.off), miss)
}

// directAs writes miss, unless it is nil, to the cells of what has no class.
func directAs[E any](j *job, p *plan.Plan, on, off E, miss *E) (misses int) {
	dst := unsafe.Slice((*E)(j.dst), j.need)
	if p.Stream {
		return streamDirect(j, dst, on, off)
	}
	step := j.tileFor(j.width)
	if step.Outer >= j.outer && step.Inner >= j.inner {
		fillLayout(dst, off, &j.layout, p.Fill)
		return scatterWith(dst, &j.in, on, miss, &j.layout, j.wrap)
	}
	for t := tilesOf(j.layout, step); t.next(); {
		cells, in := dst[t.cell:], j.in.from(t.index)
		fillLayout(cells, off, &t.part, p.Fill)
		misses += scatterWith(cells, &in, on, miss, &t.part, j.wrap)
	}
	return misses
}

// scatterWith writes on to the cell of each index and, unless it is nil, miss to
// all cells of each that has no class. Few tiles have misses in most programs:
// only those are looked at again.
func scatterWith[E any](dst []E, in *input, on E, miss *E, l *layout, wrap int) (misses int) {
	misses = light(dst, in, on, l, wrap)
	if misses > 0 && miss != nil {
		missCells(dst, in, *miss, l, wrap)
	}
	return misses
}

// missCells writes miss to the cells of each index that has no class.
func missCells[E any](dst []E, in *input, miss E, l *layout, wrap int) {
	var (
		s       stage
		missing [len(s)]int // the cells of class 0 of those
	)
	for t := tilesOf(*l, l.batch(len(s))); t.next(); {
		from := in.from(t.index)
		from.len = t.part.outer * t.part.inner
		if !from.typed() {
			from = from.load(&s, from.len)
		}
		n := from.missing(&missing, &t.part, wrap)
		missRows(dst[t.cell:], missing[:n], miss, l.depth, l.plane)
	}
}

// missRows writes miss to depth cells, plane elements apart, from each of first
// on: row by row where they touch, plane by plane where they do not.
func missRows[E any](dst []E, first []int, miss E, depth, plane int) {
	if plane == 1 {
		for _, cell := range first {
			row := dst[cell:][:depth]
			for d := range row {
				row[d] = miss
			}
		}
		return
	}
	for d := range depth {
		for _, cell := range first {
			dst[cell+d*plane] = miss
		}
	}
}

// missing lists the cells of class 0 of those indices of a tile that have no
// class, and returns how many they are.
func (in *input) missing(cells *[len(stage{})]int, l *layout, wrap int) int {
	switch in.typ {
	case Int8:
		return listMissing(cells, indicesAs[int8](in), l, wrap)
	case Int16:
		return listMissing(cells, indicesAs[int16](in), l, wrap)
	case Int32:
		return listMissing(cells, indicesAs[int32](in), l, wrap)
	case Int64:
		return listMissing(cells, indicesAs[int64](in), l, wrap)
	case Uint8:
		return listMissing(cells, indicesAs[uint8](in), l, wrap)
	case Uint16:
		return listMissing(cells, indicesAs[uint16](in), l, wrap)
	case Uint32:
		return listMissing(cells, indicesAs[uint32](in), l, wrap)
	case Uint64:
		return listMissing(cells, indicesAs[uint64](in), l, wrap)
	case Float32:
		return listMissing(cells, indicesAs[float32](in), l, wrap)
	}
	return listMissing(cells, indicesAs[float64](in), l, wrap)
}

func listMissing[I Index](cells *[len(stage{})]int, indices []I, l *layout, wrap int) (n int) {
	block, i := 0, 0
	for _, x := range indices {
		if _, ok := classOf(x, l.depth, wrap); !ok {
			cells[n] = block + i
			n++
		}
		if i++; i == l.inner {
			i = 0
			block += l.stride
		}
	}
	return n
}

// light is lightGeneric for an index type known at run time.
func light[E any](dst []E, in *input, on E, l *layout, wrap int) (misses int) {
	switch {
	case in.typ == textIndex:
		return lightText(dst, unsafe.Slice((*byte)(in.ptr), in.len), &in.alphabet.table, on, l)
	case in.typed():
		return lightTyped(dst, in, on, l, wrap)
	}
	var s stage
	for t := tilesOf(*l, l.batch(len(s))); t.next(); {
		from := in.from(t.index)
		ready := from.load(&s, t.part.outer*t.part.inner)
		misses += lightTyped(dst[t.cell:], &ready, on, &t.part, wrap)
	}
	return misses
}

func lightTyped[E any](dst []E, in *input, on E, l *layout, wrap int) (misses int) {
	switch in.typ {
	case Int8:
		return lightGeneric(dst, indicesAs[int8](in), on, l, wrap)
	case Int16:
		return lightGeneric(dst, indicesAs[int16](in), on, l, wrap)
	case Int32:
		return lightGeneric(dst, indicesAs[int32](in), on, l, wrap)
	case Int64:
		return lightGeneric(dst, indicesAs[int64](in), on, l, wrap)
	case Uint8:
		return lightGeneric(dst, indicesAs[uint8](in), on, l, wrap)
	case Uint16:
		return lightGeneric(dst, indicesAs[uint16](in), on, l, wrap)
	case Uint32:
		return lightGeneric(dst, indicesAs[uint32](in), on, l, wrap)
	case Uint64:
		return lightGeneric(dst, indicesAs[uint64](in), on, l, wrap)
	case Float32:
		return lightGeneric(dst, indicesAs[float32](in), on, l, wrap)
	}
	return lightGeneric(dst, indicesAs[float64](in), on, l, wrap)
}
