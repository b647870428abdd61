package onehot

import "unsafe"

// This file is the strategy that needs no buffer of classes: fill a tile, then
// light the cell of each index in it, in one Go loop for both stages. It also
// gives the routines of onehot_generic.go their types back.

// direct runs a job tile by tile.
func (j *job) direct(p *plan) (misses int) {
	if j.onText != nil {
		return directAs(j, p, *j.onText, *j.offText)
	}
	switch j.width {
	case 1:
		return directAs(j, p, valueOf[[1]byte](j.on), valueOf[[1]byte](j.off))
	case 2:
		return directAs(j, p, valueOf[[2]byte](j.on), valueOf[[2]byte](j.off))
	case 4:
		return directAs(j, p, valueOf[[4]byte](j.on), valueOf[[4]byte](j.off))
	case 8:
		return directAs(j, p, valueOf[[8]byte](j.on), valueOf[[8]byte](j.off))
	}
	return directAs(j, p, valueOf[[16]byte](j.on), valueOf[[16]byte](j.off))
}

func directAs[E any](j *job, p *plan, on, off E) (misses int) {
	dst := unsafe.Slice((*E)(j.dst), j.need)
	if p.stream {
		return streamDirect(j, dst, on, off)
	}
	if p.step.outer >= j.outer && p.step.inner >= j.inner {
		fillLayout(dst, off, &j.layout, p.fill)
		return light(dst, &j.in, on, &j.layout, j.wrap)
	}
	for t := tilesOf(j.layout, p.step); t.next(); {
		cells, in := dst[t.cell:], j.in.from(t.index)
		fillLayout(cells, off, &t.part, p.fill)
		misses += light(cells, &in, on, &t.part, j.wrap)
	}
	return misses
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
