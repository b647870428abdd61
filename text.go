package onehot

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// An Alphabet maps bytes to classes. The zero Alphabet has no symbols: use
// [NewAlphabet]. Any number of goroutines may encode with an Alphabet as long
// as none calls Alias.
type Alphabet struct {
	lookup  textTable // first, so that it starts a cache line
	symbols string
}

// A textTable has one byte for each value of a byte, as kernels look them up:
// the class of a symbol, or a code of Recode. It does not tell a byte without a
// class from one with the class 255, but an alphabet with that class has no
// byte without one. Kernels know the order of the fields.
type textTable struct {
	classes [256]uint8 // the class of each byte, 255 for none
	rows    [16]textRow
	count   int // of rows, at least 1
}

// A textRow has 16 bytes of the table that share their high four bits. At least
// one of them has a class.
type textRow struct {
	high    [16]uint8 // the high four bits of the bytes, repeated
	inverse [16]uint8 // 255 minus the class of a byte, by its low four bits; 0 for none
}

// setNone takes the class from every byte.
func (t *textTable) setNone() {
	fillPatternOf(unsafe.Pointer(&t.classes), len(t.classes), math.MaxUint64, math.MaxUint64)
}

// setRows makes the rows of t, which must have none, from the classes of the
// first n bytes. The others have no class.
func (t *textTable) setRows(n int) {
	const each = len(t.rows[0].high)
	for first := 0; first < n; first += each {
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

// maxSymbols is the number of different bytes.
const maxSymbols = 256

// NewAlphabet returns an alphabet of up to 256 symbols, each a byte: the class
// of symbols[i] is i. Any other byte has no class until [Alphabet.Alias] gives
// it one. [ErrAlphabet] reports no symbols, more than 256, and duplicates.
//
// Symbols are bytes: a character that is not ASCII is several bytes in UTF-8,
// each with a class of its own. Two such characters often share a byte, which
// is a duplicate.
//
// NewAlphabet allocates the alphabet, which is less than a kilobyte of tables.
func NewAlphabet(symbols string) (*Alphabet, error) {
	if len(symbols) == 0 || len(symbols) > maxSymbols {
		return nil, fmt.Errorf("%w: %d symbols, an alphabet has 1 to %d", ErrAlphabet, len(symbols), maxSymbols)
	}
	a := &Alphabet{symbols: symbols}
	a.lookup.setNone()
	for i := range len(symbols) {
		if first := strings.IndexByte(symbols[:i], symbols[i]); first >= 0 {
			return nil, fmt.Errorf("%w: bytes %d and %d of symbols are both %s", ErrAlphabet, first, i, byteName(symbols[i]))
		}
		a.lookup.classes[symbols[i]] = byte(i)
	}
	a.lookup.setRows(maxSymbols)
	return a, nil
}

// Alias gives byte from[i] the class of symbol to[i]: Alias("acgtU", "ACGTT")
// lets an alphabet of "ACGT" read lower case and RNA. A later alias of the same
// byte replaces an earlier one.
//
// [ErrAlphabet] reports strings of different lengths, a byte of to that is not
// a symbol, a byte of from that is one, and an alphabet that is nil or zero;
// the alphabet is then unchanged.
//
// Alias rebuilds the tables and allocates nothing.
func (a *Alphabet) Alias(from, to string) error {
	if a.Len() == 0 {
		return errNoAlphabet(a)
	}
	if len(from) != len(to) {
		return fmt.Errorf("%w: from has length %d, to has length %d", ErrAlphabet, len(from), len(to))
	}
	for i := range len(from) {
		if !a.symbol(to[i]) {
			return fmt.Errorf("%w: byte %d of to, %s, is not a symbol", ErrAlphabet, i, byteName(to[i]))
		}
		if a.symbol(from[i]) {
			return fmt.Errorf("%w: byte %d of from, %s, is a symbol itself", ErrAlphabet, i, byteName(from[i]))
		}
	}
	lookup := textTable{classes: a.lookup.classes}
	for i := range len(from) {
		lookup.classes[from[i]] = lookup.classes[to[i]]
	}
	lookup.setRows(maxSymbols)
	a.lookup = lookup
	return nil
}

// symbol reports whether b is a symbol and not an alias.
func (a *Alphabet) symbol(b byte) bool { return strings.IndexByte(a.symbols, b) >= 0 }

// Len returns the number of symbols, which is the depth of an encoding with a
// cell for each of them.
func (a *Alphabet) Len() int {
	if a == nil {
		return 0
	}
	return len(a.symbols)
}

func errNoAlphabet(a *Alphabet) error {
	if a == nil {
		return fmt.Errorf("%w: the Alphabet is nil and has 0 symbols; use NewAlphabet", ErrAlphabet)
	}
	return fmt.Errorf("%w: the Alphabet has 0 symbols; use NewAlphabet", ErrAlphabet)
}

// byteName returns a byte in hex, and as a character if it is printable ASCII.
func byteName(b byte) string {
	if ' ' <= b && b <= '~' {
		return fmt.Sprintf("0x%02x %q", b, b)
	}
	return fmt.Sprintf("0x%02x", b)
}

// EncodeText is [Encode] for bytes that stand for classes: dst, of shape
// [Outer, Depth, Inner], gets the one-hot encoding of text, of shape [Outer,
// Inner], and the alphabet a gives each byte its class. s.Depth 0 means
// a.Len(). EncodeText returns the number of misses: bytes outside the alphabet,
// such as padding, and bytes with a class of Depth or more. Their cells are
// Off, or Miss if s has one. No byte has a negative class: s.Negative is
// ignored, but must be [Ignore] or [Normalize].
//
// dst needs (Outer-1)*Stride + (Depth-1)*Plane + Inner elements. Texts of
// different lengths go to one padded batch [texts, Depth, length] in a call
// each, with Inner the length of the text and Plane that of the batch. Elements
// after a text are not written: clear a batch that held longer texts first.
// Pass only the text's own part of the batch as dst: with a single class, a
// text longer than Plane is not an error, and would run on into the next part.
//
// Errors are those of Encode, and [ErrAlphabet] for a nil or zero alphabet.
//
// For DNA in planes, [4, length], and an alphabet such as "ACGT", whose reverse
// is its complement, [slices.Reverse] of the output is the encoding of the
// reverse complement.
//
// EncodeText reads text once, while it writes dst, or a few times with a Miss
// or in a very large output, and allocates nothing.
func EncodeText[V Value, S ~string | ~[]byte](dst []V, text S, a *Alphabet, s Spec[V]) (misses int, err error) {
	if a.Len() == 0 {
		return 0, errNoAlphabet(a)
	}
	if s.Depth == 0 {
		s.Depth = a.Len()
	}
	if s.Negative == Normalize {
		s.Negative = Ignore // otherwise a byte without a class would have the last one
	}
	in := inputOfText(text, a)
	s.tighten(in.len)
	if misses, done := textSmall(dst, &in, &s); done {
		return misses, nil
	}
	return encode(dst, &in, &s)
}
