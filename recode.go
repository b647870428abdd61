package onehot

// A Bitmap says of each index whether it counts: bit Offset+i, least significant
// first, is set if index i does. It is the validity buffer of an Apache Arrow
// array, with the offset of a slice of one, and needs no copy.
type Bitmap struct {
	Bits   []byte
	Offset int // in bits, 0 or more
}

// Recode writes the class of each index to dst[:len(indices)], and returns how
// many have none. Every other call takes such classes for indices: through
// Recode it reads indices with nulls, codes that count from 1, dictionaries that
// differ from one part of a column to the next, and subsets of classes.
//
// The class of index i is table[i] if 0 <= i < len(table), copied as it is;
// where table is nil, it is i itself if C holds it. Any other index has none,
// and neither has one whose bit in valid is 0; valid may be nil: then every index
// counts. No class is written as all bits set, which is -1 in a signed type, 255
// in a uint8: an entry of table with all bits set says so too. As 255, it is a
// class in a depth of 256 and a miss in any smaller one.
//
// An index is what it is to [Encode] under [Ignore]: a float is truncated toward
// zero, and NaN has no class. Bits are those of the Arrow columnar format.
//
// dst may be indices itself, if both have elements of one size; it may share
// memory with them in no other way. Errors: [ErrShort] for a dst shorter than
// indices, or Bits shorter than Offset+len(indices) bits; [ErrShape] for a
// negative Offset; [ErrOverlap]. On an error misses is 0 and dst is untouched.
//
// It reads each index once, at a few instructions each, and allocates nothing.
func Recode[C Code, I Index](dst []C, indices []I, table []C, valid *Bitmap) (misses int, err error) {
	if err := checkRecode(dst, indices, table, valid); err != nil {
		return 0, err
	}
	dst = dst[:len(indices)]
	switch {
	case valid != nil:
		near := Bitmap{valid.Bits[valid.Offset/8:], valid.Offset % 8} // places in it are no larger than len(indices)
		return recodeValid(dst, indices, table, near), nil
	case table != nil:
		return recodeTable(dst, indices, table), nil
	}
	return recodeSelf(dst, indices), nil
}

// recodeTable is recodeGeneric where every index counts.
func recodeTable[C Code, I Index](dst []C, indices []I, table []C) (misses int) {
	for i, x := range indices {
		code := ^C(0)
		if class := integerOf(x); uint64(class) < uint64(len(table)) {
			code = table[class]
		}
		if code == ^C(0) {
			misses++
		}
		dst[i] = code
	}
	return misses
}

// recodeSelf is recodeTable for indices that are classes.
func recodeSelf[C Code, I Index](dst []C, indices []I) (misses int) {
	limit := largestClass[C]()
	for i, x := range indices {
		class := integerOf(x)
		code := C(class)
		if class < 0 || uint64(class) > limit {
			code = ^C(0)
			misses++
		}
		dst[i] = code
	}
	return misses
}

// recodeValid takes the validity bits a byte at a time: of most bytes all bits
// are set, or none.
func recodeValid[C Code, I Index](dst []C, indices []I, table []C, valid Bitmap) (misses int) {
	head := min(-valid.Offset&7, len(indices))
	misses = recodeGeneric(dst[:head], indices[:head], table, &valid)
	whole := (len(indices) - head) &^ 7
	bits := valid.Bits[(valid.Offset+head)/8:]
	for k := range whole / 8 {
		from := head + 8*k
		to, part := dst[from:from+8], indices[from:from+8]
		switch b := bits[k]; {
		case b == 0:
			for i := range to {
				to[i] = ^C(0)
			}
			misses += len(to)
		case b != 0xff:
			misses += recodeGeneric(to, part, table, &Bitmap{bits[k:], 0})
		case table != nil:
			misses += recodeTable(to, part, table)
		default:
			misses += recodeSelf(to, part)
		}
	}
	tail := head + whole
	valid.Offset += tail
	return misses + recodeGeneric(dst[tail:], indices[tail:], table, &valid)
}
