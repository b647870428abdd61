package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds the limits that differ on Intel's cores, other than those of
// Skylake's servers. Beyond their second-level cache a store waits long for
// what it replaces. String stores, which do not read that, fill as fast as
// vector stores beyond the first-level cache.

// intel reports whether the processor has such cores.
func (m Machine) intel() bool { return m.Intel && !m.SkylakeServer }

// PrefetchesCells reports whether kernels of AVX-512 prefetch what they will
// write, in an output of so many bytes: where the first-level cache does not
// hold it. On a Sapphire Rapids, calls of 64 KiB to 1 MiB that rotate through
// 16 MiB then take 0.3 to 0.7 times as long, and those that write the same
// memory again 0.95 to 1.05 times. Where that cache holds the output they would
// take 1.05 to 1.15 times as long.
func PrefetchesCells(bytes int) bool { return tier.Intel && tier.AVX512 && bytes > tier.L1 }
