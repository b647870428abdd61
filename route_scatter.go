package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/race"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file writes an output without a buffer of classes: it fills a tile with
// off and then scatters, which is to store on to the cell of each index. Jobs
// whose plan is Scatter come here: all strings, few indices, rows and planes
// too deep to blend, and everything on the generic path. EncodeColumns,
// MultiHot, EncodeBits and the small calls share its loops. It serves every
// type and every layout, and gives the cells and indices of a job their types
// back. What is right is defined in onehot_generic.go.

// direct fills and scatters to the output of a job, tile by tile.
func (j *job) direct(p *plan.Plan) (misses int) {
	if t := j.strings; j.isString {
		if !j.hasMiss {
			return directAs(j, p, t[0], t[1], nil)
		}
		return directAs(j, p, t[0], t[1], &t[2])
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

// directAs is direct for cells of type E. Unless miss is nil, it is written to
// all cells of an index that has no class.
func directAs[E any](j *job, p *plan.Plan, on, off E, miss *E) (misses int) {
	dst := unsafe.Slice((*E)(j.dst), j.need)
	if p.Tiles {
		return scatterStream(dst, j, on, off, miss)
	}
	step := plan.Tile{Outer: j.outer, Inner: j.inner}
	if j.need*j.width > plan.CallBytes && p.Fill != plan.FillStream {
		step = j.tileFor(j.width, 1)
	}
	for t := tilesOf(j.layout, step); t.next(); {
		in := j.in.from(t.index)
		misses += directTile(dst[t.cell:], &in, on, off, miss, &t.part, j.wrap, p)
	}
	return misses
}

// directTile writes one tile. In planes of many columns it writes miss together
// with off: storing miss to every cell of a column afterwards, in many planes
// far apart, would cost more unless misses are few.
func directTile[E any](dst []E, in *input, on, off E, miss *E, l *layout, wrap int, p *plan.Plan) (misses int) {
	if miss != nil && l.inner >= plan.Least && plan.CopiesMisses(tier.Active(), l.depth, isString[E]()) {
		fillPlanes(dst, in, off, *miss, l, wrap, p.Fill)
		miss = nil
	} else {
		fillLayout(dst, off, l, p.Fill)
	}
	if p.Fill == plan.FillStream {
		streamEndOf()
	}
	return scatterWith(dst, in, on, miss, l, wrap)
}

// fillPlanes is fillLayout, but writes miss to the cells of an index without a
// class. It copies the first plane, some columns at a time, to the others.
func fillPlanes[E any](dst []E, in *input, off, miss E, l *layout, wrap int, f plan.Filler) {
	for t := tilesOf(*l, plan.Tile{Outer: 1, Inner: plan.SeedBytes / int(unsafe.Sizeof(off))}); t.next(); {
		cells, from := dst[t.cell:], in.from(t.index)
		first := cells[:t.part.inner]
		switch {
		case !missRun(first, cells, &from, off, miss, &t.part, wrap):
			fillLayout(cells, off, &t.part, f)
		case f == plan.FillStream:
			run := bytesAt(unsafe.Pointer(&first[0]), len(first)*int(unsafe.Sizeof(off)))
			for d := 1; d < l.depth; d++ {
				streamBytes(unsafe.Pointer(&cells[d*l.plane]), run)
			}
		case len(first) == l.plane:
			repeat(cells[:t.part.need], len(first))
		default:
			for d := 1; d < l.depth; d++ {
				copy(cells[d*l.plane:], first)
			}
		}
	}
}

// missRun writes off to the columns of run, and miss to those whose index has
// no class. It reports whether there is any such index; if not, run may still
// be unwritten. A kernel does this where a byte tells all classes apart; the
// classes then lie where the second plane will be.
func missRun[E any](run, planes []E, in *input, off, miss E, l *layout, wrap int) bool {
	if kernels := !isString[E]() && tier.Active() != tier.GenericPath; kernels && 1 < l.depth && l.depth <= plan.Classes && len(run) >= plan.Least {
		classes := unsafe.Pointer(&planes[l.plane])
		if in.classes(bytesAt(classes, len(run)), 0, l.depth, wrap) == 0 {
			return false
		}
		v, to := values{on: elementOf(miss), off: elementOf(off)}, unsafe.Pointer(&run[0])
		race.Range(to, len(run)*int(unsafe.Sizeof(off)), true)
		planesByColumnsOf(int(unsafe.Sizeof(off)), to, 0, 0, classes, 1, len(run), none, 1, unsafe.Pointer(&v), 0)
		return true
	}
	// All classes share one plane: fill it with miss, then scatter off to it.
	fillGeneric(run, miss)
	shared := layout{outer: 1, depth: l.depth, inner: len(run), indexStride: len(run), need: len(run)}
	return scatterWith(run, in, off, nil, &shared, wrap) > 0
}

// missCells writes miss to depth cells, plane elements apart, from the given
// one on.
func missCells[E any](to unsafe.Pointer, miss E, depth, plane int) {
	if plane > 1 {
		missColumn(to, miss, depth, plane)
	} else {
		missRow(to, miss, depth)
	}
}

// missRow writes miss to depth cells from the given one on. With a pointer the
// loops that call it need not keep the length and the capacity of a slice.
func missRow[E any](to unsafe.Pointer, miss E, depth int) {
	size := int(unsafe.Sizeof(miss))
	switch bytes := depth * size; {
	case bytes == 0:
	case !isString[E]() && bytes <= plan.MissRun:
		pattern := elementOf(miss).repeated(size)
		pattern.fillFew(to, bytes)
	case isString[E]() || tier.Active() == tier.GenericPath:
		fillRun(unsafe.Slice((*E)(to), depth), miss, plan.FillGo)
	default:
		fillRun(unsafe.Slice((*E)(to), depth), miss, plan.FillVector)
	}
}

// scatterWith writes on to the cell of each index and, unless miss is nil, miss
// to all cells of an index that has no class. It is scatterCells for an index
// type that is known only at run time.
func scatterWith[E any](dst []E, in *input, on E, miss *E, l *layout, wrap int) (misses int) {
	switch {
	case in.typ == textIndex:
		return scatterText(dst, bytesAt(in.ptr, in.len), in.alphabet, on, miss, l)
	case in.typed():
		return scatterTyped(dst, in, on, miss, l, wrap)
	}
	var s stage
	for t := tilesOf(*l, l.batch(len(s))); t.next(); {
		from := in.from(t.index)
		ready := from.load(&s, t.part.outer*t.part.inner)
		misses += scatterTyped(dst[t.cell:], &ready, on, miss, &t.part, wrap)
	}
	return misses
}

func scatterTyped[E any](dst []E, in *input, on E, miss *E, l *layout, wrap int) (misses int) {
	switch in.typ {
	case Int8:
		return scatterCells(dst, indicesAs[int8](in), on, miss, l, wrap)
	case Int16:
		return scatterCells(dst, indicesAs[int16](in), on, miss, l, wrap)
	case Int32:
		return scatterCells(dst, indicesAs[int32](in), on, miss, l, wrap)
	case Int64:
		return scatterCells(dst, indicesAs[int64](in), on, miss, l, wrap)
	case Uint8:
		return scatterCells(dst, indicesAs[uint8](in), on, miss, l, wrap)
	case Uint16:
		return scatterCells(dst, indicesAs[uint16](in), on, miss, l, wrap)
	case Uint32:
		return scatterCells(dst, indicesAs[uint32](in), on, miss, l, wrap)
	case Uint64:
		return scatterCells(dst, indicesAs[uint64](in), on, miss, l, wrap)
	case Float32:
		return scatterCells(dst, indicesAs[float32](in), on, miss, l, wrap)
	}
	return scatterCells(dst, indicesAs[float64](in), on, miss, l, wrap)
}

// scatterCells writes on to the cell of each index, handles miss as scatterWith
// does, and returns the number of indices that have no class.
func scatterCells[E any, I Index](dst []E, indices []I, on E, miss *E, l *layout, wrap int) (misses int) {
	if l.plane == 1 {
		return scatterRows(dst, indices[:l.outer], on, miss, l.depth, l.stride, wrap)
	}
	return scatterBlocks(dst, indices, on, miss, l, wrap)
}

// scatterBlocks scatters to blocks of planes. Planes with fewer columns than
// any kernel takes go to scatterFew, all blocks in one call if their indices
// touch. Wider planes go to scatterPlanes, a block in each call.
func scatterBlocks[E any, I Index](dst []E, indices []I, on E, miss *E, l *layout, wrap int) (misses int) {
	blocks := 1
	if l.inner < plan.Least && l.inner == l.indexStride {
		blocks = l.outer
	}
	for o := 0; o < l.outer; o += blocks {
		cells, some := dst[o*l.stride:], indices[o*l.indexStride:][:blocks*l.inner]
		if to := unsafe.Pointer(unsafe.SliceData(cells)); l.inner >= plan.Least {
			misses += scatterPlanes(to, some, on, miss, l.depth, l.plane, wrap)
		} else {
			misses += scatterFew(to, some, on, miss, l.depth, l.plane, l.inner, l.stride, wrap)
		}
	}
	return misses
}

// scatterFew is scatterPlanes for whole blocks of inner columns, stride
// elements apart. It takes four indices at a time up to one that is not in [0,
// depth), and the rest of that block, which is short, one at a time. It checks
// no bounds and calls nothing, so that its variables stay in registers.
func scatterFew[E any, I Index](to unsafe.Pointer, indices []I, on E, miss *E, depth, plane, inner, stride, wrap int) (misses int) {
	size, limit := int(unsafe.Sizeof(on)), limitOf[I](depth)
	for len(indices) >= inner {
		block, i := indices[:inner], 0
		for ; i <= inner-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(&block[i]))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			*nth[E](to, intOf(w, a)*plane+i) = on
			*nth[E](unsafe.Add(to, size), intOf(x, b)*plane+i) = on
			*nth[E](unsafe.Add(to, 2*size), intOf(y, c)*plane+i) = on
			*nth[E](unsafe.Add(to, 3*size), intOf(z, d)*plane+i) = on
		}
		for ; i < inner; i++ {
			x := block[i]
			if a := bitsOf(x); a < limit {
				*nth[E](to, intOf(x, a)*plane+i) = on
			} else if class, ok := classOf(x, depth, wrap); ok {
				*nth[E](to, int(class)*plane+i) = on
			} else if misses++; miss != nil {
				cell := i
				for d := depth; d > 1; d -= 2 { // two at a time: each round of a loop takes a cycle
					*nth[E](to, cell) = *miss
					*nth[E](to, cell+plane) = *miss
					cell += 2 * plane
				}
				if depth&1 != 0 {
					*nth[E](to, cell) = *miss
				}
			}
		}
		if indices = indices[inner:]; len(indices) > 0 { // to must not leave the output
			to = unsafe.Add(to, stride*size)
		}
	}
	return misses
}

