package main

import "testing"

// TestPlaces shows that each fault has its place in the source. To run the
// checks that find them takes long, and whoever changes the source should hear
// at once.
func TestPlaces(t *testing.T) {
	for _, f := range faults {
		if _, _, err := f.planted("../.."); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}
