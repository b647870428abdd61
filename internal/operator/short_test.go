package operator

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/operator/operatortest"
	"github.com/go-onehot/onehot/tensor"
)

// operators are the operators of onnx and openvino.
var operators = []Operator{
	{Name: "onnx: OneHot-9", Negative: onehot.Ignore},
	{Name: "onnx: OneHot-11", Negative: onehot.Normalize},
	{Name: "openvino", Negative: onehot.Ignore, Integers: true, ScalarDepth: true},
	{Name: "openvino", Negative: onehot.Normalize, Integers: true, ScalarDepth: true},
}

// A request holds the arguments of a call.
type request struct {
	dst, indices, depth, values tensor.Tensor
	axis                        int
}

// general encodes by the general route alone.
func (r *request) general(o Operator) error {
	v, err := o.Pair(r.values)
	if err != nil {
		return err
	}
	return o.OneHotInto(r.dst, r.indices, r.depth, v, r.axis)
}

// scalars returns the two values as tensors of rank 0.
func (r *request) scalars() (on, off tensor.Tensor) {
	v := reflect.ValueOf(r.values.Data)
	return tensor.Tensor{Data: v.Slice(1, 2).Interface()}, tensor.Tensor{Data: v.Slice(0, 1).Interface()}
}

// dirty fills dst with values that neither route leaves as they are.
func (r *request) dirty() {
	dst, v := reflect.ValueOf(r.dst.Data), reflect.ValueOf(r.values.Data)
	for i := range dst.Len() {
		dst.Index(i).Set(v.Index(i % 2))
	}
}

// clone returns a copy of a slice.
func clone(data any) any {
	v := reflect.ValueOf(data)
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v).Interface()
}

// agree checks that the short route accepts the request if want is set and
// writes what the general route writes, and that otherwise it writes nothing.
func agree(t *testing.T, o Operator, r request, want bool) {
	t.Helper()
	expected := r
	expected.dst.Data = clone(r.dst.Data)
	expected.dirty()
	if want {
		require.NoError(t, expected.general(o))
	}
	r.dirty()
	require.Equal(t, want, o.ShortPair(&r.dst, &r.indices, &r.depth, &r.values, r.axis))
	operatortest.Equal(t, expected.dst, r.dst)

	on, off := r.scalars()
	r.dirty()
	require.Equal(t, want, o.ShortScalars(&r.dst, &r.indices, &r.depth, &on, &off, r.axis))
	operatortest.Equal(t, expected.dst, r.dst)

	a, b, pair := Pair32(&r.values)
	c, d, scalars := Scalars32(&on, &off)
	if require.Equal(t, pair, scalars); pair {
		require.Equal(t, math.Float32bits(a), math.Float32bits(c))
		require.Equal(t, math.Float32bits(b), math.Float32bits(d))
		r.dirty()
		require.Equal(t, want && r.most(), o.Short32(&r.dst, &r.indices, &r.depth, a, b, r.axis))
		if !r.most() {
			expected.dirty()
		}
		operatortest.Equal(t, expected.dst, r.dst)
	}
}

// most reports whether the request has the types and the axis of most calls.
func (r *request) most() bool {
	_, out := r.dst.Data.([]float32)
	_, in := r.indices.Data.([]int64)
	_, depth := r.depth.Data.([]int64)
	return out && in && depth && (r.axis == -1 || r.axis == len(r.indices.Shape))
}

// The short route and reflection agree on every type.
func TestKinds(t *testing.T) {
	seen := map[reflect.Kind]bool{}
	for _, sample := range slices.Concat(operatortest.Integers(), operatortest.Floats(), operatortest.Values()) {
		k, v := knownOf(sample), sliceView(reflect.ValueOf(sample))
		assert.EqualValues(t, v.elem.Size(), kinds[v.kind].width, "%T", sample)
		if k.kind == 0 {
			assert.Zero(t, k)
			continue
		}
		seen[k.kind] = true
		assert.Equal(t, v.known, k, "%T", sample)
	}
	assert.Len(t, seen, 17)
	for _, data := range []any{nil, 1, []any{1}, []uintptr{1}, []string{"a"}, [2]int{}, []operatortest.Half{1}, []operatortest.Celsius{1}} {
		assert.Zero(t, knownOf(data), "%T", data)
	}
}

