//go:build (amd64 || arm64) && !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The kernels of all tiers are called directly here, each against a scalar definition of this file. Memory they are given ends at
// a protected page on the one side or the other, so a stray access faults; canaries catch stray writes elsewhere.

type (
	indexKernel  func(classes *int32, indices unsafe.Pointer, n int, depth, wrap int32) int
	narrowKernel func(lanes unsafe.Pointer, classes *int32, n int, first int32)
	expandKernel func(dst, lanes unsafe.Pointer, rows, depth int, on, off uint64, magic, shift int)
	planesKernel func(dst unsafe.Pointer, stride int, lanes unsafe.Pointer, n, first, count int, on, off uint64)
)

// kernelTier holds the kernels of one tier; each architecture lists its own in kernelTiers. Maps are keyed by index type or element
// bits.
type kernelTier struct {
	name    string
	vector  int // bytes
	has     bool
	classes map[string]indexKernel
	narrow  map[int]narrowKernel
	widen   func(lanes unsafe.Pointer, classes *int32, n int)
	expand  map[int]expandKernel
	block   map[int]int // least rows of expand
	planes  map[int]planesKernel
	fill    func(dst unsafe.Pointer, n int, lo, hi uint64)

	// What goes past the caches; empty where the tier does not.
	stream       func(dst, src unsafe.Pointer, lines int)
	streamPlanes map[int]planesKernel
}

// eachKernelTier runs body for every tier that this processor has.
func eachKernelTier(t *testing.T, body func(t *testing.T, k kernelTier)) {
	for _, k := range kernelTiers {
		t.Run(k.name, func(t *testing.T) {
			if !k.has {
				t.Skip("not on this processor")
			}
			body(t, k)
		})
	}
}

// An arena is memory between two protected pages: a kernel that reads or writes past it on either side dies.
type arena struct{ mem []byte }

