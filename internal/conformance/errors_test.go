package conformance

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

func newMemory() *memory {
	m := new(memory)
	for k := range m.words {
		m.words[k] = 0x0101010101010101 // valid as a bool, and as a class in any type
	}
	return m
}

type (
	spec  = onehot.Spec[float32]
	spec8 = onehot.Spec[uint8]
)

// A wrongCall is a call that has to end in one kind of error.
type wrongCall struct {
	name    string
	want    error
	numbers []any // that the message must name
	call    func(m *memory) (int, error)
}

// checkErrors makes wrong calls. Each must write nothing and return an error of
// the wanted kind and no other, which names the numbers.
func checkErrors(t *testing.T, calls []wrongCall) {
	t.Helper()
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range calls {
			t.Run(c.name, func(t *testing.T) {
				m := newMemory()
				misses, err := c.call(m)
				require.ErrorIs(t, err, c.want)
				for _, other := range sentinels {
					if other != c.want {
						assert.NotErrorIs(t, err, other, "an error is of one kind")
					}
				}
				for _, n := range c.numbers {
					assert.Contains(t, err.Error(), fmt.Sprint(n))
				}
				assert.True(t, strings.HasPrefix(err.Error(), "onehot: "), err.Error())
				assert.Zero(t, misses)
				assert.Equal(t, *newMemory(), *m, "a call with an error has written nothing")
			})
		}
	})
}

func TestEncodeErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"depth", onehot.ErrDepth, []any{-3}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: -3}) }},
		{"smallest depth", onehot.ErrDepth, []any{math.MinInt}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: math.MinInt}) }},
		{"depth without indices", onehot.ErrDepth, []any{-3}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), []int8{}, spec{Depth: -3}) }},
		{"depth and nothing else", onehot.ErrDepth, []any{-1}, func(m *memory) (int, error) { return onehot.Encode[float32, int8](nil, nil, spec{Depth: -1}) }},
		{"inner", onehot.ErrShape, []any{-2}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: 3, Inner: -2}) }},
		{"inner without indices", onehot.ErrShape, []any{-2}, func(m *memory) (int, error) {
			return onehot.Encode[float32, int8](m.f32(), nil, spec{Depth: 3, Inner: -2})
		}},
		{"stride", onehot.ErrShape, []any{-7}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: 3, Stride: -7}) }},
		{"stride of one row", onehot.ErrShape, []any{-7}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), one, spec{Depth: 3, Stride: -7}) }},
		{"stride of one block", onehot.ErrShape, []any{-7}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32(), two, spec{Depth: 3, Inner: 2, Stride: -7})
		}},
		{"stride below a row", onehot.ErrShape, []any{4, 5}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: 5, Stride: 4}) }},
		{"stride below a block", onehot.ErrShape, []any{9, 10}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32(), four, spec{Depth: 5, Inner: 2, Stride: 9})
		}},
		{"multiple", onehot.ErrShape, []any{16, 5}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), sixteen, spec{Depth: 2, Inner: 5}) }},
		{"inner beyond the indices", onehot.ErrShape, []any{2, 3}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: 2, Inner: 3}) }},
		{"short", onehot.ErrShort, []any{64, 80}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), sixteen, spec{Depth: 5}) }},
		{"short by one", onehot.ErrShort, []any{5, 6}, func(m *memory) (int, error) { return onehot.Encode(m.f32()[:5], two, spec{Depth: 3}) }},
		{"short by one, though the capacity is there", onehot.ErrShort, []any{0, 1}, func(m *memory) (int, error) { return onehot.Encode(m.f32()[:0], one, spec{Depth: 1}) }},
		{"short with a stride", onehot.ErrShort, []any{12, 13}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32()[:12], two, spec{Depth: 3, Stride: 10})
		}},
		{"short with a stride between blocks", onehot.ErrShort, []any{15, 16}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32()[:15], four, spec{Depth: 3, Inner: 2, Stride: 10})
		}},
		{"nil dst", onehot.ErrShort, []any{0, 3}, func(m *memory) (int, error) { return onehot.Encode(nil, one, spec{Depth: 3}) }},
		{"depth times inner", onehot.ErrTooLarge, []any{math.MaxInt, 2}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32(), two, spec{Depth: math.MaxInt, Inner: 2})
		}},
		{"bytes", onehot.ErrTooLarge, []any{math.MaxInt / 2}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), one, spec{Depth: math.MaxInt / 2}) }},
		{"rows", onehot.ErrTooLarge, []any{math.MaxInt / 8, 16}, func(m *memory) (int, error) { return onehot.Encode(m.u8(), sixteen, spec8{Depth: math.MaxInt / 8}) }},
		{"product that wraps to something small", onehot.ErrTooLarge, []any{math.MaxInt/8 + 1, 16}, func(m *memory) (int, error) {
			return onehot.Encode(m.u8(), sixteen, spec8{Depth: math.MaxInt/8 + 1})
		}},
		{"stride too large", onehot.ErrTooLarge, []any{math.MaxInt}, func(m *memory) (int, error) { return onehot.Encode(m.u8(), two, spec8{Depth: 1, Stride: math.MaxInt}) }},
		{"stride too large, and a plane without gaps", onehot.ErrTooLarge, []any{"Plane 8", math.MaxInt}, func(m *memory) (int, error) {
			return onehot.Encode(m.u8(), sixteen, spec8{Depth: 3, Inner: 8, Plane: 8, Stride: math.MaxInt})
		}},
		{"too large without indices", onehot.ErrTooLarge, []any{math.MaxInt}, func(m *memory) (int, error) {
			return onehot.Encode(m.f32(), []int32{}, spec{Depth: math.MaxInt, Inner: 2})
		}},
		{"negative mode", onehot.ErrValue, []any{2}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), two, spec{Depth: 3, Negative: 2}) }},
		{"negative mode without indices", onehot.ErrValue, []any{255}, func(m *memory) (int, error) {
			return onehot.Encode[float32, int8](nil, nil, spec{Depth: 3, Negative: 255})
		}},
		{"overlap", onehot.ErrOverlap, []any{16, 64}, func(m *memory) (int, error) { return onehot.Encode(m.f32(), m.i32()[4:8], spec{Depth: 4}) }},
		{"overlap of one byte in front", onehot.ErrOverlap, []any{1}, func(m *memory) (int, error) { return onehot.Encode(m.u8()[4:], m.i8()[1:5], spec8{Depth: 3}) }},
		{"overlap of one byte behind", onehot.ErrOverlap, []any{2}, func(m *memory) (int, error) { return onehot.Encode(m.u8(), m.i8()[5:7], spec8{Depth: 3}) }},
		{"overlap of one byte behind few columns", onehot.ErrOverlap, []any{4}, func(m *memory) (int, error) {
			return onehot.Encode(m.u8(), m.i8()[11:15], spec8{Depth: 3, Inner: 2})
		}},
		{"overlap of one byte behind few columns with gaps", onehot.ErrOverlap, []any{4}, func(m *memory) (int, error) {
			return onehot.Encode(m.u8(), m.i8()[13:17], spec8{Depth: 3, Inner: 2, Stride: 8})
		}},
		{"overlap in a gap", onehot.ErrOverlap, []any{5}, func(m *memory) (int, error) {
			return onehot.Encode(m.u8(), m.i8()[5:7], spec8{Depth: 3, Stride: 10})
		}},
		{"overlap in a large output", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.Encode(m.u8(), m.i8()[100:150], spec8{Depth: 5}) }},
	})
}

func TestEncodeParallelErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"depth", onehot.ErrDepth, []any{-3}, func(m *memory) (int, error) { return onehot.EncodeParallel(m.f32(), two, spec{Depth: -3}, 2) }},
		{"short", onehot.ErrShort, []any{64, 80}, func(m *memory) (int, error) { return onehot.EncodeParallel(m.f32(), sixteen, spec{Depth: 5}, 2) }},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.EncodeParallel(m.f32(), m.i32()[4:8], spec{Depth: 4}, -1) }},
		{"too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.EncodeParallel(m.f32(), two, spec{Depth: math.MaxInt}, 0)
		}},
		{"shape", onehot.ErrShape, []any{16, 5}, func(m *memory) (int, error) {
			return onehot.EncodeParallel(m.f32(), sixteen, spec{Depth: 2, Inner: 5}, 2)
		}},
		{"mode", onehot.ErrValue, []any{9}, func(m *memory) (int, error) {
			return onehot.EncodeParallel(m.f32(), sixteen, spec{Depth: 2, Negative: 9}, 2)
		}},
	})
}

func TestUpdateErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"depth", onehot.ErrDepth, []any{-1}, func(m *memory) (int, error) { return onehot.Update(m.f32(), two, two, spec{Depth: -1}) }},
		{"lengths", onehot.ErrShape, []any{2, 4}, func(m *memory) (int, error) { return onehot.Update(m.f32(), two, four, spec{Depth: 2}) }},
		{"multiple", onehot.ErrShape, []any{4, 3}, func(m *memory) (int, error) { return onehot.Update(m.f32(), four, four, spec{Depth: 2, Inner: 3}) }},
		{"short", onehot.ErrShort, []any{3, 8}, func(m *memory) (int, error) { return onehot.Update(m.f32()[:3], four, four, spec{Depth: 2}) }},
		{"overlap with prev", onehot.ErrOverlap, []any{"prev", 28}, func(m *memory) (int, error) { return onehot.Update(m.f32(), m.i32()[7:9], two, spec{Depth: 4}) }},
		{"overlap with next", onehot.ErrOverlap, []any{"next", 28}, func(m *memory) (int, error) { return onehot.Update(m.f32(), two, m.i32()[7:9], spec{Depth: 4}) }},
		{"overlap in a gap", onehot.ErrOverlap, nil, func(m *memory) (int, error) {
			return onehot.Update(m.f32(), two, m.i32()[7:9], spec{Depth: 4, Stride: 20})
		}},
		{"mode", onehot.ErrValue, []any{3}, func(m *memory) (int, error) { return onehot.Update(m.f32(), two, two, spec{Depth: 4, Negative: 3}) }},
		{"too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) { return onehot.Update(m.f32(), two, two, spec{Depth: math.MaxInt}) }},
	})
}

func TestEncodeColumnsErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"depth of a column", onehot.ErrDepth, []any{-2, 1}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3, -2}, spec{})
		}},
		{"depth", onehot.ErrDepth, []any{-1}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two}, []int{3}, spec{Depth: -1})
		}},
		{"sum of depths", onehot.ErrShape, []any{6, 5}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3, 2}, spec{Depth: 6})
		}},
		{"counts", onehot.ErrShape, []any{2, 1}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3}, spec{})
		}},
		{"depths without columns", onehot.ErrShape, []any{0, 1}, func(m *memory) (int, error) {
			return onehot.EncodeColumns[float32, int8](m.f32(), nil, []int{3}, spec{})
		}},
		{"rows", onehot.ErrShape, []any{2, 4}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, four}, []int{3, 3}, spec{})
		}},
		{"rows, the first empty", onehot.ErrShape, []any{0, 4}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{nil, four}, []int{3, 3}, spec{})
		}},
		{"inner", onehot.ErrShape, []any{2}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two}, []int{3}, spec{Inner: 2})
		}},
		{"negative inner", onehot.ErrShape, []any{-2}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two}, []int{3}, spec{Inner: -2})
		}},
		{"stride", onehot.ErrShape, []any{5, 6}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3, 3}, spec{Stride: 5})
		}},
		{"negative stride", onehot.ErrShape, []any{-5}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3, 3}, spec{Stride: -5})
		}},
		{"negative stride without cells", onehot.ErrShape, []any{-5}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{0, 0}, spec{Stride: -5})
		}},
		{"short", onehot.ErrShort, []any{11, 12}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32()[:11], [][]int32{two, two}, []int{3, 3}, spec{})
		}},
		{"sum too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.u8(), [][]int32{two, two}, []int{math.MaxInt, math.MaxInt}, spec8{})
		}},
		{"sum that wraps twice", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.u8(), [][]int32{two, two, two}, []int{math.MaxInt, math.MaxInt, 10}, spec8{})
		}},
		{"bytes", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{math.MaxInt / 4, 4}, spec{})
		}},
		{"overlap", onehot.ErrOverlap, []any{"column 1", 44}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, m.i32()[11:13]}, []int{3, 3}, spec{})
		}},
		{"overlap in a gap", onehot.ErrOverlap, nil, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, m.i32()[11:13]}, []int{3, 3}, spec{Stride: 20})
		}},
		{"overlap with the depth of one column", onehot.ErrOverlap, []any{"depths"}, func(m *memory) (int, error) {
			dst := make([]int, 200)
			dst[0] = 2
			misses, err := onehot.EncodeColumns(dst, [][]int32{make([]int32, 100)}, dst[:1], onehot.Spec[int]{On: 99})
			assert.Equal(t, 2, dst[0])
			return misses, err
		}},
		{"overlap with depths", onehot.ErrOverlap, []any{"depths"}, func(m *memory) (int, error) {
			depths := viewOf[int](m)[2:4]
			was := slices.Clone(depths)
			defer copy(depths, was)
			depths[0], depths[1] = 3, 3
			misses, err := onehot.EncodeColumns(viewOf[int](m), [][]int32{two, two}, depths, onehot.Spec[int]{On: 99})
			assert.Equal(t, []int{3, 3}, depths)
			return misses, err
		}},
		{"mode", onehot.ErrValue, []any{3}, func(m *memory) (int, error) {
			return onehot.EncodeColumns(m.f32(), [][]int32{two, two}, []int{3, 3}, spec{Negative: 3})
		}},
		{"mode without columns", onehot.ErrValue, []any{3}, func(m *memory) (int, error) {
			return onehot.EncodeColumns[float32, int8](nil, nil, nil, spec{Negative: 3})
		}},
	})
}

func TestMultiHotErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"k", onehot.ErrShape, []any{0}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 0, spec{Depth: 3}) }},
		{"negative k", onehot.ErrShape, []any{-2}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, -2, spec{Depth: 3}) }},
		{"smallest k", onehot.ErrShape, []any{math.MinInt}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, math.MinInt, spec{Depth: 3}) }},
		{"k without indices", onehot.ErrShape, []any{0}, func(m *memory) (int, error) { return onehot.MultiHot[float32, int8](m.f32(), nil, 0, spec{Depth: 3}) }},
		{"multiple", onehot.ErrShape, []any{4, 3}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 3, spec{Depth: 3}) }},
		{"inner", onehot.ErrShape, []any{2}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 2, spec{Depth: 3, Inner: 2}) }},
		{"depth", onehot.ErrDepth, []any{-3}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 2, spec{Depth: -3}) }},
		{"stride", onehot.ErrShape, []any{2, 3}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 2, spec{Depth: 3, Stride: 2}) }},
		{"short", onehot.ErrShort, []any{5, 6}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32()[:5], four, 2, spec{Depth: 3}) }},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), m.i32()[5:9], 2, spec{Depth: 3}) }},
		{"too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 2, spec{Depth: math.MaxInt / 2}) }},
		{"mode", onehot.ErrValue, []any{7}, func(m *memory) (int, error) { return onehot.MultiHot(m.f32(), four, 2, spec{Depth: 3, Negative: 7}) }},
	})
}

func TestEncodeBitsErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"depth", onehot.ErrDepth, []any{-1}, func(m *memory) (int, error) { return onehot.EncodeBits(m.u64(), four, -1, onehot.Ignore) }},
		{"mode", onehot.ErrValue, []any{5}, func(m *memory) (int, error) { return onehot.EncodeBits(m.u64(), four, 3, 5) }},
		{"mode without indices", onehot.ErrValue, []any{5}, func(m *memory) (int, error) { return onehot.EncodeBits[int8](nil, nil, 3, 5) }},
		{"short", onehot.ErrShort, []any{5, 6}, func(m *memory) (int, error) {
			return onehot.EncodeBits(m.u64()[:5], make([]int8, 65), 3, onehot.Ignore)
		}},
		{"too large", onehot.ErrTooLarge, []any{math.MaxInt}, func(m *memory) (int, error) {
			return onehot.EncodeBits(m.u64(), make([]int8, 65), math.MaxInt, onehot.Ignore)
		}},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.EncodeBits(m.u64(), m.i64()[2:4], 3, onehot.Ignore) }},
	})
}

func TestEncodeTextErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"nil alphabet", onehot.ErrAlphabet, []any{0}, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), "ACGT", nil, spec8{}) }},
		{"zero alphabet", onehot.ErrAlphabet, []any{0}, func(m *memory) (int, error) {
			return onehot.EncodeText(m.u8(), "ACGT", new(onehot.Alphabet), spec8{Depth: 4})
		}},
		{"nil alphabet without text", onehot.ErrAlphabet, []any{0}, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), "", nil, spec8{}) }},
		{"depth", onehot.ErrDepth, []any{-4}, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), "ACGT", theAlphabet, spec8{Depth: -4}) }},
		{"multiple", onehot.ErrShape, []any{4, 3}, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), "ACGT", theAlphabet, spec8{Inner: 3}) }},
		{"stride", onehot.ErrShape, []any{3, 4}, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), "ACGT", theAlphabet, spec8{Stride: 3}) }},
		{"short", onehot.ErrShort, []any{15, 16}, func(m *memory) (int, error) {
			return onehot.EncodeText(m.u8()[:15], []byte("ACGT"), theAlphabet, spec8{})
		}},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.EncodeText(m.u8(), m.text()[15:19], theAlphabet, spec8{}) }},
		{"overlap with a string", onehot.ErrOverlap, nil, func(m *memory) (int, error) {
			return onehot.EncodeText(m.u8(), unsafe.String(&m.u8()[15], 4), theAlphabet, spec8{})
		}},
		{"mode", onehot.ErrValue, []any{2}, func(m *memory) (int, error) {
			return onehot.EncodeText(m.u8(), "ACGT", theAlphabet, spec8{Negative: 2})
		}},
		{"too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.EncodeText(m.u8(), "ACGT", theAlphabet, spec8{Depth: math.MaxInt})
		}},
	})
}

