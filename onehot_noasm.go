//go:build (!amd64 && !arm64) || purego

package onehot

// active is the path of platforms without kernels.
func active() path { return generic }
