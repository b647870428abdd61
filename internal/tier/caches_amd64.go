//go:build !purego

package tier

import "encoding/binary"

// cpuid is the instruction of that name.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func caches() (l1, l2, llc int) { return readCaches(cpuid) }

// What the sizes are clamped to: no core is known that has less or more, and a
// hypervisor may say anything.
const (
	minL1, maxL1   = 16 << 10, 128 << 10
	minL2, maxL2   = 256 << 10, 8 << 20
	minLLC, maxLLC = 1 << 20, 512 << 20
)

// readCaches reads the sizes from what a processor answers. A level that it
// does not name has the default size, the last too: hypervisors hide that cache
// more often than cores lack it, and to take the second level for the last
// would send to memory what the hidden one holds.
func readCaches(ask func(leaf, sub uint32) (a, b, c, d uint32)) (l1, l2, llc int) {
	var sizes [4]int // by level
	if leaf := cacheLeaf(ask); leaf != 0 {
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
	llc = sizeWithin(sizes[3], minLLC, maxLLC, defaultLLC)
	return l1, l2, max(llc, l2)
}

// cacheLeaf is the leaf that names the caches one by one, or 0: that of AMD and
// of Hygon is another than that of everybody else, and both have one layout.
func cacheLeaf(ask func(leaf, sub uint32) (a, b, c, d uint32)) uint32 {
	const (
		deterministic = 4
		extended      = 0x80000000
		features      = 0x80000001
		topology      = 0x8000001d
		hasTopology   = 1 << 22
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
