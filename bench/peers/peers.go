// Package peers runs other implementations of OneHot on the workloads of this
// module's benchmarks, and compares their output, bit for bit, with that of
// this module. It times the code that a user of the peer would write for the
// job, on one thread. Indices of a type that a peer does not take are converted
// first; the conversion is not timed.
package peers

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/go-onehot/onehot"
)

// A Work is one encoding to float32, and the version of the operator that
// decides what its output is.
type Work struct {
	Name         string
	Indices      any // []uint8, []int32, []int64 or []float32
	Depth, Inner int
	On, Off      float32
	Opset        int  // of ONNX OneHot: 11 counts negative indices from the end, 9 does not
	Convert      bool // convert the indices to int64 for a peer that does not take their type
}

// Count returns the number of indices.
func (w Work) Count() int { return reflect.ValueOf(w.Indices).Len() }

// Elements returns the number of elements of the output.
func (w Work) Elements() int { return w.Count() * w.Depth }

func (w Work) negative() onehot.Negative {
	if w.Opset < 11 {
		return onehot.Ignore
	}
	return onehot.Normalize
}

// Encode writes the output of this module.
func (w Work) Encode(dst []float32) error {
	s := onehot.Spec[float32]{Depth: w.Depth, Inner: w.Inner, On: w.On, Off: w.Off, Negative: w.negative()}
	var err error
	switch x := w.Indices.(type) {
	case []uint8:
		_, err = onehot.Encode(dst, x, s)
	case []int32:
		_, err = onehot.Encode(dst, x, s)
	case []int64:
		_, err = onehot.Encode(dst, x, s)
	case []float32:
		_, err = onehot.Encode(dst, x, s)
	}
	return err
}

// int64s returns the indices as int64, for a peer that does not take their
// type.
func (w Work) int64s() ([]int64, error) {
	if x, ok := w.Indices.([]int64); ok {
		return x, nil
	}
	if !w.Convert {
		return nil, cannot("it takes no indices of type %s", w.indexType())
	}
	switch x := w.Indices.(type) {
	case []uint8:
		return convert(x), nil
	case []int32:
		return convert(x), nil
	}
	return convert(w.Indices.([]float32)), nil
}

func (w Work) indexType() string { return strings.TrimPrefix(fmt.Sprintf("%T", w.Indices), "[]") }

func convert[I uint8 | int32 | float32](x []I) []int64 {
	out := make([]int64, len(x))
	for i, v := range x {
		out[i] = int64(v)
	}
	return out
}

// oneAndZero returns an error unless On is 1 and Off is 0. It is for peers that
// write no other values.
func (w Work) oneAndZero() error {
	if w.On != 1 || math.Float32bits(w.Off) != 0 {
		return cannot("it writes 1 and 0 only")
	}
	return nil
}

// A Peer is an implementation of OneHot.
type Peer interface {
	Name() string // as in path=
	// Load prepares a work. The error wraps ErrCannot if the peer has no way to
	// express the work.
	Load(Work) (Task, error)
}

// A Task is a work that a peer is ready to run.
type Task interface {
	// Run does the work n times and returns the time that took.
	Run(n int) (time.Duration, error)
	// Output is what the last run wrote. The slice is valid until the next call.
	Output() ([]float32, error)
	Close() error
}

// ErrCannot reports that a peer has no way to express a work.
var ErrCannot = errors.New("cannot")

func cannot(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrCannot}, args...)...)
}

// A Difference is the first element of a peer's output that is not right, or a
// wrong number of elements.
type Difference struct {
	At, Of, Length int
	Got, Want      float32
}

func (d *Difference) Error() string {
	if d.Length != d.Of {
		return fmt.Sprintf("writes %d elements, not %d", d.Length, d.Of)
	}
	return fmt.Sprintf("element %d of %d is %s, not %s", d.At, d.Of, show(d.Got), show(d.Want))
}

// show formats v, and a NaN with its bits.
func show(v float32) string {
	if math.IsNaN(float64(v)) {
		return fmt.Sprintf("NaN %#x", math.Float32bits(v))
	}
	return fmt.Sprint(v)
}

// Compare returns a *Difference unless got and want are the same bits.
func Compare(got, want []float32) error {
	if len(got) != len(want) {
		return &Difference{Of: len(want), Length: len(got)}
	}
	for i, v := range want {
		if math.Float32bits(got[i]) != math.Float32bits(v) {
			return &Difference{At: i, Of: len(want), Length: len(got), Got: got[i], Want: v}
		}
	}
	return nil
}

// Check runs a task once and compares its output with want.
func Check(t Task, want []float32) error {
	if _, err := t.Run(1); err != nil {
		return err
	}
	got, err := t.Output()
	if err != nil {
		return err
	}
	return Compare(got, want)
}

// Reason returns in one line why a peer did not do a work.
func Reason(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	var d *Difference
	switch {
	case errors.As(err, &d):
		return "differs: " + line
	case errors.Is(err, ErrCannot):
		return line
	}
	return "error: " + line
}
