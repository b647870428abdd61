package workloads

import (
	"fmt"
	"slices"

	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/internal/labels"
)

const (
	bf16One = 0x3f80 // 1 as bfloat16
	// labels.SmoothOn and SmoothOff as bfloat16.
	smoothOnBF16, smoothOffBF16 = 0x3f66, 0x38d2
)

// trainIDs has the classes of training for the labels of Cityscapes, 255 for
// those that are ignored.
var trainIDs = []uint8{
	255, 255, 255, 255, 255, 255, 255, 0, 1, 255, 255, 2, 3, 4, 255, 255, 255,
	5, 255, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255, 255, 16, 17, 18,
}

// All returns every named workload, in the order of the table that make bench
// prints.
func All() []Workload {
	w := []Workload{
		encodeSet[float32](labels.MNIST(), 1, 0),
		encodeSet[float32](labels.MNIST().Named("smooth"), 0.9, 0.1),
		encodeSet[float32](labels.CIFAR100(), 1, 0),
		encodeSet[float32](labels.ImageNet().Named("f32"), labels.SmoothOn, labels.SmoothOff),
		encodeSet[uint16](labels.ImageNet().Named("bf16"), smoothOnBF16, smoothOffBF16),
	}
	for _, shape := range [][2]int{{1, 256}, {8, 384}, {32, 384}} {
		w = append(w, encodeSet[float32](labels.BERT(shape[0], shape[1]), 1, 0))
	}
	for _, depth := range []int{2, 4, 8, 16, 32, 64} {
		w = append(w, encodeSet[float32](labels.ORT27094(depth), 1, 0))
	}
	w = append(w,
		text("dna/enformer", 196608, "ACGT", onehot.Spec[float32]{On: 1}, labels.Letters("ACGT", 'N', 0.005)),
		text("dna/alphagenome", 1048576, "ACGT", onehot.Spec[uint16]{On: bf16One}, labels.RunsOfN),
		text("dna/sei", 64*4096, "ACGT", onehot.Spec[float32]{On: 1, Inner: 4096}, labels.Letters("ACGT", 'N', 0.005)),
		text("char/crepe", 128*1014, crepeSymbols, onehot.Spec[float32]{Depth: 70, On: 1, Inner: 1014}, labels.Letters("etaoinshrdlucmfwygpbvk.,'0123456789", ' ', 0.17)),
		opticks(),
		encodeSet[float32](labels.WaveNet[uint8]().Named("u8"), 1, 0),
		encodeSet[float32](labels.WaveNet[int32]().Named("i32"), 1, 0),
		encodeSet[int8](labels.OpenFold().Named("i8"), 1, 0),
		encodeSet[float32](labels.OpenFold().Named("f32"), 1, 0),
		encodeSet[float32](labels.SPADE(), 1, 0),
		encodeSet[uint8](labels.Cityscapes().Named("u8"), 1, 0),
		encodeSet[float32](labels.Cityscapes().Named("f32"), 1, 0),
		encodeSet[float32](labels.MONAI3D(), 1, 0),
		videoGIF(),
		encode("tok/t5", 512, onehot.Spec[uint16]{Depth: 32128, On: bf16One}, labels.Zipf[int32](32128)),
		encodeSet[float32](labels.Llama3(), 1, 0),
		encode("vit/gemma-pos", 2520*2, onehot.Spec[uint16]{Depth: 10240, On: bf16One}, labels.PatchPositions),
		routing("moe/routing/depth=128", 4096, 8, 128),
		routing("moe/routing/depth=256", 4096, 8, 256),
		columns("tab/adult", 32561, []int{9, 16, 7, 15, 6, 5, 2, 42}, onehot.Spec[float32]{On: 1}, labels.Zipf[uint8]),
		columns("tab/wide", 10000, slices.Repeat([]int{75}, 50), onehot.Spec[uint8]{On: 1}, labels.Uniform[int64]),
		columns("rl/minigrid", 100352, []int{11, 6, 3}, onehot.Spec[uint8]{On: 1}, labels.Zipf[uint8]),
		encodeSet[float32](labels.Discrete(), 1, 0),
		update("rl/update", 4096, onehot.Spec[float32]{Depth: 500, On: 1}, 0.05),
		update("cifar10/update", 4096, onehot.Spec[float32]{Depth: 10, On: 1}, 0.9), // the labels of the next batch
	)
	for _, depth := range []int{16, 64, 256} {
		w = append(w,
			bitmap(fmt.Sprintf("bitmap/enum/u8/depth=%d", depth), 1<<20, depth, labels.Uniform[uint8](depth)),
			bitmap(fmt.Sprintf("bitmap/enum/u32/depth=%d", depth), 1<<20, depth, labels.Uniform[uint32](depth)))
	}
	w = append(w,
		encodeSet[float32](labels.Chess(), 1, 0),
		decode[float32]("20000x100/f32", 20000, 100),
		recode[uint8, int32]("arrow/nulls", 131072, shifted[uint8](5), 0.05),
		recode[int32, int64]("arrow/dictionary", 131072, shifted[int32](200), 0),
		recode[uint8, uint8]("seg/cityscapes/trainids", 1024*2048, trainIDs, 0),
		expand[float32]("game/chess", 12, 64, 32.0/12/64),
		expand[uint8]("bitmap/enum/depth=16", 16, 1<<16, 1.0/16),
		raw("mnist/labels", onehot.Uint8, 60000, onehot.Spec[float32]{Depth: 10, On: 1}, labels.Uniform[uint8](10)),
		raw("ort/27094/depth=16", onehot.Int64, 2*3*32*32, onehot.Spec[float32]{Depth: 16, On: 1}, labels.Uniform[int64](16)),
		raw("seg/cityscapes/u8", onehot.Uint8, 1024*2048, onehot.Spec[uint8]{Depth: 19, On: 1, Inner: 1024 * 2048}, labels.Cityscapes().Draw),
	)
	for _, mib := range []int{4, 16} {
		for _, workers := range []int{1, 2} {
			w = append(w,
				parallel(fmt.Sprintf("i64-f32/depth=16/%dMiB/workers=%d", mib, workers), mib<<20/(16*4), workers,
					onehot.Spec[float32]{Depth: 16, On: 1}, labels.Uniform[int64](16)),
				parallel(fmt.Sprintf("i32-f32/depth=1024/%dMiB/workers=%d", mib, workers), mib<<20/(1024*4), workers,
					onehot.Spec[float32]{Depth: 1024, On: 1}, labels.Uniform[int32](1024)))
		}
	}
	return w
}
