package openvino_test

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator/operatortest"
	"github.com/go-onehot/onehot/openvino"
	"github.com/go-onehot/onehot/tensor"
)

// versions are the two operators, which must do the same.
var versions = []struct {
	name   string
	oneHot func(indices, depth, on, off tensor.Tensor, axis int, mode openvino.NegativeIndicesMode) (tensor.Tensor, error)
	into   func(dst, indices, depth, on, off tensor.Tensor, axis int, mode openvino.NegativeIndicesMode) error
}{
	{"OneHot-1", openvino.OneHot1, openvino.OneHot1Into},
	{"OneHot-16", openvino.OneHot16, openvino.OneHot16Into},
}

// modes are all spellings of a mode, with their meanings.
var modes = map[openvino.NegativeIndicesMode]onehot.Negative{
	"":                onehot.Ignore,
	"ignore-negative": onehot.Ignore,
	"ignore_negative": onehot.Ignore,
	"normalize":       onehot.Normalize,
}

type example struct {
	name           string
	indices, depth tensor.Tensor
	on, off        tensor.Tensor
	axis           int
	mode           openvino.NegativeIndicesMode
	want           tensor.Tensor
}

// oneHot1Examples are from the specification of OneHot-1 (one-hot-1.rst).
var oneHot1Examples = []example{
	{
		name:    "OneHot-1, first example, axis -1",
		indices: tensor.Tensor{Shape: []int{4}, Data: []int64{0, 3, 1, 2}},
		depth:   tensor.Scalar[int64](3),
		on:      tensor.Scalar[float32](1),
		off:     tensor.Scalar[float32](2),
		axis:    -1,
		want:    tensor.Tensor{Shape: []int{4, 3}, Data: []float32{1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 1}},
	},
	{
		name:    "OneHot-1, second example, axis 1",
		indices: tensor.Tensor{Shape: []int{2, 3}, Data: []int64{0, 3, 1, 1, 2, 4}},
		depth:   tensor.Scalar[int64](3),
		on:      tensor.Scalar[float32](1),
		off:     tensor.Scalar[float32](0),
		axis:    1,
		want: tensor.Tensor{Shape: []int{2, 3, 3}, Data: []float32{
			1, 0, 0, 0, 0, 1, 0, 0, 0,
			0, 0, 0, 1, 0, 0, 0, 1, 0,
		}},
	},
}

// oneHot16Examples are from the specification of OneHot-16 (one-hot-16.rst).
var oneHot16Examples = []example{
	{
		name:    "OneHot-16, first example, axis -1, normalize",
		indices: tensor.Tensor{Shape: []int{4}, Data: []int32{0, -5, -2, 2}},
		depth:   tensor.Scalar[int32](3),
		on:      tensor.Scalar[int32](1),
		off:     tensor.Scalar[int32](2),
		axis:    -1,
		mode:    openvino.Normalize,
		want:    tensor.Tensor{Shape: []int{4, 3}, Data: []int32{1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 1}},
	},
	{
		name:    "OneHot-16, second example, axis 1",
		indices: tensor.Tensor{Shape: []int{2, 3}, Data: []int32{0, 3, 1, 1, 2, 4}},
		depth:   tensor.Scalar[int32](3),
		on:      tensor.Scalar[int32](1),
		off:     tensor.Scalar[int32](0),
		axis:    1,
		want: tensor.Tensor{Shape: []int{2, 3, 3}, Data: []int32{
			1, 0, 0, 0, 0, 1, 0, 0, 0,
			0, 0, 0, 1, 0, 0, 0, 1, 0,
		}},
	},
}

func TestExamples(t *testing.T) {
	for _, test := range slices.Concat(oneHot1Examples, oneHot16Examples) {
		t.Run(test.name, func(t *testing.T) {
			for _, v := range versions {
				got, err := v.oneHot(test.indices, test.depth, test.on, test.off, test.axis, test.mode)
				require.NoError(t, err)
				operatortest.Equal(t, test.want, got)
			}
			shape, err := openvino.Shape(test.indices.Shape, 3, test.axis)
			require.NoError(t, err)
			assert.Equal(t, test.want.Shape, shape)
		})
	}
}

