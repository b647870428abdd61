//go:build race

package conformance

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/share"
	"github.com/go-onehot/onehot/internal/tier"
	"github.com/go-onehot/onehot/internal/view"
)

// The race detector sees what assembly and clear touch only if it is told.
// These tests plant races, in processes of their own, which it has to find, and
// make calls that share nothing, which it must not take for races.

// EncodeParallel shares its work, however little it is. The last-level cache
// counts as small, so that outputs beyond it are small too, and the same on
// every machine: the detector forgets where an access long ago was made, and
// then reports nothing.
func init() {
	share.Now = share.All
	tier.ForceLLC(4 << 20)
}

// A raced is a call, and what other goroutines do meanwhile.
type raced struct {
	call, neighbour func() // two calls on two halves of one allocation
	cell, index     func() // a write to what the call writes and to what it reads
	gap             func() // a write between two blocks; nil if there are no gaps
}

// racedEncode returns calls of encode. All indices are 0, but with a Miss the
// first one has no class.
func racedEncode[V onehot.Value, I onehot.Index](n int, s onehot.Spec[V], encode func(dst []V, indices []I, s onehot.Spec[V]) (int, error)) raced {
	h := layoutOf(n, s)
	dst, indices := make([]V, 2*h.Need()), make([]I, n)
	if s.Miss != nil {
		indices[0]--
	}
	// The detector remembers four accesses to each eight bytes, so that it forgets
	// some of eight bytes that are read one by one. A write before the reads is
	// found at the first byte. A write after them is found at the last byte, if no
	// other write has made the detector forget its read.
	first, last := n/2&^7, min(n/2|7, n-1)
	untouched := h.At(h.Outer/2, h.Depth-1, h.Inner/2)
	r := raced{
		call:      func() { must(encode(dst[:h.Need()], indices, s)) },
		neighbour: func() { must(encode(dst[h.Need():], indices, s)) },
		cell:      func() { dst[untouched] = s.Off },
		index:     func() { indices[last] = 0; indices[first] = 0 },
	}
	if block := h.Depth * h.Inner; h.Stride > block {
		r.gap = func() {
			for o := range h.Outer - 1 {
				for at := o*h.Stride + block; at < (o+1)*h.Stride; at++ {
					dst[at] = s.On
				}
			}
		}
	}
	return r
}

func racedPlain[V onehot.Value, I onehot.Index](n int, s onehot.Spec[V]) func() raced {
	return func() raced { return racedEncode(n, s, onehot.Encode[V, I]) }
}

