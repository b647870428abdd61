package plan

import (
	"math"

	"github.com/go-onehot/onehot/internal/tier"
)

// This file decides what is written with non-temporal stores, and what goes by
// way of a tile.

// streamRows and streamPlanes return the bytes of output from which
// non-temporal stores are best. Ordinary stores read what they replace and keep
// up with memory while the output shares the last-level cache with little else;
// those to several planes fall behind sooner. For smaller outputs non-temporal
// stores would also send to memory what the caller may still find in a cache.
//
// No thresholds cost more to be wrong. On a Zen 4 non-temporal stores run at
// 0.35 to 0.9 of the rate of ordinary ones at half of them, and ordinary ones
// at 0.3 to 0.9 of the rate of non-temporal ones at twice; up to eight planes
// are written as fast by ordinary stores up to twice the threshold. On a Zen 5,
// at half of the last-level cache, ordinary rows are 1.0 to 2.0 times as fast
// as non-temporal ones where the call before wrote the same memory (the fewer
// lines are zeros, the faster), 1.4 to 2.4 times where somebody reads them, and
// 0.4 to 0.9 times where they are in no cache and nobody does. At 5/8 of a
// cache that others use too, ordinary rows of AVX2 are 0.3 to 0.8 times as
// fast, those of AVX-512 0.9 to 1.4 times, planes 1.0 to 1.5 times; at 7/8 of
// it ordinary planes are 0.3 to 0.5 times as fast.
//
// On a Zen 3 that shares its cache with busy neighbors, 3/8 of it is best. From
// there on ordinary stores take two to three times as long as non-temporal
// ones, or as long if somebody reads what they write. At a quarter of it they
// take 0.4 times as long if somebody does.
//
// Fills follow the same rule, whatever Off is. On a Granite Rapids, from 9/16
// to 3/4 of that cache, non-temporal fills of values that are not zeros take
// 1.0 to 1.15 times as long as ordinary ones in the same memory, and 0.35 to
// 1.05 times where three outputs take turns.
func (m *Machine) streamRows() int { return m.streamsFrom(m.LLC * 9 / 16) }

// streamsRows reports whether rows of so many bytes in all are streamed.
func (m *Machine) streamsRows(bytes int) bool { return m.streams() && bytes >= m.streamRows() }

func (m *Machine) streamPlanes() int { return m.streamsFrom(m.LLC / 2) }

// streamsFrom returns bytes, the output from which other processors use
// non-temporal stores, or more than any output has where these are slow.
func (m *Machine) streamsFrom(bytes int) int {
	if m.skylake() {
		return math.MaxInt
	}
	return bytes
}

// Prefetches reports whether a job that streams prefetches indices of size
// bytes before it writes the block in front of them. On a Zen 5 streamed calls
// with indices of 2 to 8 bytes then take 0.65 to 1.0 times as long with
// AVX-512, the less the fewer bytes they write for each index, but 0.86 to 1.07
// times with AVX2, and 1.0 to 1.03 times where indices are bytes.
func Prefetches(p tier.Path, size int) bool { return p == tier.AVX512Path && size > 1 }

// ragged reports whether planes may start within a line, or end within a round
// of columns. Non-temporal stores want whole lines.
func (s *Shape) ragged() bool {
	return s.Inner*s.Width%CacheLine != 0 || s.Inner%Least != 0
}

// tiles reports whether ragged planes go by way of a scratch buffer, as those
// do that touch and are shorter than raggedRun bytes, or than sentMost where
// SendsPlanes says so: handling the ends of such a plane costs more than
// writing all of it twice.
func (s *Shape) tiles(p tier.Path) bool {
	run := s.Inner * s.Width
	return s.ragged() && s.Plane == s.Inner && (run < raggedRun || SendsPlanes(p, run) && run < sentMost) && s.Inner <= LargeBlock
}

// SendsPlanes reports whether planes of so many bytes that go by way of the
// scratch buffer leave it one by one. Each then starts a cache line there.
func SendsPlanes(p tier.Path, run int) bool { return p == tier.AVX2Path && run >= sentRun }

// raggedRun is the run, in bytes, from which non-temporal stores write ragged
// planes in place, but for their ends. On a Zen 5 with AVX-512 half costs 30%,
// twice 10%. With AVX2 planes that touch have sentMost in its place, which is
// no more than WideBytes, since a block holds a plane. On a Zen 3 half of it
// costs 12%, twice 5%.
//
// sentRun is the run from which planes leave the scratch buffer one by one. On
// the Zen 3 half saves 2% on average: it saves up to 30% in cells of one or two
// bytes, and costs up to 45% in those of eight. Twice costs 12%. With AVX-512
// it would gain nothing on a Sapphire Rapids: 0.95 to 1.04 times.
const raggedRun, sentRun, sentMost = 5 << 10, 1536, WideBytes

