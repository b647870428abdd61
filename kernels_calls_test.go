//go:build (amd64 || arm64) && !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type (
	textKernel    func(classes *int32, text unsafe.Pointer, n int, table unsafe.Pointer, rows int, limit int32) int
	bitsKernel    func(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int)
	hitsKernel    func(words, cells unsafe.Pointer, n int, on, off uint64) int
	collectKernel func(lanes, cells unsafe.Pointer, stride, n, first, count int, on, off uint64) int
)

// callKernels are a tier's kernels for EncodeText, EncodeBits and Decode; each architecture lists its own in callTiers. Maps are keyed by
// element bits.
type callKernels struct {
	name    string
	vector  int // bytes
	text    textKernel
	bits    bitsKernel
	hits    map[int]hitsKernel
	collect map[int]collectKernel
}

// eachCallTier runs body for every tier that this processor has.
func eachCallTier(t *testing.T, body func(t *testing.T, k callKernels)) {
	eachKernelTier(t, func(t *testing.T, tier kernelTier) {
		for _, k := range callTiers {
			if k.name == tier.name {
				body(t, k)
			}
		}
	})
}

func TestTextKernels(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i*7 + 3)
	}
	eachCallTier(t, func(t *testing.T, k callKernels) {
		dst, src := newArena(t, 1<<11), newArena(t, 1<<11)
		r := rand.New(rand.NewPCG(21, 22))
		for _, symbols := range []string{"ACGT", "z", "\x00\xff\x80\x7f", string(every[:255]), string(every), string(every[100:170])} {
			a, err := NewAlphabet(symbols)
			require.NoError(t, err)
			for n := 64; n <= 300; n++ {
				for _, s := range spots(n % 64) {
					checkText(t, k.text, dst, src, s, r, a, n)
				}
			}
		}
	})
}

func checkText(t *testing.T, kernel textKernel, dst, src arena, s spot, r *rand.Rand, a *Alphabet, n int) {
	t.Helper()
	in, _ := src.buffer(n, s)
	out, intact := dst.buffer(n*4, s)
	limit, want, misses := int32(1+r.IntN(a.Len())), make([]byte, n*4), 0
	if n%2 == 0 {
		limit = int32(a.Len())
	}
	for i := range in {
		in[i] = byte(r.IntN(256))
		if n%3 > 0 {
			in[i] = a.symbols[r.IntN(a.Len())]
		}
		class := int32(strings.IndexByte(a.symbols, in[i]))
		if class < 0 || class >= limit {
			class = -1
			misses++
		}
		put(want, i, 4, uint64(class))
	}
	got := kernel(classPointer(out), pointer(in), n, unsafe.Pointer(&a.lookup), a.lookup.count, limit)
	if !bytes.Equal(want, out) || !intact() || got != misses {
		t.Fatalf("text %q n=%d limit=%d %s: wrong, or %d misses and not %d, intact %v", a.symbols, n, limit, s.name, got, misses, intact())
	}
}

func TestBitsKernels(t *testing.T) {
	eachCallTier(t, func(t *testing.T, k callKernels) {
		dst, src := newArena(t, 1<<16), newArena(t, 1<<15)
		r := rand.New(rand.NewPCG(15, 16))
		for words := 1; words <= 24; words++ {
			for _, s := range spots(0, 8, 1, 63) {
				checkBits(t, k.bits, dst, src, s, r, 64*words)
			}
		}
	})
}

func checkBits(t *testing.T, kernel bitsKernel, dst, src arena, s spot, r *rand.Rand, n int) {
	t.Helper()
	count := 1 + r.IntN([]int{7, 40, 256}[r.IntN(3)])
	first := r.IntN(257 - count)
	in, _ := src.buffer(n, s)
	for i := range in {
		in[i] = byte(first - 1 + r.IntN(count+2))
	}
	stride := n/8 + r.IntN(3)*8
	out, intact := dst.buffer((count-1)*stride+n/8, s)
	want := bytes.Clone(out)
	for p := range count {
		run := want[p*stride:][:n/8]
		clear(run)
		for i, c := range in {
			if int(c) == first+p {
				run[i/8] |= 1 << (i % 8)
			}
		}
	}
	kernel(pointer(out), stride, pointer(in), n, first, count)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("bits n=%d first=%d count=%d stride=%d %s: wrong, intact %v", n, first, count, stride, s.name, intact())
	}
}