// racedCalls has each strategy and each function.
var racedCalls = []struct {
	name string
	new  func() raced
}{
	{"short", racedPlain[float32, int64](5, onehot.Spec[float32]{Depth: 4, On: 1})},
	{"small clear", racedPlain[float32, int64](5, onehot.Spec[float32]{Depth: 77, On: 1})},
	{"small clear with a miss", racedPlain[float32, int64](5, onehot.Spec[float32]{Depth: 77, On: 1, Miss: new(float32)})},
	{"small fill", racedPlain[float32, int64](9, onehot.Spec[float32]{Depth: 77, On: 1})},
	{"clear", racedPlain[float32, int64](101, onehot.Spec[float32]{Depth: 4001, On: 1})},
	{"clear with gaps", racedPlain[float32, int64](101, onehot.Spec[float32]{Depth: 4001, Stride: 4007, On: 1})},
	{"vector fill", racedPlain[float32, int16](101, onehot.Spec[float32]{Depth: 301, Off: 2})},
	{"vector fill with gaps", racedPlain[uint16, int16](101, onehot.Spec[uint16]{Depth: 301, Stride: 303, Off: 2})},
	{"string fill", racedPlain[uint8, float32](301, onehot.Spec[uint8]{Depth: 4001, Off: 2})},
	{"wide fill", racedPlain[complex128, float32](301, onehot.Spec[complex128]{Depth: 41, Off: 2})},
	{"strings", racedPlain[string, int8](101, onehot.Spec[string]{Depth: 11, Off: "off"})},
	{"expand", racedPlain[float32, int64](1001, onehot.Spec[float32]{Depth: 10, On: 1})},
	{"expand bytes", racedPlain[uint8, uint8](1001, onehot.Spec[uint8]{Depth: 10, On: 1})},
	{"expand with a miss", racedPlain[float32, int64](1001, onehot.Spec[float32]{Depth: 10, On: 1, Miss: new(float32)})},
	{"expand in blocks", racedPlain[float32, int64](5001, onehot.Spec[float32]{Depth: 10, On: 1})},
	{"expand many", racedPlain[float32, int64](20_001, onehot.Spec[float32]{Depth: 10, On: 1})},
	{"planes", racedPlain[float32, int64](1001, onehot.Spec[float32]{Depth: 10, Inner: 1001, On: 1})},
	{"planes with a miss", racedPlain[uint8, uint8](1001, onehot.Spec[uint8]{Depth: 10, Inner: 1001, On: 1, Miss: new(uint8)})},
	{"few misses", racedPlain[float32, int32](100, onehot.Spec[float32]{Depth: 60, Inner: 100, On: 1, Miss: new(float32)})},
	{"board", racedPlain[float32, int64](64, onehot.Spec[float32]{Depth: 12, Inner: 64, On: 1})},
	{"boards", racedPlain[uint8, uint8](4*64, onehot.Spec[uint8]{Depth: 12, Inner: 64, On: 1})},
	{"planes with gaps", racedPlain[uint8, uint8](1001, onehot.Spec[uint8]{Depth: 9, Inner: 143, Stride: 143*9 + 5, On: 1})},
	{"deep planes", racedPlain[float64, int32](1001, onehot.Spec[float64]{Depth: 150, Inner: 1001, On: 1})},
	{"deep planes with a miss", racedPlain[float64, int32](1001, onehot.Spec[float64]{Depth: 150, Inner: 1001, On: 1, Miss: new(float64)})},
	{"streamed rows", racedPlain[float32, int32](40_001, onehot.Spec[float32]{Depth: 30, On: 1})},
	{"streamed fill", racedPlain[float64, int32](1003, onehot.Spec[float64]{Depth: 901, On: 1})},
	{"streamed deep rows", racedPlain[float64, int32](41, onehot.Spec[float64]{Depth: 20_011, On: 1})},
	{"streamed planes", racedPlain[float32, int32](40_001, onehot.Spec[float32]{Depth: 20, Inner: 40_001, On: 1})},
	{"streamed narrow planes", racedPlain[float32, int32](401*101, onehot.Spec[float32]{Depth: 20, Inner: 101, On: 1})},
	{"EncodeParallel", func() raced {
		return racedEncode(50_001, onehot.Spec[float64]{Depth: 10, On: 1}, func(dst []float64, indices []int16, s onehot.Spec[float64]) (int, error) {
			return onehot.EncodeParallel(dst, indices, s, 3)
		})
	}},
	{"EncodeRaw", func() raced {
		return racedEncode(501, onehot.Spec[uint8]{Depth: 21, On: 1}, func(dst []uint8, indices []uint16, s onehot.Spec[uint8]) (int, error) {
			return onehot.EncodeRaw(dst, view.Bytes(indices), onehot.RawSpec{Index: onehot.Float16, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: s.Depth})
		})
	}},
	{"EncodeRawParallel", func() raced {
		return racedEncode(50_001, onehot.Spec[uint8]{Depth: 10, On: 1}, func(dst []uint8, indices []int16, s onehot.Spec[uint8]) (int, error) {
			return onehot.EncodeRawParallel(dst, view.Bytes(indices), onehot.RawSpec{Index: onehot.Int16, Width: 1, On: []byte{1}, Off: []byte{0}, Depth: s.Depth}, 3)
		})
	}},
	{"EncodeText", func() raced {
		return racedEncode(501, onehot.Spec[float32]{Depth: 4, On: 1}, func(dst []float32, text []uint8, s onehot.Spec[float32]) (int, error) {
			return onehot.EncodeText(dst, text, theAlphabet, s)
		})
	}},
	{"EncodeText planes", func() raced {
		return racedEncode(501, onehot.Spec[uint8]{Depth: 4, Inner: 501, On: 1}, func(dst, text []uint8, s onehot.Spec[uint8]) (int, error) {
			return onehot.EncodeText(dst, text, theAlphabet, s)
		})
	}},
	{"AppendEncode", func() raced {
		return racedEncode(501, onehot.Spec[float32]{Depth: 13, On: 1}, func(dst []float32, indices []int32, s onehot.Spec[float32]) (int, error) {
			_, misses, err := onehot.AppendEncode(dst[:0:len(dst)], indices, s)
			return misses, err
		})
	}},
	{"MultiHot", func() raced { return racedMultiHot(101, 3, onehot.Spec[float32]{Depth: 75, Stride: 77, On: 1}) }},
	{"MultiHot of many", func() raced { return racedMultiHot(1001, 16, onehot.Spec[float32]{Depth: 75, On: 1}) }},
	{"MultiHot streamed", func() raced { return racedMultiHot(2101, 16, onehot.Spec[float32]{Depth: 511, On: 1}) }},
	{"EncodeColumns", racedColumns(301, 100, onehot.Spec[float32]{On: 1})},
	{"EncodeColumns with gaps", racedColumns(301, 100, onehot.Spec[float32]{Stride: 113, On: 1, Off: 3})},
	{"EncodeColumns narrow", racedColumns(301, 9, onehot.Spec[float32]{On: 1})},
	{"EncodeColumns with a miss", racedColumns(301, 9, onehot.Spec[float32]{On: 1, Miss: new(float32)})},
	{"EncodeColumns streamed", racedColumns(4201, 250, onehot.Spec[float32]{On: 1})},
	{"Update", func() raced { return racedUpdate(301, onehot.Spec[float32]{Depth: 11, On: 1}) }},
	{"Update planes", func() raced { return racedUpdate(2*303, onehot.Spec[float32]{Depth: 11, Inner: 303, On: 1}) }},
	{"EncodeBits of few", func() raced { return racedBits(301, 5) }},
	{"EncodeBits", func() raced { return racedBits(3001, 20) }},
	{"EncodeBits deep", func() raced { return racedBits(1001, 1500) }},
	{"EncodeBits streamed", func() raced { return racedBits(210_001, 64) }},
	{"ExpandBits of few", racedExpand[float32](2, 9)},
	{"ExpandBits of words", racedExpand[float32](12, 64)},
	{"ExpandBits", racedExpand[uint8](5, 1001)},
	{"ExpandBits of narrow planes", racedExpand[uint16](500, 7)},
	{"Recode few", racedRecode[int32, int64](5, []int32{0, 1})},
	{"Recode to bytes", racedRecode[uint8, int32](1001, []uint8{0, 1})},
	{"Recode bytes", racedRecode[uint8, uint8](1001, []uint8{0, 1})},
	{"Recode to words", racedRecode[int32, int32](1001, []int32{0, 1})},
	{"Recode with holes", racedRecode[int32, int32](1001, []int32{1 << 8, -1})},
	{"Recode without a table", racedRecode[int64, uint8](1001, nil)},
	{"Decode few rows", func() raced { return racedDecode(41, onehot.Spec[float32]{Depth: 11, On: 1}) }},
	{"Decode rows", func() raced { return racedDecode(501, onehot.Spec[float32]{Depth: 11, On: 1}) }},
	{"Decode rows with gaps", func() raced { return racedDecode(501, onehot.Spec[float32]{Depth: 111, Stride: 113, On: 1}) }},
	{"Decode planes", func() raced { return racedDecode(501, onehot.Spec[float32]{Depth: 11, Inner: 501, On: 1}) }},
	{"Decode planes with gaps", func() raced {
		return racedDecode(501, onehot.Spec[float32]{Depth: 11, Inner: 167, Stride: 1850, On: 1})
	}},
	{"Decode few", func() raced { return racedDecode(3, onehot.Spec[float32]{Depth: 11, On: 1}) }},
}

