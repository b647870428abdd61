// Package input opens the files that the examples read.
package input

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// Open opens a file and shows on the standard error how much of it has been
// read.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	reader := progressbar.NewReader(file, progressbar.DefaultBytes(info.Size(), path))
	return &reader, nil
}
