//go:build !purego

package tier

func skylakeServer() bool { return isSkylakeServer(cpuid) }

// isSkylakeServer tells the cores by family and model, which a hypervisor
// passes on even where it hides AVX-512.
func isSkylakeServer(ask func(leaf, sub uint32) (a, b, c, d uint32)) bool {
	_, b, c, d := ask(0, 0)
	version, _, _, _ := ask(1, 0)
	family, model := version>>8&15, version>>4&15|version>>12&0xf0
	return name(b, d, c) == "GenuineIntel" && family == 6 && model == 0x55
}
