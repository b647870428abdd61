// Command onnx runs a OneHot node from files in the layout of ONNX's backend
// tests: model.onnx, and in test_data_set_0 one protobuf file for each input
// and one for the expected output.
//
//	go run ./onnx case
//
// It writes such a case to the directory if there is none. ONNX's tests, which
// Debian has in libonnx-testdata, are other cases:
//
//	go run ./onnx /usr/share/libonnx-testdata/data/node/test_onehot_with_negative_axis
//
// Package onnx is for runtimes, which know the types of tensors only when they
// have read the model. onnx.OneHot11Into takes tensors of any type and has the
// checks, the axis and the negative indices of the operator's text. It writes
// to memory that the runtime has planned, of the shape that onnx.Shape infers,
// and allocates nothing. onnx.OneHot11 allocates the output, which may take
// longer than writing it. A runtime that knows its types calls onehot.Encode,
// and one that has bytes calls onehot.EncodeRaw.
//
// If ONNXRUNTIME_SHARED_LIBRARY_PATH names the library of ONNX Runtime, 1.24 or
// later, ONNX Runtime runs the same model on the same inputs and has to write
// the same bytes. The npm package onnxruntime-node has the library as
// bin/napi-v6/linux/x64/libonnxruntime.so.1.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"reflect"

	"github.com/go-onehot/onehot/examples/onnx/onnxpb"
	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: onnx DIRECTORY")
	}
	if err := run(os.Stdout, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "model.onnx")); errors.Is(err, fs.ErrNotExist) {
		if err := newCase().write(dir); err != nil {
			return err
		}
	}
	c, err := read(dir)
	if err != nil {
		return err
	}
	got, err := c.oneHot()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %T%v\n", c.model.GetGraph().GetName(), got.Data, got.Shape)
	raw, err := equal(got, c.want)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "expected output: equal")

	reference, version, err := onnxRuntime(c)
	if errors.Is(err, errNotInstalled) {
		fmt.Fprintln(w, "ONNX Runtime:", err)
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(raw, reference) {
		return fmt.Errorf("ONNX Runtime %s has another output", version)
	}
	fmt.Fprintf(w, "ONNX Runtime %s: equal\n", version)
	return nil
}

// oneHot runs the model's node.
func (c *testCase) oneHot() (tensor.Tensor, error) {
	node, opset, err := c.node()
	if err != nil {
		return tensor.Tensor{}, err
	}
	axis := onnx.DefaultAxis
	for _, a := range node.GetAttribute() {
		if a.GetName() == "axis" && a.GetType() == onnxpb.AttributeProto_INT {
			axis = int(a.GetI())
		}
	}
	indices, depth, values := c.inputs[0], c.inputs[1], c.inputs[2]
	dst, err := planned(indices, depth, values, axis)
	if err != nil {
		return tensor.Tensor{}, err
	}
	if opset < 11 {
		return dst, onnx.OneHot9Into(dst, indices, depth, values, axis)
	}
	return dst, onnx.OneHot11Into(dst, indices, depth, values, axis)
}

// planned allocates the output, as a runtime does before the node runs for the
// first time.
func planned(indices, depth, values tensor.Tensor, axis int) (tensor.Tensor, error) {
	classes, err := classesOf(depth)
	if err != nil {
		return tensor.Tensor{}, err
	}
	shape, err := onnx.Shape(indices.Shape, classes, axis)
	if err != nil {
		return tensor.Tensor{}, err
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	return tensor.Of(shape, reflect.MakeSlice(reflect.TypeOf(values.Data), n, n).Interface()), nil
}

// classesOf casts the element of depth to an integer, as the operator does. A
// half is a float in the bits of an integer.
func classesOf(depth tensor.Tensor) (int, error) {
	d, integer := reflect.ValueOf(depth.Data), reflect.TypeFor[int64]()
	if d.Len() != 1 {
		return 0, fmt.Errorf("%w: a depth of %d elements", tensor.ErrShape, d.Len())
	}
	x := d.Index(0)
	if half, ok := x.Interface().(interface{ Float32() float32 }); ok {
		x = reflect.ValueOf(half.Float32())
	}
	if !x.CanConvert(integer) {
		return 0, fmt.Errorf("%w: a depth of type %T", tensor.ErrType, depth.Data)
	}
	return int(x.Convert(integer).Int()), nil
}
