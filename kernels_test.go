//go:build (amd64 || arm64) && !purego && (linux || darwin)

package onehot

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

// This file compares the kernels of every tier of the machine with their models
// in kernels_generic.go. It calls them through their dispatching functions,
// which know no thresholds. A buffer starts or ends at a protected page, so
// that a stray access faults, or lies among canaries, which show stray writes.
// The models are compared with cases written by hand.

// kernelTests maps each family of kernels to its test.
var kernelTests = map[string]func(t *testing.T){
	"classes":    testClasses,
	"text":       testText,
	"null":       testNull,
	"codes":      testCodes,
	"nones":      testNones,
	"rows":       func(t *testing.T) { testRows(t, rowsOf, rowsGeneric, false) },
	"rowsMiss":   func(t *testing.T) { testRows(t, rowsMissOf, rowsMissGeneric, true) },
	"rowsStream": testRowsStream,
	"widen":      testWiden,
	"planes":     func(t *testing.T) { testPlanes(t, (*rig).checkPlaneByPlane) },
	"planesByColumns": func(t *testing.T) {
		testPlanes(t, func(r *rig, s spot, c planesCase) { r.checkPlanes(s, c, planesByColumnsOf) })
	},
	"planesStream": testPlanesStream,
	"bitPlanes":    testBitPlanes,
	"marks":        testMarks,
	"setMarks":     testSetMarks,
	"cells":        testCells,
	"hits":         testHits,
	"places":       testPlaces,
	"collect":      testCollect,
	"changes":      testChanges,
	"fillPattern":  func(t *testing.T) { testFill(t, 64, 0x0807060504030201, 0x100f0e0d0c0b0a09, fillPatternOf) },
	"fillRuns":     testFillRuns,
	"fillPlaces":   testFillPlaces,
	"fillZero": func(t *testing.T) {
		testFill(t, 64, 0, 0, func(dst unsafe.Pointer, n int, _, _ uint64) { fillZeroOf(dst, n) })
	},
	"fillRepeat": func(t *testing.T) {
		testFill(t, 128, 0x0807060504030201, 0x0807060504030201, func(dst unsafe.Pointer, n int, lo, _ uint64) { fillRepeatOf(dst, n, lo) })
	},
	"stream":     func(t *testing.T) { testStream(t, false, streamOf, streamGeneric) },
	"streamLine": func(t *testing.T) { testStream(t, true, streamLineOf, streamLineGeneric) },
	"prefetch":   testPrefetch,
	"streamEnd":  func(*testing.T) { streamEndOf() }, // one goroutine cannot see what it orders
}

func TestKernels(t *testing.T) {
	for _, path := range tier.Available() {
		if path == tier.GenericPath {
			continue // it runs the models
		}
		t.Run(path.String(), func(t *testing.T) {
			defer tier.Force(tier.Force(path))
			for family, test := range kernelTests {
				t.Run(family, test)
			}
		})
	}
}

// TestKernelsListed parses the dispatch of all architectures. The function of a
// family must call each kernel of that family, and each family must have a
// test.
func TestKernelsListed(t *testing.T) {
	for _, file := range []string{"zkernels_amd64.go", "zkernels_arm64.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		calls, declared := map[string]string{}, []string{}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Body == nil {
				declared = append(declared, f.Name.Name)
				continue
			}
			family := strings.TrimSuffix(f.Name.Name, "Of")
			require.Contains(t, kernelTests, family, "%s: %s has no test", file, f.Name.Name)
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					calls[id.Name] = family
				}
				return true
			})
		}
		require.NotEmpty(t, declared, file)
		for _, kernel := range declared {
			name := kernelName.FindStringSubmatch(kernel)
			require.NotNil(t, name, "%s: %s is named like no kernel", file, kernel)
			require.Contains(t, kernelTests, name[1], "%s: %s is of no family with a test", file, kernel)
			require.Equal(t, name[1], calls[kernel], "%s: %s is not called by its family", file, kernel)
		}
	}
}

var kernelName = regexp.MustCompile(`^([a-z][A-Za-z]*?)([IUF]?\d+)?(AVX512|AVX2|NEON)?$`)

// An arena is memory between two protected pages: a kernel that reads or writes
// past either end of it faults.
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

// A spot is the place of a buffer in its arena: right after the first
// protected page, right before the last, or among canaries, shift bytes into a
// cache line.
type spot struct {
	name  string
	shift int
}

var (
	atHead = spot{"head", -1}
	atTail = spot{"tail", -2}
)

func spots(shifts ...int) []spot {
	s := []spot{atHead, atTail}
	for _, shift := range shifts {
		s = append(s, spot{fmt.Sprint("shift", shift), shift})
	}
	return s
}

// buffer returns n bytes at a spot, filled with canaries, and a function that
// reports whether the bytes around them are unchanged.
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

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// A rig holds the memory and the random numbers of a kernel test.
type rig struct {
	*rand.Rand
	t              *testing.T
	dst, src, more arena
	v              arena
}

func newRig(t *testing.T, dst, src int) *rig {
	return &rig{rand.New(rand.NewPCG(uint64(dst), uint64(src))), t, newArena(t, dst), newArena(t, src), newArena(t, src), newArena(t, 1)}
}

// check runs a kernel on n bytes at a spot and its model on a copy of them.
// Both must write and return the same, and the kernel must touch nothing else.
func (r *rig) check(s spot, n int, kernel, model func(dst unsafe.Pointer) int, format string, args ...any) {
	r.t.Helper()
	out, intact := r.dst.buffer(n, s)
	for i := range out {
		out[i] = byte(i) ^ canary
	}
	want := bytes.Clone(out)
	wanted := model(pointer(want))
	got := kernel(pointer(out))
	what := fmt.Sprintf(format, args...)
	if !bytes.Equal(want, out) {
		for i := range want {
			if want[i] != out[i] {
				r.t.Fatalf("%s, %s: byte %d of %d is %#x, want %#x", what, s.name, i, n, out[i], want[i])
			}
		}
	}
	if got != wanted || !intact() {
		r.t.Fatalf("%s, %s: returned %d, want %d; bytes around intact: %v", what, s.name, got, wanted, intact())
	}
}

// nans are quiet and signalling NaNs and zeros of both signs, of every width of
// float: the values that a comparison or a blend of floats gets wrong.
var nans = []uint64{
	0, 1 << 63, 0x80008000_80008000, 0x7ff8000000000000, 0xfff4000000000001, 0x7fc00000_7fc00000, 0xffa00001_ffa00001, 0x7e007e00_7e007e00, 0xfc01fc01_fc01fc01,
}

// values draws on, off and miss, at either end of a page. The bits above a
// cell's width are random too: kernels ignore them.
func (r *rig) values() (v *values, p unsafe.Pointer) {
	draw := func() element { return element{r.Uint64(), r.Uint64()} }
	b, _ := r.v.buffer(int(unsafe.Sizeof(*v)), spots()[r.IntN(2)])
	v = (*values)(pointer(b))
	*v = values{on: draw(), off: draw(), miss: draw()}
	switch r.IntN(6) {
	case 0:
		v.off = element{}
	case 1:
		v.on, v.off = element{lo: 1}, element{^uint64(0), ^uint64(0)}
	case 2:
		v.on, v.off = element{lo: 0x3ff0000000000000}, element{}
	case 3:
		v.off.lo <<= 8 << r.IntN(3) // zero for cells of some widths
	case 4:
		nan := func() uint64 { return nans[r.IntN(len(nans))] }
		*v = values{on: element{nan(), nan()}, off: element{nan(), nan()}, miss: element{nan(), nan()}}
	}
	v.ahead = r.IntN(2) == 0
	return v, unsafe.Pointer(v)
}

