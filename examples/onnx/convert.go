package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-onehot/onehot/examples/onnx/onnxpb"
	"github.com/go-onehot/onehot/tensor"
)

// elements has the Go type of each ONNX element type, from package tensor if Go
// has none.
var elements = map[int32]reflect.Type{
	int32(onnxpb.TensorProto_FLOAT):      reflect.TypeFor[float32](),
	int32(onnxpb.TensorProto_UINT8):      reflect.TypeFor[uint8](),
	int32(onnxpb.TensorProto_INT8):       reflect.TypeFor[int8](),
	int32(onnxpb.TensorProto_UINT16):     reflect.TypeFor[uint16](),
	int32(onnxpb.TensorProto_INT16):      reflect.TypeFor[int16](),
	int32(onnxpb.TensorProto_INT32):      reflect.TypeFor[int32](),
	int32(onnxpb.TensorProto_INT64):      reflect.TypeFor[int64](),
	int32(onnxpb.TensorProto_BOOL):       reflect.TypeFor[bool](),
	int32(onnxpb.TensorProto_FLOAT16):    reflect.TypeFor[tensor.Float16](),
	int32(onnxpb.TensorProto_DOUBLE):     reflect.TypeFor[float64](),
	int32(onnxpb.TensorProto_UINT32):     reflect.TypeFor[uint32](),
	int32(onnxpb.TensorProto_UINT64):     reflect.TypeFor[uint64](),
	int32(onnxpb.TensorProto_COMPLEX64):  reflect.TypeFor[complex64](),
	int32(onnxpb.TensorProto_COMPLEX128): reflect.TypeFor[complex128](),
	int32(onnxpb.TensorProto_BFLOAT16):   reflect.TypeFor[tensor.BFloat16](),
}

// fromProto reads a tensor that has its elements in raw_data. The operator
// checks whether there are as many as the shape says.
func fromProto(p *onnxpb.TensorProto) (tensor.Tensor, error) {
	element, ok := elements[p.GetDataType()]
	if !ok {
		return tensor.Tensor{}, fmt.Errorf("%s: element type %v cannot be raw", p.GetName(), onnxpb.TensorProto_DataType(p.GetDataType()))
	}
	n := len(p.GetRawData()) / int(element.Size())
	data := reflect.MakeSlice(reflect.SliceOf(element), n, n).Interface()
	if _, err := binary.Decode(p.GetRawData(), binary.LittleEndian, data); err != nil {
		return tensor.Tensor{}, fmt.Errorf("%s: %w", p.GetName(), err)
	}
	shape := make([]int, len(p.GetDims()))
	for i, d := range p.GetDims() {
		shape[i] = int(d)
	}
	return tensor.Tensor{Shape: shape, Data: data}, nil
}

func toProto(name string, t tensor.Tensor) (*onnxpb.TensorProto, error) {
	dataType, err := typeOf(t)
	if err != nil {
		return nil, err
	}
	raw, err := binary.Append(nil, binary.LittleEndian, t.Data)
	return &onnxpb.TensorProto{Name: name, DataType: dataType, Dims: dims(t), RawData: raw}, err
}

// equal returns the bytes of got, and an error if it differs from want. It
// compares bits, as every NaN differs from itself.
func equal(got, want tensor.Tensor) (raw []byte, err error) {
	if raw, err = binary.Append(nil, binary.LittleEndian, got.Data); err != nil {
		return nil, err
	}
	expected, err := binary.Append(nil, binary.LittleEndian, want.Data)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(got.Shape, want.Shape) || reflect.TypeOf(got.Data) != reflect.TypeOf(want.Data) || !bytes.Equal(raw, expected) {
		return nil, fmt.Errorf("%T%v is not the expected %T%v", got.Data, got.Shape, want.Data, want.Shape)
	}
	return raw, nil
}

func typeOf(t tensor.Tensor) (int32, error) {
	for dataType, element := range elements {
		if reflect.TypeOf(t.Data) == reflect.SliceOf(element) {
			return dataType, nil
		}
	}
	return 0, fmt.Errorf("%T has no element type of ONNX", t.Data)
}

func dims(t tensor.Tensor) []int64 {
	d := make([]int64, len(t.Shape))
	for i, n := range t.Shape {
		d[i] = int64(n)
	}
	return d
}
