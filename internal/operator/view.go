package operator

import (
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/tensor"
)

// A view is the checked Data of a tensor: a slice's memory and element type.
type view struct {
	known
	elem reflect.Type
}

// A known is the memory of a slice whose elements are of a kind that tensors
// may have. The zero known is no slice.
type known struct {
	ptr  unsafe.Pointer
	len  int
	kind reflect.Kind
}

// The kinds that reflection does not know are floats in the bits of an integer:
// those of package tensor, and one-byte and two-byte ones of other packages.
const (
	float16 = reflect.UnsafePointer + 1 + iota
	bfloat16
	otherHalf8
	otherHalf16
)

// kinds has the bytes of an element of each kind and, for numbers, how the core
// reads them: 0 for halves that only a method of their own reads.
var kinds = [...]struct {
	width uint8
	index onehot.IndexType
}{
	reflect.Int8: {1, onehot.Int8}, reflect.Int16: {2, onehot.Int16}, reflect.Int32: {4, onehot.Int32}, reflect.Int64: {8, onehot.Int64},
	reflect.Int:   {bits.UintSize / 8, onehot.Int32 + bits.UintSize/64},
	reflect.Uint8: {1, onehot.Uint8}, reflect.Uint16: {2, onehot.Uint16}, reflect.Uint32: {4, onehot.Uint32}, reflect.Uint64: {8, onehot.Uint64},
	reflect.Uint:    {bits.UintSize / 8, onehot.Uint32 + bits.UintSize/64},
	reflect.Float32: {4, onehot.Float32}, reflect.Float64: {8, onehot.Float64}, float16: {2, onehot.Float16}, bfloat16: {2, onehot.BFloat16},
	otherHalf8: {width: 1}, otherHalf16: {width: 2},
	reflect.Bool: {width: 1}, reflect.Complex64: {width: 8}, reflect.Complex128: {width: 16},
	reflect.String: {width: uint8(unsafe.Sizeof(""))},
}

// A floater is a float stored in the bits of an integer.
type floater interface{ Float32() float32 }

var (
	floaterType  = reflect.TypeFor[floater]()
	float16Type  = reflect.TypeFor[tensor.Float16]()
	bfloat16Type = reflect.TypeFor[tensor.BFloat16]()
)

// newView checks that Data is a slice of a legal element type, with as many
// elements as Shape says. Its errors begin with operator.
func newView(operator, name string, t tensor.Tensor) (view, error) {
	data := reflect.ValueOf(t.Data)
	if data.Kind() != reflect.Slice { // nil has the kind Invalid
		return view{}, failf(operator, tensor.ErrType, "%s with data of type %T, want a slice", name, t.Data)
	}
	v := sliceView(data)
	if kinds[v.kind].width == 0 {
		return view{}, failf(operator, tensor.ErrType, "%s with data of type %T, want bools, numbers or strings", name, t.Data)
	}
	if i := negative(t.Shape); i >= 0 {
		return view{}, failf(operator, tensor.ErrShape, "%s of shape %v, dimension %d is negative", name, t.Shape, i)
	}
	// An overflow is a mismatch too: no slice has so many elements.
	if n, ok := product(t.Shape); !ok || n != v.len {
		return view{}, failf(operator, tensor.ErrShape, "%s of shape %v, but with data of length %d", name, t.Shape, v.len)
	}
	return v, nil
}

func sliceView(slice reflect.Value) view {
	elem := slice.Type().Elem()
	return view{known{slice.UnsafePointer(), slice.Len(), kindOf(elem)}, elem}
}

// kindOf returns the kind of a type. An integer wider than a half may have a
// method Float32 that rounds, so the method means nothing there. The method set
// of a pointer includes that of its element.
func kindOf(elem reflect.Type) reflect.Kind {
	switch k := elem.Kind(); {
	case k != reflect.Uint8 && k != reflect.Uint16 || !reflect.PointerTo(elem).Implements(floaterType):
		return k
	case elem == float16Type:
		return float16
	case elem == bfloat16Type:
		return bfloat16
	case k == reflect.Uint8:
		return otherHalf8
	}
	return otherHalf16
}

// index returns how the core reads the elements. It is 0 if they are no
// numbers, or if only float32s reads them.
func (k known) index() onehot.IndexType { return kinds[k.kind].index }

func (k known) isHalf() bool { return k.kind >= float16 }

func (k known) isFloat() bool { return k.isHalf() || k.index() >= onehot.Float32 }

func (k known) isInteger() bool { return onehot.Int8 <= k.index() && k.index() <= onehot.Uint64 }

// at returns the part of v that is element i.
func (v view) at(i int) view {
	v.ptr, v.len = unsafe.Add(v.ptr, i*int(kinds[v.kind].width)), 1
	return v
}

// float returns element 0 of v, which holds floats.
func (v view) float() float64 {
	if v.isHalf() {
		return float64(v.float32(0))
	}
	return reflect.NewAt(v.elem, v.ptr).Elem().Float()
}

// float32 calls the method Float32 of element i of v, which holds halves.
func (v view) float32(i int) float32 {
	// A pointer fits into an interface as it is; an element would be allocated.
	return reflect.NewAt(v.elem, v.at(i).ptr).Interface().(floater).Float32()
}

// float32s returns all elements of v, which holds halves.
func (v view) float32s() []float32 {
	out := make([]float32, v.len)
	for i := range out {
		out[i] = v.float32(i)
	}
	return out
}

// as returns the memory of v as a slice of T. T has the size of v's element
// type, and pointers where that type has them.
func as[T any](v view) []T { return unsafe.Slice((*T)(v.ptr), v.len) }

// bytes returns the memory of k, whose elements hold no pointers.
func (k known) bytes() []byte { return unsafe.Slice((*byte)(k.ptr), k.size()) }

// size returns the number of bytes of k.
func (k known) size() int { return k.len * int(kinds[k.kind].width) }

// overlaps reports whether k and l share a byte.
func (k known) overlaps(l known) bool {
	a, b := uintptr(k.ptr), uintptr(l.ptr)
	return a < b+uintptr(l.size()) && b < a+uintptr(k.size()) && k.len > 0 && l.len > 0
}