func TestShortTypes(t *testing.T) {
	for _, index := range slices.Concat(operatortest.Integers(), operatortest.Floats()) {
		for _, value := range operatortest.Values() {
			for _, o := range operators {
				in, v := knownOf(index), knownOf(value)
				r := request{
					dst: operatortest.Tensor(value, 2, 5, 9), indices: operatortest.Tensor(index, 2, 9), depth: tensor.Scalar(5),
					values: tensor.Tensor{Shape: []int{2}, Data: value}, axis: 1,
				}
				agree(t, o, r, in.kind != 0 && v.kind != 0 && (in.isInteger() || !o.Integers))
			}
		}
	}
}

func TestShortAxes(t *testing.T) {
	for _, shape := range [][]int{{}, nil, {1}, {8}, {2, 7}, {1, 1}, {2, 3, 4}, {5, 1, 2}, {2, 3, 4, 5}, {40, 50}, {0}, {2, 0}} {
		for axis := -len(shape) - 3; axis <= len(shape)+2; axis++ {
			for _, o := range operators {
				inRange := -len(shape)-1 <= axis && axis <= len(shape)
				at := min(max((axis+len(shape)+1)%(len(shape)+1), 0), len(shape))
				out := slices.Insert(slices.Clone(shape), at, 6)
				agree(t, o, request{
					dst: operatortest.Tensor([]float32{0}, out...), indices: operatortest.Tensor([]int64{0, 3, -6, 5, 6, -1, -7}, shape...),
					depth: tensor.Scalar(int64(6)), values: operatortest.Tensor([]float32{-1, 1}, 2), axis: axis,
				}, inRange && !slices.Contains(shape, 0))
			}
		}
	}
}

// The short route reads the same depth as the general route.
func TestShortDepth(t *testing.T) {
	for _, data := range []any{
		[]int8{3}, []int16{3}, []int32{3}, []int64{3}, []int{3}, []uint8{200}, []uint16{3}, []uint32{3}, []uint64{3}, []uint{3},
		[]float32{2.7}, []float64{1.9999999999999998}, []float32{1}, []float64{1 << 40}, []int64{math.MaxInt64},
		[]int8{0}, []int64{-3}, []int64{math.MinInt64}, []uint64{0}, []uint64{1 << 63}, []uint64{math.MaxUint64}, []uint64{1<<63 + 3},
		[]float32{0.99}, []float32{-2}, []float64{math.NaN()}, []float64{math.Inf(1)}, []float64{math.Inf(-1)}, []float64{1 << 63}, []float64{-1 << 63},
	} {
		o := Operator{Name: "test"}
		v, err := o.numbers("depth", tensor.Tensor{Data: data})
		require.NoError(t, err)
		want, err := o.classes(nil, v)
		got := knownOf(data).classes()
		assert.Equal(t, want, got, "%T%v", data, data)
		assert.Equal(t, err != nil, got == 0, "%T%v: %v", data, data, err)
	}
	for _, data := range []any{[]tensor.Float16{0x4200}, []tensor.BFloat16{0x4040}, []bool{true}, []complex64{3}} {
		assert.Zero(t, knownOf(data).classes(), "%T", data)
	}
}