func newArena(t testing.TB, size int) arena {
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	require.NoError(t, syscall.Mprotect(all[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(all[page+size:], syscall.PROT_NONE))
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	return arena{all[page : page+size]}
}

const (
	canary       = 0xc5
	canaryMargin = 192
)

// A spot is where in its arena a buffer lies: right behind the protected page, right before it, or shift bytes off a line
// boundary amid canary bytes.
type spot struct {
	name  string
	shift int
}

var (
	atHead = spot{"head", -1}
	atTail = spot{"tail", -2}
)

// buffer returns n bytes at a spot and a check that the bytes around are as they were.
func (a arena) buffer(n int, s spot) (buf []byte, intact func() bool) {
	start := canaryMargin + s.shift
	switch s {
	case atHead:
		start = 0
	case atTail:
		start = len(a.mem) - n
	}
	from, to := max(start-canaryMargin, 0), min(start+n+canaryMargin, len(a.mem))
	around := a.mem[from:to]
	for i := range around {
		around[i] = canary
	}
	before, after := a.mem[from:start], a.mem[start+n:to]
	return a.mem[start : start+n : start+n], func() bool {
		return bytes.Count(before, []byte{canary}) == len(before) && bytes.Count(after, []byte{canary}) == len(after)
	}
}

func spots(shifts ...int) []spot {
	s := []spot{atHead, atTail}
	for _, shift := range shifts {
		s = append(s, spot{fmt.Sprint("shift", shift), shift})
	}
	return s
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func classPointer(b []byte) *int32 { return (*int32)(pointer(b)) }

// put stores the low bytes of a value.
func put(b []byte, i, size int, x uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], x)
	copy(b[i*size:(i+1)*size], w[:])
}

func putClasses(b []byte, classes []int32) {
	for i, c := range classes {
		put(b, i, 4, uint64(c))
	}
}

// An indexCase is one index: its bits and the integer it stands for, where it stands for one.
type indexCase struct {
	bits  uint64
	value int64
	valid bool
}

func integer(x int64) indexCase { return indexCase{uint64(x), x, true} }

func floating(bits uint64, f float64) indexCase {
	f = math.Trunc(f)
	if math.IsNaN(f) || math.Abs(f) >= 1<<62 {
		return indexCase{bits, 0, false}
	}
	return indexCase{bits, int64(f), true}
}

var floatExtremes = []float64{
	0, math.Copysign(0, -1), -0.5, 0.5, 0.999999, -0.999999, 1.5, -1, -1.5, 2.75, math.NaN(), -math.NaN(), math.Inf(1), math.Inf(-1), 1 << 24, 1<<24 + 1, 1<<24 + 2,
	-(1<<24 + 2), 254.99, 255.5, -255.5, -256.5, 1<<31 - 2, 1<<31 - 128, -1<<32 + 1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.MaxFloat32,
	1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1<<31 - 0.5, 1 << 32, 1<<32 + 1, -1 << 32, 1 << 53, 1 << 62, 1 << 63, -1 << 63, 1 << 64, 1e300, -1e300, 5e-324,
}

// indexPool gives indices of a type round a depth, its limits and what has no class.
func indexPool(name string, depth int32) []indexCase {
	d := int64(depth)
	near := []int64{0, 1, 2, d - 1, d, d + 1, -1, -2, -d, -d - 1, -d + 1, d / 2, -d / 2}
	var pool []indexCase
	unsigned := func(high uint64) {
		for _, x := range near {
			if x >= 0 && uint64(x) <= high {
				pool = append(pool, integer(x))
			}
		}
		for _, x := range []uint64{1<<31 - 1, 1 << 31, 1<<31 + 1, math.MaxUint32, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, 0xffffffff80000000,
			0xffffffff7fffffff, math.MaxUint64 - 1, math.MaxUint64} {
			if x <= high {
				pool = append(pool, indexCase{x, int64(min(x, math.MaxInt64)), true})
			}
		}
	}
	signed := func(low, high int64) {
		for _, x := range append(near, low, low+1, high, high-1, math.MinInt32, math.MinInt32-1, math.MaxInt32, math.MaxInt32+1,
			1<<32, 1<<32+1, 1<<32+d-1, -1<<32, -1<<32+1, -1<<32-1, 1<<40, math.MinInt64, math.MinInt64+1, math.MinInt64+5, math.MaxInt64,
			127, 128, -128, 254, 255, 256, -256, 32767, 32768, 65535, 65536, -65536, 1<<24, 1<<31-2, -1<<31+1, 1<<63-1<<31,
			5<<32, 5<<32+1, -5<<32, -5<<32|0xffffffff, 0xffffffff, 0x1ffffffff, 0x7fffffff80000000) {
			if low <= x && x <= high {
				pool = append(pool, integer(x))
			}
		}
	}
	switch name {
	case "I8":
		signed(math.MinInt8, math.MaxInt8)
	case "U8":
		signed(0, math.MaxUint8)
	case "I16":
		signed(math.MinInt16, math.MaxInt16)
	case "U16":
		signed(0, math.MaxUint16)
	case "I32":
		signed(math.MinInt32, math.MaxInt32)
	case "I64":
		signed(math.MinInt64, math.MaxInt64)
	case "U32":
		unsigned(math.MaxUint32)
	case "U64":
		unsigned(math.MaxUint64)
	case "F32":
		for _, x := range near {
			f := float32(x)
			pool = append(pool, floating(uint64(math.Float32bits(f)), float64(f)))
		}
		for _, x := range floatExtremes {
			f := float32(x)
			pool = append(pool, floating(uint64(math.Float32bits(f)), float64(f)))
		}
	case "F64":
		for _, x := range near {
			pool = append(pool, floating(math.Float64bits(float64(x)), float64(x)))
		}
		for _, f := range append(floatExtremes, math.MaxFloat64, -1<<31-0.5, 1<<24+1.5, math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8000012345678)) {
			pool = append(pool, floating(math.Float64bits(f), f))
		}
		for _, x := range near[1:] {
			f := float64(x) + 0.75*float64(x)/math.Abs(float64(x))
			pool = append(pool, floating(math.Float64bits(f), f))
		}
	}
	return pool
}

// wantClass is the definition.
func wantClass(x indexCase, depth, wrap int32) int32 {
	c := x.value
	if c < 0 && wrap != 0 && c >= -int64(depth) {
		c += int64(depth)
	}
	if !x.valid || c < 0 || c >= int64(depth) {
		return -1
	}
	return int32(c)
}

var kernelIndexSizes = map[string]int{"I8": 1, "U8": 1, "I16": 2, "U16": 2, "I32": 4, "U32": 4, "I64": 8, "U64": 8, "F32": 4, "F64": 8}

func TestClassesKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		dst, src := newArena(t, 1<<14), newArena(t, 1<<14)
		r := rand.New(rand.NewPCG(1, 2))
		classes := maps.Clone(k.classes)
		for unsigned, signed := range map[string]string{"U32": "I32", "U64": "I64"} { // what has no kernel of its own goes without wrap
			kernel := k.classes[signed]
			classes[unsigned] = func(c *int32, p unsafe.Pointer, n int, depth, _ int32) int { return kernel(c, p, n, depth, 0) }
		}
		for name, kernel := range classes {
			for _, depth := range []int32{1, 2, 3, 5, 10, 100, 127, 128, 129, 200, 256, 1000, 32768, 65535, 65536, 1<<24 + 2, 1 << 30, math.MaxInt32 - 1, math.MaxInt32} {
				pool := indexPool(name, depth)
				for _, wrap := range []int32{0, depth} {
					for n := 16; n <= 150; n++ {
						s := spots(n % 64)[n%3]
						checkClasses(t, kernel, name, dst, src, s, pool, r, n, depth, wrap)
					}
					for i := range pool { // every extreme, in every company
						n := 16 + i%7
						checkClasses(t, kernel, name, dst, src, atTail, pool[i:min(i+1+r.IntN(3), len(pool))], r, n, depth, wrap)
					}
				}
			}
		}
	})
}

func checkClasses(t *testing.T, kernel indexKernel, name string, dst, src arena, s spot, pool []indexCase, r *rand.Rand, n int, depth, wrap int32) {
	t.Helper()
	size := kernelIndexSizes[name]
	in, _ := src.buffer(n*size, s)
	out, intact := dst.buffer(n*4, s)
	want, misses := make([]int32, n), 0
	all := r.IntN(4) == 0 // the same index everywhere, so that all or none are misses
	for i := range want {
		x := pool[r.IntN(len(pool))]
		if all {
			x = pool[n%len(pool)]
		}
		put(in, i, size, x.bits)
		want[i] = wantClass(x, depth, wrap)
		if want[i] < 0 {
			misses++
		}
	}
	before := bytes.Clone(in)
	got := kernel(classPointer(out), pointer(in), n, depth, wrap)
	classes := make([]int32, n)
	for i := range classes {
		classes[i] = int32(binary.LittleEndian.Uint32(out[i*4:]))
		if classes[i] != want[i] {
			t.Fatalf("%s n=%d depth=%d wrap=%d %s: class %d of %#x is %d, want %d", name, n, depth, wrap, s.name, i, in[i*size:(i+1)*size], classes[i], want[i])
		}
	}
	if got != misses || !intact() || !bytes.Equal(before, in) {
		t.Fatalf("%s n=%d depth=%d wrap=%d %s: %d misses, want %d; intact %v", name, n, depth, wrap, s.name, got, misses, intact())
	}
}

// TestClassesKernelsEveryIndex goes through every value of the narrow types.
func TestClassesKernelsEveryIndex(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		for _, c := range []struct {
			name string
			low  int64
			n    int
		}{{"I8", math.MinInt8, 1 << 8}, {"U8", 0, 1 << 8}, {"I16", math.MinInt16, 1 << 16}, {"U16", 0, 1 << 16}} {
			size := kernelIndexSizes[c.name]
			in, out := make([]byte, c.n*size), make([]byte, c.n*4)
			for i := range c.n {
				put(in, i, size, uint64(c.low+int64(i)))
			}
			for _, depth := range []int32{1, 100, 128, 255, 256, 32768, 65535, 65536, 70000} {
				for _, wrap := range []int32{0, depth} {
					k.classes[c.name](classPointer(out), pointer(in), c.n, depth, wrap)
					for i := range c.n {
						want := wantClass(integer(c.low+int64(i)), depth, wrap)
						if got := int32(binary.LittleEndian.Uint32(out[i*4:])); got != want {
							t.Fatalf("%s depth=%d wrap=%d: class of %d is %d, want %d", c.name, depth, wrap, c.low+int64(i), got, want)
						}
					}
				}
			}
		}
	})
}

