// Package operator is the one-hot operator on tensors whose types are known
// only at run time: the common part of packages onnx and openvino. They differ
// in what they accept, which is an [Operator], and in how they pass On and Off,
// which become [Values].
package operator

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/size"
	"github.com/go-onehot/onehot/tensor"
)

// Operator says what one version of the operator accepts and what it means.
type Operator struct {
	Name        string          // opens every error: "onnx: OneHot-11"
	Negative    onehot.Negative // what a negative index means
	Integers    bool            // indices and depth are integers; floats are refused
	ScalarDepth bool            // depth has rank 0; otherwise it may also have shape [1]
}

// Values are the on and the off value of an output, of the same element type.
type Values struct{ on, off view }

// Pair returns the Values of one tensor [off, on].
func (o *Operator) Pair(values tensor.Tensor) (Values, error) {
	v, err := newView(o.Name, "values", values)
	if err != nil {
		return Values{}, err
	}
	if len(values.Shape) != 1 || v.len != 2 {
		return Values{}, failf(o.Name, tensor.ErrShape, "values of shape %v, want [2], which is [off, on]", values.Shape)
	}
	return Values{on: v.at(1), off: v.at(0)}, nil
}

// Scalars returns the Values of two tensors of rank 0.
func (o *Operator) Scalars(on, off tensor.Tensor) (v Values, err error) {
	if v.on, err = o.scalar("on", on); err != nil {
		return v, err
	}
	if v.off, err = o.scalar("off", off); err != nil {
		return v, err
	}
	if v.on.elem != v.off.elem {
		return v, failf(o.Name, tensor.ErrType, "on of type %v and off of type %v, want one type", v.on.elem, v.off.elem)
	}
	return v, nil
}

func (o *Operator) scalar(name string, t tensor.Tensor) (view, error) {
	v, err := newView(o.Name, name, t)
	if err == nil && len(t.Shape) != 0 {
		err = failf(o.Name, tensor.ErrShape, "%s of shape %v, want rank 0", name, t.Shape)
	}
	return v, err
}

// OneHot allocates the output and encodes indices into it.
func (o *Operator) OneHot(indices, depth tensor.Tensor, v Values, axis int) (tensor.Tensor, error) {
	c, err := o.check(indices, depth, axis)
	if err != nil {
		return tensor.Tensor{}, err
	}
	data, ok := allocate(v.on.elem, c.output.cells)
	if !ok {
		return tensor.Tensor{}, failf(o.Name, onehot.ErrTooLarge, "output of shape %v, elements of %d bytes", c.output.slice(), v.on.elem.Size())
	}
	if err := o.encode(sliceView(data), c, v); err != nil {
		return tensor.Tensor{}, err
	}
	return tensor.Tensor{Shape: c.output.slice(), Data: data.Interface()}, nil
}

// OneHotInto encodes indices into dst.
func (o *Operator) OneHotInto(dst, indices, depth tensor.Tensor, v Values, axis int) error {
	c, err := o.check(indices, depth, axis)
	if err != nil {
		return err
	}
	out, err := newView(o.Name, "dst", dst)
	if err != nil {
		return err
	}
	if out.elem != v.on.elem {
		return failf(o.Name, tensor.ErrType, "dst of type %v, want %v as the values", out.elem, v.on.elem)
	}
	if !c.output.equal(dst.Shape) {
		return failf(o.Name, tensor.ErrShape, "dst of shape %v, want %v", dst.Shape, c.output.slice())
	}
	// The core looks for overlap itself, but it never sees depth, and it sees only
	// a copy of indices that have to be converted.
	if out.overlaps(c.indices.known) {
		return failf(o.Name, onehot.ErrOverlap, "dst of length %d, indices of length %d", out.len, c.indices.len)
	}
	if out.overlaps(c.depth.known) {
		return failf(o.Name, onehot.ErrOverlap, "dst of length %d, depth of length 1", out.len)
	}
	return o.encode(out, c, v)
}

// A call holds checked arguments: nothing in it can be wrong any more.
type call struct {
	indices, depth view
	output         shape
	inner          int // the product of the dimensions after the axis, 1 or more
}

