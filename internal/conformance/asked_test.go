package conformance

import (
	"github.com/go-onehot/onehot"

	"github.com/go-onehot/onehot/internal/view"
)

// asked is what an input of a fuzz target asks of the plan. The test that the
// corpus reaches every plan uses it.
type asked struct {
	Width  int              // of a value
	Index  onehot.IndexType // of Encode, EncodeRaw and EncodeBits
	N      int              // indices, or rows where a row has several
	Depth  int              // or cells of a row of columns
	Inner  int
	Stride int
	K      int  // indices of a row that has several
	Zero   bool // whether Off is zero
}

// askedBy reads an input of a fuzz target as the target does, with room for
// large cases. ok is false for an input that asks nothing of the plan.
func askedBy(target string, input []byte) (a asked, ok bool) {
	s := &source{input, large}
	if s.byte() >= absurdFrom {
		return a, false
	}
	switch target {
	case "FuzzEncode":
		p, c := s.pairCase()
		a = c.asked(valueWidths[p.value])
		a.Index = typesByName[p.index]
		return a, p.value != "string"
	case "FuzzEncodeRaw":
		c := s.rawCase()
		a = c.asked(c.width)
		a.Index = c.index
	case "FuzzEncodeBits":
		kind, c := s.bitsCase()
		a = c.asked(0)
		a.Index = indexTypes[kind%10]
	case "FuzzUpdate":
		_, _, c := s.updateCase()
		a = c.asked(0)
	case "FuzzEncodeColumns":
		kind, rows, depths, c := s.columnsCase()
		cells := widthOf(depths)
		if c.stride > 0 {
			c.stride += cells
		}
		c.n, c.depth = rows, cells
		a = c.asked(kindWidths[kind])
		a.K = len(depths)
	case "FuzzMultiHot":
		kind, rows, k, c := s.setsCase()
		c.n = rows
		a = c.asked(kindWidths[kind])
		a.K = k
	case "FuzzDecode":
		const strings = 5
		kind, c := s.decodeCase()
		a = c.asked([]int{1, 2, 4, 8, 16, strings: 0, 1}[kind%7])
		return a, kind%7 != strings
	default:
		return a, false
	}
	return a, true
}

// asked returns what an encoding asks of the plan. Off is zero in every fourth
// kind of values.
func (c encodeCase) asked(width int) asked {
	return asked{Width: width, N: c.n, Depth: c.depth, Inner: c.inner, Stride: c.stride, Zero: c.values%valueKinds == 0}
}

var typesByName = map[string]onehot.IndexType{
	"int8": onehot.Int8, "int16": onehot.Int16, "int32": onehot.Int32, "int64": onehot.Int64, "int": onehot.Int64,
	"uint8": onehot.Uint8, "uint16": onehot.Uint16, "uint32": onehot.Uint32, "uint64": onehot.Uint64, "uint": onehot.Uint64,
	"float32": onehot.Float32, "float64": onehot.Float64,
}

func init() {
	if view.Size[int]() == 4 { // as on 386
		typesByName["int"], typesByName["uint"] = onehot.Int32, onehot.Uint32
	}
}
