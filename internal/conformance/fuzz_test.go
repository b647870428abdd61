package conformance

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/view"
)

// These are the fuzz targets. Every target reads as many numbers as it needs
// from the front of its input, and takes the rest as the bits of indices. It
// compares each path's output, gaps and canaries with the definition.

// A source is what is left of a fuzz input. An empty one gives zeros.
type source struct {
	data []byte
	room room
}

// A room is how large a case may become if its input asks for much.
type room int

const (
	small  room = iota // a few thousand cells: enough for most strategies
	medium             // what the target allows: more than a tile
	large              // beyond the caches
)

// newSource starts to read an input. A process that fuzzes gives room to few
// inputs, and always to the same ones: a medium case takes ten times as long as
// a small one, and a large one a thousand times.
func newSource(data []byte) *source {
	s := &source{data, large}
	worker := flag.Lookup("test.fuzzworker")
	sum := crc32.ChecksumIEEE(data)
	switch fuzzing := worker != nil && worker.Value.String() == "true"; {
	case fuzzing && sum%32 != 0:
		s.room = small
	case fuzzing && sum%4096 != 0, testing.Short():
		s.room = medium
	}
	return s
}

func (s *source) byte() int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b)
}

// below returns a number in [0, n).
func (s *source) below(n int) int { return (s.byte() | s.byte()<<8) % max(n, 1) }

// int returns any int.
func (s *source) int() int {
	var b [8]byte
	s.data = s.data[copy(b[:], s.data):]
	return int(binary.LittleEndian.Uint64(b[:]))
}

// encodeCase returns an encoding of at most about that many cells, a few
// thousand unless the input asks for more and has the room. If width is not 0,
// there may be enough cells of that width to go beyond the caches.
func (s *source) encodeCase(cells, width int) (c encodeCase) {
	switch size := s.byte(); {
	case size == beyondCaches && s.room >= large && width > 0:
		c = s.largeCase(width)
	case size%16 == 0 && s.room >= medium:
		c = s.smallCase(cells)
	default:
		c = s.smallCase(min(cells, smallBytes/max(width, 4)))
	}
	if s.byte()%4 == 3 {
		c.stride = c.depth*max(c.inner, 1) + s.below(70)
	}
	c.neg = modes[s.byte()%2]
	c.values = s.byte() % valueKinds
	c.shift = s.byte() % 65
	c.extra = s.byte() % 20
	c.seed = uint64(s.byte())
	return c
}

const (
	beyondCaches = 255     // the size that asks for a large case
	smallBytes   = 1 << 14 // bytes of a small case
)

func (s *source) smallCase(cells int) (c encodeCase) {
	c.depth = s.below([]int{5, 20, 70, 130, 300, 1500}[s.byte()%6])
	c.inner = min(s.below([]int{1, 2, 8, 70, 300, 3000, cells}[s.byte()%7]), cells/max(c.depth, 1)+1)
	limit := cells/(max(c.depth, 1)*max(c.inner, 1)) + 1
	outer := s.below([]int{2, 20, 200, limit, limit}[s.byte()%5]) % (limit + 1)
	c.n = outer * max(c.inner, 1)
	return c
}

// largeCase returns rows, one block of planes, several blocks, or deep rows,
// with enough cells to pass a threshold of the plan.
func (s *source) largeCase(width int) (c encodeCase) {
	kind, cells := s.byte()%4, []int{13, 21, 33}[s.byte()%3]<<20/width
	c.depth, c.inner = 8+s.below(300), 1
	outer := cells / c.depth
	switch kind {
	case 1:
		c.inner, outer = outer, 1
	case 2:
		c.inner = 64 + s.below(300)
		outer = outer/c.inner + 1
	case 3:
		c.depth = 3000 + s.below(30_000)
		outer = cells/c.depth + 1
	}
	c.n = outer * c.inner
	return c
}

// absurdFrom is the least first byte of an input that asks for an absurd call.
const absurdFrom = 224

// absurd makes an absurd call, and returns true, if the input asks for one.
func (s *source) absurd(t *testing.T) bool {
	if s.byte() < absurdFrom {
		return false
	}
	number := func() int {
		if b := s.byte(); b < 128 {
			return absurd[b%len(absurd)]
		}
		return s.int()
	}
	length, n, depth, inner, stride, neg := s.below(41), s.below(7), number(), number(), number(), onehot.Negative(s.byte())
	pathtest.All(func() { callAbsurdly(t, length, n, depth, inner, stride, neg) })
	return true
}

