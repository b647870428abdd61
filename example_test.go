package onehot_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// A tour of the package. The README shows the same program.
func Example() {
	labels, next := []uint8{2, 0, 255, 1}, []uint8{2, 1, 255, 1} // 255 is none of three classes: a miss
	batch, back := make([]float32, 4*3), make([]uint8, 4)
	rows, planes := onehot.Rows[float32](3), onehot.Planes[float32](3, 4) // Specs with On 1

	// Into memory of yours. A call returns how many indices were misses, and an
	// error.
	show := func(misses int, err error) { fmt.Println(batch, misses, err) }
	show(onehot.Encode(batch, labels, planes))                               // a plane of 4 labels for each class
	show(onehot.Encode(batch, labels, rows))                                 // a row for each label
	show(onehot.Update(batch, labels, next, rows))                           // from labels to next: only what changed
	show(onehot.EncodeParallel(batch, labels, rows, 0))                      // on up to GOMAXPROCS goroutines
	show(onehot.Decode(back, batch, rows))                                   // to classes again
	show(onehot.MultiHot(batch, []uint8{2, 0, 0, 1, 1, 1, 255, 2}, 2, rows)) // two labels to a row

	// Columns of 3 and of 2 classes in one wide row.
	wide := make([]int8, 4*(3+2))
	misses, err := onehot.EncodeColumns(wide, [][]uint8{labels, next}, []int{3, 2}, onehot.Spec[int8]{On: 1})
	fmt.Println(wide, misses, err)

	// Bytes through an alphabet, where what is unknown has cells of its own, in
	// planes of 5 cells, of which a read of 3 fills 3.
	bases, _ := onehot.NewAlphabet("ACGT")
	unknown, padded := float32(0.25), make([]float32, 4*5)
	misses, err = onehot.EncodeText(padded, "GNT", bases, onehot.Spec[float32]{On: 1, Inner: 3, Plane: 5, Miss: &unknown})
	fmt.Println(padded, misses, err)

	// A bit a cell, a bitmap a class, and the way back to cells.
	bitmaps := make([]uint64, 3*onehot.BitWords(len(labels)))
	misses, err = onehot.EncodeBits(bitmaps, labels, 3, onehot.Ignore)
	fmt.Printf("%04b %d %v\n", bitmaps, misses, err)
	fmt.Println(batch, onehot.ExpandBits(batch, bitmaps, len(labels), 1, 0))

	// Codes that count from 1, the last of them null, become indices of any call.
	misses, err = onehot.Recode(back, []int32{3, 1, 2, 2}, []uint8{255, 0, 1, 2}, &onehot.Bitmap{Bits: []byte{0b0111}})
	fmt.Println(back, misses, err)

	// Types that are known only at run time: bytes, and tensors.
	raw := onehot.RawSpec{Index: onehot.Uint8, Width: 1, On: []byte{'#'}, Off: []byte{'.'}, Depth: 3}
	text := make([]byte, 4*3)
	misses, err = onehot.EncodeRaw(text, labels, raw)
	fmt.Println(string(text), misses, err)
	x, depth, values := tensor.Of([]int{4}, labels), tensor.Scalar(int64(3)), tensor.Of([]int{2}, []float32{0, 1})
	err = onnx.OneHot11Into(tensor.Of([]int{4, 3}, batch), x, depth, values, onnx.DefaultAxis)
	fmt.Println(batch, err)
	batch, misses, err = onehot.AppendEncode(batch, next, rows) // as append does
	show(misses, err)

	// Output:
	// [0 1 0 0 0 0 0 1 1 0 0 0] 1 <nil>
	// [0 0 1 1 0 0 0 0 0 0 1 0] 1 <nil>
	// [0 0 1 0 1 0 0 0 0 0 1 0] 1 <nil>
	// [0 0 1 1 0 0 0 0 0 0 1 0] 1 <nil>
	// [0 0 1 1 0 0 0 0 0 0 1 0] 1 <nil>
	// [1 0 1 1 1 0 0 1 0 0 0 1] 1 <nil>
	// [0 0 1 0 0 1 0 0 0 1 0 0 0 0 0 0 1 0 0 1] 3 <nil>
	// [0 0.25 0 0 0 0 0.25 0 0 0 1 0.25 0 0 0 0 0.25 1 0 0] 1 <nil>
	// [0010 1000 0001] 1 <nil>
	// [0 1 0 0 0 0 0 1 1 0 0 0] <nil>
	// [2 0 1 255] 1 <nil>
	// ..##......#. 1 <nil>
	// [0 0 1 1 0 0 0 0 0 0 1 0] <nil>
	// [0 0 1 1 0 0 0 0 0 0 1 0 0 0 1 0 1 0 0 0 0 0 1 0] 1 <nil>
}

