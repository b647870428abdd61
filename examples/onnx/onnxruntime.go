package main

import "errors"

// libraryVariable names the environment variable that has the path of ONNX
// Runtime's shared library.
const libraryVariable = "ONNXRUNTIME_SHARED_LIBRARY_PATH"

var errNotInstalled = errors.New("not installed")