// randomClasses has every class below depth, misses, and sometimes nothing but misses or none.
func randomClasses(r *rand.Rand, n, depth int) []int32 {
	c := make([]int32, n)
	mode := r.IntN(6)
	for i := range c {
		c[i] = int32(r.IntN(depth))
		if mode == 0 || mode > 1 && r.IntN(8) == 0 {
			c[i] = -1
		}
	}
	return c
}

func TestLanesKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		dst, src := newArena(t, 1<<13), newArena(t, 1<<13)
		r := rand.New(rand.NewPCG(3, 4))
		pool := []int32{math.MinInt32, -1, 0, 1, 100, 253, 254, 255, 256, 257, 65533, 65534, 65535, 65536, 65537, 1 << 20, math.MaxInt32 - 1, math.MaxInt32}
		for n := 16; n <= 300; n++ {
			for _, s := range spots(n%64, 0) {
				classes := make([]int32, n)
				for i := range classes {
					if classes[i] = pool[r.IntN(len(pool))]; r.IntN(4) == 0 {
						classes[i] = 70000 + int32(r.IntN(260))
					}
				}
				in, _ := src.buffer(n*4, s)
				putClasses(in, classes)
				check := func(size int, what string, run func(out []byte), lane func(c int32) uint64) {
					out, intact := dst.buffer(n*size, s)
					want := make([]byte, n*size)
					for i, c := range classes {
						put(want, i, size, lane(c))
					}
					run(out)
					if !bytes.Equal(want, out) || !intact() {
						t.Fatalf("%s n=%d %s: got %v, want %v, intact %v", what, n, s.name, out, want, intact())
					}
				}
				for _, first := range []int32{0, 1, 2, 255, 256, 65535, 70000, 1 << 20, math.MaxInt32 - 100, math.MaxInt32} {
					for size, kernel := range map[int]narrowKernel{1: k.narrow[8], 2: k.narrow[16]} {
						check(size, fmt.Sprint("narrow", size*8, " first=", first),
							func(out []byte) { kernel(pointer(out), classPointer(in), n, first) },
							func(c int32) uint64 { return min(uint64(uint32(c-first)), 1<<(8*size)-1) })
					}
				}
				check(8, "widen64", func(out []byte) { k.widen(pointer(out), classPointer(in), n) }, func(c int32) uint64 { return uint64(c) })
			}
		}
	})
}

func TestReciprocal(t *testing.T) {
	for depth := 2; depth <= 255; depth++ {
		magic, shift := reciprocal(depth)
		require.Less(t, magic, 1<<16)
		for e := range 64 * depth {
			if got := e * magic >> 16 >> shift; got != e/depth {
				t.Fatalf("%d/%d: got %d", e, depth, got)
			}
		}
	}
}

// values are on and off with bits above the element's width set, which kernels ignore.
func values(r *rand.Rand) (on, off uint64) {
	on = r.Uint64()
	switch r.IntN(6) {
	case 0:
		return on, 0
	case 1:
		return 1, ^uint64(0)
	case 2:
		return 0x3ff0000000000000, 0
	case 3:
		return on, r.Uint64() << (8 << r.IntN(3)) // zero bits in an element of some widths
	}
	return on, r.Uint64()
}

func TestExpandKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		dst, src := newArena(t, 1<<20), newArena(t, 1<<18)
		r := rand.New(rand.NewPCG(5, 6))
		for depth := 2; depth <= 255; depth++ {
			if depth > 130 && depth < 253 && depth%16 != 0 {
				continue
			}
			for width, kernel := range k.expand {
				block := k.block[width]
				for rows := block; rows <= block+16; rows++ {
					checkExpand(t, kernel, dst, src, atTail, r, width, rows, depth)
				}
				for _, rows := range tileRows(block, depth) { // where a kernel that works in tiles changes over
					checkExpand(t, kernel, dst, src, spots(r.IntN(16))[r.IntN(3)], r, width, rows, depth)
				}
				for _, rows := range []int{block, block + 1, 2*block - 1, 2 * block, 3*block + 1, 4 * block, 4*block + 1, 7*block + block/2, 9*block - 1, 8 * block} {
					for _, s := range spots(r.IntN(64)) {
						checkExpand(t, kernel, dst, src, s, r, width, rows, depth)
					}
				}
			}
		}
		for _, depth := range []int{2, 3, 4, 7, 10, 16, 17} {
			for width, kernel := range k.expand {
				for rows := k.block[width]; rows <= max(9*k.block[width], 70); rows++ {
					checkExpand(t, kernel, dst, src, spots(rows % 64)[rows%3], r, width, rows, depth)
				}
			}
		}
	})
}

