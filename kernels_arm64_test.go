//go:build !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The kernels are called directly, each against a scalar definition written here. Memory they are given ends at a page that
// cannot be touched, on the one side or the other, so a stray read faults; canaries catch stray writes elsewhere.

const pageBytes = 1 << 16

// guarded is a stretch of memory between two protected pages.
type guarded []byte

func newGuarded(tb testing.TB, size int) guarded {
	size = (size + pageBytes - 1) &^ (pageBytes - 1)
	m, err := syscall.Mmap(-1, 0, size+2*pageBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = syscall.Munmap(m) })
	require.NoError(tb, syscall.Mprotect(m[:pageBytes], syscall.PROT_NONE))
	require.NoError(tb, syscall.Mprotect(m[pageBytes+size:], syscall.PROT_NONE))
	return guarded(m[pageBytes : pageBytes+size])
}

// at gives n bytes: flush with the front page, with the rear page, or skew bytes after the middle.
func (g guarded) at(place string, n, skew int) []byte {
	off := 0
	switch place {
	case "rear":
		off = len(g) - n
	case "middle":
		off = len(g)/2 + skew
	}
	return g[off : off+n : off+n]
}

const canary = 0xA5

// written runs write on n bytes of g and checks that they equal want and that the bytes round them are as they were.
func written(t *testing.T, g guarded, place string, skew int, want []byte, what string, write func(unsafe.Pointer)) {
	t.Helper()
	n := len(want)
	dst := g.at(place, n, skew)
	start := int(uintptr(unsafe.Pointer(&dst[0])) - uintptr(unsafe.Pointer(&g[0])))
	around := g[max(0, start-300):min(len(g), start+n+300)]
	for i := range around {
		around[i] = canary
	}
	write(unsafe.Pointer(&dst[0]))
	if !bytes.Equal(dst, want) {
		for i := range want {
			if dst[i] != want[i] {
				t.Fatalf("%s %s+%d: byte %d of %d is %#x, want %#x", what, place, skew, i, n, dst[i], want[i])
			}
		}
	}
	front := around[:start-max(0, start-300)]
	rear := around[len(front)+n:]
	if bytes.Count(front, []byte{canary}) != len(front) || bytes.Count(rear, []byte{canary}) != len(rear) {
		t.Fatalf("%s %s+%d: wrote outside dst: before % x, behind % x", what, place, skew, front, rear)
	}
}

// placed copies b to a place in g.
func placed(g guarded, place string, skew int, b []byte) unsafe.Pointer {
	p := g.at(place, len(b), skew)
	copy(p, b)
	return unsafe.Pointer(&p[0])
}

// places are where inputs and outputs lie: at either guard page, and in the middle at every phase of a vector.
func places(yield func(place string, skew int) bool) {
	if !yield("front", 0) || !yield("rear", 0) {
		return
	}
	for _, skew := range []int{0, 1, 2, 3, 4, 7, 8, 9, 12, 15} {
		if !yield("middle", skew) {
			return
		}
	}
}

// pattern is the low width bytes of value.
func pattern(value uint64, width int) []byte {
	return binary.LittleEndian.AppendUint64(nil, value)[:width]
}

var values = []struct{ on, off uint64 }{
	{1, 0}, {0, 1}, {0x3ff0000000000000, 0}, {0x3f8000003f800000, 0x8000000000000000}, {0x0123456789abcdef, 0xfedcba9876543210}, {^uint64(0), 0x7ff8000000000001},
}

func TestFillNEON(t *testing.T) {
	g := newGuarded(t, 1<<16)
	lo, hi := uint64(0x0706050403020100), uint64(0xf0e0d0c0b0a09088)
	pattern := append(pattern(lo, 8), pattern(hi, 8)...)
	check := func(n int, place string, skew int) {
		want := make([]byte, n)
		for i := range want {
			want[i] = pattern[i%16]
		}
		written(t, g, place, skew, want, fmt.Sprint("fill ", n), func(dst unsafe.Pointer) { fillNEON(dst, n, lo, hi) })
	}
	for n := 64; n <= 520; n++ {
		check(n, "front", 0)
		check(n, "rear", 0)
	}
	for skew := range 65 {
		for n := 64; n <= 330; n++ {
			check(n, "middle", skew)
		}
		check(4096+skew*3, "middle", skew)
	}
}

// laneBytes are classes as lanes of width bytes.
func laneBytes(classes []int64, width int) []byte {
	var b []byte
	for _, c := range classes {
		b = append(b, pattern(uint64(c), width)...)
	}
	return b
}

