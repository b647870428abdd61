package onehot_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/tier"
)

// A workload is one named piece of work that people really do: shapes from published code, indices from a fixed seed. The
// benchmarks time it on every path beside careful Go and clear, and TestWorkloads demands equal bytes of all of them.
type workload struct {
	name  string
	calls string // the function under test, and the benchmark that times it
	bytes int    // of output; decides what -short leaves out
	build func() (*job, error)
}

// A job is a workload with its memory: inputs made, output mapped.
type job struct {
	out     []byte // the output, compared between paths
	credit  int    // bytes that one call counts for in GB/s, on every line alike
	clear   []byte // what path=clear zeroes: the size of the output
	limit   []byte // what path=limit writes: as many bytes as the call must read and write
	ones    int    // how many of them it fills with ones and does not zero, see verify
	prepare func() // puts out into the state that run and plain start from; may be nil
	run     func() // the library, on whichever path is forced
	plain   func() // the same by the loop that a careful Go user writes
}

// verify runs every path of this machine and compares its output with that of plain.
func (j *job) verify() error {
	once := func(f func()) {
		for i := range j.out {
			j.out[i] = 0xA5 // so that nothing passes on what was there before
		}
		if j.prepare != nil {
			j.prepare()
		}
		f()
	}
	once(j.plain)
	want := bytes.Clone(j.out)
	j.ones = 0
	if len(want) > lastLevelCache {
		j.ones = litBytes(want)
	}
	for _, path := range tier.Available() {
		pathtest.With(path, func() { once(j.run) })
		if !bytes.Equal(j.out, want) {
			at := 0
			for j.out[at] == want[at] {
				at++
			}
			return fmt.Errorf("path %s differs from the plain loop first in byte %d of %d: %#x, want %#x", path, at, len(want), j.out[at], want[at])
		}
	}
	return nil
}

// lastLevelCache is the output beyond which some memories take lines of zeros at twice the rate of others, so that the limit
// depends on how many of the output's lines are not all zero.
const lastLevelCache = 32 << 20

// litBytes counts the bytes of the 64-byte lines of b that are not all zero.
func litBytes(b []byte) (lit int) {
	var zeros [64]byte
	for ; len(b) >= len(zeros); b = b[len(zeros):] {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			lit += len(zeros)
		}
	}
	return lit
}

// reach does what path=limit times: it zeroes as many bytes as the call must read and write, but for the lit ones.
func (j *job) reach() {
	clear(j.limit[j.ones:])
	onehot.FillOnes(j.limit[:j.ones])
}

// errNoInput says that a file of the Go tree that a workload reads is not there.
var errNoInput = errors.New("input not available")

