//go:build !purego

package tier

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
)

// answers holds what a processor answers, by leaf and by index within the leaf.
// It answers zeros to all other questions.
type answers map[[2]uint32][4]uint32

func (a answers) ask(leaf, sub uint32) (eax, ebx, ecx, edx uint32) {
	r := a[[2]uint32{leaf, sub}]
	return r[0], r[1], r[2], r[3]
}

// vendor returns the answer to leaf 0.
func vendor(name string, last uint32) [4]uint32 {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32([]byte(name[at:])) }
	return [4]uint32{last, word(0), word(8), word(4)}
}

// cache returns the answer that describes one cache.
func cache(kind, level, ways, line, sets uint32) [4]uint32 {
	return [4]uint32{level<<5 | kind, (ways-1)<<22 | line - 1, sets - 1, 0}
}

func TestReadCaches(t *testing.T) {
	const (
		data, code, unified = 1, 2, 3

		intel, amd = 4, 0x8000001d
	)
	var (
		zero     = [2]uint32{0, 0}
		extended = [2]uint32{0x80000000, 0}
		features = [2]uint32{0x80000001, 0}
		topology = [4]uint32{0, 0, 1 << 22, 0}
	)
	forever := answers{zero: vendor("GenuineIntel", 0xffffffff)}
	for sub := range uint32(1000) {
		forever[[2]uint32{intel, sub}] = [4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}
	}
	for _, c := range []struct {
		name        string
		says        answers
		l1, l2, llc int
	}{
		{"nothing at all", nil, defaultL1, defaultL2, defaultLLC},
		{"Intel with three levels", answers{
			zero:       vendor("GenuineIntel", 0x20),
			{intel, 0}: cache(data, 1, 12, 64, 64),
			{intel, 1}: cache(code, 1, 8, 64, 64),
			{intel, 2}: cache(unified, 2, 16, 64, 2048),
			{intel, 3}: cache(unified, 3, 12, 64, 49152),
		}, 48 << 10, 2 << 20, 36 << 20},
		{"Intel with a last level for a hundred cores", answers{
			zero:       vendor("GenuineIntel", 0x24),
			{intel, 0}: cache(data, 1, 12, 64, 64),
			{intel, 1}: cache(code, 1, 16, 64, 64),
			{intel, 2}: cache(unified, 2, 16, 64, 2048),
			{intel, 3}: cache(unified, 3, 16, 64, 491520),
		}, 48 << 10, 2 << 20, maxLLC},
		{"Intel with the largest last level that counts in full", answers{
			zero:       vendor("GenuineIntel", 0x20),
			{intel, 0}: cache(unified, 3, 12, 64, 65536),
		}, defaultL1, defaultL2, maxLLC},
		{"Intel with a larger one", answers{
			zero:       vendor("GenuineIntel", 0x20),
			{intel, 0}: cache(unified, 3, 15, 64, 65536),
		}, defaultL1, defaultL2, 12 << 20},
		{"Intel with a last level for fifty cores", answers{
			zero:       vendor("GenuineIntel", 0x20),
			{intel, 0}: cache(data, 1, 12, 64, 64),
			{intel, 1}: cache(code, 1, 8, 64, 64),
			{intel, 2}: cache(unified, 2, 16, 64, 2048),
			{intel, 3}: cache(unified, 3, 15, 64, 114688),
		}, 48 << 10, 2 << 20, 21 << 20},
		{"the cache for code named last", answers{
			zero:       vendor("GenuineIntel", 0x20),
			{intel, 0}: cache(data, 1, 12, 64, 64),
			{intel, 1}: cache(code, 1, 16, 64, 64),
		}, 48 << 10, defaultL2, defaultLLC},
		{"a fourth level, on the side of memory", answers{
			zero:       vendor("GenuineIntel", 0x16),
			{intel, 0}: cache(data, 1, 8, 64, 64),
			{intel, 1}: cache(unified, 2, 4, 64, 1024),
			{intel, 2}: cache(unified, 3, 12, 64, 8192),
			{intel, 3}: cache(unified, 4, 16, 64, 131072),
		}, 32 << 10, 256 << 10, 6 << 20},
		{"Zen 5", answers{
			zero:     vendor("AuthenticAMD", 0x10),
			extended: {0x80000028}, features: topology,
			{amd, 0}: cache(data, 1, 12, 64, 64),
			{amd, 1}: cache(code, 1, 8, 64, 64),
			{amd, 2}: cache(unified, 2, 16, 64, 1024),
			{amd, 3}: cache(unified, 3, 16, 64, 32768),
		}, 48 << 10, 1 << 20, 32 << 20},
		{"Zen 5 with a cache on top", answers{
			zero:     vendor("AuthenticAMD", 0x10),
			extended: {0x80000028}, features: topology,
			{amd, 0}: cache(data, 1, 12, 64, 64),
			{amd, 1}: cache(unified, 2, 16, 64, 1024),
			{amd, 2}: cache(unified, 3, 16, 64, 98304),
		}, 48 << 10, 1 << 20, 96 << 20},
		{"AMD beyond the most", answers{
			zero:     vendor("AuthenticAMD", 0x10),
			extended: {0x80000028}, features: topology,
			{amd, 0}: cache(unified, 3, 16, 64, 1<<20),
		}, defaultL1, defaultL2, maxComplex},
		{"Hygon, and leaf 4 is not asked", answers{
			zero:     vendor("HygonGenuine", 0xd),
			extended: {0x8000001f}, features: topology,
			{intel, 0}: cache(data, 1, 1, 64, 2048),
			{amd, 0}:   cache(data, 1, 8, 64, 64),
			{amd, 1}:   cache(unified, 2, 8, 64, 1024),
			{amd, 2}:   cache(unified, 3, 16, 64, 8192),
		}, 32 << 10, 512 << 10, 8 << 20},
		{"AMD without the leaf", answers{
			zero:     vendor("AuthenticAMD", 0x10),
			extended: {0x8000001c}, features: topology,
			{amd, 0}: cache(data, 1, 12, 64, 64),
		}, defaultL1, defaultL2, defaultLLC},
		{"AMD without its feature", answers{
			zero:     vendor("AuthenticAMD", 0x10),
			extended: {0x80000028},
			{amd, 0}: cache(data, 1, 12, 64, 64),
		}, defaultL1, defaultL2, defaultLLC},
		{"Intel without the leaf", answers{
			zero:       vendor("GenuineIntel", 2),
			{intel, 0}: cache(data, 1, 12, 64, 64),
		}, defaultL1, defaultL2, defaultLLC},
		{"a last level that is hidden", answers{
			zero:       vendor("GenuineIntel", 0xd),
			{intel, 0}: cache(data, 1, 8, 64, 64),
			{intel, 1}: cache(unified, 2, 16, 64, 4096),
		}, 32 << 10, 4 << 20, defaultLLC},
		{"sizes below the least", answers{
			zero:       vendor("GenuineIntel", 0xd),
			{intel, 0}: cache(data, 1, 1, 64, 1),
			{intel, 1}: cache(unified, 2, 1, 64, 1),
			{intel, 2}: cache(unified, 3, 1, 64, 1),
		}, minL1, minL2, minLLC},
		{"sizes above the most", answers{
			zero:       vendor("GenuineIntel", 0xd),
			{intel, 0}: cache(data, 1, 1024, 64, 1024),
			{intel, 1}: cache(unified, 2, 1024, 64, 1024),
			{intel, 2}: cache(unified, 3, 1024, 64, 1<<20),
		}, maxL1, maxL2, maxLLC},
		{"a last level smaller than the second", answers{
			zero:       vendor("GenuineIntel", 0xd),
			{intel, 0}: cache(data, 1, 8, 64, 64),
			{intel, 1}: cache(unified, 2, 16, 64, 4096),
			{intel, 2}: cache(unified, 3, 16, 64, 2048),
		}, 32 << 10, 4 << 20, 4 << 20},
		{"all bits, as from a leaf that is not there", answers{
			zero:       vendor("GenuineIntel", 0xffffffff),
			{intel, 0}: {1<<5 | data, 0xffffffff, 0xffffffff, 0xffffffff},
			{intel, 1}: {2<<5 | unified, 0xffffffff, 0xffffffff, 0xffffffff},
		}, defaultL1, defaultL2, defaultLLC},
		{"caches without end", forever, defaultL1, defaultL2, defaultLLC},
		{"a level that is none", answers{
			zero:       vendor("GenuineIntel", 0xd),
			{intel, 0}: cache(data, 0, 8, 64, 64),
			{intel, 1}: cache(unified, 7, 8, 64, 64),
		}, defaultL1, defaultL2, defaultLLC},
	} {
		l1, l2, llc := readCaches(c.says.ask)
		assert.Equal(t, [3]int{c.l1, c.l2, c.llc}, [3]int{l1, l2, llc}, c.name)
	}
}

func TestVendorName(t *testing.T) {
	_, b, c, d := cpuid(0, 0)
	assert.Regexp(t, `^[ -~]{12}$`, name(b, d, c))
}
