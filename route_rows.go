package onehot

import (
	"unsafe"

	"github.com/go-onehot/onehot/internal/plan"
)

// rows blends a block of rows at a time.
func (w *writer) rows() (misses int) {
	row := w.depth * w.width
	for o := 0; o < w.outer; {
		n := plan.Take(w.outer-o, w.Block, plan.Least)
		misses += w.classify(o, n, 0, w.depth)
		if w.Stream {
			w.blendRows(w.out.tile(w.dst, o*row, n*row), n)
			w.out.send(w.dst, n*row)
		} else {
			dst := unsafe.Add(w.dst, o*row)
			raceRange(dst, n*row, true)
			w.blendRows(dst, n)
		}
		o += n
	}
	return misses
}

// blendRows writes n rows from the classes of the block.
func (w *writer) blendRows(dst unsafe.Pointer, n int) {
	classes := unsafe.Pointer(&w.classes[0])
	if w.hasMiss {
		rowsMissOf(w.width, dst, classes, n, w.depth, unsafe.Pointer(&w.values))
	} else {
		rowsOf(w.width, dst, classes, n, w.depth, unsafe.Pointer(&w.values))
	}
}
