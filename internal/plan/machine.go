package plan

import "github.com/go-onehot/onehot/internal/tier"

// A Machine is what a plan depends on of the processor.
type Machine struct {
	Path          tier.Path
	L1, L2, LLC   int // bytes
	SkylakeServer bool
	Zen1To4       bool
	Intel         bool
}

// Here returns the machine that this process runs on. It and its methods use
// pointers, because a copy has to wait until all fields have been stored: small
// calls took up to 1.3 times as long. Inlined, Here allocates nothing.
func Here() *Machine {
	return &Machine{tier.Active(), tier.L1, tier.L2, tier.LLC, tier.SkylakeServer, tier.Zen1To4, tier.Intel}
}

// streams reports whether there are non-temporal stores.
func (m *Machine) streams() bool { return m.Path == tier.AVX2Path || m.Path == tier.AVX512Path }

// beyond reports whether an output is at least as large as the last-level
// cache, and there are non-temporal stores. On a Zen 5 deep planes take 1.1 to
// 1.6 times as long as careful Go from 3/4 of that cache up to all of it,
// whichever way they are written.
func (m *Machine) beyond(bytes int) bool { return m.streams() && bytes >= m.LLC }

// A Shape is what a plan depends on of a job, in elements unless said
// otherwise.
type Shape struct {
	Whole int // bytes of the output that the job is all or a part of; 0 counts as those of the job

	Outer, Depth, Inner int
	Plane, Stride       int
	Width               int  // bytes of a cell
	Zero                bool // Off is zero bits
	Miss                bool // a miss has cells of its own
	Start               int  // bytes between the start of a cache line and the output
	Text                bool // indices are bytes whose classes an alphabet gives
	String              bool // cells hold pointers, which kernels may not write
}

// gaps reports whether elements lie between blocks or planes.
func (s *Shape) gaps() bool {
	return s.Outer > 1 && s.Stride > s.Depth*s.Inner || s.Depth > 1 && s.Plane > s.Inner
}

func (s *Shape) bytes() int {
	return ((s.Outer-1)*s.Stride + (s.Depth-1)*s.Plane + s.Inner) * s.Width
}
