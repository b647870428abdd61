package operator

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/size"
	"github.com/go-onehot/onehot/tensor"
)

// This file is the short route, for the calls that a runtime makes most: Go's
// own types, and nothing wrong. It needs no reflection and returns no errors.
// Calls that it does not accept take the general route, which either encodes
// them or says what is wrong.

// knownOf returns the memory of data, a slice of these types, or a zero known.
func knownOf(data any) known {
	switch s := data.(type) {
	case []int8:
		return knownSlice(s, reflect.Int8)
	case []int16:
		return knownSlice(s, reflect.Int16)
	case []int32:
		return knownSlice(s, reflect.Int32)
	case []int64:
		return knownSlice(s, reflect.Int64)
	case []int:
		return knownSlice(s, reflect.Int)
	case []uint8:
		return knownSlice(s, reflect.Uint8)
	case []uint16:
		return knownSlice(s, reflect.Uint16)
	case []uint32:
		return knownSlice(s, reflect.Uint32)
	case []uint64:
		return knownSlice(s, reflect.Uint64)
	case []uint:
		return knownSlice(s, reflect.Uint)
	case []float32:
		return knownSlice(s, reflect.Float32)
	case []float64:
		return knownSlice(s, reflect.Float64)
	case []tensor.Float16:
		return knownSlice(s, float16)
	case []tensor.BFloat16:
		return knownSlice(s, bfloat16)
	case []bool:
		return knownSlice(s, reflect.Bool)
	case []complex64:
		return knownSlice(s, reflect.Complex64)
	case []complex128:
		return knownSlice(s, reflect.Complex128)
	}
	return known{}
}

func knownSlice[T any](s []T, k reflect.Kind) known {
	return known{unsafe.Pointer(unsafe.SliceData(s)), len(s), k}
}

// classes returns the first element of k, a depth, or 0 if it is no depth or
// needs the general route.
func (k known) classes() int {
	depth := k.whole()
	if depth < 1 || depth > math.MaxInt {
		return 0
	}
	return int(depth)
}

// whole truncates the first element of k to an integer. A float that is below 1
// or does not fit an int64, and anything but a number of Go's own types,
// becomes 0; a uint64 that does not fit an int64 becomes negative.
func (k known) whole() int64 {
	switch k.index() {
	case onehot.Int8:
		return int64(*(*int8)(k.ptr))
	case onehot.Int16:
		return int64(*(*int16)(k.ptr))
	case onehot.Int32:
		return int64(*(*int32)(k.ptr))
	case onehot.Int64, onehot.Uint64:
		return *(*int64)(k.ptr)
	case onehot.Uint8:
		return int64(*(*uint8)(k.ptr))
	case onehot.Uint16:
		return int64(*(*uint16)(k.ptr))
	case onehot.Uint32:
		return int64(*(*uint32)(k.ptr))
	case onehot.Float32:
		return wholeOf(float64(*(*float32)(k.ptr)))
	case onehot.Float64:
		return wholeOf(*(*float64)(k.ptr))
	}
	return 0
}

// wholeOf truncates f if it is 1 or more and fits an int64, or returns 0.
func wholeOf(f float64) int64 {
	if f >= 1 && f < 1<<63 {
		return int64(f)
	}
	return 0
}

// Pair32 returns the values of a float32 tensor [off, on], if values is one.
func Pair32(values *tensor.Tensor) (on, off float32, ok bool) {
	if v, is := values.Data.([]float32); is && len(v) == 2 && len(values.Shape) == 1 && values.Shape[0] == 2 {
		return v[1], v[0], true
	}
	return 0, 0, false
}

// Scalars32 is Pair32 for two tensors of rank 0.
func Scalars32(on, off *tensor.Tensor) (float32, float32, bool) {
	v, isOn := on.Data.([]float32)
	w, isOff := off.Data.([]float32)
	if isOn && isOff && len(v) == 1 && len(w) == 1 && len(on.Shape)|len(off.Shape) == 0 {
		return v[0], w[0], true
	}
	return 0, 0, false
}

