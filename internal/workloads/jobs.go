package workloads

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
	"github.com/go-onehot/onehot/internal/labels"
	"github.com/go-onehot/onehot/internal/view"
)

// Each of these constructors ties a library call to the careful Go loop for the
// same job. They are not inlined: in the copy of a closure, must would be a
// call, which shows where little is written.

// encodeSet times Encode on a set that other libraries are timed on, too.
func encodeSet[V onehot.Value, I onehot.Index](set labels.Set[I], on, off V) Workload {
	return encode(set.Name, set.Count, onehot.Spec[V]{Depth: set.Depth, Inner: set.Inner, On: on, Off: off}, set.Draw)
}

// encode times Encode on n indices.
//
//go:noinline
func encode[V onehot.Value, I onehot.Index](name string, n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) Workload {
	return Workload{name, "Encode", n * s.Depth * view.Size[V](), func() (*Job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		j.Run = func() { must(onehot.Encode(dst, indices, s)) }
		return j, nil
	}}
}

// parallel times EncodeParallel with a fixed number of workers.
func parallel[V onehot.Value, I onehot.Index](name string, n, workers int, s onehot.Spec[V], draw func(*rand.Rand, []I)) Workload {
	return Workload{name, "EncodeParallel", n * s.Depth * view.Size[V](), func() (*Job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		j.Run = func() { must(onehot.EncodeParallel(dst, indices, s, workers)) }
		return j, nil
	}}
}

// raw times EncodeRaw on the bytes of what encode works on. Callers of
// EncodeRaw have bytes already: making them is no part of the call.
//
//go:noinline
func raw[V onehot.Value, I onehot.Index](name string, index onehot.IndexType, n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) Workload {
	return Workload{name, "EncodeRaw", n * s.Depth * view.Size[V](), func() (*Job, error) {
		j, dst, indices := encodeJob(n, s, draw)
		rs := onehot.RawSpec{
			Index: index, Width: view.Size[V](), On: view.Bytes([]V{s.On}), Off: view.Bytes([]V{s.Off}),
			Depth: s.Depth, Inner: s.Inner, Stride: s.Stride, Negative: s.Negative,
		}
		to, from := view.Bytes(dst), view.Bytes(indices)
		j.Run = func() { must(onehot.EncodeRaw(to, from, rs)) }
		return j, nil
	}}
}

func encodeJob[V onehot.Value, I onehot.Index](n int, s onehot.Spec[V], draw func(*rand.Rand, []I)) (*Job, []V, []I) {
	indices := drawn(n, draw)
	j, dst := newJob[V](n*s.Depth, n*view.Size[I]())
	j.Plain = func() { careful.Encode(dst, indices, s.Depth, max(s.Inner, 1), s.On, s.Off) }
	return j, dst, indices
}

// drawn returns n indices.
func drawn[I any](n int, draw func(*rand.Rand, []I)) []I {
	indices := make([]I, n)
	draw(labels.Seeded(), indices)
	return indices
}

// text times EncodeText on n bytes.
//
//go:noinline
func text[V onehot.Value](name string, n int, symbols string, s onehot.Spec[V], draw func(*rand.Rand, []byte)) Workload {
	depth := s.Depth
	if depth == 0 {
		depth = len(symbols)
	}
	return Workload{name, "EncodeText", n * depth * view.Size[V](), func() (*Job, error) {
		return textJob(string(drawn(n, draw)), symbols, nil, depth, s)
	}}
}

func textJob[V onehot.Value](text, symbols string, alias map[string]string, depth int, s onehot.Spec[V]) (*Job, error) {
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
	j.Run = func() { must(onehot.EncodeText(dst, text, a, s)) }
	j.Plain = func() { careful.Text(dst, text, &classes, depth, max(s.Inner, 1), s.On, s.Off) }
	return j, nil
}

// columns times EncodeColumns on one column of rows indices per depth.
//
//go:noinline
func columns[V onehot.Value, I onehot.Index](name string, rows int, depths []int, s onehot.Spec[V], draw func(depth int) func(*rand.Rand, []I)) Workload {
	width := 0
	for _, d := range depths {
		width += d
	}
	return Workload{name, "EncodeColumns", rows * width * view.Size[V](), func() (*Job, error) {
		r := labels.Seeded()
		cols := make([][]I, len(depths))
		for c, d := range depths {
			cols[c] = make([]I, rows)
			draw(d)(r, cols[c])
		}
		j, dst := newJob[V](rows*width, rows*len(depths)*view.Size[I]())
		j.Run = func() { must(onehot.EncodeColumns(dst, cols, depths, s)) }
		j.Plain = func() { careful.Columns(dst, cols, depths, width, s.On, s.Off) }
		return j, nil
	}}
}

// sets times MultiHot on rows of k indices.
//
//go:noinline
func sets[V onehot.Value, I onehot.Index](name string, rows, k int, s onehot.Spec[V], draw func(*rand.Rand, []I)) Workload {
	return Workload{name, "MultiHot", rows * s.Depth * view.Size[V](), func() (*Job, error) {
		indices := drawn(rows*k, draw)
		j, dst := newJob[V](rows*s.Depth, len(indices)*view.Size[I]())
		j.Run = func() { must(onehot.MultiHot(dst, indices, k, s)) }
		j.Plain = func() { careful.MultiHot(dst, indices, k, s.Depth, s.On, s.Off) }
		return j, nil
	}}
}

