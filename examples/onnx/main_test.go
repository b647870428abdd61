package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/go-onehot/onehot/onnx"
	"github.com/go-onehot/onehot/tensor"
	"github.com/stretchr/testify/require"
)

const (
	ownCase = "onehot_opset11_axis1: []float32[64 10 48]\nexpected output: equal\n"
	absent  = "ONNX Runtime: not installed: "
)

// output runs the example on a directory, without ONNX Runtime.
func output(t *testing.T, dir string) (string, error) {
	t.Setenv(libraryVariable, "")
	var text bytes.Buffer
	err := run(&text, dir)
	return text.String(), err
}

// write writes a case to a new directory and returns it.
func write(t *testing.T, c *testCase) string {
	dir := t.TempDir()
	require.NoError(t, c.write(dir))
	return dir
}

func TestOwnCase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "case")
	for range 2 { // the first time it writes the files, the second time it finds them
		text, err := output(t, dir)
		require.NoError(t, err)
		require.Regexp(t, "^"+regexp.QuoteMeta(ownCase+absent)+".*\n$", text)
	}
	for _, file := range []string{"model.onnx", "test_data_set_0/input_2.pb", "test_data_set_0/output_0.pb"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
}

// The node of opset 11 has the types and ranks of ONNX's own tests: its depth
// is a scalar of a float type, and it has no axis attribute.
func TestScalarDepth(t *testing.T) {
	c := newCase()
	c.model.Graph.Node[0].Attribute = nil
	c.inputs = []tensor.Tensor{
		{Shape: []int{3}, Data: []float32{0, -7, 8}},
		{Data: []float32{10}},
		{Shape: []int{2}, Data: []int32{2, 5}},
	}
	want := bytes.Repeat([]byte{2}, 30)
	want[0], want[10+3], want[20+8] = 5, 5, 5
	c.want = tensor.Tensor{Shape: []int{3, 10}, Data: make([]int32, 30)}
	for i, v := range want {
		c.want.Data.([]int32)[i] = int32(v)
	}
	text, err := output(t, write(t, c))
	require.NoError(t, err)
	require.Contains(t, text, "[]int32[3 10]\nexpected output: equal\n"+absent)
}

// A depth may have any numeric type of the operator, and no other.
func TestTypesOfDepth(t *testing.T) {
	c := newCase()
	for _, depth := range []any{[]uint8{10}, []float64{10.9}, []tensor.Float16{0x4900}, []tensor.BFloat16{0x4120}} {
		c.inputs[1] = tensor.Tensor{Data: depth}
		_, err := output(t, write(t, c))
		require.NoError(t, err, "%T", depth)
	}
	c.inputs[1] = tensor.Tensor{Data: []bool{true}}
	_, err := output(t, write(t, c))
	require.ErrorIs(t, err, tensor.ErrType)
	c.inputs[1] = tensor.Tensor{Shape: []int{2}, Data: []int64{10, 10}}
	_, err = output(t, write(t, c))
	require.ErrorIs(t, err, tensor.ErrShape)
}

// The files decide: with another opset, another axis or another expected bit
// the output is not the expected one.
func TestOtherAnswers(t *testing.T) {
	for name, change := range map[string]func(*testCase){
		"opset":  func(c *testCase) { c.model.OpsetImport[0].Version = 9 },
		"axis":   func(c *testCase) { c.model.Graph.Node[0].Attribute[0].I = onnx.DefaultAxis },
		"output": func(c *testCase) { c.want.Data.([]float32)[12345]++ },
		"type":   func(c *testCase) { c.want.Data = make([]int32, 64*10*48) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCase()
			change(c)
			text, err := output(t, write(t, c))
			require.ErrorContains(t, err, "is not the expected")
			require.NotContains(t, text, "equal")
		})
	}
}

func TestNotOneHot(t *testing.T) {
	c := newCase()
	c.model.Graph.Node[0].OpType = "Add"
	_, err := output(t, write(t, c))
	require.ErrorContains(t, err, "no single OneHot")

	c = newCase()
	c.model.Graph.Node[0].Input = []string{"indices", "values", "depth"}
	_, err = output(t, write(t, c))
	require.ErrorContains(t, err, "are not those of the graph")
}

func TestDamagedFiles(t *testing.T) {
	dir := write(t, newCase())
	file := filepath.Join(dir, dataSet, "input_1.pb")
	require.NoError(t, os.Remove(file))
	_, err := output(t, dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoFileExists(t, file) // an existing case is not written again

	require.NoError(t, os.WriteFile(file, []byte{0xff}, 0o666))
	_, err = output(t, dir)
	require.ErrorContains(t, err, file)
}

// Where ONNX Runtime is installed its output has to be the same, bit for bit.
func TestONNXRuntime(t *testing.T) {
	library := os.Getenv(libraryVariable)
	if library == "" {
		t.Skip(libraryVariable + " is not set")
	}
	var text bytes.Buffer
	require.NoError(t, run(&text, t.TempDir()))
	require.Regexp(t, "^"+regexp.QuoteMeta(ownCase)+`ONNX Runtime [0-9.]+: equal\n$`, text.String())
}
