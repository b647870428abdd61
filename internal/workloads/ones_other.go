//go:build !amd64 || purego

package workloads

// streamOnes fills b with ones by ordinary stores.
func streamOnes(b []byte) { fillWords(b) }