// distinct is values with an on and an off that differ in cells of that width.
func (r *rig) distinct(width int) (v *values, p unsafe.Pointer) {
	for {
		if v, p = r.values(); v.on.low(width) != v.off.low(width) {
			return v, p
		}
	}
}

// classes draws n classes below depth, the first and the last of them often.
// Some of the n, or all, are none instead.
func (r *rig) classes(n, depth int, s spot) unsafe.Pointer {
	c, _ := r.src.buffer(n, s)
	misses := []int{0, 1, 1, 8}[r.IntN(4)] // in 8
	for i := range c {
		switch u := r.IntN(8); {
		case u < misses:
			c[i] = none
		case u == misses:
			c[i] = []byte{0, byte(min(depth-1, none)), none}[r.IntN(3)]
		default:
			c[i] = byte(min(r.IntN(depth), none))
		}
	}
	return pointer(c)
}

// random returns n random bytes at a spot of a.
func (r *rig) random(a arena, n int, s spot) []byte {
	b, _ := a.buffer(n, s)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

var (
	cellWidths = []int{1, 2, 4, 8, 16}
	lineSpots  = func(i int) []spot { return spots(i%64, 0) }
)

// An indexCase is one index: its bits and, if it is valid, the integer that it
// stands for.
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
	32766.5, 32767, 32767.5, 32768, -32768, -32768.5, -32769, 65535, 65536, -65535, -65536, 1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1<<31 - 0.5, 1 << 32, 1<<32 + 1, -1 << 32, 1 << 53, 1 << 62, 1 << 63, -1 << 63, 1 << 64, 1e300, -1e300, 5e-324,
}

var integerExtremes = []int64{
	math.MinInt32, math.MinInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, 1 << 32, 1<<32 + 1, -1 << 32, -1<<32 + 1, -1<<32 - 1, 1 << 40, math.MinInt64,
	math.MinInt64 + 1, math.MinInt64 + 5, math.MaxInt64, 127, 128, -128, -127, 254, 255, 256, -256, 32767, 32768, -32768, 65535, 65536, -65536, 1 << 24, 1<<31 - 2, -1<<31 + 1,
	1<<63 - 1<<31, 5 << 32, 5<<32 + 1, -5 << 32, -5<<32 | 0xffffffff, 0xffffffff, 0x1ffffffff, 0x7fffffff80000000,
}

var unsignedExtremes = []uint64{
	1<<31 - 1, 1 << 31, 1<<31 + 1, math.MaxUint32, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, 0xffffffff80000000, 0xffffffff7fffffff, math.MaxUint64 - 1, math.MaxUint64,
}

// A window is limit classes from first on. wrap is added to negative indices.
type window struct{ first, limit, wrap int }

// class defines the byte of an index in a window anew, with integers only.
func (w window) class(x indexCase) byte {
	c := x.value
	if c < 0 {
		c += int64(w.wrap)
	}
	if !x.valid || x.value < 0 && w.wrap == 0 || c < int64(w.first) || c >= int64(w.first+w.limit) {
		return none
	}
	return byte(c - int64(w.first))
}

// indexPool returns indices of a type: around the ends of the window, at the
// limits of the type, and some without a class.
func indexPool(typ IndexType, w window) (pool []indexCase) {
	first, last, wrap := int64(w.first), int64(w.first+w.limit), int64(w.wrap)
	near := []int64{0, 1, 2, -1, -2, first - 1, first, first + 1, last - 2, last - 1, last, last + 1, (first + last) / 2}
	for _, x := range near[:len(near):len(near)] {
		near = append(near, x-wrap, x+wrap, x-last, x-256, x+256, x-1<<16, x+1<<16)
	}
	bits := 8 * indexSizes[typ]
	switch typ {
	case Int8, Int16, Int32, Int64:
		low, high := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
		for _, x := range append(append(near, low, low+1, high, high-1), integerExtremes...) {
			if low <= x && x <= high {
				pool = append(pool, integer(x))
			}
		}
	case Float32, Float64:
		floats := slices.Clone(floatExtremes)
		for _, x := range near {
			fraction := 0.75 * float64(x) / max(math.Abs(float64(x)), 1)
			floats = append(floats, float64(x), float64(x)+fraction)
		}
		for _, f := range floats {
			if typ == Float32 {
				f := float32(f)
				pool = append(pool, floating(uint64(math.Float32bits(f)), float64(f)))
			} else {
				pool = append(pool, floating(math.Float64bits(f), f))
			}
		}
		if typ == Float64 {
			for _, b := range []uint64{0x7ff0000000000001, 0xfff8000012345678, 0x7fefffffffffffff} {
				pool = append(pool, floating(b, math.Float64frombits(b)))
			}
		}
	default:
		for _, x := range near {
			if x >= 0 && x <= 1<<(bits-1) {
				pool = append(pool, integer(x))
			}
		}
		for _, x := range append(unsignedExtremes, 1<<bits-1, 1<<bits-2, 1<<(bits-1)) {
			if x <= 1<<bits-1 {
				pool = append(pool, indexCase{x, int64(min(x, math.MaxInt64)), true})
			}
		}
	}
	return pool
}

// kernelTypes are the index types that have kernels.
var kernelTypes = []IndexType{Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float32, Float64}

// windows returns the windows that a type is tested with. Only signed integers
// and floats have a wrap, which is at least the end of the window.
func windows(typ IndexType) (all []window) {
	most := math.MaxInt16
	if typ == Uint8 {
		most = 256
	}
	for _, first := range []int{0, 1, 192, 255, 384, 510, 1 << 14, math.MaxInt16 - 255} {
		for _, limit := range []int{1, 2, 10, 64, 127, 128, 192, 254, 255} {
			if first+limit > most {
				continue
			}
			all = append(all, window{first, limit, 0})
			if typ < Uint8 || typ > Uint64 {
				all = append(all, window{first, limit, first + limit}, window{first, limit, min(first+limit+100, most)}, window{first, limit, most})
			}
		}
	}
	return all
}

func testClasses(t *testing.T) {
	r := newRig(t, 1<<11, 1<<14)
	for _, typ := range kernelTypes {
		all := windows(typ)
		for i, w := range all {
			pool := indexPool(typ, w)
			r.checkClasses(atTail, typ, w, pool, 64+i%70)
			for j := range 4 { // few different indices
				at := r.IntN(len(pool))
				r.checkClasses(spots(j)[r.IntN(3)], typ, w, pool[at:min(at+1+r.IntN(3), len(pool))], 64+(i+j)%140)
			}
		}
		for n := 64; n <= 330; n++ {
			for _, s := range lineSpots(n) {
				w := all[r.IntN(len(all))]
				r.checkClasses(s, typ, w, indexPool(typ, w), n)
			}
		}
		for i := range 30 { // more misses than a byte can count
			w := all[r.IntN(len(all))]
			pool := indexPool(typ, w)
			if i%3 == 0 {
				pool = pool[:1]
			}
			r.checkClasses(spots()[i%2], typ, w, pool, 1000+r.IntN(1000))
		}
		if size := indexSizes[typ]; size <= 2 { // every value
			n := 1 << (8 * size)
			in, out, want := make([]byte, n*size), make([]byte, n), make([]byte, n)
			for i := range n {
				binary.LittleEndian.PutUint16(append(in[i*size:i*size], 0, 0), uint16(i))
				in[i*size] = byte(i)
				in[i*size+size-1] = byte(i >> (8 * (size - 1)))
			}
			for i, w := range all {
				if testing.Short() && size == 2 && i%7 != 0 {
					continue
				}
				misses := classesOf(typ, pointer(out), pointer(in), n, w.first, w.limit, w.wrap)
				wanted := classesGeneric(typ, pointer(want), pointer(in), n, w.first, w.limit, w.wrap)
				require.True(t, bytes.Equal(want, out) && misses == wanted, "classes of all indices of type %d, %+v: wrong, or %d misses and not %d", typ, w, misses, wanted)
			}
		}
	}
}

