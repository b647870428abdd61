//go:build arm64 && !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

type (
	marksKernel  func(words unsafe.Pointer, stride int, classes *int32, n, first, count int)
	spreadKernel func(dst unsafe.Pointer, stride int, words unsafe.Pointer, apart, rows, cells int, on, off uint64)
	differKernel func(words, a, b unsafe.Pointer, n int)
)

// wordKernels are a tier's kernels that write words of a bit a cell, or cells from words; each architecture lists its own in wordTiers. Maps
// are keyed by element bits.
type wordKernels struct {
	name   string
	vector int // bytes
	marks  marksKernel
	spread map[int]spreadKernel
	differ map[int]differKernel
}

// eachWordTier runs body for every tier that this processor has.
func eachWordTier(t *testing.T, body func(t *testing.T, k wordKernels)) {
	eachKernelTier(t, func(t *testing.T, tier kernelTier) {
		for _, k := range wordTiers {
			if k.name == tier.name {
				body(t, k)
			}
		}
	})
}

func TestMarksKernels(t *testing.T) {
	eachWordTier(t, func(t *testing.T, k wordKernels) {
		dst, src := newArena(t, 1<<14), newArena(t, 1<<12)
		r := rand.New(rand.NewPCG(25, 26))
		for n := 8; n <= 160; n += 8 {
			for first := range 64 {
				for _, s := range spots(n % 64)[first%3:][:1] {
					checkMarks(t, k.marks, dst, src, s, r, n, first)
				}
			}
		}
	})
}

func checkMarks(t *testing.T, kernel marksKernel, dst, src arena, s spot, r *rand.Rand, n, first int) {
	t.Helper()
	depth := 1 + r.IntN([]int{3, 64, 300}[r.IntN(3)])
	count := (first+depth-1)/64 + 1
	if r.IntN(4) == 0 { // bits that are in none of the planes
		count = 1 + r.IntN(count)
	}
	stride := n*8 + r.IntN(3)*8
	in, _ := src.buffer(n*4, s)
	out, intact := dst.buffer((count-1)*stride+n*8, s)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	want := bytes.Clone(out)
	for p := range count {
		if p > 0 || first == 0 {
			clear(want[p*stride:][:n*8])
		}
	}
	for i := range n {
		class := int32(r.IntN(depth))
		switch r.IntN(8) {
		case 0:
			class = -1
		case 1:
			class = []int32{0, int32(depth - 1), 1<<31 - 1, 1<<31 - 65, 1 << 30}[r.IntN(5)]
		}
		put(in, i, 4, uint64(class))
		if at := int(class) + first; class >= 0 && at/64 < count {
			want[at/64*stride+i*8+at%64/8] |= 1 << (at % 8)
		}
	}
	kernel(pointer(out), stride, classPointer(in), n, first, count)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("marks n=%d first=%d count=%d stride=%d %s: wrong, intact %v", n, first, count, stride, s.name, intact())
	}
}

func TestSpreadKernels(t *testing.T) {
	eachWordTier(t, func(t *testing.T, k wordKernels) {
		dst, src := newArena(t, 1<<16), newArena(t, 1<<12)
		r := rand.New(rand.NewPCG(27, 28))
		for width, kernel := range k.spread {
			for cells := 1; cells <= 300; cells++ {
				for _, s := range spots(cells % 64) {
					checkSpread(t, kernel, dst, src, s, r, width, k.vector, cells)
				}
			}
		}
	})
}

func checkSpread(t *testing.T, kernel spreadKernel, dst, src arena, s spot, r *rand.Rand, width, vector, cells int) {
	t.Helper()
	on, off := values(r)
	size, rows, gap := width/8, 1+r.IntN(9), r.IntN(2)*r.IntN(80)
	stride, behind := cells*size+gap, (cells*size+vector-1)/vector*vector
	apart := rows*8 + r.IntN(3)*8
	in, _ := src.buffer((cells-1)/64*apart+rows*8, s)
	for i := range in {
		in[i] = byte(r.Uint32() & r.Uint32())
	}
	out, intact := dst.buffer((rows-1)*stride+behind, s)
	kernel(pointer(out), stride, pointer(in), apart, rows, cells, on, off)
	for row := range rows {
		want := make([]byte, cells*size)
		for c := range cells {
			put(want, c, size, off)
			if in[c/64*apart+row*8+c%64/8]>>(c%8)&1 != 0 {
				put(want, c, size, on)
			}
		}
		got := out[row*stride:][:cells*size]
		untouched := out[:0]
		if row < rows-1 && behind < stride {
			untouched = out[row*stride:][behind:stride]
		}
		if !bytes.Equal(want, got) || bytes.Count(untouched, []byte{canary}) != len(untouched) || !intact() {
			t.Fatalf("spread%d row %d of %d, cells=%d stride=%d apart=%d %s: wrong, intact %v", width, row, rows, cells, stride, apart, s.name, intact())
		}
	}
}

func TestDifferKernels(t *testing.T) {
	eachWordTier(t, func(t *testing.T, k wordKernels) {
		dst, a, b := newArena(t, 1<<12), newArena(t, 1<<13), newArena(t, 1<<13)
		r := rand.New(rand.NewPCG(29, 30))
		for width, kernel := range k.differ {
			for n := 64; n <= 700; n++ {
				for _, s := range spots(n % 64) {
					checkDiffer(t, kernel, dst, a, b, s, r, width, n)
				}
			}
		}
	})
}

func checkDiffer(t *testing.T, kernel differKernel, dst, first, second arena, s spot, r *rand.Rand, width, n int) {
	t.Helper()
	size := width / 8
	a, _ := first.buffer(n*size, s)
	b, _ := second.buffer(n*size, s)
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	copy(b, a)
	out, intact := dst.buffer((n+63)/64*8, s)
	want, share := make([]byte, len(out)), []int{0, 20, 256}[r.IntN(3)]
	for i := range n {
		if r.IntN(256) < share { // by a single bit
			b[i*size+r.IntN(size)] ^= 1 << r.IntN(8)
			want[i/8] |= 1 << (i % 8)
		}
	}
	kernel(pointer(out), pointer(a), pointer(b), n)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("differ%d n=%d %s: wrong, intact %v", width, n, s.name, intact())
	}
}