// seeds adds inputs that reach each strategy: shallow and deep rows, narrow and
// wide planes, gaps and odd addresses, each with every kind of types.
func seeds(f *testing.F, kinds int) {
	f.Add([]byte{})
	f.Add([]byte{230, 40, 0, 6, 0, 5, 15, 4, 1})                         // absurd
	f.Add([]byte{255, 40, 0, 1, 0, 200, 1, 2, 3, 4, 5, 6, 7, 128, 4, 0}) // more so
	for kind := range byte(kinds) {
		for shape, front := range [][]byte{
			{1, 10, 0, 0, 0, 0, 3, 0x34, 0x12}, // many rows of 10
			{1, 10, 0, 0, 0, 0, 3, 0xff, 0x2f}, // and more
			{2, 65, 0, 0, 0, 0, 2, 150, 0},     // rows of 65
			{5, 0xdb, 5, 0, 0, 0, 2, 9, 0},     // deep rows
			{0, 3, 0, 5, 0xb7, 0x0b, 3, 1, 0},  // long planes
			{1, 7, 0, 3, 33, 0, 1, 11, 0},      // short planes
			{4, 43, 1, 2, 5, 0, 1, 3, 0},       // planes beyond 256
		} {
			if testing.Short() && (int(kind)+shape)%4 != 0 {
				continue
			}
			input := slices.Concat([]byte{kind, 16}, front, []byte{3 * (kind % 2), kind, 0, kind / 2, byte(shape), kind % 20, kind, 7}, rareIndices)
			f.Add(slices.Concat([]byte{0}, input))
		}
	}
}

// rareIndices has the bits of indices that are special in several types.
var rareIndices = slices.Concat(
	view.Bytes([]uint64{0, 1, 1 << 63, 1 << 32, 0x7ff8000000000001, 0xbff0000000000000, 0x43e0000000000000, ^uint64(0), 255}),
	view.Bytes([]uint32{0x7fc00000, 0x7f800000, 0xbf800000, 0x80000000, 0x4b800001}),
	view.Bytes([]uint16{0x7e00, 0x8000, 0xbc00, 0x3c00}),
)

// pairCase returns an encoding and its types.
func (s *source) pairCase() (p pair, c encodeCase) {
	p = pairs[s.byte()%len(pairs)]
	c = s.encodeCase(1<<16, valueWidths[p.value])
	c.raw = s.data
	return p, c
}

// valueWidths are the bytes of the value types of pairs.
var valueWidths = map[string]int{"uint8": 1, "uint16": 2, "float32": 4, "float64": 8, "complex128": 16, "string": 16}

func FuzzEncode(f *testing.F) {
	seeds(f, len(pairs))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		p, c := s.pairCase()
		pathtest.All(func() { p.encode(t, c) })
	})
}

func FuzzAppendEncode(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		appended := []func(*testing.T, encodeCase, int, int){
			fuzzAppend[uint8, int64], fuzzAppend[uint16, uint8], fuzzAppend[float32, float32], fuzzAppend[float64, int32],
			fuzzAppend[complex128, uint64], fuzzAppend[string, int8], fuzzAppend[bool, float64], fuzzAppend[namedText, uint16],
		}[s.byte()%8]
		c := s.encodeCase(1<<13, 0)
		length, room := s.byte()%70, s.below(9000)
		c.raw = s.data
		pathtest.All(func() { appended(t, c, length, room) })
	})
}

// fuzzAppend appends an encoding to a slice of that length, with that much room
// after it, and compares with the definition.
func fuzzAppend[V onehot.Value, I onehot.Index](t *testing.T, c encodeCase, length, room int) {
	indices, s := indicesOf[I](c, 0, c.n, c.depth), specOf[V](c)
	need := layoutOf(c.n, s).Need()
	memory, pristine := newArena[V](length+room, c.shift), newArena[V](length+room, c.shift)
	dst := memory.all[memory.before:][: length : length+room]
	want := make([]V, length+need) // gaps are zero values
	copy(want, dst)
	wantMisses := defined(want[length:], indices, s)

	out, misses, err := onehot.AppendEncode(dst, indices, s)
	require.NoError(t, err)
	if misses != wantMisses || !sameBits(want, out) {
		require.Failf(t, "wrong output", "path %s, %d misses and not %d, %+v behind %d with room for %d", onehot.Path(), misses, wantMisses, c, length, room)
	}
	if need <= room {
		copy(pristine.all[pristine.before:], want)
		if need > 0 && addressOf(out) != addressOf(dst) {
			require.Failf(t, "moved", "%+v behind %d with room for %d", c, length, room)
		}
	}
	requireSame(t, pristine, memory, func() string { return fmt.Sprintf("%+v behind %d with room for %d", c, length, room) })
}

