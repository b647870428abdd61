package onehot

// A path is a set of routines that a processor can run, from the one that
// every processor can to the widest.
type path uint8

const (
	generic path = iota
	neon
	avx2
	avx512
)

// String returns the name that Path reports.
func (p path) String() string {
	return [...]string{"generic", "neon", "avx2", "avx512"}[p]
}

// A strategy is a way to write an output.
type strategy uint8

const (
	// direct reads an index and lights its cell in one Go loop over a filled
	// tile.
	direct strategy = iota
)

// A plan is how one job is written.
type plan struct {
	strategy strategy
}

// plan chooses. This is the one place where a strategy is chosen.
func (j *job) plan() plan {
	return plan{direct}
}
