//go:build !purego

package onehot

// fillOnes is the best fill of lines that are not all zero.
func fillOnes(b []byte) { fillGeneric(b, 1) }
