package peers

import (
	"math"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/labels"
)

// Workloads returns the workloads of this module's benchmarks that an operator
// with float32 output can express: small and large ones, rows and planes.
func Workloads() []func() Work {
	return []func() Work{
		of(labels.MNIST(), 1, 0),
		of(labels.CIFAR100(), 1, 0),
		of(labels.ImageNet().Named("f32"), labels.SmoothOn, labels.SmoothOff),
		of(labels.BERT(32, 384), 1, 0),
		of(labels.ORT27094(4), 1, 0),
		of(labels.ORT27094(16), 1, 0),
		of(labels.ORT27094(64), 1, 0),
		of(labels.WaveNet[int32]().Named("i32"), 1, 0),
		of(labels.SPADE(), 1, 0),
		of(labels.Cityscapes().Named("f32"), 1, 0),
		of(labels.MONAI3D(), 1, 0),
		of(labels.Llama3(), 1, 0),
		of(labels.Discrete(), 1, 0),
		of(labels.Chess(), 1, 0),
	}
}

// of returns a function that draws the indices when it is called, because those
// of all workloads together would be large.
func of[I onehot.Index](s labels.Set[I], on, off float32) func() Work {
	return func() Work {
		return Work{Name: s.Name, Indices: s.Indices(), Depth: s.Depth, Inner: s.Inner, On: on, Off: off, Opset: 9, Convert: true}
	}
}

// Probes returns small works on which implementations of OneHot are known to
// disagree. Their names say what the operator's specification requires.
func Probes() []Work {
	negativeZero, payload := float32(math.Copysign(0, -1)), math.Float32frombits(0x7fa00001)
	return []Work{
		{"an index in range lights its cell", []int64{2, 0, 1}, 3, 1, 1, 0, 9, false},
		{"planes: the axis may stand in the middle", []int64{2, 0, 1, 1}, 3, 2, 1, 0, 9, false},
		{"a negative index counts from the end", []int64{-1, 0, -3}, 3, 1, 1, 0, 11, false},
		{"a negative index is a row of off", []int64{-1, 0, -3}, 3, 1, 1, 0, 9, false},
		{"an index of depth or more is a row of off", []int64{3, 0, 7}, 3, 1, 1, 0, 11, false},
		{"an index below -depth is a row of off", []int64{-4, 0, -7}, 3, 1, 1, 0, 11, false},
		{"an index of 2^32 is not 0", []int64{1 << 32, 0}, 3, 1, 1, 0, 11, false},
		{"a uint8 index lights one cell of 512", []uint8{44, 255}, 512, 1, 1, 0, 11, false},
		{"a float index is cast: 1.5 is class 1", []float32{1.5, 0, 2.75}, 3, 1, 1, 0, 11, false},
		{"on and off are any values", []int64{2, 0, 1}, 3, 1, 0.9, 0.1, 11, false},
		{"on 1 and off 1e8 are copied, not computed", []int64{2, 0, 1}, 3, 1, 1, 1e8, 11, false},
		{"-0.0 keeps its sign", []int64{2, 0, 1}, 3, 1, 1, negativeZero, 11, false},
		{"an infinite off does not reach on", []int64{2, 0, 1}, 3, 1, 1, float32(math.Inf(1)), 11, false},
		{"a NaN keeps its payload", []int64{2, 0, 1}, 3, 1, payload, 0, 11, false},
		{"no indices, no rows", []int64{}, 3, 1, 1, 0, 11, false},
	}
}

// An Outcome is the result of a probe. Text names the specification that
// decides what is right.
type Outcome struct {
	Peer, Text, Probe string
	Result            string // "ok", or how the output differs, or why there is none
}

// Probe runs all probes on a peer.
func Probe(p Peer) (all []Outcome, err error) {
	for _, w := range Probes() {
		want := make([]float32, w.Elements())
		if err := w.Encode(want); err != nil {
			return nil, err
		}
		all = append(all, Outcome{p.Name(), w.text(), w.Name, probe(p, w, want)})
	}
	return all, nil
}

func (w Work) text() string {
	if w.Opset >= 11 {
		return "ONNX OneHot-11"
	}
	return "ONNX OneHot-9"
}

func probe(p Peer, w Work, want []float32) string {
	t, err := p.Load(w)
	if err == nil {
		err = Check(t, want)
		if closed := t.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return Reason(err)
	}
	return "ok"
}
