package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/pathtest"
	"github.com/go-onehot/onehot/internal/plan"
	"github.com/go-onehot/onehot/internal/tier"
)

// eachStreaming runs a test on each path that has non-temporal stores, with a
// last-level cache so small that they begin with little output.
func eachStreaming(t *testing.T, test func(t *testing.T)) {
	defer tier.ForceLLC(1 << 14)()
	pathtest.Each(t, func(t *testing.T) {
		if path := tier.Active(); path == tier.AVX512Path || path == tier.AVX2Path {
			test(t)
		}
	})
}

// pastSmall is one worker: EncodeRawParallel has no route for small calls.
const pastSmall = 1

// Planes beyond the last-level cache are written in whole cache lines, wherever
// they start and however few columns they have.
func TestStreamedPlanesOfAnyStart(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		streamedPlanes[uint8](t)
		streamedPlanes[uint16](t)
		streamedPlanes[float32](t)
		streamedPlanes[float64](t)
		streamedPlanes[complex128](t)
	})
}

// At an address that is no multiple of the width no cell starts a cache line.
// Then there are no whole lines to write, even if planes are whole lines apart.
func TestStreamedPlanesAtOddAddresses(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		for _, width := range []int{2, 4, 8, 16} {
			for k, inner := range []int{64, 128, 320, 1024} {
				for _, shift := range []int{1, width / 2, width - 1, 64 - width/2} {
					checkRaw(t, rawCase{index: onehot.Int16, width: width, workers: pastSmall, encodeCase: encodeCase{
						n: 2 * inner, inner: inner, depth: 70, values: k, shift: shift, seed: uint64(k),
					}})
				}
			}
		}
	})
}

// Rows beyond the last-level cache go straight to memory if the output, or one
// of its rows 64 to 127, starts a cache line and, unless kernels of AVX-512
// stream, a row's bytes are a multiple of 4. Others go by way of a scratch
// buffer. Any number of rows is left over.
func TestStreamedRowsEndAnywhere(t *testing.T) {
	for _, intel := range []bool{false, true} {
		t.Run(fmt.Sprintf("Intel=%v", intel), func(t *testing.T) { streamedRows(t, intel) })
	}
}

func streamedRows(t *testing.T, intel bool) {
	defer func(was bool) { tier.Intel = was }(tier.Intel)
	tier.Intel = intel
	eachStreaming(t, func(t *testing.T) {
		if intel && tier.Active() != tier.AVX512Path { // nothing else
			return
		}
		for _, width := range []int{1, 2, 4, 8, 16} {
			for k, depth := range []int{2, 3, 7, 10, 24, 32, 100} {
				n := max(tier.LLC/(depth*width), 64) &^ 63
				for tail := range 64 {
					if testing.Short() && tail%3 > 0 {
						continue
					}
					for _, shift := range []int{0, tail} {
						checkRaw(t, rawCase{index: onehot.Uint8, width: width, workers: pastSmall, encodeCase: encodeCase{
							n: n + tail, depth: depth, values: tail + k, shift: shift, extra: k % 2, seed: uint64(tail),
						}})
					}
				}
			}
		}
	})
}

// On Intel's processors kernels of AVX-512 also stream rows of 129 to 512
// bytes, in outputs of more than 4/3 of the first-level cache.
func TestStreamedLongRows(t *testing.T) {
	defer func(intel bool, l1 int) { tier.Intel, tier.L1 = intel, l1 }(tier.Intel, tier.L1)
	tier.Intel, tier.L1 = true, 48<<10
	eachStreaming(t, func(t *testing.T) {
		for _, width := range []int{1, 2, 4, 8, 16} {
			for k, row := range []int{128, 129, 130, 136, 144, 255, 256, 258, 304, 496, 512, 528} {
				if row%width > 0 {
					continue
				}
				for _, tail := range []int{0, 1, 5, 63} {
					for _, shift := range []int{0, 1, width, 8} {
						checkRaw(t, rawCase{index: onehot.Uint8, width: width, workers: pastSmall, encodeCase: encodeCase{
							n: (80<<10/row)&^63 + tail, depth: row / width, values: tail + k, shift: shift, extra: k % 2, seed: uint64(tail),
						}})
					}
				}
			}
		}
	})
}

// Rows of an output that starts within a cache line begin with a short block,
// after which a line starts.
func TestRowsOfAnyStart(t *testing.T) {
	pathtest.Each(t, func(t *testing.T) {
		for _, width := range []int{1, 2, 4, 8, 16} {
			for k, depth := range []int{2, 3, 5, 10, 12} {
				for shift := 0; shift < 64; shift += 1 + sparse(3) {
					checkRaw(t, rawCase{index: onehot.Uint8, width: width, workers: pastSmall, encodeCase: encodeCase{
						n: 80_000/(depth*width) + shift, depth: depth, values: k, shift: shift, extra: k % 2, seed: uint64(shift),
					}})
				}
			}
		}
	})
}

// Deep rows beyond the last-level cache are scattered to in tiles, which end
// within a line, or after a fill, which starts and ends within one.
func TestStreamedDeepRows(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		for _, width := range []int{1, 2, 4, 8, 16} {
			for k, row := range []int{164, 236, 700, 1400, 2072, 4104, 16_400} {
				for _, shift := range []int{0, 1, width, 24, 63} {
					for values := range 3 {
						depth := row / width
						checkRaw(t, rawCase{index: onehot.Int16, width: width, workers: pastSmall, encodeCase: encodeCase{
							n: 60_000/row + 3, depth: depth, stride: depth + k/6, values: values, shift: shift, extra: k % 3, seed: uint64(shift),
						}})
					}
				}
			}
		}
	})
}