func TestWorkloads(t *testing.T) {
	for _, w := range workloads() {
		t.Run(w.calls+"/"+w.name, func(t *testing.T) {
			if limit := testLimit(); w.bytes > limit {
				t.Skipf("%d bytes of output are left to the benchmarks", w.bytes)
			}
			j, err := w.build()
			if errors.Is(err, errNoInput) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := j.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// testLimit keeps the tests small where they run under an emulator or a race detector.
func testLimit() int {
	if testing.Short() {
		return 2 << 20
	}
	return 48 << 20
}

const (
	bf16One = 0x3f80 // 1 as bfloat16
	// labels.SmoothOn and SmoothOff as bfloat16.
	smoothOnBF16, smoothOffBF16 = 0x3f66, 0x38d2
)

// workloads lists them all, in the order of the table that make bench prints.
func workloads() []workload {
	w := []workload{
		encodeSet[float32](labels.MNIST(), 1, 0),
		encodeSet[float32](labels.MNIST().Named("smooth"), 0.9, 0.1),
		encodeSet[float32](labels.CIFAR100(), 1, 0),
		encodeSet[float32](labels.ImageNet().Named("f32"), labels.SmoothOn, labels.SmoothOff),
		encodeSet[uint16](labels.ImageNet().Named("bf16"), smoothOnBF16, smoothOffBF16),
	}
	for _, shape := range [][2]int{{1, 256}, {8, 384}, {32, 384}} {
		w = append(w, encodeSet[float32](labels.BERT(shape[0], shape[1]), 1, 0))
	}
	for _, depth := range []int{2, 4, 8, 16, 32, 64} {
		w = append(w, encodeSet[float32](labels.ORT27094(depth), 1, 0))
	}
	w = append(w,
		text("dna/enformer", 196608, "ACGT", onehot.Spec[float32]{On: 1}, labels.Letters("ACGT", 'N', 0.005)),
		text("dna/alphagenome", 1048576, "ACGT", onehot.Spec[uint16]{On: bf16One}, labels.RunsOfN),
		text("dna/sei", 64*4096, "ACGT", onehot.Spec[float32]{On: 1, Inner: 4096}, labels.Letters("ACGT", 'N', 0.005)),
		text("char/crepe", 128*1014, crepeSymbols, onehot.Spec[float32]{Depth: 70, On: 1, Inner: 1014}, labels.Letters("etaoinshrdlucmfwygpbvk.,'0123456789", ' ', 0.17)),
		opticks(),
		encodeSet[float32](labels.WaveNet[uint8]().Named("u8"), 1, 0),
		encodeSet[float32](labels.WaveNet[int32]().Named("i32"), 1, 0),
		encodeSet[int8](labels.OpenFold().Named("i8"), 1, 0),
		encodeSet[float32](labels.OpenFold().Named("f32"), 1, 0),
		encodeSet[float32](labels.SPADE(), 1, 0),
		encodeSet[uint8](labels.Cityscapes().Named("u8"), 1, 0),
		encodeSet[float32](labels.Cityscapes().Named("f32"), 1, 0),
		encodeSet[float32](labels.MONAI3D(), 1, 0),
		videoGIF(),
		encode("tok/t5", 512, onehot.Spec[uint16]{Depth: 32128, On: bf16One}, labels.Zipf[int32](32128)),
		encodeSet[float32](labels.Llama3(), 1, 0),
		encode("vit/gemma-pos", 2520*2, onehot.Spec[uint16]{Depth: 10240, On: bf16One}, labels.PatchPositions),
		routing("moe/routing/depth=128", 4096, 8, 128),
		routing("moe/routing/depth=256", 4096, 8, 256),
		columns("tab/adult", 32561, []int{9, 16, 7, 15, 6, 5, 2, 42}, onehot.Spec[float32]{On: 1}, labels.ZipfColumn[uint8]),
		columns("tab/wide", 10000, repeat(75, 50), onehot.Spec[uint8]{On: 1}, labels.UniformColumn[int64]),
		columns("rl/minigrid", 100352, []int{11, 6, 3}, onehot.Spec[uint8]{On: 1}, labels.ZipfColumn[uint8]),
		encodeSet[float32](labels.Discrete(), 1, 0),
		update("rl/update", 4096, onehot.Spec[float32]{Depth: 500, On: 1}, 0.05),
	)
	for _, depth := range []int{16, 64, 256} {
		w = append(w,
			bitmap(fmt.Sprintf("bitmap/enum/u8/depth=%d", depth), 1<<20, depth, labels.Uniform[uint8](depth)),
			bitmap(fmt.Sprintf("bitmap/enum/u32/depth=%d", depth), 1<<20, depth, labels.Uniform[uint32](depth)))
	}
	w = append(w,
		encodeSet[float32](labels.Chess(), 1, 0),
		decode("20000x100/f32", 20000, 100),
		raw("mnist/labels", onehot.Uint8, 60000, onehot.Spec[float32]{Depth: 10, On: 1}, labels.Uniform[uint8](10)),
		raw("ort/27094/depth=16", onehot.Int64, 2*3*32*32, onehot.Spec[float32]{Depth: 16, On: 1}, labels.Uniform[int64](16)),
		raw("seg/cityscapes/u8", onehot.Uint8, 1024*2048, onehot.Spec[uint8]{Depth: 19, On: 1, Inner: 1024 * 2048}, labels.Cityscapes().Draw),
	)
	for _, mib := range []int{4, 16} {
		for _, workers := range []int{1, 2} {
			w = append(w,
				parallel(fmt.Sprintf("i64-f32/depth=16/%dMiB/workers=%d", mib, workers), mib<<20/(16*4), workers,
					onehot.Spec[float32]{Depth: 16, On: 1}, labels.Uniform[int64](16)),
				parallel(fmt.Sprintf("i32-f32/depth=1024/%dMiB/workers=%d", mib, workers), mib<<20/(1024*4), workers,
					onehot.Spec[float32]{Depth: 1024, On: 1}, labels.Uniform[int32](1024)))
		}
	}
	return w
}

// The constructors: each ties a library call to the careful Go loop for the same job.

// encodeSet times Encode on one of the sets that other libraries are compared on as well.
func encodeSet[V onehot.Value, I onehot.Index](set labels.Set[I], on, off V) workload {
	return encode(set.Name, set.Count, onehot.Spec[V]{Depth: set.Depth, Inner: set.Inner, On: on, Off: off}, set.Draw)
}

// encode times Encode on n indices.
func encode[V onehot.Value, I onehot.Index](name string, n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) workload {
	return workload{name, "Encode", n * s.Depth * size[V](), func() (*job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		j.run = func() { must(onehot.Encode(dst, indices, s)) }
		return j, nil
	}}
}

// parallel times EncodeParallel with a fixed number of workers.
func parallel[V onehot.Value, I onehot.Index](name string, n, workers int, s onehot.Spec[V], draw func(*rand.Rand, []I)) workload {
	return workload{name, "EncodeParallel", n * s.Depth * size[V](), func() (*job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		j.run = func() { must(onehot.EncodeParallel(dst, indices, s, workers)) }
		return j, nil
	}}
}

// raw times EncodeRaw on the bytes of what encode would work on.
func raw[V onehot.Value, I onehot.Index](name string, index onehot.IndexType, n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) workload {
	return workload{name, "EncodeRaw", n * s.Depth * size[V](), func() (*job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		rs := onehot.RawSpec{
			Index: index, Width: size[V](), On: bytesOf([]V{s.On}), Off: bytesOf([]V{s.Off}),
			Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Negative: s.Negative,
		}
		j.run = func() { must(onehot.EncodeRaw(bytesOf(dst), bytesOf(indices), rs)) }
		return j, nil
	}}
}

func encodeJob[V onehot.Value, I onehot.Index](n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) (*job, []V, []I) {
	indices := make([]I, n)
	draw(labels.Seeded(), indices)
	j, dst := newJob[V](n*s.Depth, n*size[I]())
	j.plain = func() { careful.Encode(dst, indices, s.Depth, max(s.Inner, 1), s.On, s.Off) }
	return j, dst, indices
}

// text times EncodeText on n bytes.
func text[V onehot.Value](name string, n int, symbols string, s onehot.Spec[V], draw func(*rand.Rand, []byte)) workload {
	depth := s.Depth
	if depth == 0 {
		depth = len(symbols)
	}
	return workload{name, "EncodeText", n * depth * size[V](), func() (*job, error) {
		b := make([]byte, n)
		draw(labels.Seeded(), b)
		return textJob(string(b), symbols, nil, depth, s)
	}}
}

func textJob[V onehot.Value](text, symbols string, alias map[string]string, depth int, s onehot.Spec[V]) (*job, error) {
	a, err := onehot.NewAlphabet(symbols)
	if err != nil {
		return nil, err
	}
	var classes [256]int16
	for i := range classes {
		classes[i] = int16(strings.IndexByte(symbols, byte(i)))
	}
	for from, to := range alias {
		if err := a.Alias(from, to); err != nil {
			return nil, err
		}
		for i := range len(from) {
			classes[from[i]] = classes[to[i]]
		}
	}
	j, dst := newJob[V](len(text)*depth, len(text))
	j.run = func() { must(onehot.EncodeText(dst, text, a, s)) }
	j.plain = func() { plainText(dst, text, &classes, depth, max(s.Inner, 1), s.On, s.Off) }
	return j, nil
}

// columns times EncodeColumns: rows rows of one column per depth.
func columns[V onehot.Value, I onehot.Index](name string, rows int, depths []int, s onehot.Spec[V], draw func(*rand.Rand, []I, int)) workload {
	width := 0
	for _, d := range depths {
		width += d
	}
	return workload{name, "EncodeColumns", rows * width * size[V](), func() (*job, error) {
		r := labels.Seeded()
		cols := make([][]I, len(depths))
		for c, d := range depths {
			cols[c] = make([]I, rows)
			draw(r, cols[c], d)
		}
		j, dst := newJob[V](rows*width, rows*len(depths)*size[I]())
		j.run = func() { must(onehot.EncodeColumns(dst, cols, depths, s)) }
		j.plain = func() { plainColumns(dst, cols, depths, width, s.On, s.Off) }
		return j, nil
	}}
}

// routing times MultiHot on expert choices: k distinct experts a token, one in twenty dropped.
func routing(name string, tokens, k, depth int) workload {
	return workload{name, "MultiHot", tokens * depth, func() (*job, error) {
		r := labels.Seeded()
		indices := make([]int16, 0, tokens*k)
		for range tokens {
			for _, expert := range r.Perm(depth)[:k] {
				if r.Float64() < 0.05 {
					expert = -1
				}
				indices = append(indices, int16(expert))
			}
		}
		s := onehot.Spec[bool]{Depth: depth, On: true}
		j, dst := newJob[bool](tokens*depth, 2*len(indices))
		j.run = func() { must(onehot.MultiHot(dst, indices, k, s)) }
		j.plain = func() { plainMultiHot(dst, indices, k, depth, s.On, s.Off) }
		return j, nil
	}}
}

// bitmap times EncodeBits.
func bitmap[I onehot.Index](name string, n, depth int, draw func(*rand.Rand, []I)) workload {
	return workload{name, "EncodeBits", depth * onehot.BitWords(n) * 8, func() (*job, error) {
		indices := make([]I, n)
		draw(labels.Seeded(), indices)
		j, dst := newJob[uint64](depth*onehot.BitWords(n), n*size[I]())
		j.run = func() { must(onehot.EncodeBits(dst, indices, depth, onehot.Ignore)) }
		j.plain = func() { plainBits(dst, indices, depth) }
		return j, nil
	}}
}

// update times Update between two sets of indices that differ in a share of places, back and forth. A call counts for the
// whole output, so that its GB/s stand beside those of Encode; the limit is what it really has to touch.
func update[V onehot.Value](name string, n int, s onehot.Spec[V], share float64) workload {
	return workload{name, "Update", n * s.Depth * size[V](), func() (*job, error) {
		r := labels.Seeded()
		prev := make([]int64, n)
		labels.Uniform[int64](s.Depth)(r, prev)
		next := append([]int64(nil), prev...)
		changed := int(share * float64(n))
		for _, i := range r.Perm(n)[:changed] {
			next[i] = (next[i] + 1 + r.Int64N(int64(s.Depth)-1)) % int64(s.Depth)
		}
		j, dst := newJob[V](n*s.Depth, 0)
		j.limit = make([]byte, 2*n*8+2*changed*size[V]())
		from, to := prev, next
		j.prepare = func() {
			from, to = prev, next
			careful.Encode(dst, prev, s.Depth, 1, s.On, s.Off)
		}
		j.run = func() {
			must(onehot.Update(dst, from, to, s))
			from, to = to, from
		}
		j.plain = func() {
			plainUpdate(dst, from, to, s.Depth, s.On, s.Off)
			from, to = to, from
		}
		return j, nil
	}}
}

// decode times Decode. It reads much and writes little: a call counts for the bytes of its source.
func decode(name string, rows, depth int) workload {
	return workload{name, "Decode", rows * depth * 4, func() (*job, error) {
		want := make([]int64, rows)
		labels.Uniform[int64](depth)(labels.Seeded(), want)
		src := make([]float32, rows*depth)
		careful.Encode(src, want, depth, 1, 1, 0)
		dst := make([]int64, rows)
		s := onehot.Spec[float32]{Depth: depth, On: 1}
		arena := make([]byte, 4*len(src)+8*rows)
		j := &job{out: bytesOf(dst), credit: 4 * len(src), clear: arena[:4*len(src)], limit: arena}
		j.run = func() { must(onehot.Decode(dst, src, s)) }
		j.plain = func() { plainDecode(dst, src, depth, s.On, s.Off) }
		return j, nil
	}}
}

// newJob makes an output of n elements and, right behind it, room for the bytes that path=limit clears beyond the output.
func newJob[V onehot.Value](n, read int) (*job, []V) {
	arena := make([]V, n+(read+size[V]()-1)/size[V]())
	all, out := bytesOf(arena), bytesOf(arena[:n])
	return &job{out: out, credit: len(out), clear: out, limit: all[:len(out)+read]}, arena[:n:n]
}

// Two workloads on real input, from the Go tree itself.

// crepeSymbols are those of the character-level convolution networks; spaces and everything else have no class. The published list
// has 70 places and names '-' twice, so that one plane of the 70 stays empty.
const crepeSymbols = "abcdefghijklmnopqrstuvwxyz0123456789-,;.!?:'\"/\\|_@#$%^&*~`+=<>()[]{}\n"

// opticks one-hot encodes a book, upper case folded to lower case by the alphabet.
func opticks() workload {
	const length = 567198
	return workload{"real/opticks", "EncodeText", length * 70, func() (*job, error) {
		book, err := goTreeFile("src", "testdata", "Isaac.Newton-Opticks.txt")
		if err != nil {
			return nil, err
		}
		alias := map[string]string{"ABCDEFGHIJKLMNOPQRSTUVWXYZ": "abcdefghijklmnopqrstuvwxyz"}
		return textJob(string(book), crepeSymbols, alias, 70, onehot.Spec[uint8]{Depth: 70, On: 1})
	}}
}

// videoGIF makes one plane per palette entry of a paletted image.
func videoGIF() workload {
	const length = 150 * 103
	return workload{"real/video-001.gif", "Encode", length * 256 * 4, func() (*job, error) {
		data, err := goTreeFile("src", "image", "testdata", "video-001.gif")
		if err != nil {
			return nil, err
		}
		m, err := gif.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		p, ok := m.(*image.Paletted)
		if !ok {
			return nil, fmt.Errorf("video-001.gif decodes to %T", m)
		}
		s := onehot.Spec[float32]{Depth: len(p.Palette), On: 1, Inner: len(p.Pix)}
		j, dst, indices := encodeJob(len(p.Pix), s, func(_ *rand.Rand, dst []uint8) { copy(dst, p.Pix) })
		j.run = func() { must(onehot.Encode(dst, indices, s)) }
		return j, nil
	}}
}

var goRoot = sync.OnceValues(func() (string, error) {
	if root := os.Getenv("GOROOT"); root != "" {
		return root, nil
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(root)), err
})

func goTreeFile(elem ...string) ([]byte, error) {
	root, err := goRoot()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errNoInput, err)
	}
	data, err := os.ReadFile(filepath.Join(append([]string{root}, elem...)...))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errNoInput, err)
	}
	return data, nil
}