func TestModes(t *testing.T) {
	indices := tensor.Tensor{Shape: []int{4}, Data: []int8{-1, -3, -4, 0}}
	on, off, depth := tensor.Scalar(uint8(1)), tensor.Scalar(uint8(0)), tensor.Scalar(3)
	want := map[onehot.Negative][]uint8{
		onehot.Ignore:    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0},
		onehot.Normalize: {0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0},
	}
	assert.Equal(t, openvino.NegativeIndicesMode("ignore-negative"), openvino.IgnoreNegative)
	assert.Equal(t, openvino.NegativeIndicesMode("normalize"), openvino.Normalize)
	for mode, negative := range modes {
		for _, v := range versions {
			got, err := v.oneHot(indices, depth, on, off, -1, mode)
			require.NoError(t, err)
			assert.Equal(t, want[negative], got.Data, "%s with %q", v.name, mode)
		}
	}
	for _, mode := range []openvino.NegativeIndicesMode{"ignore", "Normalize", "NORMALIZE", "normalise", " normalize", "wrap", "ignore-negative ", "\x00"} {
		for _, v := range versions {
			dst := tensor.Tensor{Shape: []int{4, 3}, Data: slices.Repeat([]uint8{7}, 12)}
			_, err := v.oneHot(indices, depth, on, off, -1, mode)
			require.ErrorIs(t, err, openvino.ErrMode)
			assert.ErrorContains(t, err, fmt.Sprintf("%q", mode))
			require.ErrorIs(t, v.into(dst, indices, depth, on, off, -1, mode), openvino.ErrMode)
			require.Equal(t, slices.Repeat([]uint8{7}, 12), dst.Data)
		}
	}
}

