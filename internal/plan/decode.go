package plan

// This file has the limits of Decode.

const (
	// HitCells is how many cells become bits at a time, and the most cells of a
	// block of planes that is decoded from bits; HitRow is the longest row, in
	// cells, of which several become bits together; LargeLanes and SmallLanes are
	// the bytes of the lanes in which columns are decoded. Half of HitCells saves
	// 1%, twice costs 3%; half of HitRow costs 9%, twice 15%, with AVX2 25% and 5%;
	// half of LargeLanes costs 3%, twice saves 4%; half of SmallLanes costs 1%,
	// twice saves 3%. SmallHits is the most cells of a job that gets less room,
	// which Go zeroes sooner. On a Zen 5 half costs 3%, twice nothing. Small calls
	// decode rows of up to HitRow cells, and up to SmallHits cells in all.
	HitCells               = 16 << 10
	SmallHits              = 2 << 10
	HitRow                 = 160
	LargeLanes, SmallLanes = 8 << 10, 512
)
