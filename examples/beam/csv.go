package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// find reads the header of a file and looks a column up in it. It reads through
// Beam, as the file may be on any file system that Beam knows.
func find(ctx context.Context, path, column string) (header string, at int, err error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return "", 0, err
	}
	defer fs.Close()
	file, err := fs.OpenRead(ctx, path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	header, err = bufio.NewReader(file).ReadString('\n')
	if err != nil {
		return "", 0, fmt.Errorf("%s has no header: %w", path, err)
	}
	header = strings.TrimRight(header, "\r\n")
	columns, err := fields(header)
	if err != nil {
		return "", 0, err
	}
	if at = slices.Index(columns, column); at < 0 {
		return "", 0, fmt.Errorf("%s has no column %q, only %q", path, column, columns)
	}
	return header, at, nil
}

// valueFn pairs a line with its value in a column, and drops the header.
type valueFn struct {
	Header string
	At     int // the column
}

// ProcessElement emits the value and the line.
func (f *valueFn) ProcessElement(line string, emit func(value, line string)) error {
	line = strings.TrimSuffix(line, "\r")
	if line == f.Header {
		return nil
	}
	values, err := fields(line)
	if err != nil {
		return err
	}
	if f.At >= len(values) {
		return fmt.Errorf("no column %d in the line %q", f.At+1, line)
	}
	emit(values[f.At], line)
	return nil
}

func fields(line string) ([]string, error) {
	return csv.NewReader(strings.NewReader(line)).Read()
}