// check compares both versions, both forms and all modes with the definition.
func check(t *testing.T, indices tensor.Tensor, depth int, values any, axis int) {
	t.Helper()
	v := reflect.ValueOf(values)
	off := tensor.Tensor{Data: v.Slice(0, 1).Interface()}
	on := tensor.Tensor{Shape: []int{}, Data: v.Slice(1, 2).Interface()}
	for mode, negative := range modes {
		want := operatortest.OneHot(indices, depth, v.Index(1), v.Index(0), axis, negative)
		for _, version := range versions {
			got, err := version.oneHot(indices, tensor.Scalar(depth), on, off, axis, mode)
			require.NoError(t, err)
			operatortest.Equal(t, want, got)
			reflect.Copy(reflect.ValueOf(got.Data), reflect.ValueOf(operatortest.Tensor(values, want.Shape...).Data))
			require.NoError(t, version.into(got, indices, tensor.Scalar(uint16(depth)), on, off, axis, mode))
			operatortest.Equal(t, want, got)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, index := range operatortest.Integers() {
		for _, value := range operatortest.Values() {
			t.Run(fmt.Sprintf("%T,%T", index, value), func(t *testing.T) {
				n := reflect.ValueOf(index).Len()
				check(t, operatortest.Tensor(index, n), 5, value, -1)
				check(t, operatortest.Tensor(index, 2, n, 3), 5, value, 1)
				check(t, operatortest.Tensor(index, 3, 2), 300, value, 1)
				check(t, operatortest.Tensor(index), 1, value, 0)
			})
		}
	}
}

func TestFloatsAreRefused(t *testing.T) {
	on, off := tensor.Scalar(uint8(1)), tensor.Scalar(uint8(0))
	for _, floats := range operatortest.Floats() {
		one := operatortest.Tensor(floats)
		for _, v := range versions {
			_, err := v.oneHot(one, tensor.Scalar(3), on, off, 0, "")
			require.ErrorIs(t, err, tensor.ErrType, "indices of %T", floats)
			_, err = v.oneHot(tensor.Scalar(1), one, on, off, 0, "")
			require.ErrorIs(t, err, tensor.ErrType, "depth of %T", floats)
		}
	}
}

func TestAxes(t *testing.T) {
	for _, shape := range [][]int{
		{}, nil,
		{1}, {13}, {0},
		{2, 7}, {1, 1}, {0, 3}, {3, 0},
		{2, 3, 4}, {5, 1, 2}, {2, 0, 4},
		{2, 3, 4, 5}, {1, 2, 1, 3}, {2, 3, 0, 0},
	} {
		for axis := -len(shape) - 1; axis <= len(shape); axis++ {
			t.Run(fmt.Sprintf("%v,%d", shape, axis), func(t *testing.T) {
				indices := operatortest.Tensor([]int32{0, 3, -4, 2, 4, -1, -5, 1}, shape...)
				check(t, indices, 4, []float32{-1, 1}, axis)
				check(t, indices, 1, []string{"off", "on"}, axis)
				inferred, err := openvino.Shape(shape, 4, axis)
				require.NoError(t, err)
				assert.Equal(t, operatortest.OneHot(indices, 4, reflect.ValueOf(1), reflect.ValueOf(0), axis, onehot.Ignore).Shape, inferred)
			})
		}
	}
}

// wrongCall is a call that is an error for one reason.
type wrongCall struct {
	name           string
	indices, depth tensor.Tensor
	on, off        tensor.Tensor
	axis           int
	err            error
}

func wrong() []wrongCall {
	type named float32
	good := wrongCall{
		indices: tensor.Tensor{Shape: []int{2, 3}, Data: []int32{0, 1, 2, 0, 1, 2}},
		depth:   tensor.Scalar(int64(4)), on: tensor.Scalar[float32](1), off: tensor.Scalar[float32](0), axis: -1,
	}
	var all []wrongCall
	add := func(err error, change func(*wrongCall), name string, args ...any) {
		w := good
		w.name, w.err = fmt.Sprintf(name, args...), err
		change(&w)
		all = append(all, w)
	}
	for _, data := range []any{
		[]bool{true}, []string{"1"}, []complex64{1}, []float32{1}, []uintptr{1}, []any{1}, []struct{}{{}}, []*int{nil},
		[]error(nil), nil, 1, "text", [1]int{1}, &[]int{1}, map[int]int{0: 1}, (*int)(nil), (func())(nil), make(chan int),
	} {
		add(tensor.ErrType, func(w *wrongCall) { w.indices = tensor.Tensor{Shape: []int{1}, Data: data} }, "indices %T", data)
		add(tensor.ErrType, func(w *wrongCall) { w.depth = tensor.Tensor{Data: data} }, "depth %T", data)
	}
	for _, data := range []any{[]uintptr{1}, []any{1}, nil, 1, [1]float32{1}, (*int)(nil), []int32{1}, []float64{1}, []named{1}, []tensor.Float16{1}} {
		add(tensor.ErrType, func(w *wrongCall) { w.on = tensor.Tensor{Data: data} }, "on %T", data)
		add(tensor.ErrType, func(w *wrongCall) { w.off = tensor.Tensor{Data: data} }, "off %T", data)
	}
	for _, shape := range [][]int{
		nil, {2}, {7}, {3, 3}, {6, 0}, {-2, -3}, {-6, -1}, {-1, 0}, {math.MaxInt, math.MaxInt}, {math.MinInt, 2}, {math.MaxInt, 2, 0, 3},
	} {
		add(tensor.ErrShape, func(w *wrongCall) { w.indices.Shape = shape }, "indices of shape %v", shape)
	}
	for _, scalar := range []tensor.Tensor{
		{Shape: []int{1}, Data: []float32{1}}, {Shape: []int{1, 1}, Data: []float32{1}}, {Data: []float32{1, 2}}, {Data: []float32(nil)},
		{Shape: []int{0}, Data: []float32{}}, {Shape: []int{-1}, Data: []float32{1}},
	} {
		add(tensor.ErrShape, func(w *wrongCall) { w.on = scalar }, "on of shape %v and %v", scalar.Shape, scalar.Data)
		add(tensor.ErrShape, func(w *wrongCall) { w.off = scalar }, "off of shape %v and %v", scalar.Shape, scalar.Data)
		data := make([]int64, len(scalar.Data.([]float32)))
		for i := range data {
			data[i] = 4
		}
		add(tensor.ErrShape, func(w *wrongCall) { w.depth = tensor.Tensor{Shape: scalar.Shape, Data: data} }, "depth of shape %v and %v", scalar.Shape, data)
	}
	for _, data := range []any{
		[]int8{0}, []int64{-4}, []int64{math.MinInt64}, []uint8{0}, []uint64{0}, []uint64{1 << 63}, []uint64{math.MaxUint64},
	} {
		add(onehot.ErrDepth, func(w *wrongCall) { w.depth.Data = data }, "depth %T%v", data, data)
	}
	for _, depth := range []int64{math.MaxInt64, math.MaxInt, 1 << 62, math.MaxInt / 6} {
		add(onehot.ErrTooLarge, func(w *wrongCall) { w.depth = tensor.Scalar(depth) }, "depth %d", depth)
	}
	for _, axis := range []int{-4, 3, math.MinInt, math.MaxInt} {
		add(tensor.ErrAxis, func(w *wrongCall) { w.axis = axis }, "axis %d", axis)
	}
	return all
}

func TestErrors(t *testing.T) {
	for _, w := range wrong() {
		t.Run(w.name, func(t *testing.T) {
			for _, v := range versions {
				got, err := v.oneHot(w.indices, w.depth, w.on, w.off, w.axis, "")
				require.ErrorIs(t, err, w.err)
				assert.True(t, strings.HasPrefix(err.Error(), "openvino: "+v.name+": "), err)
				require.Zero(t, got)

				dst := tensor.Tensor{Shape: []int{2, 3, 4}, Data: slices.Repeat([]float32{7}, 24)}
				err = v.into(dst, w.indices, w.depth, w.on, w.off, w.axis, "")
				if w.err != onehot.ErrTooLarge { // there a wrong dst may be reported instead
					require.ErrorIs(t, err, w.err)
				}
				require.Error(t, err)
				require.Equal(t, slices.Repeat([]float32{7}, 24), dst.Data)
			}
		})
	}
}

func TestIntoWrongDst(t *testing.T) {
	indices := tensor.Tensor{Shape: []int{3}, Data: []int32{0, 1, 2}}
	depth, on, off := tensor.Scalar(4), tensor.Scalar[float32](1), tensor.Scalar[float32](0)
	for _, test := range []struct {
		dst tensor.Tensor
		err error
	}{
		{tensor.Tensor{Shape: []int{3, 4}, Data: make([]float64, 12)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{3, 4}, Data: make([]uint32, 12)}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{3, 4}}, tensor.ErrType},
		{tensor.Tensor{Shape: []int{3, 4}, Data: make([]float32, 11)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{4, 3}, Data: make([]float32, 12)}, tensor.ErrShape},
		{tensor.Tensor{Shape: []int{12}, Data: make([]float32, 12)}, tensor.ErrShape},
	} {
		for _, v := range versions {
			require.ErrorIs(t, v.into(test.dst, indices, depth, on, off, -1, ""), test.err, "%T of %v", test.dst.Data, test.dst.Shape)
		}
	}
}

func TestIntoOverlap(t *testing.T) {
	memory := make([]uint16, 16)
	dst := tensor.Tensor{Shape: []int{2, 3}, Data: memory[4:10]}
	at := func(i int) tensor.Tensor { return tensor.Tensor{Data: memory[i : i+1]} }
	indices := tensor.Tensor{Shape: []int{2}, Data: []int32{2, 0}}
	one, zero, depth := tensor.Scalar[uint16](1), tensor.Scalar[uint16](0), tensor.Scalar(3)
	for _, v := range versions {
		clear(memory)
		memory[9] = 3
		before := slices.Clone(memory)
		require.ErrorIs(t, v.into(dst, indices, at(9), one, zero, -1, ""), onehot.ErrOverlap)
		require.ErrorIs(t, v.into(dst, tensor.Tensor{Shape: []int{2}, Data: memory[9:11]}, depth, one, zero, -1, ""), onehot.ErrOverlap)
		require.Equal(t, before, memory, "an error has written nothing")

		// touching is fine
		memory[3], memory[10], memory[11] = 3, 0, 1
		require.NoError(t, v.into(dst, tensor.Tensor{Shape: []int{2}, Data: memory[10:12]}, at(3), one, zero, -1, ""))
		require.Equal(t, []uint16{0, 0, 0, 3, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0}, memory)

		// on and off are read before dst is written
		memory[4], memory[9] = 5, 6
		require.NoError(t, v.into(dst, indices, depth, at(4), at(9), -1, ""))
		require.Equal(t, []uint16{6, 6, 5, 5, 6, 6}, dst.Data)
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
		{nil, 3, -1, []int{3}, nil},
		{[]int{4, 5}, 3, 1, []int{4, 3, 5}, nil},
		{[]int{4, 5}, 3, -1, []int{4, 5, 3}, nil},
		{[]int{math.MaxInt, 0, math.MaxInt}, 3, 0, []int{3, math.MaxInt, 0, math.MaxInt}, nil},
		{[]int{4}, 0, 0, nil, onehot.ErrDepth},
		{[]int{4}, 3, 2, nil, tensor.ErrAxis},
		{[]int{4}, 3, -3, nil, tensor.ErrAxis},
		{[]int{-4}, 3, 0, nil, tensor.ErrShape},
		{[]int{half}, half, 0, nil, onehot.ErrTooLarge},
	} {
		got, err := openvino.Shape(test.indices, test.depth, test.axis)
		require.ErrorIs(t, err, test.err, "%v, %d, %d", test.indices, test.depth, test.axis)
		assert.Equal(t, test.want, got, "%v, %d, %d", test.indices, test.depth, test.axis)
		if err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), "openvino: Shape: "), err)
		}
	}
}

