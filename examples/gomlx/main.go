// Command gomlx trains a classifier on columns of a CSV file with GoMLX, on its
// backend in pure Go, and tests it on every fifth row, which is left out of
// training.
//
//	go run ./gomlx testdata/penguins.csv species culmen_length_mm culmen_depth_mm flipper_length_mm body_mass_g
//
// The labels of a batch are smoothed: each gives its class a probability of 0.9
// and shares the rest among all classes. A loss that takes class numbers cannot
// express this, so the loss here takes whole distributions, which are one-hot
// rows with values other than 1 and 0. onehot.Encode writes them straight into
// the memory of the labels' tensor, the same for every batch: nothing is
// allocated or copied, and the training set keeps one byte per label.
//
// testdata/penguins.csv is the Palmer Archipelago data of Gorman, Williams and
// Fraser (2014), in the public domain (CC0).
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
	"github.com/gomlx/gomlx/pkg/ml/layers"
	"github.com/gomlx/gomlx/pkg/ml/train"
	"github.com/gomlx/gomlx/pkg/ml/train/losses"
	"github.com/gomlx/gomlx/pkg/ml/train/optimizers"
	"github.com/schollz/progressbar/v3"
)

func main() {
	if len(os.Args) < 4 {
		log.Fatal("usage: gomlx FILE.csv LABEL COLUMN...")
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, path, label string, columns []string) error {
	all, err := read(path, label, columns)
	if err != nil {
		return err
	}
	known, unseen := all.split(5)
	standardise(known, unseen)
	predicted, err := classify(known, unseen)
	if err != nil {
		return err
	}
	right, count, sum := make([]int, len(all.names)), make([]int, len(all.names)), 0
	for i, class := range unseen.classes {
		count[class]++
		if predicted[i] == int32(class) {
			right[class]++
			sum++
		}
	}
	for class, name := range all.names {
		fmt.Fprintf(w, "%-12s %d of %d right\n", name, right[class], count[class])
	}
	fmt.Fprintf(w, "accuracy     %.3f\n", float64(sum)/float64(len(predicted)))
	return nil
}

// classify trains on known and returns the predicted classes of unseen.
func classify(known, unseen *table) ([]int32, error) {
	backend, err := simplego.New("")
	if err != nil {
		return nil, err
	}
	defer backend.Finalize()
	ctx := context.New()
	ctx.SetParam(optimizers.ParamLearningRate, 0.5)
	if err := ctx.SetRNGStateFromSeed(1); err != nil {
		return nil, err
	}
	model := func(ctx *context.Context, _ any, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{layers.Dense(ctx, inputs[0], true, len(known.names))}
	}
	descent := optimizers.StochasticGradientDescent().Done()
	loop := train.NewLoop(train.NewTrainer(backend, ctx, model, losses.CategoricalCrossEntropyLogits, descent, nil, nil))
	bar := progressbar.Default(steps, "training")
	loop.OnStep("progress", 0, func(*train.Loop, []*tensors.Tensor) error { return bar.Add(1) })
	if _, err := loop.RunSteps(newBatches(known), steps); err != nil {
		return nil, err
	}
	features := tensors.FromFlatDataAndDimensions(unseen.features, len(unseen.classes), unseen.columns)
	classes, err := context.ExecOnce(backend, ctx.Reuse(), func(ctx *context.Context, x *graph.Node) *graph.Node {
		return graph.ArgMax(model(ctx, nil, []*graph.Node{x})[0], -1)
	}, features)
	if err != nil {
		return nil, err
	}
	return tensors.CopyFlatData[int32](classes)
}