// scatterRows writes on to one cell of each row and, unless miss is nil, miss
// to all cells of a row without a class. Rows start stride elements apart. It
// takes four rows at a time while all four indices are in [0, depth). After one
// that is not, it takes plan.BehindMiss rows one at a time, since such indices
// come together. It checks no bounds.
func scatterRows[E any, I Index](dst []E, indices []I, on E, miss *E, depth, stride, wrap int) (misses int) {
	to, size, row, limit, i := unsafe.Pointer(unsafe.SliceData(dst)), int(unsafe.Sizeof(on)), 0, limitOf[I](depth), 0
	for i < len(indices) {
		for ; i <= len(indices)-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(&indices[i]))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			*nth[E](to, row+intOf(w, a)) = on
			row += stride
			*nth[E](to, row+intOf(x, b)) = on
			row += stride
			*nth[E](to, row+intOf(y, c)) = on
			row += stride
			*nth[E](to, row+intOf(z, d)) = on
			row += stride
		}
		for last := min(i+plan.BehindMiss, len(indices)); i < last; i++ {
			x := indices[i]
			if a := bitsOf(x); a < limit {
				*nth[E](to, row+intOf(x, a)) = on
			} else if class, ok := classOf(x, depth, wrap); ok {
				*nth[E](to, row+int(class)) = on
			} else if misses++; miss != nil && depth > 0 { // the last column of a table may have no cells, and start past the output
				missRow(unsafe.Add(to, row*size), *miss, depth)
			}
			row += stride
		}
	}
	return misses
}

