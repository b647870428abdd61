package peers

import (
	"time"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/careful"
)

// Ours returns this module, on the path that it chose for this machine. Its
// name is that of the path.
func Ours() Peer {
	return inGo{onehot.Path(), func(w Work, dst []float32) func() {
		return func() {
			if err := w.Encode(dst); err != nil {
				panic(err)
			}
		}
	}}
}

// Clear returns a peer that only zeroes as many bytes as an encoder writes.
func Clear() Peer {
	return inGo{"clear", func(_ Work, dst []float32) func() { return func() { clear(dst) } }}
}

// Go returns the loop that a careful Go user writes: clear or fill, then one
// store for each index.
func Go() Peer {
	return inGo{"go", func(w Work, dst []float32) func() {
		switch x := w.Indices.(type) {
		case []uint8:
			return carefully(w, dst, x)
		case []int32:
			return carefully(w, dst, x)
		case []int64:
			return carefully(w, dst, x)
		}
		return carefully(w, dst, w.Indices.([]float32))
	}}
}

func carefully[I onehot.Index](w Work, dst []float32, indices []I) func() {
	return func() { careful.Encode(dst, indices, w.Depth, max(w.Inner, 1), w.On, w.Off) }
}

// Naive returns the operator's definition, word for word: it compares the class
// of every cell with the cell's index.
func Naive() Peer {
	return inGo{"naive", func(w Work, dst []float32) func() {
		switch x := w.Indices.(type) {
		case []uint8:
			return naively(w, dst, x)
		case []int32:
			return naively(w, dst, x)
		case []int64:
			return naively(w, dst, x)
		}
		return naively(w, dst, w.Indices.([]float32))
	}}
}

func naively[I onehot.Index](w Work, dst []float32, indices []I) func() {
	inner := max(w.Inner, 1)
	wrap := w.negative() == onehot.Normalize
	return func() {
		for o := range len(indices) / inner {
			for d := range w.Depth {
				for i := range inner {
					class := int64(indices[o*inner+i])
					if wrap && class < 0 {
						class += int64(w.Depth)
					}
					v := w.Off
					if class == int64(d) {
						v = w.On
					}
					dst[(o*w.Depth+d)*inner+i] = v
				}
			}
		}
	}
}

// inGo is a peer that is a Go function. Its output is allocated beforehand.
type inGo struct {
	name string
	make func(w Work, dst []float32) func()
}

func (g inGo) Name() string { return g.name }

func (g inGo) Load(w Work) (Task, error) {
	dst := make([]float32, w.Elements())
	return &goTask{g.make(w, dst), dst}, nil
}

type goTask struct {
	run func()
	dst []float32
}

func (t *goTask) Run(n int) (time.Duration, error) {
	start := time.Now()
	for range n {
		t.run()
	}
	return time.Since(start), nil
}

func (t *goTask) Output() ([]float32, error) { return t.dst, nil }
func (t *goTask) Close() error               { return nil }
