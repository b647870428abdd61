package onnx_test

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator/operatortest"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

// opsets are the two operators, with what each does with a negative index.
var opsets = []struct {
	name     string
	negative onehot.Negative
	oneHot   func(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error)
	into     func(dst, indices, depth, values tensor.Tensor, axis int) error
}{
	{"OneHot-9", onehot.Ignore, onnx.OneHot9, onnx.OneHot9Into},
	{"OneHot-11", onehot.Normalize, onnx.OneHot11, onnx.OneHot11Into},
}

// onnxNodeTests are ONNX's examples of OneHot, named as in ONNX's backend tests
// (onnx/backend/test/case/node/onehot.py).
var onnxNodeTests = []struct {
	name                   string
	indices, depth, values tensor.Tensor
	axis                   int
	want                   tensor.Tensor
}{
	{
		name:    "test_onehot_without_axis",
		indices: tensor.Tensor{Shape: []int{3}, Data: []int64{0, 7, 8}},
		depth:   tensor.Scalar[float32](12),
		values:  tensor.Tensor{Shape: []int{2}, Data: []int32{2, 5}},
		axis:    onnx.DefaultAxis,
		want: tensor.Tensor{Shape: []int{3, 12}, Data: []int32{
			5, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
			2, 2, 2, 2, 2, 2, 2, 5, 2, 2, 2, 2,
			2, 2, 2, 2, 2, 2, 2, 2, 5, 2, 2, 2,
		}},
	},
	{
		name:    "test_onehot_with_axis",
		indices: tensor.Tensor{Shape: []int{2, 2}, Data: []float32{1, 9, 2, 4}},
		depth:   tensor.Scalar[float32](10),
		values:  tensor.Tensor{Shape: []int{2}, Data: []float32{1, 3}},
		axis:    1,
		want: tensor.Tensor{Shape: []int{2, 10, 2}, Data: []float32{
			1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3,
			1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		}},
	},
	{
		name:    "test_onehot_negative_indices",
		indices: tensor.Tensor{Shape: []int{3}, Data: []int64{0, -7, -8}},
		depth:   tensor.Scalar[float32](10),
		values:  tensor.Tensor{Shape: []int{2}, Data: []float32{1, 3}},
		axis:    1,
		want: tensor.Tensor{Shape: []int{3, 10}, Data: []float32{
			3, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 3, 1, 1, 1, 1, 1, 1,
			1, 1, 3, 1, 1, 1, 1, 1, 1, 1,
		}},
	},
	{
		name:    "test_onehot_with_negative_axis",
		indices: tensor.Tensor{Shape: []int{2, 2}, Data: []float32{1, 9, 2, 4}},
		depth:   tensor.Scalar[float32](10),
		values:  tensor.Tensor{Shape: []int{2}, Data: []float32{1, 3}},
		axis:    -2,
		want: tensor.Tensor{Shape: []int{2, 10, 2}, Data: []float32{
			1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3,
			1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		}},
	},
	{
		name:    "test_onehot_out_of_range_indices",
		indices: tensor.Tensor{Shape: []int{3}, Data: []int64{5, -6, -1}},
		depth:   tensor.Scalar[float32](5),
		values:  tensor.Tensor{Shape: []int{2}, Data: []float32{1, 3}},
		axis:    1,
		want: tensor.Tensor{Shape: []int{3, 5}, Data: []float32{
			1, 1, 1, 1, 1,
			1, 1, 1, 1, 1,
			1, 1, 1, 1, 3,
		}},
	},
	{
		name:    "test_onehot_with_bfloat16_values",
		indices: tensor.Tensor{Shape: []int{2}, Data: []int64{0, 2}},
		depth:   tensor.Scalar[float32](4),
		values:  tensor.Tensor{Shape: []int{2}, Data: []tensor.BFloat16{0x3f80, 0x4040}},
		axis:    1,
		want: tensor.Tensor{Shape: []int{2, 4}, Data: []tensor.BFloat16{
			0x4040, 0x3f80, 0x3f80, 0x3f80,
			0x3f80, 0x3f80, 0x4040, 0x3f80,
		}},
	},
}

func TestNodeExamples(t *testing.T) {
	for _, test := range onnxNodeTests {
		t.Run(test.name, func(t *testing.T) {
			got, err := onnx.OneHot11(test.indices, test.depth, test.values, test.axis)
			require.NoError(t, err)
			operatortest.Equal(t, test.want, got)
			shape, err := onnx.Shape(test.indices.Shape, test.want.Shape[1], test.axis) // the new axis is 1 in every test
			require.NoError(t, err)
			assert.Equal(t, test.want.Shape, shape)
		})
	}
}

