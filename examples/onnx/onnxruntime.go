package main

import "errors"

// libraryVariable is the environment variable with the path of ONNX Runtime's
// shared library.
const libraryVariable = "ONNXRUNTIME_SHARED_LIBRARY_PATH"

var errNotInstalled = errors.New("not installed")
