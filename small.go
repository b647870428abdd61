package onehot

// shortCells is the size of output, in elements, up to which a call is over
// before the general way would have begun.
const shortCells = 64

// encodeShort writes a plain output of at most shortCells elements.
func encodeShort[V Value, I Index](dst []V, indices []I, s *Spec[V]) (misses int) {
	depth, wrap := s.Depth, s.Negative.wrap(s.Depth)
	on, off := s.On, s.Off
	cells := dst[:len(indices)*depth]
	for i := range cells {
		cells[i] = off
	}
	return scatterEach(cells, indices, on, depth, depth, wrap)
}
