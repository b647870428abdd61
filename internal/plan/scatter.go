package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides how an output that is scattered to is filled, and in what
// tiles.

// scatter chooses how a tile is filled. Non-temporal stores fill all of an
// output only where a row, or a block of planes without gaps, is scattered to
// once, since each store reads its line back from memory; mostly they copy
// tiles. They copy planes with a Miss from the size on at which they write
// planes that are compared. Where they are slow, string stores fill small
// outputs and vector stores large ones. stores is how many cells of a row are
// stored: 1 in Encode, more in tables and sets, even if each row has one index.
// least is that of scattersTiles.
func (s *Shape) scatter(m *Machine, bytes, stores, least int) Plan {
	p, row := Plan{Strategy: Scatter}, s.Depth*s.Width
	far := m.streams() && bytes >= m.streamPlanes() && (s.Miss || bytes >= m.LLC)
	switch {
	case m.Path == tier.GenericPath || s.String:
	case m.streamsRows(bytes) && stores == 1 && s.Inner == 1 && s.Plane <= 1 && (row >= ScratchBytes || !s.gaps()):
		if p.Stream, p.Tiles = true, row < streamTile(s.Zero); !p.Tiles {
			p.Fill = FillStream
		}
	case s.scattersTiles(m, bytes, stores, least): // not rows of Encode, which the case before has
		p.Stream, p.Tiles = true, true
	case far && stores == 1 && s.Inner > 1 && !s.gaps() && (!s.Miss || s.Inner >= Least):
		p.Stream, p.Fill = true, FillStream
	case m.skylake():
		if p.Fill = FillVector; m.repeats(bytes, row/stores) {
			p.Fill = FillRepeat
		}
	case s.Zero && m.clears(bytes):
	case m.streams() && m.clears(bytes):
		p.Fill = FillRepeat
	default:
		p.Fill = FillVector
	}
	return p
}

// planeRun is the shortest run, in bytes, to which the planes of a block are
// cut: each run takes time to start. Half costs nothing, twice 3%.
const planeRun = 64 << 10

// A Tile is how many blocks and columns of each are written at a time.
type Tile struct {
	Outer, Inner int
}

// TileOf returns the tile for filling and scattering in turn, where so many
// stores go to a row, or to a column of planes: about a second-level cache,
// unless the output is little more. Fuller tiles have longer runs to fill, and
// a cell need not be closer than that cache when it is stored. A block of
// planes is cut to columns only if it is larger than a last-level cache. Tiles
// of half and of twice a second-level cache save 2%.
//
// Runs between gaps do not get longer in a fuller tile. Their tiles are a
// quarter of that cache: on a Cascade Lake, in 1 to 90 MB, rows and sets with
// gaps take 0.75 to 1.0 times as long for it. Half of it costs up to 4%, twice
// up to 8%. Where near holds, tiles are three quarters of a first-level cache;
// two thirds of that costs up to 10%.
//
// An output of at most two and a half tiles, with at most one store in apart
// bytes, is a single tile: another would save less than it takes to begin. On a
// Zen 5 that gains 2 to 8%; half of apart costs 5 to 10% on the generic path
// and where a row has several stores, twice 2%.
func TileOf(m *Machine, s *Shape, stores int) Tile {
	const apart = 3 * CacheLine
	row, room := s.held(), m.L2
	switch {
	case s.near(m, row, stores):
		room = m.L1 * 3 / 4
	case s.gaps():
		room /= 4
	}
	if row/apart >= stores && s.Outer*s.Inner <= room*5/2/row {
		return Tile{s.Outer, s.Inner}
	}
	if s.Inner > 1 && s.Inner > m.LLC/row {
		return Tile{1, min(max(room/row, planeRun/s.Width), s.Inner)}
	}
	return Tile{max(room/(row*s.Inner), 1), s.Inner}
}

// near reports whether tiles should fit the first-level cache, where so many
// stores go to a row, or to a column of planes, of row bytes. On Skylake's
// servers string stores, which clear also uses, seem to leave what they fill in
// the last-level cache, from where each scattered cell brings a line back,
// unless the cells are stored right after the fill. On a Cascade Lake such
// tiles take 0.6 to 0.9 times as long as those of a second-level cache, mostly
// 0.8; beyond half of the last-level cache, where vectors fill, 0.75 to 1.0
// times. What other fills gain is less.
//
// In outputs twice as large as the second-level cache twice nearStore costs up
// to 35% if a call is repeated and saves 30% if each call has another output;
// half costs up to 55% in either case. Half of farStore costs up to 35%, twice
// up to 10%. Half of farFrom costs up to 40% if a call is repeated and saves
// 25% otherwise, twice costs up to 45%.
func (s *Shape) near(m *Machine, row, stores int) bool {
	const nearStore, farStore = 128, 512
	farFrom := 4 * m.L2
	switch bytes := s.bytes(); {
	case !m.SkylakeServer || s.Inner > m.L2/row: // a block is a tile or more
		return false
	case row <= nearStore*stores:
		return m.L2 <= bytes // as repeatsFar has it for dense outputs
	default:
		return row < farStore*stores && farFrom <= bytes && bytes < m.LLC/2
	}
}

// held returns how many bytes of a cache hold the cells of one index. A run of
// cells between gaps takes whole lines: one line more than its bytes fill, on
// average, but never more than the run and its gap together. On a Zen 5 rows of
// 2 to 40 cells in 3 to 64 MB, with gaps of up to 200 cells, take 0.95 times as
// long as with tiles that count cells alone, and 0.7 times where rows of a few
// bytes have gaps of 50 cells.
func (s *Shape) held() int {
	plane := s.Inner * s.Width
	if s.Depth > 1 {
		plane = min(s.Plane*s.Width, plane+CacheLine)
	}
	block := s.Depth * plane
	if s.Outer > 1 {
		block = min(max(s.Stride*s.Width, block), block+CacheLine)
	}
	return max(block/s.Inner, 1)
}

// BehindMiss is how many indices are scattered or recoded one by one, rather
// than four at a time, from the first four on that have an index outside
// [0, depth). Scattering on the generic path of a Zen 5, half costs 4% where
// half of the indices are outside, twice saves 2%; where few are outside,
// neither costs anything.
const BehindMiss = 16

// ShortText is the longest of several texts whose planes are scattered to in
// one loop rather than by a call for each. On a Cascade Lake half costs 5 to
// 25%, twice 3 to 10%; texts of two to nine bytes take 0.3 to 0.75 times as
// long for it.
const ShortText = 20