func (r *rig) checkClasses(s spot, typ IndexType, w window, pool []indexCase, n int) {
	r.t.Helper()
	size := indexSizes[typ]
	in, intact := r.src.buffer(n*size, s)
	one := r.IntN(4) == 0 // the same index everywhere, so that all or none are misses
	for i := range n {
		x := pool[n%len(pool)]
		if !one {
			x = pool[r.IntN(len(pool))]
		}
		putIndex(in, i, size, x.bits)
	}
	before := bytes.Clone(in)
	r.check(s, n,
		func(dst unsafe.Pointer) int { return classesOf(typ, dst, pointer(in), n, w.first, w.limit, w.wrap) },
		func(dst unsafe.Pointer) int {
			return classesGeneric(typ, dst, pointer(in), n, w.first, w.limit, w.wrap)
		},
		"classes of type %d, n=%d %+v", typ, n, w)
	if !intact() || !bytes.Equal(before, in) {
		r.t.Fatalf("classes of type %d, n=%d %+v: wrote to the indices", typ, n, w)
	}
}

// putIndex stores the low size bytes of x as index i of b.
func putIndex(b []byte, i, size int, x uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], x)
	copy(b[i*size:(i+1)*size], w[:])
}

// TestClassesModel compares classesGeneric with window.class.
func TestClassesModel(t *testing.T) {
	for _, typ := range kernelTypes {
		size := indexSizes[typ]
		for _, w := range windows(typ) {
			pool := indexPool(typ, w)
			in, got, misses := make([]byte, len(pool)*size), make([]byte, len(pool)), 0
			for i, x := range pool {
				putIndex(in, i, size, x.bits)
				if w.class(x) == none {
					misses++
				}
			}
			require.Equal(t, misses, classesGeneric(typ, pointer(got), pointer(in), len(pool), w.first, w.limit, w.wrap))
			for i, x := range pool {
				require.Equal(t, w.class(x), got[i], "type %d, %+v, %+v", typ, w, x)
			}
		}
	}
}

func testText(t *testing.T) {
	r := newRig(t, 1<<12, 1<<12)
	for _, a := range kernelAlphabets(t) {
		for _, limit := range []int{1, min(a.Len(), none), none, 1 + r.IntN(min(a.Len(), none))} {
			for i := range 100 {
				n := 64 + r.IntN(200)
				for _, s := range spots(i % 64) {
					r.checkText(s, a, n, limit)
				}
			}
			r.checkText(atTail, a, 2000+r.IntN(1000), limit)
		}
	}
}

// kernelAlphabets returns small and large alphabets, one of them with aliases.
func kernelAlphabets(t *testing.T) (all []*Alphabet) {
	var every []byte
	for b := range 256 {
		every = append(every, byte(b*37+11))
	}
	for _, symbols := range []string{
		"A", "ACGT", "01", "\x00", "\xff", "\x00\xff\x7f\x80", "ARNDCQEGHILKMFPSTWYV-", "abcdefghijklmnopqrstuvwxyz ", string(every[:17]), string(every[:100]), string(every[:255]), string(every),
	} {
		a, err := NewAlphabet(symbols)
		require.NoError(t, err)
		all = append(all, a)
	}
	a, err := NewAlphabet("ACGT")
	require.NoError(t, err)
	require.NoError(t, a.Alias("acgtU\xf0", "ACGTTA"))
	return append(all, a)
}

func (r *rig) checkText(s spot, a *Alphabet, n, limit int) {
	r.t.Helper()
	in := r.random(r.src, n, s)
	if u := r.IntN(3); u > 0 {
		for i := range in {
			if in[i] = a.symbols[r.IntN(len(a.symbols))]; u == 1 && r.IntN(8) == 0 {
				in[i] = byte(r.Uint32())
			}
		}
	}
	run := func(text func(classes, text unsafe.Pointer, n int, table unsafe.Pointer, limit int) int) func(dst unsafe.Pointer) int {
		return func(dst unsafe.Pointer) int {
			return text(dst, pointer(in), n, unsafe.Pointer(&a.lookup), limit)
		}
	}
	r.check(s, n, run(textOf), run(textGeneric), "text of %q, n=%d limit=%d", a.symbols, n, limit)
}

func testNull(t *testing.T) {
	r := newRig(t, 1<<14, 1<<12)
	for words := 1; words <= 24; words++ {
		for mode := range 3 {
			for _, s := range spots(words, 0) {
				r.checkNull(s, 64*words, mode)
			}
		}
	}
	for mode := range 3 { // more nulls than a byte can count
		r.checkNull(atTail, 64*80, mode)
		r.checkNull(atHead, 64*127, mode)
	}
}

func (r *rig) checkNull(s spot, n, mode int) {
	r.t.Helper()
	words := r.random(r.src, n/8, s)
	for i := range words {
		switch mode {
		case 1:
			a, b := byte(r.Uint32()), byte(r.Uint32()) // three in four bits are set
			words[i] = a | b
		case 2:
			words[i] = byte(r.IntN(2)) * 0xff
		}
	}
	r.check(s, n,
		func(dst unsafe.Pointer) int { return nullOf(dst, pointer(words), n) },
		func(dst unsafe.Pointer) int { return nullGeneric(dst, pointer(words), n) },
		"null n=%d mode %d", n, mode)
}

type rowsKernel func(width int, dst, classes unsafe.Pointer, rows, depth int, v unsafe.Pointer)

// Rows may overwrite their classes where the plan says so.
func TestRowsOverClasses(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		r := newRig(t, 1<<16, 1<<10)
		for _, width := range cellWidths {
			for _, depth := range []int{2, 3, 5, 8, 9, 17, 33, 64} {
				for rows := 64; rows <= 330; rows++ {
					if plan.OverClasses(tier.Active(), rows, depth*width) {
						r.checkRowsOverClasses(width, rows, depth)
					}
				}
			}
		}
	})
}

func (r *rig) checkRowsOverClasses(width, rows, depth int) {
	r.t.Helper()
	bytes := rows * depth * width
	classes, over, want := r.classes(rows, depth, atTail), make([]byte, bytes), make([]byte, bytes)
	v, p := r.values()
	copy(over[bytes-rows:], bytesAt(classes, rows))
	kernel, model := rowsOf, rowsGeneric
	if r.IntN(2) > 0 {
		kernel, model = rowsMissOf, rowsMissGeneric
	}
	kernel(width, pointer(over), pointer(over[bytes-rows:]), rows, depth, p)
	model(width, pointer(want), classes, rows, depth, p)
	require.Equal(r.t, want, over, "%d rows of %d cells of %d bytes, %v", rows, depth, width, *v)
}

