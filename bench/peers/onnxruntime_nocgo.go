//go:build !cgo

package peers

import "errors"

// ONNXRuntime needs cgo.
func ONNXRuntime(string) (Peer, string, error) {
	return nil, "", errors.New("this build is without cgo")
}