// An index is all off outside [0, depth) in OneHot-9, and outside [-depth,
// depth-1] in OneHot-11.
func TestNegativeIndices(t *testing.T) {
	indices := tensor.Tensor{Shape: []int{4}, Data: []int32{-1, -3, -4, 0}}
	depth := tensor.Scalar(3)
	values := tensor.Tensor{Shape: []int{2}, Data: []uint8{0, 1}}

	got, err := onnx.OneHot9(indices, depth, values, -1)
	require.NoError(t, err)
	assert.Equal(t, []uint8{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}, got.Data)

	got, err = onnx.OneHot11(indices, depth, values, -1)
	require.NoError(t, err)
	assert.Equal(t, []uint8{0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0}, got.Data)
}

// check compares both opsets and both forms with the definition.
func check(t *testing.T, indices tensor.Tensor, depth int, values tensor.Tensor, axis int) {
	t.Helper()
	v := reflect.ValueOf(values.Data)
	for _, op := range opsets {
		want := operatortest.OneHot(indices, depth, v.Index(1), v.Index(0), axis, op.negative)
		got, err := op.oneHot(indices, tensor.Scalar(int64(depth)), values, axis)
		require.NoError(t, err)
		operatortest.Equal(t, want, got)

		// The output has a neighbour on either side, which must not change.
		n := v.Len()
		out := reflect.ValueOf(got.Data)
		room := reflect.MakeSlice(out.Type(), out.Len()+2*n, out.Len()+2*n)
		for i := range room.Len() { // dst starts out full of the values
			room.Index(i).Set(v.Index(i % n))
		}
		reflect.Copy(room.Slice(n+out.Len(), room.Len()), v)
		dst := tensor.Tensor{Shape: want.Shape, Data: room.Slice(n, n+out.Len()).Interface()}
		require.NoError(t, op.into(dst, indices, tensor.Scalar(uint32(depth)), values, axis))
		operatortest.Equal(t, want, dst)
		for _, side := range []reflect.Value{room.Slice(0, n), room.Slice(n+out.Len(), room.Len())} {
			operatortest.Equal(t, values, tensor.Tensor{Shape: values.Shape, Data: side.Interface()})
		}
	}
}

func TestTypes(t *testing.T) {
	for _, index := range slices.Concat(operatortest.Integers(), operatortest.Floats()) {
		for _, value := range operatortest.Values() {
			t.Run(fmt.Sprintf("%T,%T", index, value), func(t *testing.T) {
				values := tensor.Tensor{Shape: []int{2}, Data: value}
				n := reflect.ValueOf(index).Len()
				check(t, operatortest.Tensor(index, n), 5, values, -1)
				check(t, operatortest.Tensor(index, n), 5, values, 0)
				check(t, operatortest.Tensor(index, 2, n, 3), 5, values, 1)
				check(t, operatortest.Tensor(index, 3, 2), 300, values, 1)
				check(t, operatortest.Tensor(index), 1, values, 0)
			})
		}
	}
}

func TestAxes(t *testing.T) {
	values := []tensor.Tensor{
		{Shape: []int{2}, Data: []float32{-1, 1}},
		{Shape: []int{2}, Data: []string{"off", "on"}},
		{Shape: []int{2}, Data: []complex128{1i, 2i}},
	}
	for _, shape := range [][]int{
		{}, nil,
		{1}, {13}, {0},
		{2, 7}, {1, 1}, {0, 3}, {3, 0},
		{2, 3, 4}, {5, 1, 2}, {2, 0, 4},
		{2, 3, 4, 5}, {1, 2, 1, 3}, {2, 3, 0, 0},
	} {
		for axis := -len(shape) - 1; axis <= len(shape); axis++ {
			t.Run(fmt.Sprintf("%v,%d", shape, axis), func(t *testing.T) {
				for _, v := range values {
					check(t, operatortest.Tensor([]int32{0, 3, -4, 2, 4, -1, -5, 1}, shape...), 4, v, axis)
					check(t, operatortest.Tensor([]float64{0, 3, -4, 2, 4, -1, -5, 1}, shape...), 1, v, axis)
				}
				inferred, err := onnx.Shape(shape, 4, axis)
				require.NoError(t, err)
				assert.Equal(t, operatortest.OneHot(operatortest.Tensor([]int8{0}, shape...), 4, reflect.ValueOf(1), reflect.ValueOf(0), axis, onehot.Ignore).Shape, inferred)
			})
		}
	}
}

