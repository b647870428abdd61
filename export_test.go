package onehot

// Paths returns the paths of this machine, best first.
func Paths() []string {
	var names []string
	for _, p := range paths() {
		names = append(names, p.String())
	}
	return names
}

// WithPath runs f with the path of that name forced.
func WithPath(name string, f func()) {
	for _, p := range paths() {
		if p.String() == name {
			defer force(force(p))
			f()
			return
		}
	}
	panic("onehot: no path " + name + " on this machine")
}

// FillOnes fills b as fast as memory takes lines that are not all zero.
func FillOnes(b []byte) { fillOnes(b) }

// Sharing runs f while EncodeParallel shares whatever it can, however little,
// and UsualSharing while it shares what it does for users.
func Sharing(f func())      { withSharing(sharingLimits{share: 1, part: 1 << 10}, f) }
func UsualSharing(f func()) { withSharing(usualSharing, f) }

// ShareAll is Sharing from now on.
func ShareAll() { sharing = sharingLimits{share: 1, part: 1 << 10} }

var usualSharing = sharing

func withSharing(l sharingLimits, f func()) {
	defer func(before sharingLimits) { sharing = before }(sharing)
	sharing = l
	f()
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