// scatterPlanes does for the columns of planes, which start plane elements
// apart, what scatterRows does for rows. One function for both, with a product
// for each index, takes 1 to 3% longer for rows. The offset of a column among
// four is in bytes, so that the store itself adds it. From the first miss with
// cells of its own on, scatterMissPlanes does the rest.
func scatterPlanes[E any, I Index](to unsafe.Pointer, indices []I, on E, miss *E, depth, plane, wrap int) (misses int) {
	size, limit, i := int(unsafe.Sizeof(on)), limitOf[I](depth), 0
	for i < len(indices) {
		for ; i <= len(indices)-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(&indices[i]))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			*nth[E](to, intOf(w, a)*plane+i) = on
			*nth[E](unsafe.Add(to, size), intOf(x, b)*plane+i) = on
			*nth[E](unsafe.Add(to, 2*size), intOf(y, c)*plane+i) = on
			*nth[E](unsafe.Add(to, 3*size), intOf(z, d)*plane+i) = on
		}
		for last := min(i+plan.BehindMiss, len(indices)); i < last; i++ {
			x := indices[i]
			if a := bitsOf(x); a < limit {
				*nth[E](to, intOf(x, a)*plane+i) = on
			} else if class, ok := classOf(x, depth, wrap); ok {
				*nth[E](to, int(class)*plane+i) = on
			} else if miss != nil && depth > 0 { // without classes, to may point at nothing
				// indices[i:] would keep a capacity in a register, through the loop.
				return scatterMissPlanes(unsafe.Pointer(nth[E](to, i)), unsafe.Slice(&indices[i], len(indices)-i), on, *miss, depth, plane, wrap)
			} else {
				misses++
			}
		}
	}
	return misses
}

