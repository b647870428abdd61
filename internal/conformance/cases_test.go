package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/view"
)

// An encodeCase is an encoding without its types.
type encodeCase struct {
	n                    int // indices
	depth, inner, stride int
	neg                  onehot.Negative
	values               int // which of valuesOf
	shift                int // of dst from its natural alignment, in elements
	extra                int // elements of dst beyond the output
	seed                 uint64
	raw                  []byte // the first indices, bit by bit
}

func specOf[V onehot.Value](c encodeCase) onehot.Spec[V] {
	on, off := valuesOf[V](c.values)
	return onehot.Spec[V]{Depth: c.depth, Inner: c.inner, Stride: c.stride, Negative: c.neg, On: on, Off: off}
}

// checkEncode compares Encode, on the path that is set, with the definition.
func checkEncode[V onehot.Value, I onehot.Index](t testing.TB, c encodeCase) {
	checkIndices[V](t, indicesOf[I](c, 0, c.n, c.depth), c)
}

func checkIndices[V onehot.Value, I onehot.Index](t testing.TB, indices []I, c encodeCase) {
	s := specOf[V](c)
	length := layoutOf(len(indices), s).Need() + c.extra
	want, got := newArena[V](length, c.shift), newArena[V](length, c.shift)
	wantMisses := defined(want.dst(), indices, s)
	before := slices.Clone(indices)

	misses, err := onehot.Encode(got.dst(), indices, s)
	if err != nil {
		require.NoError(t, err, "%T of %T: %+v", s, indices, c)
	}
	requireSame(t, want, got, func() string { return fmt.Sprintf("%T of %T: %+v", s, indices, c) })
	if misses != wantMisses {
		require.Equal(t, wantMisses, misses, "misses, path %s, %T of %T: %+v", onehot.Path(), s, indices, c)
	}
	if !sameBits(before, indices) {
		require.Fail(t, "the indices were written to", "%+v", c)
	}
}

// valuesOf returns the k-th pair of On and Off: 1 and 0, 0 and 1, and then bits
// that arithmetic does not preserve: NaNs with payloads, and -0.0.
func valuesOf[V onehot.Value](k int) (on, off V) {
	var v [2]V
	switch reflect.TypeFor[V]().Kind() {
	case reflect.Bool:
		*(*bool)(unsafe.Pointer(&v[k%2])) = true
		return v[0], v[1]
	case reflect.String:
		texts := [][2]string{{"on", "off"}, {"", "off"}, {"on", ""}, {"a longer one", "off"}}[k%4]
		*(*string)(unsafe.Pointer(&v[0])), *(*string)(unsafe.Pointer(&v[1])) = texts[0], texts[1]
		return v[0], v[1]
	}
	bits := map[int][4][2]uint64{
		1: {{1, 0}, {0, 1}, {0xA7, 0x13}, {0xFF, 0x80}},
		2: {{0x3c00, 0}, {0, 0x3c00}, {0x7c01, 0x8000}, {0xfe01, 0x1234}},
		4: {{0x3f800000, 0}, {0, 0x3f800000}, {0x7fa00001, 0x80000000}, {0xffc12345, 0x7f800001}},
		8: {{0x3ff0000000000000, 0}, {0, 0x3ff0000000000000}, {0x7ff4000000000001, 1 << 63}, {0xfff8123456789abc, 0x7ff0000000000001}},
	}
	for i := range v {
		p := unsafe.Pointer(&v[i])
		switch unsafe.Sizeof(v[i]) {
		case 1:
			*(*uint8)(p) = uint8(bits[1][k%4][i])
		case 2:
			*(*uint16)(p) = uint16(bits[2][k%4][i])
		case 4:
			*(*uint32)(p) = uint32(bits[4][k%4][i])
		case 8:
			*(*uint64)(p) = bits[8][k%4][i]
		default:
			*(*[2]uint64)(p) = [2]uint64{bits[8][k%4][i], bits[8][(k+i)%4][1]}
		}
	}
	return v[0], v[1]
}

// valueKinds is how many pairs valuesOf has.
const valueKinds = 4

