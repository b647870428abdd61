package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/stretchr/testify/require"
)

const penguins = "testdata/penguins.arrow"

var update = flag.Bool("update", false, "write testdata/penguins.arrow from ../testdata/penguins.csv")

// penguins.arrow has these columns of penguins.csv, as dictionaries with three
// types of indices.
var (
	names  = []string{"species", "island", "sex"}
	schema = arrow.NewSchema([]arrow.Field{
		{Name: "species", Type: dictionary(arrow.PrimitiveTypes.Int8)},
		{Name: "island", Type: dictionary(arrow.PrimitiveTypes.Uint16)},
		{Name: "sex", Type: dictionary(arrow.PrimitiveTypes.Int32), Nullable: true},
	}, nil)
)

func dictionary(index arrow.DataType) *arrow.DictionaryType {
	return &arrow.DictionaryType{IndexType: index, ValueType: arrow.BinaryTypes.String}
}

// table returns the columns of penguins.csv, which another example reads. A
// cell without a value is empty.
func table(t *testing.T) map[string][]string {
	file, err := os.Open("../testdata/penguins.csv")
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+344)
	columns := map[string][]string{}
	for _, name := range names {
		at := slices.Index(rows[0], name)
		require.GreaterOrEqual(t, at, 0)
		for _, row := range rows[1:] {
			columns[name] = append(columns[name], row[at])
		}
	}
	return columns
}

// write writes penguins.arrow from penguins.csv, in batches of 100 rows.
func write(t *testing.T) {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i, name := range names {
		for _, value := range table(t)[name] {
			if value == "" {
				builder.Field(i).AppendNull()
			} else {
				require.NoError(t, builder.Field(i).AppendValueFromString(value))
			}
		}
	}
	batch := builder.NewRecordBatch()
	file, err := os.Create(penguins)
	require.NoError(t, err)
	w, err := ipc.NewFileWriter(file, ipc.WithSchema(schema))
	require.NoError(t, err)
	for row := int64(0); row < batch.NumRows(); row += 100 {
		require.NoError(t, w.Write(batch.NewSlice(row, min(row+100, batch.NumRows()))))
	}
	require.NoError(t, w.Close())
	require.NoError(t, file.Close())
}

func read(t *testing.T, path string) *ipc.FileReader {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := ipc.NewFileReader(bytes.NewReader(data))
	require.NoError(t, err)
	return r
}

// The Boolean columns say the same of each penguin as the CSV file.
func TestPenguins(t *testing.T) {
	if *update {
		write(t)
	}
	classes := map[string]int{"species": 3, "island": 3, "sex": 2}
	for name, cells := range table(t) {
		out := filepath.Join(t.TempDir(), "out.arrow")
		var text bytes.Buffer
		require.NoError(t, run(&text, penguins, name, out))

		var want string
		for batch := 0; batch*100 < len(cells); batch++ {
			rows := cells[batch*100 : min(batch*100+100, len(cells))]
			misses := 0
			for _, cell := range rows {
				if cell == "" {
					misses++
				}
			}
			want += fmt.Sprintf("batch %d: tensor [%d %d] of float32, %d misses\n", batch, len(rows), classes[name], misses)
		}
		require.Equal(t, want, text.String())

		r := read(t, out)
		require.Equal(t, 4, r.NumRecords())
		for i := range r.NumRecords() {
			batch, err := r.RecordBatch(i)
			require.NoError(t, err)
			require.EqualValues(t, classes[name], batch.NumCols())
			for c, column := range batch.Columns() {
				for row := range column.Len() {
					want := name+"="+cells[i*100+row] == batch.ColumnName(c)
					require.Equal(t, want, column.(*array.Boolean).Value(row), "%s in row %d", batch.ColumnName(c), i*100+row)
				}
			}
		}
	}
}

// The test takes the middle of an array, for every type of index. The slots of
// nulls hold classes.
func TestNulls(t *testing.T) {
	const rows, from, to, depth = 200, 13, 183, 5
	values := array.NewStringBuilder(memory.DefaultAllocator)
	values.AppendValues([]string{"a", "b", "c", "d", "e"}, nil)
	validity := make([]byte, bitutil.BytesForBits(rows))
	null := func(row int) bool { return row%7 == 3 }
	class := func(row int) int { return row * row % depth }
	nulls := 0
	for row := range rows {
		bitutil.SetBitTo(validity, row, !null(row))
		if null(row) && row >= from && row < to {
			nulls++
		}
	}
	integers := []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64}
	require.Len(t, recode, len(integers))
	for _, integer := range integers {
		width := integer.(arrow.FixedWidthDataType).Bytes()
		indices := make([]byte, rows*width)
		for row := range rows {
			indices[row*width] = byte(class(row)) // Arrow files and this test are little-endian
		}
		before := bytes.Clone(indices)
		data := array.NewData(integer, rows, []*memory.Buffer{memory.NewBufferBytes(validity), memory.NewBufferBytes(indices)}, nil, array.UnknownNullCount, 0)
		whole := array.NewDictionaryArray(dictionary(integer), array.MakeFromData(data), values.NewArray())
		values.AppendValues([]string{"a", "b", "c", "d", "e"}, nil)
		dict := array.NewSlice(whole, from, to).(*array.Dictionary)

		dense, misses, err := denseTensor(dict)
		require.NoError(t, err)
		require.Equal(t, nulls, misses, integer)
		require.Equal(t, []int64{to - from, depth}, dense.Shape())
		batch, err := booleans(dict, "x")
		require.NoError(t, err)
		for row := from; row < to; row++ {
			for c := range depth {
				on := class(row) == c && !null(row)
				require.Equal(t, on, batch.Column(c).(*array.Boolean).Value(row-from), "%v: bit %d of plane %d", integer, row, c)
				require.Equal(t, on, dense.Value([]int64{int64(row - from), int64(c)}) == 1, "%v: cell %d, %d", integer, row, c)
			}
		}
		require.Equal(t, before, indices)
	}
}

// A dictionary may use every number of its index type and still have nulls.
func TestFullDictionary(t *testing.T) {
	b := array.NewDictionaryBuilder(memory.DefaultAllocator, dictionary(arrow.PrimitiveTypes.Uint8))
	for i := range 256 {
		require.NoError(t, b.AppendValueFromString(fmt.Sprint(i)))
	}
	b.AppendNulls(3)
	dense, misses, err := denseTensor(b.NewArray().(*array.Dictionary))
	require.NoError(t, err)
	require.Equal(t, 3, misses)
	require.EqualValues(t, 1, dense.Value([]int64{255, 255}))
	require.EqualValues(t, 0, dense.Value([]int64{256, 0}))
}

func TestWrongInput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.arrow")
	require.ErrorIs(t, run(&bytes.Buffer{}, "testdata/missing.arrow", "sex", out), os.ErrNotExist)
	require.Error(t, run(&bytes.Buffer{}, "main.go", "sex", out))
	require.ErrorContains(t, run(&bytes.Buffer{}, penguins, "color", out), `no column "color"`)
	require.NoFileExists(t, out)

	// The file that was written has Boolean columns, which are no dictionaries.
	require.NoError(t, run(&bytes.Buffer{}, penguins, "sex", out))
	require.ErrorContains(t, run(&bytes.Buffer{}, out, "sex=MALE", out+"2"), "no dictionary but bool")
}