// tileRows are numbers of rows about as many as 16 KiB of vectors take, the tile of kernels that keep one.
func tileRows(block, depth int) (rows []int) {
	unit := min(block, 16)
	tile := max(1024/depth&^3, 1) * unit
	for _, n := range []int{tile, tile + 1, 1100/depth*unit + unit/2 + 1, 2500/depth*unit + 3} {
		if n >= block {
			rows = append(rows, n)
		}
	}
	return rows
}

func checkExpand(t *testing.T, kernel expandKernel, dst, src arena, s spot, r *rand.Rand, width, rows, depth int) {
	t.Helper()
	size := width / 8
	classes := randomClasses(r, rows, depth)
	in, _ := src.buffer(rows*size, s)
	for i, c := range classes {
		put(in, i, size, uint64(c))
	}
	out, intact := dst.buffer(rows*depth*size, s)
	on, off := values(r)
	want := fillPattern(rows*depth*size, size, off)
	for i, c := range classes {
		if c >= 0 {
			put(want, i*depth+int(c), size, on)
		}
	}
	magic, shift := reciprocal(depth)
	kernel(pointer(out), pointer(in), rows, depth, on, off, magic, shift)
	if !bytes.Equal(want, out) || !intact() {
		for i := range want {
			if want[i] != out[i] {
				t.Fatalf("expand%d rows=%d depth=%d %s: byte %d is %#x, want %#x", width, rows, depth, s.name, i, out[i], want[i])
			}
		}
		t.Fatalf("expand%d rows=%d depth=%d %s: canaries overwritten", width, rows, depth, s.name)
	}
}

// fillPattern is n bytes of a value of size bytes.
func fillPattern(n, size int, x uint64) []byte {
	b := make([]byte, n)
	put(b, 0, size, x)
	for done := size; done < n; done *= 2 {
		copy(b[done:], b[:done])
	}
	return b
}

func TestPlanesKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		dst, src := newArena(t, 1<<17), newArena(t, 1<<13)
		r := rand.New(rand.NewPCG(7, 8))
		for width, kernel := range k.planes {
			check := func(s spot, n, first, count int) {
				t.Helper()
				checkPlanes(t, kernel, dst, src, s, r, width, n, first, count, r.IntN(3)*r.IntN(40))
			}
			lanes := k.vector * 8 / width
			for n := lanes; n <= max(lanes*6+3, 200); n++ {
				for _, s := range spots(n%64, r.IntN(16)) {
					check(s, n, r.IntN(200), 1+r.IntN(6))
				}
			}
			for count := 1; count <= 70; count++ { // many planes may be written in another way than few
				for _, s := range spots(count % 64) {
					check(s, lanes+r.IntN(60), r.IntN(120), count)
				}
				check(atTail, 512/width+r.IntN(3), r.IntN(120), count) // round 64 bytes
				check(atTail, 1024/width-1+r.IntN(3), 0, count)
			}
			if width > 8 {
				check(atTail, 77, 300, 9)
				check(atTail, 77, 301, 43)
				check(atTail, 77, 65535-50, 50)
			}
			if width > 16 {
				for _, first := range []int{1 << 20, math.MaxInt32 - 60} {
					check(atTail, 77, first, 9)
					check(atTail, 77, first+3, 57)
				}
			}
		}
	})
}

// TestStreamPlanesKernels keeps to whole lines, which is all that these kernels write.
func TestStreamPlanesKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		dst, src := newArena(t, 1<<16), newArena(t, 1<<14)
		r := rand.New(rand.NewPCG(11, 12))
		for width, kernel := range k.streamPlanes {
			for n := 64; n <= 64*12; n += 64 {
				for _, s := range spots(0, 64) {
					checkPlanes(t, kernel, dst, src, s, r, width, n, r.IntN(200), 1+r.IntN(6), 64*r.IntN(3))
				}
			}
		}
	})
}

