package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides which planes are compared, and whether plane by plane or a
// few columns of all planes at a time.

// planes says how n columns, of so many bytes in all, are compared.
func (s *Shape) planes(m *Machine, n, bytes int) Plan {
	run := s.Inner * s.Width
	p := Plan{Strategy: Planes, Stream: m.streams() && bytes >= m.streamPlanes(), Block: columnBlock(n)}
	switch {
	case !p.Stream:
	case s.tiles(m.Path):
		p.Tiles, p.Block, bytes = true, LargeBlock, ScratchBytes
	case s.ragged() && s.Inner < LargeBlock && run >= raggedRun: // one block of planes at a time
		p.Block = rounds(s.Inner, Least)
	}
	p.ByColumns = ByColumns(m, s.Depth, run, s.Plane*s.Width, s.Width, bytes, s.Miss)
	if p.Wide() {
		p.Block = min(p.Block, WideBlock(m.Path, s.Width, run, s.Miss && !p.Tiles)) // a tile has whole planes
	}
	return p
}

// comparesPlanes reports whether an output is written as planes by comparison.
func (s *Shape) comparesPlanes(m *Machine, bytes int) bool {
	if s.Inner < Least || s.Miss && s.Depth > Classes {
		return false
	}
	if m.beyond(bytes) {
		return s.comparesFar(m, bytes)
	}
	return m.compares(s.Depth, s.Inner, s.Plane, s.Width, bytes, s.Miss)
}

// compares reports whether planes of inner columns, plane apart, are few and
// narrow enough to be compared, and whether there are kernels for it. Comparing
// a cell costs a tenth more than filling it, two tenths where the second-level
// cache holds all of the output, and three where nearL1 holds, or one up to Zen
// 4. With AVX2 it may cost more on Intel's cores: see skewedCell. Cells count
// by whole rounds of columns: see roundOf. Filling and scattering costs one
// store for each index instead, as much as filling storeCells cells or
// storeBytes bytes. A store to crowded planes, unless nearL1 holds, is worth 16
// times as many cells, and max(12, width)/width times as many bytes.
//
// A Miss makes it four times as many cells and six times as many bytes, and
// each block begins as if it had missStart columns more, since the pattern of a
// miss has to be made before it can fill. But comparing a cell then costs three
// tenths more. Crowded planes with a Miss take the larger counts. Gaps count as
// a Miss does: see gapsCost. Skylake's servers have a further limit in outputs
// of one to two second-level caches: see columnFar. Beyond the first-level
// cache kernels of AVX-512 prefetch on Intel's cores: see comparingAhead.
func (m *Machine) compares(depth, inner, plane, width, bytes int, hasMiss bool) bool {
	cell, costly := 11, hasMiss || gapsCost(inner, plane, width)
	crowds := m.streams() && !m.nearL1(bytes) && m.crowdsStores(depth, plane*width)
	switch {
	case m.prefetchesFar(bytes) && !m.nearL1(bytes) && !hasMiss: // AVX-512 only
		return comparingAhead(width).pays(depth, min(inner, LargeBlock), width)
	case m.Path == tier.GenericPath, m.skylake() && !costly && !crowds && m.L2 <= bytes && bytes <= 2*m.L2 && depth*width > columnFar:
		return false
	case m.streams() && m.nearL1(bytes):
		cell = nearCost(m.zen())
	case m.streams() && bytes <= m.L2:
		cell = 12
	}
	if !costly && m.skews(plane*width, bytes) {
		cell += skewedCell
	}
	c := comparing(cell, roundOf(m.Path == tier.AVX2Path), costly)
	if crowds {
		c.cells, c.bytes = max(c.cells, 16*storeCells), max(c.bytes, storeBytes*max(12, width)/width)
	}
	return c.pays(depth, min(inner, LargeBlock), width)
}

// A comparison is what comparing a cell costs, in tenths, how many columns are
// compared at a time, how many columns the start of a run is worth, how many
// cells and bytes a store is, and how many stores the start of a block.
type comparison struct {
	cell, round, lead, cells, bytes, start int
}

// comparing returns the comparison of planes with or without a Miss.
func comparing(cell, round int, hasMiss bool) *comparison {
	if hasMiss {
		return &comparison{cell + 3, round, 0, 4 * storeCells, 6 * storeBytes, missStart}
	}
	return &comparison{cell, round, 0, storeCells, storeBytes, 0}
}

// comparingNear is comparing on the processor at hand, for small calls whose
// output the first-level cache holds.
func comparingNear(hasMiss bool) *comparison {
	return comparing(nearCost(zenHere()), roundOf(!tier.AVX512), hasMiss)
}

// roundOf returns how many columns the kernels of planes compare at a time. On
// a Zen 3 planes take 1.026 times as long as by the better way of each if 64 is
// taken for the 32 of AVX2, otherwise 1.017 times.
func roundOf(avx2 bool) int {
	if avx2 {
		return 32
	}
	return 64
}

// gapsCost reports whether gaps between planes make filling as costly as a Miss
// does, since each of many short runs has to begin. On a Cascade Lake planes
// with gaps take 0.36 to 0.9 times as long for it where it decides, and 1.05 to
// 1.2 times if runs of 20 KiB count, too.
func gapsCost(inner, plane, width int) bool { return plane > inner && inner*width <= gapRun }

// pays reports whether comparing the cells of a block takes less time than
// filling them and storing one in each column.
func (c *comparison) pays(depth, inner, width int) bool {
	more := int64(depth) * int64((rounds(inner, c.round)+c.lead)*c.cell-inner*fillCell)
	stores := (inner + c.start) * fillCell
	return more < int64(c.cells*stores) && more*int64(width) < int64(c.bytes*stores)
}

