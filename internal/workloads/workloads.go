// Package workloads has named pieces of work that programs really do. The
// benchmarks time them on every path, beside careful Go and clear, and a test
// checks that every path writes the same bytes as careful Go.
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

// String returns a name that no other workload has.
func (w *Workload) String() string { return w.Calls + "/" + w.Name }

// ErrNoInput says that a workload reads a file of the Go tree that is not
// there.
var ErrNoInput = errors.New("input not available")

// A Job is a workload with its memory: inputs drawn, output allocated.
type Job struct {
	Out     []byte // the output, compared between paths
	Credit  int    // bytes that one call counts for in GB/s, whatever is timed
	Clear   []byte // what path=clear zeroes: the size of the output
	Limit   []byte // what path=limit writes: as many bytes as the call must read and write
	Prepare func() // puts Out into the state that Run and Plain start from; may be nil
	Run     func() // the library, on whichever path is forced
	Plain   func() // the same work in careful Go

	ones int // how many bytes of Limit are filled with ones and not zeroed, see Verify
}

// Verify runs every path of this machine and compares its output with that of
// Plain. It also counts the lines of a large output that are not all zero, for
// Reach.
func (j *Job) Verify() error {
	once := func(f func()) {
		for i := range j.Out {
			j.Out[i] = 0xA5 // so that no path passes by what was there before
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

// Reach is what path=limit times. It writes as many bytes as the call must read
// and write: ones for the lines that Verify has counted, zeros for the rest.
func (j *Job) Reach() {
	clear(j.Limit[j.ones:])
	fillOnes(j.Limit[:j.ones])
}

// lastLevelCache is the size of an output, in bytes, beyond which the limit
// depends on how many lines are not all zero: some memories take lines of zeros
// at twice the rate of others.
const lastLevelCache = 32 << 20

// nonZeroBytes returns the number of bytes in the 64-byte lines of b that are
// not all zero.
func nonZeroBytes(b []byte) (n int) {
	var zeros [64]byte
	for ; len(b) >= len(zeros); b = b[len(zeros):] {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			n += len(zeros)
		}
	}
	return n
}