// Planes may overwrite their classes where the plan says so.
func TestPlanesOverClasses(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		r := newRig(t, 1<<18, 1<<12)
		for _, width := range cellWidths {
			for _, inner := range []int{64, 128, 192, 256, 640} {
				for _, count := range []int{2, 3, 7, 12} {
					for blocks := 1; plan.OverPlanes(blocks*inner, inner) && blocks < 8; blocks++ {
						r.checkPlanesOverClasses(width, blocks, inner, count, r.IntN(2))
					}
				}
			}
		}
	})
}

func (r *rig) checkPlanesOverClasses(width, blocks, inner, count, missing int) {
	r.t.Helper()
	n, plane := blocks*inner, inner*width
	bytes := plane * count * blocks
	classes, over, want := r.classes(n, count, atTail), make([]byte, bytes), make([]byte, bytes)
	v, p := r.values()
	copy(over[bytes-n:], bytesAt(classes, n))
	planesByColumnsOf(width, pointer(over), plane*count, plane, pointer(over[bytes-n:]), blocks, inner, 0, count, p, missing)
	planesByColumnsGeneric(width, pointer(want), plane*count, plane, classes, blocks, inner, 0, count, p, missing)
	require.Equal(r.t, want, over, "%d blocks of %d planes of %d cells of %d bytes, %v", blocks, count, inner, width, *v)
}

// checkRows compares a kernel of rows with its model.
func (r *rig) checkRows(s spot, width, rows, depth int, kernel, model rowsKernel) {
	r.t.Helper()
	classes := r.classes(rows, depth, s)
	v, p := r.values()
	run := func(f rowsKernel) func(dst unsafe.Pointer) int {
		return func(dst unsafe.Pointer) int {
			f(width, dst, classes, rows, depth, p)
			return 0
		}
	}
	r.check(s, rows*depth*width, run(kernel), run(model), "%d-byte cells, %d rows of %d, %v", width, rows, depth, *v)
}

func testRows(t *testing.T, kernel, model rowsKernel, hasMiss bool) {
	r := newRig(t, 1<<20, 1<<15)
	check := func(s spot, width, rows, depth int) {
		t.Helper()
		r.checkRows(s, width, rows, depth, kernel, model)
	}
	for _, width := range cellWidths {
		most := min(plan.Deepest(tier.Active(), hasMiss), plan.MaxRow/width)
		for depth := 2; depth <= most; depth++ {
			for _, rows := range []int{64, 65 + depth%15, 80 + depth%48, 128 + r.IntN(9)} {
				check(spots(r.IntN(64))[r.IntN(3)], width, rows, depth)
			}
			check(atHead, width, 64+r.IntN(64), depth)
			check(atTail, width, 64+r.IntN(64), depth)
		}
		for _, depth := range []int{2, 3, 4, 5, 7, 8, 10, 15, 16, 17} { // every number of rows left over
			for rows := 64; rows <= 200; rows++ {
				check(lineSpots(rows)[rows%4], width, rows, depth)
			}
		}
		for _, depth := range []int{2, 3, 4, 10, 16, 21, 33, 64, most} { // more rows than the tile of a kernel that works in tiles
			for range 3 {
				rows := min(64+r.IntN(2*(64<<10)/(depth*width)+64), 1<<15, len(r.dst.mem)/(depth*width)-16)
				check(atTail, width, rows, depth)
			}
		}
	}
}

// planesCase holds the parameters of a kernel of planes, except dst.
type planesCase struct {
	width, stride, plane, blocks, n, first, count, missing int
	classes                                                unsafe.Pointer
	v                                                      *values
}

// planes draws a case with gaps of gap bytes, or none, between planes and
// between blocks. With plan.Classes planes or fewer, there may be a Miss.
func (r *rig) planes(s spot, width, blocks, n, count, gap int) planesCase {
	c, limit := planesCase{width: width, blocks: blocks, n: n, count: count}, none+1 // the last class is none, which may have a plane too
	if count <= plan.Classes && r.IntN(2) > 0 {
		c.missing, limit = (1+r.IntN(1<<40))*(1-2*r.IntN(2)), plan.Classes
	}
	c.first = r.IntN(2) * r.IntN(limit+1-count)
	c.classes = r.classes(blocks*n, min(c.first+count+r.IntN(2), limit, plan.Classes), s)
	c.plane = n*width + r.IntN(2)*gap
	c.stride = (count-1)*c.plane + n*width + r.IntN(2)*gap
	c.v, _ = r.values()
	return c
}

// checkPlanes compares a kernel of planes with the model of planesByColumns.
func (r *rig) checkPlanes(s spot, c planesCase, kernel planesKernel) {
	r.t.Helper()
	r.check(s, c.bytes(), c.run(kernel, c.classes), c.run(planesByColumnsGeneric, c.classes), "%+v, values %v", c, *c.v)
}

// checkPlaneByPlane is checkPlanes for planesOf, whose classes are as wide as
// cells, for its own model, and for planeByPlane. The kernel may read what
// misses hold from a plane before the first.
func (r *rig) checkPlaneByPlane(s spot, c planesCase) {
	r.t.Helper()
	cells, _ := r.more.buffer(c.blocks*c.n*c.width, s)
	classes := pointer(cells)
	widenGeneric(c.width, classes, c.classes, c.blocks*c.n)
	byPlane := func(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int) {
		planeByPlane(width, dst, stride, plane, classes, blocks, n, first, count, (*values)(v), max(missing, -missing))
	}
	r.check(s, c.bytes(), c.run(byPlane, classes), c.run(planesByColumnsGeneric, c.classes), "plane by plane, %+v, values %v", c, *c.v)
	bytes, run, kernel := c.bytes(), c.run, planesOf
	if c.missing != 0 {
		c.stride += c.plane
		bytes, run = c.bytes()+c.plane, c.runBehind
	}
	if c.missing < 0 && tier.Active() == tier.AVX2Path { // misses are read, not chosen
		kernel = planesOfNoMiss
	}
	model := run(planesByColumnsGeneric, c.classes)
	r.check(s, bytes, run(kernel, classes), model, "%+v, values %v", c, *c.v)
	if c.n < 80 { // this model takes long
		r.check(s, bytes, run(planesGeneric, classes), model, "model, %+v, values %v", c, *c.v)
	}
}

// planesOfNoMiss is planesOf with on in place of miss, for a kernel that must
// not look at miss.
func planesOfNoMiss(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int) {
	wrong := *(*values)(v)
	wrong.miss = wrong.on
	planesOf(width, dst, stride, plane, classes, blocks, n, first, count, unsafe.Pointer(&wrong), missing)
}

// bytes returns how many bytes the planes span.
func (c *planesCase) bytes() int {
	return (c.blocks-1)*c.stride + (c.count-1)*c.plane + c.n*c.width
}

func (c *planesCase) run(kernel planesKernel, classes unsafe.Pointer) func(dst unsafe.Pointer) int {
	return func(dst unsafe.Pointer) int {
		kernel(c.width, dst, c.stride, c.plane, classes, c.blocks, c.n, c.first, c.count, unsafe.Pointer(c.v), c.missing)
		streamEndOf()
		return 0
	}
}

// runBehind is run after a plane that holds what cells are if they are not on.
func (c *planesCase) runBehind(kernel planesKernel, classes unsafe.Pointer) func(dst unsafe.Pointer) int {
	return func(dst unsafe.Pointer) int {
		others := values{on: c.v.miss, off: c.v.off}
		planesByColumnsGeneric(c.width, dst, c.stride, c.plane, c.classes, c.blocks, c.n, none, 1, unsafe.Pointer(&others), 0)
		return c.run(kernel, classes)(unsafe.Add(dst, c.plane))
	}
}

