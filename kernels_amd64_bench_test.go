//go:build amd64 && !purego && (linux || darwin)

package onehot

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// benchSizes are bytes of output: in the first-level cache, in the second.
var benchSizes = []int{32 << 10, 512 << 10}

// benchKernels runs run for every tier, and clear over as many bytes, at each size.
func benchKernels(b *testing.B, sizes []int, run func(k kernelTier, size int) (bytes int, call func(dst []byte))) {
	dst := newArena(b, sizes[len(sizes)-1]+1<<16).mem
	for _, size := range sizes {
		for _, k := range kernelTiers {
			if !k.has {
				continue
			}
			n, call := run(k, size)
			b.Run(fmt.Sprintf("size=%d/path=%s", size, k.name), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					call(dst)
				}
			})
		}
		b.Run(fmt.Sprintf("size=%d/path=clear", size), func(b *testing.B) {
			n, _ := run(kernelTiers[0], size)
			b.SetBytes(int64(n))
			for b.Loop() {
				clear(dst[:n])
			}
		})
	}
}

func benchLanes(n, size, depth int) []byte {
	r := rand.New(rand.NewPCG(11, 12))
	b := make([]byte, n*size)
	for i := range n {
		put(b, i, size, uint64(r.IntN(depth)))
	}
	return b
}

func BenchmarkExpandKernels(b *testing.B) {
	for _, width := range []int{8, 16, 32, 64} {
		for _, depth := range []int{2, 3, 4, 5, 10, 21, 33, 100} {
			b.Run(fmt.Sprintf("bits=%d/depth=%d", width, depth), func(b *testing.B) {
				benchKernels(b, benchSizes, func(k kernelTier, size int) (int, func([]byte)) {
					row := width / 8 * depth
					rows := size / row / 256 * 256
					if rows == 0 {
						rows = 64
					}
					lanes := benchLanes(rows, width/8, depth)
					magic, shift := reciprocal(depth)
					kernel := k.expand[width]
					return rows * row, func(dst []byte) {
						kernel(pointer(dst), pointer(lanes), rows, depth, ^uint64(0), 0, magic, shift)
					}
				})
			})
		}
	}
}

func BenchmarkPlanesKernels(b *testing.B) {
	for _, width := range []int{8, 16, 32, 64} {
		for _, n := range []int{128, 1000, 4096} {
			b.Run(fmt.Sprintf("bits=%d/n=%d", width, n), func(b *testing.B) {
				benchKernels(b, benchSizes, func(k kernelTier, size int) (int, func([]byte)) {
					run := n * width / 8
					count := size / run
					lanes := benchLanes(n, width/8, min(count, 255))
					kernel := k.planes[width]
					return count * run, func(dst []byte) {
						kernel(pointer(dst), run, pointer(lanes), n, 0, count, ^uint64(0), 0)
					}
				})
			})
		}
	}
}

func BenchmarkFillKernels(b *testing.B) {
	sizes := []int{64, 200, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 512 << 10, 2 << 20}
	for _, shift := range []int{0, 8} {
		b.Run(fmt.Sprint("shift=", shift), func(b *testing.B) {
			benchKernels(b, sizes, func(k kernelTier, size int) (int, func([]byte)) {
				return size, func(dst []byte) { k.fill(pointer(dst[shift:]), size, 1, 2) }
			})
			dst := newArena(b, 3<<20).mem
			for _, size := range sizes {
				b.Run(fmt.Sprintf("size=%d/path=STOS", size), func(b *testing.B) {
					b.SetBytes(int64(size))
					for b.Loop() {
						fillSTOS(pointer(dst[shift:]), size, 1)
					}
				})
			}
		})
	}
}

// BenchmarkClassesKernels counts bytes of classes written.
func BenchmarkClassesKernels(b *testing.B) {
	for name, size := range kernelIndexSizes {
		in := make([]byte, 2048*size)
		for i := range 2048 {
			put(in, i, size, uint64(i%128))
		}
		for _, k := range kernelTiers {
			if !k.has || k.classes[name] == nil { // unsigned types share the kernels of signed ones
				continue
			}
			b.Run(fmt.Sprintf("type=%s/path=%s", name, k.name), func(b *testing.B) {
				out := make([]int32, 2048)
				b.SetBytes(2048 * 4)
				for b.Loop() {
					k.classes[name](&out[0], pointer(in), 2048, 100, 100)
				}
			})
		}
	}
}

func BenchmarkLanesKernels(b *testing.B) {
	classes, lanes := make([]int32, 2048), make([]byte, 2048*8)
	for _, k := range kernelTiers {
		if !k.has {
			continue
		}
		for width, run := range map[int]func(){
			8:  func() { k.narrow[8](pointer(lanes), &classes[0], 2048, 0) },
			16: func() { k.narrow[16](pointer(lanes), &classes[0], 2048, 0) },
			64: func() { k.widen(pointer(lanes), &classes[0], 2048) },
		} {
			b.Run(fmt.Sprintf("bits=%d/path=%s", width, k.name), func(b *testing.B) {
				b.SetBytes(int64(2048 * width / 8))
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// BenchmarkStreamKernels moves 256 MiB out of scratch tiles, and does the same with clear and copy.
func BenchmarkStreamKernels(b *testing.B) {
	const total = 256 << 20
	dst := newArena(b, total).mem
	clear(dst)
	for _, tile := range []int{8 << 10, 16 << 10, 32 << 10} {
		src := make([]byte, tile)
		for i := range src {
			src[i] = byte(i)
		}
		paths := map[string]func(dst, src unsafe.Pointer, n int){
			"copy": func(dst, src unsafe.Pointer, n int) {
				copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
			},
			"clear": func(dst, _ unsafe.Pointer, n int) { clear(unsafe.Slice((*byte)(dst), n)) },
		}
		for _, k := range kernelTiers {
			if k.has {
				paths[k.name] = func(dst, src unsafe.Pointer, n int) { k.stream(dst, src, n/64) }
			}
		}
		for path, run := range paths {
			b.Run(fmt.Sprintf("tile=%d/path=%s", tile, path), func(b *testing.B) {
				b.SetBytes(total)
				for b.Loop() {
					for at := 0; at < total; at += tile {
						run(pointer(dst[at:]), pointer(src), tile)
					}
				}
			})
		}
	}
}
