//go:build !purego

package onehot

// active is the path of this process.
func active() path { return generic }
