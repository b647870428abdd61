package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-onehot/onehot"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

const (
	steps     = 2000
	batchSize = 32
	smoothing = 0.1
)

// batches is an endless train.Dataset of random rows of a table. Every batch
// overwrites the one before.
type batches struct {
	*table
	random  *rand.Rand
	picked  []uint8 // the classes of a batch
	smooth  onehot.Spec[float32]
	x, y    *tensors.Tensor
	inputs  []*tensors.Tensor
	outputs []*tensors.Tensor
}

func newBatches(t *table) *batches {
	depth := len(t.names)
	off := float32(smoothing) / float32(depth)
	x := tensors.FromShape(shapes.Make(dtypes.Float32, batchSize, t.columns))
	y := tensors.FromShape(shapes.Make(dtypes.Float32, batchSize, depth))
	return &batches{
		table:   t,
		random:  rand.New(rand.NewPCG(1, 2)),
		picked:  make([]uint8, batchSize),
		smooth:  onehot.Spec[float32]{Depth: depth, On: 1 - smoothing + off, Off: off},
		x:       x,
		y:       y,
		inputs:  []*tensors.Tensor{x},
		outputs: []*tensors.Tensor{y},
	}
}

// Yield writes the next batch.
func (b *batches) Yield() (spec any, inputs, labels []*tensors.Tensor, err error) {
	err = tensors.MutableFlatData(b.x, func(cells []float32) {
		for i := range b.picked {
			row := b.random.IntN(len(b.classes))
			b.picked[i] = b.classes[row]
			copy(cells[i*b.columns:], b.features[row*b.columns:][:b.columns])
		}
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if err := b.encode(); err != nil {
		return nil, nil, nil, err
	}
	return nil, b.inputs, b.outputs, nil
}

// encode writes the labels of the picked rows. A miss is an error: its row
// would be no distribution.
func (b *batches) encode() error {
	var misses int
	var wrong error
	err := tensors.MutableFlatData(b.y, func(cells []float32) {
		misses, wrong = onehot.Encode(cells, b.picked, b.smooth)
	})
	switch {
	case err != nil:
		return err
	case wrong != nil:
		return wrong
	case misses != 0:
		return fmt.Errorf("%d of %d labels are none of %d classes", misses, len(b.picked), b.smooth.Depth)
	}
	return nil
}

// Name returns the name of the dataset.
func (b *batches) Name() string { return "training rows" }

// Reset does nothing: the dataset has no end.
func (b *batches) Reset() {}

// IsOwnershipTransferred returns false: the loop must not free the tensors.
func (b *batches) IsOwnershipTransferred() bool { return false }