func TestDepth(t *testing.T) {
	type size int16
	indices := tensor.Tensor{Shape: []int{2}, Data: []int64{0, 1}}
	values := tensor.Tensor{Shape: []int{2}, Data: []uint8{0, 1}}
	for _, test := range []struct {
		data any
		want int
		err  error
	}{
		{[]int8{3}, 3, nil}, {[]int16{3}, 3, nil}, {[]int32{3}, 3, nil}, {[]int64{3}, 3, nil}, {[]int{3}, 3, nil},
		{[]uint8{200}, 200, nil}, {[]uint16{3}, 3, nil}, {[]uint32{3}, 3, nil}, {[]uint64{3}, 3, nil}, {[]uint{3}, 3, nil},
		{[]float32{3}, 3, nil}, {[]float64{3}, 3, nil}, {[]size{3}, 3, nil},
		{[]tensor.Float16{0x4200}, 3, nil}, {[]tensor.BFloat16{0x4040}, 3, nil},
		{[]operatortest.Half{0x4200}, 3, nil}, {[]operatortest.PointerHalf{0x4200}, 3, nil}, {[]operatortest.Float8{0x42}, 3, nil},
		{[]operatortest.Label{0x4200}, 0x4200, nil},
		// cast to int64: toward zero
		{[]float32{2.7}, 2, nil}, {[]float64{1.9999999999999998}, 1, nil}, {[]tensor.Float16{0x4166}, 2, nil},

		{[]int8{0}, 0, onehot.ErrDepth}, {[]int64{-3}, 0, onehot.ErrDepth}, {[]int64{math.MinInt64}, 0, onehot.ErrDepth},
		{[]uint64{0}, 0, onehot.ErrDepth}, {[]uint64{1 << 63}, 0, onehot.ErrDepth}, {[]uint64{math.MaxUint64}, 0, onehot.ErrDepth},
		{[]float32{0.99}, 0, onehot.ErrDepth}, {[]float32{-2}, 0, onehot.ErrDepth},
		{[]float64{math.NaN()}, 0, onehot.ErrDepth}, {[]float64{math.Inf(1)}, 0, onehot.ErrDepth}, {[]float64{math.Inf(-1)}, 0, onehot.ErrDepth},
		{[]float64{1 << 63}, 0, onehot.ErrDepth}, {[]float64{-1 << 63}, 0, onehot.ErrDepth}, {[]float32{math.MaxFloat32}, 0, onehot.ErrDepth},
		{[]tensor.Float16{0x7e00}, 0, onehot.ErrDepth}, {[]tensor.BFloat16{0x7f80}, 0, onehot.ErrDepth}, {[]operatortest.Half{0xfc00}, 0, onehot.ErrDepth},
		{[]int64{math.MaxInt64}, 0, onehot.ErrTooLarge}, {[]float64{1 << 62}, 0, onehot.ErrTooLarge},

		{[]bool{true}, 0, tensor.ErrType}, {[]string{"3"}, 0, tensor.ErrType}, {[]complex64{3}, 0, tensor.ErrType}, {[]uintptr{3}, 0, tensor.ErrType},
		{[]any{3}, 0, tensor.ErrType}, {[1]int{3}, 0, tensor.ErrType}, {3, 0, tensor.ErrType}, {nil, 0, tensor.ErrType},
		{[]int{}, 0, tensor.ErrShape}, {[]int{3, 3}, 0, tensor.ErrShape}, {[]int(nil), 0, tensor.ErrShape},
	} {
		t.Run(fmt.Sprintf("%T%v", test.data, test.data), func(t *testing.T) {
			for _, shape := range [][]int{nil, {}, {1}} {
				for _, op := range opsets {
					got, err := op.oneHot(indices, tensor.Tensor{Shape: shape, Data: test.data}, values, -1)
					if test.err != nil {
						require.ErrorIs(t, err, test.err)
						require.Zero(t, got)
						continue
					}
					require.NoError(t, err)
					require.Equal(t, []int{2, test.want}, got.Shape)
				}
			}
		})
	}
	for _, shape := range [][]int{{1, 1}, {0}, {2}, {-1}} {
		n := 1
		if len(shape) == 1 {
			n = max(shape[0], 0)
		}
		_, err := onnx.OneHot11(indices, tensor.Tensor{Shape: shape, Data: make([]int64, n)}, values, -1)
		assert.ErrorIs(t, err, tensor.ErrShape, "depth of shape %v", shape)
	}
}

