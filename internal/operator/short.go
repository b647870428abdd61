package operator

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/size"
	"github.com/go-onehot/onehot/tensor"
)

// This file is the short way of the calls that a runtime makes most: the types
// are Go's own, and nothing is wrong. It asks reflection nothing and returns no
// error: what it does not accept is for the general way, which either encodes
// it or says what is wrong.

// A kind is an element type that the short way knows by name. Types that no
// kind stands for are 0.
type kind uint8

// Integers come first and numbers next, so that one comparison tells them.
const (
	kindInt8 kind = iota + 1
	kindInt16
	kindInt32
	kindInt64
	kindInt
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindUint
	kindFloat32
	kindFloat64
	kindFloat16
	kindBFloat16
	kindBool
	kindComplex64
	kindComplex128

	lastInteger = kindUint
	lastNumber  = kindBFloat16
)

const intWidth = bits.UintSize / 8

// kinds has the width of each kind and, of numbers, how the core reads them.
var kinds = [...]struct {
	width uint8
	index onehot.IndexType
}{
	kindInt8: {1, onehot.Int8}, kindInt16: {2, onehot.Int16}, kindInt32: {4, onehot.Int32}, kindInt64: {8, onehot.Int64},
	kindInt:   {intWidth, onehot.Int32 + intWidth/8},
	kindUint8: {1, onehot.Uint8}, kindUint16: {2, onehot.Uint16}, kindUint32: {4, onehot.Uint32}, kindUint64: {8, onehot.Uint64},
	kindUint:    {intWidth, onehot.Uint32 + intWidth/8},
	kindFloat32: {4, onehot.Float32}, kindFloat64: {8, onehot.Float64}, kindFloat16: {2, onehot.Float16}, kindBFloat16: {2, onehot.BFloat16},
	kindBool: {width: 1}, kindComplex64: {width: 8}, kindComplex128: {width: 16},
}

// known is the memory of a slice whose element type has a kind.
type known struct {
	ptr  unsafe.Pointer
	len  int
	kind kind
}

// knownOf returns the slice that data is, or a zero known.
func knownOf(data any) known {
	switch s := data.(type) {
	case []int8:
		return knownSlice(s, kindInt8)
	case []int16:
		return knownSlice(s, kindInt16)
	case []int32:
		return knownSlice(s, kindInt32)
	case []int64:
		return knownSlice(s, kindInt64)
	case []int:
		return knownSlice(s, kindInt)
	case []uint8:
		return knownSlice(s, kindUint8)
	case []uint16:
		return knownSlice(s, kindUint16)
	case []uint32:
		return knownSlice(s, kindUint32)
	case []uint64:
		return knownSlice(s, kindUint64)
	case []uint:
		return knownSlice(s, kindUint)
	case []float32:
		return knownSlice(s, kindFloat32)
	case []float64:
		return knownSlice(s, kindFloat64)
	case []tensor.Float16:
		return knownSlice(s, kindFloat16)
	case []tensor.BFloat16:
		return knownSlice(s, kindBFloat16)
	case []bool:
		return knownSlice(s, kindBool)
	case []complex64:
		return knownSlice(s, kindComplex64)
	case []complex128:
		return knownSlice(s, kindComplex128)
	}
	return known{}
}

func knownSlice[T any](s []T, k kind) known {
	return known{unsafe.Pointer(unsafe.SliceData(s)), len(s), k}
}

// bytes is the memory of k.
func (k known) bytes() []byte {
	return unsafe.Slice((*byte)(k.ptr), k.len*int(kinds[k.kind].width))
}

// classes reads the first element of k, a depth, or returns 0 for what is none
// or is for the general way to read.
func (k known) classes() int {
	var depth int64
	switch k.kind {
	case kindInt8:
		depth = int64(*(*int8)(k.ptr))
	case kindInt16:
		depth = int64(*(*int16)(k.ptr))
	case kindInt32:
		depth = int64(*(*int32)(k.ptr))
	case kindInt64:
		depth = *(*int64)(k.ptr)
	case kindInt:
		depth = int64(*(*int)(k.ptr))
	case kindUint8:
		depth = int64(*(*uint8)(k.ptr))
	case kindUint16:
		depth = int64(*(*uint16)(k.ptr))
	case kindUint32:
		depth = int64(*(*uint32)(k.ptr))
	case kindUint64:
		depth = int64(*(*uint64)(k.ptr)) // one beyond int64 becomes negative
	case kindUint:
		depth = int64(*(*uint)(k.ptr))
	case kindFloat32:
		depth = wholeOf(float64(*(*float32)(k.ptr)))
	case kindFloat64:
		depth = wholeOf(*(*float64)(k.ptr))
	}
	if depth < 1 || depth > math.MaxInt {
		return 0
	}
	return int(depth)
}

// wholeOf truncates what is 1 or more and an int64, and makes 0 of the rest.
func wholeOf(f float64) int64 {
	if f >= 1 && f < 1<<63 {
		return int64(f)
	}
	return 0
}

