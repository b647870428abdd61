// Package labels makes the indices of the named workloads: shapes from
// published code, drawn from a fixed seed. The benchmarks of this module and
// the comparison with other libraries in bench/peers encode the same indices.
package labels

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-onehot/onehot"
)

// A Set is the indices of one workload and the shape that they are encoded in.
type Set[I onehot.Index] struct {
	Name                string
	Count, Depth, Inner int
	Draw                func(*rand.Rand, []I)
}

// Named returns the same set under a longer name.
func (s Set[I]) Named(suffix string) Set[I] {
	s.Name += "/" + suffix
	return s
}

// Indices draws the indices of the set.
func (s Set[I]) Indices() []I {
	indices := make([]I, s.Count)
	s.Draw(Seeded(), indices)
	return indices
}

// Label smoothing with epsilon 0.1 over 1000 classes: on = 1-e+e/K, off = e/K.
const (
	SmoothOn  = 0.9 + 0.1/1000
	SmoothOff = 0.1 / 1000
)

// MNIST is the digits of the training set.
func MNIST() Set[uint8] { return Set[uint8]{"mnist/labels", 60000, 10, 1, Uniform[uint8](10)} }

// CIFAR100 is a batch of labels as a usual loader makes it.
func CIFAR100() Set[int64] { return Set[int64]{"cifar100/batch", 512, 100, 1, Uniform[int64](100)} }

// ImageNet is a batch of labels that are to be smoothed.
func ImageNet() Set[int32] {
	return Set[int32]{"imagenet/smooth", 1024, 1000, 1, Uniform[int32](1000)}
}

// BERT is the token types of pairs of sentences.
func BERT(sequences, length int) Set[int64] {
	return Set[int64]{fmt.Sprintf("bert/tokentype/%dx%d", sequences, length), sequences * length, 2, 1, sentencePairs(length)}
}

// ORT27094 is a small batch of class maps from a report on slow shallow rows.
func ORT27094(depth int) Set[int64] {
	return Set[int64]{fmt.Sprintf("ort/27094/depth=%d", depth), 2 * 3 * 32 * 32, depth, 1, Uniform[int64](depth)}
}

// WaveNet is eight seconds of sound in 256 levels, channels first.
func WaveNet[I onehot.Index]() Set[I] {
	return Set[I]{"audio/wavenet", 8 * 16000, 256, 16000, muLaw[I]}
}

// OpenFold is a multiple sequence alignment.
func OpenFold() Set[int64] {
	return Set[int64]{"msa/openfold", 16384 * 128, 32, 1, alignment(128)}
}

// SPADE is a label map for image synthesis, one plane per class.
func SPADE() Set[int64] {
	return Set[int64]{"seg/spade", 256 * 512, 35, 256 * 512, regions[int64](512, 35, 0)}
}

// Cityscapes is a label map of a street, with 255 where a pixel is to be
// ignored.
func Cityscapes() Set[uint8] {
	return Set[uint8]{"seg/cityscapes", 1024 * 2048, 19, 1024 * 2048, regions[uint8](2048, 19, 0.1)}
}

// MONAI3D is two volumes of masks held as floats.
func MONAI3D() Set[float32] {
	return Set[float32]{"seg/monai3d", 2 * 96 * 96 * 96, 3, 96 * 96 * 96, lesions(96)}
}

// Llama3 is a short text as tokens of a large vocabulary.
func Llama3() Set[int32] {
	return Set[int32]{"tok/llama3", 128, 128256, 1, Zipf[int32](128256)}
}

// Discrete is the observations of many environments with 500 states each.
func Discrete() Set[int64] { return Set[int64]{"rl/update", 4096, 500, 1, Uniform[int64](500)} }

// Chess is 256 boards, whose empty squares have no plane.
func Chess() Set[uint8] { return Set[uint8]{"game/chess", 256 * 64, 12, 64, chess} }
