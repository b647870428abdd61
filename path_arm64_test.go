//go:build !purego

package onehot

// paths returns what the processor, and GODEBUG, leave.
func paths() []path {
	if found == neon {
		return []path{neon, generic}
	}
	return []path{generic}
}

// found is the path of the process before a test forced another.
var found = active()

// force makes p the path of the process and returns the one before it.
func force(p path) path {
	was := active()
	useNEON = p == neon
	return was
}

// fillOnes is the best fill of lines that are not all zero.
func fillOnes(b []byte) { fillGeneric(b, 1) }
