package main

import (
	"fmt"

	"github.com/go-onehot/onehot"
)

// A model is one convolution, with the buffers that it reuses for each batch
// and the sites that it has found.
type model struct {
	alphabet *onehot.Alphabet
	weights  []float32 // of shape [4, width]: the motif, encoded like the input
	full     float32   // the score of a match
	width    int
	length   int
	step     int       // windows overlap by one base less than the motif has, so that every site is whole in exactly one of them
	unknown  float32   // what all four channels of an unknown base hold
	pending  []byte    // bases that wait for the next batch
	batch    []float32 // of shape [windows, 4, length]

	bases  int
	misses int   // bases in two windows count twice
	sites  []int // where the motif begins, counted from 1 as biologists do
}

func newModel(motif string, length, windows int, unknown float32) (*model, error) {
	m := &model{width: len(motif), length: length, step: length - len(motif) + 1, unknown: unknown}
	if m.width == 0 || m.step < 1 || windows < 1 {
		return nil, fmt.Errorf("a motif of %d bases in %d windows of %d", m.width, windows, length)
	}
	var err error
	if m.alphabet, err = onehot.NewAlphabet("ACGT"); err != nil {
		return nil, err
	}
	if err = m.alphabet.Alias("acgtUu", "ACGTTT"); err != nil {
		return nil, err
	}
	m.weights = make([]float32, 4*m.width)
	wild, err := onehot.EncodeText(m.weights, motif, m.alphabet, onehot.Planes[float32](4, m.width))
	m.full = float32(m.width - wild)
	m.batch = make([]float32, windows*4*length)
	return m, err
}

func (m *model) reset() {
	m.pending, m.sites, m.bases, m.misses = m.pending[:0], nil, 0, 0
}

// add takes the next bases of a sequence and runs the batches that they fill.
func (m *model) add(bases []byte) error {
	m.bases += len(bases)
	m.pending = append(m.pending, bases...)
	full := len(m.batch) / (4 * m.length) * m.step // sites of a batch
	rest := m.pending
	for ; len(rest) >= full+m.width-1; rest = rest[full:] {
		if err := m.run(rest[:full+m.width-1], m.bases-len(rest)); err != nil {
			return err
		}
	}
	m.pending = append(m.pending[:0], rest...)
	return nil
}

// flush runs the bases that add has kept, as a smaller batch.
func (m *model) flush() error { return m.run(m.pending, m.bases-len(m.pending)) }

// run loads a batch from bases, which start at place first, and convolves it.
func (m *model) run(bases []byte, first int) error {
	s := onehot.Planes[float32](4, m.length)
	s.Miss, s.Plane = &m.unknown, m.length
	windows := 0
	for at := 0; at+m.width <= len(bases); at += m.step {
		read := bases[at:min(at+m.length, len(bases))]
		window := m.batch[windows*4*m.length:][:4*m.length]
		if s.Inner = len(read); s.Inner < m.length {
			clear(window) // the padding, which the call leaves alone
		}
		misses, err := onehot.EncodeText(window, read, m.alphabet, s)
		if err != nil {
			return err
		}
		m.misses += misses
		windows++
	}
	m.convolve(m.batch[:windows*4*m.length], first)
	return nil
}

func (m *model) convolve(batch []float32, first int) {
	for window := range len(batch) / (4 * m.length) {
		for x := range m.step {
			var score float32
			for channel := range 4 {
				in := batch[(4*window+channel)*m.length+x:][:m.width]
				for i, weight := range m.weights[channel*m.width:][:m.width] {
					score += weight * in[i]
				}
			}
			if at := first + window*m.step + x; score == m.full && at+m.width <= m.bases { // an N at the end of the motif would match padding
				m.sites = append(m.sites, at+1)
			}
		}
	}
}
