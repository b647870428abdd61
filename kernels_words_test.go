//go:build (amd64 || arm64) && !purego && (linux || darwin)

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

	setMarksKernel  func(words unsafe.Pointer, apart int, classes *int32, rows, k, pairs int)
	lightSetsKernel func(dst unsafe.Pointer, stride int, classes *int32, rows, k int, on uint64, spare unsafe.Pointer)
)

// wordKernels are a tier's kernels that write words of a bit a cell, or cells from words; each architecture lists its own in wordTiers, and in
// lightSetsKernels those that belong to no tier. Maps are keyed by element bits.
type wordKernels struct {
	name   string
	vector int // bytes
	marks  marksKernel
	spread map[int]spreadKernel
	differ map[int]differKernel

	// What makes bits of sets, of least classes or more; nil where the tier does not.
	setMarks setMarksKernel
	least    int
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
				checkMarks(t, k.marks, dst, src, spots(n % 64)[first%3], r, n, first)
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
	for i, class := range roundDepth(r, n, depth) {
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

// roundDepth draws classes: those below a depth, the first and the last of them again and again, some that are far behind it, and misses.
func roundDepth(r *rand.Rand, n, depth int) []int32 {
	classes := make([]int32, n)
	misses := []int{1, 1, 1, 8}[r.IntN(4)] // in 8: now and then there is nothing else
	for i := range classes {
		switch u := r.IntN(8); {
		case u < misses:
			classes[i] = -1
		case u == misses:
			classes[i] = []int32{0, int32(depth - 1), int32(depth), 1<<31 - 1, 1<<31 - 65, 1 << 30}[r.IntN(6)]
		default:
			classes[i] = int32(r.IntN(depth))
		}
	}
	return classes
}

func TestSetMarksKernels(t *testing.T) {
	eachWordTier(t, func(t *testing.T, kernels wordKernels) {
		if kernels.setMarks == nil {
			t.Skip("the tier makes no bits of sets")
		}
		dst, src := newArena(t, 1<<13), newArena(t, 1<<15)
		r := rand.New(rand.NewPCG(31, 32))
		for k := kernels.least; k <= 70; k++ {
			for pairs := 1; pairs <= 4; pairs++ {
				for _, s := range spots(k % 64) {
					checkSetMarks(t, kernels.setMarks, dst, src, s, r, 1+r.IntN(20), k, pairs)
				}
			}
		}
		for _, k := range []int{100, 127, 128, 129, 255, 256} {
			checkSetMarks(t, kernels.setMarks, dst, src, atTail, r, 1+r.IntN(20), k, 1+r.IntN(9))
		}
	})
}

func checkSetMarks(t *testing.T, kernel setMarksKernel, dst, src arena, s spot, r *rand.Rand, rows, k, pairs int) {
	t.Helper()
	depth := 128*pairs - r.IntN(128)
	if r.IntN(4) == 0 { // bits that are in none of the planes
		depth = 1000
	}
	apart := (rows + r.IntN(3)) * 8
	in, _ := src.buffer(rows*k*4, s)
	out, intact := dst.buffer((2*pairs-1)*apart+rows*8, s)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	want := bytes.Clone(out)
	for p := range 2 * pairs {
		clear(want[p*apart:][:rows*8])
	}
	for i, class := range roundDepth(r, rows*k, depth) {
		put(in, i, 4, uint64(class))
		if at := int(class); at >= 0 && at/64 < 2*pairs {
			want[at/64*apart+i/k*8+at%64/8] |= 1 << (at % 8)
		}
	}
	kernel(pointer(out), apart, classPointer(in), rows, k, pairs)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("setMarks rows=%d k=%d pairs=%d apart=%d %s: wrong, intact %v", rows, k, pairs, apart, s.name, intact())
	}
}

func TestLightSetsKernels(t *testing.T) {
	dst, src, spare := newArena(t, 1<<16), newArena(t, 1<<14), newArena(t, 1<<12)
	r := rand.New(rand.NewPCG(33, 34))
	for width, kernel := range lightSetsKernels {
		for k := 1; k <= 70; k++ {
			for _, s := range spots(k % 64) {
				checkLightSets(t, kernel, dst, src, spare, s, r, width, 1+r.IntN(20), k)
			}
		}
	}
}

func checkLightSets(t *testing.T, kernel lightSetsKernel, dst, src, other arena, s spot, r *rand.Rand, width, rows, k int) {
	t.Helper()
	size, depth := width/8, 1+r.IntN([]int{3, 64, 300}[r.IntN(3)])
	stride := (depth + r.IntN(2)*r.IntN(20)) * size
	in, _ := src.buffer(rows*k*4, s)
	spare, spareIntact := other.buffer(size, s)
	out, intact := dst.buffer((rows-1)*stride+depth*size, s)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	want, wantSpare := bytes.Clone(out), bytes.Clone(spare)
	on := r.Uint64()
	for i, class := range randomClasses(r, rows*k, depth) {
		put(in, i, 4, uint64(class))
		if class < 0 {
			put(wantSpare, 0, size, on)
		} else {
			put(want[i/k*stride:], int(class), size, on)
		}
	}
	kernel(pointer(out), stride, classPointer(in), rows, k, on, pointer(spare))
	if !bytes.Equal(want, out) || !bytes.Equal(wantSpare, spare) || !intact() || !spareIntact() {
		t.Fatalf("lightSets%d rows=%d k=%d depth=%d stride=%d %s: wrong, spare %x and not %x, intact %v and %v",
			width, rows, k, depth, stride, s.name, spare, wantSpare, intact(), spareIntact())
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
	if r.IntN(4) == 0 {
		on, off = nans[r.IntN(len(nans))], nans[r.IntN(len(nans))]
	}
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

// nans are NaNs, quiet and signalling, and zeros of either sign, of every width of float: what a comparison or a blend of floats gets wrong.
var nans = []uint64{
	0, 1 << 63, 0x80008000_80008000, 0x7ff8000000000000, 0xfff4000000000001, 0x7fc00000_7fc00000, 0xffa00001_ffa00001, 0x7e007e00_7e007e00, 0xfc01fc01_fc01fc01,
}

func TestDifferKernels(t *testing.T) {
	eachWordTier(t, func(t *testing.T, k wordKernels) {
		dst, a, b := newArena(t, 1<<12), newArena(t, 1<<13), newArena(t, 1<<13)
		r := rand.New(rand.NewPCG(29, 30))
		for width, kernel := range k.differ {
			for n := 64; n <= 330; n++ {
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
	for i := range n { // which a comparison of floats takes for others, or for each other
		if r.IntN(4) == 0 {
			put(a, i, size, nans[r.IntN(len(nans))])
		}
	}
	copy(b, a)
	out, intact := dst.buffer((n+63)/64*8, s)
	want, share := make([]byte, len(out)), []int{0, 20, 256}[r.IntN(3)]
	for i := range n {
		if r.IntN(256) < share { // by a single bit, of a float often its sign
			bit := []int{r.IntN(width), width - 1}[r.IntN(2)]
			b[i*size+bit/8] ^= 1 << (bit % 8)
			want[i/8] |= 1 << (i % 8)
		}
	}
	kernel(pointer(out), pointer(a), pointer(b), n)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("differ%d n=%d %s: wrong, intact %v", width, n, s.name, intact())
	}
}