// mixed draws n indices: most of them classes, some just outside, some from
// specials.
func mixed[I onehot.Index](seed uint64, n, depth int) []I {
	r := rand.New(rand.NewPCG(seed, 0x6d69786564))
	special := specials[I](depth)
	indices := roomFor[I](n)
	for k := range indices {
		switch u := r.Uint32() % 16; {
		case u < 2:
			indices[k] = special[r.IntN(len(special))]
		case u < 4:
			indices[k] = I(-1 - r.IntN(depth+2)) // negative, or huge where I is unsigned
		case u < 6 && isFloat[I]():
			indices[k] = I(float64(r.IntN(depth+1)) + 0.25*float64(r.IntN(4)) - 0.5)
		default:
			indices[k] = I(r.IntN(depth + 1))
		}
	}
	return indices
}

// roomFor returns room for n indices. On a processor that aligns 64-bit numbers
// to four bytes, some start between multiples of eight, and are staged.
func roomFor[I onehot.Index](n int) []I {
	if unsafe.Alignof(*new(I)) == uintptr(view.Size[I]()) {
		return make([]I, n)
	}
	memory := make([]uint64, n+1)
	return unsafe.Slice((*I)(unsafe.Add(unsafe.Pointer(&memory[0]), n&2*2)), n)
}

// indicesOf draws the k-th indices of a case. The raw bytes of the case replace
// the first of them.
func indicesOf[I onehot.Index](c encodeCase, k uint64, n, depth int) []I {
	indices := mixed[I](c.seed+k, n, depth)
	copy(view.Bytes(indices), c.raw)
	return indices
}

func isFloat[I onehot.Index]() bool { one := I(1); return one/2 != 0 }

// specials are the indices that break one-hot encoders.
func specials[I onehot.Index](depth int) []I {
	var out []I
	for _, f := range []float64{
		math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), -0.5, -0.999, -1, -1.5, 0.5, 0.999,
		float64(depth) - 0.5, float64(depth), float64(depth) + 0.5, -float64(depth), -float64(depth) - 0.5, -float64(depth) - 1,
		1 << 24, 1<<24 + 1, 1<<24 + 2, 1 << 31, -1 << 31, 1 << 32, 1<<32 + 1, 1<<32 + 4096, -1 << 32, 1 << 53, 1<<53 + 2, 1 << 63, 0x1.fffffffffffffp62, -1 << 63,
		-0x1.0000000000001p63, 1 << 64, 1e38, -1e38, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat32, math.MaxFloat32,
	} {
		if isFloat[I]() {
			out = append(out, I(f))
		}
	}
	d := int64(depth)
	for _, x := range []int64{
		0, 1, -1, d - 1, d, d + 1, -d, -d - 1, -d + 1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 1 << 24, 1<<24 + 1,
		math.MaxInt32, math.MinInt32, math.MaxUint32, 1 << 32, 1<<32 + 1, 1<<32 + d - 1, -1 << 32, -1<<32 - 1, -1<<32 + d, 1<<40 + 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1,
		math.MinInt64 + d,
	} {
		if !isFloat[I]() {
			out = append(out, I(x)) // wraps in a narrow type, which is as good an index
		}
	}
	return out
}

// A pair is one value type and one index type.
type pair struct {
	value, index string
	encode       func(testing.TB, encodeCase)
}

// pairs has every index type with a value type of each width, and with strings.
var pairs = slices.Concat(
	pairsOf[uint8]("uint8"), pairsOf[uint16]("uint16"), pairsOf[float32]("float32"),
	pairsOf[float64]("float64"), pairsOf[complex128]("complex128"), pairsOf[string]("string"),
)

func pairsOf[V onehot.Value](value string) []pair {
	return []pair{
		{value, "int8", checkEncode[V, int8]}, {value, "int16", checkEncode[V, int16]},
		{value, "int32", checkEncode[V, int32]}, {value, "int64", checkEncode[V, int64]},
		{value, "uint8", checkEncode[V, uint8]}, {value, "uint16", checkEncode[V, uint16]},
		{value, "uint32", checkEncode[V, uint32]}, {value, "uint64", checkEncode[V, uint64]},
		{value, "int", checkEncode[V, int]}, {value, "uint", checkEncode[V, uint]},
		{value, "float32", checkEncode[V, float32]}, {value, "float64", checkEncode[V, float64]},
	}
}

var modes = []onehot.Negative{onehot.Ignore, onehot.Normalize}

type (
	namedBool    bool
	namedText    string
	namedHalf    uint16
	namedFloat   float32
	namedComplex complex64
	namedClass   int16
	namedByte    uint8
	namedReal    float64
)

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
