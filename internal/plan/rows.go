package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file decides which rows are blended, how many at a time, and which rows
// of misses are written twice.

const (
	// MaxDepth is the deepest row that any kernel of Rows takes, and MaxRow the
	// longest, in bytes, as their contract has it. See also Deepest.
	MaxDepth, MaxRow = Classes, blendBytes

	// neonDepth is the deepest row of NEON, whose kernels count columns in bytes,
	// up to a vector beyond the last. byteMiss is the deepest row with a Miss of
	// AVX2, whose kernel takes the highest bit of a class for a miss.
	neonDepth, byteMiss = MaxDepth + 1 - 16, 128

	// blendBytes is the longest row that is blended on any path. On a Granite
	// Rapids half costs 16%, twice saves 2%. On a Zen 4 half of 384 costs 16%,
	// twice saves 1%.
	blendBytes = 512

	// nearBlend is the longest row that is blended where nearL1 holds: an output
	// that vector stores fill twice as fast as kernels blend it. On a Granite
	// Rapids half costs up to 27%, twice up to 35%, by size and shape. On a Zen 5
	// half of 128 saves 3%, twice costs 26%. A Zen 4 fills at half that rate.
	//
	// With a Miss the limit there is blendBytes, on Intel's cores nearMiss. On the
	// Zen 5 blending takes 0.75 to 1.0 times as long in rows between the two limits
	// where one in a hundred is a miss, and half as long where one in ten is.
	nearBlend = 96

	// farBlend is the longest row that is blended beyond the second-level cache,
	// where clear, unlike vector stores, does not read what it replaces. On Intel's
	// cores the limit is blendBytes: their kernels prefetch what they replace, or
	// store past the caches. On a Sapphire Rapids rows of 320 to 512 bytes take 0.7
	// to 0.9 times as long for it. On a Granite Rapids half of 320 costs 30 to 45%,
	// twice saves 9 to 15%. On a Zen 5, where 220 is best, half of 220 costs 14%,
	// twice 11%. On a Zen 4 half of 240 costs 25%, twice saves 3%. Rows of 256
	// bytes, which are common, take 1.0 to 1.1 times as long to blend on the Zen 5,
	// and 0.85 times on the Zen 4; rows of 288 and 320 bytes take 1.05 to 1.15
	// times as long on the Zen 5.
	farBlend = 256

	// narrowBlend is the longest row that AVX2 blends, but see skylakeRow. A Zen 5,
	// whose programs take the AVX-512 path, fills the second-level cache at twice
	// the rate of its AVX2 kernels: in that cache half saves 22%, twice costs 50%;
	// beyond it half saves 2%, twice costs 20%. Yet up to 208 bytes AVX2 blends
	// faster than clear and a store for each index write. On a Zen 4, where 224 is
	// best, half of 224 costs 14%, twice 36%. On a Granite Rapids half of 192 in
	// that cache costs 40 to 50%, twice saves 13%; half of 256 beyond it costs 40
	// to 60%, twice saves 15 to 30%.
	narrowBlend = 208

	// neonBlend is the longest row that NEON blends. It was not measured on a
	// processor.
	neonBlend = 256

	// StreamRow is the longest row that goes by way of the scratch buffer of
	// non-temporal stores. Unless streamsLines holds and there is no Miss, it is
	// also the longest that is blended from half of the last-level cache on, though
	// such stores begin later, at streamRows. Most lines of longer rows are zeros,
	// which clear writes faster. On a Zen 5 half costs 8%, twice 15 to 20%.
	StreamRow = 128
)

// rows says how n rows, of so many bytes in all, are blended.
func (s *Shape) rows(m *Machine, n, bytes int) Plan {
	row := s.Depth * s.Width
	p := Plan{Strategy: Rows, Stream: m.streamsRows(bytes)}
	most := CallBytes - (Least-1)*row
	if p.Tiles = s.rowTiles(m, bytes); p.Tiles {
		most = ScratchBytes
	} else if p.Stream || bytes >= AlignRows {
		p.First, _ = ToLine(s.Start, row)
	}
	p.Block = max(min(block(n, bytes >= largeRows), most/row)&^(Least-1), Least)
	return p
}

// rowTiles reports whether rows, of so many bytes in all, are streamed by way
// of the scratch buffer. The kernels that stream them in place write whole
// lines and know no Miss; that of AVX2 takes only rows of whole words of 4
// bytes.
func (s *Shape) rowTiles(m *Machine, bytes int) bool {
	if !m.streamsRows(bytes) {
		return false
	}
	row := s.Depth * s.Width
	_, lines := ToLine(s.Start, row)
	return !lines || s.Miss || row%4 != 0 && !m.streamsLines()
}

