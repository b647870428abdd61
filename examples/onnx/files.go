package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-onehot/onehot/examples/onnx/onnxpb"
	"github.com/go-onehot/onehot/tensor"
	"google.golang.org/protobuf/proto"
)

// A testCase is a directory of ONNX's backend tests: a model, its inputs in the
// order of the graph, and the expected output.
type testCase struct {
	model  *onnxpb.ModelProto
	inputs []tensor.Tensor
	want   tensor.Tensor
}

func read(dir string) (*testCase, error) {
	c := &testCase{model: new(onnxpb.ModelProto)}
	if err := readProto(filepath.Join(dir, "model.onnx"), c.model); err != nil {
		return nil, err
	}
	for i := range c.model.GetGraph().GetInput() {
		input, err := readTensor(dir, fmt.Sprintf("input_%d.pb", i))
		if err != nil {
			return nil, err
		}
		c.inputs = append(c.inputs, input)
	}
	var err error
	c.want, err = readTensor(dir, "output_0.pb")
	return c, err
}

func (c *testCase) write(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, dataSet), 0o777); err != nil {
		return err
	}
	graph := c.model.GetGraph()
	for i, input := range c.inputs {
		if err := writeTensor(dir, fmt.Sprintf("input_%d.pb", i), graph.GetInput()[i].GetName(), input); err != nil {
			return err
		}
	}
	if err := writeTensor(dir, "output_0.pb", graph.GetOutput()[0].GetName(), c.want); err != nil {
		return err
	}
	return writeProto(filepath.Join(dir, "model.onnx"), c.model)
}

// node returns the graph's only node, which has to be OneHot of the graph's
// inputs, and the version of its operator set.
func (c *testCase) node() (node *onnxpb.NodeProto, opset int64, err error) {
	graph := c.model.GetGraph()
	for _, set := range c.model.GetOpsetImport() {
		if set.GetDomain() == "" {
			opset = set.GetVersion()
		}
	}
	if len(graph.GetNode()) != 1 || len(graph.GetInput()) != 3 || len(graph.GetOutput()) != 1 || graph.GetNode()[0].GetOpType() != "OneHot" {
		return nil, 0, fmt.Errorf("%q is no single OneHot of three inputs", graph.GetName())
	}
	node = graph.GetNode()[0]
	for i, input := range graph.GetInput() {
		if i >= len(node.GetInput()) || node.GetInput()[i] != input.GetName() {
			return nil, 0, fmt.Errorf("the inputs %q of the node are not those of the graph", node.GetInput())
		}
	}
	return node, opset, nil
}

const dataSet = "test_data_set_0"

func readTensor(dir, file string) (tensor.Tensor, error) {
	p := new(onnxpb.TensorProto)
	if err := readProto(filepath.Join(dir, dataSet, file), p); err != nil {
		return tensor.Tensor{}, err
	}
	return fromProto(p)
}

func writeTensor(dir, file, name string, t tensor.Tensor) error {
	p, err := toProto(name, t)
	if err != nil {
		return err
	}
	return writeProto(filepath.Join(dir, dataSet, file), p)
}

func readProto(file string, m proto.Message) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(data, m); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func writeProto(file string, m proto.Message) error {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
