//go:build (!amd64 && !arm64) || purego

package tier

const AVX2, AVX512, NEON = false, false, false

func force(Path) {}
