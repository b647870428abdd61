// Package small is the calls that write little: one move of a game, one token,
// one row of a table. Each stands beside the loop that a careful Go user writes
// for it, which is what it has to be measured by.
package small

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// A Case is one call.
type Case struct {
	Call, Shape string
	Bytes       int // that it writes, of Update at most; of Decode: that it reads
	Run, Loop   func()

	out []byte // what both write
}

// Name is that of the case among benchmarks.
func (c *Case) Name() string { return c.Call + "/" + c.Shape }

// Verify returns an error if call and loop do not write the same.
func (c *Case) Verify() error {
	want := bytes.Clone(c.out)
	c.Loop()
	if c.Call != "Update" { // whose call now goes back
		copy(want, c.out)
		for i := range c.out {
			c.out[i] = 0xA5
		}
	}
	c.Run()
	if !bytes.Equal(c.out, want) {
		return fmt.Errorf("%s: the call writes %v, not %v", c.Name(), c.out, want)
	}
	return nil
}

// largest is the output up to which a call is small.
const largest = 16000

// Cases makes them, each with memory of its own.
func Cases() (all []*Case) {
	for _, rows := range [][2]int{
		{1, 2}, {1, 10}, {1, 100}, {2, 10}, {4, 10}, {8, 10}, {16, 3}, {16, 10}, {32, 10}, {64, 2}, {64, 10},
		{128, 4}, {128, 10}, {20, 100}, {100, 30}, {200, 30}, {300, 10}, {500, 30},
	} {
		n, depth := rows[0], rows[1]
		all = append(all,
			encode[float32, int64](n, depth, 1, 0), encode[float32, int32](n, depth, 1, 0), encode[float32, uint8](n, depth, 1, 0),
			encode[uint8, int64](n, depth, 1, 0), encode[uint8, uint8](n, depth, 1, 0),
			encode[float64, int64](n, depth, 1, 0), encode[float64, int32](n, depth, 1, 0))
	}
	for _, rows := range [][2]int{{1, 10}, {8, 10}, {64, 10}, {128, 10}, {100, 30}} {
		n, depth := rows[0], rows[1]
		all = append(all,
			encode[float32, int64](n, depth, 0.9, 0.1), encode[uint8, uint8](n, depth, 1, 2), encode[float64, int32](n, depth, 0.9, 0.1))
	}
	all = append(all, board[uint8, uint8](1), board[float32, uint8](1), board[float32, int64](1), board[uint8, uint8](8), board[float32, uint8](4))
	for _, bases := range []int{1, 37, 300} {
		all = append(all, text[float32](bases, 1), text[uint8](bases, 1))
	}
	all = append(all, text[float32](37, 37), text[float32](300, 300))
	four := []int{10, 7, 3, 2}
	all = append(all, columns[float32, int64](1, four), columns[float32, uint8](1, four), columns[float32, int64](20, four), columns[uint8, uint8](20, four))
	all = append(all, sets[float32, int64](1, 8, 64), sets[bool, int16](1, 8, 128), sets[float32, int32](4, 2, 10))
	all = append(all, update[float32](4, 10), update[float32](4, 100), update[uint8](32, 10))
	all = append(all, decode[float32](4, 10), decode[uint8](4, 10), decode[float32](64, 10), decode[float32](1, 100))
	all = append(all, appended[float32, int64](8, 10), appended[float32, int64](64, 10), raw(8, 10), raw(64, 10))
	all = append(all, bitmaps[uint8](64, 4), bitmaps[int64](100, 5), bitmaps[uint8](300, 20), operator(8, 10), operator(64, 10))
	return some(all)
}

// some are the cases that are small, and write something to speak of.
func some(all []*Case) (kept []*Case) {
	for _, c := range all {
		if 8 <= c.Bytes && c.Bytes <= largest {
			kept = append(kept, c)
		}
	}
	return kept
}

