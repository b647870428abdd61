//go:build !purego

package tier

import "encoding/binary"

// cpuid executes the CPUID instruction.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func caches() (l1, l2, llc int) { return readCaches(cpuid) }

// The bounds to which cache sizes are clamped, since a hypervisor may report
// anything. No core is known to have caches of its own beyond these bounds.
//
// A last-level cache that all cores share, perhaps a hundred of them, gives one
// core only a part, and a hypervisor does not say how many cores share it. On a
// Granite Rapids that reports 480 MiB for its two cores, ordinary stores keep
// the rate of a cache up to 56 MiB. Beyond, they are 0.4 times as fast as
// non-temporal stores, which take 1.1 to 1.2 times as long within it. Where
// calls write four outputs of 28 to 52 MiB in turn, though, ordinary stores
// take 1.3 to 3 times as long, so that the limit is not higher. On a Sapphire
// Rapids that reports 105 MiB ordinary stores keep that rate up to 12 MiB:
// there non-temporal stores take as long, at 8 MiB 1.2 to 1.5 times as long,
// and from 16 MiB on 0.6 to 0.9 times. A cache of more than maxLLC therefore
// counts for one part in sharers, of which plan takes a half or so, and for no
// more than maxLLC. Smaller ones, which fewer cores share, count in full:
// Intel's desktops have up to 36 MiB. AMD has a cache for every four to sixteen
// cores, and one core may fill it: maxComplex.
const (
	minL1, maxL1   = LeastL1, 128 << 10
	minL2, maxL2   = 256 << 10, 8 << 20
	minLLC, maxLLC = 1 << 20, 48 << 20
	sharers        = 5
	maxComplex     = 128 << 20
)

// readCaches reads the sizes from the answers of a processor. A level that the
// processor does not name gets its default size. So does the last level:
// hypervisors hide that cache more often than cores lack it, and taking the
// second level for the last would send to memory what the hidden cache holds.
func readCaches(ask func(leaf, sub uint32) (a, b, c, d uint32)) (l1, l2, llc int) {
	var sizes [4]int // by level
	most := maxLLC
	if leaf := cacheLeaf(ask); leaf != 0 {
		if leaf == topology {
			most = maxComplex
		}
		for sub := range uint32(16) { // more caches than any core has; nonsense might not end
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
	if sizes[3] > maxLLC && most == maxLLC {
		sizes[3] /= sharers
	}
	llc = sizeWithin(sizes[3], minLLC, most, defaultLLC)
	return l1, l2, max(llc, l2)
}

// The leaves that name the caches one by one, in the same layout: topology of
// AMD and Hygon, deterministic of all others.
const topology, deterministic = 0x8000001d, 4

// cacheLeaf returns the leaf that the processor has, or 0.
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

// name returns the vendor's name, which has four letters in each register.
func name(registers ...uint32) string {
	var letters []byte
	for _, r := range registers {
		letters = binary.LittleEndian.AppendUint32(letters, r)
	}
	return string(letters)
}

// cacheSize returns the product of ways, partitions, bytes of a line and sets,
// each stored less one, or 0 if the product is more than any cache has.
func cacheSize(b, c uint32) int {
	ways, partitions, line, sets := uint64(b>>22)+1, uint64(b>>12&1023)+1, uint64(b&4095)+1, uint64(c)+1
	size := ways * partitions * line // at most 2^32
	if sets > 1<<40/size {
		return 0
	}
	return int(size * sets)
}

// sizeWithin clamps a size. A size of 0 is unknown.
func sizeWithin(size, least, most, unknown int) int {
	if size == 0 {
		return unknown
	}
	return min(max(size, least), most)
}