// Mistakes seen in other implementations of OneHot.
func TestMistakesOfOthers(t *testing.T) {
	run := func(t *testing.T, indices any, depth int, on, off tensor.Tensor) any {
		t.Helper()
		n := reflect.ValueOf(indices).Len()
		got, err := openvino.OneHot16(tensor.Tensor{Shape: []int{n}, Data: indices}, tensor.Scalar(depth), on, off, -1, openvino.Normalize)
		require.NoError(t, err)
		return got.Data
	}
	one, zero := tensor.Scalar(uint8(1)), tensor.Scalar(uint8(0))
	t.Run("2^32 lights column 0", func(t *testing.T) {
		assert.Equal(t, make([]uint8, 6), run(t, []int64{1 << 32, -1 << 32, 1<<32 + 1}, 2, one, zero))
	})
	t.Run("uint64 2^64-1 is -1", func(t *testing.T) {
		assert.Equal(t, make([]uint8, 2), run(t, []uint64{math.MaxUint64}, 2, one, zero))
	})
	t.Run("uint8 lights columns 256 apart", func(t *testing.T) {
		want := make([]uint8, 600)
		want[7] = 1
		assert.Equal(t, want, run(t, []uint8{7}, 600, one, zero))
	})
	t.Run("on is lost in off+(on-off)", func(t *testing.T) {
		assert.Equal(t, []float32{1e8, 1}, run(t, []int32{1}, 2, tensor.Scalar[float32](1), tensor.Scalar[float32](1e8)))
	})
	t.Run("values of 4, 2 or 1 bytes only", func(t *testing.T) {
		assert.Equal(t, []float64{0, 1}, run(t, []int32{1}, 2, tensor.Scalar(1.0), tensor.Scalar(0.0)))
		assert.Equal(t, []string{"", "x"}, run(t, []int32{1}, 2, tensor.Scalar("x"), tensor.Scalar("")))
		assert.Equal(t, []complex128{0, 1i}, run(t, []int32{1}, 2, tensor.Scalar(1i), tensor.Scalar(0i)))
	})
	t.Run("a zero dimension divides", func(t *testing.T) {
		for _, shape := range [][]int{{0}, {0, 3}, {3, 0}, {math.MaxInt, 0, math.MaxInt}} {
			for axis := -len(shape) - 1; axis <= len(shape); axis++ {
				got, err := openvino.OneHot1(tensor.Tensor{Shape: shape, Data: []int32{}}, tensor.Scalar(4), one, zero, axis, "")
				require.NoError(t, err)
				want, err := openvino.Shape(shape, 4, axis)
				require.NoError(t, err)
				assert.Equal(t, tensor.Tensor{Shape: want, Data: []uint8{}}, got)
			}
		}
	})
	t.Run("depth 0 is an error", func(t *testing.T) {
		_, err := openvino.OneHot1(tensor.Scalar(0), tensor.Scalar(0), one, zero, 0, "")
		require.ErrorIs(t, err, onehot.ErrDepth)
	})
}

func FuzzOpenVINO(f *testing.F) {
	indexTypes := operatortest.Integers()
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
		indices := operatortest.FromBytes(indexTypes[int(indexType)%len(indexTypes)], index, shape...)
		values := operatortest.FromBytes(valueTypes[int(valueType)%len(valueTypes)], value, 2)
		check(t, indices, int(depth)%300+1, values.Data, at)
	})
}
