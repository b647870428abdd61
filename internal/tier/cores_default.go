//go:build !amd64 || purego

package tier

func skylakeServer() bool { return false }
