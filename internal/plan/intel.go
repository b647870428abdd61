package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds the limits that differ on Intel's cores, other than those of
// Skylake's servers. Beyond their second-level cache a store waits long for the
// line that it writes to. String stores do not read it. Figures are of a
// Sapphire Rapids unless they name another processor, those of AVX2 with
// AVX-512 switched off; none without AVX-512 was timed.

// intel reports whether the processor has such cores.
func (m *Machine) intel() bool { return m.Intel && !m.SkylakeServer }

// wideIntel reports whether kernels of AVX-512 run on Intel's cores.
func (m *Machine) wideIntel() bool { return m.Intel && m.Path == tier.AVX512Path }

// repeatsOnIntel reports whether string stores fill so many bytes, with a
// first-level cache of l1 bytes. In the same memory they take as long as vector
// stores from a quarter of that cache up to two thirds of it, and half as long
// where the output is as large as the cache. In rotation through 16 MiB they
// take 0.4 to 0.9 times as long. An eighth in place of a quarter costs up to
// 20% in the same memory and saves 5% in rotation; a half saves up to 5% in the
// same memory and costs 10 to 25% in rotation.
func repeatsOnIntel(bytes, l1 int) bool { return bytes >= l1/4 }

// PrefetchesCells reports whether kernels of AVX-512 prefetch what they will
// write, in an output of so many bytes: from half of the first-level cache on,
// which must hold the indices, too. Calls of up to 1 MiB that rotate through 16
// MiB then take 0.3 to 1.05 times as long: rows beyond that cache 0.3 to 0.5
// times, tables and sets 0.65 to 1.05 times. Calls that write the same memory
// again take 0.95 to 1.05 times as long beyond that cache and 0.5 to 1.05 times
// just within; tables and sets take 0.7 to 1.3 times as long, mostly 1.0. With
// a quarter in place of a half, outputs between the two take 1 to 14% longer in
// the same memory and 25% less time in rotation; with all of the cache, up to
// twice as long. Planes that are written one by one do without if there are
// misses.
func PrefetchesCells(bytes int) bool { return tier.Intel && tier.AVX512 && bytes >= tier.L1/2 }

// prefetchesFar is PrefetchesCells for an output that the first-level cache
// cannot hold and that no non-temporal stores write. There more is blended: see
// aheadSet and comparingAhead. ByColumns has other limits there.
func (m *Machine) prefetchesFar(bytes int) bool {
	return m.wideIntel() && m.L1 < bytes && bytes < m.streamPlanes()
}

// nearL1 reports whether rows are blended, and planes compared, as in an output
// that the first-level cache holds. With AVX-512 on Intel's cores the limit is
// a third more than that cache. On a Granite Rapids, which has 48 KiB, blending
// 50 to 60 KiB takes 1.1 to 2.8 times as long as filling and scattering in the
// same memory, since the cache keeps what string stores leave, and 0.85 to 1.1
// times in rotation. From 64 KiB on it takes 0.5 to 1.15 times as long.
func (m *Machine) nearL1(bytes int) bool {
	if m.wideIntel() {
		return bytes <= m.L1*4/3
	}
	return bytes <= m.L1
}

// nearMiss is the longest row with a Miss that is blended with AVX-512 on
// Intel's cores where nearL1 holds. Over 660 rows of 64 to 512 bytes on a
// Granite Rapids, with up to one index in eight a miss, calls take 1.05 times
// as long as by the better way of each, in the same memory and in rotation.
// Half of it costs 4%, twice 2%. In the same memory rows of 200 bytes take 0.6
// to 2.2 times as long blended, the less the wider the cells and the more
// misses there are, those of 500 bytes up to 3 times.
const nearMiss = 192

// comparingAhead returns the comparison of planes without a Miss where
// prefetchesFar holds and nearL1 does not. Comparing then costs a tenth less
// than filling, whether there are gaps or not. But each run counts in whole
// cache lines, and half a line more for the time to begin it.
//
// On a Granite Rapids 22,000 calls of 10 to 8,000 planes of 64 KiB to 16 MiB, a
// quarter of them with gaps, take 1.01 times as long as by the better way of
// each in the same memory and 1.03 times in rotation. Half or twice of the
// tenth, or of half a line, adds at most 0.015 to either.
func comparingAhead(width int) *comparison {
	return &comparison{9, CacheLine / width, CacheLine / 2 / width, storeCells, storeBytes, 0}
}

// aheadPlanes is the most planes without a Miss that go by columns where
// prefetchesFar holds, aheadShort the most in runs of up to farPlane bytes: see
// ByColumns. Over 5,200 calls of 2 to 200 planes of 72 to 8,000 bytes, in 60
// KiB to 12 MiB, calls on a Granite Rapids take 1.03 times as long as by the
// better way of each, in the same memory and in rotation. Half and twice of
// aheadPlanes make it 1.035 and 1.04, half and twice of aheadShort 1.03; with
// the limits of other processors it is 1.11.
const aheadPlanes, aheadShort = 8, 40

// streamsLines reports whether the kernels that write rows with non-temporal
// stores are those of AVX-512. They store a line at once, and a row's bytes
// need not be a multiple of 4. On a Zen 5 such stores were slower than those of
// AVX2. On a Granite Rapids, in 32 to 160 MiB, rows take 0.7 to 1.0 times as
// long as by the kernel of AVX2. Where it takes none, they take 0.7 to 1.0
// times as long as by way of the scratch buffer, and rows of StreamRow to
// blendBytes bytes, in 25 MiB too, 0.7 to 1.0 times as long as filled and
// scattered to.
func (m *Machine) streamsLines() bool { return m.wideIntel() }

// skews reports whether planes that start apart bytes from each other, in an
// output of so many bytes, take skewedCell tenths more to compare a cell,
// unless they have a Miss or gaps. Where vectors of AVX2 do not divide that
// distance, most planes start within a vector, and every other store reaches
// into a second cache line. In half of the first-level cache, or in
// tier.LeastL1 bytes, that costs little.
//
// On a Sapphire Rapids, in the same memory and in rotation, such planes take
// 1.01 times as long as by the better way of each. Without it they take 1.17
// times within the first-level cache and 1.1 times beyond it, with half of it
// 1.05 and 1.01 times, with twice it 1.02 and 1.02 times.
func (m *Machine) skews(apart, bytes int) bool {
	const vector = 32
	return m.intel() && m.Path == tier.AVX2Path && apart%vector != 0 && bytes > max(m.L1/2, tier.LeastL1)
}

const skewedCell = 5

// aheadSet takes the place of wideTable and wideSet where prefetchesFar holds.
// Bits then cost less than stores that wait for memory. Over 400 tables and 950
// calls of sets of 48 to 512 KiB, in the same memory, calls take 1.003 times as
// long as by the better way of each. Half and twice of each number cost, in
// percent:
//
//	              begin     word      row
//	tables        10, 10     5,  7     3,  9
//	sets           3, 10     0,  4     3,  0
var aheadSet = marking{1000, 1, 4}

// aheadWords is the most words of a row of a set where prefetchesFar holds.
// Half costs 13%; the buffers of sets hold no more.
const aheadWords = 7
