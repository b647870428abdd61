//go:build !purego

package tier

func cores() (skylakeServer, zen1To4, intel bool) { return readCores(cpuid) }

// readCores tells the cores by vendor, family and model, which a hypervisor
// passes on even where it hides AVX-512. Zen and Zen 2 share a family, Zen 3
// and Zen 4 another.
func readCores(ask func(leaf, sub uint32) (a, b, c, d uint32)) (skylakeServer, zen1To4, intel bool) {
	_, b, c, d := ask(0, 0)
	version, _, _, _ := ask(1, 0)
	family, model := version>>8&15, version>>4&15|version>>12&0xf0
	if family == 15 { // then there is more of it
		family += version >> 20 & 0xff
	}
	vendor := name(b, d, c)
	intel = vendor == "GenuineIntel"
	return intel && family == 6 && model == 0x55, vendor == "AuthenticAMD" && (family == 0x17 || family == 0x19), intel
}
