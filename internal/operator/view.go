package operator

import (
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/tensor"
)

// view is the Data of a tensor that has been checked: the memory of a slice of
// one of the element types that a tensor may have.
type view struct {
	known
	elem reflect.Type
}

// known is the memory of a slice whose elements are of a kind that tensors may
// have. The zero known is no slice.
type known struct {
	ptr  unsafe.Pointer
	len  int
	kind reflect.Kind
}

// The kinds that reflection does not know: floats kept in an integer's bits,
// ours and those of other packages, of one byte and of two.
const (
	float16 = reflect.UnsafePointer + 1 + iota
	bfloat16
	otherHalf8
	otherHalf16
)

// kinds has the bytes of an element and, of numbers, how the core reads them; 0
// for halves that only their own method reads.
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
	if kinds[v.kind].width == 0 {
		return view{}, failf(operator, tensor.ErrType, "%s with data of type %T, want bools, numbers or strings", name, t.Data)
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
	return view{known{slice.UnsafePointer(), slice.Len(), kindOf(elem)}, elem}
}

// kindOf returns the kind of a type. A wider integer than a half may have a
// method Float32 that rounds, so there it says nothing. A pointer has the
// methods of what it points to, too.
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

// index is how the core reads the elements; 0 if only float32s reads them, or
// if they are no numbers.
func (k known) index() onehot.IndexType { return kinds[k.kind].index }

func (k known) isHalf() bool { return k.kind >= float16 }

func (k known) isFloat() bool { return k.isHalf() || k.index() >= onehot.Float32 }

func (k known) isInteger() bool { return onehot.Int8 <= k.index() && k.index() <= onehot.Uint64 }

// at is the part of v that is element i.
func (v view) at(i int) view {
	v.ptr, v.len = unsafe.Add(v.ptr, i*int(kinds[v.kind].width)), 1
	return v
}

// float is element 0 of v, which holds floats.
func (v view) float() float64 {
	if v.isHalf() {
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

// bytes is the memory of k, whose elements hold no pointers.
func (k known) bytes() []byte { return unsafe.Slice((*byte)(k.ptr), k.size()) }

// size is the number of bytes of k.
func (k known) size() int { return k.len * int(kinds[k.kind].width) }

// overlaps reports whether k and l share a byte.
func (k known) overlaps(l known) bool {
	a, b := uintptr(k.ptr), uintptr(l.ptr)
	return a < b+uintptr(l.size()) && b < a+uintptr(k.size()) && k.len > 0 && l.len > 0
}