// scatterMissPlanes is scatterPlanes where indices may be misses with cells of
// their own. It is a function of its own because the call in its loop keeps
// variables in memory: one loop for both takes up to 1.25 times as long without
// a Miss where many indices are misses. It takes one index at a time: with four
// at a time it takes 0.95 times as long where one in a hundred is a miss, 1.08
// times where five are.
//
//go:noinline
func scatterMissPlanes[E any, I Index](to unsafe.Pointer, indices []I, on, miss E, depth, plane, wrap int) (misses int) {
	size, limit := int(unsafe.Sizeof(on)), limitOf[I](depth)
	for i, x := range indices {
		if a := bitsOf(x); a < limit {
			*nth[E](to, intOf(x, a)*plane+i) = on
		} else if class, ok := classOf(x, depth, wrap); ok {
			*nth[E](to, int(class)*plane+i) = on
		} else {
			misses++
			missColumn(unsafe.Add(to, i*size), miss, depth, plane)
		}
	}
	return misses
}

// missColumn writes miss to depth cells, plane elements apart, from the given
// one on: two at a time, because each round of a loop takes a cycle.
//
//go:noinline
func missColumn[E any](to unsafe.Pointer, miss E, depth, plane int) {
	cell := 0
	for d := depth; d > 1; d -= 2 {
		*nth[E](to, cell) = miss
		*nth[E](to, cell+plane) = miss
		cell += 2 * plane
	}
	if depth&1 != 0 {
		*nth[E](to, cell) = miss
	}
}

// scatterText is scatterCells for text, whose classes are in a table.
func scatterText[E any](dst []E, text []byte, a *Alphabet, on E, miss *E, l *layout) (misses int) {
	blocks, inner, step := l.outer, l.inner, 1
	switch {
	case l.plane == 1: // all rows at once
		blocks, inner, step = 1, l.outer, l.stride
	case miss == nil && inner == l.indexStride && inner <= plan.ShortText:
		return scatterTexts(unsafe.Pointer(unsafe.SliceData(dst)), text[:blocks*inner], a, on, l)
	}
	for o := range blocks {
		cells, some := dst[o*l.stride:], text[o*l.indexStride:][:inner]
		if miss == nil {
			misses += scatterBytes(cells, some, a, on, l.depth, step, l.plane)
		} else {
			misses += scatterSymbols(unsafe.Pointer(unsafe.SliceData(cells)), some, a, on, *miss, l.depth, step, l.plane)
		}
	}
	return misses
}

