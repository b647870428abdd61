//go:build !amd64 || purego

package tier

func cores() (skylakeServer, zen1To4, intel bool) { return false, false, false }
