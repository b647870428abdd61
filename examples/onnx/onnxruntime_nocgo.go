//go:build !cgo

package main

import "fmt"

// onnxRuntime always fails: the binding of ONNX Runtime needs cgo.
func onnxRuntime(*testCase) (output []byte, version string, err error) {
	return nil, "", fmt.Errorf("%w: built without cgo", errNotInstalled)
}
