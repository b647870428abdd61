package onehot

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-onehot/onehot/internal/half"
)

// An input is a run of indices whose type has become a number, so that the code
// that reads it is compiled once and not once for each pair of types.
type input struct {
	ptr      unsafe.Pointer
	len      int
	typ      IndexType
	alphabet *Alphabet // only if typ is textIndex
}

// textIndex is the IndexType of bytes whose classes an alphabet has.
const textIndex = Float64 + 1

// inputOf erases the type of indices.
func inputOf[I Index](indices []I) input {
	return input{unsafe.Pointer(unsafe.SliceData(indices)), len(indices), indexTypeOf[I](), nil}
}

// inputOfText relies on strings and slices both starting with their pointer.
func inputOfText[S ~string | ~[]byte](s S, a *Alphabet) input {
	return input{*(*unsafe.Pointer)(unsafe.Pointer(&s)), len(s), textIndex, a}
}

// indexTypeOf returns the IndexType of I. The compiler evaluates it, because
// every type has instances of its own.
func indexTypeOf[I Index]() IndexType {
	one, zero := I(1), I(0)
	size := IndexType(bits.Len8(uint8(unsafe.Sizeof(zero)))) - 1 // the logarithm of the size
	switch {
	case one/2 != 0:
		return Float32 - 2 + size
	case zero-1 > zero:
		return Uint8 + size
	}
	return Int8 + size
}

// bitsOf returns the bits of x as an unsigned number, for loops that take the
// common case first: below limitOf(depth), x has a class in [0, depth), which
// intOf returns. One comparison tells for every type, floats and negative
// indices included. A number that is not below decides nothing, and classOf
// tells: x may have no class, a negative class that wraps, a class of 2^31 or
// more, or be a float in (-1, -0], or the last class of a depth that a float
// rounds down.
func bitsOf[I Index](x I) uint64 {
	switch one := I(1); {
	case one/2 != 0 && unsafe.Sizeof(x) == 4:
		return uint64(math.Float32bits(float32(x)))
	case one/2 != 0:
		return math.Float64bits(float64(x))
	case unsafe.Sizeof(x) == 4:
		return uint64(uint32(x)) // to extend the sign would take an instruction
	}
	return uint64(x)
}

// intOf returns the class of an x whose bits are below limitOf.
func intOf[I Index](x I, bits uint64) int {
	if one := I(1); one/2 != 0 {
		return int(x)
	}
	return int(bits) // x would be extended once more
}

// limitOf returns the limit of bitsOf for depth classes. The bits of a number
// with a minus sign, -0 too, or of NaN, are larger than those of any other
// number, and the bits of the others are in the order of the numbers.
func limitOf[I Index](depth int) uint64 {
	switch one, size := I(1), unsafe.Sizeof(I(0)); {
	case one/2 != 0 && size == 4:
		return uint64(math.Float32bits(float32(depth))) // no float32 lies between depth and its float32
	case one/2 != 0:
		return math.Float64bits(float64(depth))
	case size == 4:
		return min(uint64(depth), 1<<31)
	}
	return uint64(depth)
}

// size returns the number of bytes of an index.
func (in *input) size() int {
	if in.typ == textIndex {
		return 1
	}
	return indexSizes[in.typ]
}

func (in *input) span() span { return span{in.ptr, in.len, in.size()} }

// name returns what the calls of Encode or of EncodeText call the input.
func (in *input) name() string {
	if in.typ == textIndex {
		return "text"
	}
	return "indices"
}

// from returns the input without its first n indices.
func (in input) from(n int) input {
	in.ptr = unsafe.Add(in.ptr, n*in.size())
	in.len -= n
	return in
}

// indicesAs returns the indices of an input, whose type must be I.
func indicesAs[I Index](in *input) []I {
	return unsafe.Slice((*I)(in.ptr), in.len)
}

// typed reports whether Go can read the indices, which are not text, where they
// are: it has no type for halves, and no loads from misaligned addresses.
func (in *input) typed() bool {
	return in.typ != Float16 && in.typ != BFloat16 && uintptr(in.ptr)&uintptr(in.size()-1) == 0
}

// A stage holds a few indices in a form that Go can read, at an address that is
// aligned for every type.
type stage [256]uint64

// load copies the first n indices of in, which are not text, to s: halves as
// float32, anything else as it is.
func (in *input) load(s *stage, n int) input {
	ptr := unsafe.Pointer(s)
	switch in.typ {
	case Float16, BFloat16:
		floats := unsafe.Slice((*float32)(ptr), n)
		for i, b := range unsafe.Slice((*[2]byte)(in.ptr), n) {
			h := binary.NativeEndian.Uint16(b[:])
			if in.typ == Float16 {
				floats[i] = half.Float16(h)
			} else {
				floats[i] = half.BFloat16(h)
			}
		}
		return input{ptr, n, Float32, nil}
	}
	bytes := n * in.size()
	copy(bytesAt(ptr, bytes), bytesAt(in.ptr, bytes))
	return input{ptr, n, in.typ, nil}
}
