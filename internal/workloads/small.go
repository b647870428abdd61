package workloads

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/internal/view"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// largest is the most bytes that a workload of Small may have.
const largest = 16000

// Small returns workloads of calls that write little: one move of a game, one
// token, one row of a table. Bytes is what a call writes, for Update the most
// that it may write, and for Decode what it reads.
func Small() (all []Workload) {
	for _, shape := range [][2]int{
		{1, 2}, {1, 10}, {1, 100}, {2, 10}, {4, 10}, {8, 10}, {16, 3}, {16, 10}, {32, 10}, {64, 2}, {64, 10},
		{128, 4}, {128, 10}, {20, 100}, {100, 30}, {200, 30}, {300, 10}, {500, 30},
	} {
		n, depth := shape[0], shape[1]
		all = append(all,
			rows[float32, int64](n, depth, 1, 0), rows[float32, int32](n, depth, 1, 0), rows[float32, uint8](n, depth, 1, 0),
			rows[uint8, int64](n, depth, 1, 0), rows[uint8, uint8](n, depth, 1, 0),
			rows[float64, int64](n, depth, 1, 0), rows[float64, int32](n, depth, 1, 0))
	}
	for _, shape := range [][2]int{{1, 10}, {8, 10}, {64, 10}, {128, 10}, {100, 30}} {
		n, depth := shape[0], shape[1]
		all = append(all,
			rows[float32, int64](n, depth, 0.9, 0.1), rows[uint8, uint8](n, depth, 1, 2), rows[float64, int32](n, depth, 0.9, 0.1))
	}
	all = append(all, boards[uint8, uint8](1), boards[float32, uint8](1), boards[float32, int64](1), boards[uint8, uint8](8), boards[float32, uint8](4))
	for _, shape := range [][2]int{{8, 10}, {20, 20}, {40, 20}, {64, 30}, {130, 15}} {
		all = append(all, planes[float32, int64](1, shape[0], shape[1]), planes[uint8, uint8](1, shape[0], shape[1]), planes[float64, uint8](1, shape[0], shape[1]))
	}
	for _, shape := range [][3]int{{4, 2, 10}, {4, 8, 10}, {16, 5, 12}, {8, 20, 20}} {
		all = append(all, planes[float32, int64](shape[0], shape[1], shape[2]), planes[uint8, uint8](shape[0], shape[1], shape[2]))
	}
	for _, n := range []int{1, 37, 300} {
		all = append(all, bases[float32](n, 1), bases[uint8](n, 1))
	}
	four := []int{10, 7, 3, 2}
	all = append(all,
		bases[float32](37, 37), bases[float32](300, 300), bases[float32](120, 30),
		table[float32, int64](1, four), table[float32, uint8](1, four), table[float32, int64](20, four), table[uint8, uint8](20, four),
		table[float32, int64](1, slices.Repeat([]int{10}, 100)), table[uint8, uint8](64, []int{8, 8}), table[uint8, uint8](64, slices.Repeat([]int{30}, 6)), table[float32, int64](100, four),
		sets("i64-f32-1x8of64", 1, 8, onehot.Rows[float32](64), labels.Uniform[int64](64)),
		sets("i16-bool-1x8of128", 1, 8, onehot.Spec[bool]{Depth: 128, On: true}, labels.Uniform[int16](128)),
		sets("i64-f32-50x2of20", 50, 2, onehot.Rows[float32](20), labels.Uniform[int64](20)),
		sets("i32-u8-50x3of100", 50, 3, onehot.Rows[uint8](100), labels.Uniform[int32](100)),
		sets("u8-f32-5x20of60", 5, 20, onehot.Rows[float32](60), labels.Uniform[uint8](60)),
		sets("u8-u8-64x8of200", 64, 8, onehot.Rows[uint8](200), labels.Uniform[uint8](200)),
		sets("i64-f32-64x6of60", 64, 6, onehot.Rows[float32](60), labels.Uniform[int64](60)),
		sets("u8-f32-100x12of32", 100, 12, onehot.Rows[float32](32), labels.Uniform[uint8](32)),
		sets("i32-f32-4x2of10", 4, 2, onehot.Rows[float32](10), labels.Uniform[int32](10)),
		moves[float32](4, 10), moves[float32](4, 100), moves[uint8](32, 10),
		decode[float32]("f32-i64-4x10", 4, 10), decode[uint8]("u8-i64-4x10", 4, 10), decode[float32]("f32-i64-64x10", 64, 10), decode[float32]("f32-i64-1x100", 1, 100),
		apart[float32, int64](8, 10, 12), apart[uint8, uint8](20, 30, 40), apart[float32, int64](100, 10, 12), apart[float32, uint8](20, 100, 110),
		missing[float32, int64](8, 1, 10), missing[uint8, uint8](64, 1, 10), missing[float32, int64](100, 1, 30), missing[float64, int32](20, 1, 100),
		missing[float32, int64](4, 8, 10), missing[uint8, uint8](2, 20, 10), missing[float32, int64](8, 20, 20),
		appended(8, 10), appended(64, 10),
		raw("i64-f32-8x10", onehot.Int64, 8, onehot.Rows[float32](10), labels.Uniform[int64](10)),
		raw("i64-f32-64x10", onehot.Int64, 64, onehot.Rows[float32](10), labels.Uniform[int64](10)),
		raw("planes-i64-f32-8x10", onehot.Int64, 8, onehot.Planes[float32](10, 8), labels.Uniform[int64](10)),
		bitmap("i64-10x12", 10, 12, labels.Uniform[int64](12)), bitmap("u8-64x200", 64, 200, labels.Uniform[uint8](200)),
		bitmap("i64-100x60", 100, 60, labels.Uniform[int64](60)), bitmap("i64-300x200", 300, 200, labels.Uniform[int64](200)),
		bitmap("u8-64x4", 64, 4, labels.Uniform[uint8](4)), bitmap("i64-100x5", 100, 5, labels.Uniform[int64](5)), bitmap("u8-300x20", 300, 20, labels.Uniform[uint8](20)),
		expand[float32]("f32-1x64", 1, 64, 0.1), expand[uint8]("u8-12x64", 12, 64, 0.1), expand[float64]("f64-5x9", 5, 9, 0.3), expand[float32]("f32-1x1000", 1, 1000, 0.5),
		recode[uint8, int64]("i64-u8-8", 8, shifted[uint8](10), 0), recode[int32, int64]("i64-i32-64", 64, shifted[int32](10), 0), recode[uint8, uint8]("u8-u8-200", 200, shifted[uint8](20), 0),
		recode[int32, uint8]("u8-i32-500", 500, shifted[int32](20), 0), recode[uint8, int32]("i32-u8-20-nulls", 20, shifted[uint8](5), 0.1), recode[int32, int32]("i32-i32-300-nulls", 300, shifted[int32](5), 0.1),
		operator(8, 10), operator(64, 10))
	return slices.DeleteFunc(all, func(w Workload) bool { return w.Bytes < 8 || w.Bytes > largest })
}

