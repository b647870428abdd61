package main

import (
	"github.com/go-onehot/onehot/examples/onnx/onnxpb"
	"github.com/go-onehot/onehot/tensor"
)

// newCase makes a case of opset 11 with the special cases of the operator's
// text: an axis that is not the last, indices that count from the end, and
// indices out of range on either side.
func newCase() *testCase {
	const rows, depth, columns, on, off = 64, 10, 48, 3, -1
	indices := make([]int64, rows*columns)
	for i := range indices {
		indices[i] = int64(i*17%25) - 12 // -12 to 12, of which -10 to 9 are in range
	}
	want := make([]float32, rows*depth*columns)
	for i := range want {
		row, class, column := i/(depth*columns), i/columns%depth, i%columns
		want[i] = off
		if index := int(indices[row*columns+column]); index == class || index+depth == class {
			want[i] = on
		}
	}
	c := &testCase{
		inputs: []tensor.Tensor{
			{Shape: []int{rows, columns}, Data: indices},
			{Shape: []int{1}, Data: []int64{depth}},
			{Shape: []int{2}, Data: []float32{off, on}},
		},
		want: tensor.Tensor{Shape: []int{rows, depth, columns}, Data: want},
	}
	c.model = &onnxpb.ModelProto{
		IrVersion:    6, // the first version with opset 11
		ProducerName: "onehot",
		OpsetImport:  []*onnxpb.OperatorSetIdProto{{Version: 11}},
		Graph: &onnxpb.GraphProto{
			Name: "onehot_opset11_axis1",
			Node: []*onnxpb.NodeProto{{
				OpType:    "OneHot",
				Input:     []string{"indices", "depth", "values"},
				Output:    []string{"output"},
				Attribute: []*onnxpb.AttributeProto{{Name: "axis", Type: onnxpb.AttributeProto_INT, I: 1}},
			}},
			Input: []*onnxpb.ValueInfoProto{
				info("indices", onnxpb.TensorProto_INT64, c.inputs[0]),
				info("depth", onnxpb.TensorProto_INT64, c.inputs[1]),
				info("values", onnxpb.TensorProto_FLOAT, c.inputs[2]),
			},
			Output: []*onnxpb.ValueInfoProto{info("output", onnxpb.TensorProto_FLOAT, c.want)},
		},
	}
	return c
}

func info(name string, element onnxpb.TensorProto_DataType, t tensor.Tensor) *onnxpb.ValueInfoProto {
	shape := new(onnxpb.TensorShapeProto)
	for _, d := range dims(t) {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{Value: &onnxpb.TensorShapeProto_Dimension_DimValue{DimValue: d}})
	}
	tensorType := &onnxpb.TypeProto_Tensor{ElemType: int32(element), Shape: shape}
	return &onnxpb.ValueInfoProto{Name: name, Type: &onnxpb.TypeProto{Value: &onnxpb.TypeProto_TensorType{TensorType: tensorType}}}
}
