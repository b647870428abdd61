package figures

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Processor returns the name of the processor that a /proc/cpuinfo describes,
// by its family and model, as in "Zen 4 (family 25 model 17)": its model name
// often says no more than who made it. It returns "" if cpuinfo does not say.
func Processor(cpuinfo string) string {
	field := func(key string) string {
		for _, line := range strings.Split(cpuinfo, "\n") {
			name, value, found := strings.Cut(line, ":")
			if found && strings.TrimSpace(name) == key {
				return strings.TrimSpace(value)
			}
		}
		return ""
	}
	family, err := strconv.Atoi(field("cpu family"))
	if err != nil {
		return armCore(field("CPU implementer"), field("CPU part"))
	}
	model, err := strconv.Atoi(field("model"))
	if err != nil {
		return ""
	}
	name := field("model name")
	switch field("vendor_id") {
	case "AuthenticAMD":
		name = amdName(family, model, name)
	case "GenuineIntel":
		name = intelName(family, model, name)
		if model == 0xa7 { // what some hypervisors call all later servers
			cache, _, _ := strings.Cut(field("cache size"), " KB")
			kib, _ := strconv.Atoi(cache)
			name = laterServer(strings.Fields(field("flags")), kib, name)
		}
	}
	return fmt.Sprintf("%s (family %d model %d)", name, family, model)
}

func amdName(family, model int, other string) string {
	switch {
	case family == 0x17 && model < 0x30:
		return "Zen"
	case family == 0x17:
		return "Zen 2"
	case family == 0x19 && (model >= 0x10 && model < 0x20 || model >= 0x60 && model < 0xb0):
		return "Zen 4"
	case family == 0x19:
		return "Zen 3"
	case family == 0x1a:
		return "Zen 5"
	}
	return other
}

func intelName(family, model int, other string) string {
	short, _, _ := strings.Cut(other, "@")
	short = strings.NewReplacer("(R)", "", "(TM)", "", "Intel", "", "Processor", "", "CPU", "").Replace(short)
	if words := strings.Fields(short); len(words) > 0 {
		other = strings.Join(words, " ")
	}
	if family != 6 {
		return other
	}
	switch model {
	case 0x3c, 0x3f, 0x45, 0x46:
		return "Haswell"
	case 0x3d, 0x47, 0x4f, 0x56:
		return "Broadwell"
	case 0x4e, 0x5e:
		return "Skylake"
	case 0x55:
		return "Skylake-SP"
	case 0x6a, 0x6c, 0x7d, 0x7e:
		return "Ice Lake"
	case 0x8c, 0x8d:
		return "Tiger Lake"
	case 0x8f:
		return "Sapphire Rapids"
	case 0x97, 0x9a:
		return "Alder Lake"
	case 0xcf:
		return "Emerald Rapids"
	case 0xad, 0xae:
		return "Granite Rapids"
	}
	return other
}

// laterServer tells servers apart by what they can do or, since a hypervisor
// may hide that, by their cache: no server before Granite Rapids has more than
// 320 MiB. An Emerald Rapids, and a smaller Granite Rapids of which that is
// hidden, pass for a Sapphire Rapids.
func laterServer(flags []string, cacheKiB int, other string) string {
	const mostBefore = 320 << 10
	amx := slices.Contains(flags, "amx_tile")
	switch {
	case slices.Contains(flags, "amx_fp16"), amx && cacheKiB > mostBefore:
		return "Granite Rapids"
	case amx:
		return "Sapphire Rapids"
	}
	return other
}

func armCore(implementer, part string) string {
	if implementer == "" || part == "" {
		return ""
	}
	names := map[string]string{
		"0x41 0xd08": "Cortex-A72", "0x41 0xd0b": "Cortex-A76", "0x41 0xd0c": "Neoverse N1", "0x41 0xd40": "Neoverse V1",
		"0x41 0xd49": "Neoverse N2", "0x41 0xd4f": "Neoverse V2", "0x61 0x022": "Apple M1", "0x61 0x023": "Apple M1",
	}
	numbers := fmt.Sprintf("implementer %s part %s", implementer, part)
	if name := names[implementer+" "+part]; name != "" {
		return name + " (" + numbers + ")"
	}
	return numbers
}