func TestPlanesNEON(t *testing.T) {
	kernels := map[int]func(unsafe.Pointer, int, unsafe.Pointer, int, int, int, uint64, uint64){1: planes8NEON, 2: planes16NEON, 4: planes32NEON, 8: planes64NEON}
	dst, src := newGuarded(t, 1<<17), newGuarded(t, 1<<16)
	rng := rand.New(rand.NewPCG(1, 2))
	for width, kernel := range kernels {
		check := func(n, first, count, gap int, place string, skew int) {
			v := values[rng.IntN(len(values))]
			classes := make([]int64, n)
			for i := range classes {
				classes[i] = int64(first-2+rng.IntN(count+4)) & (1<<(8*width-1) - 1)
				if rng.IntN(8) == 0 {
					classes[i] = -1
				}
			}
			stride := (n + gap) * width
			want := bytes.Repeat([]byte{canary}, (count-1)*stride+n*width)
			for p := range count {
				for i, c := range classes {
					value := v.off
					if c == int64(first+p) {
						value = v.on
					}
					copy(want[p*stride+i*width:], pattern(value, width))
				}
			}
			lanes := placed(src, place, skew*3%16, laneBytes(classes, width))
			what := fmt.Sprintf("planes width %d n %d first %d count %d gap %d", width, n, first, count, gap)
			written(t, dst, place, skew, want, what, func(p unsafe.Pointer) { kernel(p, stride, lanes, n, first, count, v.on, v.off) })
		}
		for n := 16 / width; n <= 200; n++ {
			for place, skew := range places {
				check(n, rng.IntN(100), 1+rng.IntN(6), rng.IntN(3), place, skew)
			}
		}
		for count := 1; count <= 40; count++ {
			check(16/width+rng.IntN(60), 0, count, 0, "middle", count%16)
			check(16/width+rng.IntN(60), 5, count, 1, "rear", 0)
		}
		if width > 1 {
			check(77, 300, 9, 0, "rear", 0)
		}
		if width > 2 {
			check(77, 1<<20, 9, 0, "rear", 0)
			check(77, math.MaxInt32-9, 9, 0, "rear", 0)
		}
	}
}

func TestExpandNEON(t *testing.T) {
	kernels := map[int]func(unsafe.Pointer, unsafe.Pointer, int, int, uint64, uint64, int, int){1: expand8NEON, 2: expand16NEON, 4: expand32NEON, 8: expand64NEON}
	dst, src := newGuarded(t, 1<<20), newGuarded(t, 1<<16)
	rng := rand.New(rand.NewPCG(3, 4))
	for width, kernel := range kernels {
		check := func(rows, depth int, place string, skew int) {
			v := values[rng.IntN(len(values))]
			classes := make([]int64, rows)
			for i := range classes {
				classes[i] = int64(rng.IntN(depth))
				if rng.IntN(6) == 0 {
					classes[i] = -1
				}
			}
			want := make([]byte, 0, rows*depth*width)
			for _, c := range classes {
				for d := range depth {
					value := v.off
					if c == int64(d) {
						value = v.on
					}
					want = append(want, pattern(value, width)...)
				}
			}
			lanes := placed(src, place, skew*5%16, laneBytes(classes, width))
			shift := 0
			for 2<<shift <= depth-1 {
				shift++
			}
			magic := (1<<(16+shift) + depth - 1) / depth
			what := fmt.Sprintf("expand width %d rows %d depth %d", width, rows, depth)
			written(t, dst, place, skew, want, what, func(p unsafe.Pointer) { kernel(p, lanes, rows, depth, v.on, v.off, magic, shift) })
		}
		block := 16 / width
		depths := []int{160, 200, 254, 255}
		for depth := 2; depth <= 130; depth++ {
			depths = append(depths, depth)
		}
		for _, depth := range depths {
			for rows := block; rows <= block+16; rows++ {
				check(rows, depth, "rear", 0)
			}
			for _, rows := range []int{block, 2*block - 1, 5*block + 1, 9 * block, 1024 / depth &^ 3 * block, 1024/depth&^3*block + 1, 1100/depth*block + block/2 + 1, 2500/depth*block + 3} {
				if rows >= block {
					check(rows, depth, []string{"front", "rear", "middle"}[rng.IntN(3)], rng.IntN(16))
				}
			}
		}
		for rows := block; rows <= 70; rows++ {
			for place, skew := range places {
				check(rows, 2+rng.IntN(12), place, skew)
			}
		}
	}
}