// rawCase returns an encoding of bytes.
func (s *source) rawCase() (c rawCase) {
	kind := s.byte()
	c = rawCase{index: indexTypes[kind%12], width: widths[kind/12%5]}
	c.encodeCase = s.encodeCase(1<<16, c.width)
	c.indexShift, c.valuesInsideOutput = s.byte()%64, s.byte()%4 == 1
	if c.workers = s.byte() % 8; c.workers > 3 {
		c.workers = 0
	}
	c.indices = rawTypes[c.index].indices(c.seed, c.n, c.depth)
	copy(c.indices, s.data)
	return c
}

func FuzzEncodeRaw(f *testing.F) {
	seeds(f, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		c := s.rawCase()
		pathtest.All(func() { checkRaw(t, c) })
	})
}

// updateCase returns an update in which every changed-th index changes.
func (s *source) updateCase() (kind, changed int, c encodeCase) {
	kind = s.byte() % 8
	c, changed = s.encodeCase(1<<14, 0), s.byte()%8
	c.raw = s.data
	return kind, changed, c
}

func FuzzUpdate(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		kind, changed, c := s.updateCase()
		update := []func(testing.TB, encodeCase, int){
			checkUpdate[uint8, int64], checkUpdate[uint16, uint8], checkUpdate[float32, float32], checkUpdate[float64, int32],
			checkUpdate[complex128, uint64], checkUpdate[string, int8], checkUpdate[bool, float64], checkUpdate[float32, uint16],
		}[kind]
		pathtest.All(func() { update(t, c, changed) })
	})
}

// kindWidths are the bytes of the value types that the targets of MultiHot and
// EncodeColumns list.
var kindWidths = [8]int{1, 2, 4, 8, 16, 16, 1, 4}

// rows returns a number of rows of that many cells, whose values are of a kind.
func (s *source) rows(kind, cells int) int {
	rows := s.below(1<<14/max(cells, 1) + 2)
	if s.byte() == beyondCaches && s.room >= large {
		return []int{21, 33}[s.byte()%2] << 20 / (max(cells, 8) * kindWidths[kind])
	}
	return rows
}

// columnsCase returns an encoding of columns.
func (s *source) columnsCase() (kind, rows int, depths []int, c encodeCase) {
	kind, c = s.byte()%8, s.encodeCase(0, 0)
	depths = make([]int, s.byte()%9)
	for k := range depths {
		depths[k] = s.below([]int{3, 10, 70, 300}[s.byte()%4])
	}
	rows = s.rows(kind, widthOf(depths))
	if c.stride > 0 {
		c.stride = 1 + s.byte()%9
	}
	c.raw = s.data
	return kind, rows, depths, c
}

func FuzzEncodeColumns(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		kind, rows, depths, c := s.columnsCase()
		columns := []func(testing.TB, int, []int, encodeCase){
			checkColumns[uint8, int64], checkColumns[uint16, uint8], checkColumns[float32, float32], checkColumns[float64, int32],
			checkColumns[complex128, uint64], checkColumns[string, int8], checkColumns[bool, float64], checkColumns[float32, uint16],
		}[kind]
		pathtest.All(func() { columns(t, rows, depths, c) })
	})
}

// setsCase returns an encoding of sets of k.
func (s *source) setsCase() (kind, rows, k int, c encodeCase) {
	kind, c = s.byte()%8, s.encodeCase(0, 0)
	k = 1 + s.byte()%20
	rows = s.rows(kind, max(c.depth, k))
	if c.stride > 0 {
		c.stride = c.depth + s.byte()%9
	}
	c.raw = s.data
	return kind, rows, k, c
}

func FuzzMultiHot(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		kind, rows, k, c := s.setsCase()
		multiHot := []func(testing.TB, int, int, encodeCase){
			checkMultiHot[uint8, int64], checkMultiHot[uint16, uint8], checkMultiHot[float32, float32], checkMultiHot[float64, int32],
			checkMultiHot[complex128, uint64], checkMultiHot[string, int8], checkMultiHot[bool, int16], checkMultiHot[float32, uint16],
		}[kind]
		pathtest.All(func() { multiHot(t, rows, k, c) })
	})
}

