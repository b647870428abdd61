//go:build cgo

package main

import (
	"fmt"
	"os"

	"github.com/go-onehot/onehot/examples/onnx/onnxpb"
	ort "github.com/yalue/onnxruntime_go"
	"google.golang.org/protobuf/proto"
)

// onnxRuntime runs a case on ONNX Runtime. It returns the bytes of the output,
// and ONNX Runtime's version.
func onnxRuntime(c *testCase) (output []byte, version string, err error) {
	library := os.Getenv(libraryVariable)
	if library == "" {
		return nil, "", fmt.Errorf("%w: %s is not set", errNotInstalled, libraryVariable)
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return nil, "", err
	}
	defer ort.DestroyEnvironment()
	output, err = runSession(c)
	return output, ort.GetVersion(), err
}

// runSession passes the indices as an input, and depth and values as
// initializers, the defaults of inputs: depth may be a scalar, and the binding
// has no tensors of rank 0.
func runSession(c *testCase) ([]byte, error) {
	model := proto.CloneOf(c.model)
	graph := model.GetGraph()
	for i, t := range c.inputs[1:] {
		p, err := toProto(graph.GetInput()[1+i].GetName(), t)
		if err != nil {
			return nil, err
		}
		graph.Initializer = append(graph.Initializer, p)
	}
	data, err := proto.Marshal(model)
	if err != nil {
		return nil, err
	}
	names := []string{graph.GetInput()[0].GetName(), graph.GetOutput()[0].GetName()}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(data, names[:1], names[1:], nil)
	if err != nil {
		return nil, err
	}
	defer session.Destroy()

	indices, err := toProto(names[0], c.inputs[0])
	if err != nil {
		return nil, err
	}
	output, err := toProto(names[1], c.want)
	if err != nil {
		return nil, err
	}
	clear(output.RawData) // only its type and shape are needed
	return output.RawData, runOn(session, indices, output)
}

func runOn(session *ort.DynamicAdvancedSession, input, output *onnxpb.TensorProto) error {
	var values []ort.Value
	for _, p := range []*onnxpb.TensorProto{input, output} {
		v, err := ort.NewCustomDataTensor(p.GetDims(), p.GetRawData(), ort.TensorElementDataType(p.GetDataType()))
		if err != nil {
			return err
		}
		defer v.Destroy()
		values = append(values, v)
	}
	return session.Run(values[:1], values[1:])
}