func TestNarrowWidenNEON(t *testing.T) {
	dst, src := newGuarded(t, 1<<16), newGuarded(t, 1<<16)
	rng := rand.New(rand.NewPCG(5, 6))
	extremes := []int32{-1, 0, 1, 254, 255, 256, 65534, 65535, 65536, math.MaxInt32, math.MinInt32, 1 << 24}
	for n := 16; n <= 100; n++ {
		for place, skew := range places {
			first := []int32{0, 1, 255, 70000, math.MaxInt32 - 100}[rng.IntN(5)]
			classes := make([]int32, n)
			for i := range classes {
				if classes[i] = extremes[rng.IntN(len(extremes))]; rng.IntN(2) == 0 {
					classes[i] = first + int32(rng.IntN(260))
				}
			}
			var in, n8, n16, w64 []byte
			for _, c := range classes {
				in = append(in, pattern(uint64(c), 4)...)
				n8 = append(n8, byte(min(uint32(c-first), 255)))
				n16 = append(n16, pattern(uint64(min(uint32(c-first), 65535)), 2)...)
				w64 = append(w64, pattern(uint64(int64(c)), 8)...)
			}
			p := (*int32)(placed(src, place, skew, in))
			written(t, dst, place, skew, n8, fmt.Sprint("narrow8 ", n), func(q unsafe.Pointer) { narrow8NEON(q, p, n, first) })
			written(t, dst, place, skew, n16, fmt.Sprint("narrow16 ", n), func(q unsafe.Pointer) { narrow16NEON(q, p, n, first) })
			written(t, dst, place, skew, w64, fmt.Sprint("widen64 ", n), func(q unsafe.Pointer) { widen64NEON(q, p, n) })
		}
	}
}

// wantClass is the definition for an index that fits int64.
func wantClass(x int64, depth, wrap int32) int32 {
	if wrap != 0 && x < 0 && x >= -int64(depth) {
		x += int64(depth)
	}
	if x < 0 || x >= int64(depth) {
		return -1
	}
	return int32(x)
}

// testClasses holds a classes kernel to class over mixes of drawn numbers and extremes.
func testClasses[T any](t *testing.T, name string, kernel func(*int32, unsafe.Pointer, int, int32, int32) int, extremes []T, draw func(rng *rand.Rand, depth int32) T, class func(x T, depth, wrap int32) int32) {
	width := int(unsafe.Sizeof(extremes[0]))
	dst, src := newGuarded(t, 1<<16), newGuarded(t, 1<<16)
	rng := rand.New(rand.NewPCG(7, uint64(width)))
	depths := []int32{1, 2, 3, 10, 127, 128, 129, 200, 255, 256, 1000, 32767, 32768, 65535, 65536, 1<<24 + 2, math.MaxInt32 - 1, math.MaxInt32}
	check := func(n int, place string, skew int, pick func(i int, depth int32) T) {
		depth := depths[rng.IntN(len(depths))]
		wrap := depth * int32(rng.IntN(2))
		indices := make([]T, n)
		misses := 0
		var want []byte
		for i := range indices {
			indices[i] = pick(i, depth)
			c := class(indices[i], depth, wrap)
			if c < 0 {
				misses++
			}
			want = append(want, pattern(uint64(c), 4)...)
		}
		in := placed(src, place, skew, unsafe.Slice((*byte)(unsafe.Pointer(&indices[0])), n*width))
		what := fmt.Sprintf("classes%s n %d depth %d wrap %d indices %v", name, n, depth, wrap, indices)
		got := -1
		written(t, dst, place, skew*7%16, want, what, func(p unsafe.Pointer) { got = kernel((*int32)(p), in, n, depth, wrap) })
		require.Equal(t, misses, got, what)
	}
	t.Run(name, func(t *testing.T) {
		for n := 16; n <= 100; n++ {
			for place, skew := range places {
				check(n, place, skew, func(_ int, depth int32) T {
					if rng.IntN(4) == 0 {
						return extremes[rng.IntN(len(extremes))]
					}
					return draw(rng, depth)
				})
			}
		}
		for range 3 * len(depths) {
			for n := range max(len(extremes)-15, 1) {
				check(16, "rear", 0, func(i int, _ int32) T { return extremes[(n+i)%len(extremes)] })
			}
		}
	})
}

// near draws a number round 0 and round plus and minus depth.
func near(rng *rand.Rand, depth int32) int64 {
	switch rng.IntN(4) {
	case 0:
		return int64(rng.IntN(9) - 4)
	case 1:
		return int64(depth) + int64(rng.IntN(9)-4)
	case 2:
		return -int64(depth) + int64(rng.IntN(9)-4)
	}
	return rng.Int64N(2*int64(depth)) - int64(depth)
}

type integer interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~int64
}

