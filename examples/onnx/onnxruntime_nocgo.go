//go:build !cgo

package main

import "fmt"

// onnxRuntime is a stand-in: the binding of ONNX Runtime is C.
func onnxRuntime(*testCase) (output []byte, version string, err error) {
	return nil, "", fmt.Errorf("%w: built without cgo", errNotInstalled)
}