// blends reports whether an output of so many bytes is rows that are blended.
// Rows longer than StreamRow are not if they would go by way of the scratch
// buffer, which has no room for them.
func (s *Shape) blends(m *Machine, bytes int) bool {
	return s.Inner == 1 && s.Stride == s.Depth && m.blendsRows(s.Depth, s.Width, bytes, s.Miss) &&
		(s.Depth*s.Width <= StreamRow || !s.rowTiles(m, bytes))
}

// blendsRows reports whether the rows of an output of so many bytes are
// blended. Longer rows are filled and scattered to: one more store for each
// index does not matter there.
func (m *Machine) blendsRows(depth, width, bytes int, hasMiss bool) bool {
	row, longest := depth*width, neonBlend
	switch {
	case m.Path == tier.GenericPath || depth < 2 || depth > Deepest(m.Path, hasMiss):
		return false
	case m.skylake():
		longest = m.skylakeRow(bytes, hasMiss)
	case m.streams() && bytes >= m.LLC/2 && (hasMiss || !m.streamsLines()):
		longest = StreamRow
	case m.zen():
		longest = m.zenRow(bytes, hasMiss)
	case m.Path == tier.AVX2Path:
		longest = narrowBlend
	case m.Path == tier.AVX512Path:
		longest = m.longestRow(depth, width, bytes, hasMiss)
	}
	return row <= longest
}

// longestRow returns the longest row that AVX-512 blends in an output of so
// many bytes, whose rows have depth cells. It is 0 where holdsBlock matters and
// says no.
func (m *Machine) longestRow(depth, width, bytes int, hasMiss bool) int {
	switch near := m.nearL1(bytes); {
	case near && !hasMiss:
		return nearBlend
	case near && m.Intel:
		return nearMiss
	case !m.holdsBlock(depth, width):
		return 0
	case bytes > m.L2 && !m.Intel:
		return farBlend
	}
	return blendBytes
}

// Deepest returns the deepest row that the kernels of Rows take on a path.
func Deepest(p tier.Path, hasMiss bool) int {
	switch {
	case p == tier.NEONPath:
		return neonDepth
	case p == tier.AVX2Path && hasMiss:
		return byteMiss
	}
	return MaxDepth
}

// holdsBlock reports whether the first-level cache holds a block of AVX-512, 64
// rows, together with the kernel's table. The table has a byte for each cell of
// the block, and counts 8/5 times because it is read for every block. Beyond
// 6/5 of the cache, kernels are slower than a fill and a store for each index:
// on a Zen 4 beyond 236 cells of a byte, 170 of two, 109 of four and 64 of
// eight. Half costs 14%, twice 8%, and 35% where cells are two bytes. A cache
// of 48 KiB holds all rows up to blendBytes.
func (m *Machine) holdsBlock(depth, width int) bool {
	cells := depth * max(width/8, 1) // a cell of 16 bytes counts as two
	return 64*(5*depth*width+8*cells) <= 6*m.L1
}

// RepairOften is the fewest rows for each miss with which Repair pays. With
// AVX2, on a Cascade Lake, half costs 5 to 20% in rows of less than 32 bytes
// and saves 10 to 30% in longer ones, twice costs 5 to 35%. On a Zen 5 half of
// 32 costs 1%.
const RepairOften = 16

// Repair reports whether rows of depth cells are best written as if there were
// no misses, and the rows of misses then written again. In a short row, finding
// a miss costs more than writing the row. In a long row it pays: the kernel
// that handles misses takes two fifths longer than the one that does not, on a
// Zen 5 a fifth, with AVX-512 a tenth, which is too little unless cells are
// bytes. NEON has no kernels for it. zero says that Off is zero.
//
// Up to Zen 4 the kernel of AVX2 takes little longer: these cores store at most
// one vector in a cycle, and blend another meanwhile. There it pays only from
// zenRepair on, and only where Off is zero: elsewhere, on a Zen 3, writing rows
// again takes 1.0 to 1.5 times as long.
//
// With AVX2, on a Cascade Lake, where one in a hundred is a miss, half of
// narrowRow costs 8%, twice 7%. wideRow is where the kernel of AVX-512 for
// misses among bytes changes to another loop: on a Zen 5 32 in its place costs
// 15%, twice 10%. Small outputs do not repay the time to begin: half of
// narrowBytes costs 2%, twice 7%, half of wideBytes costs 10%, twice nothing.
func Repair(path tier.Path, rows, misses, depth, width int, zero bool) bool {
	const (
		narrowRow, narrowBytes = 8, 4 << 10
		wideRow, wideBytes     = 44, 16 << 10
	)
	row, pays := depth*width, false
	switch {
	case path == tier.AVX2Path && tier.Zen1To4:
		pays = row >= zenRepair && rows*row >= narrowBytes && zero
	case path == tier.AVX2Path:
		pays = row >= narrowRow && rows*row >= narrowBytes
	case path == tier.AVX512Path && width == 1:
		pays = row >= wideRow && rows*row >= wideBytes
	}
	return pays && misses*RepairOften <= rows
}