func rows[V onehot.Number, I onehot.Index](n, depth int, on, off V) Workload {
	name := fmt.Sprintf("%s-%dx%d", types[V, I](), n, depth)
	if off != 0 {
		name += "-off"
	}
	return encode(name, n, onehot.Spec[V]{Depth: depth, On: on, Off: off}, labels.Uniform[I](depth))
}

// planes encodes blocks of n columns, such as a few time steps each.
func planes[V onehot.Number, I onehot.Index](blocks, n, depth int) Workload {
	name := fmt.Sprintf("planes-%s-%dx%d", types[V, I](), n, depth)
	if blocks > 1 {
		name += fmt.Sprintf("-%d", blocks)
	}
	return encode(name, blocks*n, onehot.Planes[V](depth, n), labels.Uniform[I](depth))
}

// boards encodes n chess boards: 12 planes of 64 squares, most of them empty.
func boards[V onehot.Number, I onehot.Index](n int) Workload {
	return encode(fmt.Sprintf("board-%s-%d", types[V, I](), n), n*64, onehot.Planes[V](12, 64), func(r *rand.Rand, dst []I) {
		squares := make([]uint8, len(dst))
		labels.Chess().Draw(r, squares)
		for i, piece := range squares {
			dst[i] = I(piece)
		}
	})
}

