package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	"github.com/go-onehot/onehot"
)

// The types that indices of a dictionary can have, and the calls that take them.
var kinds = map[arrow.Type]struct {
	index onehot.IndexType
	bits  func(dst []uint64, codes []byte, depth int) (misses int, err error)
}{
	arrow.INT8:   {onehot.Int8, bits[int8]},
	arrow.INT16:  {onehot.Int16, bits[int16]},
	arrow.INT32:  {onehot.Int32, bits[int32]},
	arrow.INT64:  {onehot.Int64, bits[int64]},
	arrow.UINT8:  {onehot.Uint8, bits[uint8]},
	arrow.UINT16: {onehot.Uint16, bits[uint16]},
	arrow.UINT32: {onehot.Uint32, bits[uint32]},
	arrow.UINT64: {onehot.Uint64, bits[uint64]},
}

func bits[I arrow.IntType | arrow.UintType](dst []uint64, codes []byte, depth int) (misses int, err error) {
	return onehot.EncodeBits(dst, arrow.GetData[I](codes), depth, onehot.Ignore)
}

// codes returns the index buffer of dict, each null in it a miss. The buffer may hold anything where a value is null, usually 0, and 0 is
// a class. All ones are not: they are -1, or the highest number of an unsigned type. A buffer without nulls is not copied.
func codes(dict *array.Dictionary) ([]byte, error) {
	data := dict.Indices().Data()
	width := data.DataType().(arrow.FixedWidthDataType).Bytes()
	codes := data.Buffers()[1].Bytes()[data.Offset()*width:][:data.Len()*width]
	if dict.NullN() == 0 {
		return codes, nil
	}
	if data.DataType().ID() == arrow.UINT8 && dict.Dictionary().Len() > math.MaxUint8 {
		return nil, fmt.Errorf("a dictionary of %d values leaves no uint8 for nulls", dict.Dictionary().Len())
	}
	codes = bytes.Clone(codes)
	for i := range dict.Len() {
		if dict.IsNull(i) {
			copy(codes[i*width:][:width], "\xff\xff\xff\xff\xff\xff\xff\xff")
		}
	}
	return codes, nil
}

// denseTensor returns dict as a tensor of shape [rows, classes], and the number of its nulls.
func denseTensor(dict *array.Dictionary) (dense *tensor.Float32, misses int, err error) {
	indices, err := codes(dict)
	if err != nil {
		return nil, 0, err
	}
	rows, depth := dict.Len(), dict.Dictionary().Len()
	cells := make([]byte, rows*depth*arrow.Float32SizeBytes)
	spec := onehot.RawSpec{
		Index: kinds[dict.Indices().DataType().ID()].index, Depth: depth, Width: arrow.Float32SizeBytes,
		On: binary.NativeEndian.AppendUint32(nil, math.Float32bits(1)), Off: make([]byte, arrow.Float32SizeBytes),
	}
	if misses, err = onehot.EncodeRaw(cells, indices, spec); err != nil {
		return nil, 0, err
	}
	data := array.NewData(arrow.PrimitiveTypes.Float32, rows*depth, []*memory.Buffer{nil, memory.NewBufferBytes(cells)}, nil, 0, 0)
	return tensor.NewFloat32(data, []int64{int64(rows), int64(depth)}, nil, []string{"row", "class"}), misses, nil
}

// bitPlanes returns one plane of words for each class of dict.
func bitPlanes(dict *array.Dictionary) (planes []uint64, words int, err error) {
	indices, err := codes(dict)
	if err != nil {
		return nil, 0, err
	}
	depth := dict.Dictionary().Len()
	words = onehot.BitWords(dict.Len())
	planes = make([]uint64, depth*words)
	_, err = kinds[dict.Indices().DataType().ID()].bits(planes, indices, depth)
	return planes, words, err
}

func boolean(plane []uint64, rows int) arrow.Array {
	return array.NewBoolean(rows, memory.NewBufferBytes(arrow.GetBytes(plane)), nil, 0)
}
