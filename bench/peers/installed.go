package peers

import (
	"errors"
	"os"
	"sync"
)

// These environment variables say where the peers are that are not Go modules.
const (
	LibraryVariable = "ONNXRUNTIME" // ONNX Runtime's shared library
	PythonVariable  = "PYTHON"      // a Python interpreter with numpy, and perhaps PyTorch
)

// Present has the peers that this machine can run.
type Present struct {
	Peers    []Peer
	Versions map[string]string // of the peers that report one
	Missing  map[string]error  // why other peers cannot run

	close func() error
}

// Close ends the processes that were started for the peers.
func (p Present) Close() error { return p.close() }

// Installed returns the peers of this machine. It looks for them only once.
var Installed = sync.OnceValue(func() Present {
	p := Present{Versions: map[string]string{}, Missing: map[string]error{}, close: func() error { return nil }}
	p.Peers = append(p.Peers, Ours(), Go(), Naive())

	if peer, version, err := ONNXRuntime(os.Getenv(LibraryVariable)); err != nil {
		p.Missing["onnxruntime"] = err
	} else {
		p.Peers = append(p.Peers, peer)
		p.Versions["onnxruntime"] = version
	}
	if peer, err := GoMLX(); err != nil {
		p.Missing["gomlx"] = err
	} else {
		p.Peers = append(p.Peers, peer)
	}
	python, err := StartPython(os.Getenv(PythonVariable))
	if err != nil {
		p.Missing["numpy"] = err
		p.Missing["torch"] = err
		return p
	}
	p.Peers = append(p.Peers, python.Peers()...)
	p.close = python.Close
	for name, version := range python.Versions {
		p.Versions[name] = version
	}
	if python.Versions["torch"] == "" {
		p.Missing["torch"] = errors.New("the interpreter has no module torch")
	}
	return p
})