// The short route leaves wrong calls to the general route.
func TestShortRefusesWhatIsWrong(t *testing.T) {
	for name, change := range map[string]func(*request){
		"a dimension of indices":          func(r *request) { r.indices.Shape = []int{3, 2} },
		"a dimension below zero":          func(r *request) { r.indices.Shape, r.dst.Shape = []int{-2, -3}, []int{-2, -3, 4} },
		"dimensions that overflow":        func(r *request) { overflow(r, 1<<(bits.UintSize/2), 1<<(bits.UintSize/2)) },
		"dimensions that wrap to indices": func(r *request) { overflow(r, 22, math.MaxUint/22+1) },
		"an overflow around the axis": func(r *request) {
			overflow(r, 22, math.MaxUint/22+1)
			r.dst.Shape[1], r.dst.Shape[2], r.axis = 4, r.dst.Shape[1], 1
		},
		"a rank of indices":               func(r *request) { r.indices.Shape = []int{6} },
		"a short Data of indices":         func(r *request) { r.indices.Data = make([]int64, 5) },
		"a long Data of indices":          func(r *request) { r.indices.Data = make([]int64, 7) },
		"a type of indices":               func(r *request) { r.indices.Data = make([]bool, 6) },
		"complex indices":                 func(r *request) { r.indices.Data = make([]complex128, 6) },
		"no indices":                      func(r *request) { r.indices.Data = nil },
		"a dimension of dst":              func(r *request) { r.dst.Shape = []int{2, 4, 3} },
		"a rank of dst":                   func(r *request) { r.dst.Shape = []int{24} },
		"a trailing 1":                    func(r *request) { r.dst.Shape = []int{2, 3, 4, 1} },
		"a 1 behind a positive axis":      func(r *request) { r.dst.Shape, r.axis = []int{2, 3, 4, 1}, 2 },
		"a rank too few":                  func(r *request) { r.dst.Shape, r.axis = []int{4}, 0 },
		"the classes of dst":              func(r *request) { r.dst.Shape = []int{2, 3, 5} },
		"a short Data of dst":             func(r *request) { r.dst.Data = make([]float32, 23) },
		"a long Data of dst":              func(r *request) { r.dst.Data = make([]float32, 25) },
		"a type of dst of the same width": func(r *request) { r.values.Data = []int32{0, 1}; r.dst.Data = make([]uint32, 24) },
		"a depth of 0":                    func(r *request) { r.depth = tensor.Scalar(0) },
		"a depth of 0 and an empty dst":   func(r *request) { r.depth, r.dst = tensor.Scalar(0), operatortest.Tensor([]float32{0}, 2, 3, 0) },
		"a depth below 0":                 func(r *request) { r.depth = tensor.Scalar(-4) },
		"another depth":                   func(r *request) { r.depth = tensor.Scalar(5) },
		"a rank of depth":                 func(r *request) { r.depth.Shape = []int{1, 1} },
		"an empty depth":                  func(r *request) { r.depth.Data = []int64{} },
		"two depths":                      func(r *request) { r.depth = operatortest.Tensor([]int64{4}, 2) },
		"two depths of rank 0":            func(r *request) { r.depth.Data = []int64{4, 4} },
		"a depth for two":                 func(r *request) { r.depth.Shape = []int{2} },
		"a depth for none":                func(r *request) { r.depth.Shape = []int{0} },
		"a bool of depth":                 func(r *request) { r.depth = tensor.Scalar(true) },
		"an axis below":                   func(r *request) { r.axis = -4 },
		"an axis beyond":                  func(r *request) { r.axis = 3 },
		"the least axis":                  func(r *request) { r.axis = math.MinInt },
		"the largest axis":                func(r *request) { r.axis = math.MaxInt },
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range operators {
				r := request{
					dst: operatortest.Tensor([]float32{0}, 2, 3, 4), indices: operatortest.Tensor([]int64{0, 1, 2}, 2, 3),
					depth: tensor.Scalar(int64(4)), values: operatortest.Tensor([]float32{-1, 1}, 2), axis: -1,
				}
				agree(t, o, r, true)
				change(&r)
				if reflect.TypeOf(r.dst.Data) == reflect.TypeOf(r.values.Data) {
					agree(t, o, r, false)
				}
				require.Error(t, r.general(o))
				require.False(t, o.ShortPair(&r.dst, &r.indices, &r.depth, &r.values, r.axis))
			}
		})
	}
}

// overflow sets the first two dimensions of indices and dst. In 64 bits
// 22*(MaxUint/22+1) wraps to 6, the number of indices.
func overflow(r *request, a, b int) {
	r.indices.Shape, r.dst.Shape = []int{a, b}, []int{a, b, 4}
}

// The operators accept different depths.
func TestShortDepthOfOperator(t *testing.T) {
	for _, o := range operators {
		r := request{
			dst: operatortest.Tensor([]float32{0}, 3, 4), indices: operatortest.Tensor([]int64{0, 1, 2}, 3),
			depth: tensor.Tensor{Shape: []int{1}, Data: []int64{4}}, values: operatortest.Tensor([]float32{-1, 1}, 2), axis: -1,
		}
		agree(t, o, r, !o.ScalarDepth)
		r.depth = tensor.Scalar(4.5)
		agree(t, o, r, !o.Integers)
	}
}