// wrong returns calls that are errors, each for one reason.
func wrong() []wrongCall {
	type pointer *int
	indices := tensor.Tensor{Shape: []int{2, 3}, Data: []int32{0, 1, 2, 0, 1, 2}}
	depth := tensor.Scalar(int64(4))
	values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}
	good := wrongCall{indices: indices, depth: depth, values: values, axis: -1}
	with := func(name string, err error, change func(*wrongCall)) wrongCall {
		w := good
		w.name, w.err = name, err
		change(&w)
		return w
	}
	var all []wrongCall
	for _, data := range []any{
		[]bool{true}, []string{"1"}, []complex64{1}, []complex128{1}, []uintptr{1}, []any{1}, []pointer{nil}, []struct{}{{}}, [][]int{{1}},
		[]error(nil), nil, 1, "text", [1]int{1}, &[]int{1}, map[int]int{0: 1}, (*int)(nil), (func())(nil), make(chan int), struct{ Data []int }{},
	} {
		all = append(all, with(fmt.Sprintf("indices %T", data), tensor.ErrType, func(w *wrongCall) {
			w.indices = tensor.Tensor{Shape: []int{1}, Data: data}
		}))
	}
	for _, data := range []any{[]uintptr{0, 1}, []any{0, 1}, []struct{}{{}, {}}, nil, 1, [2]int{0, 1}, (*int)(nil), []pointer{nil, nil}} {
		all = append(all, with(fmt.Sprintf("values %T", data), tensor.ErrType, func(w *wrongCall) {
			w.values = tensor.Tensor{Shape: []int{2}, Data: data}
		}))
	}
	for _, shape := range [][]int{
		nil, {2}, {7}, {3, 3}, {6, 0}, {-2, -3}, {-6, -1}, {6, -1}, {-1, 0},
		{math.MaxInt, math.MaxInt}, {math.MinInt, 2}, {math.MaxInt, 2, 0, 3}, {1 << (bits.UintSize / 2), 1 << (bits.UintSize / 2)},
	} {
		all = append(all, with(fmt.Sprintf("indices of shape %v", shape), tensor.ErrShape, func(w *wrongCall) { w.indices.Shape = shape }))
	}
	for _, v := range []tensor.Tensor{
		{Data: []float32{1}}, {Shape: []int{1}, Data: []float32{1}}, {Shape: []int{3}, Data: []float32{0, 1, 2}},
		{Shape: []int{1, 2}, Data: []float32{0, 1}}, {Shape: []int{2, 1}, Data: []float32{0, 1}}, {Shape: []int{0}, Data: []float32{}},
		{Shape: []int{2}, Data: []float32{0}}, {Shape: []int{2}, Data: []float32(nil)}, {Shape: []int{-2}, Data: []float32{0, 1}},
	} {
		all = append(all, with(fmt.Sprintf("values of shape %v and %v", v.Shape, v.Data), tensor.ErrShape, func(w *wrongCall) { w.values = v }))
	}
	for _, axis := range []int{-4, 3, math.MinInt, math.MaxInt, -1 << 31, 1<<31 - 1} {
		all = append(all, with(fmt.Sprintf("axis %d", axis), tensor.ErrAxis, func(w *wrongCall) { w.axis = axis }))
	}
	return all
}

type wrongCall struct {
	name                   string
	indices, depth, values tensor.Tensor
	axis                   int
	err                    error
}

func TestErrors(t *testing.T) {
	for _, w := range wrong() {
		t.Run(w.name, func(t *testing.T) {
			for _, op := range opsets {
				got, err := op.oneHot(w.indices, w.depth, w.values, w.axis)
				require.ErrorIs(t, err, w.err)
				assert.True(t, strings.HasPrefix(err.Error(), "onnx: "+op.name+": "), err)
				require.Zero(t, got)

				dst := tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]float32, 24)}
				for i := range dst.Data.([]float32) {
					dst.Data.([]float32)[i] = 7
				}
				require.ErrorIs(t, op.into(dst, w.indices, w.depth, w.values, w.axis), w.err)
				require.Equal(t, slices.Repeat([]float32{7}, 24), dst.Data)
			}
		})
	}
}

func TestErrorsNameNumbers(t *testing.T) {
	indices := tensor.Tensor{Shape: []int{2}, Data: []int64{0, 1}}
	values := tensor.Tensor{Shape: []int{2}, Data: []uint8{0, 1}}
	_, err := onnx.OneHot11(indices, tensor.Scalar(-17), values, -1)
	assert.ErrorContains(t, err, "-17")
	_, err = onnx.OneHot11(indices, tensor.Scalar(3), values, 23)
	assert.ErrorContains(t, err, "23")
	_, err = onnx.OneHot11(tensor.Tensor{Shape: []int{5}, Data: []int64{0, 1}}, tensor.Scalar(3), values, -1)
	assert.ErrorContains(t, err, "[5]")
	_, err = onnx.OneHot11(tensor.Tensor{Shape: []int{1}, Data: []bool{true}}, tensor.Scalar(3), values, -1)
	assert.ErrorContains(t, err, "bool")
}