func encode[V onehot.Value, I onehot.Index](n, depth int, on, off V) *Case {
	dst, indices := make([]V, n*depth), drawn[I](n, depth)
	s := onehot.Spec[V]{Depth: depth, On: on, Off: off}
	shape := fmt.Sprintf("%s-%dx%d", types[V, I](), n, depth)
	if off != *new(V) {
		shape += "-off"
	}
	return newCase("Encode", shape, dst,
		func() { must(onehot.Encode(dst, indices, s)) },
		func() { careful.Encode(dst, indices, depth, 1, on, off) })
}

// board is n chess boards: 12 planes of 64 squares, of which most are empty.
func board[V onehot.Value, I onehot.Index](n int) *Case {
	dst, indices := make([]V, n*12*64), make([]I, n*64)
	squares := make([]uint8, n*64)
	labels.Chess().Draw(labels.Seeded(), squares)
	for i, piece := range squares {
		indices[i] = I(piece)
	}
	on := onOf[V]()
	s := onehot.Spec[V]{Depth: 12, On: on, Inner: 64}
	return newCase("Encode", fmt.Sprintf("board-%s-%d", types[V, I](), n), dst,
		func() { must(onehot.Encode(dst, indices, s)) },
		func() { careful.Encode(dst, indices, 12, 64, on, *new(V)) })
}

func text[V onehot.Value](n, inner int) *Case {
	letters := make([]byte, n)
	labels.Letters("ACGT", 'N', 0.02)(labels.Seeded(), letters)
	bases, err := onehot.NewAlphabet("ACGT")
	must(0, err)
	var classes [256]int16
	for i := range classes {
		classes[i] = int16(strings.IndexByte("ACGT", byte(i)))
	}
	dst, on, read := make([]V, 4*n), onOf[V](), string(letters)
	s := onehot.Spec[V]{On: on, Inner: inner}
	shape := fmt.Sprintf("%s-%d", name[V](), n)
	if inner > 1 {
		shape += "-planes"
	}
	return newCase("EncodeText", shape, dst,
		func() { must(onehot.EncodeText(dst, read, bases, s)) },
		func() { careful.Text(dst, read, &classes, 4, inner, on, *new(V)) })
}

func columns[V onehot.Value, I onehot.Index](rows int, depths []int) *Case {
	width := 0
	all := make([][]I, len(depths))
	for c, depth := range depths {
		width += depth
		all[c] = drawn[I](rows, depth)
	}
	dst, on := make([]V, rows*width), onOf[V]()
	s := onehot.Spec[V]{On: on}
	return newCase("EncodeColumns", fmt.Sprintf("%s-%dx%d", types[V, I](), rows, len(depths)), dst,
		func() { must(onehot.EncodeColumns(dst, all, depths, s)) },
		func() { careful.Columns(dst, all, depths, width, on, *new(V)) })
}

func sets[V onehot.Value, I onehot.Index](rows, k, depth int) *Case {
	dst, indices, on := make([]V, rows*depth), drawn[I](rows*k, depth), onOf[V]()
	s := onehot.Spec[V]{Depth: depth, On: on}
	return newCase("MultiHot", fmt.Sprintf("%s-%dx%dof%d", types[V, I](), rows, k, depth), dst,
		func() { must(onehot.MultiHot(dst, indices, k, s)) },
		func() { careful.MultiHot(dst, indices, k, depth, on, *new(V)) })
}

// update goes back and forth between two sets of indices that differ in half of
// the rows, with every call or loop, so that each finds what it expects.
func update[V onehot.Value](rows, depth int) *Case {
	dst, prev, next := make([]V, rows*depth), drawn[int64](rows, depth), drawn[int64](rows, depth)
	for i := 0; i < rows; i += 2 {
		next[i] = (prev[i] + 1) % int64(depth)
	}
	on := onOf[V]()
	s := onehot.Spec[V]{Depth: depth, On: on}
	careful.Encode(dst, prev, depth, 1, on, *new(V))
	c := newCase("Update", fmt.Sprintf("i64-%s-%dx%d", name[V](), rows, depth), dst,
		func() { must(onehot.Update(dst, prev, next, s)); prev, next = next, prev },
		func() { careful.Update(dst, prev, next, depth, on, *new(V)); prev, next = next, prev })
	c.Bytes = 2 * rows * int(unsafe.Sizeof(on))
	return c
}

