package peers

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"
	"unsafe"
)

//go:embed peers.py
var script string

// Python is an interpreter that runs the peers of peers.py, one work at a time.
type Python struct {
	Names    []string          // the peers whose libraries the interpreter has
	Versions map[string]string // the versions of these libraries

	process *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	dir     string
}

// StartPython starts the interpreter of that name. It has to have numpy, and
// offers PyTorch if it has that.
func StartPython(interpreter string) (*Python, error) {
	if interpreter == "" {
		return nil, errors.New("no interpreter is named in " + PythonVariable)
	}
	dir, err := os.MkdirTemp("", "onehot-peers")
	if err != nil {
		return nil, err
	}
	p := &Python{process: exec.Command(interpreter, "-c", script), dir: dir}
	p.process.Stderr = os.Stderr
	p.in, err = p.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(bufio.NewReader(out))
	if err := p.process.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	a, err := p.ask(request{Op: "peers"})
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Names, p.Versions = a.Peers, a.Versions
	return p, nil
}

// Peers returns the peers that the interpreter offers.
func (p *Python) Peers() (all []Peer) {
	for _, name := range p.Names {
		all = append(all, inPython{p, name})
	}
	return all
}

// Close ends the interpreter.
func (p *Python) Close() error {
	return errors.Join(p.in.Close(), p.process.Wait(), os.RemoveAll(p.dir))
}

type request struct {
	Op      string `json:"op"`
	Peer    string `json:"peer,omitempty"`
	Indices string `json:"indices,omitempty"` // a file
	Type    string `json:"type,omitempty"`    // of an index
	Convert bool   `json:"convert"`
	Depth   int    `json:"depth"`
	Inner   int    `json:"inner"`
	On      uint32 `json:"on"` // bits
	Off     uint32 `json:"off"`
	N       int    `json:"n"`
	Output  string `json:"output,omitempty"` // a file
}

type answer struct {
	Cannot, Error string
	NS            int64
	Peers         []string
	Versions      map[string]string
}

func (p *Python) ask(r request) (answer, error) {
	var a answer
	if err := json.NewEncoder(p.in).Encode(r); err != nil {
		return a, err
	}
	if err := p.out.Decode(&a); err != nil {
		return a, fmt.Errorf("no answer from %s: %w", p.process.Path, err)
	}
	switch {
	case a.Cannot != "":
		return a, cannot("%s", a.Cannot)
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

type inPython struct {
	python *Python
	name   string
}

func (p inPython) Name() string { return p.name }

func (p inPython) Load(w Work) (Task, error) {
	file := filepath.Join(p.python.dir, "indices")
	data, err := binary.Append(nil, binary.NativeEndian, w.Indices)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		return nil, err
	}
	_, err = p.python.ask(request{
		Op: "load", Peer: p.name, Indices: file, Type: w.indexType(), Convert: w.Convert, Depth: w.Depth, Inner: max(w.Inner, 1),
		On: math.Float32bits(w.On), Off: math.Float32bits(w.Off),
	})
	if err != nil {
		return nil, err
	}
	return pythonTask{p.python}, nil
}

type pythonTask struct{ python *Python }

// Run returns the time by the interpreter's own clock, which does not include
// the communication with it.
func (t pythonTask) Run(n int) (time.Duration, error) {
	a, err := t.python.ask(request{Op: "time", N: n})
	return time.Duration(a.NS), err
}

func (t pythonTask) Output() ([]float32, error) {
	file := filepath.Join(t.python.dir, "output")
	if _, err := t.python.ask(request{Op: "write", Output: file}); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/4), os.Remove(file)
}

func (t pythonTask) Close() error {
	_, err := t.python.ask(request{Op: "close"})
	return err
}
