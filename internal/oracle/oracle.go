// Package oracle is a second definition of one-hot encoding, for tests: slow,
// and sharing no code with package onehot. It computes with big.Ints, so
// numbers may have any size, and it decides each cell from the cell's three
// coordinates.
package oracle

import (
	"cmp"
	"math"
	"math/big"
	"reflect"
)

// Class returns the class of an index and whether it is one of depth classes;
// if not, the class is -1. Only if normalize is set can a negative index have
// one.
func Class(x any, depth int, normalize bool) (class int, ok bool) {
	n := new(big.Int)
	switch v := reflect.ValueOf(x); {
	case v.CanInt() && 0 <= v.Int() && v.Int() < int64(depth), v.CanUint() && v.Uint() < uint64(depth):
		return int(v.Convert(reflect.TypeFor[int]()).Int()), true // the common case
	case v.CanInt():
		n.SetInt64(v.Int())
	case v.CanUint():
		n.SetUint64(v.Uint())
	default:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return -1, false
		}
		new(big.Float).SetFloat64(f).Int(n) // toward zero
		if !n.IsInt64() {
			return -1, false
		}
	}
	limit := big.NewInt(int64(depth))
	if n.Sign() < 0 {
		if !normalize {
			return -1, false
		}
		n.Add(n, limit)
	}
	if n.Sign() < 0 || n.Cmp(limit) >= 0 {
		return -1, false
	}
	return int(n.Int64()), true
}

// Classes returns the class of each index, and the number of misses.
func Classes[I any](indices []I, depth int, normalize bool) (classes []int, misses int) {
	classes = make([]int, len(indices))
	for k, x := range indices {
		class, ok := Class(x, depth, normalize)
		if !ok {
			misses++
		}
		classes[k] = class
	}
	return classes, misses
}

// A Layout says where cells are. An Inner of 0 means 1, a Plane of 0 means
// Inner, and a Stride of 0 means Depth*Plane.
type Layout struct{ Outer, Depth, Inner, Plane, Stride int }

// For returns the layout of n indices, with the zeros of l replaced.
func (l Layout) For(n int) Layout {
	l.Inner = cmp.Or(l.Inner, 1)
	l.Plane = cmp.Or(l.Plane, l.Inner)
	l.Stride = cmp.Or(l.Stride, l.Depth*l.Plane)
	l.Outer = n / l.Inner
	return l
}

// At returns the element of cell (o, d, i).
func (l Layout) At(o, d, i int) int { return o*l.Stride + d*l.Plane + i }

// Cell returns the element of class d of index k.
func (l Layout) Cell(k, d int) int { return l.At(k/l.Inner, d, k%l.Inner) }

// Need returns the number of elements from the first cell to the last.
func (l Layout) Need() int {
	if l.Outer == 0 || l.Depth == 0 {
		return 0
	}
	return l.At(l.Outer-1, l.Depth-1, l.Inner-1) + 1
}

// Values are the values that cells hold. A nil Miss means Off.
type Values[E any] struct {
	On, Off E
	Miss    *E
}

// each visits every cell, with the value that it holds.
func (v Values[E]) each(classes []int, l Layout, visit func(at int, value E)) {
	for o := range l.Outer {
		for d := range l.Depth {
			for i := range l.Inner {
				value := v.Off
				switch class := classes[o*l.Inner+i]; {
				case class == d:
					value = v.On
				case class < 0 && v.Miss != nil:
					value = *v.Miss
				}
				visit(l.At(o, d, i), value)
			}
		}
	}
}

// Encode writes the cells of classes to dst, whatever dst holds, and leaves the
// elements between cells alone. A class of -1 is a miss.
func Encode[E any](dst []E, classes []int, l Layout, v Values[E]) {
	v.each(classes, l, func(at int, value E) { dst[at] = value })
}

// EncodeBytes is Encode for values of len(v.On) bytes.
func EncodeBytes(dst []byte, classes []int, l Layout, v Values[[]byte]) {
	width := len(v.On)
	v.each(classes, l, func(at int, value []byte) { copy(dst[at*width:][:width], value) })
}

// Bits writes one bit for each cell, plane after plane: bit i of plane d, which
// starts a word, is set if classes[i] is d.
func Bits(dst []uint64, classes []int, depth int) {
	words := (len(classes) + 63) / 64
	clear(dst[:depth*words])
	for k, class := range classes {
		if class >= 0 {
			dst[class*words+k/64] |= 1 << (k % 64)
		}
	}
}

// Half returns the value of a binary16, as IEEE 754 defines it.
func Half(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	f := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 31 && fraction != 0:
		return math.NaN()
	case exponent == 31:
		f = math.Inf(1)
	case exponent == 0:
		f = math.Ldexp(fraction, -24)
	}
	if h>>15 != 0 {
		return -f
	}
	return f
}

// BFloat returns the value of a bfloat16.
func BFloat(h uint16) float64 { return float64(math.Float32frombits(uint32(h) << 16)) }