func decode[V onehot.Value](rows, depth int) *Case {
	src, dst, on := make([]V, rows*depth), make([]int64, rows), onOf[V]()
	careful.Encode(src, drawn[int64](rows, depth), depth, 1, on, *new(V))
	s := onehot.Spec[V]{Depth: depth, On: on}
	c := newCase("Decode", fmt.Sprintf("%s-i64-%dx%d", name[V](), rows, depth), dst,
		func() { must(onehot.Decode(dst, src, s)) },
		func() { careful.Decode(dst, src, depth, on, *new(V)) })
	c.Bytes = len(bytesOf(src))
	return c
}

// appended has room, as the buffer of a program has that appends again and
// again.
func appended[V onehot.Value, I onehot.Index](n, depth int) *Case {
	dst, indices, on := make([]V, n*depth), drawn[I](n, depth), onOf[V]()
	s := onehot.Spec[V]{Depth: depth, On: on}
	return newCase("AppendEncode", fmt.Sprintf("%s-%dx%d", types[V, I](), n, depth), dst,
		func() {
			_, misses, err := onehot.AppendEncode(dst[:0], indices, s)
			must(misses, err)
		},
		func() { careful.Encode(dst, indices, depth, 1, on, *new(V)) })
}

func raw(n, depth int) *Case {
	dst, indices := make([]float32, n*depth), drawn[int64](n, depth)
	s := onehot.RawSpec{Index: onehot.Int64, Width: 4, On: bytesOf([]float32{1}), Off: make([]byte, 4), Depth: depth}
	to, from := bytesOf(dst), bytesOf(indices)
	return newCase("EncodeRaw", fmt.Sprintf("i64-f32-%dx%d", n, depth), dst,
		func() { must(onehot.EncodeRaw(to, from, s)) },
		func() { careful.Encode(dst, indices, depth, 1, 1, 0) })
}

func bitmaps[I onehot.Index](n, depth int) *Case {
	dst, indices := make([]uint64, depth*onehot.BitWords(n)), drawn[I](n, depth)
	return newCase("EncodeBits", fmt.Sprintf("%s-%dx%d", name[I](), n, depth), dst,
		func() { must(onehot.EncodeBits(dst, indices, depth, onehot.Ignore)) },
		func() { careful.Bits(dst, indices, depth) })
}

// operator is ONNX OneHot-11 into a tensor that is there. Its tensors are made
// beforehand, as a runtime has them.
func operator(n, depth int) *Case {
	dst, indices := make([]float32, n*depth), drawn[int64](n, depth)
	out := tensor.Tensor{Shape: []int{n, depth}, Data: dst}
	in := tensor.Tensor{Shape: []int{n}, Data: indices}
	classes := tensor.Tensor{Shape: []int{1}, Data: []int64{int64(depth)}}
	values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}
	return newCase("OneHot11Into", fmt.Sprintf("i64-f32-%dx%d", n, depth), dst,
		func() { must(0, onnx.OneHot11Into(out, in, classes, values, onnx.DefaultAxis)) },
		func() { careful.Encode(dst, indices, depth, 1, 1, 0) })
}

func newCase[V any](call, shape string, dst []V, run, loop func()) *Case {
	out := bytesOf(dst)
	return &Case{Call: call, Shape: shape, Bytes: len(out), Run: run, Loop: loop, out: out}
}

func drawn[I onehot.Index](n, depth int) []I {
	indices := make([]I, n)
	labels.Uniform[I](depth)(labels.Seeded(), indices)
	return indices
}

func types[V, I any]() string { return name[I]() + "-" + name[V]() }

func name[T any]() string {
	return map[string]string{
		"bool": "bool", "uint8": "u8", "int16": "i16", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64",
	}[fmt.Sprintf("%T", *new(T))]
}

// onOf is 1, or true.
func onOf[V onehot.Value]() (on V) {
	switch p := any(&on).(type) {
	case *bool:
		*p = true
	case *uint8:
		*p = 1
	case *float32:
		*p = 1
	case *float64:
		*p = 1
	}
	return on
}

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
