package onehot

import "unsafe"

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
	var miss *V
	if s.Miss != nil {
		bits := *s.Miss // now: it may lie in dst
		miss = &bits
	}
	var p plan
	p.chooseColumns(&l, int(unsafe.Sizeof(s.On)), len(columns))
	if p.strategy == spread && s.Miss == nil {
		return spreadColumns(dst, columns, depths, s.On, s.Off, &l, s.Negative, &p), nil
	}
	return scatterColumns(dst, columns, depths, s.On, s.Off, miss, &l, s.Negative), nil
}