// wrongRaw returns a RawSpec that is right except for what change does to it.
func wrongRaw(change func(*onehot.RawSpec)) onehot.RawSpec {
	s := onehot.RawSpec{Index: onehot.Int32, Width: 2, On: []byte{1, 2}, Off: []byte{3, 4}, Depth: 3}
	change(&s)
	return s
}

// rawSixteen has the bytes of sixteen.
var rawSixteen = view.Bytes(slices.Clone(sixteen))

func TestEncodeRawErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"index type zero", onehot.ErrValue, []any{0}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Index = 0 }))
		}},
		{"index type unknown", onehot.ErrValue, []any{13}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Index = onehot.Float64 + 1 }))
		}},
		{"index type far out", onehot.ErrValue, []any{255}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), nil, wrongRaw(func(s *onehot.RawSpec) { s.Index = 255 }))
		}},
		{"width", onehot.ErrValue, []any{3}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Width, s.On, s.Off = 3, make([]byte, 3), make([]byte, 3) }))
		}},
		{"width zero", onehot.ErrValue, []any{0}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Width, s.On, s.Off = 0, nil, nil }))
		}},
		{"width negative", onehot.ErrValue, []any{-1}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Width = -1 }))
		}},
		{"width 32", onehot.ErrValue, []any{32}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Width, s.On, s.Off = 32, make([]byte, 32), make([]byte, 32) }))
		}},
		{"on", onehot.ErrValue, []any{3, 2}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.On = make([]byte, 3) }))
		}},
		{"off", onehot.ErrValue, []any{1, 2}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Off = make([]byte, 1) }))
		}},
		{"no off", onehot.ErrValue, []any{0, 2}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Off = nil }))
		}},
		{"bytes of indices", onehot.ErrShape, []any{7, 4}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen[:7], wrongRaw(func(s *onehot.RawSpec) {}))
		}},
		{"multiple", onehot.ErrShape, []any{4, 3}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen[:16], wrongRaw(func(s *onehot.RawSpec) { s.Inner = 3 }))
		}},
		{"stride", onehot.ErrShape, []any{2, 3}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen[:16], wrongRaw(func(s *onehot.RawSpec) { s.Stride = 2 }))
		}},
		{"depth", onehot.ErrDepth, []any{-2}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Depth = -2 }))
		}},
		{"short", onehot.ErrShort, []any{23, 24}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8()[:47], rawSixteen[:32], wrongRaw(func(s *onehot.RawSpec) {}))
		}},
		{"too large", onehot.ErrTooLarge, []any{math.MaxInt}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Depth = math.MaxInt }))
		}},
		{"mode", onehot.ErrValue, []any{4}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), rawSixteen, wrongRaw(func(s *onehot.RawSpec) { s.Negative = 4 }))
		}},
		{"overlap", onehot.ErrOverlap, []any{23}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8(), m.u8()[23:39], wrongRaw(func(s *onehot.RawSpec) {}))
		}},
		{"overlap of one byte", onehot.ErrOverlap, []any{48}, func(m *memory) (int, error) {
			return onehot.EncodeRaw(m.u8()[1:], m.u8()[48:80], wrongRaw(func(s *onehot.RawSpec) {}))
		}},
	})
}

func TestEncodeRawParallelErrors(t *testing.T) {
	checkErrors(t, []wrongCall{
		{"short", onehot.ErrShort, []any{23, 24}, func(m *memory) (int, error) {
			return onehot.EncodeRawParallel(m.u8()[:47], rawSixteen[:32], wrongRaw(func(s *onehot.RawSpec) {}), 3)
		}},
		{"width", onehot.ErrValue, []any{5}, func(m *memory) (int, error) {
			return onehot.EncodeRawParallel(m.u8(), rawSixteen[:32], wrongRaw(func(s *onehot.RawSpec) { s.Width = 5 }), 3)
		}},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) {
			return onehot.EncodeRawParallel(m.u8(), m.u8()[23:39], wrongRaw(func(s *onehot.RawSpec) {}), -4)
		}},
	})
}

