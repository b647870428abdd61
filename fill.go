package onehot

// A filler is a way to write off to a run of cells.
type filler uint8

const (
	fillGo     filler = iota // clear, or doubling copies
	fillVector               // vector stores, where the run stays in the first caches
	fillString               // string stores, which do not read what they replace
)

// fillLayout fills the cells of a layout with off, in runs as long as the
// layout has them.
func fillLayout[E any](dst []E, off E, l *layout, f filler) {
	run, runs := l.inner, l.depth
	if l.inner == l.plane {
		run, runs = l.inner*l.depth, 1
		if l.stride == run {
			fillRun(dst[:run*l.outer], off, f)
			return
		}
	}
	for o := range l.outer {
		for d := range runs {
			fillRun(dst[o*l.stride+d*l.plane:][:run], off, f)
		}
	}
}
