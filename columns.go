package onehot

import "github.com/go-onehot/onehot/internal/plan"

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
// All columns have the same type: [Recode] converts columns of other types. A
// null whose slot holds a class is encoded as that class, unless Recode has
// made it a miss before. A column of depth 0 has no cells, and each of its
// indices is a miss; with a width of 0 nothing is written.
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
// classes, if Miss is set and an index has no class, or if the output is very
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