// cellsOf draws n cells: share in 256 of them on, and, where strange, one neither on nor off, though by a single bit.
func cellsOf(r *rand.Rand, in []byte, size, n, share int, on, off uint64, strange bool) (lit []bool) {
	lit = make([]bool, n)
	for i := range lit {
		lit[i] = r.IntN(256) < share
		x := off
		if lit[i] {
			x = on
		}
		put(in, i, size, x)
	}
	if strange {
		x := on ^ 1<<r.IntN(8*size)
		if x<<(64-8*size) == off<<(64-8*size) {
			x = ^off
		}
		if x<<(64-8*size) != on<<(64-8*size) {
			put(in, r.IntN(n), size, x)
		} else {
			strange = false
		}
	}
	return lit
}

func TestHitsKernels(t *testing.T) {
	eachCallTier(t, func(t *testing.T, k callKernels) {
		dst, src := newArena(t, 1<<12), newArena(t, 1<<14)
		r := rand.New(rand.NewPCG(17, 18))
		for width, kernel := range k.hits {
			for n := 64; n <= 700; n++ {
				for _, s := range spots(n % 64) {
					checkHits(t, kernel, dst, src, s, r, width, n, n%3 == 0)
				}
			}
		}
	})
}

func checkHits(t *testing.T, kernel hitsKernel, dst, src arena, s spot, r *rand.Rand, width, n int, strange bool) {
	t.Helper()
	on, off := values(r)
	in, _ := src.buffer(n*width/8, s)
	lit := cellsOf(r, in, width/8, n, []int{0, 20, 256}[r.IntN(3)], on, off, strange)
	out, intact := dst.buffer((n+63)/64*8, s)
	want := make([]byte, len(out))
	for i := range lit {
		if get(in, i, width/8) == on<<(64-width)>>(64-width) {
			want[i/8] |= 1 << (i % 8)
		}
	}
	neither := 0
	for i := range lit {
		if x := get(in, i, width/8); x != on<<(64-width)>>(64-width) && x != off<<(64-width)>>(64-width) {
			neither++
		}
	}
	got := kernel(pointer(out), pointer(in), n, on, off)
	if !bytes.Equal(want, out) || !intact() || (got != 0) != (neither != 0) {
		t.Fatalf("hits%d n=%d %s: wrong, or %d for %d that are neither, intact %v", width, n, s.name, got, neither, intact())
	}
}

func get(b []byte, i, size int) uint64 {
	var w [8]byte
	copy(w[:], b[i*size:(i+1)*size])
	return binary.LittleEndian.Uint64(w[:])
}

func TestCollectKernels(t *testing.T) {
	eachCallTier(t, func(t *testing.T, k callKernels) {
		dst, src := newArena(t, 1<<13), newArena(t, 1<<16)
		r := rand.New(rand.NewPCG(19, 20))
		for width, kernel := range k.collect {
			for n := k.vector * 8 / width; n <= 300; n++ {
				for _, s := range spots(n % 64) {
					checkCollect(t, kernel, dst, src, s, r, width, n, n%5 == 0)
				}
			}
			for _, run := range []int{3800, 3839, 3840, 3841, 3904, 7681, 8000} { // bytes: more than lanes of a byte can count
				checkCollect(t, kernel, dst, src, atHead, r, width, run*8/width, false)
				checkCollect(t, kernel, dst, src, atTail, r, width, run*8/width, true)
			}
		}
	})
}

func checkCollect(t *testing.T, kernel collectKernel, dst, src arena, s spot, r *rand.Rand, width, n int, strange bool) {
	t.Helper()
	size, first, count := width/8, r.IntN(200), 1+r.IntN(6)
	on, off := values(r)
	for on<<(64-width) == off<<(64-width) { // Decode refuses these
		on, off = values(r)
	}
	stride := (n + r.IntN(2)*r.IntN(20)) * size
	in, _ := src.buffer((count-1)*stride+n*size, s)
	out, intact := dst.buffer(n*size, s)
	for i := range out {
		out[i] = 0xff
	}
	want, hits, neither := bytes.Clone(out), 0, 0
	for p := range count {
		run := in[p*stride:][:n*size]
		cellsOf(r, run, size, n, 40, on, off, strange && p == count/2)
		for i := range n {
			switch get(run, i, size) {
			case on << (64 - width) >> (64 - width):
				put(want, i, size, uint64(first+p))
				hits++
			case off << (64 - width) >> (64 - width):
			default:
				neither++
			}
		}
	}
	if neither > 0 {
		hits = -1
	}
	got := kernel(pointer(out), pointer(in), stride, n, first, count, on, off)
	if !bytes.Equal(want, out) || !intact() || got != hits {
		t.Fatalf("collect%d n=%d count=%d %s: wrong, or %d hits and not %d, intact %v", width, n, count, s.name, got, hits, intact())
	}
}
