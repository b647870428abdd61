package conformance

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
)

// definedClass is class(x): the class of an index and whether it is one of
// depth. Without one it is -1.
func definedClass(x any, depth int, neg onehot.Negative) (class int, ok bool) {
	n := new(big.Int)
	switch v := reflect.ValueOf(x); {
	case v.CanInt() && 0 <= v.Int() && v.Int() < int64(depth), v.CanUint() && v.Uint() < uint64(depth):
		return int(v.Convert(reflect.TypeFor[int]()).Int()), true // most are
	case v.CanInt():
		n.SetInt64(v.Int())
	case v.CanUint():
		n.SetUint64(v.Uint())
	default:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return -1, false
		}
		new(big.Float).SetFloat64(f).Int(n) // toward zero
		if !n.IsInt64() {
			return -1, false
		}
	}
	limit := big.NewInt(int64(depth))
	if n.Sign() < 0 {
		if neg != onehot.Normalize {
			return -1, false
		}
		n.Add(n, limit)
	}
	if n.Sign() < 0 || n.Cmp(limit) >= 0 {
		return -1, false
	}
	return int(n.Int64()), true
}

// definedClasses is definedClass of every index, and the number of misses.
func definedClasses[I any](indices []I, depth int, neg onehot.Negative) (classes []int, misses int) {
	classes = make([]int, len(indices))
	for k, x := range indices {
		class, ok := definedClass(x, depth, neg)
		if !ok {
			misses++
		}
		classes[k] = class
	}
	return classes, misses
}

// A shape is where cells are: cell (o, d, i) is element o*stride + d*inner + i.
type shape struct{ outer, depth, inner, stride int }

func shapeOf[V onehot.Value](n int, s onehot.Spec[V]) shape {
	h := shape{depth: s.Depth, inner: s.Inner, stride: s.Stride}
	if h.inner == 0 {
		h.inner = 1
	}
	if h.stride == 0 {
		h.stride = h.depth * h.inner
	}
	h.outer = n / h.inner
	return h
}

// need is the number of elements from the first cell to the last.
func (h shape) need() int {
	if h.outer == 0 || h.depth == 0 {
		return 0
	}
	return (h.outer-1)*h.stride + h.depth*h.inner
}

// defined writes the encoding of indices to dst, which may be of any contents,
// and returns the misses.
func defined[V onehot.Value, I any](dst []V, indices []I, s onehot.Spec[V]) (misses int) {
	classes, misses := definedClasses(indices, s.Depth, s.Negative)
	definedFrom(dst, classes, s)
	return misses
}

func definedFrom[V onehot.Value](dst []V, classes []int, s onehot.Spec[V]) {
	h := shapeOf(len(classes), s)
	for o := range h.outer {
		for d := range h.depth {
			for i := range h.inner {
				value := s.Off
				if classes[o*h.inner+i] == d {
					value = s.On
				}
				dst[o*h.stride+d*h.inner+i] = value
			}
		}
	}
}

func halfValue(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	f := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 31 && fraction != 0:
		return math.NaN()
	case exponent == 31:
		f = math.Inf(1)
	case exponent == 0:
		f = math.Ldexp(fraction, -24)
	}
	if h>>15 != 0 {
		return -f
	}
	return f
}

func bfloatValue(h uint16) float64 { return float64(math.Float32frombits(uint32(h) << 16)) }

// An arena is a slice with canaries before, behind and, for the gaps of a
// stride, inside.
type arena[V onehot.Value] struct {
	all    []V
	before int
	len    int
}

const canaries = 40 // elements on each side: more than any vector has

// newArena returns an arena of n elements that starts shift elements further
// than the allocation suggests.
func newArena[V onehot.Value](n, shift int) arena[V] {
	a := arena[V]{make([]V, n+shift+2*canaries), canaries + shift, n}
	filler := byte(0xA5)
	switch reflect.TypeFor[V]().Kind() {
	case reflect.String:
		for i, s := 0, asStrings(a.all); i < len(s); i++ {
			s[i] = "canary"
		}
		return a
	case reflect.Bool:
		filler = 1 // a bool has no other bits
	}
	b := bytesOf(a.all)
	b[0] = filler
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
	return a
}

// asStrings returns a slice of a named string type as what it is.
func asStrings[V any](s []V) []string {
	return unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// dst is the part between the canaries, with all that lies behind it in reach:
// what is beyond the output must stay as it is.
func (a arena[V]) dst() []V { return a.all[a.before : a.before+a.len] }

// sameBits tells whether a and b are equal bit by bit, strings by content.
func sameBits[V any](a, b []V) bool {
	if reflect.TypeFor[V]().Kind() == reflect.String {
		return slices.Equal(asStrings(a), asStrings(b))
	}
	return bytes.Equal(bytesOf(a), bytesOf(b))
}

// requireSame fails with the first element of got that is not that of want.
func requireSame[V onehot.Value](t testing.TB, want, got arena[V], what func() string) {
	if sameBits(want.all, got.all) {
		return
	}
	for i := range want.all {
		if w, g := want.all[i:i+1], got.all[i:i+1]; !sameBits(w, g) {
			bits := ""
			if reflect.TypeFor[V]().Kind() != reflect.String {
				bits = fmt.Sprintf(" (bytes %x and not %x)", bytesOf(g), bytesOf(w))
			}
			where := "element"
			if at := i - want.before; at < 0 || at >= want.len {
				where = "canary"
			}
			require.FailNowf(t, "wrong output", "path %s: %s %d of %d is %v and not %v%s\n%s",
				onehot.Path(), where, i-want.before, want.len, g[0], w[0], bits, what())
		}
	}
}

// addressOf is where a slice starts.
func addressOf[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// indexSizes is the number of bytes of an index, by type.
var indexSizes = [...]int{
	onehot.Int8: 1, onehot.Int16: 2, onehot.Int32: 4, onehot.Int64: 8,
	onehot.Uint8: 1, onehot.Uint16: 2, onehot.Uint32: 4, onehot.Uint64: 8,
	onehot.Float16: 2, onehot.BFloat16: 2, onehot.Float32: 4, onehot.Float64: 8,
}
