//go:build !cgo

package peers

import "errors"

// ONNXRuntime returns an error, because it needs cgo.
func ONNXRuntime(string) (Peer, string, error) {
	return nil, "", errors.New("this build is without cgo")
}