// comparesFar is compares beyond the last-level cache, where a store brings its
// line back from memory, but non-temporal stores fill zeros at the memory's
// rate. Skylake's servers, which do not use these, have the same limits: on a
// Cascade Lake 2 to 500 planes of zeros in 40 to 120 MB take 0.3 to 0.85 times
// as long compared.
//
// Without a Miss, planes of less than raggedRun bytes that go by way of a
// scratch buffer are compared only if their columns are short or, where they
// cannot be scattered to in tiles, if Off is not zero.
func (s *Shape) comparesFar(m *Machine, bytes int) bool {
	row := s.Depth * s.Width
	columns := rounds(s.Inner, Least)
	switch short := row*columns <= farTile*s.Inner && s.Depth <= farPlanes; {
	case s.Miss:
		return true
	case !s.tiles(m.Path) || s.Inner*s.Width >= raggedRun:
		return !s.Zero || s.Depth <= farPlanes
	case !s.scattersTiles(m, bytes, 1, leastTile):
		return !s.Zero || short
	case m.Path == tier.AVX2Path && !SendsPlanes(m.Path, s.Inner*s.Width):
		return row*columns <= narrowTile*s.Inner
	default:
		return short
	}
}

// scattersTiles reports whether planes, sets or tables without gaps are
// scattered to in tiles. Each tile is made in the last blocks of the output,
// from where non-temporal stores copy it. That stores to each cell twice. But
// otherwise all of the output is filled, and the lines of its cells are read
// from memory, during the fill or after it. stores is 1, or how many cells of a
// row of sets or of a table are stored; least is the fewest bytes of a row for
// each of them. For rows of Encode scatter decides.
func (s *Shape) scattersTiles(m *Machine, bytes, stores, least int) bool {
	row := s.Depth * s.Width
	switch block := row * s.Inner; {
	case !m.streamsRows(bytes) || s.gaps() || block < 2*CacheLine || block > min(m.L2, CallBytes):
		return false
	case stores == 1 && (row >= streamTile(s.Zero) || s.Miss && s.Inner >= Least):
		return false
	}
	return row >= least*stores
}

// farPlanes is the most planes that are compared beyond the last-level cache.
// On a Zen 5 half costs 20%, with AVX2 15%; twice costs 5%, with AVX2 10%, with
// cells of a byte 25%. farTile is the most bytes of a column of all planes for
// which planes that go by way of a scratch buffer are compared. It counts
// columns by whole rounds. Half costs 30%, twice 10%, if scattering fills the
// output first. On a Sapphire Rapids half costs up to 12%, twice up to 7%.
//
// narrowTile is farTile for AVX2 where planes are scattered to in tiles, unless
// SendsPlanes says so. On a Zen 3 half costs up to 65%, mostly 10%, and twice
// up to 80%, mostly 25%.
//
// leastTile is the fewest bytes of a column for which planes are scattered to
// in tiles. On the Zen 3 half costs up to 80% with two or three columns and
// saves up to 40% with more; twice costs up to 180%, mostly 70%. leastSet and
// leastTable are the fewest bytes of a row for each of its stores, of sets and
// of tables. Half of leastSet costs up to 5%, twice up to 110%; half of
// leastTable costs 20%, 80% where one index in ten is a miss, and twice up to
// 35%. Blocks of more than a second-level cache would gain nothing.
const farPlanes, farTile, narrowTile, leastTile, leastTable, leastSet = 320, 400, 56, 40, 64, 24

// StreamBlocks returns how many of outer blocks of so many bytes make a tile
// that is scattered to and copied: see scattersTiles. Tables, which have
// several columns, have larger ones, so that each column has several rows. The
// blocks take whole cache lines if as many as fit do. That saves 1% where cells
// are bytes.
func StreamBlocks(m *Machine, outer, block, columns int) int {
	n := max(min(ScratchBytes*columns, m.L2/2)/block, 1)
	if some := CacheLine / min(block&-block, CacheLine); n >= some {
		n -= n % some
	}
	return min(n, outer)
}

// streamTile is the row, or the column of planes, in bytes, from which
// non-temporal stores fill all of an output before it is scattered to. Shorter
// ones are scattered to in tiles, which such stores copy: a store after a fill
// brings its line back from memory. Half costs 3%, twice 6%. Memory takes zeros
// faster from a fill than from a copy, but not other values, for which the row
// is four times as long: a quarter of it costs 3%, twice nothing.
func streamTile(zero bool) int {
	if zero {
		return 2 << 10
	}
	return 8 << 10
}