// The largest outputs allocate nothing of their size, and make does not panic.
func TestTooLarge(t *testing.T) {
	type test struct {
		indices tensor.Tensor
		depth   uint64
		values  any
	}
	tests := []test{
		{operatortest.Tensor([]int8{0}, 3), math.MaxInt / 2, []uint8{0, 1}},
		{operatortest.Tensor([]int8{0}), math.MaxInt, []uint16{0, 1}},
		{operatortest.Tensor([]int8{0}), math.MaxInt/2 + 1, []complex128{0, 1}}, // the bytes overflow to 0
		{operatortest.Tensor([]int8{0}), math.MaxInt / 4, []float64{0, 1}},
		{operatortest.Tensor([]int8{0}, 4, 1, 2), math.MaxInt / 16, []string{"", "x"}},
		{operatortest.Tensor([]int8{0}, 2), 1 << 62, []bool{false, true}}, // beyond int on 32-bit machines
	}
	if bits.UintSize == 64 {
		tests = append(tests,
			test{operatortest.Tensor([]int8{0}), math.MaxInt, []uint8{0, 1}},
			test{operatortest.Tensor([]int8{0}), 1 << 48, []uint8{0, 1}},
			test{operatortest.Tensor([]int8{0}), 1 << 47, []uint8{0, 1}},
			test{operatortest.Tensor([]int8{0}, 1<<10), 1 << 36, []int16{0, 1}},
			test{operatortest.Tensor([]int8{0}, 1<<3), 1 << 40, []string{"", "x"}},
		)
	}
	if runtime.GOARCH == "wasm" { // int has 64 bits, but memory ends at 2^32
		tests = append(tests, test{operatortest.Tensor([]int8{0}), 1 << 33, []uint8{0, 1}})
	}
	for _, test := range tests {
		values := tensor.Tensor{Shape: []int{2}, Data: test.values}
		for axis := range len(test.indices.Shape) + 1 {
			for _, op := range opsets {
				_, err := op.oneHot(test.indices, tensor.Scalar(test.depth), values, axis)
				require.ErrorIs(t, err, onehot.ErrTooLarge, "%v, %d, %T", test.indices.Shape, test.depth, test.values)
			}
		}
	}
}

func TestShape(t *testing.T) {
	const half = 1 << (bits.UintSize / 2)
	for _, test := range []struct {
		indices     []int
		depth, axis int
		want        []int
		err         error
	}{
		{nil, 3, 0, []int{3}, nil},
		{[]int{}, 3, -1, []int{3}, nil},
		{[]int{4}, 3, 0, []int{3, 4}, nil},
		{[]int{4}, 3, -2, []int{3, 4}, nil},
		{[]int{4, 5}, 3, 1, []int{4, 3, 5}, nil},
		{[]int{4, 5}, 3, -3, []int{3, 4, 5}, nil},
		{[]int{4, 5}, 3, 2, []int{4, 5, 3}, nil},
		{nil, math.MaxInt, 0, []int{math.MaxInt}, nil},
		{[]int{1, 1}, math.MaxInt, 1, []int{1, math.MaxInt, 1}, nil},
		{[]int{0}, math.MaxInt, 0, []int{math.MaxInt, 0}, nil},
		{[]int{math.MaxInt, 0, math.MaxInt}, 3, 0, []int{3, math.MaxInt, 0, math.MaxInt}, nil},
		{nil, 0, 0, nil, onehot.ErrDepth},
		{[]int{4}, math.MinInt, 0, nil, onehot.ErrDepth},
		{nil, 3, 1, nil, tensor.ErrAxis},
		{nil, 3, -2, nil, tensor.ErrAxis},
		{[]int{4, 5}, 3, 3, nil, tensor.ErrAxis},
		{[]int{4, 5}, 3, -4, nil, tensor.ErrAxis},
		{[]int{4, 5}, 3, math.MaxInt, nil, tensor.ErrAxis},
		{[]int{4, 5}, 3, math.MinInt, nil, tensor.ErrAxis},
		{[]int{4, -5}, 3, 0, nil, tensor.ErrShape},
		{[]int{0, math.MinInt}, 3, 0, nil, tensor.ErrShape},
		{[]int{2}, math.MaxInt/2 + 1, 0, nil, onehot.ErrTooLarge},
		{[]int{half}, half, 0, nil, onehot.ErrTooLarge},
		{[]int{half, half / 2}, 1, 0, nil, onehot.ErrTooLarge},
		{[]int{half, half, half}, half, 2, nil, onehot.ErrTooLarge},
		{[]int{math.MaxInt, math.MaxInt}, math.MaxInt, 0, nil, onehot.ErrTooLarge},
	} {
		got, err := onnx.Shape(test.indices, test.depth, test.axis)
		require.ErrorIs(t, err, test.err, "%v, %d, %d", test.indices, test.depth, test.axis)
		assert.Equal(t, test.want, got, "%v, %d, %d", test.indices, test.depth, test.axis)
	}
	// The result is the caller's.
	in := make([]int, 2, 8)
	got, err := onnx.Shape(in, 3, 0)
	require.NoError(t, err)
	got[1] = 9
	assert.Equal(t, []int{0, 0, 0}, in[:3])
}

