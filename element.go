package onehot

import (
	"encoding/binary"
	"unsafe"
)

// An element is the bits of one value of up to 16 bytes: a number of the
// value's width in the first word, or the two halves of 16 bytes as they follow
// each other in memory.
type element struct{ lo, hi uint64 }

// elementOf returns the bits of v. Loading them as one number of v's width, and
// not as part of a wider one, lets the processor forward v from where it was
// just stored.
func elementOf[V any](v V) element {
	p := unsafe.Pointer(&v)
	switch unsafe.Sizeof(v) {
	case 1:
		return element{lo: uint64(*(*uint8)(p))}
	case 2:
		return element{lo: uint64(*(*uint16)(p))}
	case 4:
		return element{lo: uint64(*(*uint32)(p))}
	case 8:
		return element{lo: *(*uint64)(p)}
	}
	return *(*element)(p)
}

// elementFrom returns the bits of a value whose bytes are b.
func elementFrom(b []byte) element {
	order := binary.NativeEndian
	switch len(b) {
	case 1:
		return element{lo: uint64(b[0])}
	case 2:
		return element{lo: uint64(order.Uint16(b))}
	case 4:
		return element{lo: uint64(order.Uint32(b))}
	case 8:
		return element{lo: order.Uint64(b)}
	}
	return element{order.Uint64(b), order.Uint64(b[8:])}
}

// valueOf returns the value with those bits.
func valueOf[E any](e element) E {
	p := unsafe.Pointer(&e)
	switch unsafe.Sizeof(*new(E)) {
	case 1:
		b := uint8(e.lo)
		p = unsafe.Pointer(&b)
	case 2:
		b := uint16(e.lo)
		p = unsafe.Pointer(&b)
	case 4:
		b := uint32(e.lo)
		p = unsafe.Pointer(&b)
	}
	return *(*E)(p)
}