func TestDecodeErrors(t *testing.T) {
	decode := spec8{Depth: 4, On: 1}
	checkErrors(t, []wrongCall{
		{"depth", onehot.ErrDepth, []any{-4}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:2], make([]uint8, 8), spec8{Depth: -4, On: 1})
		}},
		{"depth of int8", onehot.ErrDepth, []any{129, 127}, func(m *memory) (int, error) {
			return onehot.Decode(m.i8()[:2], make([]uint8, 1000), spec8{Depth: 129, On: 1})
		}},
		{"depth of int8, no rows", onehot.ErrDepth, []any{129, 127}, func(m *memory) (int, error) {
			return onehot.Decode(m.i8()[:0], nil, spec8{Depth: 129, On: 1})
		}},
		{"depth of int16", onehot.ErrDepth, []any{32769, 32767}, func(m *memory) (int, error) {
			return onehot.Decode(viewOf[int16](m)[:1], make([]uint8, 40000), spec8{Depth: 32769, On: 1})
		}},
		{"multiple", onehot.ErrShape, []any{4, 3}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]uint8, 100), spec8{Depth: 4, On: 1, Inner: 3})
		}},
		{"stride", onehot.ErrShape, []any{3, 4}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]uint8, 100), spec8{Depth: 4, On: 1, Stride: 3})
		}},
		{"short", onehot.ErrShort, []any{15, 16}, func(m *memory) (int, error) { return onehot.Decode(m.i32()[:4], make([]uint8, 15), decode) }},
		{"nil src", onehot.ErrShort, []any{0, 4}, func(m *memory) (int, error) { return onehot.Decode(m.i32()[:1], nil, decode) }},
		{"equal values", onehot.ErrValue, []any{3}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]uint8, 16), spec8{Depth: 4, On: 3, Off: 3})
		}},
		{"equal values, no rows", onehot.ErrValue, []any{0}, func(m *memory) (int, error) { return onehot.Decode(m.i32()[:0], []uint8{}, spec8{Depth: 4}) }},
		{"equal NaNs", onehot.ErrValue, nil, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]float64, 16), onehot.Spec[float64]{Depth: 4, On: math.NaN(), Off: math.NaN()})
		}},
		{"equal strings", onehot.ErrValue, []any{"same"}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]string, 16), onehot.Spec[string]{Depth: 4, On: "same", Off: strings.Clone("same")})
		}},
		{"mode", onehot.ErrValue, []any{8}, func(m *memory) (int, error) {
			return onehot.Decode(m.i32()[:4], make([]uint8, 16), spec8{Depth: 4, On: 1, Negative: 8})
		}},
		{"too large", onehot.ErrTooLarge, nil, func(m *memory) (int, error) {
			return onehot.Decode(viewOf[int](m)[:2], make([]uint8, 16), spec8{Depth: math.MaxInt, On: 1})
		}},
		{"overlap", onehot.ErrOverlap, nil, func(m *memory) (int, error) { return onehot.Decode(m.i32()[:4], m.u8()[15:31], decode) }},
		{"overlap in a gap", onehot.ErrOverlap, nil, func(m *memory) (int, error) {
			return onehot.Decode(m.i8()[4:6], m.u8(), spec8{Depth: 4, Stride: 10, On: 1})
		}},
	})
}