type planesKernel func(width int, dst unsafe.Pointer, stride, plane int, classes unsafe.Pointer, blocks, n, first, count int, v unsafe.Pointer, missing int)

func testPlanes(t *testing.T, checkOn func(r *rig, s spot, c planesCase)) {
	r := newRig(t, 1<<20, 1<<17)
	check := func(s spot, width, blocks, n, count int) {
		t.Helper()
		checkOn(r, s, r.planes(s, width, blocks, n, count, 1+r.IntN(80)))
	}
	for _, width := range cellWidths {
		for n := 64; n <= 200; n++ {
			for _, s := range lineSpots(n) {
				check(s, width, 1+r.IntN(3), n, 1+r.IntN(6))
			}
		}
		for count := 1; count <= 255; count++ { // many planes may be written in another way than few
			if count < 40 || count%16 < 2 || count > 250 {
				check(lineSpots(count)[count%4], width, 1+count%2, 64+r.IntN(66), count)
			}
		}
		for _, n := range []int{255, 256, 257, 512, 1000, 2047, 2048, 2100} {
			check(atHead, width, 2, n, 1+r.IntN(5))
			check(atTail, width, 1, n, 1+r.IntN(30))
		}
	}
}

func testWiden(t *testing.T) {
	r := newRig(t, 1<<16, 1<<12)
	for _, width := range cellWidths[1:] {
		for _, n := range []int{255, 256, 257, 1000, 2048, 2111} {
			r.checkWiden(atTail, width, n)
		}
		for n := 64; n <= 200; n++ {
			for _, s := range lineSpots(n) {
				r.checkWiden(s, width, n)
			}
		}
	}
}

func (r *rig) checkWiden(s spot, width, n int) {
	r.t.Helper()
	classes := pointer(r.random(r.src, n, s))
	r.check(s, n*width,
		func(dst unsafe.Pointer) int { widenOf(width, dst, classes, n); return 0 },
		func(dst unsafe.Pointer) int { widenGeneric(width, dst, classes, n); return 0 }, "%d classes for cells of %d", n, width)
}

func testCodes(t *testing.T) {
	r := newRig(t, 1<<16, 1<<12)
	for _, width := range cellWidths[1:4] {
		for n := 64; n <= 200; n++ {
			for _, s := range lineSpots(n) {
				classes := pointer(r.random(r.src, n, s))
				r.check(s, n*width,
					func(dst unsafe.Pointer) int { codesOf(width, dst, classes, n); return 0 },
					func(dst unsafe.Pointer) int { codesGeneric(width, dst, classes, n); return 0 }, "%d codes of %d bytes", n, width)
			}
		}
	}
}

// testNones makes codes of few different bytes, so that some bytes of a code,
// or all, are 255.
func testNones(t *testing.T) {
	r := newRig(t, 1, 1<<15)
	for _, width := range cellWidths[1:4] {
		for n := 64; n <= 2048; n *= 2 {
			for share := range 4 {
				for _, s := range spots(1) {
					codes, _ := r.src.buffer(n*width, s)
					for i := range codes {
						codes[i] = byte(min(254+r.IntN(1+20*share), none))
					}
					require.Equal(t, nonesGeneric(width, pointer(codes), n), nonesOf(width, pointer(codes), n), "%d codes of %d bytes", n, width)
				}
			}
		}
	}
}

func testRowsStream(t *testing.T) {
	defer func(was bool) { tier.Intel = was }(tier.Intel)
	for _, tier.Intel = range []bool{false, true} {
		testRowsByLines(t)
	}
}

func testRowsByLines(t *testing.T) {
	r := newRig(t, 1<<20, 1<<13)
	for _, width := range cellWidths {
		for depth := 2; depth <= min(plan.MaxDepth, plan.MaxRow/width); depth++ {
			for rows := 64; rows <= 256 && (depth*width%4 == 0 || tier.AVX512 && tier.Intel); rows += 64 {
				r.checkRows([]spot{atHead, {"line", 0}}[rows/64%2], width, rows, depth, rowsStreamOf, rowsGeneric)
			}
		}
	}
}

// A prefetch has no visible effect. The test shows that it ends, and changes
// nothing.
func testPrefetch(t *testing.T) {
	r := newRig(t, 1<<12, 1<<12)
	for n := 1; n <= 300; n++ {
		for _, s := range spots(n) {
			src := r.random(r.src, n, s)
			was := bytes.Clone(src)
			for _, prefetch := range []func(src unsafe.Pointer, n int){prefetchOf, prefetchGeneric} {
				prefetch(pointer(src), n)
				require.Equal(t, was, src)
			}
		}
	}
}

func testPlanesStream(t *testing.T) {
	r := newRig(t, 1<<20, 1<<15)
	for _, width := range cellWidths {
		for n := 64; n <= 640; n += 64 {
			for _, s := range []spot{atHead, {"line", 0}, atHead, {"line", 0}} {
				r.checkPlanes(s, r.planes(s, width, 1+r.IntN(3), n, 1+r.IntN(20), lineBytes), planesStreamOf)
			}
		}
	}
}

func testBitPlanes(t *testing.T) {
	r := newRig(t, 1<<17, 1<<12)
	for words := 1; words <= 40; words++ {
		for _, s := range spots(0, 8, 1, 63) {
			n, count := 64*words, 1+r.IntN([]int{7, 40, 255}[r.IntN(3)])
			classes := r.classes(n, count, s)
			plane := n/8 + r.IntN(3)*8
			r.check(s, (count-1)*plane+n/8,
				func(dst unsafe.Pointer) int { bitPlanesOf(dst, plane, classes, n, count); return 0 },
				func(dst unsafe.Pointer) int { bitPlanesGeneric(dst, plane, classes, n, count); return 0 },
				"%d planes %d apart of %d bits", count, plane, n)
		}
	}
}

func testMarks(t *testing.T) {
	r := newRig(t, 1<<15, 1<<12)
	for n := 8; n <= 264; n += 8 {
		for first := range 64 {
			s := spots(n % 64)[first%3]
			depth := 1 + r.IntN([]int{3, 64, 255}[r.IntN(3)])
			count := (first+depth-1)/64 + 1
			if r.IntN(4) == 0 { // bits that are in none of the planes
				count = 1 + r.IntN(count)
			}
			classes := r.classes(n, depth, s)
			plane := n*8 + r.IntN(3)*8
			r.check(s, (count-1)*plane+n*8,
				func(dst unsafe.Pointer) int { marksOf(dst, plane, classes, n, first, count); return 0 },
				func(dst unsafe.Pointer) int { marksGeneric(dst, plane, classes, n, first, count); return 0 },
				"marks from %d in %d planes %d apart of %d words", first, count, plane, n)
		}
	}
}

func testSetMarks(t *testing.T) {
	r := newRig(t, 1<<14, 1<<14)
	check := func(s spot, rows, k, count int) {
		t.Helper()
		classes := r.classes(rows*k, max(64*count-r.IntN(64), 1), s)
		plane := (rows + r.IntN(3)) * 8
		r.check(s, (count-1)*plane+rows*8,
			func(dst unsafe.Pointer) int { setMarksOf(dst, plane, classes, rows, k, count); return 0 },
			func(dst unsafe.Pointer) int { setMarksGeneric(dst, plane, classes, rows, k, count); return 0 },
			"marks of %d rows of %d, %d planes %d apart", rows, k, count, plane)
	}
	for k := plan.SetLeast; k <= plan.SetMost+12; k++ {
		for rows := 8; rows <= 40; rows += 8 {
			for _, s := range spots(k % 64) {
				check(s, rows, k, 1+r.IntN(2))
			}
		}
	}
	for _, k := range []int{255, 256, 257, 500} {
		check(atTail, 8+8*r.IntN(3), k, 1+r.IntN(2))
	}
}