func (o *Operator) check(indices, depth tensor.Tensor, axis int) (c call, err error) {
	if c.indices, err = o.numbers("indices", indices); err != nil {
		return c, err
	}
	if c.depth, err = o.numbers("depth", depth); err != nil {
		return c, err
	}
	classes, err := o.classes(depth.Shape, c.depth)
	if err != nil {
		return c, err
	}
	if c.output, err = newShape(o.Name, indices.Shape, classes, axis); err != nil {
		return c, err
	}
	c.inner = 1
	if c.output.cells > 0 { // otherwise the product of the dimensions after the axis may overflow
		c.inner, _ = product(c.output.behind)
	}
	return c, nil
}

// numbers returns a view of t, which must hold numbers to be cast to int64.
func (o *Operator) numbers(name string, t tensor.Tensor) (view, error) {
	v, err := newView(o.Name, name, t)
	if err != nil {
		return v, err
	}
	if o.Integers && !v.isInteger() {
		return v, failf(o.Name, tensor.ErrType, "%s of type %v, want integers", name, v.elem)
	}
	if !v.isInteger() && !v.isFloat() {
		return v, failf(o.Name, tensor.ErrType, "%s of type %v, want numbers", name, v.elem)
	}
	return v, nil
}

// classes reads a depth, the only element of v, as an int64 and truncates it
// toward zero. shape is the shape of the depth tensor.
func (o *Operator) classes(shape []int, v view) (int, error) {
	if !o.single(shape) {
		want := "rank 0 or [1]"
		if o.ScalarDepth {
			want = "rank 0"
		}
		return 0, failf(o.Name, tensor.ErrShape, "depth of shape %v, want %s", shape, want)
	}
	depth := v.whole()
	if v.isFloat() {
		f := v.float()
		// The bounds come first: a float beyond them converts to different integers on
		// different machines. NaN is within no bounds.
		if !(f >= 1 && f < 1<<63) {
			return 0, failf(o.Name, onehot.ErrDepth, "%v, want 1 or more, within int64", f)
		}
		depth = int64(f)
	} else if v.index() == onehot.Uint64 && depth < 0 {
		return 0, failf(o.Name, onehot.ErrDepth, "%d, want 1 or more, within int64", uint64(depth))
	}
	if depth < 1 {
		return 0, failf(o.Name, onehot.ErrDepth, "%d, want 1 or more", depth)
	}
	if depth > math.MaxInt { // a legal depth, but not on this machine
		return 0, fmt.Errorf("%s: %w: %w: depth %d, the largest int is %d", o.Name, onehot.ErrTooLarge, onehot.ErrDepth, depth, math.MaxInt)
	}
	return int(depth), nil
}

// A shape holds the dimensions of an output: those before the axis, along it
// and after it.
type shape struct {
	before, behind []int // together the shape of indices
	depth          int
	cells          int // elements of the output
}

// Shape returns the shape of the output: that of indices with depth inserted at
// axis. Its errors begin with name.
func Shape(name string, indices []int, depth, axis int) ([]int, error) {
	s, err := newShape(name, indices, depth, axis)
	if err != nil {
		return nil, err
	}
	return s.slice(), nil
}

func newShape(name string, indices []int, depth, axis int) (s shape, err error) {
	if i := negative(indices); i >= 0 {
		return s, failf(name, tensor.ErrShape, "indices of shape %v, dimension %d is negative", indices, i)
	}
	if depth < 1 {
		return s, failf(name, onehot.ErrDepth, "%d, want 1 or more", depth)
	}
	rank := len(indices)
	if axis < -rank-1 || axis > rank {
		return s, failf(name, tensor.ErrAxis, "%d, want %d to %d for indices of rank %d", axis, -rank-1, rank, rank)
	}
	if axis < 0 {
		axis += rank + 1
	}
	s = shape{before: indices[:axis], behind: indices[axis:], depth: depth}
	n, ok := product(indices)
	if ok {
		s.cells, ok = size.Product(n, depth)
	}
	if !ok {
		return s, failf(name, onehot.ErrTooLarge, "output of shape %v, its number of elements overflows int", s.slice())
	}
	return s, nil
}