// These calls look wrong and are not.
func TestNoErrors(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		ok := func(wantMisses int) func(int, error) {
			return func(misses int, err error) {
				t.Helper()
				require.NoError(t, err)
				assert.Equal(t, wantMisses, misses)
			}
		}
		untouched := newMemory()

		// Nothing to do.
		m := newMemory()
		ok(0)(onehot.Encode[float32, int64](nil, nil, spec{}))
		ok(0)(onehot.Encode[float32, int64](m.f32(), nil, spec{Depth: 3, Inner: 5, Stride: 100}))
		ok(0)(onehot.Encode[float32, int64](nil, []int64{}, spec{Depth: 1000, Stride: 1}))
		ok(0)(onehot.EncodeParallel[float32, int64](nil, nil, spec{Depth: 3}, 5))
		ok(0)(onehot.Update[float32, int64](nil, nil, nil, spec{Depth: 3}))
		ok(0)(onehot.EncodeColumns[float32, int64](nil, nil, nil, spec{}))
		ok(0)(onehot.EncodeColumns[float32, int64](nil, [][]int64{nil, {}}, []int{3, 4}, spec{Depth: 7}))
		ok(0)(onehot.MultiHot[float32, int64](nil, nil, 3, spec{Depth: 3}))
		ok(0)(onehot.EncodeBits[int64](nil, nil, 5, onehot.Normalize))
		ok(0)(onehot.EncodeRaw(nil, nil, onehot.RawSpec{Index: onehot.Float16, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3}))
		ok(0)(onehot.EncodeRawParallel(nil, nil, onehot.RawSpec{Index: onehot.Float16, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: 3}, 9))
		ok(0)(onehot.Decode[int8](nil, []uint8{1}, spec8{Depth: 3, On: 1}))
		dna, err := onehot.NewAlphabet("ACGT")
		require.NoError(t, err)
		ok(0)(onehot.EncodeText(m.f32(), "", dna, spec{}))
		ok(0)(onehot.EncodeText(m.f32(), []byte(nil), dna, spec{}))

		// Depth 0: nothing is written, every index is a miss.
		for _, n := range []int{1, 3, 200, 100_000} {
			indices := make([]int16, n)
			for _, neg := range modes {
				ok(n)(onehot.Encode(nil, indices, spec{Negative: neg}))
				ok(n)(onehot.Encode(m.f32(), indices, spec{Negative: neg, Inner: n}))
				ok(n)(onehot.Encode(nil, indices, spec{Negative: neg, Inner: n}))
				ok(n)(onehot.Encode(nil, indices, onehot.Spec[string]{Negative: neg, Inner: n}))
				ok(n)(onehot.EncodeParallel(nil, indices, spec{Negative: neg, Inner: n}, 3))
				ok(n)(onehot.Update(nil, indices, indices, spec{Negative: neg, Inner: n}))
				ok(n)(onehot.EncodeBits(nil, indices, 0, neg))
				ok(n)(onehot.MultiHot(nil, indices, 1, spec{Negative: neg}))
				ok(n)(onehot.MultiHot(nil, indices, n, spec{Negative: neg}))
				ok(2 * n)(onehot.EncodeColumns(nil, [][]int16{indices, indices}, []int{0, 0}, spec{Negative: neg}))
			}
			for _, index := range []onehot.IndexType{onehot.Int8, onehot.Float16} {
				s := onehot.RawSpec{Index: index, Width: 16, On: make([]byte, 16), Off: make([]byte, 16), Inner: n}
				if index == onehot.Int8 {
					ok(n)(onehot.EncodeRaw(nil, make([]byte, n), s))
				} else {
					ok(n)(onehot.EncodeRaw(nil, make([]byte, 2*n), s))
					ok(n)(onehot.EncodeRaw(nil, make([]byte, 2*n+1)[1:], s))
				}
			}
			out, misses, err := onehot.AppendEncode(m.f32()[:2:2], indices, spec{Inner: n})
			ok(n)(misses, err)
			assert.Len(t, out, 2)
			dst := make([]int32, n)
			ok(n)(onehot.Decode(dst, nil, onehot.Spec[bool]{On: true}))
			assert.Equal(t, slices.Repeat([]int32{-1}, n), dst)
		}
		miss, word := float32(0.25), "?"
		for n := 1; n <= 200; n++ { // with a Miss, too
			indices := make([]int16, 2*n)
			for _, inner := range []int{0, n, 2 * n} {
				ok(2 * n)(onehot.Encode(nil, indices, spec{Inner: inner, Miss: &miss}))
				ok(2 * n)(onehot.Encode(m.f32(), indices, spec{Inner: inner, Miss: &miss}))
				ok(2 * n)(onehot.Encode(nil, indices, onehot.Spec[string]{Inner: inner, Miss: &word}))
				ok(2 * n)(onehot.EncodeRaw(nil, make([]byte, 2*n), onehot.RawSpec{Index: onehot.Int8, Width: 2, On: make([]byte, 2), Off: make([]byte, 2), Miss: make([]byte, 2), Inner: inner}))
			}
		}
		// EncodeBits with more words than a tile has.
		if n := 3 << 20; !testing.Short() {
			ok(n)(onehot.EncodeBits(nil, make([]int8, n), 0, onehot.Ignore))
		}
		assert.Equal(t, untouched, m)
	})
}

