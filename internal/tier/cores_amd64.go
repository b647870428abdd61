//go:build !purego

package tier

func skylakeServer() bool { return isSkylakeServer(cpuid) }

// isSkylakeServer tells the cores by family and model, which a hypervisor
// passes on even where it hides AVX-512.
func isSkylakeServer(ask func(leaf, sub uint32) (a, b, c, d uint32)) bool {
	vendor, family, model := core(ask)
	return vendor == "GenuineIntel" && family == 6 && model == 0x55
}

func zen1To4() bool { return isZen1To4(cpuid) }

// isZen1To4 tells the cores by the family: Zen and Zen 2 share one, Zen 3 and
// Zen 4 another.
func isZen1To4(ask func(leaf, sub uint32) (a, b, c, d uint32)) bool {
	vendor, family, _ := core(ask)
	return vendor == "AuthenticAMD" && (family == 0x17 || family == 0x19)
}

func intel() bool { return isIntel(cpuid) }

func isIntel(ask func(leaf, sub uint32) (a, b, c, d uint32)) bool {
	vendor, _, _ := core(ask)
	return vendor == "GenuineIntel"
}

// core returns the processor's vendor, its family and its model.
func core(ask func(leaf, sub uint32) (a, b, c, d uint32)) (vendor string, family, model uint32) {
	_, b, c, d := ask(0, 0)
	version, _, _, _ := ask(1, 0)
	family, model = version>>8&15, version>>4&15|version>>12&0xf0
	if family == 15 { // then there is more of it
		family += version >> 20 & 0xff
	}
	return name(b, d, c), family, model
}