// slice returns the dimensions in a new slice.
func (s shape) slice() []int {
	return slices.Concat(s.before, []int{s.depth}, s.behind)
}

// equal reports whether dims are the dimensions of s.
func (s shape) equal(dims []int) bool {
	axis := len(s.before)
	return len(dims) == axis+1+len(s.behind) &&
		slices.Equal(dims[:axis], s.before) && dims[axis] == s.depth && slices.Equal(dims[axis+1:], s.behind)
}

// negative returns the index of the first negative dimension of shape, or -1.
func negative(shape []int) int {
	return slices.IndexFunc(shape, func(n int) bool { return n < 0 })
}

// product multiplies dimensions, none of them negative. If one of them is zero
// the product is 0, even if the others alone overflow.
func product(shape []int) (n int, ok bool) {
	if slices.Contains(shape, 0) {
		return 0, true
	}
	n = 1
	for _, d := range shape {
		if n, ok = size.Product(n, d); !ok {
			return 0, false
		}
	}
	return n, true
}

// allocate makes a slice of n elements, if the address space has room for them.
func allocate(elem reflect.Type, n int) (slice reflect.Value, ok bool) {
	if bytes, ok := size.Product(n, int(elem.Size())); !ok || bytes >= size.MaxBytes {
		return slice, false
	}
	// The runtime's limit is lower on some platforms (wasm, mips, iOS), and the
	// only way to find out is to exceed it: MakeSlice panics before it allocates,
	// and ok is still false.
	defer func() { _ = recover() }()
	return reflect.MakeSlice(reflect.SliceOf(elem), n, n), true
}

// encode writes the whole of dst.
func (o *Operator) encode(dst view, c call, v Values) error {
	if c.output.cells == 0 {
		return nil
	}
	isString := dst.kind == reflect.String
	indices, index := c.indices, c.indices.index()
	if index == 0 || isString && indices.isHalf() {
		// Either only a method of their own converts these numbers, or strings are
		// encoded with Go's types, which include no half.
		indices, index = sliceView(reflect.ValueOf(indices.float32s())), onehot.Float32
	}
	var err error
	if isString {
		err = encodeStrings(as[string](dst), indices, index, onehot.Spec[string]{
			Depth: c.output.depth, On: as[string](v.on)[0], Off: as[string](v.off)[0],
			Inner: c.inner, Negative: o.Negative,
		})
	} else {
		_, err = onehot.EncodeRaw(dst.bytes(), indices.bytes(), onehot.RawSpec{
			Index: index, Width: int(kinds[dst.kind].width), On: v.on.bytes(), Off: v.off.bytes(),
			Depth: c.output.depth, Inner: c.inner, Negative: o.Negative,
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.Name, err)
	}
	return nil
}

// encodeStrings encodes the one element type that is more than its bytes: a
// string holds a pointer, and the garbage collector has to see it written.
func encodeStrings(dst []string, indices view, index onehot.IndexType, s onehot.Spec[string]) (err error) {
	switch index {
	case onehot.Int8:
		_, err = onehot.Encode(dst, as[int8](indices), s)
	case onehot.Int16:
		_, err = onehot.Encode(dst, as[int16](indices), s)
	case onehot.Int32:
		_, err = onehot.Encode(dst, as[int32](indices), s)
	case onehot.Int64:
		_, err = onehot.Encode(dst, as[int64](indices), s)
	case onehot.Uint8:
		_, err = onehot.Encode(dst, as[uint8](indices), s)
	case onehot.Uint16:
		_, err = onehot.Encode(dst, as[uint16](indices), s)
	case onehot.Uint32:
		_, err = onehot.Encode(dst, as[uint32](indices), s)
	case onehot.Uint64:
		_, err = onehot.Encode(dst, as[uint64](indices), s)
	case onehot.Float32:
		_, err = onehot.Encode(dst, as[float32](indices), s)
	case onehot.Float64:
		_, err = onehot.Encode(dst, as[float64](indices), s)
	}
	return err
}

// failf returns an error that begins with name and wraps kind, with a message.
func failf(name string, kind error, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", name, kind, fmt.Sprintf(format, args...))
}