func TestShortRefusesWrongValues(t *testing.T) {
	o := operators[1]
	dst, indices, depth := operatortest.Tensor([]float32{7}, 3, 4), operatortest.Tensor([]int32{0, 1, 2}, 3), tensor.Scalar(4)
	for _, v := range []tensor.Tensor{
		{}, {Data: []float32{1}}, {Shape: []int{1}, Data: []float32{1}}, {Shape: []int{2}, Data: []float32{1}}, {Shape: []int{1}, Data: []float32{0, 1}},
		{Shape: []int{2}, Data: []float32{0, 1, 2}}, {Shape: []int{1, 2}, Data: []float32{0, 1}}, {Data: []float32{0, 1}}, {Shape: []int{2}, Data: []float64{0, 1}},
	} {
		assert.False(t, o.ShortPair(&dst, &indices, &depth, &v, -1), fmt.Sprint(v))
	}
	good := tensor.Scalar[float32](1)
	for _, v := range []tensor.Tensor{
		{}, {Shape: []int{1}, Data: []float32{1}}, {Data: []float32{0, 1}}, {Data: []float32{}}, {Data: []float64{1}}, {Data: []int32{1}}, {Data: []string{""}},
	} {
		assert.False(t, o.ShortScalars(&dst, &indices, &depth, &good, &v, -1), fmt.Sprint(v))
		assert.False(t, o.ShortScalars(&dst, &indices, &depth, &v, &good, -1), fmt.Sprint(v))
		assert.False(t, o.ShortScalars(&dst, &indices, &depth, &v, &v, -1), fmt.Sprint(v))
	}
	assert.Equal(t, slices.Repeat([]float32{7}, 12), dst.Data)
}

// dst may touch indices and depth, but may share memory only with values.
func TestShortOverlap(t *testing.T) {
	memory := make([]int64, 64)
	dst := tensor.Tensor{Shape: []int{3, 4}, Data: memory[20:32]}
	apart, four := operatortest.Tensor([]int64{0, 1, 2}, 3), tensor.Scalar(int64(4))
	values := tensor.Tensor{Shape: []int{2}, Data: memory[20:22]} // may share memory with dst
	for _, o := range operators {
		for from := 10; from <= 40; from++ {
			clear(memory)
			indices := tensor.Tensor{Shape: []int{3}, Data: memory[from : from+3]}
			require.Equal(t, from <= 17 || from >= 32, o.ShortPair(&dst, &indices, &four, &values, -1), "indices at %d", from)

			clear(memory)
			memory[from] = 4
			depth := tensor.Tensor{Data: memory[from : from+1]}
			before := slices.Clone(memory)
			accepted := o.ShortPair(&dst, &apart, &depth, &values, -1)
			require.Equal(t, from < 20 || from >= 32, accepted, "depth at %d", from)
			if !accepted {
				require.Equal(t, before, memory)
			}
		}
		clear(memory)
		memory[20], memory[21] = -7, 9
		require.True(t, o.ShortPair(&dst, &apart, &four, &values, -1))
		require.Equal(t, []int64{9, -7, -7, -7, -7, 9, -7, -7, -7, -7, 9, -7}, dst.Data)
	}
}

// Short32 leaves it to the general route to report an overlap of dst.
func TestShort32Overlap(t *testing.T) {
	memory := make([]int64, 16)
	dst := tensor.Tensor{Shape: []int{2, 4}, Data: unsafe.Slice((*float32)(unsafe.Pointer(&memory[6])), 8)}
	apart, four := operatortest.Tensor([]int64{0, 1}, 2), tensor.Scalar(int64(4))
	for _, o := range operators {
		for from := range len(memory) - 1 {
			clear(memory)
			memory[from] = 4
			before := slices.Clone(memory)
			indices := tensor.Tensor{Shape: []int{2}, Data: memory[from : from+2]}
			depth := tensor.Tensor{Data: memory[from : from+1]}
			if !o.Short32(&dst, &indices, &four, 1, 0, -1) {
				require.Equal(t, before, memory)
				require.True(t, 4 < from && from < 10, "indices at %d", from)
			} else {
				require.True(t, from <= 4 || from >= 10, "indices at %d", from)
			}
			copy(memory, before)
			if !o.Short32(&dst, &apart, &depth, 1, 0, -1) {
				require.Equal(t, before, memory)
				require.True(t, 6 <= from && from < 10, "depth at %d", from)
			} else {
				require.True(t, from < 6 || from >= 10, "depth at %d", from)
			}
		}
	}
}
