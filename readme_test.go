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
		dna, _       = onehot.NewAlphabet("ACGT")
		anyType      = onehot.RawSpec{Index: onehot.Uint8, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3}
	)

	rows := onehot.Spec[float32]{Depth: 3, On: 1}             // a row for each label
	planes := onehot.Spec[float32]{Depth: 3, On: 1, Inner: 4} // a plane of 4 labels for each class
	_, errPlanes := onehot.Encode(batch, labels, planes)
	misses, err := onehot.Encode(batch, labels, rows)
	_, errUpdate := onehot.Update(batch, labels, next, rows) // only what changed
	invalid, errDecode := onehot.Decode(back, batch, rows)   // back to classes
	_, errParallel := onehot.EncodeParallel(batch, labels, rows, 0)
	_, errSets := onehot.MultiHot(batch[:2*3], pairs, 2, rows) // two labels to a row
	_, errColumns := onehot.EncodeColumns(wide, [][]uint8{labels, next}, []int{3, 2}, onehot.Spec[float32]{On: 1})
	_, errBits := onehot.EncodeBits(bitmap, labels, 3, onehot.Ignore) // a bit a cell
	_, errText := onehot.EncodeText(batch, "GAT", dna, onehot.Spec[float32]{On: 1})
	_, errRaw := onehot.EncodeRaw(raw, labels, anyType) // types known only at run time

	fmt.Println(misses, back, invalid)
	fmt.Println(err, errPlanes, errUpdate, errDecode, errParallel, errSets, errColumns, errBits, errText, errRaw)
	// Output:
	// 1 [2 1 -1 1] 1
	// <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil> <nil>
}
