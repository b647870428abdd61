package onehot

import (
	"fmt"
	"unsafe"
)

// EncodeColumns encodes a table of categorical columns into one wide matrix:
// row r of dst is the one-hot of columns[0][r], then that of columns[1][r], and
// so on, column c taking depths[c] elements. It returns the number of indices,
// over all columns, that have no class. Each column follows the operator of
// [Encode] with Inner 1; [Normalize] counts from the end of the column's own
// depth.
//
// s.Depth is 0 or the sum of depths, the width of a row; s.Inner is 0 or 1;
// s.Stride is the distance of two rows, 0 for the width. dst needs
// (rows-1)*Stride + width elements.
//
// Errors are those of Encode; a number of columns that is not that of depths,
// columns of different lengths, a Depth that is not the sum, and an Inner above
// 1 are [ErrShape].
//
// It passes over dst once, whatever the number of columns, and allocates
// nothing.
func EncodeColumns[V Value, I Index](dst []V, columns [][]I, depths []int, s Spec[V]) (misses int, err error) {
	var l layout
	if err := s.columnsLayout(&l, len(columns), rowsOf(columns), depths); err != nil {
		return 0, err
	}
	if err := checkBuffers(spanOf(dst), l.need, spanOf(depths)); err != nil {
		return 0, err
	}
	for c, column := range columns {
		if len(column) != l.outer {
			return 0, fmt.Errorf("%w: column 0 has %d rows, column %d has %d", ErrShape, l.outer, c, len(column))
		}
		if err := checkBuffers(spanOf(dst), l.need, spanOf(column)); err != nil {
			return 0, err
		}
	}
	return columnsGeneric(dst, columns, depths, s.On, s.Off, &l, s.Negative), nil
}

func rowsOf[I Index](columns [][]I) int {
	if len(columns) == 0 {
		return 0
	}
	return len(columns[0])
}

// columnsLayout checks what does not depend on any buffer. The layout is that
// of the wide rows: its depth is their width.
func (s *Spec[V]) columnsLayout(l *layout, columns, rows int, depths []int) error {
	if columns != len(depths) {
		return fmt.Errorf("%w: %d columns, %d depths", ErrShape, columns, len(depths))
	}
	if err := s.lastAxis(); err != nil {
		return err
	}
	if s.Depth < 0 {
		return badSpec(s.Depth, s.Inner, s.Stride, s.Negative)
	}
	width := 0
	for c, depth := range depths {
		if depth < 0 {
			return fmt.Errorf("%w: depth %d of column %d is negative", ErrDepth, depth, c)
		}
		if width += depth; width < 0 {
			return fmt.Errorf("%w: the depths up to column %d add up to more than an int", ErrTooLarge, c)
		}
	}
	if s.Depth > 0 && s.Depth != width {
		return fmt.Errorf("%w: Depth is %d, the depths add up to %d", ErrShape, s.Depth, width)
	}
	return l.set(rows, width, s.Inner, s.Stride, int(unsafe.Sizeof(s.On)), s.Negative)
}

// lastAxis checks that nothing stands behind the new axis.
func (s *Spec[V]) lastAxis() error {
	if s.Inner > 1 {
		return fmt.Errorf("%w: Inner is %d, only 0 and 1 make sense here", ErrShape, s.Inner)
	}
	return nil
}
