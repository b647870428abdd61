//go:build !purego

package tier

import "encoding/binary"

// cpuid is the instruction of that name.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func caches() (l1, l2, llc int) { return readCaches(cpuid) }

// What the sizes are clamped to, since a hypervisor may say anything. No core
// is known that has caches of its own beyond these bounds.
//
// Of a last-level cache that all cores share, a hundred of them, one core has a
// part, and how many share it a hypervisor does not say either. On a Xeon that
// says 480 MiB for its two cores (family 6, model 167 as it says), ordinary
// stores keep the rate of a cache up to 56 MiB, and are 0.4 times as fast as
// non-temporal ones beyond; within it these take 1.1 to 1.2 times as long. So
// what it is clamped to is rather too little, for many workers on one output
// too. AMD has a cache for four to sixteen cores, which one of them may fill.
const (
	minL1, maxL1   = LeastL1, 128 << 10
	minL2, maxL2   = 256 << 10, 8 << 20
	minLLC, maxLLC = 1 << 20, 48 << 20
	maxComplex     = 128 << 20
)

// readCaches reads the sizes from what a processor answers. A level that it
// does not name has the default size, the last too: hypervisors hide that cache
// more often than cores lack it, and to take the second level for the last
// would send to memory what the hidden one holds.
func readCaches(ask func(leaf, sub uint32) (a, b, c, d uint32)) (l1, l2, llc int) {
	var sizes [4]int // by level
	most := maxLLC
	if leaf := cacheLeaf(ask); leaf != 0 {
		if leaf == topology {
			most = maxComplex
		}
		for sub := range uint32(16) { // more caches than any core has: nonsense need not end
			a, b, c, _ := ask(leaf, sub)
			kind, level := a&31, a>>5&7
			if kind == 0 {
				break
			}
			const data, unified = 1, 3
			if (kind == data || kind == unified) && level < 4 {
				sizes[level] = cacheSize(b, c)
			}
		}
	}
	l1 = sizeWithin(sizes[1], minL1, maxL1, defaultL1)
	l2 = sizeWithin(sizes[2], minL2, maxL2, defaultL2)
	llc = sizeWithin(sizes[3], minLLC, most, defaultLLC)
	return l1, l2, max(llc, l2)
}

// The leaves that name the caches one by one, in one layout: that of AMD and of
// Hygon, and that of everybody else.
const topology, deterministic = 0x8000001d, 4

// cacheLeaf is the leaf that a processor has, or 0.
func cacheLeaf(ask func(leaf, sub uint32) (a, b, c, d uint32)) uint32 {
	const (
		extended    = 0x80000000
		features    = 0x80000001
		hasTopology = 1 << 22
	)
	last, b, c, d := ask(0, 0)
	switch name(b, d, c) {
	case "AuthenticAMD", "HygonGenuine":
		if last, _, _, _ := ask(extended, 0); last < topology {
			return 0
		}
		if _, _, c, _ := ask(features, 0); c&hasTopology == 0 {
			return 0
		}
		return topology
	}
	if last < deterministic {
		return 0
	}
	return deterministic
}

// name is the vendor's name, of four letters a register.
func name(registers ...uint32) string {
	var letters []byte
	for _, r := range registers {
		letters = binary.LittleEndian.AppendUint32(letters, r)
	}
	return string(letters)
}

// cacheSize is ways times partitions times the bytes of a line times sets, each
// of which is given less one. It is 0 where that is more than any cache has.
func cacheSize(b, c uint32) int {
	ways, partitions, line, sets := uint64(b>>22)+1, uint64(b>>12&1023)+1, uint64(b&4095)+1, uint64(c)+1
	size := ways * partitions * line // 2^32 at most
	if sets > 1<<40/size {
		return 0
	}
	return int(size * sets)
}

// sizeWithin clamps a size; 0 is one that is not known.
func sizeWithin(size, least, most, unknown int) int {
	if size == 0 {
		return unknown
	}
	return min(max(size, least), most)
}