// Planes beyond the last-level cache are scattered to in tiles of whole blocks,
// if a column has neither too few bytes nor too many.
func TestStreamedDeepPlanes(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		for _, width := range []int{1, 2, 4, 8, 16} {
			for k, column := range []int{32, 48, 128, 448, 1008, 2032, 8192} {
				for j, inner := range []int{2, 3, 7, 16, 63, 64, 65, 100} {
					for _, shift := range []int{0, 1, width, 63} {
						depth, outer := column/width, max(50_000/(column*inner), 1)+j
						checkRaw(t, rawCase{index: onehot.Int16, width: width, workers: pastSmall, encodeCase: encodeCase{
							n: outer * inner, inner: inner, depth: depth, values: k, shift: shift, extra: j % 3, seed: uint64(shift),
						}})
					}
				}
			}
		}
	})
}

// Beyond the last-level cache, planes that are not zeros are compared up to the
// depth that kernels tell apart.
func TestDeepestPlanes(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		for j, depth := range []int{plan.KernelDepth, plan.KernelDepth + 1, 1<<16 + 300} {
			c := encodeCase{n: 128, inner: 128, depth: depth, values: 1, neg: modes[j%2]}
			checkEncode[uint8, int32](t, c)
			checkEncode[uint8, int64](t, c)
			checkEncode[uint8, uint16](t, c)
			checkEncode[uint8, float64](t, c)
		}
	})
}

// Wide sets and tables beyond the last-level cache are scattered to in tiles of
// a few rows or many. All are too large for small calls.
func TestStreamedSets(t *testing.T) {
	const bytes = 600 << 10
	eachStreaming(t, func(t *testing.T) {
		for k, set := range []int{2, 5, 24, 70} {
			for j, row := range []int{96, 1200, 4800, 48_000} {
				c := encodeCase{values: j, shift: k, extra: k % 2, neg: modes[j%2], seed: uint64(2 * k)}
				c.depth = row
				checkMultiHot[uint8, int16](t, bytes/row+k, set, c)
				c.depth = row / 4
				checkMultiHot[float32, int64](t, bytes/row+k, set, c)
				c.depth = row / 16
				checkMultiHot[complex128, float32](t, bytes/row+k, set, c)
			}
		}
		for k, depths := range [][]int{{130, 1}, {300, 0, 21}, slices.Repeat([]int{17}, 40), slices.Repeat([]int{1000}, 24)} {
			for _, percent := range []int{0, 1, 30} {
				width := widthOf(depths)
				checkMissColumns[uint8, int16](t, bytes/width+k, depths, percent, 3*k)
				checkMissColumns[float32, int32](t, bytes/4/width+k, depths, percent, 3*k)
				checkMissColumns[complex128, uint8](t, bytes/16/width+k, depths, percent, 3*k)
			}
		}
		checkColumns[float32, int32](t, bytes/4/5000+2, slices.Repeat([]int{100}, 50), encodeCase{values: 2, shift: 3, seed: 4})
	})
}

// Bit planes beyond the last-level cache go by way of a scratch buffer, some
// planes of a block at a time, with any number of indices left over.
func TestStreamedBitPlanes(t *testing.T) {
	eachStreaming(t, func(t *testing.T) {
		for k, depth := range []int{7, 16, 33, 255, 256, 512} {
			for _, n := range []int{64_000, 9000, 8192, 8255, 16_384 + 63} {
				if n*depth < 8*tier.LLC {
					continue
				}
				checkBits(t, mixed[int32](uint64(n), n, depth), depth, modes[k%2], k%3)
			}
		}
	})
}

func streamedPlanes[V onehot.Number](t *testing.T) {
	const room = 64
	seed, inners := 0, []int{393, 771, 1025, 1087, 1124, 1601, 2111, 2200} // some are sent one by one, others written some columns at a time
	for inner := 64; inner < 260; inner += 1 + 4*sparse(3) {               // written as whole planes
		inners = append(inners, inner)
	}
	for _, inner := range inners {
		for shift := 0; shift < room; shift += 13 {
			for _, plane := range []int{inner, inner + 7, inner + 64 - inner%64} {
				if seed++; (testing.Short() || inner > 1000) && seed%4 != 0 {
					continue
				}
				depth := 120
				if seed/4%4 == 3 {
					depth = 300 // more than one span of classes
				}
				var off V
				if seed/7%2 == 1 {
					off = 1
				}
				s := onehot.Spec[V]{Depth: depth, On: 3, Off: off, Inner: inner, Plane: plane}
				if miss := V(7); seed/5%3 == 2 {
					s.Miss = &miss
				}
				const blocks = 3
				indices := make([]int16, blocks*inner)
				for i := range indices {
					indices[i] = int16(i*7%(depth+2) - 1)
				}
				need := blocks * s.Depth * plane
				got, want := make([]V, room+need+room), make([]V, room+need+room)
				for i := range got {
					got[i], want[i] = 9, 9
				}
				for i, x := range indices {
					for d := range s.Depth {
						at := shift + i/inner*s.Depth*plane + d*plane + i%inner
						switch want[at] = s.Off; {
						case int(x) == d:
							want[at] = s.On
						case s.Miss != nil && (x < 0 || int(x) >= depth):
							want[at] = *s.Miss
						}
					}
				}
				_, err := onehot.Encode(got[shift:shift+need], indices, s)
				require.NoError(t, err)
				require.True(t, sameBits(want, got), "%T, inner %d, plane %d, shift %d", s, inner, plane, shift)
			}
		}
	}
}