func testCells(t *testing.T) {
	r := newRig(t, 1<<17, 1<<13)
	for _, width := range cellWidths {
		for cells := 1; cells <= 300; cells++ {
			for _, s := range spots(cells % 64) {
				r.checkCells(s, width, 1+r.IntN(6), cells)
			}
		}
	}
}

func (r *rig) checkCells(s spot, width, rows, cells int) {
	r.t.Helper()
	next, plane := 8, rows*8+r.IntN(3)*8 // words of one plane lie side by side,
	if r.IntN(2) == 0 {                  // or words of one row
		next, plane = (cells+63)/64*8+r.IntN(3)*8, 8
	}
	words := r.random(r.src, (rows-1)*next+(cells-1)/64*plane+8, s)
	for i := range words {
		words[i] &= byte(r.Uint32())
	}
	stride := cells*width + r.IntN(2)*r.IntN(160)
	v, p := r.values()
	reach := (cells*width + lineBytes - 1) / lineBytes * lineBytes
	n := (rows-1)*stride + reach
	// restore undoes what the kernel's vectors wrote after each row.
	var out []byte
	restore := func(dst unsafe.Pointer, before []byte) {
		out = bytesAt(dst, len(before))
		for row := range rows {
			end, to := row*stride+cells*width, row*stride+reach
			if row < rows-1 {
				to = min(to, (row+1)*stride)
			}
			copy(out[end:to], before[end:to])
		}
	}
	r.check(s, n,
		func(dst unsafe.Pointer) int {
			before := bytes.Clone(bytesAt(dst, n))
			cellsOf(width, dst, stride, pointer(words), next, plane, rows, cells, p)
			restore(dst, before)
			return 0
		},
		func(dst unsafe.Pointer) int {
			cellsGeneric(width, dst, stride, pointer(words), next, plane, rows, cells, p)
			return 0
		},
		"%d-byte cells, %d rows %d apart of %d, words %d and %d apart, %v", width, rows, stride, cells, next, plane, *v)
}

// draw writes n cells to b, of which share in 256 are on and the others off. If
// strange is set, a single bit of one cell is flipped.
func (r *rig) draw(b []byte, width, n, share int, v *values, strange bool) {
	for i := range n {
		putCell(pointer(b), width, i, v.choose(r.IntN(256) < share))
	}
	if strange {
		at := r.IntN(n)
		b[at*width+r.IntN(width)] ^= 1 << r.IntN(8)
	}
}

func testHits(t *testing.T) {
	r := newRig(t, 1<<12, 1<<14)
	for _, width := range cellWidths[:4] {
		for n := 64; n <= 700; n++ {
			for _, s := range spots(n % 64) {
				v, p := r.values()
				cells, _ := r.src.buffer(n*width, s)
				r.draw(cells, width, n, []int{0, 20, 256}[r.IntN(3)], v, n%3 == 0)
				sign := func(neither int) int { return min(neither&math.MaxInt|int(uint(neither)>>63), 1) }
				r.check(s, (n+63)/64*8,
					func(dst unsafe.Pointer) int { return sign(hitsOf(width, dst, pointer(cells), n, p)) },
					func(dst unsafe.Pointer) int { return sign(hitsGeneric(width, dst, pointer(cells), n, p)) },
					"hits of %d cells of %d bytes, %v", n, width, *v)
			}
		}
	}
}

// A kernel may write anything to the three places after the last one.
func testPlaces(t *testing.T) {
	const most = 1 << 16
	r := newRig(t, 1<<12, most+1<<12)
	for n := 64; n <= most; n++ {
		if n == 700 {
			n = most
		}
		for _, s := range spots(n % 64) {
			classes := r.classes(n, 5, s)
			for i := range bytesAt(classes, n) {
				if (n%3 == 0 || n == most) && r.IntN(40) > 0 { // few misses, as where rows are repaired
					bytesAt(classes, n)[i] = 0
				}
			}
			count := bytes.Count(bytesAt(classes, n), []byte{none})
			of := func(kernel func(places, classes unsafe.Pointer, n int) int) func(dst unsafe.Pointer) int {
				return func(dst unsafe.Pointer) int {
					got := kernel(dst, classes, n)
					clear(bytesAt(unsafe.Add(dst, 2*count), 6))
					return got
				}
			}
			r.check(s, 2*(count+3), of(placesOf), of(placesGeneric), "places of %d in %d classes", count, n)
		}
	}
}

func testCollect(t *testing.T) {
	r := newRig(t, 1<<14, 1<<17)
	check := func(s spot, width, n int, strange bool) {
		t.Helper()
		v, p := r.distinct(width)
		first, count := r.IntN(200), 1+r.IntN(6)
		if width > 2 && n%2 == 0 {
			first += 1 << 20
		}
		plane := (n + r.IntN(2)*r.IntN(20)) * width
		cells, _ := r.src.buffer((count-1)*plane+n*width, s)
		for c := range count {
			r.draw(cells[c*plane:], width, n, 40, v, strange && c == count/2)
		}
		r.check(s, n*width,
			func(dst unsafe.Pointer) int { return collectOf(width, dst, pointer(cells), plane, n, first, count, p) },
			func(dst unsafe.Pointer) int {
				return collectGeneric(width, dst, pointer(cells), plane, n, first, count, p)
			},
			"collect from %d runs of %d cells of %d bytes, %d apart, first %d, %v", count, n, width, plane, first, *v)
	}
	for _, width := range cellWidths[:4] {
		for n := 64; n <= 330; n++ {
			for _, s := range spots(n % 64) {
				check(s, width, n, n%5 == 0)
			}
		}
		for _, run := range []int{3800, 3839, 3840, 3841, 3904, 7681, 8000, 16000} { // in bytes: more than byte lanes can count
			check(atHead, width, run/width, false)
			check(atTail, width, run/width, true)
		}
	}
}

func testChanges(t *testing.T) {
	r := newRig(t, 1<<12, 1<<13)
	for _, width := range cellWidths[:4] {
		most := math.MaxInt
		if width < 8 {
			most = 1<<(8*width) - 1
		}
		for n := 64; n <= 330; n++ {
			for _, s := range spots(n % 64) {
				depth := min([]int{1, 2, 3, 10, 127, 128, 129, 255, 32768, 65535, 65536, math.MaxInt32, 1 << 31, math.MaxUint32, 1<<32 + 5, math.MaxInt - 1, math.MaxInt}[r.IntN(17)], most)
				prev := r.random(r.src, n*width, s)
				for i := range n {
					switch r.IntN(8) {
					case 0: // bits that a comparison of floats takes for unequal, or for equal ones
						putIndex(prev, i, width, nans[r.IntN(len(nans))])
					case 1: // numbers around depth, and the same with the sign bit flipped
						putIndex(prev, i, width, uint64(depth-r.IntN(3)+1)^uint64(r.IntN(2))<<(8*width-1))
					default:
						putIndex(prev, i, width, r.Uint64N(uint64(depth)))
					}
				}
				next, _ := r.more.buffer(n*width, s)
				copy(next, prev)
				share := []int{0, 20, 256}[r.IntN(3)]
				for i := range n {
					if r.IntN(256) < share { // changed in a single bit, often the sign bit
						bit := []int{r.IntN(8 * width), 8*width - 1}[r.IntN(2)]
						next[i*width+bit/8] ^= 1 << (bit % 8)
					}
				}
				r.check(s, (n+63)/64*8,
					func(dst unsafe.Pointer) int { changesOf(width, dst, pointer(prev), pointer(next), n, depth); return 0 },
					func(dst unsafe.Pointer) int {
						changesGeneric(width, dst, pointer(prev), pointer(next), n, depth)
						return 0
					},
					"changes of %d integers of %d bytes, depth %d", n, width, depth)
			}
		}
	}
}

