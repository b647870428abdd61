// Command arrow turns a dictionary column of an Arrow IPC file into tensors,
// and into Boolean columns in a file of their own.
//
//	go run ./arrow arrow/testdata/penguins.arrow sex sex.arrow
//
// The slot of a null still holds an index, so onehot.Recode comes first. It
// reads the index buffer and the validity buffer in place and writes the code
// of every value, which is -1 for a null. onehot.Encode makes a tensor of the
// codes, and onehot.EncodeBits one bit plane per class. On a little-endian
// machine a plane is the memory of a Boolean array.
package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/schollz/progressbar/v3"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: arrow IN.arrow COLUMN OUT.arrow")
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, in, column, out string) error {
	src, err := os.Open(in)
	if err != nil {
		return err
	}
	defer src.Close()
	reader, err := ipc.NewFileReader(src)
	if err != nil {
		return err
	}
	at := reader.Schema().FieldIndices(column)
	if len(at) == 0 {
		return fmt.Errorf("no column %q in %v", column, reader.Schema())
	}
	dst, err := os.Create(out)
	if err != nil {
		return err
	}
	defer dst.Close()
	var writer *ipc.FileWriter
	bar := progressbar.Default(int64(reader.NumRecords()), in)
	for i := range reader.NumRecords() {
		batch, err := reader.RecordBatch(i)
		if err != nil {
			return err
		}
		dict, ok := batch.Column(at[0]).(*array.Dictionary)
		if !ok {
			return fmt.Errorf("%s is no dictionary but %v", column, batch.Column(at[0]).DataType())
		}
		dense, misses, err := denseTensor(dict)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "batch %d: tensor %v of %v, %d misses\n", i, dense.Shape(), dense.DataType(), misses)
		columns, err := booleans(dict, column)
		if err != nil {
			return err
		}
		if writer == nil {
			if writer, err = ipc.NewFileWriter(dst, ipc.WithSchema(columns.Schema())); err != nil {
				return err
			}
		}
		if err := cmp.Or(writer.Write(columns), bar.Add(1)); err != nil {
			return err
		}
	}
	if writer == nil {
		return fmt.Errorf("%s has no batches", in)
	}
	return cmp.Or(writer.Close(), dst.Close())
}

// booleans returns one Boolean column for each class; a null is false in all of
// them.
func booleans(dict *array.Dictionary, name string) (arrow.RecordBatch, error) {
	planes, words, err := bitPlanes(dict)
	if err != nil {
		return nil, err
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for class := range dict.Dictionary().Len() {
		fields = append(fields, arrow.Field{Name: name + "=" + dict.Dictionary().ValueStr(class), Type: arrow.FixedWidthTypes.Boolean})
		columns = append(columns, boolean(planes[class*words:][:words], dict.Len()))
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(dict.Len())), nil
}
