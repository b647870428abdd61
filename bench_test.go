package onehot_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
	"github.com/go-onehot/onehot/internal/workloads"
)

// Every benchmark is named Benchmark<Function>/<workload>/path=<path>. Besides
// the paths of this machine, each run has
//
//	path=go     the loop that a careful Go user writes for the same job
//	path=clear  clear over as many bytes as the output has
//	path=limit  clear over as many bytes as the call must read and write;
//	            beyond the last-level cache, lines that are not all zero are
//	            filled with ones by non-temporal stores instead
//
// All of them are credited with the same bytes, so that a ratio of two MB/s is
// a ratio of two times. make bench prints them as one table, and benchstat -col
// /path reads them as they are.

func BenchmarkEncode(b *testing.B)         { benchWorkloads(b, "Encode") }
func BenchmarkEncodeText(b *testing.B)     { benchWorkloads(b, "EncodeText") }
func BenchmarkEncodeColumns(b *testing.B)  { benchWorkloads(b, "EncodeColumns") }
func BenchmarkMultiHot(b *testing.B)       { benchWorkloads(b, "MultiHot") }
func BenchmarkEncodeBits(b *testing.B)     { benchWorkloads(b, "EncodeBits") }
func BenchmarkUpdate(b *testing.B)         { benchWorkloads(b, "Update") }
func BenchmarkDecode(b *testing.B)         { benchWorkloads(b, "Decode") }
func BenchmarkRecode(b *testing.B)         { benchWorkloads(b, "Recode") }
func BenchmarkExpandBits(b *testing.B)     { benchWorkloads(b, "ExpandBits") }
func BenchmarkEncodeRaw(b *testing.B)      { benchWorkloads(b, "EncodeRaw") }
func BenchmarkEncodeParallel(b *testing.B) { benchWorkloads(b, "EncodeParallel") }

// BenchmarkOneRow times the smallest useful call, where only overhead counts.
func BenchmarkOneRow(b *testing.B) {
	for _, depth := range []int{10, 100} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) { benchOneRow(b, depth) })
	}
}

func benchOneRow(b *testing.B, depth int) {
	row, index := make([]float32, depth), []int64{7}
	for _, path := range tier.Available() {
		b.Run("path="+path.String(), func(b *testing.B) {
			pathtest.With(path, func() {
				s := onehot.Spec[float32]{Depth: depth, On: 1}
				b.SetBytes(int64(4 * depth))
				for b.Loop() {
					must(onehot.Encode(row, index, s))
				}
			})
		})
	}
	b.Run("path=go", func(b *testing.B) {
		b.SetBytes(int64(4 * depth))
		for b.Loop() {
			careful.Encode(row, index, depth, 1, 1, 0)
		}
	})
	b.Run("path=clear", func(b *testing.B) {
		b.SetBytes(int64(4 * depth))
		for b.Loop() {
			clear(row)
		}
	})
}

// BenchmarkSweep varies the depth of an output that stays in L2. A step in the
// curve where one strategy takes over from another shows that a threshold is in
// the wrong place.
func BenchmarkSweep(b *testing.B) {
	sweepAll(b, []int{512 << 10}, sweptDepths, func(_, depth int) string { return fmt.Sprintf("depth=%d", depth) })
}

// sweptDepths lie close together for shallow rows, and around multiples of the
// vector lengths for deeper ones.
var sweptDepths = []int{
	2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 20, 24, 28, 32, 33, 40, 48, 56, 64, 65, 80, 96, 100, 112, 128, 129, 160, 192, 224, 255,
	256, 512, 1000, 2048, 4096,
}

// BenchmarkSweepRing is BenchmarkSweep on a ring of buffers, together eight
// times as large as L2: each call writes the next buffer. A benchmark that
// writes one buffer over and over finds it in L2, which a program seldom does.
func BenchmarkSweepRing(b *testing.B) {
	b.Run("i64/f32", sweepRing[float32, int64])
	b.Run("u8/u8", sweepRing[uint8, uint8])
	b.Run("u8/f32", sweepRing[float32, uint8])
	b.Run("i32/f64", sweepRing[float64, int32])
}

func sweepRing[V uint8 | float32 | float64, I onehot.Index](b *testing.B) {
	const bytes = 512 << 10
	buffers := 8 * tier.L2 / bytes
	width := int(unsafe.Sizeof(*new(V)))
	memory := make([]V, buffers*bytes/width)
	for i := range memory {
		memory[i] = 1 // so that no call pays for a page's first use
	}
	for _, depth := range sweptDepths {
		if depth > 255 {
			continue
		}
		indices := make([]I, bytes/width/depth)
		labels.Uniform[I](depth)(labels.Seeded(), indices)
		s := onehot.Spec[V]{Depth: depth, On: 1}
		cells, at := len(indices)*depth, 0
		round := func(f func(dst []V)) func(b *testing.B) {
			return func(b *testing.B) {
				timeCall(b, cells*width, warmUps*buffers, func() {
					f(memory[at:][:cells])
					if at += bytes / width; at == len(memory) {
						at = 0
					}
				})
			}
		}
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			for _, path := range tier.Available() {
				b.Run("path="+path.String(), func(b *testing.B) {
					pathtest.With(path, func() { round(func(dst []V) { must(onehot.Encode(dst, indices, s)) })(b) })
				})
			}
			b.Run("path=go", round(func(dst []V) { careful.Encode(dst, indices, depth, 1, s.On, s.Off) }))
			b.Run("path=clear", round(func(dst []V) { clear(dst) }))
		})
	}
}

