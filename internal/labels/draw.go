package labels

import (
	"math"
	"math/rand/v2"

	"github.com/go-onehot/onehot"
)

// Seeded returns a new generator. Every workload draws from a generator of its
// own with the same seed, so that none depends on the others.
func Seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 0x6f6e65686f74)) }

// Uniform draws every class with the same probability.
func Uniform[I onehot.Index](depth int) func(*rand.Rand, []I) {
	return func(r *rand.Rand, dst []I) {
		for i := range dst {
			dst[i] = I(r.IntN(depth))
		}
	}
}

// Zipf draws classes as words occur in a text: rank k in proportion to k^-1.1.
func Zipf[I onehot.Index](depth int) func(*rand.Rand, []I) {
	return func(r *rand.Rand, dst []I) {
		z := rand.NewZipf(r, 1.1, 1, uint64(depth-1))
		for i := range dst {
			dst[i] = I(z.Uint64())
		}
	}
}

// sentencePairs writes segment 0 and then segment 1 into every sequence, and 0
// again into the padding.
func sentencePairs(length int) func(*rand.Rand, []int64) {
	return func(r *rand.Rand, dst []int64) {
		for ; len(dst) > 0; dst = dst[length:] {
			second := length/4 + r.IntN(length/4)
			end := second + r.IntN(length-second) + 1
			for i := second; i < end; i++ {
				dst[i] = 1
			}
		}
	}
}

// Letters draws uniformly from symbols, and other in a share of the places.
func Letters(symbols string, other byte, share float64) func(*rand.Rand, []byte) {
	return func(r *rand.Rand, dst []byte) {
		for i := range dst {
			if r.Float64() < share {
				dst[i] = other
			} else {
				dst[i] = symbols[r.IntN(len(symbols))]
			}
		}
	}
}

// RunsOfN draws a chromosome with ten unsequenced stretches of up to 20000
// bases each.
func RunsOfN(r *rand.Rand, dst []byte) {
	Letters("ACGT", 'N', 0)(r, dst)
	for range 10 {
		start := r.IntN(len(dst))
		for i := start; i < min(start+r.IntN(20000), len(dst)); i++ {
			dst[i] = 'N'
		}
	}
}

// muLaw draws a sound of three partials and noise, companded to 256 levels.
func muLaw[I onehot.Index](r *rand.Rand, dst []I) {
	for i := range dst {
		t := float64(i) / 16000 * 2 * math.Pi
		x := 0.5*math.Sin(220*t) + 0.2*math.Sin(443*t) + 0.1*math.Sin(1321*t) + 0.02*r.NormFloat64()
		y := math.Copysign(math.Log1p(255*math.Abs(x))/math.Log1p(255), x)
		dst[i] = I(min(max(int((y+1)/2*255+0.5), 0), 255))
	}
}

// alignment draws a family of sequences over 20 residues. Its columns are
// conserved to 70%, and gaps (class 21) come in runs.
func alignment(width int) func(*rand.Rand, []int64) {
	return func(r *rand.Rand, dst []int64) {
		consensus := make([]int64, width)
		Uniform[int64](20)(r, consensus)
		gap := 0
		for i := range dst {
			u := r.Uint64()
			switch {
			case gap > 0:
				gap--
				dst[i] = 21
			case u%64 == 0:
				gap = int(u >> 8 % 24)
				dst[i] = 21
			case u%64 < 45:
				dst[i] = consensus[i%width]
			default:
				dst[i] = int64(u >> 8 % 20)
			}
		}
	}
}

// regions draws a label map of overlapping rectangles. The given share at the
// bottom, the hood of the car, is to be ignored: class 255.
func regions[I onehot.Index](width, depth int, ignored float64) func(*rand.Rand, []I) {
	return func(r *rand.Rand, dst []I) {
		height := len(dst) / width
		for range 40 * depth {
			x, y, class := r.IntN(width), r.IntN(height), I(r.IntN(depth))
			right, bottom := min(x+8+r.IntN(width/8), width), min(y+8+r.IntN(height/8), height)
			for ; y < bottom; y++ {
				for i := y*width + x; i < y*width+right; i++ {
					dst[i] = class
				}
			}
		}
		class := 255 // converted where it is used: as a constant it would have to fit every index type
		for i := len(dst) - int(ignored*float64(len(dst))); i < len(dst); i++ {
			dst[i] = I(class)
		}
	}
}

// lesions draws volumes of a background, an organ, and something small inside
// the organ, as masks held in float32.
func lesions(side int) func(*rand.Rand, []float32) {
	return func(r *rand.Rand, dst []float32) {
		for ; len(dst) > 0; dst = dst[side*side*side:] {
			cx, cy, cz := side/2+r.IntN(8), side/2+r.IntN(8), side/2+r.IntN(8)
			for i := range side * side * side {
				x, y, z := i/(side*side)-cx, i/side%side-cy, i%side-cz
				switch d := x*x + y*y + z*z; {
				case d < side*side/100:
					dst[i] = 2
				case d < side*side/9:
					dst[i] = 1
				}
			}
		}
	}
}

// PatchPositions writes the x and y of image patches in a grid 60 wide. The
// last tenth is padding of -1.
func PatchPositions(_ *rand.Rand, dst []int64) {
	patches := len(dst) / 2
	for p := range patches {
		dst[2*p], dst[2*p+1] = int64(p%60), int64(p/60)
		if p >= patches-patches/10 {
			dst[2*p], dst[2*p+1] = -1, -1
		}
	}
}

// chess draws boards on which 60% of the squares are empty. An empty square has
// no plane.
func chess(r *rand.Rand, dst []uint8) {
	for i := range dst {
		dst[i] = 255
		if r.Float64() < 0.4 {
			dst[i] = uint8(r.IntN(12))
		}
	}
}
