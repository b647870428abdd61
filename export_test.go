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
