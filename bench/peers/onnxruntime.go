//go:build cgo

package peers

import (
	"errors"
	"time"

	ort "github.com/yalue/onnxruntime_go"
)

// ONNXRuntime returns the OneHot kernel of ONNX Runtime's CPU provider, from
// the shared library at that path, and the library's version. The kernel runs
// on one thread, and its output is allocated beforehand.
func ONNXRuntime(library string) (Peer, string, error) {
	if library == "" {
		return nil, "", errors.New("no library is named in " + LibraryVariable)
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return nil, "", err
	}
	return onnxRuntime{}, ort.GetVersion(), nil
}

type onnxRuntime struct{}

func (onnxRuntime) Name() string { return "onnxruntime" }

func (onnxRuntime) Load(w Work) (Task, error) {
	t := &onnxTask{}
	if err := t.load(w); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

type onnxTask struct {
	session *ort.AdvancedSession
	tensors []ort.Value
	out     *ort.Tensor[float32]
}

func (t *onnxTask) load(w Work) error {
	inner := max(w.Inner, 1)
	shape, outShape, axis := ort.NewShape(int64(w.Count())), ort.NewShape(int64(w.Count()), int64(w.Depth)), -1
	if inner > 1 {
		outer := int64(w.Count() / inner)
		shape, outShape, axis = ort.NewShape(outer, int64(inner)), ort.NewShape(outer, int64(w.Depth), int64(inner)), 1
	}
	index := onnxInt64
	var err error
	switch x := w.Indices.(type) {
	case []int32:
		index, err = onnxInt32, inputs(t, shape, x, w.Depth)
	case []float32:
		index, err = onnxFloat, inputs(t, shape, x, w.Depth)
	default:
		var indices []int64
		if indices, err = w.int64s(); err == nil {
			err = inputs(t, shape, indices, w.Depth)
		}
	}
	if err == nil {
		err = add(t, ort.NewShape(2), []float32{w.Off, w.On})
	}
	if err == nil {
		t.out, err = ort.NewEmptyTensor[float32](outShape)
	}
	if err != nil {
		return err
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	if err := errors.Join(options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1)); err != nil {
		return err
	}
	t.session, err = ort.NewAdvancedSessionWithONNXData(model(w.Opset, axis, index, len(shape)),
		[]string{"indices", "depth", "values"}, []string{"output"}, t.tensors, []ort.Value{t.out}, options)
	return err
}

// inputs adds the indices and the depth to the inputs of a task. The depth has
// the type of the indices, which the kernel is built for.
func inputs[T int32 | int64 | float32](t *onnxTask, shape ort.Shape, indices []T, depth int) error {
	if err := add(t, shape, indices); err != nil {
		return err
	}
	return add(t, ort.NewShape(1), []T{T(depth)})
}

func add[T int32 | int64 | float32](t *onnxTask, shape ort.Shape, data []T) error {
	tensor, err := ort.NewTensor(shape, data)
	if err == nil {
		t.tensors = append(t.tensors, tensor)
	}
	return err
}

func (t *onnxTask) Run(n int) (time.Duration, error) {
	start := time.Now()
	for range n {
		if err := t.session.Run(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

func (t *onnxTask) Output() ([]float32, error) { return t.out.GetData(), nil }

func (t *onnxTask) Close() error {
	var errs []error
	if t.session != nil {
		errs = append(errs, t.session.Destroy())
	}
	for _, v := range t.tensors {
		errs = append(errs, v.Destroy())
	}
	if t.out != nil {
		errs = append(errs, t.out.Destroy())
	}
	return errors.Join(errs...)
}
