package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds the limits that differ on Intel's cores, other than those of
// Skylake's servers. Beyond their second-level cache a store waits long for
// what it replaces. String stores do not read that.

// intel reports whether the processor has such cores.
func (m Machine) intel() bool { return m.Intel && !m.SkylakeServer }

// repeatsOnIntel reports whether string stores fill so many bytes, with a
// first-level cache of l1 bytes. On a Sapphire Rapids they take 1.0 times as
// long as vector stores from half of that cache on if calls are repeated, half
// as long where the output is as large as the cache, and 0.4 to 0.9 times in
// rotation through 16 MiB. Half of half costs 3% if calls are repeated and
// saves 10% in rotation; twice costs up to 100%.
func repeatsOnIntel(bytes, l1 int) bool { return bytes >= l1/2 }

// PrefetchesCells reports whether kernels of AVX-512 prefetch what they will
// write, in an output of so many bytes: where the first-level cache does not
// hold it. On a Sapphire Rapids, calls of 64 KiB to 1 MiB that rotate through
// 16 MiB then take 0.3 to 0.7 times as long, and those that write the same
// memory again 0.95 to 1.05 times. Where that cache holds the output they would
// take 1.05 to 1.15 times as long.
func PrefetchesCells(bytes int) bool { return tier.Intel && tier.AVX512 && bytes > tier.L1 }
