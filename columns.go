package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// EncodeColumns encodes a table of categorical columns into one wide matrix:
// row r of dst is the one-hot encoding of columns[0][r], then that of
// columns[1][r], and so on, where column c takes depths[c] elements. It returns
// the number of misses over all columns. Each column is encoded as by [Encode]
// with Inner 1: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize], which
// counts from the end of the column's own depth.
//
// s.Depth is 0 or the sum of depths, which is the width of a row; s.Inner and
// s.Plane are 0 or 1; s.Stride is the distance from one row to the next, and 0
// means the width. dst needs (rows-1)*Stride + width elements.
//
// All columns have the same type: [Recode] converts columns of other types,
// whose negative indices become misses. A null whose slot holds a class is
// encoded as that class, unless Recode has made it a miss before. A column of
// depth 0 has no cells, and each of its indices is a miss; with a width of 0
// nothing is written.
//
// Stride leaves room for other features after the columns of a row. For
// features before the columns, pass a dst that starts after them. For treatment
// coding, which drops the first level, subtract 1 from the codes and the depth
// of a column and use Ignore. Rows of that level count as misses.
//
// Errors are those of Encode. [ErrShape] also reports different numbers of
// columns and depths, columns of different lengths, a Depth that is not the
// sum, and an Inner or Plane above 1.
//
// EncodeColumns reads each column once, or a few times if the column has many
// classes, if Miss is set and an index is a miss, or if the output is very
// large. It passes over dst once, whatever the number of columns, and more than
// once over the cells that get Miss and over the end of a very large output. It
// allocates nothing.
func EncodeColumns[V Value, I Index](dst []V, columns [][]I, depths []int, s Spec[V]) (misses int, err error) {
	if len(columns) == 1 && len(columns[0]) >= plan.Least {
		if misses, done := oneColumn(dst, columns[0], depths, s); done {
			return misses, nil
		}
	}
	if misses, done := columnsSmall(dst, columns, depths, &s); done {
		return misses, nil
	}
	var j job
	if err := checkColumns(&j.layout, dst, columns, depths, &s); err != nil {
		return 0, err
	}
	setValues(&j, &s)
	p := plan.Columns(plan.Here(), j.shape(), len(columns))
	if p.Strategy != plan.Sets {
		return scatterColumns(dst, columns, depths, s.On, s.Off, copyOf(s.Miss), &j.layout, s.Negative, &p), nil
	}
	j.dst = spanOf(dst).ptr
	t := tableOf(columns, depths, s.Negative)
	return j.columnSets(&t, &p), nil
}

// oneColumn encodes a table of one column as rows, which have kernels of their
// own. If it returns done false, it has written nothing.
func oneColumn[V Value, I Index](dst []V, column []I, depths []int, s Spec[V]) (misses int, done bool) {
	if len(depths) != 1 || overlaps(spanOf(dst), len(dst), spanOf(depths)) || s.Depth != 0 && s.Depth != depths[0] || uint(s.Inner) > 1 || uint(s.Plane) > 1 {
		return 0, false
	}
	s.Depth = depths[0]
	misses, err := Encode(dst, column, s)
	return misses, err == nil
}

