package onehot

// wordBits is the number of cells in a word of a bit plane.
const wordBits = 64

// BitWords returns the number of words, of 64 cells each, in a bit plane of n
// cells; 0 if n is negative.
func BitWords(n int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/wordBits + 1
}

// EncodeBits writes one bit per cell, class-major, as column stores and bitmap
// indexes keep them: bit i of plane d is set if the class of indices[i] is d.
// Plane d is dst[d*BitWords(n) : (d+1)*BitWords(n)] for n indices, least
// significant bit first; the bits behind the last index are 0. It returns the
// number of indices that have no class. An index means what it means to
// [Encode]: ONNX OneHot-9 with [Ignore], OneHot-11 with [Normalize].
//
// A plane is word for word what libraries of roaring bitmaps call a dense bitmap
// and, on little-endian machines, byte for byte a Boolean buffer of Arrow: both
// take it as it is.
//
// dst needs depth*BitWords(n) words. Errors: [ErrDepth], [ErrValue],
// [ErrTooLarge], [ErrShort], [ErrOverlap].
//
// It reads the indices once for each 255 classes, passes over dst once, and
// allocates nothing.
func EncodeBits[I Index](dst []uint64, indices []I, depth int, neg Negative) (misses int, err error) {
	var l layout
	if err := checkBitPlanes(&l, dst, indices, depth, neg); err != nil {
		return 0, err
	}
	if l.need == 0 { // no index, or no class for any
		return len(indices), nil
	}
	j := job{dst: spanOf(dst).ptr, in: inputOf(indices), layout: l, width: 1, wrap: neg.wrap(depth)}
	var p plan
	p.chooseBits(&j)
	if p.strategy == bitPlanes {
		return j.blocks(&p), nil
	}
	return bitsGeneric(dst, indices, &l, j.wrap), nil
}
