//go:build !purego

package workloads

// streamOnes fills lines with ones by non-temporal stores of SSE2, which every
// amd64 has: a line leaves for memory when it is full, however wide the stores
// are that fill it. b starts a line, and has whole ones.
//
//go:noescape
func streamOnes(b []byte)
