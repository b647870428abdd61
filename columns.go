package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// EncodeColumns encodes a table of categorical columns into one wide matrix:
// row r of dst is the one-hot of columns[0][r], then that of columns[1][r], and
// so on, column c taking depths[c] elements. It returns the number of indices,
// over all columns, that have no class. Each column is what [Encode] with Inner
// 1 makes of it: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize], which
// counts from the end of the column's own depth.
//
// s.Depth is 0 or the sum of depths, the width of a row; s.Inner is 0 or 1;
// s.Stride is the distance of two rows, 0 for the width. dst needs
// (rows-1)*Stride + width elements.
//
// All columns have one type: [Recode] brings others to it. Nulls that hold a
// class are encoded as that class: Recode makes misses of them first, column by
// column. A column of depth 0 has no cells, and each of its indices is a miss;
// with a width of 0 nothing is written.
//
// Stride keeps room for other features in a row. Those before the columns are
// left out of dst: pass a slice that starts behind them. For treatment coding,
// which drops a level, subtract 1 from the codes and from the depth of a
// column, and use Ignore. The rows of the dropped level count as misses.
//
// Errors are those of Encode; a number of columns that is not that of depths,
// columns of different lengths, a Depth that is not the sum, and an Inner or
// Plane above 1 are [ErrShape].
//
// It reads each column once, or at most a few times if it has many classes or
// misses that have a Miss. It passes over dst once, whatever the number of
// columns, and once more over the cells of those misses. It allocates nothing.
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
	v := s.values()
	var miss *V
	if s.Miss != nil {
		miss = &v[2]
	}
	p := plan.Columns(plan.Here(), j.shape(), len(columns))
	if p.Strategy != plan.Sets {
		return scatterColumns(dst, columns, depths, v[0], v[1], miss, &j.layout, s.Negative, &p), nil
	}
	j.dst = spanOf(dst).ptr
	t := tableColumns{(*[]byte)(unsafe.Pointer(&columns[0])), indexTypeOf[I](), depths, s.Negative}
	misses, first := j.columnSets(&t, &p)
	if first < j.outer {
		rest := j.part(j.outer-first, 1)
		columnsGeneric(dst[first*j.stride:], columns, first, depths, v[0], v[1], v[2], &rest, s.Negative)
	}
	return misses, nil
}

// oneColumn is EncodeColumns of one column: rows, which have kernels of their
// own. Where it is not done it has written nothing.
func oneColumn[V Value, I Index](dst []V, column []I, depths []int, s Spec[V]) (misses int, done bool) {
	if len(depths) != 1 || overlaps(spanOf(dst), len(dst), spanOf(depths)) || s.Depth != 0 && s.Depth != depths[0] || uint(s.Inner) > 1 || uint(s.Plane) > 1 {
		return 0, false
	}
	s.Depth = depths[0]
	misses, err := Encode(dst, column, s)
	return misses, err == nil
}
