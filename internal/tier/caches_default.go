//go:build !amd64 || purego

package tier

func caches() (l1, l2, llc int) { return defaultL1, defaultL2, defaultLLC }
