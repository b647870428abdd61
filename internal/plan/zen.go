package plan

import "github.com/go-onehot/onehot/internal/tier"

// This file holds the limits that differ on AMD's cores up to Zen 4, on the
// AVX2 path, which programs take up to Zen 3.

// zen reports whether the kernels of AVX2 run on AMD's cores up to Zen 4.
func (m *Machine) zen() bool { return m.Zen1To4 && m.Path == tier.AVX2Path }

// zenHere is zen for the processor at hand.
func zenHere() bool { return tier.Zen1To4 && tier.AVX2 && !tier.AVX512 }

// zenCell is nearCell where zen holds. On a Zen 3 planes that the first-level
// cache holds take 1.01 times as long with it as by the better way of each,
// with nearCell 1.03 times, 1.11 times if cells have 16 bytes. Two less cost
// 1.5%.
const zenCell = 11

// zenColumns reports whether planes that are long, but not many, go by columns
// beyond most of the second-level cache, too. On a Zen 3 they take 0.55 to 0.95
// times as long for it. Half of zenPlanes costs 25%, in rotation through 64 MiB
// 45%; twice costs up to 10%, in rotation 40%. Half of zenRun saves up to 15%,
// but in rotation costs 10 to 40%; twice costs up to 30%, in rotation 35%.
func (m *Machine) zenColumns(planes, run int) bool {
	return m.zen() && planes <= zenPlanes && run >= zenRun
}

const zenPlanes, zenRun = 16, 4 << 10

// zenRow returns the longest row that is blended in so many bytes, below half
// of the last-level cache. Near the first-level cache stores of cells cost
// little, unless some of them are of a Miss; beyond the second-level cache a
// fill and stores cost as much as writing the rows twice. On a Zen 3 half of
// zenNear costs up to 25%, twice 20 to 50%, in rotation through 64 MiB half
// costs 15% and twice nothing; half of zenFar costs 20 to 30%, twice 40%, in
// rotation 20% and nothing. narrowBlend costs 2 to 25% near and 5 to 15% far.
func (m *Machine) zenRow(bytes int, hasMiss bool) int {
	switch {
	case bytes > m.L2:
		return zenFar
	case bytes <= m.L2/2 && !hasMiss:
		return zenNear
	}
	return narrowBlend
}

const zenNear, zenFar = 140, 320

// zenRepair is the shortest row, in bytes, that Repair writes again where zen
// holds. On a Zen 3 half costs 2 to 8%, twice 2 to 6%.
const zenRepair = 48

// zenSet is narrowSet where zen holds, and rows may have setWords words there.
// On a Zen 3, in 2,400 calls of 64 to 16,000 rows with no miss or one in twenty
// indices, sets take 1.03 times as long as by the better way of each. With
// narrowSet they do, too, except for the longest rows: 4096 rows of setWords
// words, with 8 classes, take 1.3 times as long. Half and twice of each number
// cost up to 2%.
var zenSet = marking{2000, 8, 26}
