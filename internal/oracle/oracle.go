// Package oracle is the definition a second time, for tests: slow, and without
// a line of the package's. Numbers of any size are big.Ints, and a cell is
// written by looking at its three coordinates.
package oracle

import (
	"math"
	"math/big"
	"reflect"
)

// Class is class(x): the class of an index and whether it is one of depth.
// Without one it is -1. Of negative indices only those that normalize wraps
// have one.
func Class(x any, depth int, normalize bool) (class int, ok bool) {
	n := new(big.Int)
	switch v := reflect.ValueOf(x); {
	case v.CanInt() && 0 <= v.Int() && v.Int() < int64(depth), v.CanUint() && v.Uint() < uint64(depth):
		return int(v.Convert(reflect.TypeFor[int]()).Int()), true // most are
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

// Classes is Class of every index, and the number of misses.
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

// A Layout is where cells are. An Inner of 0 is 1, a Plane of 0 is Inner, and a
// Stride of 0 is Depth*Plane.
type Layout struct{ Outer, Depth, Inner, Plane, Stride int }

// For is the layout of n indices with the zeros of l replaced.
func (l Layout) For(n int) Layout {
	if l.Inner == 0 {
		l.Inner = 1
	}
	if l.Plane == 0 {
		l.Plane = l.Inner
	}
	if l.Stride == 0 {
		l.Stride = l.Depth * l.Plane
	}
	l.Outer = n / l.Inner
	return l
}

// At is the element of cell (o, d, i).
func (l Layout) At(o, d, i int) int { return o*l.Stride + d*l.Plane + i }

// Cell is the element of class d of index k.
func (l Layout) Cell(k, d int) int { return l.At(k/l.Inner, d, k%l.Inner) }

// Need is the number of elements from the first cell to the last.
func (l Layout) Need() int {
	if l.Outer == 0 || l.Depth == 0 {
		return 0
	}
	return l.At(l.Outer-1, l.Depth-1, l.Inner-1) + 1
}

// Values are what cells hold. A Miss of nil is Off.
type Values[E any] struct {
	On, Off E
	Miss    *E
}

// each visits every cell with what it holds.
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

// Encode writes the cells of classes, of which -1 is a miss, to dst, which may
// be of any contents, and nothing between them.
func Encode[E any](dst []E, classes []int, l Layout, v Values[E]) {
	v.each(classes, l, func(at int, value E) { dst[at] = value })
}

// EncodeBytes is Encode for values of len(v.On) bytes.
func EncodeBytes(dst []byte, classes []int, l Layout, v Values[[]byte]) {
	width := len(v.On)
	v.each(classes, l, func(at int, value []byte) { copy(dst[at*width:][:width], value) })
}

// Bits writes one bit a cell, class after class: bit i of plane d, which starts
// a word, is set where classes[i] is d.
func Bits(dst []uint64, classes []int, depth int) {
	words := (len(classes) + 63) / 64
	clear(dst[:depth*words])
	for k, class := range classes {
		if class >= 0 {
			dst[class*words+k/64] |= 1 << (k % 64)
		}
	}
}

// Half is the value of a binary16, by the book.
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

// BFloat is the value of a bfloat16.
func BFloat(h uint16) float64 { return float64(math.Float32frombits(uint32(h) << 16)) }