// scatterTexts is scatterBytes for planes of many short texts. It takes one
// byte at a time.
func scatterTexts[E any](to unsafe.Pointer, text []byte, a *Alphabet, on E, l *layout) (misses int) {
	table, limit := &a.lookup.classes, min(l.depth, len(a.symbols)) // see scatterBytes
	inner, plane, gap, column := l.inner, l.plane, l.stride-l.inner, 0
	for i := 0; i < len(text); column += gap {
		for end := i + inner; i < end; i++ {
			if class := int(table[text[i]]); class < limit {
				*nth[E](to, column+class*plane) = on
			} else {
				misses++
			}
			column++
		}
	}
	return misses
}

// scatterSymbols is scatterBytes with a Miss, and takes one byte at a time.
func scatterSymbols[E any](to unsafe.Pointer, text []byte, a *Alphabet, on, miss E, depth, step, plane int) (misses int) {
	table, limit := &a.lookup.classes, min(depth, len(a.symbols)) // see scatterBytes
	column := 0
	for _, b := range text {
		if class := int(table[b]); class < limit {
			*nth[E](to, column+class*plane) = on
		} else {
			misses++
			cell := column
			for range depth {
				*nth[E](to, cell) = miss
				cell += plane
			}
		}
		column += step
	}
	return misses
}

// scatterBytes writes on to the cell of each byte. The cells of successive
// bytes are step elements apart, those of successive classes plane elements. It
// checks no bounds. It reads text through a pointer, because the capacity of a
// slice would be stored and loaded again. It takes four bytes at a time up to
// the first without a class: where many have none, that costs more than it
// saves.
func scatterBytes[E any](dst []E, text []byte, a *Alphabet, on E, depth, step, plane int) (misses int) {
	table, limit, i := &a.lookup.classes, min(depth, len(a.symbols)), 0 // 255, which says none, is below limit only if it is a class
	to, from, n, size, at := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(text)), len(text), int(unsafe.Sizeof(on)), 0
	next, apart := step*size, plane*size
	for ; i <= n-4; i += 4 {
		four := (*[4]byte)(unsafe.Add(from, i))
		w, x, y, z := int(table[four[0]]), int(table[four[1]]), int(table[four[2]]), int(table[four[3]])
		if w >= limit || x >= limit || y >= limit || z >= limit {
			break
		}
		*(*E)(unsafe.Add(to, at+w*apart)) = on
		at += next
		*(*E)(unsafe.Add(to, at+x*apart)) = on
		at += next
		*(*E)(unsafe.Add(to, at+y*apart)) = on
		at += next
		*(*E)(unsafe.Add(to, at+z*apart)) = on
		at += next
	}
	for ; i < n; i++ {
		if class := int(table[*(*byte)(unsafe.Add(from, i))]); class < limit {
			*(*E)(unsafe.Add(to, at+class*apart)) = on
		} else {
			misses++
		}
		at += next
	}
	return misses
}

// columnByColumn scatters to the given number of rows of a table, the first of
// which is row from and starts at dst. It takes a few rows at a time, column
// after column: stores to many rows that are pages apart would evict each
// other's lines. The cells of a miss get miss, unless it is nil.
func columnByColumn[E any, I Index](dst []E, columns [][]I, depths []int, on E, miss *E, from, rows, stride int, neg Negative) (misses int) {
	some := plan.ColumnRows(stride * int(unsafe.Sizeof(on)))
	for row := 0; row < rows; row += some {
		first, n := row*stride, min(some, rows-row)
		for c, depth := range depths {
			misses += scatterRows(dst[first:], columns[c][from+row:][:n], on, miss, depth, stride, neg.wrap(depth))
			first += depth
		}
	}
	return misses
}

// scatterColumns fills the wide rows of a table tile by tile, and scatters to
// them column by column.
func scatterColumns[E any, I Index](dst []E, columns [][]I, depths []int, on, off E, miss *E, l *layout, neg Negative, p *plan.Plan) (misses int) {
	size := int(unsafe.Sizeof(on))
	scatter := func(cell, index, rows int, on E, miss *E) int {
		return columnByColumn(dst[cell:], columns, depths, on, miss, index, rows, l.stride, neg)
	}
	if p.Tiles {
		under := underMiss(miss, &off)
		return streamTiles(dst, l, off, len(columns), func(cell, index int, part layout, undo bool) int {
			if undo {
				return scatter(cell, index, part.outer, off, under)
			}
			return scatter(cell, index, part.outer, on, miss)
		})
	}
	for t := tilesOf(*l, l.tileFor(size, len(columns))); t.next(); {
		fillLayout(dst[t.cell:], off, &t.part, p.Fill)
		misses += scatter(t.cell, t.index, t.part.outer, on, miss)
	}
	return misses
}

