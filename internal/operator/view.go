package operator

import (
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/tensor"
)

// view is the Data of a tensor that has been checked: the memory of a slice of
// one of the element types that a tensor may have.
type view struct {
	ptr  unsafe.Pointer
	len  int
	elem reflect.Type
	half bool // the elements are floats kept in an integer's bits
}

// floater is the method by which a float kept in an integer's bits is known.
type floater interface{ Float32() float32 }

var (
	floaterType  = reflect.TypeFor[floater]()
	float16Type  = reflect.TypeFor[tensor.Float16]()
	bfloat16Type = reflect.TypeFor[tensor.BFloat16]()
)

// newView checks that Data is a slice of a legal element type and has as many
// elements as Shape says. Its errors open with operator.
func newView(operator, name string, t tensor.Tensor) (view, error) {
	data := reflect.ValueOf(t.Data)
	if data.Kind() != reflect.Slice { // the Kind of nil is Invalid
		return view{}, failf(operator, tensor.ErrType, "%s with data of type %T, want a slice", name, t.Data)
	}
	v := sliceView(data)
	switch v.elem.Kind() {
	case reflect.Bool, reflect.String, reflect.Complex64, reflect.Complex128:
	default:
		if !v.isInteger() && !v.isFloat() {
			return view{}, failf(operator, tensor.ErrType, "%s with data of type %T, want bools, numbers or strings", name, t.Data)
		}
	}
	if i := negative(t.Shape); i >= 0 {
		return view{}, failf(operator, tensor.ErrShape, "%s of shape %v, dimension %d is negative", name, t.Shape, i)
	}
	// An overflow is a mismatch, too: no slice has so many elements.
	if n, ok := product(t.Shape); !ok || n != v.len {
		return view{}, failf(operator, tensor.ErrShape, "%s of shape %v, but with data of length %d", name, t.Shape, v.len)
	}
	return v, nil
}

func sliceView(slice reflect.Value) view {
	elem := slice.Type().Elem()
	return view{ptr: slice.UnsafePointer(), len: slice.Len(), elem: elem, half: isHalf(elem)}
}

// at is the part of v that is element i.
func (v view) at(i int) view {
	v.ptr, v.len = unsafe.Add(v.ptr, i*int(v.elem.Size())), 1
	return v
}

// isHalf reports whether elements of a type are floats kept in an integer's
// bits. A wider integer may have a method Float32 that rounds, so there it says
// nothing. A pointer has the methods of what it points to, too.
func isHalf(elem reflect.Type) bool {
	k := elem.Kind()
	return (k == reflect.Uint16 || k == reflect.Uint8) && reflect.PointerTo(elem).Implements(floaterType)
}

func (v view) isFloat() bool {
	k := v.elem.Kind()
	return k == reflect.Float32 || k == reflect.Float64 || v.half
}

func (v view) isInteger() bool {
	k := v.elem.Kind()
	return reflect.Int <= k && k <= reflect.Uint64 && !v.half
}

// indexTypes are how the core reads the kinds of numbers; others are 0.
var indexTypes = [reflect.UnsafePointer + 1]onehot.IndexType{
	reflect.Int: kinds[kindInt].index, reflect.Int8: onehot.Int8, reflect.Int16: onehot.Int16, reflect.Int32: onehot.Int32, reflect.Int64: onehot.Int64,
	reflect.Uint: kinds[kindUint].index, reflect.Uint8: onehot.Uint8, reflect.Uint16: onehot.Uint16, reflect.Uint32: onehot.Uint32, reflect.Uint64: onehot.Uint64,
	reflect.Float32: onehot.Float32, reflect.Float64: onehot.Float64,
}

// indexType is how the core reads the elements; 0 if only float32s reads them,
// or if they are no numbers.
func (v view) indexType() onehot.IndexType {
	switch {
	case v.elem == float16Type:
		return onehot.Float16
	case v.elem == bfloat16Type:
		return onehot.BFloat16
	case v.half:
		return 0
	}
	return indexTypes[v.elem.Kind()]
}

// float is element 0 of v, which holds floats.
func (v view) float() float64 {
	if v.half {
		return float64(v.float32(0))
	}
	return reflect.NewAt(v.elem, v.ptr).Elem().Float()
}

// float32 calls the method Float32 of element i of v, which holds halves.
func (v view) float32(i int) float32 {
	// A pointer fits into an interface as it is, an element is allocated for it.
	return reflect.NewAt(v.elem, v.at(i).ptr).Interface().(floater).Float32()
}

// float32s are all elements of v, which holds halves.
func (v view) float32s() []float32 {
	out := make([]float32, v.len)
	for i := range out {
		out[i] = v.float32(i)
	}
	return out
}

// as is the memory of v as a slice of T, which has the size of v's element type
// and holds pointers where that does.
func as[T any](v view) []T { return unsafe.Slice((*T)(v.ptr), v.len) }

// bytes is the memory of v, whose elements hold no pointers.
func (v view) bytes() []byte { return unsafe.Slice((*byte)(v.ptr), v.size()) }

// size is the number of bytes of v.
func (v view) size() int { return v.len * int(v.elem.Size()) }

// overlap reports whether a and b share a byte.
func overlap(a, b view) bool {
	a0, b0 := uintptr(a.ptr), uintptr(b.ptr)
	return a0 < b0+uintptr(b.size()) && b0 < a0+uintptr(a.size()) && a.len > 0 && b.len > 0
}