func TestIntoWrongDst(t *testing.T) {
	type score float32
	indices := tensor.Tensor{Shape: []int{2, 3}, Data: []int32{0, 1, 2, 0, 1, 2}}
	depth := tensor.Scalar(int64(4))
	values := tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}
	for _, test := range []struct {
		dst tensor.Tensor
		err error
	}{
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]float64, 24)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]int32, 24)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]score, 24)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]uintptr, 24)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: [24]float32{}}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}}, tensor.ErrType},
		{tensor.Tensor{}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: []float32(nil)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]float32, 23)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{2, 3, 4}, Data: make([]float32, 25)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{2, 4, 3}, Data: make([]float32, 24)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{24}, Data: make([]float32, 24)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{2, 3, 4, 1}, Data: make([]float32, 24)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{-2, -3, 4}, Data: make([]float32, 24)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{2, 3, 5}, Data: make([]float32, 30)}, tensor.ErrShape},
	} {
		for _, op := range opsets {
			require.ErrorIs(t, op.into(test.dst, indices, depth, values, -1), test.err, "%T of %v", test.dst.Data, test.dst.Shape)
		}
		if f, ok := test.dst.Data.([]float32); ok {
			assert.False(t, slices.Contains(f, 1), "an error has written nothing")
		}
	}
}

func TestIntoOverlap(t *testing.T) {
	memory := make([]int32, 64)
	values := tensor.Tensor{Shape: []int{2}, Data: []int32{-7, 9}}
	depth := tensor.Scalar(4)
	at := func(i, n int) tensor.Tensor { return tensor.Tensor{Shape: []int{n}, Data: memory[i : i+n : i+n]} }
	dst := tensor.Tensor{Shape: []int{3, 4}, Data: memory[20:32]}

	for _, op := range opsets {
		for from := 10; from <= 40; from++ {
			clear(memory)
			err := op.into(dst, at(from, 3), depth, values, -1)
			if from <= 17 || from >= 32 { // touching is fine
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, onehot.ErrOverlap, "indices at %d", from)
			require.Equal(t, make([]int32, 64), memory, "an error has written nothing")
		}

		clear(memory)
		memory[25] = 4
		scalar := tensor.Tensor{Data: memory[25:26]}
		require.ErrorIs(t, op.into(dst, tensor.Tensor{Shape: []int{3}, Data: []int8{0, 1, 2}}, scalar, values, -1), onehot.ErrOverlap)

		// values are read before dst is written
		memory[20], memory[21] = -7, 9
		require.NoError(t, op.into(dst, tensor.Tensor{Shape: []int{3}, Data: []int8{0, 1, 5}}, depth, at(20, 2), -1))
		require.Equal(t, []int32{9, -7, -7, -7, -7, 9, -7, -7, -7, -7, -7, -7}, dst.Data)

		// the same with strings
		words := []string{"off", "on", "", ""}
		require.NoError(t, op.into(tensor.Tensor{Shape: []int{4}, Data: words}, tensor.Scalar(uint16(2)), depth,
			tensor.Tensor{Shape: []int{2}, Data: words[:2]}, 0))
		require.Equal(t, []string{"off", "off", "on", "off"}, words)
	}

	// Indices that have to be converted are checked where they came from.
	halves := make([]operatortest.Half, 32)
	in := tensor.Tensor{Shape: []int{2}, Data: halves[3:5]}
	out := tensor.Tensor{Shape: []int{2, 4}, Data: halves[4:12]}
	pair := tensor.Tensor{Shape: []int{2}, Data: []operatortest.Half{1, 2}}
	require.ErrorIs(t, onnx.OneHot11Into(out, in, depth, pair, -1), onehot.ErrOverlap)
	require.Equal(t, make([]operatortest.Half, 32), halves)
}