// bitsCase returns an encoding to bit planes.
func (s *source) bitsCase() (kind int, c encodeCase) {
	kind, c = s.byte(), s.encodeCase(0, 0)
	bits := 1 << 18
	if s.room >= medium {
		bits = 1 << 20 // enough for the largest blocks
	}
	c.n = s.below(bits/(c.depth+1)) % 30_000
	if s.byte() == beyondCaches && s.room >= large {
		c.depth = 100 + s.below(500)
		c.n = 13 << 20 * 8 / c.depth
	}
	c.raw = s.data
	return kind, c
}

func FuzzEncodeBits(f *testing.F) {
	seeds(f, 10)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		kind, c := s.bitsCase()
		pathtest.All(func() {
			switch kind % 10 {
			case 0:
				fuzzBits[int8](t, c)
			case 1:
				fuzzBits[int16](t, c)
			case 2:
				fuzzBits[int32](t, c)
			case 3:
				fuzzBits[int64](t, c)
			case 4:
				fuzzBits[uint8](t, c)
			case 5:
				fuzzBits[uint16](t, c)
			case 6:
				fuzzBits[uint32](t, c)
			case 7:
				fuzzBits[uint64](t, c)
			case 8:
				fuzzBits[float32](t, c)
			case 9:
				fuzzBits[float64](t, c)
			}
		})
	})
}

func fuzzBits[I onehot.Index](t *testing.T, c encodeCase) {
	checkBits(t, indicesOf[I](c, 0, c.n, c.depth), c.depth, c.neg, c.extra)
}

func FuzzEncodeText(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		text := []func(testing.TB, []byte, string, *onehot.Alphabet, encodeCase){
			checkText[uint8], checkText[uint16], checkText[float32], checkText[float64], checkText[complex128], checkText[string],
		}[s.byte()%6]
		c := s.encodeCase(1<<14, 0)
		var symbols []byte
		for range 1 + s.byte() {
			if b := byte(s.byte()*5 + len(symbols)); !slices.Contains(symbols, b) {
				symbols = append(symbols, b)
			}
		}
		a, err := onehot.NewAlphabet(string(symbols))
		require.NoError(t, err)
		if c.depth == 0 && c.stride > 0 {
			c.stride = len(symbols)*max(c.inner, 1) + c.extra
		}
		bytes := make([]byte, c.n)
		for k := range bytes {
			bytes[k] = symbols[k*k%len(symbols)] + byte(k%11/10)
		}
		copy(bytes, s.data)
		pathtest.All(func() { text(t, bytes, string(symbols), a, c) })
	})
}

func FuzzAlphabet(f *testing.F) {
	f.Add("", "", "", "", "", uint8(0))
	f.Add("ACGT", "acgtU", "ACGTT", "U", "A", uint8(4))
	f.Add("ACGT", "Un", "TX", "nU", "AC", uint8(2))
	f.Add("ACCA", "a", "A", "b", "B", uint8(3))
	f.Add("AC", "aaa", "ACA", "A", "C", uint8(0))
	f.Add("x", "ab", "x", "", "", uint8(1))
	var every [257]byte
	for k := range every {
		every[k] = byte(k * 5)
	}
	f.Add(string(every[:]), "", "", "", "", uint8(9))
	f.Add(string(every[:256]), "a", "a", "", "", uint8(9))
	f.Add(string(every[:255]), string(every[255:256]), string(every[254:255]), string(every[255:256]), "\x00", uint8(255))
	f.Fuzz(func(t *testing.T, symbols, from, to, from2, to2 string, depth uint8) {
		classes, ok := definedAlphabet(symbols)
		a, err := onehot.NewAlphabet(symbols)
		require.Equal(t, ok, err == nil, "%q: %v", symbols, err)
		if !ok {
			require.ErrorIs(t, err, onehot.ErrAlphabet)
			require.Nil(t, a)
		}
		for _, pair := range [][2]string{{from, to}, {from2, to2}, {to, from}} {
			ok := ok && definedAlias(classes, symbols, pair[0], pair[1])
			err := a.Alias(pair[0], pair[1])
			require.Equal(t, ok, err == nil, "%q, %q as %q: %v", symbols, pair[0], pair[1], err)
			if err != nil {
				require.ErrorIs(t, err, onehot.ErrAlphabet)
			}
		}
		if !ok {
			require.Zero(t, a.Len())
			return
		}
		require.Equal(t, len(symbols), a.Len())

		// Every byte goes through the table.
		s := onehot.Spec[uint16]{Depth: int(depth), On: 7, Off: 9}
		cells := s.Depth
		if cells == 0 {
			cells = len(symbols)
		}
		text, want, wantMisses := make([]byte, 256), make([]uint16, 256*cells), 0
		for k := range text {
			b := byte(k * 77)
			text[k] = b
			row := want[k*cells:][:cells]
			for d := range row {
				row[d] = s.Off
			}
			if class, ok := classes[b]; ok && class < cells {
				row[class] = s.On
			} else {
				wantMisses++
			}
		}
		got := make([]uint16, len(want))
		pathtest.All(func() {
			clear(got)
			misses, err := onehot.EncodeText(got, text, a, s)
			require.NoError(t, err)
			require.Equal(t, wantMisses, misses, "path %s, %q", onehot.Path(), symbols)
			require.True(t, slices.Equal(want, got), "path %s, %q", onehot.Path(), symbols)
		})
	})
}

