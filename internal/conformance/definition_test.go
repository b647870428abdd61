package conformance

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/oracle"
	"github.com/go-onehot/onehot/internal/view"
)

// definedClass returns the oracle's class of an index.
func definedClass(x any, depth int, neg onehot.Negative) (class int, ok bool) {
	return oracle.Class(x, depth, neg == onehot.Normalize)
}

// definedClasses returns the class of every index, and the number of misses.
func definedClasses[I any](indices []I, depth int, neg onehot.Negative) (classes []int, misses int) {
	return oracle.Classes(indices, depth, neg == onehot.Normalize)
}

// layoutOf returns the oracle's layout of the cells of n indices.
func layoutOf[V onehot.Value](n int, s onehot.Spec[V]) oracle.Layout {
	return oracle.Layout{Depth: s.Depth, Inner: s.Inner, Plane: s.Plane, Stride: s.Stride}.For(n)
}

// defined writes the encoding of indices to dst, which may have any contents,
// and returns the misses.
func defined[V onehot.Value, I any](dst []V, indices []I, s onehot.Spec[V]) (misses int) {
	classes, misses := definedClasses(indices, s.Depth, s.Negative)
	definedFrom(dst, classes, s)
	return misses
}

func definedFrom[V onehot.Value](dst []V, classes []int, s onehot.Spec[V]) {
	oracle.Encode(dst, classes, layoutOf(len(classes), s), oracle.Values[V]{On: s.On, Off: s.Off, Miss: s.Miss})
}

// An arena is a slice with canaries before it, after it and, for the gaps of a
// stride, inside it.
type arena[V onehot.Value] struct {
	all    []V
	before int
	len    int
}

const canaries = 64 // elements on each side: a vector of the narrowest

// newArena returns an arena of n elements that starts shift elements later than
// it otherwise would.
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
	b := view.Bytes(a.all)
	b[0] = filler
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
	return a
}

// asStrings returns a slice of any string type as a slice of strings.
func asStrings[V any](s []V) []string {
	return unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// dst returns the part between the canaries. Its capacity reaches over those
// after it, which must stay as they are.
func (a arena[V]) dst() []V { return a.all[a.before : a.before+a.len] }

// sameBits reports whether a and b are equal bit by bit, strings by content.
func sameBits[V any](a, b []V) bool {
	if reflect.TypeFor[V]().Kind() == reflect.String {
		return slices.Equal(asStrings(a), asStrings(b))
	}
	return bytes.Equal(view.Bytes(a), view.Bytes(b))
}

// sameCells returns sameBits for two cells, and looks at the type only once.
func sameCells[V any]() func(a, b *V) bool {
	if reflect.TypeFor[V]().Kind() == reflect.String {
		return func(a, b *V) bool { return *(*string)(unsafe.Pointer(a)) == *(*string)(unsafe.Pointer(b)) }
	}
	bits := func(p *V) string { return unsafe.String((*byte)(unsafe.Pointer(p)), view.Size[V]()) }
	return func(a, b *V) bool { return bits(a) == bits(b) }
}

// requireSame fails with the first element in which got differs from want.
func requireSame[V onehot.Value](t testing.TB, want, got arena[V], what func() string) {
	if sameBits(want.all, got.all) {
		return
	}
	for i := range want.all {
		if w, g := want.all[i:i+1], got.all[i:i+1]; !sameBits(w, g) {
			bits := ""
			if reflect.TypeFor[V]().Kind() != reflect.String {
				bits = fmt.Sprintf(" (bytes %x and not %x)", view.Bytes(g), view.Bytes(w))
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

// addressOf returns the address at which a slice starts.
func addressOf[T any](s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