func TestResultOwnsItsMemory(t *testing.T) {
	type vector []float32
	data := vector{0, 1}
	values := tensor.Tensor{Shape: []int{2}, Data: data}
	got, err := onnx.OneHot11(tensor.Scalar(1), tensor.Scalar(2), values, 0)
	require.NoError(t, err)
	require.Equal(t, []float32{0, 1}, got.Data, "the element type is that of values, the slice is a plain one")
	got.Data.([]float32)[0] = 5
	assert.Equal(t, vector{0, 1}, data)
}

// Mistakes seen in other implementations of OneHot.
func TestMistakesOfOthers(t *testing.T) {
	run := func(t *testing.T, indices, depth, values any, axis int) any {
		t.Helper()
		n := reflect.ValueOf(indices).Len()
		got, err := onnx.OneHot11(tensor.Tensor{Shape: []int{n}, Data: indices}, tensor.Tensor{Data: depth}, tensor.Tensor{Shape: []int{2}, Data: values}, axis)
		require.NoError(t, err)
		return got.Data
	}
	t.Run("on is lost in y*(on-off)+off", func(t *testing.T) {
		assert.Equal(t, []float32{1e8, 1}, run(t, []int64{1}, []int64{2}, []float32{1e8, 1}, -1))
	})
	t.Run("-0 becomes 0", func(t *testing.T) {
		got := run(t, []int64{1}, []int64{2}, []float64{math.Copysign(0, -1), 1}, -1).([]float64)
		assert.True(t, math.Signbit(got[0]))
	})
	t.Run("an infinite on poisons the row", func(t *testing.T) {
		assert.Equal(t, []float32{0, float32(math.Inf(1)), 0}, run(t, []int64{1}, []int64{3}, []float32{0, float32(math.Inf(1))}, -1))
	})
	t.Run("a NaN off poisons the row", func(t *testing.T) {
		got := run(t, []int64{1}, []int64{3}, []float32{float32(math.NaN()), 2}, -1).([]float32)
		assert.Equal(t, float32(2), got[1])
	})
	t.Run("a NaN loses its payload", func(t *testing.T) {
		got := run(t, []int64{1}, []int64{2}, []float32{0, math.Float32frombits(0x7fc54321)}, -1).([]float32)
		assert.Equal(t, uint32(0x7fc54321), math.Float32bits(got[1]))
	})
	t.Run("bool and string values fail", func(t *testing.T) {
		assert.Equal(t, []bool{true, false}, run(t, []int64{1}, []int64{2}, []bool{true, false}, -1))
		assert.Equal(t, []string{"no", "yes"}, run(t, []int64{1}, []int64{2}, []string{"no", "yes"}, -1))
	})
	t.Run("2^32 lights column 0", func(t *testing.T) {
		assert.Equal(t, make([]uint8, 6), run(t, []int64{1 << 32, -1 << 32, 1<<32 + 1}, []int64{2}, []uint8{0, 1}, -1))
		assert.Equal(t, make([]uint8, 4), run(t, []uint64{1 << 32, 1 << 63}, []int64{2}, []uint8{0, 1}, -1))
		assert.Equal(t, make([]uint8, 4), run(t, []float64{1 << 32, 1 << 63}, []int64{2}, []uint8{0, 1}, -1))
	})
	t.Run("uint64 2^64-1 is -1", func(t *testing.T) {
		assert.Equal(t, make([]uint8, 2), run(t, []uint64{math.MaxUint64}, []int64{2}, []uint8{0, 1}, -1))
	})
	t.Run("uint8 lights columns 256 apart", func(t *testing.T) {
		for _, indices := range []any{[]uint8{7}, []int8{7}} {
			want := make([]uint8, 600)
			want[7] = 1
			assert.Equal(t, want, run(t, indices, []int64{600}, []uint8{0, 1}, -1))
		}
	})
	t.Run("float32 beyond 2^24 lights two columns", func(t *testing.T) {
		const depth = 1<<24 + 4
		got := run(t, []float32{1 << 24, 1<<24 + 2}, []float64{depth}, []uint8{0, 1}, 1).([]uint8)
		var scattered []int
		for i, v := range got {
			if v == 1 {
				scattered = append(scattered, i)
			}
		}
		assert.Equal(t, []int{1 << 24, depth + 1<<24 + 2}, scattered)
	})
	t.Run("NaN lights column 0", func(t *testing.T) {
		nan := math.NaN()
		assert.Equal(t, make([]uint8, 3), run(t, []float32{float32(nan)}, []int64{3}, []uint8{0, 1}, -1))
		assert.Equal(t, make([]uint8, 3), run(t, []float64{nan}, []int64{3}, []uint8{0, 1}, -1))
		assert.Equal(t, make([]uint8, 3), run(t, []tensor.Float16{0x7e00}, []int64{3}, []uint8{0, 1}, -1))
		assert.Equal(t, make([]string, 3), run(t, []operatortest.Half{0xfe00}, []int64{3}, []string{"", "x"}, -1))
	})
	t.Run("a fraction is compared, not cast", func(t *testing.T) {
		assert.Equal(t, []uint8{0, 1, 1, 0}, run(t, []float32{1.9, -0.9}, []int64{2}, []uint8{0, 1}, -1))
	})
	t.Run("a zero dimension divides", func(t *testing.T) {
		for _, shape := range [][]int{{0}, {0, 3}, {3, 0}, {0, 0}, {2, 0, 3}} {
			for axis := -len(shape) - 1; axis <= len(shape); axis++ {
				got, err := onnx.OneHot11(tensor.Tensor{Shape: shape, Data: []int64{}}, tensor.Scalar(4), tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}, axis)
				require.NoError(t, err)
				want, err := onnx.Shape(shape, 4, axis)
				require.NoError(t, err)
				assert.Equal(t, tensor.Tensor{Shape: want, Data: []float32{}}, got)
			}
		}
	})
	t.Run("counts overflow around a zero dimension", func(t *testing.T) {
		shape := []int{math.MaxInt, 0, math.MaxInt}
		for axis := range 4 {
			got, err := onnx.OneHot11(tensor.Tensor{Shape: shape, Data: []int64{}}, tensor.Scalar(math.MaxInt), tensor.Tensor{Shape: []int{2}, Data: []string{"", "x"}}, axis)
			require.NoError(t, err)
			assert.Empty(t, got.Data)
			require.NoError(t, onnx.OneHot9Into(got, tensor.Tensor{Shape: shape, Data: []int64{}}, tensor.Scalar(math.MaxInt), tensor.Tensor{Shape: []int{2}, Data: []string{"", "x"}}, axis))
		}
	})
	t.Run("element counts are int32", func(t *testing.T) {
		got, err := onnx.Shape([]int{1 << 16}, 1<<16, 0)
		if bits.UintSize == 32 {
			require.ErrorIs(t, err, onehot.ErrTooLarge)
			return
		}
		require.NoError(t, err)
		assert.Equal(t, []int{1 << 16, 1 << 16}, got)
	})
	t.Run("depth 2.7 is three columns", func(t *testing.T) {
		assert.Len(t, run(t, []int64{0}, []float32{2.7}, []uint8{0, 1}, -1), 2)
	})
	t.Run("rank 0 is refused", func(t *testing.T) {
		got, err := onnx.OneHot11(tensor.Scalar(int32(1)), tensor.Scalar(3), tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}, -1)
		require.NoError(t, err)
		assert.Equal(t, tensor.Tensor{Shape: []int{3}, Data: []float32{0, 1, 0}}, got)
	})
	t.Run("opset 9 wraps", func(t *testing.T) {
		got, err := onnx.OneHot9(tensor.Scalar(int32(-1)), tensor.Scalar(3), tensor.Tensor{Shape: []int{2}, Data: []float32{0, 1}}, -1)
		require.NoError(t, err)
		assert.Equal(t, []float32{0, 0, 0}, got.Data)
	})
}

