package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/tensor"
	"github.com/go-onehot/onehot"
)

// recode has a Recode for each type that indices of a dictionary can have.
var recode = map[arrow.Type]func(dst []int32, indices []byte, valid *onehot.Bitmap) (nulls int, err error){
	arrow.INT8:   recodeAs[int8],
	arrow.INT16:  recodeAs[int16],
	arrow.INT32:  recodeAs[int32],
	arrow.INT64:  recodeAs[int64],
	arrow.UINT8:  recodeAs[uint8],
	arrow.UINT16: recodeAs[uint16],
	arrow.UINT32: recodeAs[uint32],
	arrow.UINT64: recodeAs[uint64],
}

func recodeAs[I arrow.IntType | arrow.UintType](dst []int32, indices []byte, valid *onehot.Bitmap) (nulls int, err error) {
	return onehot.Recode(dst, arrow.GetData[I](indices), nil, valid)
}

// codes returns the index of each value of dict, or -1 where the value is null.
// For a null the index buffer may hold any number, usually 0, and 0 is a class.
// The validity buffer, from the offset of the array on, tells nulls.
func codes(dict *array.Dictionary) ([]int32, error) {
	data := dict.Indices().Data()
	width := data.DataType().(arrow.FixedWidthDataType).Bytes()
	indices := data.Buffers()[1].Bytes()[data.Offset()*width:][:data.Len()*width]
	var valid *onehot.Bitmap
	if bits := data.Buffers()[0]; bits != nil && dict.NullN() > 0 {
		valid = &onehot.Bitmap{Bits: bits.Bytes(), Offset: data.Offset()}
	}
	codes := make([]int32, dict.Len())
	misses, err := recode[data.DataType().ID()](codes, indices, valid)
	if err == nil && misses > dict.NullN() {
		err = fmt.Errorf("%d indices are no int32", misses-dict.NullN())
	}
	return codes, err
}

// denseTensor returns dict as a tensor of shape [rows, classes], and the number
// of rows without a class.
func denseTensor(dict *array.Dictionary) (dense *tensor.Float32, misses int, err error) {
	indices, err := codes(dict)
	if err != nil {
		return nil, 0, err
	}
	rows, depth := dict.Len(), dict.Dictionary().Len()
	cells := make([]float32, rows*depth)
	if misses, err = onehot.Encode(cells, indices, onehot.Rows[float32](depth)); err != nil {
		return nil, 0, err
	}
	buffer := memory.NewBufferBytes(arrow.GetBytes(cells))
	data := array.NewData(arrow.PrimitiveTypes.Float32, rows*depth, []*memory.Buffer{nil, buffer}, nil, 0, 0)
	return tensor.NewFloat32(data, []int64{int64(rows), int64(depth)}, nil, []string{"row", "class"}), misses, nil
}

// bitPlanes returns a bit plane of so many words for each class of dict.
func bitPlanes(dict *array.Dictionary) (planes []uint64, words int, err error) {
	indices, err := codes(dict)
	if err != nil {
		return nil, 0, err
	}
	depth := dict.Dictionary().Len()
	words = onehot.BitWords(dict.Len())
	planes = make([]uint64, depth*words)
	_, err = onehot.EncodeBits(planes, indices, depth, onehot.Ignore)
	return planes, words, err
}

func boolean(plane []uint64, rows int) arrow.Array {
	return array.NewBoolean(rows, memory.NewBufferBytes(arrow.GetBytes(plane)), nil, 0)
}
