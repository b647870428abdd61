//go:build !amd64 || purego

package tier

func skylakeServer() bool { return false }

func zen1To4() bool { return false }

func intel() bool { return false }
