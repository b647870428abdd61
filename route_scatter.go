package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
)

// This file is the route that needs no buffer of classes: fill a tile, then
// scatter on to the cell of each index in it, in one Go loop for both stages.
// It serves every type and every layout, and gives the routines their types
// back. It is in Go, and as fast as that is; onehot_generic.go says what is
// right.

// direct runs a job tile by tile.
func (j *job) direct(p *plan.Plan) (misses int) {
	if j.onText != nil {
		if !j.hasMiss {
			return directAs(j, p, *j.onText, *j.offText, nil)
		}
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
	whole := j.need*j.width <= plan.CallBytes
	var step plan.Tile
	if !whole {
		step = j.tileFor(j.width)
		whole = step.Outer >= j.outer && step.Inner >= j.inner
	}
	if whole {
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

// scatterWith writes on to the cell of each index and, unless it is nil, miss
// to all cells of each that has no class. Few tiles have misses in most
// programs: only those are looked at again.
func scatterWith[E any](dst []E, in *input, on E, miss *E, l *layout, wrap int) (misses int) {
	misses = scatter(dst, in, on, l, wrap)
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

// scatter is scatterCells for an index type known at run time.
func scatter[E any](dst []E, in *input, on E, l *layout, wrap int) (misses int) {
	switch {
	case in.typ == textIndex:
		return scatterText(dst, unsafe.Slice((*byte)(in.ptr), in.len), &in.alphabet.table, on, l)
	case in.typed():
		return scatterTyped(dst, in, on, l, wrap)
	}
	var s stage
	for t := tilesOf(*l, l.batch(len(s))); t.next(); {
		from := in.from(t.index)
		ready := from.load(&s, t.part.outer*t.part.inner)
		misses += scatterTyped(dst[t.cell:], &ready, on, &t.part, wrap)
	}
	return misses
}

func scatterTyped[E any](dst []E, in *input, on E, l *layout, wrap int) (misses int) {
	switch in.typ {
	case Int8:
		return scatterCells(dst, indicesAs[int8](in), on, l, wrap)
	case Int16:
		return scatterCells(dst, indicesAs[int16](in), on, l, wrap)
	case Int32:
		return scatterCells(dst, indicesAs[int32](in), on, l, wrap)
	case Int64:
		return scatterCells(dst, indicesAs[int64](in), on, l, wrap)
	case Uint8:
		return scatterCells(dst, indicesAs[uint8](in), on, l, wrap)
	case Uint16:
		return scatterCells(dst, indicesAs[uint16](in), on, l, wrap)
	case Uint32:
		return scatterCells(dst, indicesAs[uint32](in), on, l, wrap)
	case Uint64:
		return scatterCells(dst, indicesAs[uint64](in), on, l, wrap)
	case Float32:
		return scatterCells(dst, indicesAs[float32](in), on, l, wrap)
	}
	return scatterCells(dst, indicesAs[float64](in), on, l, wrap)
}

// scatterCells writes on to the cell of each index and returns the number of
// indices that have none.
func scatterCells[E any, I Index](dst []E, indices []I, on E, l *layout, wrap int) (misses int) {
	if l.plane == 1 {
		return scatterRows(dst, indices[:l.outer], on, l.depth, l.stride, wrap)
	}
	for o := range l.outer {
		misses += scatterPlanes(dst[o*l.stride:], indices[o*l.pitch:][:l.inner], on, l.depth, l.plane, wrap)
	}
	return misses
}

// scatterRows is scatterEach for four rows at a time, which spares most of the
// loop: nearly always all four have a class.
func scatterRows[E any, I Index](dst []E, indices []I, on E, depth, stride, wrap int) (misses int) {
	row, limit := 0, uint64(depth)
	for ; len(indices) >= 4; indices = indices[4:] {
		a, b, c, d := integerOf(indices[0]), integerOf(indices[1]), integerOf(indices[2]), integerOf(indices[3])
		if uint64(a) < limit && uint64(b) < limit && uint64(c) < limit && uint64(d) < limit {
			dst[row+int(a)] = on
			row += stride
			dst[row+int(b)] = on
			row += stride
			dst[row+int(c)] = on
			row += stride
			dst[row+int(d)] = on
			row += stride
			continue
		}
		misses += scatterEach(dst[row:], indices[:4], on, depth, stride, wrap)
		row += 4 * stride
	}
	if len(indices) == 0 { // row may be behind the output, and beyond an int
		return misses
	}
	return misses + scatterEach(dst[row:], indices, on, depth, stride, wrap)
}

// scatterEach writes a cell in each row; rows start stride elements apart. It
// has classOf taken apart: the test that nearly every index passes comes first
// and leads straight to the store.
func scatterEach[E any, I Index](dst []E, indices []I, on E, depth, stride, wrap int) (misses int) {
	row, move := 0, wrapOf[I](wrap)
	for _, x := range indices {
		class := integerOf(x)
		if uint64(class) < uint64(depth) {
			dst[row+int(class)] = on
		} else if class += move; uint64(class) < uint64(depth) {
			dst[row+int(class)] = on
		} else {
			misses++
		}
		row += stride
	}
	return misses
}

// scatterPlanes writes a cell in each column of planes that start plane
// elements apart, as scatterEach does in rows.
func scatterPlanes[E any, I Index](dst []E, indices []I, on E, depth, plane, wrap int) (misses int) {
	move := wrapOf[I](wrap)
	for i, x := range indices {
		class := integerOf(x)
		if uint64(class) < uint64(depth) {
			dst[int(class)*plane+i] = on
		} else if class += move; uint64(class) < uint64(depth) {
			dst[int(class)*plane+i] = on
		} else {
			misses++
		}
	}
	return misses
}

// scatterText is scatterCells for bytes, whose classes stand in a table.
func scatterText[E any](dst []E, text []byte, table *[256]int16, on E, l *layout) (misses int) {
	if l.plane == 1 {
		return scatterBytes(dst, text[:l.outer], table, on, l.depth, l.stride, 1)
	}
	for o := range l.outer {
		misses += scatterBytes(dst[o*l.stride:], text[o*l.pitch:][:l.inner], table, on, l.depth, 1, l.plane)
	}
	return misses
}

// scatterBytes writes a cell for each byte: bytes stand step elements apart,
// their classes plane elements.
func scatterBytes[E any](dst []E, text []byte, table *[256]int16, on E, depth, step, plane int) (misses int) {
	first := 0
	for _, b := range text {
		if class := int(table[b]); uint(class) < uint(depth) {
			dst[first+class*plane] = on
		} else {
			misses++
		}
		first += step
	}
	return misses
}

// fillLayout fills the cells of a layout with off, in runs as long as the
// layout has them.
func fillLayout[E any](dst []E, off E, l *layout, f plan.Filler) {
	run, runs := l.inner, l.depth
	if l.inner == l.plane {
		run, runs = l.inner*l.depth, 1
		if l.stride == run {
			fillRun(dst[:run*l.outer], off, f)
			return
		}
	}
	for o := range l.outer {
		for d := range runs {
			fillRun(dst[o*l.stride+d*l.plane:][:run], off, f)
		}
	}
}

// fillRun fills a run of cells.
func fillRun[E any](dst []E, off E, f plan.Filler) {
	size := int(unsafe.Sizeof(off))
	if f == plan.FillGo || len(dst)*size < plan.Least {
		fillGeneric(dst, off)
		return
	}
	ptr, left := unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*size
	race.Range(ptr, left, true)
	pattern := elementOf(off).repeated(size)
	for left > 0 {
		n := plan.Take(left, plan.CallBytes, plan.Least)
		if f == plan.FillString && size < 16 {
			fillStringOf(ptr, n, pattern.lo)
		} else {
			fillPatternOf(ptr, n, pattern.lo, pattern.hi)
		}
		if left -= n; left > 0 { // a pointer behind the last element may be to nothing
			ptr = unsafe.Add(ptr, n)
		}
	}
}

// repeated returns 16 bytes full of a value of that width.
func (e element) repeated(width int) element {
	switch width {
	case 1:
		e.lo *= 0x0101010101010101
	case 2:
		e.lo *= 0x0001000100010001
	case 4:
		e.lo *= 0x0000000100000001
	case 16:
		return e
	}
	return element{e.lo, e.lo}
}

// fillGeneric writes off to all of dst: clear where off is all zero bits,
// doubling copies where it is not.
func fillGeneric[E any](dst []E, off E) {
	size := int(unsafe.Sizeof(off))
	if elementOf(off) == (element{}) { // and not off == 0, which -0.0 is
		race.Range(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)*size, true) // clear is not instrumented
		for ; len(dst)*size > plan.CallBytes; dst = dst[plan.CallBytes/size:] {
			clearPiece(dst[:plan.CallBytes/size])
		}
		clear(dst)
		return
	}
	if len(dst) == 0 {
		return
	}
	dst[0] = off
	seed := 1
	for seed < len(dst) && seed*size < plan.SeedBytes {
		seed += copy(dst[seed:], dst[:seed])
	}
	for rest := dst[seed:]; len(rest) > 0; {
		n := min(len(rest), max(plan.CallBytes/size, 1))
		repeatPiece(rest[:n], dst[:seed])
		rest = rest[n:]
	}
}

// clearPiece and repeatPiece are calls, so that a collection gets its moment: a
// goroutine is not stopped in clear or copy, and a loop around them has so few
// instructions of its own that it is hardly ever caught there.
//
//go:noinline
func clearPiece[E any](dst []E) { clear(dst) }

//go:noinline
func repeatPiece[E any](dst, seed []E) {
	for len(dst) > 0 {
		dst = dst[copy(dst, seed):]
	}
}

// scatterColumns fills a tile of wide rows and scatters one column after the
// other to it. It writes miss, unless it is nil, to the cells of a miss.
func scatterColumns[E any, I Index](dst []E, columns [][]I, depths []int, on, off E, miss *E, l *layout, neg Negative) (misses int) {
	for t := tilesOf(*l, l.tileFor(int(unsafe.Sizeof(on)))); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, off, &t.part, plan.FillGo)
		column := t.part
		first := 0
		for c, indices := range columns {
			column.depth = depths[c]
			in := inputOf(indices[t.index:])
			misses += scatterWith(tile[first:], &in, on, miss, &column, neg.wrap(column.depth))
			first += column.depth
		}
	}
	return misses
}

// scatterSets fills a tile of rows and scatters k indices to each: rows of a
// set are rows that do not move on.
func scatterSets[E any, I Index](dst []E, indices []I, k int, on, off E, l *layout, wrap int) (misses int) {
	move := wrapOf[I](wrap)
	for t := tilesOf(*l, l.tileFor(int(unsafe.Sizeof(on)))); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, off, &t.part, plan.FillGo)
		sets := indices[t.index*k:][:t.part.outer*k]
		for o := range t.part.outer {
			row := tile[o*l.stride:][:l.depth]
			for _, x := range sets[o*k:][:k] {
				class := integerOf(x)
				if uint64(class) < uint64(len(row)) {
					row[class] = on
				} else if class += move; uint64(class) < uint64(len(row)) {
					row[class] = on
				} else {
					misses++
				}
			}
		}
	}
	return misses
}

// scatterBits fills a tile of bit planes and sets a bit for each index. The
// layout counts words: a column is the word of 64 indices.
func scatterBits[I Index](dst []uint64, indices []I, l *layout, wrap int) (misses int) {
	for t := tilesOf(*l, l.tileFor(wordBits/8)); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, 0, &t.part, plan.FillGo)
		first := t.index * wordBits
		last := min(first+t.part.inner*wordBits, len(indices))
		for i, x := range indices[first:last] {
			if class, ok := classOf(x, l.depth, wrap); ok {
				tile[int(class)*l.plane+i/wordBits] |= 1 << (i % wordBits)
			} else {
				misses++
			}
		}
	}
	return misses
}