// Pair32 returns the values of a tensor [off, on] of float32, and reports
// whether it is one.
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

// Short32 is the short way of the calls that are made most of all: rows of
// float32 from indices and a depth of int64. Few rows are over in the time that
// other types and axes take to be found out.
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
	if rows != uint64(len(in)) || rows*uint64(classes) != uint64(len(out)) || knownSlice(out, kindFloat32).overlaps(knownSlice(d, kindInt64)) {
		return false
	}
	// A literal of more than four fields the compiler would copy.
	_, err := onehot.Encode(out, in, onehot.Spec[float32]{Depth: classes, On: on, Off: off, Negative: negative})
	return err == nil
}

// ShortPair is [Operator.Pair] and [Operator.OneHotInto] for what the short way
// accepts. It reports whether it did; if not, it has written nothing.
func (o *Operator) ShortPair(dst, indices, depth, values *tensor.Tensor, axis int) bool {
	v := knownOf(values.Data)
	if v.len != 2 || len(values.Shape) != 1 || values.Shape[0] != 2 {
		return false
	}
	return o.short(dst, indices, depth, v.kind, unsafe.Add(v.ptr, kinds[v.kind].width), v.ptr, axis)
}

// ShortScalars is [Operator.Scalars] and [Operator.OneHotInto] for what the
// short way accepts. It reports whether it did; if not, it has written nothing.
func (o *Operator) ShortScalars(dst, indices, depth, on, off *tensor.Tensor, axis int) bool {
	v, w := knownOf(on.Data), knownOf(off.Data)
	if v.kind != w.kind || v.len != 1 || w.len != 1 || len(on.Shape) != 0 || len(off.Shape) != 0 {
		return false
	}
	return o.short(dst, indices, depth, v.kind, v.ptr, w.ptr, axis)
}

// short encodes indices into dst and reports whether it did. on and off are one
// element of the kind value each.
func (o *Operator) short(dst, indices, depth *tensor.Tensor, value kind, on, off unsafe.Pointer, axis int) bool {
	out, in, d := knownOf(dst.Data), knownOf(indices.Data), knownOf(depth.Data)
	last := lastNumber
	if o.Integers {
		last = lastInteger
	}
	if out.kind != value || d.len != 1 || in.kind > last || d.kind > last || !o.single(depth.Shape) {
		return false
	}
	classes := d.classes()
	inner, ok := innerOf(dst.Shape, indices.Shape, classes, axis, in.len, out.len)
	if !ok || out.overlaps(d) { // the core looks at indices itself
		return false
	}
	return encodeShort(out, in, on, off, classes, inner, o.Negative)
}

// single reports whether a depth may have that shape.
func (o *Operator) single(shape []int) bool {
	return len(shape) == 0 || len(shape) == 1 && shape[0] == 1 && !o.ScalarDepth
}

// innerOf returns the product of the dimensions of indices behind the axis. It
// is ok if no dimension is 0 or less, indices have n elements, dst has cells,
// and its shape is that of indices with classes put in at the axis.
func innerOf(dst, indices []int, classes, axis, n, cells int) (inner int, ok bool) {
	if axis < 0 {
		axis += len(dst)
	}
	if len(dst) != len(indices)+1 || uint(axis) >= uint(len(dst)) || dst[axis] != classes {
		return 0, false
	}
	total, fits := 1, true
	for i := 0; i < axis && fits; i++ {
		total, fits = longer(total, indices[i], dst[i])
	}
	inner = 1
	for i := axis; i < len(indices) && fits; i++ {
		inner, fits = longer(inner, indices[i], dst[i+1])
	}
	total, within := size.Product(total, inner)
	all, allWithin := size.Product(total, classes)
	return inner, classes > 0 && fits && within && allWithin && total == n && all == cells
}

// longer multiplies n by a dimension of indices, which is positive and that of
// dst.
func longer(n, dim, same int) (product int, ok bool) {
	product, ok = size.Product(n, dim)
	return product, ok && dim > 0 && dim == same
}

// overlaps reports whether k and l share a byte.
func (k known) overlaps(l known) bool {
	a, b := uintptr(k.ptr), uintptr(l.ptr)
	return a < b+uintptr(l.len)*uintptr(kinds[l.kind].width) && b < a+uintptr(k.len)*uintptr(kinds[k.kind].width)
}

// encodeShort calls the core. on and off are one element of out's kind each.
// The only error that is left is an overlap with indices, of which nothing has
// been written.
func encodeShort(out, in known, on, off unsafe.Pointer, depth, inner int, negative onehot.Negative) bool {
	width := int(kinds[out.kind].width)
	_, err := onehot.EncodeRaw(out.bytes(), in.bytes(), onehot.RawSpec{
		Index: kinds[in.kind].index, Width: width, On: unsafe.Slice((*byte)(on), width), Off: unsafe.Slice((*byte)(off), width),
		Depth: depth, Inner: inner, Negative: negative,
	})
	return err == nil
}
