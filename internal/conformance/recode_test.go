package conformance

import (
	"math"
	"slices"
	"sort"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
	"github.com/go-onehot/onehot/internal/view"
)

func TestRecode(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		seed := uint64(0)
		for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 31, 32, 33, 63, 64, 65, 100, 127, 129, 255, 300, 1000} {
			for _, length := range []int{-1, 0, 1, 2, 5, 16, 17, 64, 128, 200, 255, 256, 257, 1000} {
				for _, holes := range []int{-1, 0, 1, 4, 8} {
					if seed++; testing.Short() && seed%7 != 0 {
						continue
					}
					checkRecode[uint8, uint8](t, n, length, holes, seed)
					checkRecode[uint8, int32](t, n, length, holes, seed)
					checkRecode[int8, int8](t, n, length, holes, seed)
					checkRecode[int16, uint16](t, n, length, holes, seed)
					checkRecode[uint16, int64](t, n, length, holes, seed)
					checkRecode[int32, int32](t, n, length, holes, seed)
					checkRecode[int32, float32](t, n, length, holes, seed)
					checkRecode[uint32, uint64](t, n, length, holes, seed)
					checkRecode[int64, float64](t, n, length, holes, seed)
					checkRecode[uint64, int64](t, n, length, holes, seed)
					checkRecode[uint64, uint64](t, n, length, holes, seed)
					checkRecode[int, int16](t, n, length, holes, seed)
					checkRecode[uint, uint32](t, n, length, holes, seed)
				}
			}
		}
	})
}

// fewestRecoded returns the fewest indices that become codes of that many bytes
// by vectors, through a table of so many entries, or of none.
func fewestRecoded(entries, width int) int {
	return sort.Search(1<<12, func(n int) bool { return plan.Recodes(tier.AVX2Path, n, 1, entries, width, entries == 0) })
}

// The lengths are around those at which vectors begin, the most that a small
// and a medium buffer hold, those of blocks, and what the last takes along.
func TestRecodeBlocks(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		narrow, wide, seed := fewestRecoded(1, 1), fewestRecoded(1, 2), uint64(1000)
		for k, n := range []int{64, narrow - 1, narrow, 191, 192, wide - 1, wide, 575, 576, 2047, 2048, 2049, 2111, 2112, 2113, 4160, 9000} {
			for j, length := range []int{-1, 1, 17, 96, 255, 256} {
				for i, holes := range []int{-1, 1, 8} {
					if seed++; testing.Short() && (k+j+i)%4 != 0 {
						continue
					}
					checkRecode[uint8, uint8](t, n, length, holes, seed)
					checkRecode[int8, int8](t, n, length, holes, seed)
					checkRecode[uint8, int32](t, n, length, holes, seed)
					checkRecode[int32, int32](t, n, length, holes, seed)
					checkRecode[uint64, int64](t, n, length, holes, seed)
					checkRecode[int64, float32](t, n, length, holes, seed)
				}
			}
		}
	})
}

// The indices are their own codes, and some are null. A byte holds all of them,
// or all but one.
func TestRecodeNear(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, n := range []int{fewestRecoded(0, 2) - 1, fewestRecoded(0, 2), 191, 192, 575, 576, 2047, 2111, 2112, 6300} {
			for _, at := range []int{-1, 0, 2047, 2048, 4096, n - 1} {
				checkRecodeNear[int32, int32](t, n, at)
				checkRecodeNear[int32, uint8](t, n, at)
				checkRecodeNear[uint16, int64](t, n, at)
				checkRecodeNear[int64, float32](t, n, at)
				checkRecodeNear[uint64, uint64](t, n, at)
			}
		}
	})
}

// checkRecodeNear sets the index at that place, if there is one, to 255, which
// a byte does not hold as a class, and then to -1, no class in a signed type.
func checkRecodeNear[C onehot.Code, I onehot.Index](t *testing.T, n, at int) {
	t.Helper()
	indices, bits := make([]I, n), make([]byte, n/8+2)
	for i := range indices {
		indices[i] = I(i * 7 % 255)
	}
	for k := range bits {
		bits[k] = byte(k*37 + k/16*11) // different ones in every block
	}
	valid := &onehot.Bitmap{Bits: bits, Offset: 5}
	for _, far := range []int{255, -1} {
		if 0 <= at && at < n {
			indices[at] = I(far)
		}
		want, wantMisses := recoded[C](indices, nil, valid)
		dsts := [][]C{make([]C, n)}
		if unsafe.Sizeof(C(0)) == unsafe.Sizeof(I(0)) { // in place, and therefore last
			dsts = append(dsts, unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(indices))), n))
		}
		before := slices.Clone(indices)
		for _, got := range dsts {
			misses, err := onehot.Recode(got, indices, nil, valid)
			require.NoError(t, err)
			require.Equal(t, wantMisses, misses)
			require.True(t, sameBits(want, got), "%T of %T, %d indices, %v at %d", got, indices, n, far, at)
		}
		copy(indices, before)
	}
}

// Every index of 16 bits goes through every kind of table.
func TestRecodeEveryIndex(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		words := make([]uint16, 1<<16)
		for k := range words {
			words[k] = uint16(k)
		}
		for _, length := range []int{-1, 0, 3, 256, 70_000} {
			var table []uint8
			if length >= 0 {
				table = make([]uint8, length)
				for k := range table {
					table[k] = uint8(k * 7)
				}
			}
			for _, valid := range []*onehot.Bitmap{nil, {Bits: slices.Repeat([]byte{0xff, 0, 0xa5}, 3000), Offset: 5}} {
				want, wantMisses := recoded(words, table, valid)
				got := make([]uint8, len(words))
				misses, err := onehot.Recode(got, words, table, valid)
				require.NoError(t, err)
				require.Equal(t, wantMisses, misses)
				require.True(t, sameBits(want, got))
			}
		}
	})
}

