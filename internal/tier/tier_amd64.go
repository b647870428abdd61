//go:build !purego

package tier

import "golang.org/x/sys/cpu"

var (
	AVX2 = cpu.X86.HasAVX && cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

	AVX512 = AVX2 && cpu.X86.HasAVX512 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasBMI2
)

const NEON = false

func force(p Path) { AVX512, AVX2 = p == AVX512Path, p >= AVX2Path }
