//go:build !purego

package tier

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsSkylakeServer(t *testing.T) {
	for _, c := range []struct {
		name, vendor string
		version      uint32
		want         bool
	}{
		{"Skylake-SP", "GenuineIntel", 0x50654, true},
		{"Cascade Lake", "GenuineIntel", 0x50657, true},
		{"Cooper Lake", "GenuineIntel", 0x5065b, true},
		{"Skylake without a mesh", "GenuineIntel", 0x506e3, false},
		{"Ice Lake", "GenuineIntel", 0x606a6, false},
		{"an Atom of the same low digit", "GenuineIntel", 0x30650, false},
		{"another family", "GenuineIntel", 0x50f54, false},
		{"another vendor", "CentaurHauls", 0x50654, false},
		{"Zen 5", "AuthenticAMD", 0xb00f21, false},
		{"nothing at all", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 0, false},
	} {
		says := answers{{0, 0}: vendor(c.vendor, 0x16), {1, 0}: {c.version}}
		assert.Equal(t, c.want, isSkylakeServer(says.ask), c.name)
	}
}

func TestIsZen1To4(t *testing.T) {
	for _, c := range []struct {
		name, vendor string
		version      uint32
		want         bool
	}{
		{"Zen", "AuthenticAMD", 0x800f12, true},
		{"Zen 2", "AuthenticAMD", 0x830f10, true},
		{"Zen 3", "AuthenticAMD", 0xa00f11, true},
		{"Zen 4", "AuthenticAMD", 0xa10f11, true},
		{"Zen 5", "AuthenticAMD", 0xb00f21, false},
		{"Excavator", "AuthenticAMD", 0x660f51, false},
		{"another vendor", "HygonGenuine", 0x900f02, false},
		{"Cascade Lake", "GenuineIntel", 0x50657, false},
		{"nothing at all", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 0, false},
	} {
		says := answers{{0, 0}: vendor(c.vendor, 0x16), {1, 0}: {c.version}}
		assert.Equal(t, c.want, isZen1To4(says.ask), c.name)
	}
}