// columnsSmall is EncodeColumns for a small table, whose rows may have gaps
// between them.
func columnsSmall[V Value, I Index](dst []V, columns [][]I, depths []int, s *Spec[V]) (misses int, done bool) {
	if len(columns) != len(depths) || uint(len(columns)-1) >= plan.SmallSide || s.Inner > 1 {
		return 0, false
	}
	rows, total := len(columns[0]), 0
	if rows >= plan.Least && len(columns) > plan.Least { // a limit of its own: SmallColumns, which refuses most such tables, comes after a loop over all columns
		return 0, false
	}
	for c, depth := range depths {
		if uint(depth) >= plan.SmallSide || len(columns[c]) != rows {
			return 0, false
		}
		total += depth
	}
	stride, size := total, int(unsafe.Sizeof(s.On))
	if s.Stride != 0 {
		stride = s.Stride
	}
	need, fits := spanIn(min(len(dst), plan.CallBytes/size), rows, stride, total)
	if !fits || s.Depth != 0 && s.Depth != total || uint(rows-1) >= plan.SmallSide || stride < total || total == 0 && s.Stride != 0 || // no cells, but a span
		s.Inner < 0 || s.Plane != 0 || s.Negative > Normalize || overlaps(spanOf(dst), need, spanOf(depths)) {
		return 0, false
	}
	block, small := plan.SmallColumns(rows, len(columns), total, stride, size)
	if !small {
		return 0, false
	}
	for _, column := range columns {
		if overlaps(spanOf(dst), need, spanOf(column)) {
			return 0, false
		}
	}
	if block > 0 && !isString[V]() {
		return columnsFromBits(dst, columns, depths, s, total, block), true
	}
	if s.Miss != nil {
		return missColumns(dst[:need], columns, depths, s, total, stride), true
	}
	fillTable(dst[:need], s.Off, total, rows, len(columns), stride)
	if rows >= plan.ColumnRun {
		some := plan.ColumnRows(stride * size)
		for r := 0; r < rows; r += some {
			misses += scatterTable(dst[r*stride:], columns, depths, s.On, r, min(some, rows-r), stride, s.Negative)
		}
		return misses, true
	}
	on, first, cells := s.On, 0, unsafe.Pointer(unsafe.SliceData(dst))
	for r := range rows {
		for c, depth := range depths {
			x := columns[c][r]
			if a := bitsOf(x); a < limitOf[I](depth) {
				*nth[V](cells, first+intOf(x, a)) = on
			} else if class, ok := classOf(x, depth, s.Negative.wrap(depth)); ok {
				dst[first+int(class)] = on
			} else {
				misses++
			}
			first += depth
		}
		first += stride - total
	}
	return misses, true
}

// columnsFromBits is columnsSmall for rows that touch and are written from
// bits, block rows at a time.
//
//go:noinline
func columnsFromBits[V Value, I Index](dst []V, columns [][]I, depths []int, s *Spec[V], total, block int) (misses int) {
	var j job
	setPlainRows(&j, s, len(columns[0]), total)
	j.dst = unsafe.Pointer(unsafe.SliceData(dst))
	t := tableOf(columns, depths, s.Negative)
	return j.columnSets(&t, &plan.Plan{Strategy: plan.Sets, Block: block})
}

// fillTable fills the rows of a small table with off, or those of sets, whose
// columns are the classes of a row. strided does the same inline: its smaller
// calls take 1.04 times as long with a call more.
func fillTable[V Value](dst []V, off V, total, rows, columns, stride int) {
	if stride == total {
		fillSmall(dst, off, rows*columns)
		return
	}
	fillRuns(dst, off, total, rows, stride, fillerOf(off, len(dst), rows*columns))
}

// missColumns is columnsSmall where a miss has cells of its own. It is a
// function of its own for the sake of calls without a Miss: one loop for both
// takes 1.1 to 1.2 times as long for one row.
//
//go:noinline
func missColumns[V Value, I Index](dst []V, columns [][]I, depths []int, s *Spec[V], total, stride int) (misses int) {
	on, miss, rows := s.On, *s.Miss, len(columns[0]) // the Miss is read now, since it may lie in dst
	cells := unsafe.Pointer(unsafe.SliceData(dst))
	fillTable(dst, s.Off, total, rows, len(columns), stride)
	if rows >= plan.ColumnRun {
		return columnByColumn(dst, columns, depths, on, &miss, 0, rows, stride, s.Negative)
	}
	for r := range rows { // as in columnsSmall, with a Miss
		first := r * stride
		for c, depth := range depths {
			x := columns[c][r]
			if a := bitsOf(x); a < limitOf[I](depth) {
				*nth[V](cells, first+intOf(x, a)) = on
			} else if class, ok := classOf(x, depth, s.Negative.wrap(depth)); ok {
				dst[first+int(class)] = on
			} else if misses++; depth > 0 { // the last column may have no cells, and start past the output
				missRow(unsafe.Pointer(nth[V](cells, first)), miss, depth)
			}
			first += depth
		}
	}
	return misses
}