// checkPlanes leaves gap elements between planes.
func checkPlanes(t *testing.T, kernel planesKernel, dst, src arena, s spot, r *rand.Rand, width, n, first, count, gap int) {
	t.Helper()
	size := width / 8
	in, _ := src.buffer(n*size, s)
	classes := make([]int, n)
	for i := range classes {
		low := max(first-3, 0)
		if classes[i] = low + r.IntN(min(first+count+3, math.MaxInt32)-low); r.IntN(8) == 0 {
			classes[i] = -1
		}
		put(in, i, size, uint64(classes[i])) // which makes other misses of classes that the lanes do not reach
		if classes[i] >= 0 && width < 32 {
			classes[i] &= 1<<width - 1
		}
	}
	stride := (n + gap) * size
	need := (count-1)*stride + n*size
	out, intact := dst.buffer(need, s)
	on, off := values(r)
	want := bytes.Clone(out)
	for p := range count {
		for i, c := range classes {
			x := off
			if c == first+p && (width > 16 || c < 1<<width) {
				x = on
			}
			put(want[p*stride:], i, size, x)
		}
	}
	kernel(pointer(out), stride, pointer(in), n, first, count, on, off)
	if !bytes.Equal(want, out) || !intact() {
		t.Fatalf("planes%d n=%d first=%d count=%d stride=%d on=%#x off=%#x %s: wrong, intact %v", width, n, first, count, stride, on, off, s.name, intact())
	}
}

func TestFillKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) { checkFills(t, k.fill, true) })
}

// checkFills holds a kernel to patterns of 16 bytes, or of 8 where it is not wide.
func checkFills(t *testing.T, kernel func(dst unsafe.Pointer, n int, lo, hi uint64), wide bool) {
	dst := newArena(t, 1<<13)
	var all []spot
	for shift := range 65 {
		all = append(all, spot{fmt.Sprint("shift", shift), shift})
	}
	all = append(all, atHead, atTail)
	for _, s := range all {
		for n := 64; n <= 1400; n++ {
			if n > 330 && n%7 != s.shift%7 && (s.shift >= 0 || n > 520) {
				continue
			}
			out, intact := dst.buffer(n, s)
			lo, hi := uint64(0x0807060504030201), uint64(0x100f0e0d0c0b0a09)
			if !wide {
				hi = lo
			}
			want := make([]byte, n)
			for i := range want {
				want[i] = byte(lo >> (i % 8 * 8))
				if i%16 >= 8 {
					want[i] = byte(hi >> (i % 8 * 8))
				}
			}
			kernel(pointer(out), n, lo, hi)
			if !bytes.Equal(want, out) || !intact() {
				t.Fatalf("fill n=%d %s: got %x, want %x, intact %v", n, s.name, out, want, intact())
			}
		}
	}
}

func TestStreamKernels(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		if k.stream == nil {
			return // nothing to test: TestStreamBytes tests what stands in
		}
		copyTiles(t, func(r *rand.Rand) (n, at int) { return 64 * (1 + r.IntN(40)), 0 }, func(dst unsafe.Pointer, tile []byte) {
			k.stream(dst, pointer(tile), len(tile)/64)
		})
	})
}

func TestStreamBytes(t *testing.T) {
	eachKernelTier(t, func(t *testing.T, k kernelTier) {
		WithPath(strings.ToLower(k.name), func() {
			copyTiles(t, func(r *rand.Rand) (n, at int) { return 1 + r.IntN(700), r.IntN(64) }, streamBytes)
		})
	})
}

// copyTiles copies tiles of drawn sizes to drawn places.
func copyTiles(t *testing.T, draw func(r *rand.Rand) (n, at int), stream func(dst unsafe.Pointer, tile []byte)) {
	dst, src := newArena(t, 1<<13), newArena(t, 1<<13)
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		n, at := draw(r)
		for _, s := range spots(at) {
			in, _ := src.buffer(n, spots(r.IntN(64))[0])
			for i := range in {
				in[i] = byte(r.Uint32())
			}
			out, intact := dst.buffer(n, s)
			stream(pointer(out), in)
			if !bytes.Equal(in, out) || !intact() {
				t.Fatalf("stream n=%d %s: wrong, intact %v", n, s.name, intact())
			}
		}
	}
}
