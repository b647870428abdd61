package onehot

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// An Alphabet gives bytes their classes. The zero Alphabet has no symbols: use
// [NewAlphabet]. Any number of goroutines may encode with an Alphabet while
// none calls Alias.
type Alphabet struct {
	lookup  textTable // first, at the start of a cache line
	symbols string
}

// A textTable is the classes of bytes as kernels look them up. A byte without a
// class cannot be told from one with the class 255: of an alphabet that has
// this, every byte is a symbol. Kernels know the order of the fields.
type textTable struct {
	classes [256]uint8 // class of a byte, 255 for none
	rows    [16]textRow
	count   int // of rows, 1 at least
}

// A textRow is 16 bytes of the table, of which one has a class. They share
// their high four bits.
type textRow struct {
	high    [16]uint8 // those bits, again and again
	inverse [16]uint8 // 255 minus the class of a byte, by its low four bits; 0 for none
}

// set makes t, which is zero, the table of the classes of bytes from 0 on, of
// which there is one; other bytes have none.
func (t *textTable) set(classes []byte) {
	fillPatternOf(unsafe.Pointer(&t.classes), len(t.classes), math.MaxUint64, math.MaxUint64)
	copy(t.classes[:], classes)
	const each = len(t.rows[0].high)
	for first := 0; first < len(classes); first += each {
		row, order, used := &t.rows[t.count], binary.NativeEndian, uint64(0)
		for half := 0; half < each; half += 8 { // eight bytes at a time
			inverse := ^order.Uint64(t.classes[first+half:])
			order.PutUint64(row.high[half:], uint64(first)*0x0101010101010101)
			order.PutUint64(row.inverse[half:], inverse)
			used |= inverse
		}
		if used != 0 {
			t.count++
		}
	}
	t.count = max(t.count, 1)
}

// maxSymbols is the number of bytes there are.
const maxSymbols = 256

// NewAlphabet returns an alphabet of up to 256 bytes: the class of symbols[i]
// is i. Every other byte has no class until [Alphabet.Alias] gives it one.
// No symbols, more than 256 and duplicates are [ErrAlphabet].
//
// Symbols are bytes: a character that is not ASCII is several of them in UTF-8,
// each with a class of its own. Two such characters often share a byte, which
// is a duplicate.
//
// It allocates the alphabet, less than a kilobyte of tables.
func NewAlphabet(symbols string) (*Alphabet, error) {
	if len(symbols) == 0 || len(symbols) > maxSymbols {
		return nil, fmt.Errorf("%w: %d symbols, an alphabet has 1 to %d", ErrAlphabet, len(symbols), maxSymbols)
	}
	a := &Alphabet{symbols: symbols}
	var classes [maxSymbols]byte
	for b := range classes {
		classes[b] = none
	}
	for i := range len(symbols) {
		if first := strings.IndexByte(symbols[:i], symbols[i]); first >= 0 {
			return nil, fmt.Errorf("%w: bytes %d and %d of symbols are both %s", ErrAlphabet, first, i, byteName(symbols[i]))
		}
		classes[symbols[i]] = byte(i)
	}
	a.lookup.set(classes[:])
	return a, nil
}

// Alias gives byte from[i] the class of symbol to[i]: Alias("acgtU", "ACGTT")
// lets an alphabet of "ACGT" read lower case and RNA. A later alias of the same
// byte replaces an earlier one.
//
// Strings of different lengths, a byte of to that is no symbol, a byte of from
// that is one, and an alphabet that is nil or zero are [ErrAlphabet]; the
// alphabet is then as it was.
//
// It builds the tables anew and allocates nothing.
func (a *Alphabet) Alias(from string, to string) error {
	if a.Len() == 0 {
		return errNoAlphabet(a)
	}
	if len(from) != len(to) {
		return fmt.Errorf("%w: from has length %d, to has length %d", ErrAlphabet, len(from), len(to))
	}
	for i := range len(from) {
		if !a.symbol(to[i]) {
			return fmt.Errorf("%w: byte %d of to, %s, is no symbol", ErrAlphabet, i, byteName(to[i]))
		}
		if a.symbol(from[i]) {
			return fmt.Errorf("%w: byte %d of from, %s, is a symbol itself", ErrAlphabet, i, byteName(from[i]))
		}
	}
	classes := a.lookup.classes
	for i := range len(from) {
		classes[from[i]] = classes[to[i]]
	}
	a.lookup = textTable{}
	a.lookup.set(classes[:])
	return nil
}

// symbol reports whether b is a symbol and not an alias.
func (a *Alphabet) symbol(b byte) bool { return strings.IndexByte(a.symbols, b) >= 0 }

// class returns the class of b, or -1 if it has none.
func (a *Alphabet) class(b byte) int16 {
	if class := int16(a.lookup.classes[b]); int(class) < len(a.symbols) {
		return class
	}
	return -1
}

// Len returns the number of symbols, the depth of an encoding that has a cell
// for each.
func (a *Alphabet) Len() int {
	if a == nil {
		return 0
	}
	return len(a.symbols)
}

func errNoAlphabet(a *Alphabet) error {
	if a == nil {
		return fmt.Errorf("%w: a nil Alphabet, which has 0 symbols: use NewAlphabet", ErrAlphabet)
	}
	return fmt.Errorf("%w: a zero Alphabet, which has 0 symbols: use NewAlphabet", ErrAlphabet)
}

// byteName is a byte in hex, and as a character if it is one: a byte of a
// longer character is none.
func byteName(b byte) string {
	if ' ' <= b && b <= '~' {
		return fmt.Sprintf("0x%02x %q", b, b)
	}
	return fmt.Sprintf("0x%02x", b)
}

// EncodeText is [Encode] for bytes that stand for classes: dst of shape [Outer,
// Depth, Inner] gets the one-hot of text of shape [Outer, Inner], each byte
// through the alphabet a. s.Depth 0 means a.Len(). It returns the number of
// misses: bytes outside the alphabet, such as a character that pads, and those
// with a class of Depth or more. Their cells are Off, or s.Miss. No byte has a
// negative class: s.Negative is ignored, but must be [Ignore] or [Normalize].
//
// dst needs (Outer-1)*Stride + (Depth-1)*Plane + Inner elements. Texts of
// different lengths go to one padded batch [texts, Depth, length] by a call
// each, with Inner the length of the text and Plane that of the batch. What
// lies behind a text is not written: clear a batch that held longer texts
// before. Errors are those of Encode, and [ErrAlphabet] for an alphabet that is
// nil or zero.
//
// For DNA in planes, [4, length], over an alphabet such as "ACGT", whose
// reverse is its complement, [slices.Reverse] of the output is the encoding of
// the reverse complement.
//
// It reads text once, in the pass that writes dst, or a few times where there
// is a Miss, and allocates nothing.
func EncodeText[V Value, S ~string | ~[]byte](dst []V, text S, a *Alphabet, s Spec[V]) (misses int, err error) {
	if a.Len() == 0 {
		return 0, errNoAlphabet(a)
	}
	if s.Depth == 0 {
		s.Depth = a.Len()
	}
	if s.Negative == Normalize {
		s.Negative = Ignore // or a byte without a class would have the last one
	}
	in := inputOfText(text, a)
	if misses, done := textSmall(dst, &in, &s); done {
		return misses, nil
	}
	return encode(dst, &in, &s)
}
