package onehot

import "github.com/go-onehot/onehot/internal/tier"

// WithPath runs f with the path of that name forced.
func WithPath(name string, f func()) {
	for _, p := range tier.Available() {
		if p.String() == name {
			defer tier.Force(tier.Force(p))
			f()
			return
		}
	}
	panic("onehot: no path " + name + " on this machine")
}

// HelperWakes has f called by each goroutine that EncodeParallel starts from now
// on, before it looks for work.
func HelperWakes(f func()) { helperWakes = f }

// Helpers returns how many goroutines EncodeParallel has that have not ended.
func Helpers() int { return int(helpers.alive.Load()) }

// EncodeByHelper is EncodeParallel with one other worker, for which the caller's
// goroutine leaves all the work.
func EncodeByHelper[V Value, I Index](dst []V, indices []I, s Spec[V]) (misses int, err error) {
	var j job
	out, in := spanOf(dst), spanOf(indices)
	if err := prepare(&j, &s, out, in); err != nil {
		return 0, err
	}
	j.dst, j.in = out.ptr, inputOf(indices)
	c := j.crew(1)
	c.call(1)
	<-c.finished
	helpers.crew.CompareAndSwap(c, nil)
	return int(c.misses.Load()), nil
}