// definedAlphabet maps symbols to their classes and reports whether they make
// an alphabet.
func definedAlphabet(symbols string) (classes map[byte]int, ok bool) {
	classes = map[byte]int{}
	for k := range len(symbols) {
		classes[symbols[k]] = k
	}
	return classes, len(symbols) > 0 && len(classes) == len(symbols)
}

// definedAlias adds aliases to classes and reports whether they are valid. It
// adds none unless all are.
func definedAlias(classes map[byte]int, symbols, from, to string) bool {
	if len(from) != len(to) {
		return false
	}
	for k := range len(from) {
		if strings.IndexByte(symbols, from[k]) >= 0 || strings.IndexByte(symbols, to[k]) < 0 {
			return false
		}
	}
	for k := range len(from) {
		classes[from[k]] = strings.IndexByte(symbols, to[k])
	}
	return true
}

// decodeCase returns a decoding.
func (s *source) decodeCase() (kind int, c encodeCase) {
	kind, c = s.byte(), s.encodeCase(1<<14, 0)
	c.raw = s.data
	return kind, c
}

func FuzzDecode(f *testing.F) {
	seeds(f, 8)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		kind, c := s.decodeCase()
		pathtest.All(func() {
			switch kind % 7 {
			case 0:
				fuzzDecode[int16, uint8](t, c)
			case 1:
				fuzzDecode[int32, uint16](t, c)
			case 2:
				fuzzDecode[int64, float32](t, c)
			case 3:
				fuzzDecode[int, float64](t, c)
			case 4:
				fuzzDecode[int16, complex128](t, c)
			case 5:
				fuzzDecode[int64, string](t, c)
			case 6:
				c.depth %= 129 // an int8 holds no more
				fuzzDecode[int8, bool](t, c)
			}
		})
	})
}

// fuzzDecode decodes values that start as an encoding and are then changed here
// and there, and compares with a count of the cells of each row.
func fuzzDecode[D onehot.Signed, V onehot.Value](t *testing.T, c encodeCase) {
	s := specOf[V](c)
	foreign, _ := valuesOf[V](c.values + 2)
	h := layoutOf(c.n, s)
	src := newArena[V](h.Need(), c.shift)
	defined(src.dst(), mixed[int16](c.seed, c.n, c.depth), s)
	for k, b := range c.raw {
		if h.Need() > 0 {
			src.dst()[k*(3+int(b)/4)%h.Need()] = []V{s.On, s.Off, foreign, s.On}[b%4]
		}
	}
	want, got := newArena[D](c.n, 0), newArena[D](c.n, 0)
	wantInvalid := 0
	for k := range c.n {
		on, others, class := 0, 0, -1
		for d := range h.Depth {
			switch v := src.dst()[h.Cell(k, d)]; {
			case sameBits([]V{v}, []V{s.On}):
				on, class = on+1, d
			case !sameBits([]V{v}, []V{s.Off}):
				others++
			}
		}
		if on != 1 || others != 0 {
			class = -1
			wantInvalid++
		}
		want.dst()[k] = D(class)
	}
	invalid, err := onehot.Decode(got.dst(), src.dst(), s)
	require.NoError(t, err)
	requireSame(t, want, got, func() string { return "decoded" })
	require.Equal(t, wantInvalid, invalid)
}

func FuzzEncodeParallel(f *testing.F) {
	seeds(f, 6)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newSource(data)
		if s.absurd(t) {
			return
		}
		// The values are wide, so that few cells are worth a worker.
		parallel := []func(testing.TB, encodeCase, ...int){
			checkParallel[float64, int64], checkParallel[complex128, uint8], checkParallel[complex64, float32],
			checkParallel[string, int32], checkParallel[float64, uint16], checkParallel[uint64, int8],
		}[s.byte()%6]
		c := s.encodeCase(1<<17, 0)
		workers := s.byte() - 1
		c.raw = s.data
		pathtest.All(func() { parallel(t, c, workers) })
	})
}
