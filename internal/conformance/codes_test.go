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

// indexOf returns the integer of an index, and reports whether it may be a
// class.
func indexOf(x any) (class int64, ok bool) {
	switch v := reflect.ValueOf(x); {
	case v.CanInt():
		return v.Int(), v.Int() >= 0
	case v.CanUint():
		return int64(v.Uint()), v.Uint() <= math.MaxInt64
	default:
		f := math.Trunc(v.Float())
		if f != f || f < 0 || f >= 1<<63 {
			return 0, false
		}
		return int64(f), true
	}
}

// recoded is Recode by its definition, one index at a time.
func recoded[C onehot.Code, I onehot.Index](indices []I, table []C, valid *onehot.Bitmap) (codes []C, misses int) {
	none := ^C(0)
	for i, x := range indices {
		code := none
		class, ok := indexOf(x)
		if valid != nil {
			at := valid.Offset + i
			ok = ok && valid.Bits[at/8]&(1<<(at%8)) != 0
		}
		if table != nil {
			if ok && class < int64(len(table)) {
				code = table[class]
			}
		} else if narrow := C(class); ok && narrow >= 0 && uint64(narrow) == uint64(class) {
			code = narrow
		}
		if code == none {
			misses++
		}
		codes = append(codes, code)
	}
	return codes, misses
}

// checkRecode compares Recode with recoded. The table has the given length, or
// is nil if length is negative. About holes in 8 validity bits are clear; less
// than 0 means no bitmap.
func checkRecode[C onehot.Code, I onehot.Index](t testing.TB, n, length, holes int, seed uint64, raw ...byte) {
	r := rand.New(rand.NewPCG(seed, 3))
	indices := mixed[I](seed, n, max(length, 5))
	copy(view.Bytes(indices), raw)
	var table []C
	if length >= 0 {
		table = make([]C, length)
		large, hasNone := r.IntN(3), r.IntN(2) == 0 // codes that bytes hold go another way, and so do those without none
		for k := range table {
			if table[k] = C(r.IntN(255)); large == 0 {
				table[k] = C(r.Uint64())
			}
			if hasNone && r.IntN(9) == 0 {
				table[k] = ^C(0)
			}
		}
		if large == 1 && length > 0 {
			code := 255
			table[r.IntN(length)] = C(code)
		}
	}
	var valid *onehot.Bitmap
	if holes >= 0 {
		valid = &onehot.Bitmap{Offset: r.IntN(40)}
		valid.Bits = make([]byte, (valid.Offset+n+7)/8+r.IntN(3))
		for k := range valid.Bits {
			for bit := range 8 {
				if r.IntN(8) >= holes {
					valid.Bits[k] |= 1 << bit
				}
			}
			if r.IntN(3) == 0 {
				valid.Bits[k] = byte(-r.IntN(2))
			}
		}
	}
	want, wantMisses := recoded(indices, table, valid)
	what := func() string {
		return fmt.Sprintf("%T of %T, %d indices, table of %d, %d of 8 invalid, seed %d", table, indices, n, length, holes, seed)
	}
	shift := r.IntN(9)
	memory := slices.Repeat([]C{0x55}, shift+n+9)
	pristine, before := slices.Clone(memory), slices.Clone(indices)
	copy(pristine[shift:], want)
	misses, err := onehot.Recode(memory[shift:shift+n+r.IntN(9)], indices, table, valid)
	require.NoError(t, err, what())
	if misses != wantMisses || !sameBits(pristine, memory) {
		require.Equal(t, wantMisses, misses, what())
		require.Equal(t, pristine, memory, what())
	}
	require.True(t, sameBits(before, indices), "the indices were written to: %s", what())

	if unsafe.Sizeof(C(0)) == unsafe.Sizeof(I(0)) { // in place
		same := unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(indices))), n)
		misses, err := onehot.Recode(same, indices, table, valid)
		require.NoError(t, err, what())
		require.Equal(t, wantMisses, misses, what())
		require.True(t, sameBits(want, same) || n == 0, "in place: %s", what())
	}
}

// checkExpandBits compares ExpandBits with a loop over the bits.
func checkExpandBits[V onehot.Value](t testing.TB, planes, n, values, shift int, seed uint64, raw ...byte) {
	on, off := valuesOf[V](values)
	r := rand.New(rand.NewPCG(seed, 4))
	words := (n + 63) / 64
	bits := make([]uint64, planes*words)
	for k := range bits {
		switch bits[k] = r.Uint64() & r.Uint64(); r.IntN(6) {
		case 0:
			bits[k] = 0
		case 1:
			bits[k] = math.MaxUint64
		}
	}
	copy(view.Bytes(bits), raw)
	want, got := newArena[V](planes*n+2, shift), newArena[V](planes*n+2, shift)
	for p := range planes {
		for i := range n {
			cell := off
			if bits[p*words+i/64]>>(i%64)&1 == 1 {
				cell = on
			}
			want.dst()[p*n+i] = cell
		}
	}
	before := slices.Clone(bits)
	require.NoError(t, onehot.ExpandBits(got.dst(), bits, n, on, off))
	requireSame(t, want, got, func() string { return fmt.Sprintf("%d planes of %d %T, seed %d", planes, n, on, seed) })
	require.Equal(t, before, bits)
}
