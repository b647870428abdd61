package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPlaces shows that each fault has its place in the source. To run the
// checks that find them takes long, and whoever changes the source should hear
// at once.
func TestPlaces(t *testing.T) {
	for _, f := range faults {
		source, err := os.ReadFile(filepath.Join("..", "..", f.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if planted, err := f.plant(string(source)); err != nil {
			t.Errorf("%s: %s: %v", f.name, f.file, err)
		} else if planted == string(source) {
			t.Errorf("%s: %s: nothing is changed", f.name, f.file)
		}
	}
}
