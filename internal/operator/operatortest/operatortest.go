// Package operatortest is what the tests of the operators share: the definition
// of the operator, written one output element at a time, and samples of every
// type.
package operatortest

import (
	"math"
	"math/bits"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/tensor"
)

// Types of other packages, as tests need them.
type (
	Half        uint16  // of binary16, with a method
	PointerHalf uint16  // the same, the method has a pointer receiver
	Float8      uint8   // E5M2: the upper half of a binary16
	Label       uint16  // an integer: no method
	Celsius     float32 // a named float
	Word        string  // a named string
)

// Float32 is the value of h.
func (h Half) Float32() float32 { return tensor.Float16(h).Float32() }

// Float32 is the value of h.
func (h *PointerHalf) Float32() float32 { return tensor.Float16(*h).Float32() }

// Float32 is the value of f.
func (f Float8) Float32() float32 { return tensor.Float16(uint16(f) << 8).Float32() }

// OneHot is the definition: it asks of every element of the output whether the
// index along the new axis is the class of the element of indices that its
// other coordinates name. axis is in [-r-1, r].
func OneHot(indices tensor.Tensor, depth int, on, off reflect.Value, axis int, negative onehot.Negative) tensor.Tensor {
	rank := len(indices.Shape)
	if axis < 0 {
		axis += rank + 1
	}
	shape := append([]int{}, indices.Shape[:axis]...)
	shape = append(append(shape, depth), indices.Shape[axis:]...)
	n := 1
	for _, d := range shape {
		n *= d
	}
	in := reflect.ValueOf(indices.Data)
	classes := make([]int, in.Len())
	for i := range classes {
		classes[i] = class(in.Index(i), depth, negative)
	}
	out := reflect.MakeSlice(reflect.SliceOf(on.Type()), n, n)
	at := make([]int, rank+1)
	for i := range n {
		for rest, d := i, rank; d >= 0; d-- {
			at[d], rest = rest%shape[d], rest/shape[d]
		}
		from := 0
		for d := range at {
			if d != axis {
				from = from*shape[d] + at[d]
			}
		}
		if classes[from] == at[axis] {
			out.Index(i).Set(on)
		} else {
			out.Index(i).Set(off)
		}
	}
	return tensor.Tensor{Shape: shape, Data: out.Interface()}
}

// class is that of an index, or -1 if it has none.
func class(v reflect.Value, depth int, negative onehot.Negative) int {
	x := v.Interface()
	if half, ok := v.Addr().Interface().(interface{ Float32() float32 }); ok {
		x = half.Float32()
	}
	class, _ := oracle.Class(x, depth, negative == onehot.Normalize)
	return class
}

// Equal fails t unless got is want, in its shape, its element type, and every
// bit of its elements.
func Equal(t testing.TB, want, got tensor.Tensor) {
	t.Helper()
	require.Equal(t, want.Shape, got.Shape)
	require.IsType(t, want.Data, got.Data)
	if reflect.TypeOf(want.Data).Elem().Kind() == reflect.String {
		require.Equal(t, want.Data, got.Data)
		return
	}
	// As bytes, for the sake of NaN and -0. As values only to be readable.
	if string(Bytes(want.Data)) != string(Bytes(got.Data)) {
		require.Equal(t, want.Data, got.Data)
		require.Equal(t, Bytes(want.Data), Bytes(got.Data))
	}
}