// BenchmarkSweepSize varies the size of the output, from within the caches to
// beyond them, at fewer depths.
func BenchmarkSweepSize(b *testing.B) {
	sweepAll(b, []int{16 << 10, 8 << 20, 128 << 20}, []int{2, 10, 33, 100, 1000}, func(bytes, depth int) string {
		return fmt.Sprintf("size=%dKiB/depth=%d", bytes>>10, depth)
	})
}

func sweepAll(b *testing.B, sizes, depths []int, name func(bytes, depth int) string) {
	for _, w := range workloads.Sweep(sizes, depths, name) {
		benchWorkload(b, w)
	}
}

// BenchmarkAlignment shifts the output by single bytes from the start of a
// cache line. It has a job for each strategy, in L2 and beyond all caches, and
// calls EncodeRaw, which takes any address.
func BenchmarkAlignment(b *testing.B) {
	for _, shape := range []struct {
		name                      string
		width, rows, depth, inner int
	}{
		{"rows of 2", 4, 65536, 2, 1},
		{"rows of 10", 4, 13107, 10, 1},
		{"rows of 100", 4, 1310, 100, 1},
		{"rows of 10 bytes", 1, 52428, 10, 1},
		{"planes", 1, 1, 20, 26214},
		{"boards", 4, 170, 12, 64},
		{"rows of 10, 64 MiB", 4, 1677721, 10, 1},
		{"planes, 64 MiB", 1, 1, 20, 3355443},
	} {
		n, cells := shape.rows*shape.inner, shape.rows*shape.depth*shape.inner
		indices, memory := make([]uint8, n), make([]byte, cells*shape.width+128)
		labels.Uniform[uint8](shape.depth)(rand.New(rand.NewPCG(1, 2)), indices)
		start := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % 64)
		on, off := bytes.Repeat([]byte{1}, shape.width), make([]byte, shape.width)
		s := onehot.RawSpec{Index: onehot.Uint8, Width: shape.width, On: on, Off: off, Depth: shape.depth, Inner: shape.inner}
		for _, shift := range []int{0, 1, 2, 4, 8, 16, 31, 32, 33, 48, 63} {
			dst := memory[start+shift:][:cells*shape.width]
			for _, path := range tier.Available() {
				b.Run(fmt.Sprintf("%s/shift=%d/path=%s", shape.name, shift, path), func(b *testing.B) {
					pathtest.With(path, func() {
						timeCall(b, len(dst), warmUps, func() { must(onehot.EncodeRaw(dst, indices, s)) })
					})
				})
			}
		}
	}
}

// BenchmarkSmall times calls that write little, where only overhead counts:
// BenchmarkSmall/<call>/<shape>/path=<path>.
func BenchmarkSmall(b *testing.B) {
	for _, w := range workloads.Small() {
		b.Run(w.String(), func(b *testing.B) {
			j, err := w.Build()
			require.NoError(b, err)
			j.Credit = w.Bytes
			for _, path := range tier.Available() {
				b.Run("path="+path.String(), func(b *testing.B) { pathtest.With(path, func() { timeJob(b, j, j.Run) }) })
			}
			b.Run("path=go", func(b *testing.B) { timeJob(b, j, j.Plain) })
		})
	}
}

func benchWorkloads(b *testing.B, calls string) {
	for _, w := range workloads.All() {
		if w.Calls == calls {
			benchWorkload(b, w)
		}
	}
}

func benchWorkload(b *testing.B, w workloads.Workload) {
	b.Run(w.Name, func(b *testing.B) {
		if testing.Short() && w.Bytes > 8<<20 {
			b.Skip("large")
		}
		j, err := w.Build()
		if errors.Is(err, workloads.ErrNoInput) {
			b.Skip(err)
		}
		if err != nil {
			b.Fatal(err)
		}
		// Verify also maps the memory: no timed call pays for a page's first use.
		if err := j.Verify(); err != nil {
			b.Fatal(err)
		}
		clear(j.Limit)
		if w.Bytes > 8<<20 {
			debug.FreeOSMemory()       // frees Verify's copy now
			defer debug.FreeOSMemory() // and the rest before the next workload allocates
		}
		for _, path := range tier.Available() {
			b.Run("path="+path.String(), func(b *testing.B) { pathtest.With(path, func() { timeJob(b, j, j.Run) }) })
		}
		b.Run("path=go", func(b *testing.B) { timeJob(b, j, j.Plain) })
		b.Run("path=clear", func(b *testing.B) { timeJob(b, j, func() { clear(j.Clear) }) })
		b.Run("path=limit", func(b *testing.B) { timeJob(b, j, j.Reach) })
	})
}

// warmUps is how often a job runs, or goes around its ring, before it is timed.
// Non-temporal stores leave the output in no cache, and on some processors it
// takes a few calls until a cache holds it again, for which the next path would
// pay.
const warmUps = 3

func timeJob(b *testing.B, j *workloads.Job, f func()) {
	if j.Prepare != nil {
		j.Prepare()
	}
	timeCall(b, j.Credit, warmUps, f)
}

// timeCall times f, which writes that many bytes, after some untimed calls.
func timeCall(b *testing.B, bytes, untimed int, f func()) {
	b.SetBytes(int64(bytes))
	for range untimed {
		f()
	}
	for b.Loop() {
		f()
	}
}

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