// routing times MultiHot on choices of experts: k distinct experts per token,
// of which one in twenty is dropped.
func routing(name string, tokens, k, depth int) Workload {
	return sets(name, tokens, k, onehot.Spec[bool]{Depth: depth, On: true}, func(r *rand.Rand, dst []int16) {
		for ; len(dst) > 0; dst = dst[k:] {
			for i, expert := range r.Perm(depth)[:k] {
				if dst[i] = int16(expert); r.Float64() < 0.05 {
					dst[i] = -1
				}
			}
		}
	})
}

// bitmap times EncodeBits.
//
//go:noinline
func bitmap[I onehot.Index](name string, n, depth int, draw func(*rand.Rand, []I)) Workload {
	return Workload{name, "EncodeBits", depth * onehot.BitWords(n) * 8, func() (*Job, error) {
		indices := drawn(n, draw)
		j, dst := newJob[uint64](depth*onehot.BitWords(n), n*view.Size[I]())
		j.Run = func() { must(onehot.EncodeBits(dst, indices, depth, onehot.Ignore)) }
		j.Plain = func() { careful.Bits(dst, indices, depth) }
		return j, nil
	}}
}

// expand times ExpandBits on planes of n bits, of which a share is set.
//
//go:noinline
func expand[V onehot.Number](name string, planes, n int, share float64) Workload {
	return Workload{name, "ExpandBits", planes * n * view.Size[V](), func() (*Job, error) {
		r, words := labels.Seeded(), onehot.BitWords(n)
		bits := make([]uint64, planes*words)
		for p := range planes {
			for i := range n {
				if r.Float64() < share {
					bits[p*words+i/64] |= 1 << (i % 64)
				}
			}
		}
		j, dst := newJob[V](planes*n, 8*len(bits))
		j.Run = func() { must(0, onehot.ExpandBits(dst, bits, n, 1, 0)) }
		j.Plain = func() { careful.Expand(dst, bits, n, 1, 0) }
		return j, nil
	}}
}

// recode times Recode of n indices through a table. A share of them is null;
// with none there is no bitmap.
//
//go:noinline
func recode[C onehot.Code, I onehot.Index](name string, n int, table []C, nulls float64) Workload {
	return Workload{name, "Recode", n * view.Size[C](), func() (*Job, error) {
		indices := drawn(n, labels.Uniform[I](len(table)))
		var valid *onehot.Bitmap
		if nulls > 0 {
			valid = &onehot.Bitmap{Bits: make([]byte, (n+7)/8)}
			r := labels.Seeded()
			for i := range n {
				if r.Float64() >= nulls {
					valid.Bits[i/8] |= 1 << (i % 8)
				}
			}
		}
		j, dst := newJob[C](n, n*view.Size[I]())
		j.Run = func() { must(onehot.Recode(dst, indices, table, valid)) }
		j.Plain = func() { careful.Recode(dst, indices, table, valid) }
		return j, nil
	}}
}

// shifted returns a table for codes that count from 1, up to depth.
func shifted[C onehot.Code](depth int) []C {
	table := make([]C, depth+1)
	for code := range table {
		table[code] = C(code) - 1 // that of 0 says that there is no class
	}
	return table
}

// update times Update between two sets of indices that differ in a share of
// places, back and forth. A call counts for the whole output, so that its GB/s
// compare with those of Encode. The limit is what it really has to touch.
//
//go:noinline
func update[V onehot.Value](name string, n int, s onehot.Spec[V], share float64) Workload {
	return Workload{name, "Update", n * s.Depth * view.Size[V](), func() (*Job, error) {
		r := labels.Seeded()
		prev := make([]int64, n)
		labels.Uniform[int64](s.Depth)(r, prev)
		next := slices.Clone(prev)
		changed := int(share * float64(n))
		for _, i := range r.Perm(n)[:changed] {
			next[i] = (next[i] + 1 + r.Int64N(int64(s.Depth)-1)) % int64(s.Depth)
		}
		j, dst := newJob[V](n*s.Depth, 0)
		j.Limit = make([]byte, 2*n*8+2*changed*view.Size[V]())
		from, to := prev, next
		j.Prepare = func() {
			from, to = prev, next
			careful.Encode(dst, prev, s.Depth, 1, s.On, s.Off)
		}
		j.Run = func() {
			must(onehot.Update(dst, from, to, s))
			from, to = to, from
		}
		j.Plain = func() {
			careful.Update(dst, from, to, s.Depth, s.On, s.Off)
			from, to = to, from
		}
		return j, nil
	}}
}

// decode times Decode, which reads much and writes little: a call counts for
// the bytes of its source.
//
//go:noinline
func decode[V onehot.Number](name string, rows, depth int) Workload {
	return Workload{name, "Decode", rows * depth * view.Size[V](), func() (*Job, error) {
		want, dst := make([]int64, rows), make([]int64, rows)
		labels.Uniform[int64](depth)(labels.Seeded(), want)
		src, s := make([]V, rows*depth), onehot.Rows[V](depth)
		careful.Encode(src, want, depth, 1, s.On, s.Off)
		read := len(view.Bytes(src))
		arena := make([]byte, read+8*rows)
		j := &Job{Out: view.Bytes(dst), Credit: read, Clear: arena[:read], Limit: arena}
		j.Run = func() { must(onehot.Decode(dst, src, s)) }
		j.Plain = func() { careful.Decode(dst, src, depth, s.On, s.Off) }
		return j, nil
	}}
}

// newJob makes an output of n elements and, right after it, room for the bytes
// that path=limit clears beyond the output.
func newJob[V onehot.Value](n, read int) (*Job, []V) {
	arena := make([]V, n+(read+view.Size[V]()-1)/view.Size[V]())
	all, out := view.Bytes(arena), view.Bytes(arena[:n])
	return &Job{Out: out, Credit: len(out), Clear: out, Limit: all[:len(out)+read]}, arena[:n:n]
}

func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}
