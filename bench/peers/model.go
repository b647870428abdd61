package peers

import (
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// The element types of an ONNX model that this package needs, by their numbers
// in onnx.proto.
const (
	onnxFloat = 1
	onnxInt32 = 6
	onnxInt64 = 7
)

// model returns an ONNX model of one OneHot node with its three inputs and its
// output. index is the element type of indices and of depth.
func model(opset, axis, index, rank int) []byte {
	graph := join(
		message(1, join( // node
			text(1, "indices"), text(1, "depth"), text(1, "values"), text(2, "output"), text(4, "OneHot"),
			message(5, join(text(1, "axis"), number(3, axis), number(20, 2))))), // an attribute of type INT
		text(2, "onehot"),
		message(11, tensor("indices", index, dims("n", rank))),
		message(11, tensor("depth", index, message(1, number(1, 1)))),
		message(11, tensor("values", onnxFloat, message(1, number(1, 2)))),
		message(12, tensor("output", onnxFloat, dims("m", rank+1))))
	return join(
		number(1, 4), // the version of the format that came with opset 9
		message(8, number(2, opset)),
		message(7, graph))
}

// tensor returns a ValueInfoProto.
func tensor(name string, element int, shape []byte) []byte {
	return join(text(1, name), message(2, message(1, join(number(1, element), message(2, shape)))))
}

// dims returns dimensions that are known only at run time.
func dims(name string, rank int) (shape []byte) {
	for i := range rank {
		shape = append(shape, message(1, text(2, name+strconv.Itoa(i)))...)
	}
	return shape
}

func number(field protowire.Number, v int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), uint64(v))
}

func message(field protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), body)
}

func text(field protowire.Number, s string) []byte { return message(field, []byte(s)) }

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