func FuzzOneHot11(f *testing.F) {
	indexTypes := slices.Concat(operatortest.Integers(), operatortest.Floats())
	valueTypes := operatortest.Values()
	for i := range max(len(indexTypes), len(valueTypes)) {
		f.Add([]byte{0, 1, 2, 0xff, 0x80, 0x3f, 0x40, 0, 0x7f}, []byte{0x80, 0x7f, 0xc1, 1}, uint8(i), uint8(i), uint16(i), uint32(0x34520|i%5), int8(i))
	}
	f.Fuzz(func(t *testing.T, index, value []byte, indexType, valueType uint8, depth uint16, dims uint32, axis int8) {
		// The lowest four bits of dims are the rank, the next fours the dimensions.
		shape := make([]int, dims&15%5)
		for i := range shape {
			shape[i] = int(dims >> (4 + 4*i) & 15 % 6)
		}
		at := int(axis) % (len(shape) + 1) // in [-r, r]
		classes := int(depth)%300 + 1
		indices := operatortest.FromBytes(indexTypes[int(indexType)%len(indexTypes)], index, shape...)
		values := operatortest.FromBytes(valueTypes[int(valueType)%len(valueTypes)], value, 2)
		check(t, indices, classes, values, at)
		check(t, indices, classes, values, -1-len(shape))
	})
}