// Every offset of the validity bits, at every length around a word.
func TestRecodeEveryOffset(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		bits := make([]byte, 40)
		for k := range bits {
			bits[k] = byte(k*k*37 + 11)
		}
		indices := make([]int32, 130)
		for k := range indices {
			indices[k] = int32(k % 6)
		}
		table := []int32{5, 4, 3, -1, 1, 0}
		for offset := range 80 {
			for n := 0; n <= len(indices); n += sparse(3) {
				valid := &onehot.Bitmap{Bits: bits[:(offset+n+7)/8], Offset: offset}
				want, wantMisses := recoded(indices[:n], table, valid)
				got := make([]int32, n)
				misses, err := onehot.Recode(got, indices[:n], table, valid)
				require.NoError(t, err)
				require.Equal(t, wantMisses, misses)
				require.True(t, sameBits(want, got), "offset %d, %d indices", offset, n)
			}
		}
	})
}

func TestRecodeErrors(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		memory := make([]uint32, 64)
		for k := range memory {
			memory[k] = 0x01010101
		}
		pristine := slices.Clone(memory)
		check := func(kind error) func(misses int, err error) {
			return func(misses int, err error) {
				t.Helper()
				require.ErrorIs(t, err, kind)
				require.Zero(t, misses)
				require.Equal(t, pristine, memory, "something was written")
			}
		}
		dst, table, bits := memory[:16], memory[16:20], view.Bytes(memory[20:22])
		indices := memory[32:48]
		check(onehot.ErrShort)(onehot.Recode(dst[:15], indices, table, nil))
		check(onehot.ErrShort)(onehot.Recode(dst[:0], indices, nil, nil))
		check(onehot.ErrShape)(onehot.Recode(dst, indices, table, &onehot.Bitmap{Bits: bits, Offset: -1}))
		check(onehot.ErrShape)(onehot.Recode(dst, indices, table, &onehot.Bitmap{Bits: bits, Offset: math.MinInt}))
		check(onehot.ErrShape)(onehot.Recode(dst, indices[:0], table, &onehot.Bitmap{Offset: -1}))
		check(onehot.ErrShort)(onehot.Recode(dst, indices, table, &onehot.Bitmap{Bits: bits, Offset: 49}))
		check(onehot.ErrShort)(onehot.Recode(dst, indices, table, &onehot.Bitmap{Bits: bits, Offset: math.MaxInt}))
		check(onehot.ErrShort)(onehot.Recode(dst, indices, table, &onehot.Bitmap{}))
		check(onehot.ErrShort)(onehot.Recode(dst, indices[:0], table, &onehot.Bitmap{Bits: bits, Offset: 65}))
		check(nil)(onehot.Recode(dst, indices[:0], table, &onehot.Bitmap{Bits: bits, Offset: 64}))
		check(nil)(onehot.Recode(dst[:0], indices[:0], table, nil))

		check(onehot.ErrOverlap)(onehot.Recode(memory[16:32], indices, table, nil))
		check(onehot.ErrOverlap)(onehot.Recode(memory[19:35], indices[8:], table, nil))
		check(onehot.ErrOverlap)(onehot.Recode(memory[33:49], indices, table, nil))
		check(onehot.ErrOverlap)(onehot.Recode(memory[31:47], indices, table, nil))
		check(onehot.ErrOverlap)(onehot.Recode(memory[21:37], memory[48:], table, &onehot.Bitmap{Bits: bits}))
		check(onehot.ErrOverlap)(onehot.Recode(view.Bytes(indices), indices, nil, nil))
		check(onehot.ErrOverlap)(onehot.Recode(dst, view.Bytes(dst)[:16], nil, nil)) // the first elements start together, the second ones do not
		check(onehot.ErrOverlap)(onehot.Recode(indices, indices, indices[3:5], nil))
		check(onehot.ErrOverlap)(onehot.Recode(indices, indices, nil, &onehot.Bitmap{Bits: view.Bytes(indices)}))

		// In place, and side by side.
		for _, at := range []int{16, 32, 48} {
			_, err := onehot.Recode(memory[at:][:16], indices, nil, nil)
			require.NoError(t, err)
		}
		misses, err := onehot.Recode(indices, indices, []uint32{7}, nil)
		require.NoError(t, err)
		require.Equal(t, 16, misses)
		require.Equal(t, slices.Repeat([]uint32{math.MaxUint32}, 16), indices)
	})
}

// A code that is no class is a miss in any call that reads the codes.
func TestRecodeComposes(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		indices := []int32{1, 2, 3, 0, 4, 2, -1}
		valid := &onehot.Bitmap{Bits: []byte{0b1101_1111}} // the sixth is null
		codes := make([]uint8, len(indices))
		misses, err := onehot.Recode(codes, indices, []uint8{255, 0, 1, 2}, valid)
		require.NoError(t, err)
		require.Equal(t, 4, misses)
		require.Equal(t, []uint8{0, 1, 2, 255, 255, 255, 255}, codes)
		rows := make([]uint8, 3*len(codes))
		misses, err = onehot.Encode(rows, codes, onehot.Rows[uint8](3))
		require.NoError(t, err)
		require.Equal(t, 4, misses)
		back := make([]uint8, len(codes))
		invalid, err := onehot.Decode(back, rows, onehot.Rows[uint8](3))
		require.NoError(t, err)
		require.Equal(t, 4, invalid)
		require.Equal(t, codes, back)
	})
}
