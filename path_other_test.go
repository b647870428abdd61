//go:build (!amd64 && !arm64) || purego

package onehot

func paths() []path { return []path{generic} }

// force makes p the path of the process and returns the one before it.
func force(p path) path { return generic }

// fillOnes is the best fill of lines that are not all zero.
func fillOnes(b []byte) { fillGeneric(b, 1) }