// The costs of a cell, in tenths of filling it: to fill it, and to compare it
// within the first-level cache; see also zenCell.
const fillCell, nearCell = 10, 13

// nearCost returns nearCell for the processor.
func nearCost(zen bool) int {
	if zen {
		return zenCell
	}
	return nearCell
}

// storeCells and storeBytes are how many cells, and bytes, are filled in the
// time of a store to one of many planes; missStart is explained at compares.
//
// On a Zen 5, 3,400 calls of 2 KiB to 10 MiB take 1.01 times as long on average
// as by the better way of each, with AVX-512 and AVX2 alike. With half or
// twice of storeCells it is 1.06 for cells of a byte, 1.00 to 1.04 for others;
// with half or twice of storeBytes 1.02 to 1.08 for cells of four and eight
// bytes. Within the second-level cache one tenth makes it 1.03, three 1.01,
// five 1.02; beyond it two make it 1.035 for cells of a byte and less for
// others.
//
// There, over 14,000 earlier calls, half of the bytes of crowded planes costs
// 6%, twice 8%; with AVX2 15% and 4%. On a Granite Rapids with AVX-512 half of
// the tenths within the first-level cache costs 0 to 40%, twice 0 to 25%. On a
// Zen 4, whose stores to planes take longer, 24 cells, 75 bytes and one tenth
// lose least on both paths.
//
// Where one index in a hundred is a miss with cells of its own, 1,400 calls of
// 8 KiB to 4 MiB take 1.01 times as long on the Zen 5 as by the better way of
// each, on both paths. Half and twice of missStart make it 1.02 and 1.005, with
// AVX2 1.01 and 1.02; half and twice of what a store is worth then 1.06 and
// 1.00, with AVX2 1.02 and 1.03; half and twice of the three tenths 1.005 and
// 1.04, with AVX2 1.02 and 1.01. On the Zen 4, whose kernels take longer for a
// cell, half of that worth costs 17%, twice 13%; with AVX2 21% and 8%.
const storeCells, storeBytes, missStart = 16, 40, 80

// ByColumns reports whether planes that start apart bytes apart are written a
// round of columns at a time: each round to all planes, then the next round.
// That saves starting a run for each plane, and repeating classes in all bytes
// of their cells, for which a small call has no time. But it makes runs as
// short as a round, which costs more than it saves where planes are long or
// crowded. It is the only way on NEON. Where planes are not crowded it is the
// way for few planes, outputs that the first-level cache holds and short runs;
// with AVX2 also where there is a Miss, or the output takes no more than most
// of the second-level cache, unless there are many planes and the processor is
// one of Skylake's servers. Up to Zen 4 see also zenColumns. Where
// prefetchesFar holds, planes without a Miss have limits of their own: see
// aheadPlanes.
func ByColumns(m *Machine, planes, run, apart, width, bytes int, hasMiss bool) bool {
	far := bytes > m.L2*3/4
	deep := m.skylake() && planes > skylakeDepth(apart, hasMiss, far)
	switch {
	case !m.streams():
		return true
	case m.crowdsRounds(planes, run, apart, width, bytes, hasMiss):
		return false
	case m.prefetchesFar(bytes) && !hasMiss:
		return planes <= aheadPlanes || run <= farPlane && planes <= aheadShort
	case bytes <= m.L1 || !deep && (planes <= fewPlanes || hasMiss && m.Path == tier.AVX2Path):
		return true
	case far:
		return run <= farPlane || m.zenColumns(planes, run)
	}
	return m.Path == tier.AVX2Path && !deep || run < shortPlane
}

// shortPlane is the run, in bytes, from which AVX-512 writes plane by plane. On
// a Zen 5 half costs 16%; twice saves 2%, but costs 10% where cells have eight
// bytes. On a Zen 4, where 512 is best, half of 512 costs 2%, twice 3%.
// farPlane is the longest run that goes by columns beyond most of the
// second-level cache, on both paths. On the Zen 5 half costs 13%, twice saves
// 9%; with AVX2 half costs nothing, twice 2%. On the Zen 4, where 128 is best,
// half of 128 costs 18%, twice 5%.
//
// fewPlanes is the most planes that go by columns unless they are crowded. They
// do not repay the time to repeat their classes. Half costs 20 to 30%.
const (
	shortPlane, farPlane = 1 << 10, 256
	fewPlanes            = 6
)

// Wide reports whether kernels take classes repeated in all bytes of a cell.
func (p *Plan) Wide() bool { return p.Strategy == Planes && !p.ByColumns }

// WideBlock returns the most indices whose classes are repeated in all bytes of
// cells of that width at a time, in runs of run bytes. Where misses are read,
// the first-level cache holds the plane that has them, too: with as many
// indices as otherwise, planes of 8 KiB take 1.3 to 1.6 times as long on a
// Cascade Lake.
func WideBlock(p tier.Path, width, run int, hasMiss bool) int {
	if hasMiss && ReadsMisses(p, run) {
		width *= 2
	}
	return min(WideBytes/width, LargeBlock)
}

// ReadsMisses reports whether the kernel that writes plane by plane, in runs of
// run bytes, finds the cells of misses in the plane before the first. If not,
// it chooses them for each cell.
func ReadsMisses(p tier.Path, run int) bool { return p == tier.AVX2Path && run > chooseRun }

// chooseRun is the longest run, in bytes, for which misses are chosen: short
// runs do not repay the calls that make that plane. On a Cascade Lake half
// costs 3%, and 7 to 36% in many blocks of crowded planes; twice costs 15 to
// 45%, but saves 6% in such blocks.
const chooseRun = 768