// scatterTable does for a small table what scatterColumns does. It takes the
// given number of rows, the first of which is row from and starts at dst. They
// are filled already. A call of scatterRows for each column would be
// noticeable. It checks no bounds.
func scatterTable[V any, I Index](dst []V, columns [][]I, depths []int, on V, from, rows, stride int, neg Negative) (misses int) {
	to, first := unsafe.Pointer(unsafe.SliceData(dst)), 0
	for c, depth := range depths {
		column, row, limit, i := columns[c][from:][:rows], first, limitOf[I](depth), 0
		for i < len(column) {
			for ; i <= len(column)-4; i += 4 {
				four := (*[4]I)(unsafe.Pointer(&column[i]))
				w, x, y, z := four[0], four[1], four[2], four[3]
				a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
				if a >= limit || b >= limit || c >= limit || d >= limit {
					break
				}
				*nth[V](to, row+intOf(w, a)) = on
				row += stride
				*nth[V](to, row+intOf(x, b)) = on
				row += stride
				*nth[V](to, row+intOf(y, c)) = on
				row += stride
				*nth[V](to, row+intOf(z, d)) = on
				row += stride
			}
			for last := min(i+plan.BehindMiss, len(column)); i < last; i++ {
				x := column[i]
				if a := bitsOf(x); a < limit {
					*nth[V](to, row+intOf(x, a)) = on
				} else if class, ok := classOf(x, depth, neg.wrap(depth)); ok {
					*nth[V](to, row+int(class)) = on
				} else {
					misses++
				}
				row += stride
			}
		}
		first += depth
	}
	return misses
}

// scatterSets fills rows tile by tile and scatters k indices to each row.
func scatterSets[E any, I Index](dst []E, indices []I, k int, on, off E, l *layout, wrap int, p *plan.Plan) (misses int) {
	if p.Tiles {
		return streamTiles(dst, l, off, 1, func(cell, index int, part layout, undo bool) int {
			value := on
			if undo {
				value = off
			}
			return scatterSetRows(dst[cell:], indices[index*k:][:part.outer*k], k, value, part.depth, part.stride, wrap)
		})
	}
	for t := tilesOf(*l, l.tileFor(int(unsafe.Sizeof(on)), k)); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, off, &t.part, p.Fill)
		misses += scatterSetRows(tile, indices[t.index*k:][:t.part.outer*k], k, on, l.depth, l.stride, wrap)
	}
	return misses
}

// scatterSetRows is scatterRows for rows of k indices. It takes four indices of
// a row at a time, then two if as many are left, because nearly always all of
// them have a class. It checks no bounds.
func scatterSetRows[E any, I Index](dst []E, sets []I, k int, on E, depth, stride, wrap int) (misses int) {
	to, row, limit, move := unsafe.Pointer(unsafe.SliceData(dst)), 0, limitOf[I](depth), wrapOf[I](wrap)
	if k < 4 {
		return scatterShortSets(to, sets, k, on, depth, stride, move)
	}
	for i := 0; i < len(sets); row += stride {
		end := i + k
		for ; i <= end-4; i += 4 {
			four := (*[4]I)(unsafe.Pointer(&sets[i]))
			w, x, y, z := four[0], four[1], four[2], four[3]
			a, b, c, d := bitsOf(w), bitsOf(x), bitsOf(y), bitsOf(z)
			if a >= limit || b >= limit || c >= limit || d >= limit {
				break
			}
			*nth[E](to, row+intOf(w, a)) = on
			*nth[E](to, row+intOf(x, b)) = on
			*nth[E](to, row+intOf(y, c)) = on
			*nth[E](to, row+intOf(z, d)) = on
		}
		if k&2 != 0 { // at least two are left: k%4, or more after a miss
			two := (*[2]I)(unsafe.Pointer(&sets[i]))
			w, x := two[0], two[1]
			if a, b := bitsOf(w), bitsOf(x); a < limit && b < limit {
				*nth[E](to, row+intOf(w, a)) = on
				*nth[E](to, row+intOf(x, b)) = on
				i += 2
			}
		}
		for ; i < end; i++ {
			class := integerOf(sets[i])
			if uint64(class) < uint64(depth) {
				*nth[E](to, row+int(class)) = on
			} else if class += move; uint64(class) < uint64(depth) {
				*nth[E](to, row+int(class)) = on
			} else {
				misses++
			}
		}
	}
	return misses
}

