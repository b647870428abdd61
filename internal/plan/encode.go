package plan

import "github.com/go-onehot/onehot/internal/tier"

const (
	// maxDepth is the deepest row that the kernels of Rows take.
	maxDepth = 128

	// maxPlanes is the depth beyond which nothing is compared: a block of classes
	// would be made anew for each 255 of them.
	maxPlanes = 1 << 16

	// missPlanes is the depth beyond which planes are not compared where misses
	// have cells of their own: classes of all groups of planes are made for each of
	// them.
	missPlanes = 4 * Classes

	// RowBytes is the longest row that is blended on any path.
	RowBytes = 400

	// deepPlane is the bytes of a column, over all planes, and deepPlanes the
	// number of planes, from which these are filled and scattered to: of so many
	// planes one index sets so few that to compare costs more than a store.
	deepPlane, deepPlanes = 512, 192
)

// Encode chooses how an encoding is written: the one place where that is done.
func Encode(m Machine, s *Shape) Plan {
	n, bytes, row := s.Outer*s.Inner, max(s.bytes(), s.Whole), s.Depth*s.Width
	if m.Path == tier.GenericPath || s.String || n < Least || s.Depth > maxPlanes || s.Text && s.Depth > Classes {
		return scatter(m, s, bytes)
	}
	switch {
	case s.Inner == 1 && s.Stride == s.Depth && 2 <= s.Depth && s.Depth <= maxDepth && row <= rowBytes(m):
		p := Plan{Strategy: Rows, Stream: streams(m) && bytes >= streamRows(m)}
		most := CallBytes
		if p.Stream {
			most = ScratchBytes
		}
		p.Block = max(min(block(n, bytes), most/row)&^(Least-1), Least)
		return p
	case s.Inner >= Least && (!s.Miss || s.Depth <= missPlanes) && (shallow(s.Depth, row) || bytes >= streamFills(m) && streams(m)):
		p := Plan{Strategy: Planes, Stream: streams(m) && bytes >= streamPlanes(m)}
		if p.Tiles = p.Stream && s.tiles(); p.Tiles {
			p.Block = LargeBlock
		} else {
			p.Block = max(min(run(n), CallBytes/(min(s.Depth, Classes)*s.Width))&^(Least-1), Least)
		}
		return p
	}
	return scatter(m, s, bytes)
}

// shallow reports whether planes are few and narrow enough to be compared.
func shallow(depth, column int) bool { return depth < deepPlanes && column < deepPlane }

// tiles reports whether planes of a few columns, which touch, go by way of a
// scratch: non-temporal stores want whole lines, and such planes start anywhere
// within one.
func (s *Shape) tiles() bool {
	run := s.Inner * s.Width
	return s.Plane == s.Inner && s.Pitch == s.Inner && run <= ScratchBytes && run%64 != 0 && s.Inner <= LargeBlock
}

// rowBytes is the longest row, in bytes, that is blended on a path. A longer
// one is filled and scattered to: one more store for its index does not show
// then.
func rowBytes(m Machine) int {
	switch m.Path {
	case tier.AVX512Path:
		return RowBytes
	case tier.AVX2Path:
		return 224
	}
	return 256
}

// SmallSide is what the numbers of a small call are below, so that no product
// of two of them overflows.
const SmallSide = 1 << 15

// SmallClear is the bytes from which a kernel zeroes the output of a small call:
// up to there clear takes as long, and beyond it begins with a wait that the
// kernel has not.
const SmallClear = 2 << 10

// SmallZero is the bytes up to which stores of SmallStore bytes, in the caller's
// own code, zero the output of a small call faster than clear, which is a call.
// SmallPattern is the same for a kernel and other values.
const SmallStore, SmallZero, SmallPattern = 16, 256, 128

// SmallDecode is the cells below which rows are decoded one by one: about where
// the bits of all of them take as long.
const SmallDecode = 256

// Small chooses how the plain output of a small call is written, rows or planes
// of one block, by kernels; Scatter says that it is no small call.
func Small(m Machine, n, depth, width int, planes bool) Strategy {
	row := depth * width
	switch {
	case n*row > CallBytes || depth < 2:
	case planes && depth <= Classes && shallow(depth, row):
		return Planes
	case !planes && depth <= maxDepth && row <= rowBytes(m):
		return Rows
	}
	return Scatter
}

// scatter chooses how a tile is filled.
func scatter(m Machine, s *Shape, bytes int) Plan {
	p := Plan{Strategy: Scatter}
	switch {
	case m.Path == tier.GenericPath || s.String:
	case !s.Miss && streams(m) && bytes >= streamFills(m) && s.Inner == 1 && s.Plane <= 1 && s.Width <= 8 && (s.Depth*s.Width >= ScratchBytes || !s.gaps()):
		p.Stream = true
	case s.Zero && bytes >= clearBytes:
	case bytes > m.L2 && s.Width <= 8:
		p.Fill = FillString
	default:
		p.Fill = FillVector
	}
	return p
}

// clearBytes is the output from which clear zeroes as fast as a kernel fills.
const clearBytes = 2 << 10

// streams reports whether there are non-temporal stores.
func streams(m Machine) bool { return m.Path == tier.AVX2Path || m.Path == tier.AVX512Path }

// The outputs from which non-temporal stores are best. Vector stores read what
// they replace, so that twice the output has to share the last-level cache with
// the indices and with whoever else uses it; string stores do not. Below these
// borders non-temporal stores would only send to memory what the caller may
// still find in a cache.
func streamPlanes(m Machine) int { return m.LLC * 3 / 8 }
func streamRows(m Machine) int   { return m.LLC * 5 / 8 }
func streamFills(m Machine) int  { return m.LLC }

// The tiles of Scatter.
const (
	// planeRun is the shortest run, in bytes, that a block of planes is cut to: the
	// start of each run shows.
	planeRun = 64 << 10
)

// A Tile is how many blocks, and how many columns of each, are written at a
// time.
type Tile struct {
	Outer, Inner int
}

// TileOf returns the tile for filling and scattering in turn: about a
// second-level cache. The fuller it is the longer the runs that are filled, and
// a cell need not be closer than that when it is stored. A block of planes is
// cut to columns only where it is larger than a last-level cache.
func TileOf(m Machine, s *Shape) Tile {
	row := max(s.Depth*s.Width, 1)
	if s.Inner > 1 && s.Inner > m.LLC/row {
		return Tile{1, min(max(m.L2/row, planeRun/s.Width), s.Inner)}
	}
	return Tile{max(m.L2/row/s.Inner, 1), s.Inner}
}
