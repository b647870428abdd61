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
