// Command roaring answers queries over the categories of a CSV file with a
// bitmap index.
//
//	go run ./roaring testdata/penguins.csv island=Dream,Torgersen sex=FEMALE
//
// finds the rows where island is one of the two and sex is FEMALE.
// onehot.EncodeBits writes a column as one plane of bits per class, which
// roaring.FromDense takes as they are. An empty cell gets the index -1: it is a
// miss and in no bitmap.
//
// testdata/penguins.csv is the Palmer Archipelago data of Gorman, Williams and
// Fraser (2014), in the public domain (CC0).
package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/go-onehot/onehot"
	"github.com/go-onehot/onehot/examples/internal/input"
)

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: roaring FILE.csv COLUMN=VALUE[,VALUE...]...")
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, path string, query []string) error {
	file, err := input.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s is empty", path)
	}
	var all []*roaring.Bitmap
	for _, condition := range query {
		name, values, _ := strings.Cut(condition, "=")
		column := slices.Index(rows[0], name)
		if column < 0 {
			return fmt.Errorf("no column %q in %q", name, rows[0])
		}
		index, misses, err := bitmaps(rows[1:], column)
		if err != nil {
			return err
		}
		var either []*roaring.Bitmap
		for _, value := range strings.Split(values, ",") {
			if index[value] == nil {
				return fmt.Errorf("no value %q in column %s", value, name)
			}
			either = append(either, index[value])
			fmt.Fprintf(w, "%s=%s: %d rows\n", name, value, index[value].GetCardinality())
		}
		fmt.Fprintf(w, "%s has %d classes, and is missing in %d rows\n", name, len(index), misses)
		all = append(all, roaring.FastOr(either...))
	}
	found := roaring.FastAnd(all...)
	fmt.Fprintf(w, "%d of %d rows:\n", found.GetCardinality(), len(rows)-1)
	for row := range roaring.Values(found) {
		fmt.Fprintln(w, strings.Join(rows[1+row], ","))
	}
	return nil
}

// bitmaps returns a bitmap of the rows that have it for each value of a column,
// and the number of rows without a value.
func bitmaps(rows [][]string, column int) (index map[string]*roaring.Bitmap, misses int, err error) {
	classes := map[string]int32{"": -1}
	codes := make([]int32, len(rows))
	for i, row := range rows {
		class, seen := classes[row[column]]
		if !seen {
			class = int32(len(classes) - 1)
			classes[row[column]] = class
		}
		codes[i] = class
	}
	delete(classes, "")
	words := onehot.BitWords(len(codes))
	planes := make([]uint64, len(classes)*words)
	misses, err = onehot.EncodeBits(planes, codes, len(classes), onehot.Ignore)
	index = make(map[string]*roaring.Bitmap, len(classes))
	for value, class := range classes {
		index[value] = roaring.FromDense(planes[int(class)*words:][:words], false) // the bitmap uses the memory of the planes
		index[value].RunOptimize()
	}
	return index, misses, err
}