// The careful Go loops for the other calls; that for Encode is labels.Careful.

func plainText[V onehot.Value](dst []V, text string, classes *[256]int16, depth, inner int, on, off V) {
	careful.Fill(dst, off)
	if inner == 1 {
		row := 0
		for i := range len(text) {
			if c := int(classes[text[i]]); uint(c) < uint(depth) {
				dst[row+c] = on
			}
			row += depth
		}
		return
	}
	for len(text) > 0 {
		for i := range inner {
			if c := int(classes[text[i]]); uint(c) < uint(depth) {
				dst[c*inner+i] = on
			}
		}
		text, dst = text[inner:], dst[depth*inner:]
	}
}

// plainColumns takes some rows at a time, so that they are still in the cache when the next column comes, and reads each column in
// order: all rows of a column at once, and all columns of a row at once, are both slower on one of the workloads.
func plainColumns[V onehot.Value, I onehot.Index](dst []V, columns [][]I, depths []int, width int, on, off V) {
	careful.Fill(dst, off)
	rows := len(columns[0])
	for r := 0; r < rows; r += 8 {
		start := r * width
		for c, depth := range depths {
			row := start
			for _, x := range columns[c][r:min(r+8, rows)] {
				if x := int(x); uint(x) < uint(depth) {
					dst[row+x] = on
				}
				row += width
			}
			start += depth
		}
	}
}

