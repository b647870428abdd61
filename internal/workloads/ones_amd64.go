//go:build !purego

package workloads

// streamOnes fills b, which must be whole cache lines, with ones. Its
// non-temporal stores are those of SSE2, which every amd64 has. Their width
// does not matter, because a line leaves for memory when it is full.
//
//go:noescape
func streamOnes(b []byte)