// testFill tests a kernel that fills n bytes with the pattern lo, hi.
func testFill(t *testing.T, least int, lo, hi uint64, kernel func(dst unsafe.Pointer, n int, lo, hi uint64)) {
	r := newRig(t, 1<<13, 1)
	all := spots()
	for shift := range 65 {
		all = append(all, spots(shift)[2])
	}
	for _, s := range all {
		for n := least; n <= 1400; n++ {
			if n > 330 && n%7 != s.shift%7 && (s.shift >= 0 || n > 520) {
				continue
			}
			r.check(s, n,
				func(dst unsafe.Pointer) int { kernel(dst, n, lo, hi); return 0 },
				func(dst unsafe.Pointer) int { fillPatternGeneric(dst, n, lo, hi); return 0 },
				"fill of %d bytes", n)
		}
	}
}

func testFillRuns(t *testing.T) {
	r := newRig(t, 1<<14, 1)
	value := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, width := range []int{1, 2, 4, 8, 16} {
		pattern := elementFrom(value[:width]).repeated(width)
		for cells := plan.LeastRun / width; cells*width <= 400; cells++ {
			for _, s := range spots(r.IntN(64)) {
				run, runs := cells*width, 1+r.IntN(6)
				stride := run + r.IntN(2)*r.IntN(100)
				n := (runs-1)*stride + run
				r.check(s, n,
					func(dst unsafe.Pointer) int { fillRunsOf(dst, run, runs, stride, pattern.lo, pattern.hi); return 0 },
					func(dst unsafe.Pointer) int {
						fillRunsGeneric(dst, run, runs, stride, pattern.lo, pattern.hi)
						return 0
					},
					"%d runs of %d bytes, %d apart, cells of %d", runs, run, stride, width)
			}
		}
	}
}

// missPlaces has room for all that plan.Repair lets through, wherever misses
// are.
func TestMissPlaces(t *testing.T) {
	const n = len(largeBuffer{})
	var end missPlaces
	room, _ := newArena(t, int(unsafe.Sizeof(end))).buffer(int(unsafe.Sizeof(end)), atTail)
	classes := make([]byte, n)
	defer func(was bool) { tier.Zen1To4 = was }(tier.Zen1To4)
	tier.Zen1To4 = false
	for _, path := range tier.Available() {
		require.True(t, path == tier.NEONPath || path == tier.GenericPath || plan.Repair(path, n, n/plan.RepairOften, 100, 1, true))
	}
	for _, first := range []int{0, n/2 - 7, n - n/plan.RepairOften} {
		clear(classes)
		for i := range n / plan.RepairOften {
			classes[first+i] = none
		}
		count := placesOf(pointer(room), pointer(classes), n)
		require.Equal(t, n/plan.RepairOften, count)
		for k := range count {
			require.EqualValues(t, first+k, binary.NativeEndian.Uint16(room[2*k:]))
		}
	}
}

func testFillPlaces(t *testing.T) {
	far := newRig(t, 1<<21, 1<<10) // places that are negative as int16
	places, _ := far.src.buffer(6, atTail)
	for k, place := range []uint16{1<<15 - 1, 1 << 15, 1<<16 - 1} {
		binary.NativeEndian.PutUint16(places[2*k:], place)
	}
	far.check(atTail, 32<<16,
		func(dst unsafe.Pointer) int { fillPlacesOf(dst, 32, pointer(places), 3, 1, 2); return 0 },
		func(dst unsafe.Pointer) int { fillPlacesGeneric(dst, 32, pointer(places), 3, 1, 2); return 0 }, "far rows")
	r := newRig(t, 1<<14, 1<<10)
	value := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, width := range cellWidths {
		pattern := elementFrom(value[:width]).repeated(width)
		for cells := 32 / width; cells*width <= 400; cells++ {
			for _, s := range spots(r.IntN(64)) {
				run, rows, count := cells*width, 1+r.IntN(12), 1+r.IntN(6)
				places, _ := r.src.buffer(2*count, s)
				for k := range count {
					binary.NativeEndian.PutUint16(places[2*k:], uint16(r.IntN(rows)))
				}
				of := func(kernel func(dst unsafe.Pointer, run int, places unsafe.Pointer, count int, lo, hi uint64)) func(dst unsafe.Pointer) int {
					return func(dst unsafe.Pointer) int {
						kernel(dst, run, pointer(places), count, pattern.lo, pattern.hi)
						return 0
					}
				}
				r.check(s, run*rows, of(fillPlacesOf), of(fillPlacesGeneric), "%d of %d rows of %d bytes, cells of %d", count, rows, run, width)
			}
		}
	}
}

// There are more runs here than one call covers, whatever the caches.
func TestShortRunsOfSeveralCalls(t *testing.T) {
	const run, runs, apart = 600, plan.CallBytes/600 + 100, 607
	e := element{0x0807060504030201, 0x0807060504030201}
	want, got := make([]byte, runs*apart), make([]byte, runs*apart)
	fillRunsGeneric(pointer(want), run, runs, apart, e.lo, e.hi)
	for _, path := range tier.Available() {
		if path == tier.GenericPath {
			continue // there a run of this length is not short
		}
		t.Run(path.String(), func(t *testing.T) {
			defer tier.Force(tier.Force(path))
			clear(got)
			e.fillShortRuns(pointer(got), run, runs, apart)
			require.True(t, bytes.Equal(want, got))
		})
	}
}

func testStream(t *testing.T, one bool, kernel, model func(dst, src unsafe.Pointer, lines int)) {
	r := newRig(t, 1<<13, 1<<13)
	for lines := 1; lines <= 64; lines++ {
		for i, s := range spots(0, 64) {
			n := lines * lineBytes
			read := n
			if one {
				read = lineBytes
			}
			in := r.random(r.src, read, spots(r.IntN(64))[i%3])
			r.check(s, n,
				func(dst unsafe.Pointer) int { kernel(dst, pointer(in), lines); streamEndOf(); return 0 },
				func(dst unsafe.Pointer) int { model(dst, pointer(in), lines); return 0 },
				"stream of %d lines", lines)
		}
	}
}