// scatterShortSets is scatterSetRows for k of 2 or 3, where a loop for each row
// would be most of the work. It takes the first two indices together. Rows of
// one index do not come here: MultiHot leaves them to Encode.
func scatterShortSets[E any, I Index](to unsafe.Pointer, sets []I, k int, on E, depth, stride int, move int64) (misses int) {
	row, limit := 0, limitOf[I](depth)
	for i := 0; i < len(sets); row += stride {
		end, two := i+k, (*[2]I)(unsafe.Pointer(&sets[i]))
		w, x := two[0], two[1]
		if a, b := bitsOf(w), bitsOf(x); a < limit && b < limit {
			*nth[E](to, row+intOf(w, a)) = on
			*nth[E](to, row+intOf(x, b)) = on
			i += 2
		}
		for ; i < end; i++ {
			class := integerOf(sets[i])
			if uint64(class) < uint64(depth) {
				*nth[E](to, row+int(class)) = on
			} else if class += move; uint64(class) < uint64(depth) {
				*nth[E](to, row+int(class)) = on
			} else {
				misses++
			}
		}
	}
	return misses
}

// scatterBits fills bit planes tile by tile and sets a bit for each index. The
// layout counts words: a column is the word of 64 indices.
func scatterBits[I Index](dst []uint64, indices []I, l *layout, wrap int) (misses int) {
	if plan.StagesBits(l.depth, l.plane) {
		return stageBits(dst, indices, l, wrap)
	}
	for t := tilesOf(*l, l.tileFor(wordBits/8, wordBits)); t.next(); {
		tile := dst[t.cell:]
		fillLayout(tile, 0, &t.part, plan.FillGo)
		first := t.index * wordBits
		misses += setBits(tile, indices[first:min(first+t.part.inner*wordBits, len(indices))], l.depth, l.plane, wrap)
	}
	return misses
}

// stageBits is scatterBits for crowded planes. It makes a few words of all
// planes in a buffer, where they are close together, and copies them.
func stageBits[I Index](dst []uint64, indices []I, l *layout, wrap int) (misses int) {
	var room [plan.ScratchBytes * 8 / wordBits]uint64
	for word, most := 0, len(room)/l.depth; word < l.inner; word += most {
		n := min(most, l.inner-word)
		some := room[:l.depth*n]
		clear(some)
		misses += setBits(some, indices[word*wordBits:min((word+n)*wordBits, len(indices))], l.depth, n, wrap)
		for d := range l.depth {
			copy(dst[d*l.plane+word:][:n], some[d*n:])
		}
	}
	return misses
}

// setBits sets a bit for each index, in planes that start plane words apart. It
// checks no bounds.
func setBits[I Index](dst []uint64, indices []I, depth, plane, wrap int) (misses int) {
	to, move := unsafe.Pointer(unsafe.SliceData(dst)), wrapOf[I](wrap)
	for len(indices) > 0 {
		n, bit := min(wordBits, len(indices)), uint64(1)
		for _, x := range indices[:n] {
			class := integerOf(x)
			if uint64(class) < uint64(depth) {
				*(*uint64)(unsafe.Add(to, int(class)*plane*8)) |= bit
			} else if class += move; uint64(class) < uint64(depth) {
				*(*uint64)(unsafe.Add(to, int(class)*plane*8)) |= bit
			} else {
				misses++
			}
			bit <<= 1
		}
		if indices = indices[n:]; len(indices) > 0 { // a pointer past the last word may be to another object
			to = unsafe.Add(to, 8)
		}
	}
	return misses
}