func racedMultiHot(rows, k int, s onehot.Spec[float32]) raced {
	more := make([]int32, k*rows)
	r := racedEncode(rows, s, func(dst []float32, _ []int32, s onehot.Spec[float32]) (int, error) {
		return onehot.MultiHot(dst, more, k, s)
	})
	r.index = func() { more[len(more)/3] = 0 }
	return r
}

// racedColumns returns calls with two columns: one of depth, one of 10.
func racedColumns(rows, depth int, s onehot.Spec[float32]) func() raced {
	s.Depth = depth + 10
	return func() raced {
		second := make([]int32, rows)
		r := racedEncode(rows, s, func(dst []float32, indices []int32, s onehot.Spec[float32]) (int, error) {
			return onehot.EncodeColumns(dst, [][]int32{indices, second}, []int{depth, 10}, s)
		})
		r.index = func() { second[rows/3] = 0 }
		return r
	}
}

// racedUpdate returns updates to the last class, to which cell writes.
func racedUpdate(n int, s onehot.Spec[float32]) raced {
	next := make([]int32, n)
	for k := range next {
		next[k] = int32(s.Depth - 1)
	}
	return racedEncode(n, s, func(dst []float32, indices []int32, s onehot.Spec[float32]) (int, error) {
		return onehot.Update(dst, indices, next, s)
	})
}

func racedBits(n, depth int) raced {
	plane := onehot.BitWords(n)
	dst, indices := make([]uint64, 2*depth*plane), make([]int32, n)
	return raced{
		call:      func() { must(onehot.EncodeBits(dst[:depth*plane], indices, depth, onehot.Ignore)) },
		neighbour: func() { must(onehot.EncodeBits(dst[depth*plane:], indices, depth, onehot.Ignore)) },
		cell:      func() { dst[(depth-1)*plane+plane/2] = 0 },
		index:     func() { indices[n/2] = 0 },
	}
}

// racedExpand returns expansions of the same bits, which index writes.
func racedExpand[V onehot.Number](planes, n int) func() raced {
	return func() raced {
		dst, words := make([]V, 2*planes*n), make([]uint64, planes*onehot.BitWords(n))
		return raced{
			call:      func() { must(0, onehot.ExpandBits(dst[:planes*n], words, n, 1, 0)) },
			neighbour: func() { must(0, onehot.ExpandBits(dst[planes*n:], words, n, 1, 0)) },
			cell:      func() { dst[planes*n/2] = 0 },
			index:     func() { words[len(words)/2] = 0 },
		}
	}
}