func TestTouchingIsNoOverlap(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{2, 20} {
			m := newMemory()
			in := m.i8()[:n]
			for k := range in {
				in[k] = int8(k % 3)
			}
			copy(m.i8()[4*n:5*n], in)
			want := make([]uint8, 3*n)
			defined(want, in, spec8{Depth: 3, On: 5})
			for _, indices := range [][]int8{in, m.i8()[4*n : 5*n]} {
				misses, err := onehot.Encode(m.u8()[n:4*n], indices, spec8{Depth: 3, On: 5})
				require.NoError(t, err)
				assert.Zero(t, misses)
				assert.Equal(t, want, m.u8()[n:4*n])
			}
			// The part of dst beyond the output may hold the indices.
			misses, err := onehot.Encode(m.u8()[n:], m.i8()[4*n:5*n], spec8{Depth: 3, On: 5})
			require.NoError(t, err)
			assert.Zero(t, misses)
			// Behind the last block there is no gap.
			_, err = onehot.Encode(m.u8(), m.i8()[13:15], spec8{Depth: 3, Stride: 10})
			require.NoError(t, err)
		}
	})
}

func TestInputsMayOverlap(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		column := mixed[int32](1, 101, 5)
		s := onehot.Spec[uint16]{On: 3, Off: 4}
		dst, want := make([]uint16, 100*10), make([]uint16, 100*10)
		misses, err := onehot.EncodeColumns(dst, [][]int32{column[:100], column[1:]}, []int{5, 5}, s)
		require.NoError(t, err)
		other := slices.Clone(column[1:])
		separate, err := onehot.EncodeColumns(want, [][]int32{column[:100], other}, []int{5, 5}, s)
		require.NoError(t, err)
		assert.Equal(t, separate, misses)
		assert.Equal(t, want, dst)

		s.Depth = 5
		_, err = onehot.Encode(dst, column[:100], s)
		require.NoError(t, err)
		_, err = onehot.Update(dst, column[:100], column[1:], s)
		require.NoError(t, err)
		_, err = onehot.Encode(want, other, s)
		require.NoError(t, err)
		assert.Equal(t, want[:500], dst[:500])
	})
}

func TestAbsurdSpecs(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, depth := range absurd {
			for _, inner := range absurd {
				for k := 0; k < len(absurd); k += sparse(3) {
					stride := absurd[(k+depth&1)%len(absurd)]
					for k, n := range []int{0, 1, 2, 6} {
						length := []int{40, 0, 11, 5}[(k+depth+inner+stride)&3]
						neg := []onehot.Negative{0, 1, 0, 1, 0, 1, 2, 255}[(k^depth^inner^stride)&7]
						callAbsurdly(t, length, n, depth, inner, stride, neg)
					}
				}
			}
		}
	})
}

func TestAppendEncodeErrors(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		m := newMemory()
		dst := m.u8()[:10]
		check := func(want error, out []uint8, misses int, err error) {
			t.Helper()
			require.ErrorIs(t, err, want)
			assert.Zero(t, misses)
			assert.Len(t, out, 10)
			assert.Equal(t, cap(dst), cap(out))
			assert.Equal(t, &dst[0], &out[0], "dst comes back as it was")
			assert.True(t, bytes.Equal(newMemory().u8(), m.u8()), "and nothing behind it was written to")
		}
		try := func(want error, indices []int8, s spec8) {
			t.Helper()
			out, misses, err := onehot.AppendEncode(dst, indices, s)
			check(want, out, misses, err)
		}
		in := []int8{0, 1, 2, 3}
		try(onehot.ErrDepth, in, spec8{Depth: -1})
		try(onehot.ErrShape, in, spec8{Depth: 2, Inner: -1})
		try(onehot.ErrShape, in, spec8{Depth: 2, Inner: 3})
		try(onehot.ErrShape, in, spec8{Depth: 2, Stride: 1})
		try(onehot.ErrValue, in, spec8{Depth: 2, Negative: 2})
		try(onehot.ErrTooLarge, in, spec8{Depth: math.MaxInt / 2})
		try(onehot.ErrTooLarge, in[:1], spec8{Depth: math.MaxInt - 4}) // fits an int, but not after dst
		try(onehot.ErrOverlap, m.i8()[12:16], spec8{Depth: 2})
		try(onehot.ErrOverlap, m.i8()[12:14], spec8{Depth: 2, Stride: 5}) // in a gap
		if bits.UintSize == 64 {
			try(onehot.ErrTooLarge, in[:1], spec8{Depth: math.MaxInt - 11})
			try(onehot.ErrTooLarge, in[:1], spec8{Depth: math.MaxInt >> 8}) // 2^55: fits an int, but no address space
			_, misses, err := onehot.AppendEncode(nil, in[:1], onehot.Spec[complex128]{Depth: math.MaxInt >> 12})
			require.ErrorIs(t, err, onehot.ErrTooLarge)
			assert.Zero(t, misses)
		}
	})
}
