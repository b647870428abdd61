//go:build !purego

package tier

import "golang.org/x/sys/cpu"

// NEON is what every arm64 that Go runs on has; GODEBUG=cpu.asimd=off says that
// it has not.
var NEON = cpu.ARM64.HasASIMD

const AVX2, AVX512 = false, false

func force(p Path) { NEON = p == NEONPath }