// racedRecode returns recodings of zeros, all of them valid.
func racedRecode[C onehot.Code, I onehot.Index](n int, table []C) func() raced {
	return func() raced {
		dst, indices := make([]C, 2*n), make([]I, n)
		valid := &onehot.Bitmap{Bits: bytes.Repeat([]byte{255}, n/8+2), Offset: 3}
		return raced{
			call:      func() { must(onehot.Recode(dst[:n], indices, table, valid)) },
			neighbour: func() { must(onehot.Recode(dst[n:], indices, table, valid)) },
			cell:      func() { dst[n/2] = 0 },
			index:     func() { indices[n/2] = 0 },
		}
	}
}

// racedDecode returns decodings, which read cells and write classes: cell
// writes to src, and index writes to dst.
func racedDecode(n int, s onehot.Spec[float32]) raced {
	h := layoutOf(n, s)
	src, dst := make([]float32, h.Need()), make([]int32, 2*n)
	must(onehot.Encode(src, make([]int32, n), s))
	r := raced{
		call:      func() { must(onehot.Decode(dst[:n], src, s)) },
		neighbour: func() { must(onehot.Decode(dst[n:], src, s)) },
		cell:      func() { src[h.At(h.Outer/2, h.Depth-1, h.Inner/2)] = 0 },
		index:     func() { dst[n/2] = 0 },
	}
	if block := h.Depth * h.Inner; h.Stride > block {
		r.gap = func() {
			for o := range h.Outer - 1 {
				for at := o*h.Stride + block; at < (o+1)*h.Stride; at++ {
					src[at] = 9
				}
			}
		}
	}
	return r
}

// beside runs two functions in goroutines that do not wait for each other.
func beside(a, b func()) {
	done := make(chan struct{})
	go func() { b(); close(done) }()
	a()
	<-done
}

func TestNoRaceOnDisjointMemory(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, c := range racedCalls {
			t.Run(c.name, func(t *testing.T) {
				r := c.new()
				r.call() // Update and Decode find what they expect
				r.neighbour()
				beside(r.call, r.neighbour)
				if r.gap != nil {
					beside(r.call, r.gap)
				}
			})
		}
	})
}

// plantVariable tells a process of TestPlantedRaces which of racedCalls to run.
const plantVariable = "ONEHOT_PLANT_RACE"

// TestPlant is what that process runs. It has to fail on every path, once for
// each planted race. It is skipped unless TestPlantedRaces runs it.
func TestPlant(t *testing.T) {
	name := os.Getenv(plantVariable)
	if name == "" {
		t.Skip("has to fail: TestPlantedRaces runs it")
	}
	for _, c := range racedCalls {
		if c.name != name {
			continue
		}
		for _, path := range tier.Available() {
			pathtest.With(path, func() {
				t.Run("cell/"+path.String(), func(t *testing.T) { plant(c.new, func(r raced) func() { return r.cell }) })
				t.Run("index/"+path.String(), func(t *testing.T) { plant(c.new, func(r raced) func() { return r.index }) })
			})
		}
	}
}

// plant races a call with another access, a few times: the detector may miss
// two accesses at the very same moment.
func plant(start func() raced, access func(r raced) func()) {
	for range 3 {
		r := start()
		beside(r.call, access(r))
	}
}

var failed = regexp.MustCompile(`(?m)^ +--- FAIL: TestPlant/(\w+/\w+) `)

func TestPlantedRaces(t *testing.T) {
	var want []string
	for _, path := range tier.Available() {
		want = append(want, "cell/"+path.String(), "index/"+path.String())
	}
	for _, c := range racedCalls {
		t.Run(c.name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestPlant$", "-test.v")
			// The detector reports every race, even one that looks like an earlier one, and
			// remembers earlier accesses for long.
			child.Env = append(os.Environ(), plantVariable+"="+c.name,
				"GORACE=suppress_equal_stacks=0 suppress_equal_addresses=0 history_size=7 atexit_sleep_ms=0")
			out, err := child.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "a race is a failure: %s", out)
			assert.Positive(t, exit.ExitCode())
			assert.Contains(t, string(out), "WARNING: DATA RACE")
			var found []string
			for _, match := range failed.FindAllStringSubmatch(string(out), -1) {
				found = append(found, match[1])
			}
			if !assert.ElementsMatch(t, want, found, "races that were found") {
				t.Log(strings.Join(strings.Split(string(out), "\n")[:min(40, strings.Count(string(out), "\n"))], "\n"))
			}
		})
	}
}
