package onehot

import "math"

// A path is a set of routines that a processor can run, from the one that
// every processor can to the widest.
type path uint8

const (
	generic path = iota
	neon
	avx2
	avx512
)

// String returns the name that Path reports.
func (p path) String() string {
	return [...]string{"generic", "neon", "avx2", "avx512"}[p]
}

// vectorBytes is the width of a vector register; the generic path has none.
func (p path) vectorBytes() int {
	return [...]int{0, 16, 32, 64}[p]
}

// A strategy is a way to write an output.
type strategy uint8

const (
	// direct fills a tile and lights a cell in it for each index: fill and
	// scatter. The cost is that of a fill and of one store per index.
	direct strategy = iota

	// expand writes whole vectors of shallow rows: it permutes classes across the
	// lanes, compares them with the lanes' places and blends. It never stores a
	// cell twice, and needs no store per index.
	expand

	// planes compares a vector of classes with one class after the other and
	// stores a run of each plane.
	planes
)

// A plan is how one job is written.
type plan struct {
	strategy strategy
	stream   bool   // past the caches, by non-temporal stores
	fill     filler // of direct
	step     tile   // of direct
	block    int    // indices of a block, of expand and planes
}

const (
	// expandBytes is the longest row that is expanded. A longer one costs so many
	// vectors that one more store for its index no longer shows.
	expandBytes = 256

	// cacheBytes is the output up to which vector stores are best: about a
	// second-level cache. Above it they read what they replace, which string
	// stores do not.
	cacheBytes = 1 << 20

	// streamLimit is the output from which non-temporal stores are best: about a
	// last-level cache. Below it they send to memory what the caller may still
	// find in a cache.
	streamLimit = 32 << 20
)

const (
	// largeBlock is how many indices a block has: enough to forget what the calls
	// cost, few enough that the buffers leave the first-level cache to the output.
	largeBlock = 1024

	// smallBlock is the block of small jobs: Go zeroes a buffer before its first
	// use, which a small job would notice.
	smallBlock = 128

	// minBlock is the least that every kernel takes. A block that would leave
	// less than that behind takes it along, hence the room for it.
	minBlock = 64
)

// plan chooses. This is the one place where a strategy is chosen.
func (j *job) plan() (p plan) {
	p.step = j.tileFor(j.width)
	tier := active()
	if tier == generic || j.onText != nil || j.depth == 0 {
		return p
	}
	n, size := j.outer*j.inner, j.need*j.width
	p.stream = size >= streamLimit && streams
	p.fill = j.filler(size)
	if n < minBlock || j.width > 8 || j.depth > math.MaxInt32 {
		return p
	}
	p.block = largeBlock
	switch row := j.depth * j.width; {
	case j.inner > 1 && j.inner*j.width >= tier.vectorBytes():
		p.strategy = planes
	case j.inner == 1 && j.stride == j.depth && 2 <= j.depth && j.depth <= 255 && row <= expandBytes:
		p.strategy = expand
		p.block = min(p.block, clearBytes/row-minBlock)
	}
	return p
}

// filler chooses how an output of that size is filled.
func (j *job) filler(size int) filler {
	switch {
	case size <= cacheBytes:
		return fillVector
	case j.off == element{}:
		return fillGo // clear uses string stores itself
	case j.width <= 8:
		return fillString
	}
	return fillVector
}