func testIntegers[T integer](t *testing.T, name string, kernel func(*int32, unsafe.Pointer, int, int32, int32) int, extremes ...T) {
	testClasses(t, name, kernel, extremes, func(rng *rand.Rand, depth int32) T { return T(near(rng, depth)) },
		func(x T, depth, wrap int32) int32 { return wantClass(int64(x), depth, wrap) })
}

// testFloats: truncation written out; what int64 cannot hold has no class.
func testFloats[T float32 | float64](t *testing.T, name string, kernel func(*int32, unsafe.Pointer, int, int32, int32) int, extremes ...T) {
	extremes = append(extremes, T(math.NaN()), -T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), T(math.Copysign(0, -1)), 0, 0.5, -0.5, 0.999, -0.999, 1, -1, -1.5, 1.5,
		1<<24, 1<<24+1, 1<<24+2, -(1<<24 + 2), 1<<31, 1<<31-1, -(1 << 31), -(1<<31 + 1), 1<<32, 1<<32+1, -(1 << 32), -(1<<32 - 1), 1<<53, 1<<62, 1<<63, -(1 << 63), 1<<64, 1e30, -1e30,
		1<<31-128, 1<<31-2, 254.99, 255.5, -255.5, -256.5, T(math.SmallestNonzeroFloat32), -T(math.SmallestNonzeroFloat32), T(math.MaxFloat32))
	fractions := []T{0, 0.25, -0.25, 0.75, -0.75}
	testClasses(t, name, kernel, extremes, func(rng *rand.Rand, depth int32) T { return T(near(rng, depth)) + fractions[rng.IntN(len(fractions))] },
		func(x T, depth, wrap int32) int32 {
			whole := math.Trunc(float64(x))
			if !(whole >= -(1<<63) && whole < 1<<63) {
				return -1
			}
			return wantClass(int64(whole), depth, wrap)
		})
}

func TestClassesNEON(t *testing.T) {
	testIntegers[int8](t, "I8", classesI8NEON, math.MinInt8, math.MaxInt8, -1, 0, 1)
	testIntegers[uint8](t, "U8", classesU8NEON, 0, 1, 127, 128, 254, 255)
	testIntegers[int16](t, "I16", classesI16NEON, math.MinInt16, math.MaxInt16, -1, 0, 1, 255, 256, -256)
	testIntegers[uint16](t, "U16", classesU16NEON, 0, 1, 255, 256, 32767, 32768, 65534, 65535)
	testIntegers[int32](t, "I32", classesI32NEON, math.MinInt32, math.MinInt32+1, math.MaxInt32, math.MaxInt32-1, -1, 0, 1, 1<<24, 65536, -65536)
	testIntegers[int64](t, "I64", classesI64NEON, math.MinInt64, math.MinInt64+1, math.MaxInt64, -1, 0, 1, 1<<31, 1<<31-1, 1<<31-2, -1<<31, -1<<31-1, -1<<31+1, 1<<32, 1<<32+1, -1<<32, -1<<32+1, -1<<32-1,
		1<<63-1<<31, -1<<63+5, 5<<32, 5<<32+1, -5<<32, -5<<32|0xffffffff, 0x7fffffffffffffff, 0x00000000ffffffff, 0x00000001ffffffff, 0x7fffffff80000000)
	testFloats[float32](t, "F32", classesF32NEON)
	testFloats[float64](t, "F64", classesF64NEON, math.MaxFloat64, math.SmallestNonzeroFloat64, 1<<31-0.5, -(1<<31)-0.5, 1<<24+1.5, math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8000012345678))

	// A uint64 has no negative reading: with wrap 0 the signed kernel answers right for it, and so for uint32.
	testClasses(t, "I64 as uint64", func(c *int32, p unsafe.Pointer, n int, depth, _ int32) int { return classesI64NEON(c, p, n, depth, 0) },
		[]uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64, math.MaxUint64 - 1, 0xffffffff80000000, 0xffffffff7fffffff},
		func(rng *rand.Rand, depth int32) uint64 { return uint64(near(rng, depth)) },
		func(x uint64, depth, _ int32) int32 {
			if x >= uint64(depth) {
				return -1
			}
			return int32(x)
		})
	testClasses(t, "I32 as uint32", func(c *int32, p unsafe.Pointer, n int, depth, _ int32) int { return classesI32NEON(c, p, n, depth, 0) },
		[]uint32{0, 1, 1<<31 - 1, 1 << 31, 1<<31 + 1, math.MaxUint32},
		func(rng *rand.Rand, depth int32) uint32 { return uint32(near(rng, depth)) },
		func(x uint32, depth, _ int32) int32 {
			if x >= uint32(depth) {
				return -1
			}
			return int32(x)
		})
}