func plainMultiHot[V onehot.Value, I onehot.Index](dst []V, indices []I, k, depth int, on, off V) {
	careful.Fill(dst, off)
	for row := 0; len(indices) > 0; row += depth {
		for _, x := range indices[:k] {
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		indices = indices[k:]
	}
}

func plainBits[I onehot.Index](dst []uint64, indices []I, depth int) {
	clear(dst)
	words := (len(indices) + 63) / 64
	for i, x := range indices {
		if c := int(x); uint(c) < uint(depth) {
			dst[c*words+i/64] |= 1 << (i % 64)
		}
	}
}

func plainUpdate[V onehot.Value, I onehot.Index](dst []V, prev, next []I, depth int, on, off V) {
	row := 0
	for i, x := range next {
		if prev[i] != x {
			if c := int(prev[i]); uint(c) < uint(depth) {
				dst[row+c] = off
			}
			if c := int(x); uint(c) < uint(depth) {
				dst[row+c] = on
			}
		}
		row += depth
	}
}

func plainDecode[I onehot.Signed, V onehot.Value](dst []I, src []V, depth int, on, off V) {
	for r := range dst {
		class := -1
		for d, v := range src[r*depth : (r+1)*depth] {
			if v == off {
				continue
			}
			if v != on || class >= 0 {
				class = -1
				break
			}
			class = d
		}
		dst[r] = I(class)
	}
}

// Small things.

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}

func size[T any]() int {
	var t T
	return int(unsafe.Sizeof(t))
}

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size[T]())
}

func repeat(v, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}
