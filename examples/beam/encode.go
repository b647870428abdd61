package main

import (
	"context"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/go-onehot/onehot"
)

var missed = beam.NewCounter("onehot", "misses")

// encodeFn appends to every line the one-hot encoding of its value. The classes
// are the sorted levels of the side input, which are the same on every worker.
type encodeFn struct {
	Batch int // the most lines that one call encodes

	levels  []string
	lines   []string
	indices []int32
	cells   []string
}

// StartBundle reads the levels, and drops the lines that a failed bundle may
// have left.
func (f *encodeFn) StartBundle(levels func(*string, *int) bool, _ func(string)) {
	f.levels, f.lines, f.indices = f.levels[:0], f.lines[:0], f.indices[:0]
	var level string
	var count int
	for levels(&level, &count) {
		if level != "" {
			f.levels = append(f.levels, level)
		}
	}
	slices.Sort(f.levels)
}

// ProcessElement keeps a line for its batch.
func (f *encodeFn) ProcessElement(ctx context.Context, value, line string, _ func(*string, *int) bool, emit func(string)) error {
	class, ok := slices.BinarySearch(f.levels, value)
	if !ok {
		class = -1
	}
	f.lines = append(f.lines, line)
	f.indices = append(f.indices, int32(class))
	if len(f.lines) < f.Batch {
		return nil
	}
	return f.encode(ctx, emit)
}

// FinishBundle encodes the remaining lines, which fill no batch.
func (f *encodeFn) FinishBundle(ctx context.Context, _ func(*string, *int) bool, emit func(string)) error {
	return f.encode(ctx, emit)
}

func (f *encodeFn) encode(ctx context.Context, emit func(string)) error {
	depth := len(f.levels)
	f.cells = slices.Grow(f.cells[:0], len(f.lines)*depth)[:len(f.lines)*depth]
	misses, err := onehot.Encode(f.cells, f.indices, onehot.Spec[string]{Depth: depth, On: "1", Off: "0"})
	if err != nil {
		return err
	}
	missed.Inc(ctx, int64(misses))
	log.Infof(ctx, "encoded %d lines, %d of them without a value", len(f.lines), misses)
	for i, line := range f.lines {
		emit(strings.Join(slices.Concat([]string{line}, f.cells[i*depth:][:depth]), ","))
	}
	f.lines, f.indices = f.lines[:0], f.indices[:0]
	return nil
}
