package onehot_test

import (
	"fmt"

	"github.com/go-onehot/onehot"
)

// A batch of labels becomes rows in memory that is used again and again.
func Example() {
	labels := []uint8{2, 0, 255, 1}
	batch := make([]float32, len(labels)*3)

	misses, err := onehot.Encode(batch, labels, onehot.Spec[float32]{Depth: 3, On: 1})
	fmt.Println(batch, misses, err)
	// Output: [0 0 1 1 0 0 0 0 0 0 1 0] 1 <nil>
}

// Every call, in a line each.
func Example_calls() {
	var (
		labels, next = []uint8{2, 0, 255, 1}, []uint8{2, 1, 255, 1}
		pairs        = []uint8{0, 1, 1, 2}
		batch        = make([]float32, 4*3)
		wide         = make([]float32, 4*(3+2))
		bitmap       = make([]uint64, 3*onehot.BitWords(len(labels)))
		raw          = make([]byte, 4*3)
		back         = make([]int, 4)
		bases, _     = onehot.NewAlphabet("ACGT")
		either       = onehot.Spec[float32]{On: 1}
		anyType      = onehot.RawSpec{Index: onehot.Uint8, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3}
	)

	check := func(misses int, err error) { fmt.Print(misses, " ", err, ", ") }

	rows := onehot.Spec[float32]{Depth: 3, On: 1}                                   // a row for each of 4 labels
	planes := onehot.Spec[float32]{Depth: 3, On: 1, Inner: 4}                       // a plane of 4 labels for each class
	check(onehot.Encode(batch, labels, planes))                                     // misses and an error
	check(onehot.EncodeParallel(batch, labels, rows, 0))                            // on all processors
	check(onehot.Update(batch, labels, next, rows))                                 // from labels to next: only what changed
	check(onehot.Decode(back, batch, rows))                                         // back to classes
	check(onehot.EncodeColumns(wide, [][]uint8{labels, next}, []int{3, 2}, either)) // columns of 3 and of 2 classes
	check(onehot.MultiHot(batch[:2*3], pairs, 2, rows))                             // two labels to a row
	check(onehot.EncodeText(batch[:3*3], "GAT", bases, rows))                       // bytes through an alphabet
	check(onehot.EncodeBits(bitmap, labels, 3, onehot.Ignore))                      // a bit a cell, a bitmap a class
	check(onehot.EncodeRaw(raw, labels, anyType))                                   // types known only at run time
	batch, misses, err := onehot.AppendEncode(batch, next, rows)                    // as append does

	fmt.Println(misses, err, len(batch), back)
	// Output: 1 <nil>, 1 <nil>, 1 <nil>, 1 <nil>, 3 <nil>, 0 <nil>, 1 <nil>, 1 <nil>, 1 <nil>, 1 <nil> 24 [2 1 -1 1]
}
