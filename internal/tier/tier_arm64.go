//go:build !purego

package tier

import "golang.org/x/sys/cpu"

// NEON is true on every arm64 that Go runs on, unless GODEBUG=cpu.asimd=off.
var NEON = cpu.ARM64.HasASIMD

const AVX2, AVX512 = false, false

func force(p Path) { NEON = p == NEONPath }
