//go:build !purego && (linux || darwin)

package onehot

var callTiers []callKernels
