package peers

import (
	"errors"
	"time"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// GoMLX returns graph.OneHot of gomlx on its backend in pure Go. Each result is
// a new tensor, as in any use of that library, and returns to the backend's
// pool.
func GoMLX() (Peer, error) {
	backend, err := simplego.New("ops_sequential")
	if err != nil {
		return nil, err
	}
	return goMLX{backend}, nil
}

type goMLX struct{ backend backends.Backend }

func (goMLX) Name() string { return "gomlx" }

func (p goMLX) Load(w Work) (Task, error) {
	if err := w.oneAndZero(); err != nil {
		return nil, err
	}
	inner := max(w.Inner, 1)
	shape := []int{w.Count() / inner}
	if inner > 1 {
		shape = append(shape, inner)
	}
	var indices *tensors.Tensor
	switch x := w.Indices.(type) {
	case []uint8:
		indices = tensors.FromFlatDataAndDimensions(x, shape...)
	case []int32:
		indices = tensors.FromFlatDataAndDimensions(x, shape...)
	default:
		wide, err := w.int64s()
		if err != nil {
			return nil, err
		}
		indices = tensors.FromFlatDataAndDimensions(wide, shape...)
	}
	exec, err := graph.NewExec(p.backend, func(x *graph.Node) *graph.Node {
		out := graph.OneHot(x, w.Depth, dtypes.Float32)
		if inner > 1 {
			out = graph.TransposeAllAxes(out, 0, 2, 1) // graph.OneHot makes the new axis the last one
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	return &goMLXTask{exec: exec, indices: indices}, nil
}

type goMLXTask struct {
	exec         *graph.Exec
	indices, out *tensors.Tensor
}

func (t *goMLXTask) Run(n int) (time.Duration, error) {
	start := time.Now()
	for range n {
		if err := t.free(); err != nil {
			return 0, err
		}
		out, err := t.exec.Exec1(t.indices)
		if err != nil {
			return 0, err
		}
		t.out = out
	}
	return time.Since(start), nil
}

func (t *goMLXTask) free() error {
	if t.out == nil {
		return nil
	}
	out := t.out
	t.out = nil
	return out.FinalizeAll()
}

func (t *goMLXTask) Output() ([]float32, error) { return tensors.CopyFlatData[float32](t.out) }

func (t *goMLXTask) Close() error {
	defer t.exec.Finalize()
	return errors.Join(t.free(), t.indices.FinalizeAll())
}
