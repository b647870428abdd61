//go:build !purego

package onehot

// paths returns what the processor, and GODEBUG, leave.
func paths() []path {
	switch found {
	case avx512:
		return []path{avx512, avx2, generic}
	case avx2:
		return []path{avx2, generic}
	}
	return []path{generic}
}

// found is the path of the process before a test forced another.
var found = active()

// force makes p the path of the process and returns the one before it.
func force(p path) path {
	was := active()
	useAVX512, useAVX2 = p == avx512, p >= avx2
	return was
}
