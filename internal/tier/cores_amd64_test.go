//go:build !purego

package tier

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCores(t *testing.T) {
	for _, c := range []struct {
		name, vendor string
		version      uint32
		server, zen  bool
		intel        bool
	}{
		{"Skylake-SP", "GenuineIntel", 0x50654, true, false, true},
		{"Cascade Lake", "GenuineIntel", 0x50657, true, false, true},
		{"Cooper Lake", "GenuineIntel", 0x5065b, true, false, true},
		{"Skylake without a mesh", "GenuineIntel", 0x506e3, false, false, true},
		{"Ice Lake", "GenuineIntel", 0x606a6, false, false, true},
		{"an Atom of the same low digit", "GenuineIntel", 0x30650, false, false, true},
		{"another family", "GenuineIntel", 0x50f54, false, false, true},
		{"another vendor", "CentaurHauls", 0x50654, false, false, false},
		{"Zen", "AuthenticAMD", 0x800f12, false, true, false},
		{"Zen 2", "AuthenticAMD", 0x830f10, false, true, false},
		{"Zen 3", "AuthenticAMD", 0xa00f11, false, true, false},
		{"Zen 4", "AuthenticAMD", 0xa10f11, false, true, false},
		{"Zen 5", "AuthenticAMD", 0xb00f21, false, false, false},
		{"Excavator", "AuthenticAMD", 0x660f51, false, false, false},
		{"a Zen of another vendor", "HygonGenuine", 0x900f02, false, false, false},
		{"nothing at all", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 0, false, false, false},
	} {
		says := answers{{0, 0}: vendor(c.vendor, 0x16), {1, 0}: {c.version}}
		server, zen, intel := readCores(says.ask)
		assert.Equal(t, c.server, server, c.name)
		assert.Equal(t, c.zen, zen, c.name)
		assert.Equal(t, c.intel, intel, c.name)
	}
}
