package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// EncodeColumns encodes a table of categorical columns into one wide matrix:
// row r of dst is the one-hot of columns[0][r], then that of columns[1][r], and
// so on, column c taking depths[c] elements. It returns the number of indices,
// over all columns, that have no class. Each column is what [Encode] with Inner 1
// makes of it: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize], which
// counts from the end of the column's own depth.
//
// s.Depth is 0 or the sum of depths, the width of a row; s.Inner is 0 or 1;
// s.Stride is the distance of two rows, 0 for the width. dst needs
// (rows-1)*Stride + width elements.
//
// With Ignore, an index of -1 leaves the cells of its column Off: codes that are
// shifted down by one, in a column whose depth is one less, give treatment
// coding, which drops a level. The rows of that level count as misses.
//
// Errors are those of Encode; a number of columns that is not that of depths,
// columns of different lengths, a Depth that is not the sum, and an Inner above
// 1 are [ErrShape].
//
// It reads each column once, passes over dst once, whatever the number of
// columns, and allocates nothing. Where the path has kernels for it, rows
// without gaps, of up to 16 KiB, of two columns or more that have up to 96 cells
// each on average (with NEON 24 bytes), are made from bits, so that an index
// costs little beside the cells of its row; small tables and other rows are
// filled, and lit by a store for each index.
func EncodeColumns[V Value, I Index](dst []V, columns [][]I, depths []int, s Spec[V]) (misses int, err error) {
	var l layout
	if err := checkColumns(&l, dst, columns, depths, &s); err != nil {
		return 0, err
	}
	var j job
	j.layout = l
	set(&j.values, &s)
	if s.Miss != nil {
		miss := *s.Miss // which may lie in dst
		s.Miss = &miss
	}
	j.width, j.hasMiss = int(unsafe.Sizeof(s.On)), s.Miss != nil
	first := 0
	if p := plan.Columns(plan.Here(), j.shapeOf(isString[V]()), len(columns)); p.Strategy == plan.Sets {
		j.dst = spanOf(dst).ptr
		t := tableColumns{(*[]byte)(unsafe.Pointer(&columns[0])), indexTypeOf[I](), depths, s.Negative}
		if misses, first = j.columnSets(&t, &p); first == l.outer {
			return misses, nil
		}
		l = l.part(l.outer-first, 1)
		columnsGeneric(dst[first*l.stride:], columns, first, depths, s.On, s.Off, s.Miss, &l, s.Negative)
		return misses, nil
	}
	return columnsGeneric(dst, columns, 0, depths, s.On, s.Off, s.Miss, &l, s.Negative), nil
}