// TestKernelModels compares the models with cases written by hand.
func TestKernelModels(t *testing.T) {
	v := values{on: element{0xffff_ffff_ffff_ff01, 3}, off: element{0xee_0000_0000_00_00_02, 4}, miss: element{5, 6}}
	p := unsafe.Pointer(&v)
	classes := []byte{1, 0, 255, 2}
	b := func(n int, f func(dst unsafe.Pointer)) []byte {
		out := bytes.Repeat([]byte{9}, n)
		f(pointer(out))
		return out
	}
	require.Equal(t, []byte{2, 1, 1, 2, 2, 2, 2, 2, 9}, b(9, func(dst unsafe.Pointer) { rowsGeneric(1, dst, pointer(classes), 4, 2, p) }))
	require.Equal(t, []byte{2, 1, 1, 2, 5, 5, 2, 2, 9}, b(9, func(dst unsafe.Pointer) { rowsMissGeneric(1, dst, pointer(classes), 4, 2, p) }))
	require.Equal(t, []byte{2, 0, 1, 0xff, 1, 0xff, 2, 0, 9}, b(9, func(dst unsafe.Pointer) { rowsGeneric(2, dst, pointer(classes), 2, 2, p) }))
	require.Equal(t, []byte{2, 0, 0, 0, 1, 0xff, 0xff, 0xff, 9}, b(9, func(dst unsafe.Pointer) { rowsGeneric(4, dst, pointer(classes), 1, 2, p) }))
	require.Equal(t, []byte{2, 0, 0, 0, 0, 0, 0}, b(9, func(dst unsafe.Pointer) { rowsGeneric(8, dst, pointer(classes), 1, 1, p) })[:7])
	require.Equal(t, []byte{1, 255, 255, 255, 255, 255, 255, 255, 3, 0, 0, 0, 0, 0, 0, 0, 9}, b(17, func(dst unsafe.Pointer) { rowsGeneric(16, dst, pointer(classes[1:]), 1, 1, p) }))

	require.Equal(t, []byte{2, 1, 9, 1, 2, 9, 2, 2, 9, 2, 2}, b(11, func(dst unsafe.Pointer) { planesByColumnsGeneric(1, dst, 6, 3, pointer(classes), 2, 2, 0, 2, p, 0) }))
	require.Equal(t, []byte{2, 1, 9, 1, 2, 9, 5, 2, 9, 5, 2}, b(11, func(dst unsafe.Pointer) { planesByColumnsGeneric(1, dst, 6, 3, pointer(classes), 2, 2, 0, 2, p, 1) }))

	text := []byte("TAxC")
	a, err := NewAlphabet("ACGT")
	require.NoError(t, err)
	require.Equal(t, []byte{255, 0, 255, 1}, b(4, func(dst unsafe.Pointer) {
		require.Equal(t, 2, textGeneric(dst, pointer(text), 4, unsafe.Pointer(&a.lookup), 3))
	}))
	word := []uint64{1<<0 | 1<<2 | 1<<7}
	require.Equal(t, []byte{9, 255, 9, 255}, b(4, func(dst unsafe.Pointer) { require.Equal(t, 2, nullGeneric(dst, unsafe.Pointer(&word[0]), 4)) }))

	codes := make([]int32, 5)
	codesGeneric(4, unsafe.Pointer(&codes[0]), pointer([]byte{0, 7, 254, 255}), 4)
	require.Equal(t, []int32{0, 7, 254, -1, 0}, codes)
	require.Equal(t, 1, nonesGeneric(4, unsafe.Pointer(&codes[0]), 5))

	many := append(bytes.Repeat([]byte{1}, 63), 0)
	got := b(24, func(dst unsafe.Pointer) { bitPlanesGeneric(dst, 16, pointer(many), 64, 2) })
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 0x80, 9, 9, 9, 9, 9, 9, 9, 9, 255, 255, 255, 255, 255, 255, 255, 0x7f}, got)

	eight := []byte{0, 1, 63, 62, 255, 2, 3, 4}
	words := slices.Repeat([]uint64{1 << 40}, 17)
	marksGeneric(unsafe.Pointer(&words[0]), 72, pointer(eight), 8, 1, 2)
	const kept = 1 << 40
	require.Equal(t, []uint64{2 | kept, 4 | kept, kept, 1<<63 | kept, kept, 8 | kept, 16 | kept, 32 | kept, kept, 0, 0, 1, 0, 0, 0, 0, 0}, words)
	marksGeneric(unsafe.Pointer(&words[0]), 72, pointer(eight), 8, 0, 1)
	require.Equal(t, []uint64{1, 2, 1 << 63, 1 << 62, 0, 4, 8, 16, kept}, words[:9])
	setMarksGeneric(unsafe.Pointer(&words[0]), 24, pointer([]byte{0, 1, 64, 255, 2, 2, 65, 127}), 2, 4, 2)
	require.Equal(t, []uint64{3, 4, 1 << 63, 1, 2 | 1<<63}, words[:5])

	require.Equal(t, []byte{1, 2, 9, 2, 1}, b(5, func(dst unsafe.Pointer) { cellsGeneric(1, dst, 3, unsafe.Pointer(&[]uint64{1, 2}[0]), 8, 16, 2, 2, p) }))
	wide := []uint64{0, 1}
	require.Equal(t, []byte{2, 1}, b(65, func(dst unsafe.Pointer) { cellsGeneric(1, dst, 99, unsafe.Pointer(&wide[0]), 16, 8, 1, 65, p) })[63:])

	cells := []byte{1, 2, 2, 1, 1}
	require.Zero(t, hitsGeneric(1, unsafe.Pointer(&words[0]), pointer(cells), 5, p))
	require.Equal(t, uint64(0b11001), words[0])
	require.NotZero(t, hitsGeneric(1, unsafe.Pointer(&words[0]), pointer([]byte{1, 3}), 2, p))
	two := []uint16{7, 7, 7}
	require.Equal(t, 2, placesGeneric(unsafe.Pointer(&two[0]), pointer([]byte{255, 0, 254, 255}), 4))
	require.Equal(t, []uint16{0, 3, 7}, two)
	require.Equal(t, []byte{1, 2, 1, 9, 9, 9, 1, 2, 1}, b(9, func(dst unsafe.Pointer) {
		fillPlacesGeneric(dst, 3, unsafe.Pointer(&[]uint16{0, 2}[0]), 2, 0x0201020102010201, 0)
	}))
	require.Equal(t, []byte{10, 9, 11}, b(3, func(dst unsafe.Pointer) {
		require.Equal(t, 2, collectGeneric(1, dst, pointer([]byte{1, 2, 2, 0, 2, 2, 1}), 4, 3, 10, 2, p))
	}))
	require.Equal(t, -1, collectGeneric(1, unsafe.Pointer(&words[0]), pointer(cells), 1, 5, 0, 1, unsafe.Pointer(&values{on: element{lo: 1}})))
	changesGeneric(1, unsafe.Pointer(&words[0]), pointer([]byte{1, 2, 3, 200}), pointer([]byte{1, 3, 3, 200}), 4, 3)
	require.Equal(t, uint64(0b1110), words[0])
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2}, b(18, func(dst unsafe.Pointer) {
		fillPatternGeneric(dst, 18, 0x0807060504030201, 0x100f0e0d0c0b0a09)
	}))
	require.Equal(t, []byte{1, 2, 1, 9, 9, 1, 2, 1, 9}, b(9, func(dst unsafe.Pointer) { fillRunsGeneric(dst, 3, 2, 5, 0x0201020102010201, 0) }))
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6, 7, 8, 1}, b(9, func(dst unsafe.Pointer) { fillRepeatGeneric(dst, 9, 0x0807060504030201) }))
	require.Equal(t, bytes.Repeat([]byte{7}, 64), b(64, func(dst unsafe.Pointer) { streamGeneric(dst, pointer(bytes.Repeat([]byte{7}, 64)), 1) }))
	streamEndGeneric()
}