// Bytes is the memory of a slice whose elements hold no pointers.
func Bytes(slice any) []byte {
	v := reflect.ValueOf(slice)
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

// Tensor is a tensor of shape whose elements are those of sample, over and
// over.
func Tensor(sample any, shape ...int) tensor.Tensor {
	n := 1
	for _, d := range shape {
		n *= d
	}
	from := reflect.ValueOf(sample)
	data := reflect.MakeSlice(from.Type(), n, n)
	for i := range n {
		data.Index(i).Set(from.Index(i % from.Len()))
	}
	return tensor.Tensor{Shape: shape, Data: data.Interface()}
}

// FromBytes is a tensor of shape and of sample's type whose memory is data,
// over and over. Bools and strings, which not any bytes are, are picked from
// sample.
func FromBytes(sample any, data []byte, shape ...int) tensor.Tensor {
	t := Tensor(sample, shape...)
	if len(data) == 0 {
		return t
	}
	to, from := reflect.ValueOf(t.Data), reflect.ValueOf(sample)
	switch to.Type().Elem().Kind() {
	case reflect.Bool, reflect.String:
		for i := range to.Len() {
			to.Index(i).Set(from.Index(int(data[i%len(data)]) % from.Len()))
		}
	default:
		memory := Bytes(t.Data)
		for i := range memory {
			memory[i] = data[i%len(data)]
		}
	}
	return t
}

// Integers are indices of every integer type: inside a depth of 5 on both
// sides of zero, just beyond it, and such as become another class if a bit gets
// lost.
func Integers() []any {
	return []any{
		[]int8{0, 4, -1, -5, -6, 5, 3, math.MinInt8, math.MaxInt8, 1, 2},
		[]int16{0, 4, -1, -5, -6, 5, 1 << 8, math.MinInt16, math.MaxInt16, 1, -1<<8 + 1},
		[]int32{0, 4, -1, -5, -6, 5, 1 << 16, math.MinInt32, math.MaxInt32, 1, -1<<24 + 1},
		[]int64{0, 4, -1, -5, -6, 5, 1 << 32, math.MinInt64, math.MaxInt64, 1<<32 + 1, -1<<32 - 1, -1 << 62},
		[]int{0, 4, -1, -5, -6, 5, 1 << 16, math.MinInt, math.MaxInt, 1},
		[]uint8{0, 4, 5, 1, math.MaxUint8, math.MaxUint8 - 4, 1 << 7, 3},
		[]uint16{0, 4, 5, 1, math.MaxUint16, math.MaxUint16 - 4, 1 << 15, 1 << 8},
		[]uint32{0, 4, 5, 1, math.MaxUint32, math.MaxUint32 - 4, 1 << 31, 1 << 16},
		[]uint64{0, 4, 5, 1, math.MaxUint64, math.MaxUint64 - 4, 1 << 63, 1 << 32, 1<<63 + 1, 1<<32 + 2},
		[]uint{0, 4, 5, 1, math.MaxUint, math.MaxUint - 4, 1 << (bits.UintSize - 1), 1 << 16},
		[]Label{0, 4, 5, 1, math.MaxUint16, math.MaxUint16 - 4, 1 << 15, 1 << 8},
	}
}

// Floats are indices of every float type.
func Floats() []any {
	nan, inf := math.NaN(), math.Inf(1)
	return []any{
		[]float32{0, 4.9, -0.9, -1, -1.9, -5.9, -6, 5, float32(nan), float32(inf), float32(-inf), 1e30, -1e30, 1 << 63, -1 << 63, 1 << 32, 1e-40},
		[]float64{0, 4.9, -0.9, -1, -1.9, -5.9, -6, 5, nan, inf, -inf, 1e300, -1e300, 1 << 63, -1 << 63, 1 << 32, 4.999999999999999, 5e-324},
		[]Celsius{0, 4.9, -0.9, -1, -1.9, -5.9, -6, 5, Celsius(nan), Celsius(inf), 1e30},
		// 0, 4.5, -0.5, -1, -1.5, -5.5, -6, 5, NaN, Inf, -Inf, 65504, the
		// smallest subnormal, -0
		[]tensor.Float16{0, 0x4480, 0xb800, 0xbc00, 0xbe00, 0xc580, 0xc600, 0x4500, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 1, 0x8000},
		[]Half{0, 0x4480, 0xb800, 0xbc00, 0xbe00, 0xc580, 0xc600, 0x4500, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 1, 0x8000},
		[]PointerHalf{0, 0x4480, 0xb800, 0xbc00, 0xbe00, 0xc580, 0xc600, 0x4500, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 1, 0x8000},
		// 0, 4.5, -0.5, -1, -1.5, -5.5, -6, 5, NaN, Inf, -Inf, 3.39e38, the
		// smallest subnormal, -0, 2^63, -2^63
		[]tensor.BFloat16{0, 0x4090, 0xbf00, 0xbf80, 0xbfc0, 0xc0b0, 0xc0c0, 0x40a0, 0x7fc0, 0x7f80, 0xff80, 0x7f7f, 1, 0x8000, 0x5f00, 0xdf00},
		// 0, 4, -0.5, -1, -5, 5, NaN, Inf
		[]Float8{0, 0x44, 0xb8, 0xbc, 0xc5, 0x45, 0x7e, 0x7c},
	}
}

// Converted reports whether an operator has to convert indices of that type in
// order to write values of that one: the two slices are samples.
func Converted(index, value any) bool {
	switch index.(type) {
	case []Half, []PointerHalf, []Float8:
		return true
	case []tensor.Float16, []tensor.BFloat16:
		return reflect.TypeOf(value).Elem().Kind() == reflect.String
	}
	return false
}

// Values are pairs off, on of every value type. Those that have them hold bits
// that no arithmetic on the two keeps.
func Values() []any {
	return []any{
		[]int8{math.MinInt8, math.MaxInt8},
		[]int16{math.MinInt16, math.MaxInt16},
		[]int32{math.MinInt32, math.MaxInt32},
		[]int64{math.MinInt64, math.MaxInt64},
		[]int{7, math.MinInt},
		[]uint8{1, math.MaxUint8},
		[]uint16{1, math.MaxUint16},
		[]uint32{1, math.MaxUint32},
		[]uint64{1, math.MaxUint64},
		[]uint{0, math.MaxUint},
		[]float32{1e8, 1},
		[]float32{float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc12345)},
		[]float64{math.Inf(-1), math.Float64frombits(0xfff8000000abcdef)},
		[]float64{math.Copysign(0, -1), 0},
		[]bool{true, false},
		[]string{"", "on"},
		[]complex64{complex(1, -2), complex(float32(math.Inf(1)), 0)},
		[]complex128{complex(0, math.Copysign(0, -1)), complex(math.NaN(), 3)},
		[]tensor.Float16{0x8000, 0x3c00},
		[]tensor.BFloat16{0x7fc1, 0x3f80},
		[]Half{0x8000, 0x7e01},
		[]Float8{0x80, 0x3c},
		[]Celsius{-273.15, 0},
		[]Word{"off", "on"},
	}
}