func ExampleEncode() {
	dst := make([]float32, 3*4)
	misses, err := onehot.Encode(dst, []int64{2, 0, 7}, onehot.Spec[float32]{Depth: 4, On: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range slices.Chunk(dst, 4) {
		fmt.Println(row)
	}
	fmt.Println(misses, "miss: 7 has no cell")
	// Output:
	// [0 0 1 0]
	// [1 0 0 0]
	// [0 0 0 0]
	// 1 miss: 7 has no cell
}

// With Inner set to the number of indices, each class becomes a plane. Here the
// indices are the pixels of a label map of 2 rows and 3 columns.
func ExampleEncode_planes() {
	labels := []uint8{
		0, 1, 1,
		2, 2, 0,
	}
	dst := make([]uint8, 3*len(labels))
	if _, err := onehot.Encode(dst, labels, onehot.Spec[uint8]{Depth: 3, Inner: len(labels), On: 1}); err != nil {
		fmt.Println(err)
		return
	}
	for plane := range slices.Chunk(dst, len(labels)) {
		fmt.Println(plane)
	}
	// Output:
	// [1 0 0 0 0 1]
	// [0 1 1 0 0 0]
	// [0 0 0 1 1 0]
}

// A wrong call returns an error that names the numbers, and writes nothing.
func ExampleEncode_errors() {
	_, err := onehot.Encode(make([]bool, 5), []int8{0, 1}, onehot.Spec[bool]{Depth: 3, On: true})
	fmt.Println(errors.Is(err, onehot.ErrShort))
	fmt.Println(err)
	// Output:
	// true
	// onehot: slice too short: dst has room for 5 of the output's 6 elements
}

// Stride leaves a gap between rows, which here holds a bias and is not touched.
func ExampleSpec() {
	dst := []float32{9, 9, 9, 0.5, 9, 9, 9, 0.5}
	s := onehot.Spec[float32]{Depth: 3, On: 1, Stride: 4, Negative: onehot.Normalize}
	if _, err := onehot.Encode(dst, []int8{1, -1}, s); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst)
	// Output: [0 1 0 0.5 0 0 1 0.5]
}

// Miss is the value of all cells of a miss. Here an unknown
// base is each of the four bases with the same probability.
func ExampleSpec_miss() {
	dna, _ := onehot.NewAlphabet("ACGT")
	unknown := float32(0.25)
	dst := make([]float32, 2*4)
	misses, err := onehot.EncodeText(dst, "GN", dna, onehot.Spec[float32]{On: 1, Miss: &unknown})
	fmt.Println(dst, misses, err)
	// Output: [0 0 1 0 0.25 0.25 0.25 0.25] 1 <nil>
}

// Plane leaves a gap after each plane. Here reads of different lengths are
// written to a padded batch of shape [2, 4, 5], whose padding keeps its value.
func ExampleSpec_plane() {
	const length = 5
	dna, _ := onehot.NewAlphabet("ACGT")
	batch := slices.Repeat([]int8{-1}, 2*4*length)
	for i, read := range []string{"GAT", "TACAT"} {
		s := onehot.Planes[int8](dna.Len(), len(read))
		s.Plane = length
		if _, err := onehot.EncodeText(batch[i*4*length:], read, dna, s); err != nil {
			fmt.Println(err)
			return
		}
	}
	for plane := range slices.Chunk(batch, length) {
		fmt.Println(plane)
	}
	// Output:
	// [0 1 0 -1 -1]
	// [0 0 0 -1 -1]
	// [1 0 0 -1 -1]
	// [0 0 1 -1 -1]
	// [0 1 0 1 0]
	// [0 0 1 0 0]
	// [0 0 0 0 0]
	// [1 0 0 0 1]
}

func ExampleRows() {
	dst := make([]float32, 2*3)
	misses, err := onehot.Encode(dst, []int{2, 0}, onehot.Rows[float32](3))
	fmt.Println(dst, misses, err)
	// Output: [0 0 1 1 0 0] 0 <nil>
}

func ExamplePlanes() {
	dst := make([]float32, 3*2)
	misses, err := onehot.Encode(dst, []int{2, 0}, onehot.Planes[float32](3, 2))
	fmt.Println(dst, misses, err)
	// Output: [0 1 0 0 1 0] 0 <nil>
}

func ExampleNegative() {
	for _, negative := range []onehot.Negative{onehot.Ignore, onehot.Normalize} {
		dst := make([]int, 3)
		misses, _ := onehot.Encode(dst, []int{-1}, onehot.Spec[int]{Depth: 3, On: 1, Negative: negative})
		fmt.Println(dst, misses)
	}
	// Output:
	// [0 0 0] 1
	// [0 0 1] 0
}

func ExampleAppendEncode() {
	var features []float64
	features = append(features, 0.3, 0.7)
	features, _, err := onehot.AppendEncode(features, []int{1}, onehot.Spec[float64]{Depth: 3, On: 1})
	fmt.Println(features, err)
	// Output: [0.3 0.7 0 1 0] <nil>
}

func ExampleEncodeParallel() {
	tokens := make([]int32, 1000)
	for i := range tokens {
		tokens[i] = int32(i)
	}
	want, got := make([]float32, 1000*1000), make([]float32, 1000*1000)
	_, err := onehot.Encode(want, tokens, onehot.Rows[float32](1000))
	if err != nil {
		fmt.Println(err)
		return
	}
	misses, err := onehot.EncodeParallel(got, tokens, onehot.Rows[float32](1000), 0)
	fmt.Println(slices.Equal(got, want), misses, err)
	// Output: true 0 <nil>
}

// Update takes an encoded batch to its next indices. It writes only the cells
// that change.
func ExampleUpdate() {
	s := onehot.Spec[string]{Depth: 3, On: "#", Off: "."}
	prev, next := []int{0, 1, 2}, []int{0, 2, 2}
	board, _, _ := onehot.AppendEncode(nil, prev, s)
	fmt.Println(board)
	if _, err := onehot.Update(board, prev, next, s); err != nil {
		fmt.Println(err)
	}
	fmt.Println(board)
	// Output:
	// [# . . . # . . . #]
	// [# . . . . # . . #]
}

// Several categorical columns become one wide matrix.
func ExampleEncodeColumns() {
	weekday := []int32{0, 6}
	color := []int32{2, 1}
	dst := make([]uint8, 2*(7+3))
	if _, err := onehot.EncodeColumns(dst, [][]int32{weekday, color}, []int{7, 3}, onehot.Spec[uint8]{On: 1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst[:10])
	fmt.Println(dst[10:])
	// Output:
	// [1 0 0 0 0 0 0 0 0 1]
	// [0 0 0 0 0 0 1 0 1 0]
}

// Each of two articles has up to two of five tags. An unused place holds -1.
func ExampleMultiHot() {
	tags := []int16{0, 3, 4, -1}
	dst := make([]uint8, 2*5)
	misses, err := onehot.MultiHot(dst, tags, 2, onehot.Spec[uint8]{Depth: 5, On: 1})
	fmt.Println(dst[:5], dst[5:], misses, err)
	// Output: [1 0 0 1 0] [0 0 0 0 1] 1 <nil>
}

// The bit plane of a class tells which rows have that class.
func ExampleEncodeBits() {
	grades := []uint8{1, 0, 2, 1, 1}
	planes := make([]uint64, 3*onehot.BitWords(len(grades)))
	if _, err := onehot.EncodeBits(planes, grades, 3, onehot.Ignore); err != nil {
		fmt.Println(err)
		return
	}
	for grade, plane := range planes {
		fmt.Printf("%d: %05b\n", grade, plane)
	}
	// Output:
	// 0: 00010
	// 1: 11001
	// 2: 00100
}

// The slot of a null still holds a number, here 1, so EncodeBits sets a bit for
// it. An AND with the validity bitmap clears that bit.
func ExampleEncodeBits_nulls() {
	grades := []uint8{1, 0, 2, 1, 1}
	valid := []uint64{0b01111}
	words := onehot.BitWords(len(grades))
	planes := make([]uint64, 3*words)
	if _, err := onehot.EncodeBits(planes, grades, 3, onehot.Ignore); err != nil {
		fmt.Println(err)
		return
	}
	for i := range planes {
		planes[i] &= valid[i%words]
	}
	fmt.Printf("%05b\n", planes)
	// Output: [00010 01001 00100]
}

// The chess bitboards of white rooks and of a black king become planes.
func ExampleExpandBits() {
	boards := []uint64{1<<0 | 1<<7, 1 << 60} // a1 and h1, e8
	planes := make([]uint8, len(boards)*64)
	if err := onehot.ExpandBits(planes, boards, 64, 1, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(planes[:8])
	fmt.Println(planes[64+56:])
	// Output:
	// [1 0 0 0 0 0 0 1]
	// [0 0 0 0 1 0 0 0]
}

// The validity bitmap of an Arrow column says that the third value is null,
// whatever number its slot holds.
func ExampleRecode() {
	column := []int32{0, 2, 0, 1}
	valid := &onehot.Bitmap{Bits: []byte{0b1011}}
	codes := make([]uint8, len(column))
	misses, err := onehot.Recode(codes, column, nil, valid)
	fmt.Println(codes, misses, err)

	dst := make([]uint8, len(codes)*3)
	misses, err = onehot.Encode(dst, codes, onehot.Rows[uint8](3))
	fmt.Println(dst, misses, err)
	// Output:
	// [0 2 255 1] 1 <nil>
	// [1 0 0 0 0 1 0 0 0 0 1 0] 1 <nil>
}

// A table turns codes that count from 1 into classes, in place. The code 0 and
// codes beyond the table have no class.
func ExampleRecode_table() {
	grades := []int16{3, 1, 0, 2, 9}
	misses, err := onehot.Recode(grades, grades, []int16{-1, 0, 1, 2}, nil)
	fmt.Println(grades, misses, err)
	// Output: [2 0 -1 1 -1] 2 <nil>
}

func ExampleBitWords() {
	fmt.Println(onehot.BitWords(0), onehot.BitWords(64), onehot.BitWords(65))
	// Output: 0 1 2
}

func ExampleNewAlphabet() {
	a, err := onehot.NewAlphabet("ACGT")
	fmt.Println(a.Len(), err)
	_, err = onehot.NewAlphabet("ACGTA")
	fmt.Println(errors.Is(err, onehot.ErrAlphabet))
	_, err = onehot.NewAlphabet("αβ") // both letters are two bytes long and start with the same one
	fmt.Println(err)
	// Output:
	// 4 <nil>
	// true
	// onehot: bad alphabet: bytes 0 and 2 of symbols are both 0xce
}

// Aliases give lower case and the U of RNA the classes of the bases they mean.
func ExampleAlphabet_Alias() {
	a, _ := onehot.NewAlphabet("ACGT")
	fmt.Println(a.Alias("acgtU", "ACGTT"))
	dst := make([]uint8, 3*4)
	misses, err := onehot.EncodeText(dst, "gUN", a, onehot.Spec[uint8]{On: 1})
	fmt.Println(dst, misses, err)
	// Output:
	// <nil>
	// [0 0 1 0 0 0 0 1 0 0 0 0] 1 <nil>
}

func ExampleAlphabet_Len() {
	a, _ := onehot.NewAlphabet("abcdefghijklmnopqrstuvwxyz")
	fmt.Println(a.Len())
	// Output: 26
}

func ExampleEncodeText() {
	dna, _ := onehot.NewAlphabet("ACGT")
	dst := make([]float32, 4*dna.Len())
	misses, err := onehot.EncodeText(dst, "GATN", dna, onehot.Spec[float32]{On: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range slices.Chunk(dst, dna.Len()) {
		fmt.Println(row)
	}
	fmt.Println(misses, "outside the alphabet")
	// Output:
	// [0 0 1 0]
	// [1 0 0 0]
	// [0 0 0 1]
	// [0 0 0 0]
	// 1 outside the alphabet
}

// The complement of ACGT is its reverse. So in planes of this alphabet,
// reversing all cells gives the encoding of the reverse complement.
func ExampleEncodeText_reverseComplement() {
	dna, _ := onehot.NewAlphabet("ACGT")
	window, complement := make([]uint8, 4*7), make([]uint8, 4*7)
	s := onehot.Planes[uint8](4, 7)
	_, err := onehot.EncodeText(window, "GATTACA", dna, s)
	if err == nil {
		_, err = onehot.EncodeText(complement, "TGTAATC", dna, s)
	}
	slices.Reverse(window)
	fmt.Println(slices.Equal(window, complement), err)
	// Output: true <nil>
}

// The types are known only at run time, as for the contents of a file. Here the
// indices are float16 and the values uint16.
func ExampleEncodeRaw() {
	native := binary.NativeEndian
	indices := native.AppendUint16(native.AppendUint16(nil, 0x4000), 0x3c00) // 2 and 1 in float16
	s := onehot.RawSpec{
		Index: onehot.Float16,
		Width: 2, On: native.AppendUint16(nil, 7), Off: native.AppendUint16(nil, 0),
		Depth: 3,
	}
	dst := make([]byte, 2*3*2)
	misses, err := onehot.EncodeRaw(dst, indices, s)
	for i := range 6 {
		fmt.Print(native.Uint16(dst[2*i:]), " ")
	}
	fmt.Println(misses, err)
	// Output: 0 0 7 0 7 0 0 <nil>
}

func ExampleEncodeRawParallel() {
	dst := make([]byte, 3*2)
	s := onehot.RawSpec{Index: onehot.Uint8, Width: 1, On: []byte{'#'}, Off: []byte{'.'}, Depth: 2}
	misses, err := onehot.EncodeRawParallel(dst, []byte{0, 1, 2}, s, 4)
	fmt.Printf("%s %d %v\n", dst, misses, err)
	// Output: #..#.. 1 <nil>
}

// Only a row with exactly one On, and Off in every other cell, has a class.
func ExampleDecode() {
	rows := []float32{
		0, 0, 1,
		1, 0, 0,
		1, 0, 1,
		0, 0.5, 0,
	}
	classes := make([]int, 4)
	invalid, err := onehot.Decode(classes, rows, onehot.Spec[float32]{Depth: 3, On: 1})
	fmt.Println(classes, invalid, err)
	// Output: [2 0 -1 -1] 2 <nil>
}

// Labels of one byte survive the round trip: 255 always stands for no class.
func ExampleDecode_unsigned() {
	labels := []uint8{2, 255, 0}
	rows := make([]float32, 3*3)
	misses, err := onehot.Encode(rows, labels, onehot.Rows[float32](3))
	fmt.Println(rows, misses, err)
	back := make([]uint8, 3)
	invalid, err := onehot.Decode(back, rows, onehot.Rows[float32](3))
	fmt.Println(back, invalid, err)
	// Output:
	// [0 0 1 0 0 0 1 0 0] 1 <nil>
	// [2 255 0] 1 <nil>
}

func ExamplePath() {
	fmt.Println(slices.Contains([]string{"avx512", "avx2", "neon", "generic"}, onehot.Path()))
	// Output: true
}
