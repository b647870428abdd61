package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/view"
)

// A memory is 256 bytes seen through several types, so that outputs and inputs
// can share it.
type memory struct{ words [32]uint64 }

func (m *memory) u8() []uint8 { return view.Bytes(m.words[:]) }

func (m *memory) i8() []int8 { return viewOf[int8](m) }

func (m *memory) i32() []int32 { return viewOf[int32](m) }

func (m *memory) f32() []float32 { return viewOf[float32](m) }

func (m *memory) i64() []int64 { return viewOf[int64](m) }

func (m *memory) u64() []uint64 { return m.words[:] }

func (m *memory) text() []textByte { return viewOf[textByte](m) }

type textByte = byte

func viewOf[T any](m *memory) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(m)), int(unsafe.Sizeof(m.words))/view.Size[T]())
}

var sentinels = []error{
	onehot.ErrDepth, onehot.ErrShape, onehot.ErrShort, onehot.ErrOverlap, onehot.ErrTooLarge, onehot.ErrValue, onehot.ErrAlphabet,
}

// sixteen has indices for calls that are wrong in another argument.
var sixteen = []int32{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}

// The first one, two and four of sixteen.
var one, two, four = sixteen[:1], sixteen[:2], sixteen[:4]

// violations returns the kinds of error that the rules allow for a call of
// Encode; none if the call is right.
func violations(dst, n, width, depth, inner, stride int, neg onehot.Negative) (allowed []error) {
	number := func(x int) *big.Int { return big.NewInt(int64(x)) }
	if depth < 0 {
		allowed = append(allowed, onehot.ErrDepth)
	}
	if inner < 0 || stride < 0 {
		allowed = append(allowed, onehot.ErrShape)
	}
	if neg > 1 {
		allowed = append(allowed, onehot.ErrValue)
	}
	if depth < 0 || inner < 0 || stride < 0 {
		return allowed
	}
	inner = max(inner, 1)
	if n%inner != 0 {
		allowed = append(allowed, onehot.ErrShape)
	}
	outer := n / inner
	block := new(big.Int).Mul(number(depth), number(inner))
	step := number(stride)
	if stride == 0 {
		step = block
	}
	if outer >= 2 && step.Cmp(block) < 0 {
		allowed = append(allowed, onehot.ErrShape)
	}
	need := new(big.Int).Set(block)
	if outer > 1 {
		need.Add(need, new(big.Int).Mul(number(outer-1), step))
	}
	if depth == 0 { // no cells, whatever the Stride
		need = new(big.Int)
	}
	bytes := new(big.Int).Mul(need, number(width))
	if bytes.Cmp(number(math.MaxInt)) > 0 {
		allowed = append(allowed, onehot.ErrTooLarge)
	}
	if n > 0 && need.Cmp(number(dst)) > 0 {
		allowed = append(allowed, onehot.ErrShort)
	}
	return allowed
}

// requireKind fails unless err is of a kind that is allowed, or nil if none is.
func requireKind(t testing.TB, allowed []error, err error, misses int, what func() string) {
	if len(allowed) == 0 && err == nil {
		return
	}
	if err == nil || misses != 0 || !slices.ContainsFunc(allowed, func(kind error) bool { return errors.Is(err, kind) }) {
		require.Failf(t, "wrong error", "%v with %d misses, allowed are %v: %s", err, misses, allowed, what())
	}
}

// absurd has numbers, most of them absurd, to pass for any argument.
var absurd = []int{
	math.MinInt, math.MinInt + 1, math.MinInt / 2, -1, 0, 1, 2, 3, 7, math.MaxInt32 / 2, math.MaxInt32, math.MaxInt / 4, math.MaxInt/4 + 1,
	math.MaxInt/2 + 1, math.MaxInt - 1, math.MaxInt,
}

// callAbsurdly calls every function with numbers that are probably wrong. None
// may panic, errors must be of a kind that is allowed, and then nothing is
// written.
func callAbsurdly(t testing.TB, length, n, depth, inner, stride int, neg onehot.Negative) {
	what := func() string {
		return fmt.Sprintf("dst of %d, %d indices, Depth %d, Inner %d, Stride %d, Negative %d", length, n, depth, inner, stride, neg)
	}
	memory := make([]uint16, 40)
	for k := range memory {
		memory[k] = 0xA5A5
	}
	pristine := slices.Clone(memory)
	out, indices := memory[:length], []int8{0, 1, 2, -1, -2, 100, 0, 1}[:n]
	verify := func(allowed []error, misses int, err error) {
		requireKind(t, allowed, err, misses, what)
		if err != nil && !slices.Equal(memory, pristine) {
			require.Fail(t, "written to in spite of an error", what())
		}
		copy(memory, pristine)
	}
	s := onehot.Spec[uint16]{Depth: depth, Inner: inner, Stride: stride, Negative: neg, On: 0x3c00, Off: 1}
	raw := onehot.RawSpec{Index: onehot.Int8, Width: 2, On: []byte{1, 2}, Off: []byte{3, 4}, Depth: depth, Inner: inner, Stride: stride, Negative: neg}

	// These follow the rules of Encode.
	allowed := violations(length, n, 2, depth, inner, stride, neg)
	check := func(misses int, err error) { verify(allowed, misses, err) }
	check(onehot.Encode(out, indices, s))
	check(onehot.EncodeParallel(out, indices, s, inner))
	check(onehot.Update(out, indices, indices, s))
	check(onehot.EncodeRaw(view.Bytes(out), view.Bytes(indices), raw))
	check(onehot.EncodeRawParallel(view.Bytes(out), view.Bytes(indices), raw, stride))
	if depth != 0 {
		check(onehot.EncodeText(out, view.Bytes(indices), theAlphabet, s))
	}

	// The others have rules of their own on top.
	anything := func(misses int, err error) {
		if err == nil {
			copy(memory, pristine)
			return
		}
		verify(sentinels, misses, err)
	}
	anything(onehot.MultiHot(out, indices, inner, s))
	anything(onehot.MultiHot(out, indices, max(n, 1), s))
	anything(onehot.EncodeColumns(out, [][]int8{indices, indices}, []int{depth, inner}, s))
	anything(onehot.EncodeColumns(out, [][]int8{indices, indices}, []int{depth, 0}, onehot.Spec[uint16]{Stride: stride}))
	anything(onehot.EncodeColumns(out, [][]int8{indices}, []int{depth}, s))
	anything(onehot.EncodeBits(make([]uint64, length/4), indices, depth, neg))
	anything(onehot.Decode(make([]int8, n), out, s))
	anything(0, onehot.ExpandBits(out, make([]uint64, length/4), inner, 1, 0))
	anything(onehot.Recode(out, indices, nil, &onehot.Bitmap{Bits: view.Bytes(out), Offset: depth}))
	anything(onehot.Recode(out, indices, []uint16{1}, &onehot.Bitmap{Bits: view.Bytes(indices), Offset: stride}))
	raw.Index, raw.Width = onehot.IndexType(stride), inner
	anything(onehot.EncodeRaw(view.Bytes(out), view.Bytes(indices), raw))

	// AppendEncode would allocate several GiB: it is called only if it has to fail.
	if wrong := violations(math.MaxInt, n, 2, depth, inner, stride, neg); len(wrong) > 0 {
		same, misses, err := onehot.AppendEncode(out, indices, s)
		verify(wrong, misses, err)
		if len(same) != length {
			require.Fail(t, "dst is not as it was", what())
		}
	}
}

var theAlphabet = func() *onehot.Alphabet {
	a, err := onehot.NewAlphabet("ACGT")
	must(0, err)
	return a
}()
