// Package onnxpb reads and writes ONNX files. Its types are generated from
// onnx.proto by protoc (Debian's protobuf-compiler) and
// google.golang.org/protobuf/cmd/protoc-gen-go.
package onnxpb

//go:generate protoc --go_out=. --go_opt=paths=source_relative onnx.proto
