package plan

import "github.com/go-onehot/onehot/internal/tier"

// A Strategy is a way to write an output.
type Strategy uint8

const (
	// Scatter fills a tile with Off and stores one cell for each index.
	Scatter Strategy = iota
	// Rows blends shallow rows: each cell takes On or Off by a bit of its own.
	Rows
	// Planes blends each plane by comparison; Decode reads cells plane by plane.
	Planes
	// BitPlanes compares likewise, and the resulting bits are the output.
	BitPlanes
	// Sets collects the bits of a row's several classes and blends the row from
	// these.
	Sets
	// Hits makes a bit of each cell that is on, and decodes rows, or planes of few
	// columns, from the bits.
	Hits
)

// String returns the name of a strategy.
func (s Strategy) String() string {
	return [...]string{"scatter", "rows", "planes", "bit planes", "sets", "hits"}[s]
}

// Strategies is the number of strategies.
const Strategies = int(Hits) + 1

// A Filler is a way to write Off to a run of cells.
type Filler uint8

const (
	FillGo     Filler = iota // clear, or doubling copies
	FillVector               // vector stores, mostly for runs that stay in the first two caches
	FillRepeat               // string stores of amd64, which do not read the lines that they replace; vector stores for values that take 16 bytes, and for few bytes
	FillStream               // non-temporal stores, for all of the output at once
)

// String returns the name of a filler.
func (f Filler) String() string { return [...]string{"clear", "vectors", "repeat", "non-temporal"}[f] }

// A Plan says how one job is written.
type Plan struct {
	Strategy  Strategy
	Stream    bool   // non-temporal stores
	Tiles     bool   // Stream only: tiles are made in a scratch buffer or, to scatter, at the end of the output, and copied
	ByColumns bool   // Planes only: a few columns of every plane, then the next columns
	Fill      Filler // Scatter only
	Block     int    // indices at a time, or rows at a time where a row has several indices
	First     int    // Rows only: the rows of a short first block, written by ordinary stores; 0 for none
}

// Encode chooses how an encoding is written, except for small calls: see
// SmallRows and SmallPlanes.
func Encode(m *Machine, s *Shape) Plan {
	n, bytes := s.Outer*s.Inner, max(s.bytes(), s.Whole)
	kernels := m.Path != tier.GenericPath && !s.String && n >= Least && s.Depth <= KernelDepth && !(s.Text && s.Depth > Classes)
	switch {
	case kernels && s.blends(m, bytes):
		return s.rows(m, n, bytes)
	case kernels && s.comparesPlanes(m, bytes):
		return s.planes(m, n, bytes)
	}
	return s.scatter(m, bytes, 1, leastTile)
}

// Columns chooses how a table of that many columns is written: from bits, or by
// filling and scattering. s.Depth is the width of a row. The cells of misses
// are written twice, which does not suit non-temporal stores, so that large
// tables with a Miss are scattered to in tiles.
func Columns(m *Machine, s *Shape, columns int) Plan {
	block := m.tableBlock(s.Outer, columns, s.Depth, s.Width)
	if block == 0 || s.String || s.gaps() || s.Miss && s.scattersTiles(m, s.bytes(), columns, leastTable) {
		return s.scatter(m, s.bytes(), max(columns, 2), leastTable)
	}
	return Plan{Strategy: Sets, Stream: !s.Miss && m.streamsRows(s.bytes()), Block: block}
}

// MultiHot chooses how rows of k classes each are written.
func MultiHot(m *Machine, s *Shape, k int) Plan {
	if s.String || s.gaps() || !m.marksSets(s.Outer, k, s.Depth, s.Width) {
		return s.scatter(m, s.bytes(), max(k, 2), leastSet)
	}
	return Plan{Strategy: Sets, Stream: m.streamsRows(s.bytes()), Block: setsBlock(k)}
}

// Bits chooses how bit planes are written. Comparing costs the same for every
// cell; setting the bits of a filled tile costs the same for every index and
// leaves the other cells to the fill.
func Bits(m *Machine, n, depth int) Plan {
	if depth <= 0 {
		return Plan{}
	}
	large := m.streams() && bitPlane(n) >= m.largeBits()/depth
	switch {
	case !m.comparesBits(n, depth, large):
		return Plan{}
	case large && !m.skylake():
		return Plan{Strategy: BitPlanes, Stream: true, Block: BitsBlock}
	}
	return Plan{Strategy: BitPlanes, Block: columnBlock(n)}
}

// Decode chooses how rows or columns are decoded.
func Decode(m *Machine, s *Shape) Plan {
	if m.Path == tier.GenericPath || s.String || s.Width > 8 || s.Depth == 0 {
		return Plan{}
	}
	touching := s.Outer * s.Depth * s.Inner // cells without a gap between them, which one call of a kernel could take
	if s.gaps() {
		touching = s.Depth * s.Inner
	}
	switch {
	case s.Inner >= Least:
		return Plan{Strategy: Planes}
	case s.Plane == s.Inner && touching >= Least && (s.Inner == 1 || s.Depth*s.Inner <= HitCells):
		return Plan{Strategy: Hits}
	}
	return Plan{}
}
