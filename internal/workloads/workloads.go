// Package workloads has pieces of work that people really do, by name: the
// benchmarks time them on every path beside careful Go and clear, and a test
// demands equal bytes of all of them.
package workloads

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-onehot/onehot/internal/tier"
)

// A Workload is one named piece of work: a shape from published code, and
// indices from a fixed seed.
type Workload struct {
	Name  string
	Calls string // the function under test, and the benchmark that times it
	Bytes int    // of output; decides what -short leaves out
	Build func() (*Job, error)
}

// String returns the name of a workload among all.
func (w *Workload) String() string { return w.Calls + "/" + w.Name }

// ErrNoInput says that a file of the Go tree that a workload reads is not
// there.
var ErrNoInput = errors.New("input not available")

// A Job is a workload with its memory: inputs made, output mapped.
type Job struct {
	Out     []byte // the output, compared between paths
	Credit  int    // bytes that one call counts for in GB/s, on every line alike
	Clear   []byte // what path=clear zeroes: the size of the output
	Limit   []byte // what path=limit writes: as many bytes as the call must read and write
	Prepare func() // puts Out into the state that Run and Plain start from; may be nil
	Run     func() // the library, on whichever path is forced
	Plain   func() // the same by the loop that a careful Go user writes

	ones int // how many bytes of Limit are filled with ones and not zeroed, see Verify
}

// Verify runs every path of this machine and compares its output with that of
// Plain. It also counts which lines of the output are not all zero, for Reach.
func (j *Job) Verify() error {
	once := func(f func()) {
		for i := range j.Out {
			j.Out[i] = 0xA5 // so that nothing passes on what was there before
		}
		if j.Prepare != nil {
			j.Prepare()
		}
		f()
	}
	once(j.Plain)
	want := bytes.Clone(j.Out)
	j.ones = 0
	if len(want) > lastLevelCache {
		j.ones = nonZeroBytes(want)
	}
	defer tier.Force(tier.Active())
	for _, path := range tier.Available() {
		tier.Force(path)
		once(j.Run)
		if !bytes.Equal(j.Out, want) {
			at := 0
			for j.Out[at] == want[at] {
				at++
			}
			return fmt.Errorf("path %s differs from the plain loop first in byte %d of %d: %#x, want %#x", path, at, len(want), j.Out[at], want[at])
		}
	}
	return nil
}

// Reach does what path=limit times: it zeroes as many bytes as the call must
// read and write, but for the lines that are not all zero.
func (j *Job) Reach() {
	clear(j.Limit[j.ones:])
	fillOnes(j.Limit[:j.ones])
}

// lastLevelCache is the output beyond which some memories take lines of zeros
// at twice the rate of others, so that the limit depends on how many of the
// output's lines are not all zero.
const lastLevelCache = 32 << 20

// nonZeroBytes counts the bytes of the 64-byte lines of b that are not all
// zero.
func nonZeroBytes(b []byte) (n int) {
	var zeros [64]byte
	for ; len(b) >= len(zeros); b = b[len(zeros):] {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			n += len(zeros)
		}
	}
	return n
}