func bases[V onehot.Number](n, inner int) Workload {
	name := fmt.Sprintf("%s-%d", short[V](), n)
	switch inner {
	case 1:
	case n:
		name += "-planes"
	default:
		name += fmt.Sprintf("-planes-of-%d", inner)
	}
	return text(name, n, "ACGT", onehot.Spec[V]{On: 1, Inner: inner}, labels.Letters("ACGT", 'N', 0.02))
}

func table[V onehot.Number, I onehot.Index](rows int, depths []int) Workload {
	return columns(fmt.Sprintf("%s-%dx%d", types[V, I](), rows, len(depths)), rows, depths, onehot.Rows[V](0), labels.Uniform[I])
}

// moves updates half of the rows.
func moves[V onehot.Number](rows, depth int) Workload {
	w := update(fmt.Sprintf("i64-%s-%dx%d", short[V](), rows, depth), rows, onehot.Rows[V](depth), 0.5)
	w.Bytes = 2 * rows * view.Size[V]()
	return w
}

// apart encodes rows with other features between them.
func apart[V onehot.Number, I onehot.Index](n, depth, stride int) Workload {
	s := onehot.Rows[V](depth)
	s.Stride = stride
	w := rows[V, I](n, depth, 1, 0)
	w.Name, w.Build = fmt.Sprintf("%s-%dx%d-of-%d", types[V, I](), n, depth, stride), func() (*Job, error) {
		indices := drawn(n, labels.Uniform[I](depth))
		j, dst := newJob[V]((n-1)*stride+depth, n*view.Size[I]())
		j.Run = func() { must(onehot.Encode(dst, indices, s)) }
		j.Plain = func() { careful.Apart(dst, indices, depth, stride, s.On, s.Off) }
		return j, nil
	}
	return w
}

// missing encodes rows, or blocks of planes, with a Miss. One index in fifty is
// a miss.
func missing[V onehot.Number, I onehot.Index](blocks, inner, depth int) Workload {
	s, miss, n := onehot.Planes[V](depth, inner), V(2), blocks*inner
	s.Miss = &miss
	w := rows[V, I](n, depth, 1, 0)
	if inner > 1 {
		w = planes[V, I](blocks, inner, depth)
	}
	w.Name, w.Build = w.Name+"-miss", func() (*Job, error) {
		indices := drawn(n, func(r *rand.Rand, dst []I) {
			labels.Uniform[I](depth)(r, dst)
			for i := range dst {
				if r.IntN(50) == 0 {
					dst[i] = I(depth)
				}
			}
		})
		j, dst := newJob[V](n*depth, n*view.Size[I]())
		j.Run = func() { must(onehot.Encode(dst, indices, s)) }
		j.Plain = func() { careful.Missing(dst, indices, depth, inner, s.On, s.Off, miss) }
		return j, nil
	}
	return w
}

// appended appends to a slice that has room, like the buffer of a program that
// appends again and again.
func appended(n, depth int) Workload {
	w, s := rows[float32, int64](n, depth, 1, 0), onehot.Rows[float32](depth)
	w.Calls, w.Build = "AppendEncode", func() (*Job, error) {
		j, dst, indices := encodeJob(n, s, labels.Uniform[int64](depth))
		j.Run = func() {
			_, misses, err := onehot.AppendEncode(dst[:0], indices, s)
			must(misses, err)
		}
		return j, nil
	}
	return w
}

// operator runs ONNX OneHot-11 into an existing tensor. All tensors are made
// beforehand, as a runtime makes them.
func operator(n, depth int) Workload {
	w := rows[float32, int64](n, depth, 1, 0)
	w.Calls, w.Build = "OneHot11Into", func() (*Job, error) {
		j, dst, indices := encodeJob(n, onehot.Rows[float32](depth), labels.Uniform[int64](depth))
		out := tensor.Tensor{Shape: []int{n, depth}, Data: dst}
		in := tensor.Tensor{Shape: []int{n}, Data: indices}
		classes := tensor.Tensor{Shape: []int{1}, Data: []int64{int64(depth)}}
		values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}
		j.Run = func() { must(0, onnx.OneHot11Into(out, in, classes, values, onnx.DefaultAxis)) }
		return j, nil
	}
	return w
}

func types[V, I any]() string { return short[I]() + "-" + short[V]() }

// short is the short name of a type.
func short[T any]() string {
	return map[string]string{"uint8": "u8", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64"}[reflect.TypeFor[T]().String()]
}