// Short32 is the short route for the most frequent calls: rows of float32, from
// indices and a depth of int64. It reports whether it encoded dst. Examining
// other types and axes would take as long as writing a few rows.
func (o *Operator) Short32(dst, indices, depth *tensor.Tensor, on, off float32, axis int) bool {
	d, ok := depth.Data.([]int64)
	if !ok || len(d) != 1 || !o.single(depth.Shape) || uint64(d[0]-1) >= math.MaxInt32 {
		return false
	}
	in, ok := indices.Data.([]int64)
	if !ok || len(in) >= math.MaxInt32 {
		return false
	}
	out, ok := dst.Data.([]float32)
	if !ok {
		return false
	}
	classes, rank, rows, negative := int(d[0]), len(indices.Shape), uint64(1), o.Negative
	if axis != -1 && axis != rank || len(dst.Shape) != rank+1 || dst.Shape[rank] != classes {
		return false
	}
	for i, dim := range indices.Shape {
		if rows *= uint64(dim); uint(dim-1) >= uint(len(in)) || dim != dst.Shape[i] || rows > uint64(len(in)) {
			return false
		}
	}
	if rows != uint64(len(in)) || rows*uint64(classes) != uint64(len(out)) || knownSlice(out, reflect.Float32).overlaps(knownSlice(d, reflect.Int64)) {
		return false
	}
	// The compiler would copy a literal of more than four fields.
	_, err := onehot.Encode(out, in, onehot.Spec[float32]{Depth: classes, On: on, Off: off, Negative: negative})
	return err == nil
}

// ShortPair is [Operator.Pair] and [Operator.OneHotInto] by the short route. It
// reports whether it accepted the call; if not, it has written nothing.
func (o *Operator) ShortPair(dst, indices, depth, values *tensor.Tensor, axis int) bool {
	v := knownOf(values.Data)
	if v.len != 2 || len(values.Shape) != 1 || values.Shape[0] != 2 {
		return false
	}
	return o.short(dst, indices, depth, v.kind, unsafe.Add(v.ptr, kinds[v.kind].width), v.ptr, axis)
}

// ShortScalars is [Operator.Scalars] and [Operator.OneHotInto] by the short
// route. It reports whether it accepted the call; if not, it has written
// nothing.
func (o *Operator) ShortScalars(dst, indices, depth, on, off *tensor.Tensor, axis int) bool {
	v, w := knownOf(on.Data), knownOf(off.Data)
	if v.kind != w.kind || v.len != 1 || w.len != 1 || len(on.Shape) != 0 || len(off.Shape) != 0 {
		return false
	}
	return o.short(dst, indices, depth, v.kind, v.ptr, w.ptr, axis)
}

// short encodes indices into dst and reports whether it did. on and off each
// point to one element of the kind value.
func (o *Operator) short(dst, indices, depth *tensor.Tensor, value reflect.Kind, on, off unsafe.Pointer, axis int) bool {
	out, in, d := knownOf(dst.Data), knownOf(indices.Data), knownOf(depth.Data)
	last := onehot.Float64
	if o.Integers {
		last = onehot.Uint64
	}
	if out.kind != value || d.len != 1 || in.index()-1 >= last || d.index()-1 >= last || !o.single(depth.Shape) { // the index of what is no number is 0, and wraps
		return false
	}
	classes, width := d.classes(), int(kinds[value].width)
	inner, ok := innerOf(dst.Shape, indices.Shape, classes, axis, in.len, out.len)
	if !ok || out.overlaps(d) {
		return false
	}
	// The only error now is an overlap with indices, and then nothing was written.
	_, err := onehot.EncodeRaw(out.bytes(), in.bytes(), onehot.RawSpec{
		Index: in.index(), Width: width, On: unsafe.Slice((*byte)(on), width), Off: unsafe.Slice((*byte)(off), width),
		Depth: classes, Inner: inner, Negative: o.Negative,
	})
	return err == nil
}

// single reports whether the operator accepts a depth of that shape.
func (o *Operator) single(shape []int) bool {
	return len(shape) == 0 || len(shape) == 1 && shape[0] == 1 && !o.ScalarDepth
}

// innerOf returns the product of the dimensions of indices after the axis. It
// reports whether every dimension is positive, indices have n elements, dst has
// cells elements, and the shape of dst is that of indices with classes inserted
// at the axis.
func innerOf(dst, indices []int, classes, axis, n, cells int) (inner int, ok bool) {
	if axis < 0 {
		axis += len(dst)
	}
	if len(dst) != len(indices)+1 || uint(axis) >= uint(len(dst)) || dst[axis] != classes {
		return 0, false
	}
	total, fits := 1, true
	inner = 1 // a factor of total
	for i, dim := range indices {
		same := dst[i]
		if i >= axis {
			same = dst[i+1]
			inner *= dim
		}
		if total, fits = size.Product(total, dim); !fits || dim <= 0 || dim != same {
			return 0, false
		}
	}
	all, fits := size.Product(total, classes)
	return inner, fits && classes > 0 && total == n && all == cells
}
